"""What came of a run, as the demos show it: what did not come through, and replies as cleaned."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from demo.stored import Cleaning, Journal

ROOT: Final = Path(__file__).resolve().parent.parent
JOB: Final = ROOT / "demo" / "job"
TOOL: Final = Path(sys.executable).parent / "onlytext"
# The run shows on one screen what it did; wider lines would be hard to read.
_WIDEST: Final = 100


def wide_console() -> Console:
    """Standard output, no wider than is good to read."""
    console = Console(highlight=False, markup=False, emoji=False)
    console.width = min(console.width, _WIDEST)
    return console


def forget(out: Path) -> None:
    """Make room for a run's files: with its old journal there, it would ask for nothing."""
    out.parent.mkdir(parents=True, exist_ok=True)
    for old in out.parent.glob(f"{out.name}*"):
        old.unlink()


def show_command(console: Console, arguments: Iterable[str]) -> None:
    """Print the command that runs next."""
    console.print(Text(f"$ onlytext {' '.join(arguments)}", "bold cyan"), soft_wrap=True)
    console.file.flush()


def show_exceptions(console: Console, journal: Journal) -> None:
    """Print the items that are not `ok`, and why."""
    rows = journal.exceptions()
    show_head(console, "what did not come through both passes")
    for item, status, cause in rows:
        console.print(Text.assemble((item, "bold"), " ", (status, "yellow"), f": {cause}"))
    if not rows:
        console.print("everything did")


def show_cleaning(console: Console, title: str, about: str, cleaning: Cleaning) -> None:
    """Print a reply with what was dropped from it struck through, or between [- and -]."""
    head, _, rest = title.partition(": ")
    console.print(Text.assemble(("\n" + head, "bold"), f": {rest}"))
    console.print(f"{about}\n", style="dim")
    console.print(marked(cleaning, colours=console.color_system is not None))


def marked(cleaning: Cleaning, *, colours: bool) -> Text:
    """The reply with its removals marked; blanks at their ends stand outside of the marks."""
    text, place = Text(), 0
    for start, end in cleaning.removals:
        text.append(cleaning.reply[place:start])
        dropped = cleaning.reply[start:end]
        core = dropped.strip()
        before, _, after = dropped.partition(core) if core else (dropped, "", "")
        text.append(before)
        if core:
            text.append(core if colours else f"[-{core}-]", "red strike")
        text.append(after)
        place = end
    text.append(cleaning.reply[place:])
    text.rstrip()
    return text


def show_next(console: Console, steps: Iterable[tuple[str, str]]) -> None:
    """Print what to look at, each with its file or its command."""
    console.print()
    show_head(console, "what to look at")
    for what, line in steps:
        console.print(what)
        console.print(Text(f"  {line}", "cyan"), soft_wrap=True)


def show_head(console: Console, title: str) -> None:
    """Print a line with a title."""
    console.rule(Text(title, "bold"), align="left", style="dim")


def short(path: Path) -> str:
    """The path as seen from the project's folder."""
    return str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)
