"""The parts of an output that is not whole yet: a folder beside it, from which a job goes on.

A part is done when its figures are there, which are written last; whatever else lies in the folder
is written again. Nothing of it is ever taken for the output.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Final, cast

from onlytext.bulk._jsonl import dumps
from onlytext.bulk._tally import Tally
from onlytext.bulk.errors import BulkError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from pathlib import Path
    from typing import BinaryIO

    from onlytext.bulk._block import Reject
    from onlytext.bulk._tally import TallyJson
    from onlytext.bulk._work import Cleaned

ENDING: Final = ".onlytext-parts"
_COPY: Final = 1 << 22


class Parts:
    """The folder of parts of one output."""

    def __init__(self, output: Path) -> None:
        self.folder: Final = output.with_name(output.name + ENDING)
        self.files: Final = self.folder / "files"
        """Where text files wait, each under its name."""

    @contextmanager
    def opened(self, job: object) -> Generator[bool]:
        """The folder, for this process alone; tells whether parts of the very same job are in it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with _locked(self.folder / "lock", self.folder):
            mark = self.folder / "job"
            digest = hashlib.sha256(repr(job).encode()).hexdigest()
            goes_on = mark.is_file() and mark.read_text("ascii") == digest
            if not goes_on:
                self._empty()
                _write(mark, digest.encode())
            yield goes_on

    def _empty(self) -> None:
        for entry in self.folder.iterdir():
            if entry.is_dir():
                shutil.rmtree(entry)
            elif entry.name != "lock":
                entry.unlink()

    def remove(self) -> None:
        """Remove the folder; the output is whole, or nothing was done."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def remove_if_empty(self) -> None:
        """Remove the folder unless a part in it is done."""
        if not any(self.folder.glob("*.json")):
            self.remove()

    def tally(self, number: int) -> Tally | None:
        """The figures of a part that is done; None for one that is not."""
        try:
            given = json.loads(self._path(number, "json").read_bytes())
        except FileNotFoundError:
            return None
        sizes = (self.data(number), given["size"]), (self.rejects(number), given["rejects_size"])
        if any(_size(path) != size for path, size in sizes):
            return None
        return Tally.from_json(cast("TallyJson", given["tally"]))

    def put(self, number: int, done: Cleaned) -> None:
        """Write a part; it is done once all of it is there."""
        rejects = b"".join(map(_reject, done.rejects))
        _write(self.data(number), done.data)
        _write(self.rejects(number), rejects)
        figures = {
            "size": len(done.data),
            "rejects_size": len(rejects),
            "tally": done.tally.to_json(),
        }
        # Samples may hold half a surrogate pair, which only the escapes of JSON can hold.
        _write(self._path(number, "json"), json.dumps(figures).encode())

    def data(self, number: int) -> Path:
        """The rows of a part."""
        return self._path(number, "data")

    def rejects(self, number: int) -> Path:
        """What a part put aside."""
        return self._path(number, "rejects")

    def _path(self, number: int, ending: str) -> Path:
        return self.folder / f"{number:06}.{ending}"


@contextmanager
def put_whole(new: Path, place: Path) -> Generator[BinaryIO]:
    """A file that gets its name when all of it is written, and safe on the disk."""
    with new.open("wb") as out:
        yield out
        out.flush()
        os.fsync(out.fileno())
    new.replace(place)


def reject_lines(path: Path, most: int) -> tuple[str, ...]:
    """A line for a person on each of the first rows that were put aside."""
    with path.open("rb") as file:
        rows: list[dict[str, object]] = [json.loads(line) for line in islice(file, most)]
    return tuple(f"{row['file']}:{row['line']}: {row['why']}" for row in rows)


def join(files: Iterable[Path], out: BinaryIO) -> None:
    """Write the files one after the other."""
    for file in files:
        with file.open("rb") as part:
            shutil.copyfileobj(part, out, _COPY)


def _reject(reject: Reject) -> bytes:
    """A row that was put aside, as a line of JSON; one that is no UTF-8 in base64."""
    row: dict[str, object] = {"file": reject.source, "line": reject.line, "why": reject.why}
    if reject.row is None:
        row |= {"offset": reject.offset, "size": reject.size}
    else:
        try:
            row["row"] = reject.row.decode()
        except UnicodeDecodeError:
            row["base64"] = reject.row
    return dumps(row) + b"\n"


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None


def _write(path: Path, data: bytes) -> None:
    """Write a file beside its place and then name it: it is never there by half."""
    new = path.with_name(f"{path.name}.new")
    new.write_bytes(data)
    new.replace(path)


@contextmanager
def _locked(path: Path, folder: Path) -> Generator[None]:
    """A lock that the system takes back when the process ends, however it ends."""
    with path.open("w") as file:
        if sys.platform != "win32":  # pragma: no branch - it has no such lock
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise BulkError(
                    f"another run works in {folder}: wait for it, or choose another output"
                ) from error
        yield
