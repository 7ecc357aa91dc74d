"""Parquet files: their schema, and their rows in batches of a bounded size."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import pyarrow as pa
from pyarrow import parquet as pq

from onlytext.bulk._block import BLOCK_BYTES, Block
from onlytext.bulk.errors import BulkError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from onlytext.bulk._sources import Source

# Without it, pyarrow reads whole row groups ahead, and a file may be a single one.
_READ_BUFFER: Final = 1 << 20
_MOST_ROWS: Final = 50_000


@contextmanager
def opened_table(path: Path) -> Generator[pq.ParquetFile]:
    """A Parquet file; what goes wrong with it is a BulkError that names the file."""
    try:
        with pq.ParquetFile(path, buffer_size=_READ_BUFFER, pre_buffer=False) as file:
            yield file
    except (pa.ArrowException, OSError) as error:
        what = str(error).partition("\n")[0][:200]
        raise BulkError(
            f"{path} can't be read as Parquet: {what}; it was cut off, is damaged, or is something "
            f"else: get it again"
        ) from error


def schema_of(sources: list[Source]) -> pa.Schema:
    """The schema that all files have."""
    schema: pa.Schema | None = None
    for source in sources:
        with opened_table(source.path) as file:
            other = file.schema_arrow
        if schema is not None and not other.equals(schema):
            raise BulkError(
                f"{source.path} has other columns than {sources[0].path}: clean them one by one, "
                f"or bring them to one schema first"
            )
        schema = schema or other
    assert schema is not None  # noqa: S101 - a job has a file
    return schema


def codec_of(source: Source) -> str:
    """The compression that a file was written with."""
    with opened_table(source.path) as file:
        if not file.metadata.num_row_groups or not file.metadata.num_columns:
            return "snappy"
        return file.metadata.row_group(0).column(0).compression.lower()


def read_batches(source: Source, *, size: int = BLOCK_BYTES) -> Iterator[Block]:
    """The rows of a file in batches of about `size` bytes."""
    with opened_table(source.path) as file:
        rows = file.metadata.num_rows
        held = sum(
            file.metadata.row_group(group).total_byte_size
            for group in range(file.metadata.num_row_groups)
        )
        at_once = max(1, min(_MOST_ROWS, size * rows // held if held else _MOST_ROWS))
        first = 1
        weight = source.size / rows if rows else 0
        for batch in file.iter_batches(batch_size=at_once):
            for part in _cut(batch, size):
                count = part.num_rows
                yield Block(source.name, first, count, b"", int(weight * count), batch=part)
                first += count


def _cut(batch: pa.RecordBatch, size: int) -> Iterator[pa.RecordBatch]:
    """The batch in halves, and those in halves, as long as they are far above the size."""
    if batch.nbytes <= 4 * size or batch.num_rows == 1:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _cut(batch.slice(0, half), size)
    yield from _cut(batch.slice(half), size)
