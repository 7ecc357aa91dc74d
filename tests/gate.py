"""The quality gate: figures on the cases that may only get better.

`python -m tests.gate` compares the figures with the floors in floors.json. `--tighten` takes over
what is better, and never anything that is worse. What is worse needs `--lower "why"`, and the reason
stands in the file from then on, where a diff shows it. Harm can't be lowered at all: where a lawful
text is changed, the cleaner is mended.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from onlytext._cases import read_cases
from onlytext._score import score

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from onlytext._score import Score

HERE: Final = Path(__file__).parent
FLOORS: Final = HERE / "floors.json"
CASES: Final = HERE / "cases"
MODES: Final = ("with draft", "without draft")


@dataclass(frozen=True, slots=True)
class Figures:
    """What is not right of one case file in one mode, counted by group; all of it, and the wrong.

    A group is `language en`, `leak before`, or `no content`. A silently wrong answer may become a
    refusal, and nothing else may get worse. `harm` are the ids of lawful texts that were changed.
    """

    counts: Mapping[str, int]
    harm: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Floor:
    """The figures that are held for one case file, and the fingerprint of the file they are of."""

    cases: str
    modes: Mapping[str, Figures]


def fingerprint(file: Path) -> str:
    """A name for just these cases."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:24]


def figures_of(found: Score) -> Figures:
    """The figures of a score."""
    counts: Counter[str] = Counter()
    for result in found.results:
        case = result.case
        if result.verdict == "right" or case.kind == "no leak":
            continue
        groups = [f"language {case.lang}"]
        groups += ["no content"] if case.kind == "no content" else []
        groups += [f"leak {leak}" for leak in case.leaks if case.kind == "leaking"]
        for group in groups:
            counts[f"{group}: not right"] += 1
            if result.verdict == "wrong":
                counts[f"{group}: wrong"] += 1
    lawful = [one for one in found.results if one.case.kind == "no leak"]
    harm = [one.case.id for one in lawful if one.verdict == "wrong"]
    counts["no leak: refused"] = sum(one.verdict == "refused" for one in lawful)
    counts += Counter()  # without the zeros
    return Figures(dict(sorted(counts.items())), tuple(sorted(harm)))


def floor_of(file: Path) -> Floor:
    """The figures of a case file as they are now."""
    cases = read_cases(file)
    return Floor(
        fingerprint(file),
        {mode: figures_of(score(cases, draft=mode == "with draft")) for mode in MODES},
    )


def faults(name: str, now: Floor, held: Floor | None) -> Iterator[str]:
    """What is worse than it was, a sentence each."""
    if held is None:
        yield f"{name}: nothing is held of this file yet"
        return
    if now.cases != held.cases:
        yield f"{name}: the cases are not those that the floors are of"
    for mode in MODES:
        new, old = now.modes[mode], held.modes[mode]
        for group, count in new.counts.items():
            before = old.counts.get(group, 0)
            if count > before:
                yield f"{name}, {mode}, {group}: {count}, and it was {before}"
        for case in sorted(set(new.harm) - set(old.harm)):
            yield f"{name}, {mode}: {case} is a lawful text, and it is changed"


def tightened(now: Floor, held: Floor | None, *, lower: bool) -> Floor:
    """The floor to hold from now on: the better figure of each two, or those of now where allowed.

    Harm that was not held before is never taken over.
    """
    if held is None:
        return now
    modes: dict[str, Figures] = {}
    for mode in MODES:
        new, old = now.modes[mode], held.modes[mode]
        counts = {
            group: count if lower else min(count, old.counts.get(group, 0))
            for group, count in new.counts.items()
        }
        harm = tuple(case for case in new.harm if case in old.harm)
        modes[mode] = Figures({group: count for group, count in counts.items() if count}, harm)
    return Floor(now.cases, modes)


def read_floors(file: Path = FLOORS) -> tuple[dict[str, Floor], list[dict[str, str]]]:
    """The floors by case file, and when and why some were lowered."""
    if not file.exists():
        return {}, []
    table: dict[str, Any] = json.loads(file.read_text("utf-8"))
    floors = {
        name: Floor(
            row["cases"],
            {mode: Figures(row[mode]["counts"], tuple(row[mode]["harm"])) for mode in MODES},
        )
        for name, row in table["floors"].items()
    }
    return floors, table["lowered"]


def write_floors(
    floors: Mapping[str, Floor], lowered: Sequence[Mapping[str, str]], file: Path = FLOORS
) -> None:
    """Write the floors, so that a diff shows each figure on a line of its own."""
    table = {
        "floors": {
            name: {
                "cases": floor.cases,
                **{
                    mode: {"counts": dict(found.counts), "harm": list(found.harm)}
                    for mode, found in floor.modes.items()
                },
            }
            for name, floor in sorted(floors.items())
        },
        "lowered": list(lowered),
    }
    file.write_text(json.dumps(table, ensure_ascii=False, indent=1) + "\n", "utf-8")


def case_files(folder: Path = CASES) -> list[Path]:
    """The case files that the gate looks at; the traps have tests of their own."""
    return sorted(file for file in folder.glob("*.jsonl") if file.stem != "traps")


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, or take over; 1 where something is worse and may not be."""
    parser = argparse.ArgumentParser(prog="python -m tests.gate", description=__doc__)
    parser.add_argument("--tighten", action="store_true", help="take over what is better")
    parser.add_argument("--lower", metavar="WHY", help="take over what is worse, too, and say why")
    given = parser.parse_args(arguments)
    floors, lowered = read_floors()
    now = {file.name: floor_of(file) for file in case_files()}
    worse = [
        fault for name, floor in now.items() for fault in faults(name, floor, floors.get(name))
    ]
    for fault in worse:
        sys.stdout.write(f"{fault}\n")
    if given.lower is not None or given.tighten:
        if given.lower:
            lowered = [*lowered, {"why": given.lower, "what": "; ".join(worse)}]
        held = {
            name: tightened(floor, floors.get(name), lower=bool(given.lower))
            for name, floor in now.items()
        }
        write_floors(held, lowered)
        worse = [fault for name, floor in now.items() for fault in faults(name, floor, held[name])]
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
