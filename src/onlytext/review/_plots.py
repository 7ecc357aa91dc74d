"""The geometry of the plots; templates/plots.html draws them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext.review._figures import quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onlytext.review._figures import Rate

WIDTH: Final = 360
HEIGHT: Final = 150
_LEFT: Final = 40
_RIGHT: Final = 12
_TOP: Final = 10
_BOTTOM: Final = 24
_BINS: Final = 24
_ROW: Final = 38
_MOST: Final = 8


class Bar(NamedTuple):
    """A row of a bar chart: a name, its figure in words, and how far it and its interval reach."""

    name: str
    told: str
    y: float
    width: float
    low: float
    high: float
    shade: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Horizontal bars, one below the other."""

    rows: tuple[Bar, ...]
    height: float
    more: int


class Tick(NamedTuple):
    """A mark on an axis."""

    place: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line through points with a band round it."""

    points: tuple[tuple[float, float], ...]
    band: str
    ticks: tuple[Tick, ...]


class Column(NamedTuple):
    """A column of a histogram."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """A histogram with its axis."""

    columns: tuple[Column, ...]
    ticks: tuple[Tick, ...]


def bars_of_counts(counts: Sequence[tuple[str, int]], shades: Sequence[str]) -> Bars:
    """The counts as bars, the greatest first."""
    top = max((count for _, count in counts), default=1)
    rows = [
        Bar(name, f"{count:,}", index * _ROW, WIDTH * count / top, 0.0, 0.0, shade)
        for index, ((name, count), shade) in enumerate(zip(counts[:_MOST], shades, strict=False))
    ]
    return Bars(rows=tuple(rows), height=len(rows) * _ROW, more=max(len(counts) - _MOST, 0))


def bars_of_rates(rates: Sequence[tuple[str, Rate]]) -> Bars:
    """The rates as bars, each with its interval."""
    rows: list[Bar] = []
    top = max((rate.interval.high for _, rate in rates[:_MOST]), default=1.0)
    for index, (name, rate) in enumerate(rates[:_MOST]):
        told = f"{rate.share:.1%} ({rate.hits:,}/{rate.seen:,})"
        low, high = (WIDTH * bound / top for bound in rate.interval)
        rows.append(Bar(name, told, index * _ROW, WIDTH * rate.share / top, low, high, "all"))
    return Bars(rows=tuple(rows), height=len(rows) * _ROW, more=max(len(rates) - _MOST, 0))


def line_of(rates: Sequence[Rate]) -> Line:
    """The rates from left to right, with a band for their intervals."""
    highest = max((rate.interval.high for rate in rates), default=1.0)
    top = _round_up(min(highest, 1.0))
    wide, high = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

    def place(index: int, share: float) -> tuple[float, float]:
        across = (index + 0.5) / len(rates)
        return round(_LEFT + wide * across, 1), round(_TOP + high * (1 - share / top), 1)

    uppers = [place(index, rate.interval.high) for index, rate in enumerate(rates)]
    lowers = [place(index, rate.interval.low) for index, rate in enumerate(rates)]
    return Line(
        points=tuple(place(index, rate.share) for index, rate in enumerate(rates)),
        band=" ".join(f"{x},{y}" for x, y in [*uppers, *reversed(lowers)]),
        ticks=tuple(
            Tick(round(_TOP + high * (1 - part), 1), f"{top * part:.3g}".rstrip("."))
            for part in (0.0, 0.5, 1.0)
        ),
    )


def columns_of(seconds: Sequence[float]) -> Columns:
    """How many replies took how long; the slowest hundredth stands in the last column."""
    last = quantile(seconds, 0.99) or 0.001
    top = _round_up(last)
    counts = [0] * _BINS
    for one in seconds:
        counts[min(int(one / top * _BINS), _BINS - 1)] += 1
    most = max(counts) or 1
    wide, high = (WIDTH - _LEFT - _RIGHT) / _BINS, HEIGHT - _TOP - _BOTTOM
    columns = [
        Column(
            round(_LEFT + wide * index, 1),
            round(_TOP + high * (1 - count / most), 1),
            round(wide - 1, 1),
            round(high * count / most, 1),
        )
        for index, count in enumerate(counts)
    ]
    ticks = [
        Tick(round(_LEFT + wide * _BINS * part, 1), f"{top * part:.3g} s")
        for part in (0.0, 0.5, 1.0)
    ]
    return Columns(columns=tuple(columns), ticks=tuple(ticks))


def _round_up(value: float) -> float:
    """The next of 1, 1.5, 2, 3, 4, 5, 6, 8 and their tenfolds."""
    tenfold = 10.0 ** math.floor(math.log10(value))
    steps = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)
    return next(step * tenfold for step in steps if step * tenfold >= value * (1 - 1e-9))
