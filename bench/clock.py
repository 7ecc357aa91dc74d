"""Times rows next to each other, in turns, so that a busy machine slows all of them alike.

What counts is the processor time of this thread. A figure is a median over the rounds, and a ratio
is taken within each round before its median is: two rows of one round met the same machine.
"""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_NANOSECONDS: Final = 1e9


@dataclass(frozen=True, slots=True)
class Row:
    """What is called, and the arguments of each of its calls, all of them strings."""

    call: Callable[..., object]
    items: Sequence[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Times:
    """The seconds of one call of each row, one figure a round."""

    seconds: Mapping[str, Sequence[float]]

    def each(self, name: str) -> float:
        """The median seconds of one call."""
        return median(self.seconds[name])

    def ratio(self, name: str, base: str) -> float:
        """How many times as long a call takes as one of another row."""
        pairs = zip(self.seconds[name], self.seconds[base], strict=True)
        return median(mine / theirs for mine, theirs in pairs)


def time_rows(rows: Mapping[str, Row], *, rounds: int, least: float) -> Times:
    """Calls every row in turn, `rounds` times, each time for at least `least` seconds.

    The strings are decoded anew for each pass: none brings along what an earlier call left with it
    (Python keeps the UTF-8 form of a string once somebody asked for it).
    """
    raw = {
        name: [tuple(part.encode("utf-8", "surrogatepass") for part in item) for item in row.items]
        for name, row in rows.items()
    }
    # Each row is called once before anything counts: patterns compile, modules load.
    passes = {name: max(1, round(least / _warm(row, raw[name]))) for name, row in rows.items()}
    seconds: dict[str, list[float]] = {name: [] for name in rows}
    gc.collect()
    gc.freeze()
    try:
        for _ in range(rounds):
            for name, row in rows.items():
                spent = sum(_pass(row.call, raw[name]) for _ in range(passes[name]))
                seconds[name].append(spent / passes[name] / len(row.items))
    finally:
        gc.unfreeze()
    return Times(seconds)


def _warm(row: Row, raw: Sequence[tuple[bytes, ...]]) -> float:
    _pass(row.call, raw)
    return max(1e-9, _pass(row.call, raw))


def _pass(call: Callable[..., object], raw: Sequence[tuple[bytes, ...]]) -> float:
    items = [tuple(part.decode("utf-8", "surrogatepass") for part in item) for item in raw]
    start = time.thread_time_ns()
    for item in items:
        call(*item)
    return (time.thread_time_ns() - start) / _NANOSECONDS
