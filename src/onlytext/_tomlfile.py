"""A TOML file as a table, or an error that says where it is not TOML."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Final

from onlytext._regex import regex
from onlytext._textfile import TextFileError, read_text

if TYPE_CHECKING:
    from pathlib import Path

_AT: Final = regex(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def read_toml(file: Path, what: str) -> dict[str, object]:
    """The file's top table. Raises `TextFileError`; `what` says there what the file is to hold."""
    text = read_text(file).removeprefix("\ufeff")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TextFileError(f"{file}{_place(str(error), text)}") from error
    except RecursionError as error:
        raise TextFileError(f"{file}: it is nested too deeply for {what}") from error
    except ValueError as error:  # a number of thousands of digits
        raise TextFileError(f"{file}: not a TOML file that can be read: {error}") from error


def _place(message: str, text: str) -> str:
    """`:line:column: ` and what is wrong there, from the sentence that tomllib gives."""
    found = _AT.search(message)
    line, column = found.groups() if found else (None, None)
    if line is None or column is None:
        line = str(text.count("\n") + 1)
        column = str(len(text) - text.rfind("\n"))
    return f":{line}:{column}: not valid TOML: {_AT.sub('', message)}"
