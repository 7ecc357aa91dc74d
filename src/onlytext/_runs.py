"""Which of the series of markers in a reply is the answer."""

from __future__ import annotations

import bisect
import itertools
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onlytext._markers import Key, Mark


class Part(NamedTuple):
    """A marker and what stands under it, `work[start:end]`."""

    mark: Mark
    start: int
    end: int

    @property
    def key(self) -> Key:
        """Which section it is."""
        return self.mark.key


class Run(NamedTuple):
    """A series of markers in the declared order."""

    parts: tuple[Part, ...]

    @property
    def keys(self) -> frozenset[Key]:
        """The sections that it has."""
        return frozenset(part.key for part in self.parts)


class Order:
    """The order of sections: as the format declares it, or as the draft has it."""

    def __init__(self, numbered: Sequence[bool], draft: Sequence[Key]) -> None:
        self._group: list[int] = []
        group = -1
        for index, flag in enumerate(numbered):
            if index == 0 or not (flag and numbered[index - 1]):
                group += 1
            self._group.append(group)
        self._draft = {key: place for place, key in enumerate(draft)}
        # The draft's sections as the format orders them, and the last place of each and all before.
        ranked = sorted((self._rank(key), place) for key, place in self._draft.items())
        self._ranks = [rank for rank, _ in ranked]
        self._places = list(itertools.accumulate((place for _, place in ranked), max))

    def follows(self, later: Key, earlier: Key) -> bool:
        """Whether a section may come after another one."""
        if later in self._draft and earlier in self._draft:
            return self._draft[later] > self._draft[earlier]
        mine, theirs = self._group[later[0]], self._group[earlier[0]]
        if mine != theirs:
            return mine > theirs
        if later[1] != earlier[1]:
            return later[1] > earlier[1] or later[0] > earlier[0]
        return later[0] > earlier[0]

    def sort_key(self, key: Key) -> tuple[int, ...]:
        """A sort key for sections that came out of order."""
        if key in self._draft:
            return (self._draft[key], 0, 0)
        before = bisect.bisect_left(self._ranks, self._rank(key))
        last = self._places[before - 1] if before else -1
        return (last, 1, *((key[1], key[0]) if key[1] else (key[0], 0)))

    def _rank(self, key: Key) -> tuple[int, int, int]:
        return (self._group[key[0]], key[1], key[0])


def split_runs(marks: Sequence[Mark], end: int, order: Order) -> list[Run]:
    """The marks as runs: a new one begins wherever the order goes backwards."""
    runs: list[list[Part]] = []
    for index, mark in enumerate(marks):
        stop = marks[index + 1].start if index + 1 < len(marks) else end
        part = Part(mark, mark.body, max(mark.body, stop))
        if runs and (runs[-1][-1].key == part.key or order.follows(part.key, runs[-1][-1].key)):
            runs[-1].append(part)
        else:
            runs.append([part])
    return [Run(tuple(parts)) for parts in runs]
