"""Writes the figures into docs/explanation/speed.md, each table between its two comments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bench.documents import KILOBYTE
from bench.startup import BUDGET
from bench.tables import length_name
from bench.trials import MEMORY, SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bench.bulk import Pass
    from bench.contest import Contest
    from bench.growth import Climb, Step
    from bench.startup import Startup
    from bench.trials import Trial

_SLOWEST: Final = 10


def fill_page(page: str, tables: Mapping[str, str]) -> str:
    """The page with new tables in the places that are named for them; the others stay."""
    for name, table in tables.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, found, rest = page.partition(begin)
        _, found_too, after = rest.partition(end)
        if not (found and found_too):
            raise LookupError(f"the page has no lines {begin.strip()} and {end}")
        page = f"{before}{begin}{table}\n{end}{after}"
    return page


def contest_table(contest: Contest) -> str:
    """What each call costs on one kind of replies."""
    rows = [
        (
            f"{cost.who} `{cost.what}`",
            f"{cost.ratio:,.1f}",
            "" if cost.budget is None else f"{cost.budget:g}",
            f"{cost.micros:,.1f}",
            f"{cost.right} of {cost.of}",
            str(cost.refused or ""),
        )
        for cost in contest.costs
    ]
    return _table(("call", "× split", "at most", "µs", "right", "errors"), rows)


def growth_table(climbs: Sequence[Climb]) -> str:
    """What a kilobyte costs in replies of each length."""
    longest = max((climb.steps for climb in climbs), key=len)
    heads = ["µs for each KB", *(length_name(step.bytes) for step in longest), "memory"]
    rows: list[list[str]] = []
    for climb in climbs:
        cells = [_micros(step) for step in climb.steps]
        memory = climb.steps[-1].memory
        blank = [""] * (len(longest) - len(cells))
        rows.append([climb.name, *cells, *blank, "" if memory is None else f"{memory:.0f} times"])
    return _table(heads, rows)


def hostile_table(trials: Sequence[Trial]) -> str:
    """How many inputs are within the limits, and those that take longest."""
    good = sum(not trial.faults for trial in trials)
    kinds = len({trial.input for trial in trials})
    slowest = sorted(trials, key=lambda trial: -(trial.seconds or 1e9))[:_SLOWEST]
    rows = [
        (
            f"`{trial.input}`",
            trial.way,
            trial.outcome.ended if trial.seconds is None else f"{trial.seconds:.2f}",
            "" if trial.memory is None else f"{trial.memory:.0f} times",
        )
        for trial in slowest
    ]
    heads = ("the slowest", "how it comes in", "seconds", "memory")
    return (
        f"{good} of {len(trials)} trials with {kinds} inputs end within {SECONDS} seconds and "
        f"{MEMORY:g} times their size in memory.\n\n{_table(heads, rows)}"
    )


def bulk_table(passes: Iterable[Pass]) -> str:
    """What files of stored replies take, over a copy of the same file."""
    rows = [
        (
            one.name,
            f"{one.ratio:.1f}",
            "" if one.at_most is None else f"{one.at_most:g}",
            f"{one.micros:,.0f}",
            f"{one.processor * 1e6 / one.rows:,.0f}",
            f"{one.memory / 1e6:,.0f}",
        )
        for one in passes
    ]
    heads = ("", "× the copy", "at most", "µs a row", "of a processor", "MB")
    return _table(heads, rows)


def startup_table(startup: Startup) -> str:
    """What the import and the first reply take."""
    rows = [
        ("a bare interpreter", f"{startup.bare * 1e3:.0f}", ""),
        ("`import onlytext`, on top of it", f"{startup.imported * 1e3:.0f}", f"{BUDGET * 1e3:g}"),
        ("the first reply, on top of that", f"{startup.first * 1e3:.0f}", ""),
    ]
    return _table(("", "ms", "at most"), rows)


def sizes_of(contests: Iterable[Contest]) -> str:
    """How long the replies of each kind are."""
    return "; ".join(
        f"{one.name}: {one.bytes / KILOBYTE:.1f} KB, {one.lines:.0f} lines" for one in contests
    )


def _micros(step: Step) -> str:
    if step.micros is None:
        return step.outcome.ended.partition(":")[0]
    return f"{step.micros:,.1f}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---", *("---:" for _ in heads[1:])], *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines
    )
