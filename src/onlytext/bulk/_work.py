"""What a worker does with a block: it cleans the rows, and writes them in the form of the output."""

from __future__ import annotations

import csv
import gzip
import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import pyarrow as pa
import zstandard
from pyarrow import parquet as pq

from onlytext.bulk._batch import batch_schema, judge_column, strings_of
from onlytext.bulk._block import Reject
from onlytext.bulk._inference import to_batch
from onlytext.bulk._jsonl import UNTOUCHED, Line, LineWriter, dumps, plain, read_rows
from onlytext.bulk._records import parse_records
from onlytext.bulk._tally import Place, Tally
from onlytext.bulk._texts import (
    TEXT_SCHEMA,
    account_of,
    put_in_folder,
    put_in_place,
    read_reply,
)
from onlytext.bulk._verdict import not_a_string
from onlytext.bulk.errors import BulkError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from onlytext.bulk._block import Block
    from onlytext.bulk._job import Job, Packing
    from onlytext.bulk._jsonl import Row
    from onlytext.bulk._sources import Source
    from onlytext.bulk._verdict import RowCleaner, Verdict


@dataclass(slots=True)
class Cleaned:
    """A block that is done: what to write, what was put aside, and the figures."""

    data: bytes = b""
    rejects: list[Reject] = field(default_factory=list[Reject])
    tally: Tally = field(default_factory=Tally)


def clean_block(block: Block, job: Job) -> Cleaned:
    """The rows of a block, cleaned and written as the job says; every row is accounted for."""
    done = Cleaned(rejects=list(block.rejects))
    if job.source == "jsonl":
        blank = _clean_lines(block, job, done)
    elif job.source == "text":
        blank = 0
        _clean_texts(block, job, done)
    else:
        blank = 0
        _clean_batch(_batch_of(block, job), _numbers(block), [block.source], job, done)
    done.tally.rejects = len(done.rejects)
    done.tally.rows_in = block.rows - blank + len(block.rejects)
    if done.tally.rows_in != done.tally.rows_out + done.tally.rejects:
        raise BulkError(
            f"a fault of onlytext itself: of {done.tally.rows_in} rows of {block.source} from row "
            f"{block.first} on, {done.tally.rows_out} came out and {done.tally.rejects} were put "
            f"aside"
        )
    return done


def _numbers(block: Block) -> Sequence[int]:
    return block.lines or range(block.first, block.first + block.rows)


# ---------------------------------------------------------------- lines of JSON


def _clean_lines(block: Block, job: Job, done: Cleaned) -> int:
    """Clean lines of JSON; how many of them were blank."""
    rows: list[Line] = []
    blank = 0
    taken = set(job.columns.names)
    for line in read_rows(block):
        if line is None:
            blank += 1
        elif isinstance(line, Reject):
            done.rejects.append(line)
        elif not taken.isdisjoint(line.row):
            why = f"it has a key {min(taken & line.row.keys())!r} already, which is to be added"
            done.rejects.append(Reject(block.source, line.number, why, line.data + b"\n"))
        else:
            rows.append(line)
    if job.target in ("jsonl", "check"):
        _write_lines(rows, block.source, job, done)
    else:
        assert job.schema is not None  # noqa: S101 - a table has one
        batch = to_batch([line.row for line in rows], job.schema, job.as_json)
        _clean_batch(batch, [line.number for line in rows], [block.source], job, done)
    return blank


def _write_lines(rows: Iterable[Line], source: str, job: Job, done: Cleaned) -> None:
    cleaner, writer = job.cleaner(), LineWriter(job.columns)
    screened = cleaner.can_screen and job.draft_column is None and job.prompt_column is None
    parts: list[bytes] = []
    count = 0
    verdicts: dict[int, Verdict] = {}
    for count, line in enumerate(rows, start=1):
        reply = line.row.get(job.column)
        verdict = _judge(reply, line.row, job, cleaner, screened=screened)
        if verdict is not UNTOUCHED:
            verdicts[count] = verdict
            place = Place(source, line.number, _id(line.row.get(job.id_column or "")))
            done.tally.note(place, reply if isinstance(reply, str) else "", verdict)
        if job.target == "jsonl":
            parts.append(writer.write(line, verdict, reply))
    data = b"".join(parts)
    done.tally.count(count, verdicts)
    done.tally.rows_out = data.count(b"\n") if job.target == "jsonl" else count
    done.data = packed(data, job.packing)


def _judge(reply: object, row: Row, job: Job, cleaner: RowCleaner, *, screened: bool) -> Verdict:
    if not isinstance(reply, str):
        return not_a_string(reply)
    if screened and cleaner.is_clear(reply.encode("utf-8", "surrogatepass")):
        return UNTOUCHED
    draft, prompt = row.get(job.draft_column or ""), row.get(job.prompt_column or "")
    return cleaner.judge(
        reply,
        draft if isinstance(draft, str) and job.draft_column else None,
        prompt if isinstance(prompt, str) and job.prompt_column else None,
    )


def _id(value: object) -> str:
    return "" if value is None else str(value)


# ---------------------------------------------------------------- text files


def _clean_texts(block: Block, job: Job, done: Cleaned) -> None:
    files: list[Source] = []
    replies: list[str] = []
    for source in block.files:
        found = read_reply(source)
        if isinstance(found, Reject):
            done.rejects.append(found)
        else:
            files.append(source)
            replies.append(found)
    if job.target in ("text", "in place"):
        lines = [_clean_text(*pair, job, done) for pair in zip(files, replies, strict=True)]
        done.data = b"".join(lines)
        done.tally.rows_out = len(lines)
        return
    batch = pa.RecordBatch.from_arrays(
        [pa.array([source.name for source in files], pa.string()), pa.array(replies, pa.string())],
        schema=TEXT_SCHEMA,
    )
    _clean_batch(batch, [0] * len(files), [source.name for source in files], job, done)


def _clean_text(source: Source, reply: str, job: Job, done: Cleaned) -> bytes:
    """Clean one file, write it, and give a line of JSON that tells what became of it."""
    verdict = job.cleaner().judge(reply)
    done.tally.count(1, {0: verdict})
    done.tally.note(Place(source.name, 0, ""), reply, verdict)
    if job.target == "in place":
        put_in_place(source, reply, verdict, job.backup)
    else:
        put_in_folder(source, reply, verdict, job)
    return account_of(source, verdict)


# ---------------------------------------------------------------- batches


def _batch_of(block: Block, job: Job) -> pa.RecordBatch:
    """The rows of a block of CSV or Parquet as a batch."""
    if job.source == "parquet":
        return block.unpacked()
    assert job.schema is not None  # noqa: S101 - a CSV file has one
    records = list(parse_records(block.data, job.delimiter))
    arrays = [
        pa.array((record[place] for record in records), pa.string())
        for place in range(len(job.schema))
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=job.schema)


def _clean_batch(
    batch: pa.RecordBatch, numbers: Sequence[int], files: Sequence[str], job: Job, done: Cleaned
) -> None:
    """Clean a batch; its rows come from one file, or each from one of its own."""
    replies = batch.column(job.column)
    verdicts = judge_column(
        replies,
        job.cleaner(),
        None if job.draft_column is None else strings_of(batch.column(job.draft_column)),
        None if job.prompt_column is None else strings_of(batch.column(job.prompt_column)),
    )
    ids = None if job.id_column is None else batch.column(job.id_column)
    for row, verdict in verdicts.items():
        name = "" if ids is None else _id(strings_of(ids.slice(row, 1))[0])
        reply = _shown(replies.slice(row, 1), verdict)
        place = Place(files[min(row, len(files) - 1)], numbers[row], name)
        done.tally.note(place, reply, verdict)
    done.tally.count(batch.num_rows, verdicts)
    if job.target == "check":
        done.tally.rows_out = batch.num_rows
        return
    schema = batch_schema(batch.schema, job.format, column=job.column, prefix=job.prefix)
    arrays = [*batch.columns, *job.columns.arrays(replies, verdicts)]
    made = pa.RecordBatch.from_arrays(arrays, schema=schema)
    if job.target == "parquet":
        done.data, done.tally.rows_out = _as_parquet(made, job)
    else:
        write = _as_json if job.target == "jsonl" else _as_csv
        data, done.tally.rows_out = write(made, job)
        done.data = packed(data, job.packing)


def _shown(one: pa.Array, verdict: Verdict) -> str:
    """The reply of one row, as far as it is text."""
    if verdict.cause in ("no reply", "not UTF-8"):
        return ""
    return cast("str", one.to_pylist()[0])


def _as_parquet(batch: pa.RecordBatch, job: Job) -> tuple[bytes, int]:
    """The batch as a Parquet file of one row group."""
    sink = pa.BufferOutputStream()
    # Long texts don't repeat: to look for repetitions in them takes as long as to compress them.
    long = {job.column, job.draft_column, job.prompt_column, job.columns.name("text")}
    short = [name for name in batch.schema.names if name not in long]
    with pq.ParquetWriter(
        sink, batch.schema, compression=job.codec, use_dictionary=short
    ) as writer:
        writer.write_batch(batch, row_group_size=max(1, batch.num_rows))
    data = sink.getvalue().to_pybytes()
    return data, pq.ParquetFile(io.BytesIO(data)).metadata.num_rows


def _rows(batch: pa.RecordBatch) -> list[Row]:
    try:
        return batch.to_pylist()
    except UnicodeDecodeError as error:
        raise BulkError(
            "a column of strings holds bytes that are no UTF-8: write Parquet, which keeps them"
        ) from error


def _as_json(batch: pa.RecordBatch, _: Job) -> tuple[bytes, int]:
    data = b"".join(dumps(row) + b"\n" for row in _rows(batch))
    return data, data.count(b"\n")


def _as_csv(batch: pa.RecordBatch, job: Job) -> tuple[bytes, int]:
    rows = _rows(batch)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=job.delimiter, lineterminator=job.line_end)
    for row in rows:
        writer.writerow([_cell(value) for value in row.values()])
    return out.getvalue().encode(), len(rows)


def _cell(value: object) -> str:
    """A value as a field of CSV; lists and objects as JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list | dict):
        return dumps(cast("object", value)).decode()
    return str(plain(value))


def packed(data: bytes, packing: Packing) -> bytes:
    """The bytes as one member of a compressed file: such members may stand one after the other."""
    if not packing or not data:
        return data
    if packing == "gz":
        return gzip.compress(data, compresslevel=6, mtime=0)
    return zstandard.ZstdCompressor(level=3, write_checksum=True).compress(data)
