"""The figures at the top of the page, counted while the items go by."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from onlytext.review._interval import wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onlytext.review._entry import Entry
    from onlytext.review._interval import Interval


class Rate(NamedTuple):
    """So many of so many."""

    hits: int
    seen: int

    @property
    def share(self) -> float:
        """The rate, between 0 and 1; 0 where nothing was seen."""
        return self.hits / self.seen if self.seen else 0.0

    @property
    def interval(self) -> Interval:
        """Where the true rate lies, at 95 %."""
        return wilson(self.hits, self.seen)


@dataclass(slots=True)
class Figures:
    """What is counted. `reasons` and `patterns` count the replies in which they occur."""

    items: Counter[str] = field(default_factory=Counter[str])
    flagged: int = 0
    doubted: int = 0
    reasons: Counter[str] = field(default_factory=Counter[str])
    patterns: Counter[str] = field(default_factory=Counter[str])
    refused: int = 0
    languages: defaultdict[str, list[int]] = field(
        default_factory=lambda: defaultdict[str, list[int]](lambda: [0, 0])
    )
    item_languages: Counter[str] = field(default_factory=Counter[str])
    # When each reply began, how long it took, and whether it leaked.
    replies: list[tuple[float, float, bool]] = field(
        default_factory=list[tuple[float, float, bool]]
    )

    def count(self, entry: Entry) -> None:
        """Count an item with its replies."""
        self.items[entry.status] += 1
        outcome = entry.told.outcome
        self.flagged += outcome is not None and outcome.flagged
        self.doubted += bool(entry.doubts)
        if entry.language:
            self.item_languages[entry.language] += 1
        for reply in entry.replies:
            call = reply.call
            if reply.outcome == "open":  # nobody knows yet what it holds
                continue
            self.replies.append((call.began, call.seconds, reply.is_leaking))
            self.reasons.update({leak.reason for leak in reply.leaks})
            self.patterns.update({leak.pattern for leak in reply.leaks if leak.pattern})
            self.refused += reply.is_refused
            if entry.language:
                pair = self.languages[entry.language]
                pair[0] += reply.is_leaking
                pair[1] += 1

    @property
    def leaks(self) -> Rate:
        """How many replies held more than the text."""
        return Rate(sum(leaking for *_, leaking in self.replies), len(self.replies))

    @property
    def last(self) -> float:
        """When the last reply began."""
        return max((began for began, *_ in self.replies), default=0.0)

    @property
    def seconds(self) -> list[float]:
        """How long the replies took, the shortest first."""
        return sorted(seconds for _, seconds, _ in self.replies)

    def by_language(self) -> list[tuple[str, Rate]]:
        """The leak rate of each language that is known, that with most replies first."""
        rates = [(name, Rate(*pair)) for name, pair in self.languages.items()]
        return sorted(rates, key=lambda pair: (-pair[1].seen, pair[0]))

    def over_time(self, most: int = 24, least: int = 10) -> list[tuple[float, Rate]]:
        """The leak rate in the order in which the replies were asked for, with the time of each part.

        There are `most` parts, or fewer so that each has `least` replies.
        """
        ordered = sorted((began, leaking) for began, _, leaking in self.replies)
        parts = max(min(most, len(ordered) // least), 1) if ordered else 0
        edges = [len(ordered) * part // parts for part in range(parts + 1)] if parts else []
        return [
            (
                ordered[start][0],
                Rate(sum(leaking for _, leaking in ordered[start:stop]), stop - start),
            )
            for start, stop in pairwise(edges)
        ]


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which that share lies, of values in order; 0 where there are none.

    >>> quantile([1.0, 2.0, 3.0, 4.0], 0.5)
    2.0
    """
    if not ordered:
        return 0.0
    return ordered[max(min(round(share * len(ordered)) - 1, len(ordered) - 1), 0)]
