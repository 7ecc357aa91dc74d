"""What a run has come to so far: the figures that a person watches, and those of the end."""

from __future__ import annotations

import heapq
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext.pipeline._verdict import Usable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onlytext._format import Sections, Text
    from onlytext._reply import Removal
    from onlytext.pipeline._outcome import Outcome, Status
    from onlytext.pipeline._road import Reading
    from onlytext.providers import Fault as CallFault
    from onlytext.providers import Usage

_SHOWN: Final = 5


class Ranked(NamedTuple):
    """An item among the dearest or the slowest: by how much, and which."""

    amount: float
    position: int
    id: str | None


@dataclass(slots=True)
class Tally:
    """Everything that is counted in one run. Only the runner writes it; anybody may read it."""

    format: Sections | Text
    started: float = field(default_factory=time.monotonic)
    items: Counter[Status] = field(default_factory=Counter["Status"])
    before: int = 0
    flagged: int = 0
    validated: int = 0
    calls: int = 0
    reused: int = 0
    retries: Counter[CallFault] = field(default_factory=Counter["CallFault"])
    input: int = 0
    output: int = 0
    cached: int = 0
    cost: float = 0.0
    unpriced: set[str] = field(default_factory=set[str])
    replies: int = 0
    leaking: int = 0
    leaks: Counter[str] = field(default_factory=Counter[str])
    faults: Counter[str] = field(default_factory=Counter[str])
    doubts: Counter[str] = field(default_factory=Counter[str])
    dearest: list[Ranked] = field(default_factory=list[Ranked])
    slowest: list[Ranked] = field(default_factory=list[Ranked])

    @property
    def done(self) -> int:
        """How many items have an outcome."""
        return self.items.total()

    @property
    def leak_rate(self) -> float | None:
        """The share of replies in which there was something that is not text; none without replies."""
        return self.leaking / self.replies if self.replies else None

    def count_call(self, model: str, usage: Usage | None, cost: float | None) -> None:
        """Count a call that ended, well or not."""
        self.calls += 1
        if usage is None:
            return
        self.input += usage.input + usage.cache_read + usage.cache_write
        self.output += usage.output
        self.cached += usage.cache_read
        if cost is None:
            self.unpriced.add(model)
        else:
            self.cost += cost

    def count_before(self, outcome: Outcome) -> None:
        """Count an item that had its outcome from an earlier run."""
        self.before += 1
        self.items[outcome.status] += 1
        self.flagged += outcome.flagged
        self.validated += outcome.validated
        self.doubts.update({doubt.reason for doubt in outcome.doubts})

    def count_outcome(self, outcome: Outcome, readings: Sequence[Reading]) -> None:
        """Count an item that has come to its end, and what its replies were like."""
        self.items[outcome.status] += 1
        self.flagged += outcome.flagged
        self.validated += outcome.validated
        self.doubts.update({doubt.reason for doubt in outcome.doubts})
        for reading in readings:
            self._count_reading(reading)
        if outcome.cost:
            _rank(self.dearest, Ranked(outcome.cost, outcome.position, outcome.id))
        if outcome.seconds:
            _rank(self.slowest, Ranked(outcome.seconds, outcome.position, outcome.id))

    def _count_reading(self, reading: Reading) -> None:
        self.replies += 1
        result = reading.result
        if not isinstance(result, Usable):
            self.faults[result.kind] += 1
        cleaned = result.cleaned
        reasons = {
            leak_name(removal)
            for removal in (cleaned.removals if cleaned is not None else ())
            if is_leak(removal, self.format)
        }
        if not isinstance(result, Usable) and result.kind == "refused":
            reasons.add("no text that could be told apart")
        self.leaking += bool(reasons)
        self.leaks.update(reasons)


def is_leak(removal: Removal, format: Sections | Text) -> bool:
    """Whether a removal is something that nobody asked for: not blanks, a closing word, or notes."""
    words = removal.text.strip()
    lawful = (format.start, format.end)
    return (
        bool(words)
        and words not in lawful
        and not (format.notes is not None and words.startswith(format.notes))
    )


def leak_name(removal: Removal) -> str:
    """What kind of leak a removal is, as the tables name it."""
    return f"{removal.reason} ({removal.pattern})" if removal.pattern else removal.reason


def _rank(ranking: list[Ranked], entry: Ranked) -> None:
    if len(ranking) < _SHOWN:
        heapq.heappush(ranking, entry)
    else:
        heapq.heappushpop(ranking, entry)
