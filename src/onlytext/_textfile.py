"""A text file as a string, or an error that says what is wrong with the file."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from onlytext.errors import OnlytextError

if TYPE_CHECKING:
    from pathlib import Path


class TextFileError(OnlytextError, ValueError):
    """A file that can't be read as text, with its name and what to do about it."""


def read_text(path: Path) -> str:
    """The whole file, its line ends and a byte order mark left as they are."""
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise TextFileError(f"{path}: there is no such file") from error
    except IsADirectoryError as error:
        raise TextFileError(f"{path} is a folder; name a file in it") from error
    except OSError as error:
        raise TextFileError(f"{path} can't be read: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in the name
        raise TextFileError(f"{str(path)!r} can't be the name of a file") from error
    return decode(data, str(path))


def decode(data: bytes, name: str) -> str:
    """The bytes as text; `name` says in an error where they came from."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            what = "it looks like UTF-16"
        else:
            line = data.count(b"\n", 0, error.start) + 1
            what = f"byte 0x{data[error.start]:02X} at offset {error.start} (line {line})"
        raise TextFileError(f"{name} is not UTF-8: {what}; save it as UTF-8") from error
