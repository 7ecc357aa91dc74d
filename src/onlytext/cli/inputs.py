"""What a command reads: files and standard input."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import typer

from onlytext._textfile import decode, read_text

if TYPE_CHECKING:
    from pathlib import Path

STDIN: Final = "-"


def read_input(path: Path) -> str:
    """The text of a file or, for `-`, of standard input; its line ends as they are."""
    if str(path) != STDIN:
        return read_text(path)
    if sys.stdin.isatty():
        typer.echo("onlytext: reading from the terminal; end with Ctrl-D", err=True)
    return decode(sys.stdin.buffer.read(), "standard input")


def read_optional(path: Path | None) -> str | None:
    """The text of a draft or a prompt, without a byte order mark; none where none was named."""
    return None if path is None else read_input(path).removeprefix("\ufeff")


def refuse_two_stdins(*paths: Path | None) -> None:
    """Standard input can be read only once: an error where two of the paths are `-`."""
    if [str(path) for path in paths].count(STDIN) > 1:
        raise typer.BadParameter(
            "standard input (-) can be read only once; give the others as files",
            param_hint="'-'",
        )
