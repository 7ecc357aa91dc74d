"""Text files, one reply each: read, written into a folder, or mended in place with a backup."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from onlytext._textfile import TextFileError, decode
from onlytext.bulk._block import BLOCK_BYTES, LONGEST_ROW, Block, Reject
from onlytext.bulk._jsonl import account, dumps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from onlytext.bulk._job import Job
    from onlytext.bulk._sources import Source
    from onlytext.bulk._verdict import Verdict

TEXT_SCHEMA: Final = pa.schema([pa.field("file", pa.string()), pa.field("reply", pa.string())])
"""What text files are as a table."""
REFUSED: Final = ".refused"
"""What the name of a reply ends with that is put into a folder as it was."""
_MOST_FILES: Final = 500


def read_files(sources: Sequence[Source], *, size: int = BLOCK_BYTES) -> Iterator[Block]:
    """The files, some at a time; they are read by whoever cleans them."""
    some: list[Source] = []
    for source in sources:
        some.append(source)
        if len(some) == _MOST_FILES or sum(one.size for one in some) >= size:
            yield _block(some)
            some = []
    if some:  # a last one that fills a block leaves none
        yield _block(some)


def _block(some: list[Source]) -> Block:
    weight = sum(source.size for source in some)
    return Block(some[0].name, 1, len(some), b"", weight, files=tuple(some))


def read_reply(source: Source) -> str | Reject:
    """The text of a file, or why it is put aside."""
    if source.size > LONGEST_ROW:
        why = f"the file has {source.size} bytes, more than {LONGEST_ROW}"
        return Reject(source.name, 1, why, None, 0, source.size)
    try:
        return decode(source.path.read_bytes(), "the file")
    except (TextFileError, OSError) as error:
        return Reject(source.name, 1, str(error), None, 0, source.size)


def account_of(source: Source, verdict: Verdict) -> bytes:
    """What became of a file, as a line of JSON; without the reply, the text and its sections."""
    _, *values, _ = account(verdict, None)
    names = ("outcome", "cause", "why", "removals", "doubts")
    return dumps({"file": source.inside, **dict(zip(names, values, strict=True))}) + b"\n"


def put_in_folder(source: Source, reply: str, verdict: Verdict, job: Job) -> None:
    """Write the text below the folder; a refused reply as it was, under another name."""
    assert job.folder is not None  # noqa: S101 - a job with this target has one
    file = job.folder / source.inside
    if verdict.text is None:
        file = file.with_name(file.name + REFUSED)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes((reply if verdict.text is None else verdict.text).encode())


def put_in_place(source: Source, reply: str, verdict: Verdict, backup: str) -> None:
    """Write the text in place of the reply and keep that beside it; nothing where nothing changed.

    A reader of the file sees the whole old or the whole new text at any moment.
    """
    if verdict.text is None or verdict.text == reply:
        return
    file = source.path.resolve()
    new = file.with_name(f".{file.name}.onlytext")
    try:
        with new.open("wb") as stream:
            stream.write(verdict.text.encode())
            stream.flush()
            os.fsync(stream.fileno())
        with contextlib.suppress(OSError):
            shutil.copystat(file, new)
            os.utime(new)
        _keep(file, reply.encode(), backup)
        new.replace(file)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def _keep(file: Path, data: bytes, ending: str) -> None:
    """Keep a file under another name, which is new unless the same bytes are there already."""
    number = 0
    while True:
        number += 1
        kept = Path(f"{file}{ending}{'' if number == 1 else f'.{number}'}")
        if not kept.exists():
            # First under a name of its own: a copy that was cut off is no backup.
            copy = Path(f"{kept}.onlytext")
            shutil.copy2(file, copy)
            copy.replace(kept)
            return
        if kept.read_bytes() == data:
            return
