"""Prints what was measured as tables that a person can read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bench.documents import KILOBYTE
from bench.startup import BUDGET
from bench.trials import MEMORY, SECONDS, WAYS
from rich.console import Console
from rich.progress import track
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bench.bulk import Pass
    from bench.contest import Contest
    from bench.growth import Climb, Step
    from bench.hotspots import Gate, Hotspots
    from bench.startup import Startup
    from bench.trials import Trial

_WIDTH: Final = 118


class Printer:
    """Tables on the standard output: in colour on a terminal, plain elsewhere."""

    def __init__(self) -> None:
        console = Console(highlight=False)
        # A file or a pipe has no width of its own.
        self._console = console if console.is_terminal else Console(highlight=False, width=_WIDTH)

    def say(self, sentence: str) -> None:
        """One paragraph."""
        self._console.print(sentence, markup=False)

    def _table(self, title: str, *columns: str) -> Table:
        table = Table(
            title=title, title_justify="left", title_style="bold", box=None, pad_edge=False
        )
        for index, column in enumerate(columns):
            table.add_column(column, justify="right" if index else "left", no_wrap=index > 0)
        return table

    def print_contest(self, contest: Contest) -> None:
        """What each call costs on one kind of replies."""
        title = (
            f"\n{contest.name}: {contest.replies} replies, "
            f"{contest.bytes / KILOBYTE:.1f} KB and {contest.lines:.0f} lines on average"
        )
        table = self._table(title, "", "µs", "× split", "at most", "right", "errors")
        for cost in contest.costs:
            budget = "" if cost.budget is None else f"{cost.budget:g}"
            table.add_row(
                f"{cost.who} {cost.what}",
                f"{cost.micros:,.1f}",
                _marked(f"{cost.ratio:,.1f}", good=cost.within),
                budget,
                f"{cost.right} of {cost.of}",
                str(cost.refused or ""),
            )
        self._console.print(table)
        for mine, theirs in contest.beaten_by.items():
            self.say(f"  {mine} takes longer than {', '.join(theirs)}")

    def print_growth(self, climbs: Sequence[Climb]) -> None:
        """What a kilobyte costs in replies of each length."""
        lengths = max((climb.steps for climb in climbs), key=len)
        names = [length_name(step.bytes) for step in lengths]
        title = "\nµs for each KB of a reply, by its length"
        table = self._table(title, "", *names, "steepest", "memory")
        for climb in climbs:
            cells = [_micros(step) for step in climb.steps]
            cells += [""] * (len(names) - len(cells))
            steepest = "" if climb.steepest is None else f"{climb.steepest:.1f}"
            last = climb.steps[-1].memory if climb.steps else None
            table.add_row(climb.name, *cells, steepest, "" if last is None else f"{last:.0f} ×")
        self._console.print(table)
        self.say(
            "  steepest: what a KB costs over one of a reply a tenth as long (1 is linear, 10 "
            "quadratic). memory: the peak on top of reply and draft, over the size of the reply."
        )

    def print_trials(self, trials: Sequence[Trial]) -> None:
        """Seconds of each hostile input, one column a way, and the most memory of any."""
        if not trials:
            return
        title = f"\nHostile replies, {trials[0].bytes / 1e6:g} MB each: seconds"
        table = self._table(title, "", *WAYS, "memory")
        for name in dict.fromkeys(trial.input for trial in trials):
            rows = {trial.way: trial for trial in trials if trial.input == name}
            most = max((trial.memory or 0 for trial in rows.values()), default=0)
            cells = [_seconds(rows[way]) if way in rows else "" for way in WAYS]
            table.add_row(name, *cells, _marked(f"{most:.0f} ×", good=most <= MEMORY))
        self._console.print(table)
        bad = [trial for trial in trials if trial.faults]
        self.say(
            f"  {len(trials) - len(bad)} of {len(trials)} end by themselves within {SECONDS} s and "
            f"{MEMORY:g} times their size in memory, in time that grows no faster than they do"
        )
        for trial in bad:
            self.say(f"  {trial.input} ({trial.way}): {'; '.join(trial.faults)}")

    def print_bulk(self, passes: Sequence[Pass]) -> None:
        """What files of stored replies take, over a copy of the same file."""
        table = self._table(
            f"\nFiles of stored replies, 1 to 4 KB each, up to {max(one.rows for one in passes):,} rows",
            *("", "µs a row", "of a processor", "× copy", "at most", "MB"),
        )
        for one in passes:
            table.add_row(
                one.name,
                f"{one.micros:,.1f}",
                f"{one.processor * 1e6 / one.rows:,.1f}",
                _marked(f"{one.ratio:,.1f}", good=one.within),
                "" if one.at_most is None else f"{one.at_most:g}",
                f"{one.memory / 1e6:,.0f}",
            )
        self._console.print(table)

    def print_startup(self, startup: Startup) -> None:
        """What the import takes."""
        table = self._table("\nStart, milliseconds of processor time", "", "ms", "at most")
        table.add_row("a bare interpreter", f"{startup.bare * 1e3:.1f}", "")
        added = _marked(f"{startup.imported * 1e3:.1f}", good=startup.within)
        table.add_row("import onlytext, on top of it", added, f"{BUDGET * 1e3:g}")
        table.add_row("the first reply, on top of that", f"{startup.first * 1e3:.1f}", "")
        self._console.print(table)
        heavy = ", ".join(f"{module.name} {module.own:.1f}" for module in startup.heaviest)
        self.say(f"  heaviest modules, without what they import: {heavy}")

    def print_hotspots(self, hotspots: Sequence[Hotspots]) -> None:
        """The functions that take most of the time."""
        for one in hotspots:
            title = f"\n{one.group}, {one.what}: shares of the time"
            table = self._table(title, "", "calls a reply", "own", "with calls")
            for spot in one.spots:
                table.add_row(
                    spot.function, f"{spot.calls:,.1f}", f"{spot.own:.1%}", f"{spot.all:.1%}"
                )
            self._console.print(table)

    def print_gate(self, gate: Gate) -> None:
        """What the patterns cost a clean reply."""
        self.say(
            f"\nAll {gate.patterns} patterns over a clean reply: {gate.all:.1f} µs; one by itself: "
            f"{gate.median:.1f} µs. The heaviest by themselves:"
        )
        for name, micros in gate.heaviest:
            self.say(f"  {micros:6.1f}  {name}")


def shown(trials: Iterator[Trial], total: int) -> Iterable[Trial]:
    """The trials, with a bar on the terminal that tells how far they are."""
    console = Console(stderr=True)
    return track(trials, "hostile replies", total, console=console, disable=not console.is_terminal)


def length_name(size: int) -> str:
    """A length as a person says it: 10 KB, 1 MB."""
    kilobytes = round(size / KILOBYTE)
    return f"{kilobytes} KB" if kilobytes < KILOBYTE else f"{round(kilobytes / KILOBYTE)} MB"


def _micros(step: Step) -> str:
    if step.micros is None:
        return step.outcome.ended.partition(":")[0]
    return f"{step.micros:,.1f}"


def _seconds(trial: Trial) -> str:
    if trial.seconds is None:
        return _marked(trial.outcome.ended.partition(":")[0], good=False)
    return _marked(f"{trial.seconds:.3f}", good=not trial.faults)


def _marked(figure: str, *, good: bool | None) -> str:
    """A figure, and whether it is as it should be: in colour, and by a sign."""
    if good is None:
        return figure
    return f"[green]{figure}[/green]" if good else f"[red]{figure} ![/red]"
