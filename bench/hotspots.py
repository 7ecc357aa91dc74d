"""Where the time of a clean goes: functions, for each kind of reply, and patterns."""

from __future__ import annotations

import cProfile
import pstats
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from bench.clock import Row, time_rows
from bench.contenders import Contender, ours
from bench.contest import GROUPS
from bench.documents import shelf

from onlytext import Patterns

if TYPE_CHECKING:
    from collections.abc import Sequence

_FUNCTION = tuple[str, int, str]
_FIGURES = tuple[int, int, float, float, object]
_SOURCE: Final = "onlytext"


class Spot(NamedTuple):
    """A function, how often it is called for one reply, and its shares of the time."""

    function: str
    calls: float
    own: float
    """The share of its own code and of what it calls of Python itself or of other libraries."""
    all: float
    """The share with everything that it calls."""


@dataclass(frozen=True, slots=True)
class Hotspots:
    """One call on one kind of reply: its heaviest functions, by the time of their own code."""

    group: str
    what: str
    spots: tuple[Spot, ...]


def find_hotspots(*, count: int = 12) -> list[Hotspots]:
    """The heaviest functions of each call that has a budget."""
    found: list[Hotspots] = []
    for name, kind, leaking in GROUPS:
        for contender in ours(kind, leaking=leaking):
            if contender.budget is not None or contender.what == "clean(reply)":
                documents = shelf(kind, leaking=leaking)
                items = [contender.arguments(document) for document in documents]
                found.append(
                    Hotspots(name, contender.what, tuple(_spots(contender, items)[:count]))
                )
    return found


@dataclass(frozen=True, slots=True)
class Gate:
    """What it costs to see that no pattern can match a clean reply, in microseconds."""

    patterns: int
    all: float
    median: float
    """One pattern by itself, the usual case."""
    heaviest: tuple[tuple[str, float], ...]
    """Patterns that cost more by themselves: mostly those that begin with a gap."""


def measure_gate(*, count: int = 10, rounds: int = 5) -> Gate:
    """The cost of the gate with all patterns, and with each one by itself."""
    texts = [(document.text,) for document in shelf("plain")]
    known = Patterns.load()
    rows = {"": _gate_row(known, texts)}
    rows |= {row.id: _gate_row(Patterns((row,)), texts) for row in known.rows}
    times = time_rows(rows, rounds=rounds, least=0)
    alone = {row.id: times.each(row.id) * 1e6 for row in known.rows}
    heaviest = sorted(alone.items(), key=lambda item: -item[1])[:count]
    return Gate(
        len(known.rows), times.each("") * 1e6, median(alone.values() or [0.0]), tuple(heaviest)
    )


def _gate_row(patterns: Patterns, texts: Sequence[tuple[str, ...]]) -> Row:
    def call(text: str) -> int:
        return patterns.gate(text.encode())

    return Row(call, texts)


def _spots(contender: Contender, items: Sequence[tuple[str, ...]], passes: int = 3) -> list[Spot]:
    for item in items:
        contender.call(*item)
    profile = cProfile.Profile(builtins=False)
    profile.enable()
    for _ in range(passes):
        for item in items:
            contender.call(*item)
    profile.disable()
    stats = pstats.Stats(profile)
    rows = cast("dict[_FUNCTION, _FIGURES]", vars(stats)["stats"])
    total = cast("float", vars(stats)["total_tt"]) or 1.0
    calls = passes * len(items)
    spots = [
        Spot(_named(function), figures[1] / calls, figures[2] / total, figures[3] / total)
        for function, figures in rows.items()
    ]
    return sorted(spots, key=lambda spot: -spot.own)


def _named(function: tuple[str, int, str]) -> str:
    path, line, name = function
    parts = Path(path).parts
    home = _SOURCE if _SOURCE in parts else "site-packages"
    inside = parts[parts.index(home) + 1 :] if home in parts else parts[-1:]
    return f"{'/'.join(inside)}:{line} {name}"
