"""Rows of a JSONL, CSV or Parquet file, one after the other, each broken one with its reason."""

from __future__ import annotations

import codecs
import csv
import gzip
import importlib
import json
import math
import zlib
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import IO, TYPE_CHECKING, Any, Final, NoReturn, cast

from onlytext.errors import OnlytextError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_BATCH: Final = 1000
_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ENDINGS: Final = ".jsonl, .ndjson, .csv (each also with .gz) or .parquet"
# json.loads builds nested lists by recursion of its own; what is deeper is no brief.
_DEEPEST: Final = 50


class RowsError(OnlytextError, ValueError):
    """A file that can't be read any further."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row: the line of the file on which it starts, 0 where a file has no lines; its columns."""

    line: int
    fields: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class RowFault:
    """A row that is not sound, and why."""

    line: int
    said: str


def rows_of(file: Path) -> Iterator[Row | RowFault]:
    """The rows of a file, by the ending of its name. Raises `RowsError` where it can't be read."""
    endings = [ending.lower() for ending in file.suffixes[-2:]]
    packed = endings[-1:] == [".gz"]
    kind = endings[-2:-1] if packed else endings[-1:]
    if kind == [".parquet"] and not packed:
        yield from _guarded(file, _parquet_rows(file))
    elif kind in ([".jsonl"], [".ndjson"]):
        yield from _guarded(file, _jsonl_rows(file, packed=packed))
    elif kind == [".csv"]:
        yield from _guarded(file, _csv_rows(file, packed=packed))
    else:
        raise RowsError(f"{file}: what is in it can't be told: give it a name in {_ENDINGS}")


def _guarded(file: Path, rows: Iterator[Row | RowFault]) -> Iterator[Row | RowFault]:
    try:
        yield from rows
    except FileNotFoundError as error:
        raise RowsError(f"{file}: there is no such file") from error
    except IsADirectoryError as error:
        raise RowsError(f"{file} is a folder; name a file in it") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise RowsError(f"{file} is no whole gzip file: {error}") from error
    except OSError as error:
        raise RowsError(f"{file} can't be read: {error.strerror or error}") from error


def _open(file: Path, *, packed: bool) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(file)) if packed else file.open("rb")


def _lines(file: Path, *, packed: bool) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers, without a byte order mark."""
    with _open(file, packed=packed) as stream:
        for number, line in enumerate(stream, start=1):
            if number == 1 and line.startswith(_UTF16):
                raise RowsError(f"{file} is not UTF-8: it looks like UTF-16; save it as UTF-8")
            yield number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line


def _wrong_byte(line: bytes, error: UnicodeDecodeError) -> str:
    byte = line[error.start]
    return f"not UTF-8: byte 0x{byte:02X} at offset {error.start} of the line; save it as UTF-8"


# ---------------------------------------------------------------- JSON lines


def _jsonl_rows(file: Path, *, packed: bool) -> Iterator[Row | RowFault]:
    for number, line in _lines(file, packed=packed):
        if line.strip():
            yield _json_row(number, line)


def _json_row(number: int, line: bytes) -> Row | RowFault:
    try:
        value: object = json.loads(line.decode(), parse_constant=_no_number)
    except UnicodeDecodeError as error:
        return RowFault(number, _wrong_byte(line, error))
    except json.JSONDecodeError as error:
        return RowFault(number, f"not JSON: {error.msg} at column {error.colno}")
    except RecursionError:
        return RowFault(number, "nested too deeply for a brief")
    except ValueError as error:
        return RowFault(number, f"not JSON that can be used: {error}")
    if not isinstance(value, dict):
        return RowFault(number, "not a brief: write one JSON object, {...}, on the line")
    fields = cast("dict[str, object]", value)
    fault = _unsendable(fields)
    return Row(number, fields) if fault is None else RowFault(number, fault)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number in JSON: write null")


def _unsendable(fields: Mapping[str, object]) -> str | None:
    """Why a row can't be sent or stored as it is; none where it can."""
    if _depth(fields) > _DEEPEST:
        return "nested too deeply for a brief"
    try:
        json.dumps(fields, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return "half a character in it (a lone surrogate such as \\ud83d): mend it"
    return None


def _depth(value: object) -> int:
    depth, level = 0, [value]
    while level and depth <= _DEEPEST:
        depth += 1
        level = [inner for one in level for inner in _inside(one)]
    return depth


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(cast("dict[str, object]", value).values())
    return cast("list[object]", value) if isinstance(value, list) else []


# ---------------------------------------------------------------- CSV


def _csv_rows(file: Path, *, packed: bool) -> Iterator[Row | RowFault]:
    wrong: list[tuple[int, str]] = []
    reader = csv.reader(_decoded(file, wrong, packed=packed), strict=True)
    header: list[str] | None = None
    while True:
        start = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            yield RowFault(start, _csv_fault(error))
            return  # where the next row would begin can't be told
        faults = [RowFault(*one) for one in wrong]
        wrong.clear()
        yield from faults
        if cells is None:
            break
        if faults or not any(cells):
            continue
        if header is None:
            header = _header(file, [cell.strip() for cell in cells])
        elif len(cells) != len(header):
            yield RowFault(
                start, f"{len(cells)} columns, and the first row names {len(header)}: quote commas"
            )
        else:
            yield Row(start, dict(zip(header, cells, strict=True)))


def _decoded(file: Path, wrong: list[tuple[int, str]], *, packed: bool) -> Iterator[str]:
    for number, line in _lines(file, packed=packed):
        try:
            yield line.decode()
        except UnicodeDecodeError as error:
            wrong.append((number, _wrong_byte(line, error)))
            yield line.decode(errors="replace")


def _header(file: Path, names: list[str]) -> list[str]:
    if not all(names):
        raise RowsError(f"{file}:1: column {names.index('') + 1} has no name: name each column")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise RowsError(f"{file}:1: two columns are called {twice!r}: rename one")
    return names


def _csv_fault(error: csv.Error) -> str:
    said = str(error)
    if "field larger" in said:
        return "a field of more than 131,072 characters: write such briefs as JSONL"
    if "unexpected end" in said:
        return "a quotation mark is opened here and never closed"
    return f"not CSV: {said}"


# ---------------------------------------------------------------- Parquet


def _parquet_rows(file: Path) -> Iterator[Row | RowFault]:
    try:
        arrow = importlib.import_module("pyarrow")
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise RowsError(
            f"{file}: Parquet files need pyarrow: pip install 'onlytext[bulk]'"
        ) from error
    with file.open("rb") as stream:
        try:
            table = parquet.ParquetFile(stream)
            for batch in table.iter_batches(batch_size=_BATCH):
                for fields in cast("list[dict[str, Any]]", batch.to_pylist()):
                    yield _parquet_row(fields)
        except arrow.ArrowException as error:
            raise RowsError(f"{file} is no Parquet file that can be read: {error}") from error


def _parquet_row(fields: dict[str, Any]) -> Row | RowFault:
    try:
        return Row(0, {name: _as_json(value) for name, value in fields.items()})
    except TypeError as error:
        return RowFault(0, str(error))


def _as_json(value: object) -> object:
    """A value of a column as JSON has it: dates and decimals as text, no number as none."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Decimal | timedelta):
        return str(value)
    if isinstance(value, list):
        return [_as_json(one) for one in cast("list[object]", value)]
    if isinstance(value, dict):
        rows = cast("dict[object, object]", value)
        return {str(name): _as_json(one) for name, one in rows.items()}
    raise TypeError(f"a value that is no text and no number: {type(value).__name__}")
