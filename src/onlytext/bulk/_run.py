"""A whole job: read, clean, write, in parts that are put together at the end."""

from __future__ import annotations

import contextlib
import csv
import io
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pyarrow as pa

from onlytext.bulk._block import Block
from onlytext.bulk._join import join_tables
from onlytext.bulk._parts import Parts, join, put_whole, reject_lines
from onlytext.bulk._plan import plan
from onlytext.bulk._pool import processors, run_blocks
from onlytext.bulk._tally import Tally
from onlytext.bulk._work import clean_block, packed
from onlytext.bulk.errors import BulkError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from onlytext.bulk._job import Job
    from onlytext.bulk._plan import Plan, Wish
    from onlytext.bulk._tally import Finding
    from onlytext.bulk._work import Cleaned

    Watch = Callable[["Progress"], None]
    Tell = Callable[[Finding], None]

ACCOUNT: Final = "onlytext.jsonl"
"""The file in a folder of texts that tells what became of each."""
_TOLD: Final = 20
# Windows can wait for no more processes than that.
_MOST_WORKERS: Final = 60


class Progress(NamedTuple):
    """How far a job is."""

    rows: int
    done: int
    """Bytes of the input."""
    size: int
    resumed: int
    """Bytes of the input that an earlier run had done."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a job did; `rejects` is the file of malformed rows, `told` a line on each of the first."""

    tally: Tally
    output: Path | None
    rejects: Path | None
    told: tuple[str, ...]


def clean_files(
    wish: Wish,
    *,
    workers: int | None = None,
    overwrite: bool = False,
    watch: Watch = lambda _: None,
    tell: Tell = lambda _: None,
) -> Summary:
    """Clean files as wished; what became of the rows, in figures.

    `watch` is called after each block, and `tell` for each finding of a check, in the order of the
    input. A run that was broken off, in whatever way, goes on where it was when it is called again
    with the same wish and unchanged files. The output is the same for any number of workers.

    Raises BulkError where the job can't be done; then there is no output.
    """
    made = plan(wish)
    count = min(workers or processors(), _MOST_WORKERS)
    if made.job.target in ("check", "in place"):
        return _look(made, count, watch, tell)
    output = wish.output or Path()
    _refuse_output(output, made.job, overwrite=overwrite)
    run = _Run(made, output, count, watch)
    try:
        return run.go()
    except OSError as error:
        raise BulkError(
            f"can't write {output}: {error.strerror or error}; nothing of it is there yet, and what "
            f"is done waits in {run.parts.folder}: mend it and run the same command again"
        ) from error


def _refuse_output(output: Path, job: Job, *, overwrite: bool) -> None:
    if job.target == "text":
        if output.exists() and (not output.is_dir() or any(output.iterdir())):
            raise BulkError(f"{output} is there already, and not empty: choose another folder")
    elif output.exists() and not overwrite:
        raise BulkError(f"{output} is there already: choose another name, or add --overwrite")
    if not output.resolve().parent.is_dir():
        raise BulkError(f"{output.parent}: there is no such folder")


def _look(made: Plan, workers: int, watch: Watch, tell: Tell) -> Summary:
    """Go over files of which no other file is made."""
    total, done = Tally(), 0
    told: list[str] = []
    work = partial(_cleaned, job=made.job)
    try:
        for cleaned, weight in run_blocks(work, enumerate(made.blocks()), workers=workers):
            for finding in cleaned.tally.findings:
                tell(finding)
            told += [f"{one.source}:{one.line}: {one.why}" for one in cleaned.rejects]
            total.add(cleaned.tally)
            done += weight
            watch(Progress(total.rows_in, done, made.size, 0))
    except OSError as error:
        raise BulkError(f"can't write {error.filename}: {error.strerror or error}") from error
    return Summary(total, None, None, tuple(told[:_TOLD]))


def _cleaned(_: int, block: Block, job: Job) -> tuple[Cleaned, int]:
    return clean_block(block, job), block.weight


def _put_part(number: int, block: Block, job: Job, parts: Parts) -> tuple[int, int]:
    """Clean a block and write its part; how many rows and bytes of the input it took."""
    done = clean_block(block, job)
    parts.put(number, done)
    return done.tally.rows_in, block.weight


class _Run:
    """One job that writes an output."""

    def __init__(self, made: Plan, output: Path, workers: int, watch: Watch) -> None:
        self.parts: Final = Parts(output)
        self._plan = made
        self._job = replace(made.job, folder=self.parts.files)
        self._output = output
        self._workers = workers
        self._watch = watch
        self._count = 0
        self._rows = self._done = self._resumed = 0

    def go(self) -> Summary:
        """Do what is left of the job."""
        try:
            with self.parts.opened(self._identity()) as goes_on:
                self._clean(goes_on=goes_on)
                summary = self._finish()
        except BaseException:
            self.parts.remove_if_empty()
            raise
        self.parts.remove()
        return summary

    def _identity(self) -> tuple[object, ...]:
        """Whatever makes the parts what they are."""
        patterns = [Path(path).read_bytes() for path in self._job.patterns]
        about = version("onlytext"), pa.__version__, self._plan.block_bytes
        return (*about, self._job, self._plan.sources, patterns)

    def _clean(self, *, goes_on: bool) -> None:
        work = partial(_put_part, job=self._job, parts=self.parts)
        for rows, weight in run_blocks(work, self._left(goes_on=goes_on), workers=self._workers):
            self._rows += rows
            self._done += weight
            self._report()
        if not self._count:
            _put_part(0, self._nothing(), self._job, self.parts)
            self._count = 1

    def _left(self, *, goes_on: bool) -> Iterator[tuple[int, Block]]:
        """The blocks that no earlier run has done."""
        for number, block in enumerate(self._plan.blocks()):
            self._count = number + 1
            tally = self.parts.tally(number) if goes_on else None
            if tally is None:
                yield number, block
            else:
                self._rows += tally.rows_in
                self._done += block.weight
                self._resumed += block.weight
                self._report()

    def _report(self) -> None:
        self._watch(Progress(self._rows, self._done, self._plan.size, self._resumed))

    def _nothing(self) -> Block:
        """A block without a row, for an input that has none: an output has columns all the same."""
        schema = self._job.schema
        batch = None if schema is None else pa.RecordBatch.from_pylist([], schema=schema)
        return Block(self._plan.sources[0].name, 1, 0, b"", 0, batch=batch)

    def _finish(self) -> Summary:
        """Put the parts together, see that no row is missing, and give the output its name."""
        total = Tally()
        for number in range(self._count):
            tally = self.parts.tally(number)
            if tally is None:
                raise BulkError(
                    f"{self.parts.data(number)} is not what was written: run the same command again"
                )
            total.add(tally)
        rejects = self._output.with_name(f"{self._output.name}.rejects.jsonl")
        told = self._put_rejects(total, rejects)
        if self._job.target == "text":
            self._put_folder()
        else:
            self._put_file(total)
        return Summary(total, self._output, rejects if total.rejects else None, told)

    def _put_rejects(self, total: Tally, rejects: Path) -> tuple[str, ...]:
        if not total.rejects:
            rejects.unlink(missing_ok=True)  # one of an earlier run would be taken for this one's
            return ()
        numbers = range(self._count)
        with put_whole(self.parts.folder / "whole-rejects", rejects) as out:
            join((self.parts.rejects(number) for number in numbers), out)
        return reject_lines(rejects, _TOLD)

    def _put_file(self, total: Tally) -> None:
        files = [self.parts.data(number) for number in range(self._count)]
        with put_whole(self.parts.folder / "whole", self._output) as out:
            if self._job.target == "parquet":
                rows = join_tables(files, out)
                if rows != total.rows_out:
                    raise BulkError(f"a fault of onlytext itself: {rows} of {total.rows_out} rows")
            else:
                out.write(self._header())
                join(files, out)

    def _header(self) -> bytes:
        schema = self._job.schema
        if self._job.target != "csv" or schema is None:
            return b""
        line = io.StringIO()
        names = [*schema.names, *self._job.columns.names]
        csv.writer(line, delimiter=self._job.delimiter, lineterminator=self._job.line_end).writerow(
            names
        )
        return packed(line.getvalue().encode(), self._job.packing)

    def _put_folder(self) -> None:
        self.parts.files.mkdir(exist_ok=True)
        with put_whole(self.parts.folder / "whole", self.parts.files / ACCOUNT) as out:
            join((self.parts.data(number) for number in range(self._count)), out)
        with contextlib.suppress(FileNotFoundError):
            self._output.rmdir()
        self.parts.files.replace(self._output)
