"""Takes every measurement in one run, prints it, and tells what is over its budget.

    make bench                                       everything; some minutes
    python bench/run.py --quick                      fewer rounds and inputs, up to 1 MB
    python bench/run.py --only startup               one part; can be repeated
    python bench/run.py --only bulk                  files of stored replies, over a copy of them
    python bench/run.py --only hotspots              where the time goes, function by function
    python bench/run.py --json FILE                  the figures as JSON as well
    python bench/run.py --page                       and write them into docs/explanation/speed.md

The exit code is 1 where a figure is over its budget.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import platform
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench.bulk import ROWS, Pass, measure_bulk
from bench.contest import Contest, hold_contests
from bench.growth import SIZES, Climb, climb
from bench.hostile import FEW, inputs
from bench.hotspots import Gate, Hotspots, find_hotspots, measure_gate
from bench.page import (
    bulk_table,
    contest_table,
    fill_page,
    growth_table,
    hostile_table,
    sizes_of,
    startup_table,
)
from bench.startup import Startup, measure_startup
from bench.tables import Printer, shown
from bench.trials import WAYS, Trial, try_all

if TYPE_CHECKING:
    from collections.abc import Sequence

_PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "explanation" / "speed.md"
_BENCHMARKS: Final = _PAGE.parent.parent / "benchmarks.md"
PARTS: Final = ("startup", "growth", "hostile", "contest", "hotspots", "bulk")
"""In this order: hostile inputs fork a process each, and other libraries start threads."""


@dataclass(slots=True)
class Report:
    """Everything that was measured."""

    python: str = platform.python_version()
    machine: str = f"{platform.system()} {platform.machine()}"
    startup: Startup | None = None
    growth: Sequence[Climb] = ()
    hostile: Sequence[Trial] = ()
    contests: Sequence[Contest] = ()
    hotspots: Sequence[Hotspots] = ()
    gate: Gate | None = None
    bulk: Sequence[Pass] = ()

    def tables(self) -> dict[str, str]:
        """What was measured as Markdown, by the place that it has in the page."""
        found = {one.name: contest_table(one) for one in self.contests}
        if self.growth:
            found["growth"] = growth_table(self.growth)
        if self.hostile:
            found["hostile replies"] = hostile_table(self.hostile)
        if self.startup is not None:
            found["start"] = startup_table(self.startup)
        if self.contests:
            found["lengths"] = sizes_of(self.contests)
            found["machine"] = f"Python {self.python}, {self.machine}, {os.cpu_count()} cores"
        return found

    def bulk_tables(self) -> dict[str, str]:
        """Likewise, for the page of benchmarks."""
        if not self.bulk:
            return {}
        machine = f"Python {self.python}, {self.machine}, {os.cpu_count()} cores"
        return {"stored replies": bulk_table(self.bulk), "machine": machine}

    @property
    def over(self) -> bool:
        """Whether a figure is over its budget."""
        return (
            (self.startup is not None and not self.startup.within)
            or any(one.within is False for one in self.bulk)
            or any(trial.faults for trial in self.hostile)
            or any(cost.within is False for contest in self.contests for cost in contest.costs)
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures what is asked for and prints it."""
    options = _options().parse_args(arguments)
    parts = options.only or [part for part in PARTS if part != "hotspots"]
    printer, report = Printer(), Report()
    if "startup" in parts:
        report.startup = measure_startup(runs=5 if options.quick else 31)
        printer.print_startup(report.startup)
    if "growth" in parts:
        report.growth = list(climb(sizes=SIZES[:-1] if options.quick else SIZES))
        printer.print_growth(report.growth)
    if "hostile" in parts:
        names = FEW if options.quick else inputs()
        trials = try_all(names, limit=3 if options.quick else 8)
        report.hostile = list(shown(trials, len(names) * len(WAYS)))
        printer.print_trials(report.hostile)
    if "contest" in parts:
        from bench.peers import peers

        rounds, least = (5, 0.005) if options.quick else (15, 0.02)
        report.contests = hold_contests(rounds=rounds, least=least, peers=peers)
        for contest in report.contests:
            printer.print_contest(contest)
    if "hotspots" in parts:
        report.hotspots = find_hotspots()
        printer.print_hotspots(report.hotspots)
        report.gate = measure_gate()
        printer.print_gate(report.gate)
    if "bulk" in parts:
        _measure_bulk(report, printer, quick=options.quick)
    if options.json:
        written = json.dumps(dataclasses.asdict(report), ensure_ascii=False, indent=1)
        options.json.write_text(written + "\n", "utf-8")
    if options.page:
        _fill_pages(report)
    return 1 if report.over else 0


def _fill_pages(report: Report) -> None:
    for page, tables in ((_PAGE, report.tables()), (_BENCHMARKS, report.bulk_tables())):
        page.write_text(fill_page(page.read_text("utf-8"), tables), "utf-8")


def _measure_bulk(report: Report, printer: Printer, *, quick: bool) -> None:
    if find_spec("pyarrow") is None:
        printer.say("\nStored replies: pyarrow is missing, so nothing is measured")
        return
    report.bulk = measure_bulk(rows=ROWS // 5 if quick else ROWS)
    printer.print_bulk(report.bulk)


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bench/run.py", description="Measures the speed of onlytext, next to other libraries."
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds and inputs, up to 1 MB")
    parser.add_argument("--only", action="append", choices=PARTS, help="one part; can be repeated")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    parser.add_argument("--page", action="store_true", help="write the tables into the docs' page")
    return parser
