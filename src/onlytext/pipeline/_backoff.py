"""How long to wait before a call is tried again.

Each wait is drawn at random between half and the whole of what doubles with every attempt, so
that callers which failed together do not come back together (M. Brooker, "Exponential Backoff
And Jitter", 2015).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """`first` seconds, then twice as long each time, at most `longest`."""

    first: float = 0.5
    longest: float = 30.0
    random: Random = field(default_factory=Random)

    def seconds(self, attempt: int, *, retry_after: float | None, deadline: float) -> float:
        """The wait after this attempt (1 is the first one).

        What the server asks for is heeded, but only up to our own deadline: a quota can ask for
        hours.
        """
        whole = min(self.longest, self.first * 2.0 ** min(attempt - 1, 30))
        drawn = whole * self.random.uniform(0.5, 1.0)
        return min(max(drawn, retry_after or 0.0), max(deadline, drawn))
