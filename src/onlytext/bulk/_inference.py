"""The columns of JSON lines, found by reading them all: names, types, and where types clash."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
from pyarrow import types

from onlytext.bulk._block import BLOCK_BYTES
from onlytext.bulk._columns import sound
from onlytext.bulk._jsonl import Line, dumps, read_rows
from onlytext.bulk._lines import read_lines
from onlytext.bulk.errors import BulkError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from onlytext.bulk._jsonl import Row
    from onlytext.bulk._sources import Source


def infer_schema(
    sources: Iterable[Source], *, size: int = BLOCK_BYTES
) -> tuple[pa.Schema, frozenset[str]]:
    """The schema of all rows, and the columns whose values have no common type.

    Those become strings that hold JSON. Nothing is guessed from the letters of a string: a date in
    quotes stays a string.
    """
    kinds: dict[str, pa.DataType | None] = {}
    for source in sources:
        for block in read_lines(source, size=size):
            rows = [line.row for line in read_rows(block) if isinstance(line, Line)]
            for name in dict.fromkeys(name for row in rows for name in row):
                kind = _kind([row.get(name) for row in rows])
                kinds[name] = _joined(kinds[name], kind) if name in kinds else kind
    as_json = frozenset(name for name, kind in kinds.items() if kind is None)
    fields = [
        pa.field(name, pa.string() if kind is None or types.is_null(kind) else kind)
        for name, kind in kinds.items()
    ]
    return pa.schema(fields), as_json


def to_batch(rows: Sequence[Row], schema: pa.Schema, as_json: frozenset[str]) -> pa.RecordBatch:
    """Rows of JSON as a batch of a schema that was inferred from them."""
    arrays: list[pa.Array] = []
    for field in schema:
        values = [row.get(field.name) for row in rows]
        if field.name in as_json:
            values = [None if value is None else dumps(value).decode() for value in values]
        try:
            arrays.append(pa.array(values, field.type))
        except UnicodeError:
            arrays.append(pa.array(map(_sound, values), field.type))
        except (pa.ArrowException, OverflowError) as error:
            raise BulkError(
                f"the values of {field.name!r} fit no common type ({error}): write JSON lines"
            ) from error
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _sound(value: object) -> object:
    """A string as Arrow can hold it: half a surrogate pair becomes a replacement character."""
    return sound(value) if isinstance(value, str) else value


def _kind(values: Sequence[object]) -> pa.DataType | None:
    """The type of all values; None where there is none, or none that a file can hold."""
    try:
        kind = pa.array(values).type
    except UnicodeError:
        return _kind([_sound(value) for value in values]) if _is_flat(values) else None
    except (pa.ArrowException, OverflowError):
        return None
    return None if _is_hollow(kind) else kind


def _is_flat(values: Sequence[object]) -> bool:
    return all(value is None or isinstance(value, str) for value in values)


def _is_hollow(kind: pa.DataType) -> bool:
    """Whether there is an object without keys in it, for which Parquet has no form."""
    if not types.is_nested(kind):
        return False
    parts = [kind.field(index) for index in range(kind.num_fields)]
    return not parts or any(_is_hollow(part.type) for part in parts)


def _joined(one: pa.DataType | None, other: pa.DataType | None) -> pa.DataType | None:
    if one is None or other is None:
        return None
    try:
        both = [pa.schema([pa.field("", kind)]) for kind in (one, other)]
        return pa.unify_schemas(both, promote_options="permissive").field("").type
    except pa.ArrowException:
        return None
