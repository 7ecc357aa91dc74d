"""Arrow in, Arrow out: the batch with the columns that say what became of each reply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

import pyarrow as pa
from pyarrow import types

from onlytext.bulk._columns import Columns, text_type
from onlytext.bulk._verdict import NO_REPLY, Verdict, row_cleaner
from onlytext.bulk.errors import BulkError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike

    from onlytext._format import Sections, Text
    from onlytext._patterns import Patterns
    from onlytext.bulk._verdict import RowCleaner


@overload
def clean_batch(
    batch: pa.RecordBatch,
    format: Sections | Text,
    *,
    column: str = "reply",
    draft_column: str | None = None,
    prompt_column: str | None = None,
    patterns: Patterns | Sequence[str | PathLike[str]] | None = None,
    prefix: str = "",
) -> pa.RecordBatch: ...
@overload
def clean_batch(
    batch: pa.Table,
    format: Sections | Text,
    *,
    column: str = "reply",
    draft_column: str | None = None,
    prompt_column: str | None = None,
    patterns: Patterns | Sequence[str | PathLike[str]] | None = None,
    prefix: str = "",
) -> pa.Table: ...
def clean_batch(
    batch: pa.RecordBatch | pa.Table,
    format: Sections | Text,
    *,
    column: str = "reply",
    draft_column: str | None = None,
    prompt_column: str | None = None,
    patterns: Patterns | Sequence[str | PathLike[str]] | None = None,
    prefix: str = "",
) -> pa.RecordBatch | pa.Table:
    """The batch with every column it had, and after them what became of each reply.

    The new columns are `text`, `outcome`, `cause`, `why`, `removals`, `doubts`, and for a format of
    sections `sections`, each with `prefix` before its name. A row whose reply can't be cleaned
    stays, with the outcome "refused" and no text. `patterns` may be the names of pattern files:
    those cross to the processes of a cluster, where loaded patterns can't.

    Raises `BulkError` for a column that is not there, or holds no strings.
    """
    schema = batch_schema(batch.schema, format, column=column, prefix=prefix)
    for name in (draft_column, prompt_column):
        if name is not None:
            _require(batch.schema, name)
    cleaner = row_cleaner(format, patterns)
    names = Columns.of(format, prefix)
    parts: list[pa.RecordBatch] = []
    for part in batch.to_batches() if isinstance(batch, pa.Table) else [batch]:
        replies = part.column(column)
        drafts = None if draft_column is None else strings_of(part.column(draft_column))
        prompts = None if prompt_column is None else strings_of(part.column(prompt_column))
        verdicts = judge_column(replies, cleaner, drafts, prompts)
        arrays = [*part.columns, *names.arrays(replies, verdicts)]
        parts.append(pa.RecordBatch.from_arrays(arrays, schema=schema))
    if isinstance(batch, pa.RecordBatch):
        return parts[0]
    return pa.Table.from_batches(parts, schema=schema)


def batch_schema(
    schema: pa.Schema, format: Sections | Text, *, column: str = "reply", prefix: str = ""
) -> pa.Schema:
    """The schema that `clean_batch` gives a batch of this schema; engines such as Spark ask for it.

    Raises `BulkError` as `clean_batch` does.
    """
    _require(schema, column)
    names = Columns.of(format, prefix)
    names.refuse_taken(schema.names)
    for field in names.fields(schema.field(column).type):
        schema = schema.append(field)
    return schema


def _require(schema: pa.Schema, name: str) -> None:
    """An error where the column is not there, is there twice, or holds no strings."""
    if schema.names.count(name) != 1:
        what = "there is no" if name not in schema.names else "there is more than one"
        named = ", ".join(map(repr, schema.names)) or "none"
        raise BulkError(f"{what} column {name!r}; the columns are {named}")
    try:
        text_type(schema.field(name).type)
    except BulkError as error:
        raise BulkError(f"the column {name!r} can't be cleaned: {error}") from error


def judge_column(
    replies: pa.Array,
    cleaner: RowCleaner,
    drafts: Sequence[object] | None = None,
    prompts: Sequence[object] | None = None,
) -> dict[int, Verdict]:
    """The verdict on each reply, save those that came out as they were with nothing to tell."""
    plain = _plain(replies)
    screened = drafts is None and prompts is None and cleaner.can_screen and _is_sound(plain)
    verdicts: dict[int, Verdict] = {}
    for row, data in enumerate(_values(plain)):
        if data is None:
            verdicts[row] = NO_REPLY
        elif not (screened and cleaner.is_clear(data)):
            verdict = _judge(data, cleaner, _at(drafts, row), _at(prompts, row))
            if verdict != _NOTHING_TO_TELL:
                verdicts[row] = verdict
    return verdicts


_NOTHING_TO_TELL = Verdict("untouched", None)


def _judge(data: bytes, cleaner: RowCleaner, draft: str | None, prompt: str | None) -> Verdict:
    try:
        reply = data.decode()
    except UnicodeDecodeError as error:
        why = f"byte 0x{data[error.start]:02X} at offset {error.start} is not UTF-8"
        return Verdict("refused", None, cause="not UTF-8", why=why)
    verdict = cleaner.judge(reply, draft, prompt)
    if verdict.outcome == "untouched":
        # Its text is the reply, which is in the batch already.
        return verdict._replace(text=None)
    return verdict


def _at(column: Sequence[object] | None, row: int) -> str | None:
    value = None if column is None else column[row]
    return value if isinstance(value, str) else None


def strings_of(column: pa.Array) -> list[object]:
    """The values of a column; None for one that is no UTF-8."""
    try:
        return column.to_pylist()
    except UnicodeDecodeError:
        return [None if data is None else _decoded(data) for data in _values(_plain(column))]


def _decoded(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _plain(replies: pa.Array) -> pa.Array:
    """The replies as an array whose bytes stand one after the other."""
    kind = replies.type
    if types.is_string(kind) or types.is_large_string(kind):
        return replies
    return replies.cast(pa.large_string())


def _is_sound(replies: pa.Array) -> bool:
    """Whether all of it is UTF-8: a file may say so of a column and be wrong."""
    try:
        replies.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _values(replies: pa.Array) -> Iterator[bytes | None]:
    """The bytes of each reply, straight from the array's memory; None for a null."""
    count = len(replies)
    _, places, data = replies.buffers()
    width: Literal["q", "i"] = "q" if types.is_large_string(replies.type) else "i"
    first = replies.offset
    offsets = (
        [0] * (count + 1)
        if places is None or not count
        else memoryview(places).cast("B").cast(width)[first : first + count + 1].tolist()
    )
    body = memoryview(b"" if data is None else data)
    is_there = [True] * count if not replies.null_count else replies.is_valid().to_pylist()
    for row in range(count):
        yield bytes(body[offsets[row] : offsets[row + 1]]) if is_there[row] else None
