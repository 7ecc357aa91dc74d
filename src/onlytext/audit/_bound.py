"""How sure a count makes us: the exact upper bound of a rate (Clopper and Pearson, 1934)."""

from __future__ import annotations

import math
from typing import Final

_STEPS: Final = 60


def upper_bound(hits: int, seen: int, *, level: float = 0.95) -> float:
    """The one-sided upper confidence bound of the rate behind `hits` in `seen`, between 0 and 1.

    It is the rate at which so few hits or fewer would be seen with the probability `1 - level`;
    1.0 where nothing was seen. No hit in n gives about 3/n at 95 %.

    >>> round(upper_bound(0, 54_000) * 100, 4)
    0.0055
    """
    if not 0 <= hits <= seen:
        raise ValueError(f"{hits} hits in {seen} seen can't be: give hits from 0 to {seen}")
    if not 0 < level < 1:
        raise ValueError(f"the level is between 0 and 1, not {level}")
    if hits == seen:
        return 1.0
    if hits == 0:
        return -math.expm1(math.log1p(-level) / seen)
    low, high = hits / seen, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _at_most(hits, seen, middle) > 1 - level:
            low = middle
        else:
            high = middle
    return high


def _at_most(hits: int, seen: int, rate: float) -> float:
    """The probability of `hits` or fewer in `seen` independent looks."""
    if rate >= 1.0:
        return 0.0
    log, rest = math.log(rate), math.log1p(-rate)
    chosen = math.lgamma(seen + 1)
    return math.fsum(
        math.exp(
            chosen
            - math.lgamma(some + 1)
            - math.lgamma(seen - some + 1)
            + some * log
            + (seen - some) * rest
        )
        for some in range(hits + 1)
    )
