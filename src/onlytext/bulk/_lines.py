"""Lines of a file that may be compressed, in blocks that end where a line ends."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import zstandard

from onlytext.bulk._block import BLOCK_BYTES, LONGEST_ROW, Block, Reject
from onlytext.bulk.errors import BulkError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path
    from typing import BinaryIO, Protocol

    from _typeshed import WriteableBuffer

    from onlytext.bulk._sources import Source

    class Readable(Protocol):
        """Bytes to be read from a file."""

        def read(self, size: int, /) -> bytes: ...


_CHUNK: Final = 1 << 20
_UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class _Unzstd(io.RawIOBase):
    """The unpacked bytes of a .zst file, with an error where the last of its frames is cut off."""

    def __init__(self, packed: BinaryIO) -> None:
        self._packed = packed
        self._unpack = zstandard.ZstdDecompressor().decompressobj()
        self._begun = False
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        room = memoryview(buffer)
        while not self._ready:
            chunk = self._unpack.unused_data or self._packed.read(_CHUNK)
            if self._unpack.eof:
                self._unpack = zstandard.ZstdDecompressor().decompressobj()
                self._begun = False
            if not chunk:
                if self._begun:
                    raise EOFError("the last frame is cut off")
                return 0
            self._begun = True
            self._ready = self._unpack.decompress(chunk)
            if self._unpack.eof:
                self._begun = False
        count = min(len(room), len(self._ready))
        room[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count


@contextmanager
def opened(path: Path) -> Generator[tuple[Readable, BinaryIO]]:
    """The unpacked bytes of a file and, to see how far it is read, the file itself.

    What goes wrong while it is read is a BulkError that names the file.
    """
    try:
        with path.open("rb") as packed:
            match path.suffix.lower():
                case ".gz":
                    with gzip.open(packed, "rb") as plain:
                        yield plain, packed
                case ".zst":
                    yield io.BufferedReader(_Unzstd(packed), _CHUNK), packed
                case _:
                    yield packed, packed
    except (EOFError, zlib.error, gzip.BadGzipFile, zstandard.ZstdError) as error:
        raise BulkError(
            f"{path} can't be unpacked: {error}; it was cut off or is damaged: get it again"
        ) from error
    except OSError as error:
        raise BulkError(f"{path} can't be read: {error.strerror or error}") from error


def read_lines(source: Source, *, size: int = BLOCK_BYTES) -> Iterator[Block]:
    """The lines of a file in blocks of about `size` bytes; a line that is far too long is put aside."""
    first, offset, before = 1, 0, 0
    with opened(source.path) as (plain, packed):
        least = min(size, _CHUNK)
        rest = _after_mark(plain.read(least), source)
        while True:
            # At least as much again as there is already, so that a long line is not copied each time.
            chunk = plain.read(max(size - len(rest), least, len(rest)))
            data = rest + chunk
            if not data:
                return
            cut = data.rfind(b"\n") + 1
            if not (cut or chunk) and len(data) <= LONGEST_ROW:
                cut = len(data)
            weight, before = packed.tell() - before, packed.tell()
            if cut:
                lines, rest = data[:cut], data[cut:]
                count = lines.count(b"\n") + (not lines.endswith(b"\n"))
                yield Block(source.name, first, count, lines, weight)
                first, offset = first + count, offset + cut
            elif len(data) <= LONGEST_ROW:
                rest = data
            else:
                size_of_it, rest = _pass_line(plain, len(data))
                why = f"the line has {size_of_it} bytes, more than {LONGEST_ROW}"
                aside = Reject(source.name, first, why, None, offset, size_of_it)
                yield Block(source.name, first, 0, b"", weight, (aside,))
                first, offset = first + 1, offset + size_of_it


def _pass_line(plain: Readable, begun: int) -> tuple[int, bytes]:
    """The length of a line of which some bytes were read, and what was read of the one after it."""
    while chunk := plain.read(_CHUNK):
        end = chunk.find(b"\n") + 1
        if end:
            return begun + end, chunk[end:]
        begun += len(chunk)
    return begun, b""


def _after_mark(data: bytes, source: Source) -> bytes:
    """The first bytes of a file without a byte order mark; an error where it is no UTF-8."""
    if data.startswith(_UTF_16):
        raise BulkError(f"{source.path} looks like UTF-16: save it as UTF-8")
    return data.removeprefix(codecs.BOM_UTF8)
