"""From what a person named to a job: the files, the form of the output, and whether that can work."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from onlytext.bulk._batch import batch_schema
from onlytext.bulk._block import BLOCK_BYTES
from onlytext.bulk._columns import Columns
from onlytext.bulk._inference import infer_schema
from onlytext.bulk._job import Job
from onlytext.bulk._jsonl import Line, read_rows
from onlytext.bulk._lines import read_lines
from onlytext.bulk._records import Records, delimiter_of
from onlytext.bulk._sources import Source, find_sources, is_packed, kind_of
from onlytext.bulk._tables import codec_of, read_batches, schema_of
from onlytext.bulk._texts import TEXT_SCHEMA, read_files
from onlytext.bulk.errors import BulkError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from onlytext._format import Sections, Text
    from onlytext.bulk._block import Block
    from onlytext.bulk._job import Packing, Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a person asks for; one of `output`, `is_check` and `is_in_place`."""

    inputs: Sequence[str]
    format: Sections | Text
    output: Path | None = None
    is_check: bool = False
    is_in_place: bool = False
    column: str = "reply"
    draft_column: str | None = None
    prompt_column: str | None = None
    id_column: str | None = None
    patterns: tuple[str, ...] = ()
    prefix: str = ""
    backup: str = ".orig"
    """What stands after the name of a text file that is kept as it was."""
    block_bytes: int = BLOCK_BYTES
    """About how many bytes of the input are cleaned in one go."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A job and the files it is for."""

    job: Job
    sources: tuple[Source, ...]
    block_bytes: int

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(source.size for source in self.sources)

    def blocks(self) -> Iterator[Block]:
        """The rows of all files."""
        if self.job.source == "text":
            yield from read_files(self.sources, size=self.block_bytes)
            return
        for source in self.sources:
            match self.job.source:
                case "jsonl":
                    yield from read_lines(source, size=self.block_bytes)
                case "csv":
                    yield from Records(source).blocks(size=self.block_bytes)
                case _:
                    yield from read_batches(source, size=self.block_bytes)


def plan(wish: Wish) -> Plan:
    """The job for a wish; BulkError where it can't work, before anything is begun."""
    if not wish.inputs:
        raise BulkError("name a file, a folder or a pattern")
    kind, sources = find_sources(wish.inputs)
    target = _target(wish, kind)
    if wish.output is not None and target != "text":
        _refuse_input(wish.output, sources)
    schema, as_json = _schema(kind, sources, target, wish.block_bytes)
    columns = Columns.of(wish.format, wish.prefix)
    named = [wish.column, wish.draft_column, wish.prompt_column, wish.id_column]
    if kind == "text":
        _refuse_columns(wish)
    elif schema is None:
        _check_first_row(sources, [name for name in named if name], columns)
    else:
        _check_schema(schema, wish, as_json)
    output = wish.output or Path()
    same = bool(sources) and kind == target
    job = Job(
        format=wish.format,
        source=kind,
        target=target,
        column=wish.column,
        draft_column=wish.draft_column,
        prompt_column=wish.prompt_column,
        id_column=wish.id_column,
        patterns=wish.patterns,
        prefix=wish.prefix,
        schema=schema,
        as_json=as_json,
        delimiter=delimiter_of(sources[0].path if kind == "csv" else output),
        line_end=Records(sources[0]).line_end if kind == "csv" else "\n",
        codec=codec_of(sources[0]) if same and kind == "parquet" else "zstd",
        packing=_packing(output),
        backup=wish.backup,
    )
    if wish.patterns:
        job.cleaner()  # a pattern that is not sound is told now, and not by each worker
    return Plan(job, tuple(sources), wish.block_bytes)


def _target(wish: Wish, kind: str) -> Target:
    if wish.is_check:
        return "check"
    if wish.is_in_place:
        if kind != "text":
            raise BulkError(
                f"in place, only text files are mended, and these are {kind}: write another file "
                f"(-o), look at it, and put it in its place"
            )
        return "in place"
    if wish.output is None:
        raise BulkError("say where to: -o OUT, or --check, or --in-place for text files")
    if wish.output.is_dir() or not wish.output.suffix:
        if kind != "text":
            raise BulkError(
                f"{wish.output} is a folder, and the input is {kind}: name a file that ends in "
                f".jsonl, .csv or .parquet"
            )
        return "text"
    target = kind_of(wish.output)
    if target == "text":
        raise BulkError(
            f"{wish.output}: name an output that ends in .jsonl, .csv or .parquet (the first two "
            f"also with .gz or .zst), or for text files a folder"
        )
    return target


def _refuse_input(output: Path, sources: Sequence[Source]) -> None:
    if output.resolve() in {source.path.resolve() for source in sources}:
        raise BulkError(f"{output} is an input as well: choose another output")


def _refuse_columns(wish: Wish) -> None:
    for option, name in (
        ("--draft-column", wish.draft_column),
        ("--prompt-column", wish.prompt_column),
        ("--id-column", wish.id_column),
    ):
        if name is not None:
            raise BulkError(f"text files have no columns: leave {option} out")


def _packing(output: Path) -> Packing:
    if not is_packed(output):
        return ""
    return "gz" if output.suffix.lower() == ".gz" else "zst"


def _schema(
    kind: str, sources: list[Source], target: Target, size: int
) -> tuple[pa.Schema | None, frozenset[str]]:
    """The columns of the input, where they have to be known; and those that become JSON text."""
    none: frozenset[str] = frozenset()
    match kind:
        case "parquet":
            return schema_of(sources), none
        case "csv":
            headers = {source: Records(source).columns for source in sources}
            first = headers[sources[0]]
            for source, header in headers.items():
                if header != first:
                    raise BulkError(f"{source.path} has other columns than {sources[0].path}")
            return pa.schema([pa.field(name, pa.string()) for name in first]), none
        case "jsonl":
            return (
                infer_schema(sources, size=size) if target in ("csv", "parquet") else (None, none)
            )
        case _:
            return TEXT_SCHEMA, none


def _check_schema(schema: pa.Schema, wish: Wish, as_json: frozenset[str]) -> None:
    for name in (wish.column, wish.draft_column, wish.prompt_column):
        if name in as_json:
            raise BulkError(
                f"some values of {name!r} are strings and others are not: write JSON lines, which "
                f"take each row as it is"
            )
        if name is not None:
            batch_schema(schema, wish.format, column=name, prefix=wish.prefix)
    if wish.id_column is not None and wish.id_column not in schema.names:
        named = ", ".join(map(repr, schema.names))
        raise BulkError(f"there is no column {wish.id_column!r}; the columns are {named}")


def _check_first_row(sources: Sequence[Source], named: Sequence[str], columns: Columns) -> None:
    """An error where the first row lacks a column that was named, or has one that is to be added."""
    for source in sources:
        for block in read_lines(source, size=1 << 16):
            for line in read_rows(block):
                if isinstance(line, Line):
                    columns.refuse_taken(line.row)
                    for name in named:
                        if name not in line.row:
                            raise BulkError(
                                f"{source.path}, line {line.number} has no key {name!r}; it has "
                                f"{', '.join(map(repr, line.row)) or 'none'}"
                            )
                    return
