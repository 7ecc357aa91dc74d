"""The records of a CSV file, in blocks; one that is malformed is put aside, and its lines with it."""

from __future__ import annotations

import csv
import re
from collections import deque
from typing import TYPE_CHECKING, Final

from onlytext.bulk._block import BLOCK_BYTES, LONGEST_ROW, Block, Reject
from onlytext.bulk._lines import read_lines
from onlytext.bulk.errors import BulkError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from onlytext.bulk._sources import Source

# A reply is far longer than the fields that the csv module expects.
_FIELD_LIMIT: Final = 2**31 - 1
_BAD_QUOTE: Final = "a quote is not closed, or stands inside of a value without being doubled"
_LOST: Final = "it follows a broken quote, and can't be told from the inside of that value"
# Never backtracks: after a quote, each character can be read in one way only.
_QUOTED: Final = re.compile(rb'(?:^|(?<=[,\t\n]))"(?:[^"]|"")*"(?=[,\t\r\n]|$)')


def delimiter_of(path: Path) -> str:
    """A tab in .tsv files, a comma in others."""
    return "\t" if ".tsv" in [suffix.lower() for suffix in path.suffixes] else ","


def parse_records(data: bytes, delimiter: str) -> Iterator[list[str]]:
    """The fields of records that are known to be sound."""
    csv.field_size_limit(_FIELD_LIMIT)
    lines = (line.decode() for line in split_lines(data))
    return csv.reader(lines, delimiter=delimiter, strict=True)


def split_lines(data: bytes) -> Iterator[bytes]:
    """The lines, each with its end; a line ends at a line feed and nowhere else."""
    start = 0
    while end := data.find(b"\n", start) + 1:
        yield data[start:end]
        start = end
    if start < len(data):
        yield data[start:]


class Records:
    """A CSV file: its header, and the records below it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.delimiter: Final = delimiter_of(source.path)
        self._feed = _Feed(source)
        self._lost = False
        first = next(self._feed, None)
        if first is None or not first[1].strip():
            raise BulkError(f"{source.path}: a CSV file begins with the names of its columns")
        try:
            record = self._whole(first[1])
            self.columns: Final = next(parse_records(record, self.delimiter))
        except (_MalformedError, UnicodeDecodeError) as error:
            raise BulkError(f"{source.path}, line 1: the header can't be read: {error}") from error
        self.line_end: Final = "\r\n" if record.endswith(b"\r\n") else "\n"

    def blocks(self, *, size: int = BLOCK_BYTES) -> Iterator[Block]:
        """The records, some at a time."""
        records: list[bytes] = []
        lines: list[int] = []
        held = 0
        for number, line in self._feed:
            record = self._read(number, line)
            if record is not None:
                records.append(record)
                lines.append(number)
                held += len(record)
            if held >= size or len(self._feed.rejects) >= size >> 10:
                yield self._block(records, lines)
                records, lines, held = [], [], 0
        if records or self._feed.rejects:
            yield self._block(records, lines)

    def _block(self, records: list[bytes], lines: list[int]) -> Block:
        data = b"".join(records)
        rejects, weight = self._feed.hand_over()
        first = lines[0] if lines else rejects[0].line
        name = self._source.name
        return Block(name, first, len(records), data, weight, rejects, tuple(lines))

    def _read(self, number: int, line: bytes) -> bytes | None:
        """The whole record that begins with a line; None for a blank one, and for one put aside."""
        if not line.strip():
            return None
        try:
            record = self._whole(line)
            self._check(record)
        except _MalformedError as error:
            aside = b"".join(error.lines)
            self._feed.rejects.append(Reject(self._source.name, number, str(error), aside))
            self._lost = self._lost or error.is_quote
            return None
        self._lost = False
        return record

    def _whole(self, line: bytes) -> bytes:
        """The record that begins with a line, which may be several lines long."""
        if b'"' not in line:
            return line
        csv.field_size_limit(_FIELD_LIMIT)
        taken: list[bytes] = []

        def lines() -> Iterator[str]:
            held, following = 0, line
            while following:
                taken.append(following)
                held += len(following)
                if held > LONGEST_ROW:
                    return
                yield following.decode("utf-8", "surrogateescape")
                following = next(self._feed, (0, b""))[1]

        try:
            next(csv.reader(lines(), delimiter=self.delimiter, strict=True))
        except csv.Error as error:
            # Where a quote that was never closed met the next one, that line may be sound; where it
            # met none, all lines after the first may be.
            bad = taken[:-1] or taken
            if "end of data" in str(error):
                bad = taken[:1]
            self._feed.give_back(taken[len(bad) :])
            raise _MalformedError(_BAD_QUOTE, bad, is_quote=True) from error
        return b"".join(taken)

    def _check(self, record: bytes) -> None:
        """An error where the record is not text, or has not as many fields as the header."""
        try:
            record.decode()
        except UnicodeDecodeError as error:
            why = f"byte 0x{record[error.start]:02X} is not UTF-8"
            raise _MalformedError(why, [record]) from error
        if self._lost and b'"' in _QUOTED.sub(b"", record):
            raise _MalformedError(_LOST, [record], is_quote=True)
        fields = len(next(parse_records(record, self.delimiter)))
        if fields != len(self.columns):
            why = f"it has {fields} fields, and the header has {len(self.columns)}"
            raise _MalformedError(why, [record])


class _MalformedError(Exception):
    """A record that can't be read, with the lines of it that are put aside."""

    def __init__(self, why: str, lines: list[bytes], *, is_quote: bool = False) -> None:
        super().__init__(why)
        self.lines = lines
        self.is_quote = is_quote


class _Feed:
    """The lines of a file with their numbers; the last ones can be given back."""

    def __init__(self, source: Source) -> None:
        self.rejects: list[Reject] = []
        self._weight = 0
        self._ready: deque[bytes] = deque()
        self._number = 0
        self._lines = self._flat(source)

    def __iter__(self) -> _Feed:
        return self

    def __next__(self) -> tuple[int, bytes]:
        line = self._ready.popleft() if self._ready else next(self._lines)
        self._number += 1
        return self._number, line

    def give_back(self, lines: list[bytes]) -> None:
        """Let these lines, the last that were taken, come again."""
        self._ready.extendleft(reversed(lines))
        self._number -= len(lines)

    def hand_over(self) -> tuple[tuple[Reject, ...], int]:
        """What was put aside since the last time, and the bytes that were read."""
        gone = tuple(self.rejects), self._weight
        self.rejects, self._weight = [], 0
        return gone

    def _flat(self, source: Source) -> Iterator[bytes]:
        for block in read_lines(source):
            self._weight += block.weight
            self.rejects += block.rejects
            self._number += len(block.rejects)
            yield from split_lines(block.data)
