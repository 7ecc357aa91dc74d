"""Cleans and parses the replies in demo/replies, and shows what was dropped from each, and why."""

from __future__ import annotations

import sys
import textwrap
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text as Line

from onlytext import Clean, Refused, Sections, Text, clean, parse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from onlytext import Removal

REPLIES: Final = Path(__file__).parent / "replies"
# Of a long stretch that was dropped a reader wants to see how it begins and how it ends.
_FIRST: Final = 5
_LAST: Final = 2
_WIDEST: Final = 100
_STYLES: Final = {"untouched": "green", "cleaned": "green", "refused": "yellow"}


@dataclass(frozen=True, slots=True)
class Example:
    """One folder of demo/replies: a reply, and what the model had been given."""

    name: str
    shows: str
    origin: str
    format: Sections | Text
    reply: str
    draft: str
    prompt: str | None

    @property
    def given(self) -> str:
        """What the cleaner gets of it, in words."""
        kind = "sections" if isinstance(self.format, Sections) else "plain text"
        return f"{kind}, cleaned with its draft{' and its prompt' if self.prompt else ''}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a reply: a cleaned text with its record, or the refusal."""

    example: Example
    answer: Clean | Refused
    record: dict[str, str | list[str]]

    @property
    def word(self) -> str:
        """The outcome in one word."""
        return "refused" if isinstance(self.answer, Refused) else self.answer.outcome

    @property
    def dropped(self) -> int:
        """How many characters of the reply are not in the text."""
        if isinstance(self.answer, Refused):
            return len(self.example.reply)
        return sum(len(removal.text) for removal in self.answer.removals)

    @property
    def doubts(self) -> int:
        """How many things may be wrong with the text, though it was returned."""
        return 0 if isinstance(self.answer, Refused) else len(self.answer.doubts)


def read_example(folder: Path) -> Example:
    """The example in a folder; its format is the table `[format]` of format.toml."""
    tables = tomllib.loads((folder / "format.toml").read_text("utf-8"))
    prompt = folder / "prompt.txt"
    return Example(
        name=folder.name,
        shows=tables["about"]["shows"],
        origin=tables["about"]["origin"],
        format=_format(**tables["format"]),
        reply=(folder / "reply.txt").read_text("utf-8"),
        draft=(folder / "draft.txt").read_text("utf-8"),
        prompt=prompt.read_text("utf-8") if prompt.is_file() else None,
    )


def _format(*, kind: str, markers: Iterable[str] = (), **channels: str) -> Sections | Text:
    return Sections(*markers, **channels) if kind == "sections" else Text(**channels)


def read_examples() -> list[Example]:
    """All of them, by their names."""
    return [read_example(folder) for folder in sorted(REPLIES.iterdir()) if folder.is_dir()]


def clean_example(example: Example) -> Outcome:
    """The reply of an example, cleaned and parsed; or refused."""
    try:
        cleaned = clean(example.reply, example.format, draft=example.draft, prompt=example.prompt)
    except Refused as refusal:
        return Outcome(example, refusal, {})
    return Outcome(example, cleaned, parse(cleaned).to_dict())


# ---------------------------------------------------------------- one reply


def show(console: Console, outcome: Outcome, place: str) -> None:
    """Print what was dropped from a reply, why, and the text or the record that is left."""
    example = outcome.example
    console.rule(Line(f"{place}  {example.name}", "bold"), align="left", style="dim")
    console.print(example.shows)
    console.print(f"{example.given} · {example.origin}\n", style="dim")
    if isinstance(outcome.answer, Refused):
        _show_refusal(console, outcome.answer)
    else:
        _show_clean(console, outcome.answer, outcome.record)
    console.print()


def _show_clean(console: Console, cleaned: Clean, record: dict[str, str | list[str]]) -> None:
    if not cleaned.removals:
        console.print("untouched: not a character was dropped", style="green")
    for removal in cleaned.removals:
        if removal.text.strip():
            _show_removal(console, removal, cleaned.reply)
    spelled = [
        f"{cleaned.reply[piece.start : piece.end].strip()} → {piece.put.strip()}"
        for piece in cleaned.pieces
        if piece.put is not None and piece.put.strip() != cleaned.reply[piece.start : piece.end]
    ]
    if spelled := [one for one in spelled if not one.startswith(" →")]:
        console.print(Line.assemble(("markers as the format spells them: ", "bold")), end="")
        console.print(", ".join(spelled), style="cyan")
    for doubt in cleaned.doubts:
        console.print(Line.assemble(("doubt: ", "bold yellow"), (doubt.reason, "yellow")))
    if cleaned.sections:
        console.print("\nthe record:", style="bold")
        console.print(Padding(_table(record), (0, 0, 0, 2)))
    else:
        console.print("\nthe text:", style="bold")
        console.print(Padding(cleaned.text.strip(), (0, 0, 0, 2)))


def _show_removal(console: Console, removal: Removal, reply: str) -> None:
    lines = removal.text.strip("\n").split("\n")
    first = reply.count("\n", 0, removal.start + len(removal.text) - len(removal.text.lstrip("\n")))
    last = first + len(lines)
    where = f"line {last}" if len(lines) == 1 else f"lines {first + 1} to {last}"
    by = f", by the pattern {removal.pattern}" if removal.pattern else ""
    console.print(Line.assemble((f"dropped, {where}: ", "bold"), (removal.reason + by, "cyan")))
    hidden = len(lines) - _FIRST - _LAST
    if hidden > 1:
        lines[_FIRST:-_LAST] = [f"… {hidden} more lines …"]
    _show_lines(console, lines, "  - ", "red")


def _show_refusal(console: Console, refusal: Refused) -> None:
    console.print(f"refused: {refusal.why}", style="bold yellow")
    lines = refusal.reply.split("\n")
    _show_lines(console, [*lines[:_FIRST], f"… {len(lines) - _FIRST} more lines …"], "  ", "dim")
    console.print(Line.assemble(("to ask the model again: ", "bold"), (refusal.retry, "cyan")))


def _show_lines(console: Console, lines: Iterable[str], sign: str, style: str) -> None:
    blank = " " * len(sign)
    for line in lines:
        wrapped = textwrap.wrap(
            line,
            console.width,
            initial_indent=sign,
            subsequent_indent=blank,
            break_on_hyphens=False,
        )
        console.print("\n".join(wrapped or [sign.rstrip()]), style=style)


def _table(record: dict[str, str | list[str]]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for marker, value in record.items():
        if isinstance(value, str):
            table.add_row(marker, value)
            continue
        for number, body in enumerate(value, start=1):
            table.add_row(marker if number == 1 else "", f"{number}. {body}")
    return table


# ---------------------------------------------------------------- all of them


def show_summary(console: Console, outcomes: list[Outcome]) -> None:
    """Print a row for each reply, and the sums."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("reply", no_wrap=True)
    table.add_column("outcome", no_wrap=True)
    for name in ("characters", "dropped", "", "doubts"):
        table.add_column(name, justify="right", no_wrap=True)
    for outcome in outcomes:
        whole = len(outcome.example.reply)
        table.add_row(
            outcome.example.name,
            Line(outcome.word, _STYLES[outcome.word]),
            f"{whole:,}",
            f"{outcome.dropped:,}",
            f"{outcome.dropped / whole:.0%}",
            Line(str(outcome.doubts), "yellow" if outcome.doubts else ""),
        )
    console.rule(Line("all of them", "bold"), align="left", style="dim")
    console.print(table)
    counts = {word: sum(one.word == word for one in outcomes) for word in _STYLES}
    told = ", ".join(f"{count} {word}" for word, count in counts.items())
    console.print(f"\n{len(outcomes)} replies: {told}.", style="bold")
    console.print(
        "They are examples of what comes out right. How often that is, and how often it is not, "
        'stands in README.md under "How good it is".'
    )


def show_next(console: Console) -> None:
    """Print what to try next."""
    one = _short(REPLIES) / "en-think-tag"
    command = _short(Path(sys.executable).parent) / "onlytext"
    files = (
        f"{one}/reply.txt --format {one}/format.toml \\\n    --draft {one}/draft.txt"  # a long line
    )
    console.print("\nWhat to try next", style="bold")
    for what, line in (
        (
            "One of them in place, what was dropped struck through:",
            f"{command} clean {files} --explain",
        ),
        ("Its record as JSON:", f"{command} parse {files}"),
        ("From a reply of your own to a pydantic model, in ten minutes:", "docs/tutorial.md"),
        ("The proof of all that is promised:", "make test"),
    ):
        console.print(what)
        console.print(Line(f"  {line}", "cyan"), soft_wrap=True)


def _short(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def main() -> None:
    """Show every reply, then a table of all, then what to try next."""
    console = Console(highlight=False, markup=False, emoji=False)
    console.width = min(console.width, _WIDEST)
    examples = read_examples()
    start = time.perf_counter()
    outcomes = [clean_example(examples[0])]
    first = time.perf_counter() - start
    outcomes += [clean_example(example) for example in examples[1:]]
    others = time.perf_counter() - start - first
    console.print(
        f"{len(examples)} replies of models that were asked to check a text and to return only the "
        "text, in the folder demo/replies. Those marked with the name of a model came out of it "
        "like this; the others were written by hand, after replies that were seen.\n"
    )
    for number, outcome in enumerate(outcomes, start=1):
        show(console, outcome, f"{number} of {len(outcomes)}")
    show_summary(console, outcomes)
    console.print(
        f"It took {1000 * others / len(outcomes[1:]):.0f} ms a reply, and {1000 * first:.0f} ms "
        "for the first one, with which all patterns are loaded."
    )
    show_next(console)


if __name__ == "__main__":
    main()
