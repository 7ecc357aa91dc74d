"""What an audit found, as tables for a person and as JSON for a program."""

from __future__ import annotations

import datetime as dt
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from onlytext.cli.explain import tell_controls as visible

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from onlytext.audit import Audit, Change, Hit, Judged, Passage, Signature, Tally

_SHOWN: Final = 20
_AROUND: Final = 60


@dataclass(frozen=True, slots=True)
class Outcome:
    """An audit, what lint and proof say, and the verdicts on its hits."""

    found: Audit
    faults: list[str]
    judged: Judged
    by: str
    verdicts: Path

    @property
    def open_hits(self) -> list[tuple[Tally, Hit]]:
        """The hits that nobody called harmless."""
        from onlytext.audit import digest_of

        return [
            (tally, hit)
            for tally in self.found.tallies
            for hit in tally.hits
            if (said := self.judged.of(hit, digest_of(tally.pattern))) is None
            or said.judgement == "harmful"
        ]

    @property
    def sound(self) -> bool:
        """Whether nothing is left to mend."""
        return not (self.faults or self.open_hits or self.found.changes)

    def signatures(self) -> Iterator[Signature]:
        """Signatures of the patterns without a fault and without an open hit."""
        from onlytext.audit import Signature, digest_of

        today = dt.datetime.now(dt.UTC).date().isoformat()
        faulty = {fault.partition(":")[0] for fault in self.faults}
        faulty |= {tally.pattern.id for tally, _ in self.open_hits}
        faulty |= {change.pattern for change in self.found.changes if change.pattern}
        for tally in self.found.tallies:
            if tally.pattern.id not in faulty:
                yield Signature(
                    pattern=tally.pattern.id,
                    digest=digest_of(tally.pattern),
                    corpus=self.found.corpus,
                    texts=self.found.texts,
                    paragraphs=self.found.paragraphs,
                    with_hint=tally.with_hint,
                    judged=len(tally.hits),
                    date=today,
                )


def audit_as_json(outcome: Outcome) -> dict[str, object]:
    """All figures, hits, changes and faults."""
    found = outcome.found
    open_hits = {(hit.pattern, hit.file, hit.row, hit.start) for _, hit in outcome.open_hits}
    return {
        "sound": outcome.sound,
        "corpus": found.corpus,
        "texts": found.texts,
        "paragraphs": found.paragraphs,
        "characters": found.characters,
        "faults": outcome.faults,
        "patterns": [
            {
                "id": tally.pattern.id,
                "with_hint": tally.with_hint,
                "hits": len(tally.hits),
                "upper_bound": found.bound(tally),
            }
            for tally in found.tallies
        ],
        "hits": [
            {**asdict(hit), "open": (hit.pattern, hit.file, hit.row, hit.start) in open_hits}
            for hit in found.hits
        ],
        "changes": [asdict(change) for change in found.changes],
    }


def print_audit(console: Console, outcome: Outcome, *, every: bool) -> None:
    """Print what was seen, what was hit in its place, and whether all is sound."""
    found = outcome.found
    for fault in outcome.faults:
        console.print(f"✗ {visible(fault)}", style="bold red", soft_wrap=True)
    if found.texts:
        _print_figures(console, outcome, every=every)
    shown = outcome.open_hits[:_SHOWN]
    for _, hit in shown:
        console.print(_hit_line(hit), soft_wrap=True, markup=True)
    if rest := len(outcome.open_hits) - len(shown):
        console.print(f"  ... and {rest} more hits; --json has them all")
    for change in found.changes[:_SHOWN]:
        console.print(_change_line(change), soft_wrap=True, style="red")
    if len(found.changes) > _SHOWN:
        console.print(f"  ... and {len(found.changes) - _SHOWN} more texts; --json has them all")
    console.print(_verdict(outcome), style="bold green" if outcome.sound else "bold red")


def _print_figures(console: Console, outcome: Outcome, *, every: bool) -> None:
    found = outcome.found
    size = sum(found.characters.values())
    console.print(
        f"{found.texts:,} texts, {found.paragraphs:,} paragraphs, {size:,} characters "
        f"(corpus {found.corpus})\n"
    )
    console.print(_patterns(found) if every else _languages(found))


def _languages(found: Audit) -> Table:
    """A row for each language: its patterns, the content that was seen, the hits."""
    table = _table(
        "language",
        "patterns",
        "characters\nof content",
        "fewest\nwith hint",
        "hits",
        "false at most",
    )
    groups: dict[str, list[Tally]] = {}
    for tally in found.tallies:
        groups.setdefault(tally.pattern.id.partition("/")[0], []).append(tally)
    for language, tallies in groups.items():
        hits = sum(len(tally.hits) for tally in tallies)
        table.add_row(
            language,
            str(len(tallies)),
            f"{found.characters.get(language, 0):,}",
            f"{min(tally.with_hint for tally in tallies):,}",
            _count(hits),
            _share(max(found.bound(tally) for tally in tallies)),
        )
    return table


def _patterns(found: Audit) -> Table:
    table = _table("pattern", "paragraphs", "with hint", "hits", "false at most")
    for tally in found.tallies:
        hits = len(tally.hits)
        table.add_row(
            tally.pattern.id,
            f"{found.paragraphs:,}",
            f"{tally.with_hint:,}",
            _count(hits),
            _share(found.bound(tally)),
        )
    return table


def _table(first: str, *others: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(first, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for name in others:
        table.add_column(name, justify="right")
    return table


def _count(hits: int) -> Text:
    from rich.text import Text

    return Text(str(hits), style="bold red" if hits else "")


def _share(rate: float) -> str:
    return f"{rate * 100:.2g} %"


def _hit_line(hit: Hit) -> str:
    """The line with what the pattern matches in the middle, and where it stands."""
    from rich.markup import escape

    before = hit.line[max(0, hit.start - _AROUND) : hit.start]
    inside = hit.line[hit.start : hit.end]
    after = hit.line[hit.end : hit.end + _AROUND]
    if len(inside) > 2 * _AROUND:
        inside = f"{inside[:_AROUND]} … {inside[-_AROUND:]}"
    told = (
        f"{escape(visible(before))}[bold red]⟦{escape(visible(inside))}⟧[/]{escape(visible(after))}"
    )
    return f"✗ {hit.pattern} hits {escape(hit.file)}:{hit.row}: {told}"


def _change_line(change: Change) -> str:
    place = f"{change.file}:{change.row} (as {change.place})"
    if change.refused:
        return f"✗ {place} is refused: {visible(change.refused)}"
    by = change.pattern or change.reason
    return f"✗ {place} loses {visible(change.gone[: 2 * _AROUND])!r}: {by}"


def _verdict(outcome: Outcome) -> str:
    found, hits = outcome.found, len(outcome.open_hits)
    if outcome.sound and not found.texts:
        return (
            f"well made and proved: {_many(len(found.tallies), 'pattern')}; "
            "no content was named to audit"
        )
    if outcome.sound:
        return f"sound: {_many(len(found.tallies), 'pattern')} without a hit, and no text changes"
    faults = len(outcome.faults)
    return (
        f"not sound: {_many(hits, 'hit')} in content, "
        f"{_many(len(found.changes), 'text')} changed or refused, "
        f"{_many(faults, 'fault')} of patterns"
    )


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


@contextmanager
def show_progress(files: list[Path], *, quiet: bool) -> Generator[Callable[[Passage], None]]:
    """What to call after each text; on a terminal it moves a bar, by files."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if quiet or not console.is_terminal or not files:
        yield lambda _: None
        return
    order = {str(file): number for number, file in enumerate(files)}
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[texts]} texts"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("auditing", total=len(files), texts=0)
        seen = 0

        def step(passage: Passage) -> None:
            nonlocal seen
            seen += 1
            bar.update(task, completed=order[passage.file], texts=seen)

        yield step
