"""A stretch of the input that is cleaned in one go: what the reader hands to a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import pyarrow as pa

if TYPE_CHECKING:
    from onlytext.bulk._sources import Source

BLOCK_BYTES: Final = 16 << 20
"""About how many bytes of the input are cleaned in one go; a worker holds some times as much."""
LONGEST_ROW: Final = 64 << 20
"""Bytes; a longer line or record is put aside, so that no input can take all memory."""


class Reject(NamedTuple):
    """A row that is no row: a malformed line, or a file that is no text.

    `row` holds its bytes; None where they were too many to hold: then `size` says how many there
    are, from byte `offset` of the (unpacked) file.
    """

    source: str
    line: int
    why: str
    row: bytes | None
    offset: int = 0
    size: int = 0


class Block(NamedTuple):
    """Some rows of one file, in the order of the file."""

    source: str
    first: int
    """The number of its first line or row, counted from 1."""
    rows: int
    """How many lines, records or rows it has; rejects not counted."""
    data: bytes
    """Lines of text, or a batch as it crosses to another process."""
    weight: int
    """Bytes of the input that were read for it."""
    rejects: tuple[Reject, ...] = ()
    """What the reader put aside already."""
    lines: tuple[int, ...] = ()
    """Where each record begins, for records that may have several lines."""
    files: tuple[Source, ...] = ()
    """Text files, one a row."""
    batch: pa.RecordBatch | None = None
    """Rows that are in Arrow's form already."""

    def packed(self) -> Block:
        """The same block, fit to cross to another process: a slice of a batch without the rest."""
        if self.batch is None:
            return self
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, self.batch.schema) as stream:
            stream.write_batch(self.batch)
        return self._replace(batch=None, data=sink.getvalue().to_pybytes())

    def unpacked(self) -> pa.RecordBatch:
        """Its batch, wherever it has come from."""
        if self.batch is not None:
            return self.batch
        with pa.ipc.open_stream(self.data) as stream:
            return stream.read_next_batch()
