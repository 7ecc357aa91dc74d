"""From the files that a command was given to a cleaned reply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from onlytext._clean import clean
from onlytext._patterns import Patterns
from onlytext.cli.exits import say
from onlytext.cli.inputs import read_input, read_optional, refuse_two_stdins

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from onlytext._reply import Clean

_SNIPPET: Final = 60
_DOUBTS_TOLD: Final = 20


def clean_files(
    reply: Path,
    format_file: Path,
    *,
    draft: Path | None,
    prompt: Path | None,
    patterns: Sequence[Path] | None,
    cut_off: bool,
) -> Clean:
    """The cleaned reply of a file, by the very function that a program would call."""
    from onlytext._formatfile import load_format  # it needs pydantic, which is slow to import

    refuse_two_stdins(reply, draft, prompt)
    shape = load_format(format_file)
    own = load_patterns(patterns)
    return clean(
        read_input(reply),
        shape,
        draft=read_optional(draft),
        prompt=read_optional(prompt),
        finished=not cut_off,
        patterns=own,
    )


def load_patterns(files: Sequence[Path] | None) -> Patterns | None:
    """The built-in patterns with those of the files; none where there are no files."""
    return Patterns.load(*files) if files else None


def tell_doubts(cleaned: Clean) -> None:
    """Say on stderr what may be wrong with the text, so that it does not pass unseen in a pipe."""
    for doubt in cleaned.doubts[:_DOUBTS_TOLD]:
        line = cleaned.reply.count("\n", 0, doubt.start) + 1
        stretch = f": {snippet(doubt.text)}" if doubt.text.strip() else ""
        say(f"doubt, line {line} of the reply: {doubt.reason}{stretch}")
    if len(cleaned.doubts) > _DOUBTS_TOLD:
        say(f"and {len(cleaned.doubts) - _DOUBTS_TOLD} more doubts; --json has them all")


def snippet(text: str) -> str:
    r"""The start of a text on one line, in quotes.

    >>> snippet("one\n two")
    '"one two"'
    """
    flat = " ".join(text.split())
    return f'"{flat}"' if len(flat) <= _SNIPPET else f'"{flat[: _SNIPPET - 1]}…"'
