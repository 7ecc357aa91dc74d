"""Between which rates the true one lies, as far as a count tells (Wilson, 1927)."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

# Of a normal distribution, 95 % lies within so many standard deviations of its mean.
_REACH: Final = 1.959963984540054


class Interval(NamedTuple):
    """The two bounds of a rate, between 0 and 1."""

    low: float
    high: float


def wilson(hits: int, seen: int) -> Interval:
    """The 95 % interval of the rate behind `hits` in `seen`; all of 0..1 where nothing was seen.

    >>> [round(bound, 4) for bound in wilson(5, 100)]
    [0.0215, 0.1118]
    """
    if not 0 <= hits <= seen:
        raise ValueError(f"{hits} hits in {seen} seen can't be: give hits from 0 to {seen}")
    if seen == 0:
        return Interval(0.0, 1.0)
    rate, square = hits / seen, _REACH * _REACH
    middle = rate + square / (2 * seen)
    reach = _REACH * math.sqrt(rate * (1 - rate) / seen + square / (4 * seen * seen))
    whole = 1 + square / seen
    # At the ends rounding must not leave a bound a hair beside 0 or 1.
    low = 0.0 if hits == 0 else (middle - reach) / whole
    high = 1.0 if hits == seen else (middle + reach) / whole
    return Interval(low, high)
