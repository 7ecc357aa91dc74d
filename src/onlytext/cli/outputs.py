"""What a command writes to standard output."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def write_text(text: str) -> None:
    """Write a text exactly; on a terminal it ends its line, so that the prompt starts a new one."""
    # The very bytes: a text stream would turn every \n into \r\n on Windows.
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode(errors="backslashreplace"))
    if sys.stdout.isatty() and not text.endswith("\n"):
        sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()


def write_json(value: object) -> None:
    """Write a value as JSON that a person can read as well."""
    # Half a surrogate pair, which UTF-8 can't hold, becomes the escape that JSON has for it.
    write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def make_console() -> Console:
    """Standard output for tables and colours; these only on a terminal, and not with NO_COLOR."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


def has_colours(console: Console) -> bool:
    """Whether colours may be used, so that marks in letters are not needed."""
    return console.color_system is not None and not console.no_color
