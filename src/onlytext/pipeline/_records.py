"""Records out, as JSONL or Parquet: whole and in order, or not at all."""

from __future__ import annotations

import contextlib
import gzip
import importlib
import itertools
import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Literal, Protocol

from onlytext.errors import OnlytextError

if TYPE_CHECKING:
    from collections.abc import Iterator

_WINDOW: Final = 2000
_ENDINGS: Final = ".jsonl, .ndjson (each also with .gz) or .parquet"

Column = Literal["text", "whole", "number", "flag", "json"]
"""What a column of a Parquet file holds; `json` is for lists and tables, written as JSON text."""

_Write = Callable[[IO[bytes], Iterable[Mapping[str, object]], Mapping[str, Column] | None], int]


class _Sink(Protocol):
    """What bytes are written to."""

    def write(self, data: bytes, /) -> int: ...


class RecordsError(OnlytextError, ValueError):
    """Records that can't be written, with the file and what to do; an older file is as it was."""


def write_records(
    path: str | os.PathLike[str],
    rows: Iterable[Mapping[str, object]],
    *,
    columns: Mapping[str, Column] | None = None,
) -> int:
    """Write the rows into a file, by the ending of its name, and say how many there were.

    They are written beside it, given to the disk, and renamed, so that nobody ever sees half a
    file. `columns` are those of a Parquet file; without them they are told from the first rows.
    """
    file = Path(path)
    write = _writer(file)
    beside = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        with beside.open("xb") as stream:
            count = write(stream, rows, columns)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(file)
        _keep_name(file.parent)
    except OSError as error:
        raise RecordsError(f"{file} can't be written: {error.strerror or error}") from error
    finally:
        beside.unlink(missing_ok=True)
    return count


def _writer(file: Path) -> _Write:
    endings = [ending.lower() for ending in file.suffixes[-2:]]
    if endings[-1:] == [".parquet"]:
        return _write_parquet
    if endings[-1:] in ([".jsonl"], [".ndjson"]):
        return _write_jsonl
    if endings in ([".jsonl", ".gz"], [".ndjson", ".gz"]):
        return _write_packed
    raise RecordsError(f"{file}: how to write it can't be told: give it a name in {_ENDINGS}")


def check_output(path: str | os.PathLike[str]) -> None:
    """Raise `RecordsError` where records could not be written there: before anything is paid for."""
    file = Path(path)
    if _writer(file) is _write_parquet:
        _parquet()
    if file.is_dir():
        raise RecordsError(f"{file} is a folder; name a file in it")
    if not file.parent.is_dir():
        raise RecordsError(f"{file} can't be written: there is no folder {file.parent}")
    if not os.access(file.parent, os.W_OK):
        raise RecordsError(f"{file} can't be written: {file.parent} is not yours to write in")


def _keep_name(folder: Path) -> None:
    """Give the new name in the folder to the disk, where the system has a way to do so."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# ---------------------------------------------------------------- JSON lines


def _write_jsonl(
    stream: _Sink,
    rows: Iterable[Mapping[str, object]],
    columns: Mapping[str, Column] | None,  # noqa: ARG001 - JSON says itself what it holds
) -> int:
    count = 0
    for row in rows:
        stream.write(f"{_json(row)}\n".encode())
        count += 1
    return count


def _write_packed(
    stream: IO[bytes],
    rows: Iterable[Mapping[str, object]],
    columns: Mapping[str, Column] | None,
) -> int:
    with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as packed:
        return _write_jsonl(packed, rows, columns)


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair in a reply: JSON has an escape for it
        return json.dumps(value)
    return text


# ---------------------------------------------------------------- Parquet


def _parquet() -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise RecordsError(
            "Parquet files need pyarrow: pip install 'onlytext[bulk]', or write .jsonl"
        ) from error


def _write_parquet(
    stream: IO[bytes],
    rows: Iterable[Mapping[str, object]],
    columns: Mapping[str, Column] | None,
) -> int:
    arrow, parquet = _parquet()
    types = {
        "text": arrow.string(),
        "json": arrow.string(),
        "whole": arrow.int64(),
        "number": arrow.float64(),
        "flag": arrow.bool_(),
    }
    left = iter(rows)
    window = list(itertools.islice(left, _WINDOW))
    known = columns if columns is not None else _told(window)
    schema = arrow.schema([(name, types[kind]) for name, kind in known.items()])
    count = 0
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        while window:
            made = [_cells(row, known, count + at) for at, row in enumerate(window, start=1)]
            writer.write_table(arrow.Table.from_pylist(made, schema=schema))
            count += len(window)
            window = list(itertools.islice(left, _WINDOW))
    return count


def _told(rows: list[Mapping[str, object]]) -> dict[str, Column]:
    """What the columns hold, told from the rows."""
    kinds: dict[str, set[Column]] = {}
    for row in rows:
        for name, value in row.items():
            kinds.setdefault(name, set()).update(_kinds(value))
    return {name: _one(found) for name, found in kinds.items()}


def _kinds(value: object) -> Iterator[Column]:
    if isinstance(value, bool):
        yield "flag"
    elif isinstance(value, int):
        yield "whole"
    elif isinstance(value, float):
        yield "number"
    elif value is not None:
        yield "text" if isinstance(value, str) else "json"


def _one(kinds: set[Column]) -> Column:
    if len(kinds) == 1:
        return next(iter(kinds))
    return "number" if kinds == {"whole", "number"} else "json" if kinds else "text"


def _cells(row: Mapping[str, object], columns: Mapping[str, Column], number: int) -> dict[str, Any]:
    beyond = [name for name in row if name not in columns]
    if beyond:
        raise RecordsError(
            f"record {number} has a column {beyond[0]!r} that none of the first ones has: "
            f"write .jsonl, where each row may have its own"
        )
    return {name: _cell(row.get(name), kind, name, number) for name, kind in columns.items()}


def _cell(value: object, kind: Column, name: str, number: int) -> object:
    if value is None:
        return None
    if kind == "json" or (kind == "text" and not isinstance(value, str)):
        return _json(value)
    if kind == "text":
        return str(value).encode("utf-8", "backslashreplace").decode()
    fits: dict[Column, tuple[type, ...]] = {
        "flag": (bool,),
        "whole": (int,),
        "number": (int, float),
    }
    if not isinstance(value, fits[kind]) or (kind != "flag" and isinstance(value, bool)):
        raise RecordsError(
            f"record {number}, column {name!r}: {value!r} does not fit the rows before it: "
            f"write .jsonl, where each row may have its own"
        )
    return value
