"""The columns that cleaning adds to a batch: their names, their types, and how they are made."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from onlytext._format import Sections
from onlytext.bulk.errors import BulkError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from onlytext._format import Text
    from onlytext._reply import Doubt, Removal, Section
    from onlytext.bulk._verdict import Verdict

_NAMES: Final = ("text", "outcome", "cause", "why", "removals", "doubts", "sections")
_DOUBT: Final = (
    pa.field("start", pa.int32()),
    pa.field("end", pa.int32()),
    pa.field("text", pa.string()),
    pa.field("reason", pa.string()),
)
_REMOVAL: Final = (*_DOUBT, pa.field("pattern", pa.string()))
_SECTION: Final = (pa.field("marker", pa.string()), pa.field("body", pa.string()))


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the columns that are added, in their order; sections only for a format of them."""

    prefix: str
    has_sections: bool

    @classmethod
    def of(cls, format: Sections | Text, prefix: str) -> Columns:
        """The columns for a format."""
        return cls(prefix, isinstance(format, Sections))

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        names = _NAMES if self.has_sections else _NAMES[:-1]
        return tuple(self.prefix + name for name in names)

    def name(self, plain: str) -> str:
        """A column's name with the prefix before it."""
        return self.prefix + plain

    def refuse_taken(self, names: Iterable[str]) -> None:
        """An error where one of the names is there already."""
        taken = [name for name in self.names if name in set(names)]
        if taken:
            raise BulkError(
                f"there is a column {taken[0]!r} already: choose a prefix for the new ones, for "
                f'example prefix="clean_" (--prefix clean_)'
            )

    def fields(self, reply: pa.DataType) -> list[pa.Field]:
        """The fields of the new columns; the text has the type of the reply."""
        kinds = {
            "text": text_type(reply),
            "outcome": pa.string(),
            "cause": pa.string(),
            "why": pa.string(),
            "removals": pa.list_(pa.struct(_REMOVAL)),
            "doubts": pa.list_(pa.struct(_DOUBT)),
            "sections": pa.list_(pa.struct(_SECTION)),
        }
        shown = _NAMES if self.has_sections else _NAMES[:-1]
        return [pa.field(self.prefix + name, kinds[name]) for name in shown]

    def arrays(self, replies: pa.Array, verdicts: Mapping[int, Verdict]) -> list[pa.Array]:
        """The new columns; a row without a verdict came out as it was, and costs next to nothing."""
        count = len(replies)
        made = [
            _texts(replies, verdicts),
            _outcomes(count, verdicts),
            _strings(count, {row: verdict.cause for row, verdict in verdicts.items()}),
            _strings(count, {row: verdict.why for row, verdict in verdicts.items()}),
            _removals(count, verdicts),
            _doubts(count, verdicts),
        ]
        if self.has_sections:
            made.append(_sections(count, verdicts))
        return made


def text_type(reply: pa.DataType) -> pa.DataType:
    """The type of the text for a column of replies; BulkError where that holds no strings."""
    if types.is_dictionary(reply):
        return pa.string()
    if types.is_string(reply) or types.is_large_string(reply) or types.is_string_view(reply):
        return reply
    if types.is_null(reply):
        return pa.string()
    raise BulkError(f"its type is {reply}, and replies are strings")


def _texts(replies: pa.Array, verdicts: Mapping[int, Verdict]) -> pa.Array:
    """The texts; the very array of the replies where all came out as they were."""
    changed = {
        row: verdict.text for row, verdict in verdicts.items() if verdict.outcome != "untouched"
    }
    wanted = text_type(replies.type)
    if not changed:
        return replies if replies.type == wanted else replies.cast(wanted)
    plain = wanted if not types.is_string_view(wanted) else pa.large_string()
    base = replies if replies.type == plain else replies.cast(plain)
    rows = sorted(changed)
    mask = bytearray(len(replies))
    for row in rows:
        mask[row] = 1
    made = pc.replace_with_mask(
        base,
        pa.array(map(bool, mask), pa.bool_()),
        pa.array((changed[row] for row in rows), plain),
    )
    return made if plain == wanted else made.cast(wanted)


def sound(text: str) -> str:
    """The text as Arrow can hold it: half a surrogate pair becomes a replacement character.

    There is none in a column of strings; only a line of JSON can bring one in.
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _outcomes(count: int, verdicts: Mapping[int, Verdict]) -> pa.Array:
    if not verdicts:
        return pa.repeat("untouched", count)
    outcomes: list[str] = ["untouched"] * count
    for row, verdict in verdicts.items():
        outcomes[row] = verdict.outcome
    return pa.array(outcomes, pa.string())


def _strings(count: int, values: Mapping[int, str | None]) -> pa.Array:
    if not any(values.values()):
        return pa.nulls(count, pa.string())
    column: list[str | None] = [None] * count
    for row, value in values.items():
        column[row] = value
    return pa.array(column, pa.string())


def _removals(count: int, verdicts: Mapping[int, Verdict]) -> pa.Array:
    flat = list(chain.from_iterable(verdicts[row].removals for row in sorted(verdicts)))
    patterns = pa.array((one.pattern for one in flat), pa.string())
    values = pa.StructArray.from_arrays([*_stretches(flat), patterns], fields=_REMOVAL)
    return _lists(
        count, {row: len(one.removals) for row, one in verdicts.items()}, values, verdicts
    )


def _doubts(count: int, verdicts: Mapping[int, Verdict]) -> pa.Array:
    flat = list(chain.from_iterable(verdicts[row].doubts for row in sorted(verdicts)))
    values = pa.StructArray.from_arrays(_stretches(flat), fields=_DOUBT)
    return _lists(count, {row: len(one.doubts) for row, one in verdicts.items()}, values, verdicts)


def _sections(count: int, verdicts: Mapping[int, Verdict]) -> pa.Array:
    flat: list[Section] = list(
        chain.from_iterable(verdicts[row].sections for row in sorted(verdicts))
    )
    markers = pa.array((one.marker for one in flat), pa.string())
    bodies = pa.array((one.body for one in flat), pa.string())
    values = pa.StructArray.from_arrays([markers, bodies], fields=_SECTION)
    return _lists(
        count, {row: len(one.sections) for row, one in verdicts.items()}, values, verdicts
    )


def _stretches(flat: Sequence[Removal] | Sequence[Doubt]) -> list[pa.Array]:
    return [
        pa.array((one.start for one in flat), pa.int32()),
        pa.array((one.end for one in flat), pa.int32()),
        pa.array((one.text for one in flat), pa.string()),
        pa.array((one.reason for one in flat), pa.string()),
    ]


def _lists(
    count: int, lengths: Mapping[int, int], values: pa.Array, verdicts: Mapping[int, Verdict]
) -> pa.Array:
    """The values as one list a row: an empty one where there are none, null for a refused row."""
    sizes = array("i", bytes(4 * count))
    for row, length in lengths.items():
        sizes[row] = length
    offsets = pa.array(accumulate(sizes, initial=0), pa.int32())
    refused = {row for row, verdict in verdicts.items() if verdict.outcome == "refused"}
    if not refused:
        return pa.ListArray.from_arrays(offsets, values)
    mask = pa.array((row in refused for row in range(count)), pa.bool_())
    return pa.ListArray.from_arrays(offsets, values, mask=mask)
