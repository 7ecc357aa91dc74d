"""Lines of JSON: read strictly, and written by adding to each line what is new."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import orjson

from onlytext.bulk._block import Reject
from onlytext.bulk._records import split_lines
from onlytext.bulk._verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from onlytext._reply import Doubt, Removal
    from onlytext.bulk._block import Block
    from onlytext.bulk._columns import Columns

Row = dict[str, object]
UNTOUCHED: Final = Verdict("untouched", None)


class Line(NamedTuple):
    """One sound line: its number, its bytes without blanks around them, and the object in it."""

    number: int
    data: bytes
    row: Row


def read_rows(block: Block) -> Iterator[Line | Reject | None]:
    """Each line of a block: an object, one that is put aside, or None for a blank one."""
    for number, line in enumerate(split_lines(block.data), block.first):
        data = line.strip()
        if not data:
            yield None
            continue
        row = _object(data)
        yield (
            Reject(block.source, number, row, line)
            if isinstance(row, str)
            else Line(number, data, row)
        )


def _object(data: bytes) -> Row | str:
    """The object in a line, or what is wrong with the line."""
    try:
        value: object = orjson.loads(data)
    except orjson.JSONDecodeError as strict:
        try:
            # NaN, which Python writes, and half a surrogate pair are no JSON, and common.
            value = json.loads(data.decode())
        except UnicodeDecodeError as error:
            return f"byte 0x{data[error.start]:02X} is not UTF-8"
        except (ValueError, RecursionError):
            return f"it is no JSON: {strict.msg} (column {strict.colno})"
    if not isinstance(value, dict):
        return "it is no JSON object: each line is one, in curly brackets"
    return cast("Row", value)


class LineWriter:
    """Adds to a line of JSON what became of its reply; all that was in it stays, byte for byte."""

    def __init__(self, columns: Columns) -> None:
        self._names = columns.names
        text, *others = self._names
        same = dict(zip(others, account(UNTOUCHED, None)[1:], strict=False))
        # Nearly every line gets these bytes.
        self._before = b"%s:" % dumps(text)
        self._after = b",%s\n" % dumps(same)[1:]

    def write(self, line: Line, verdict: Verdict, reply: object) -> bytes:
        """The line with the new keys after its own."""
        if verdict is UNTOUCHED:
            added = b"".join((self._before, dumps(reply), self._after))
        else:
            new = dict(zip(self._names, account(verdict, reply), strict=False))
            added = dumps(new)[1:] + b"\n"
        return b"".join((line.data[:-1], b"," if line.row else b"", added))


def account(verdict: Verdict, reply: object) -> list[object]:
    """What became of a reply, in the order of the columns that are added."""
    is_refused = verdict.outcome == "refused"
    return [
        reply if verdict.outcome == "untouched" else verdict.text,
        verdict.outcome,
        verdict.cause,
        verdict.why,
        None if is_refused else [_removal(one) for one in verdict.removals],
        None if is_refused else [_doubt(one) for one in verdict.doubts],
        None if is_refused else [{"marker": s.marker, "body": s.body} for s in verdict.sections],
    ]


def _doubt(doubt: Doubt | Removal) -> Row:
    return {"start": doubt.start, "end": doubt.end, "text": doubt.text, "reason": doubt.reason}


def _removal(removal: Removal) -> Row:
    return {**_doubt(removal), "pattern": removal.pattern}


def dumps(value: object) -> bytes:
    """A value as JSON; dates, decimals and the like as text, bytes in base64."""
    try:
        return orjson.dumps(value, default=plain)
    except TypeError:
        # Half a surrogate pair, or a number beyond 64 bits: Python's own writer can.
        return json.dumps(value, default=plain).encode()


def plain(value: object) -> object:
    """A value that JSON has no form for, in the form that it gets."""
    if isinstance(value, bytes):
        from base64 import b64encode

        return b64encode(value).decode()
    return str(value)
