"""How the cost grows with the length of a reply: one row a kind of reply, one column a length."""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from bench.cage import Outcome, run_caged
from bench.documents import CAROUSEL, KILOBYTE, Kind, document

from onlytext import Refused, Text, clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from onlytext import Clean

SIZES: Final = tuple(KILOBYTE * 10**power for power in range(5))
# Its words have accents and typographic quotes: neither the quickest nor the slowest of Python's
# ways to hold a string.
LANGUAGE: Final = "fr"
LEAST: Final = 0.03

Drafted = Literal["no draft", "draft"]


@dataclass(frozen=True, slots=True)
class Step:
    """One length of a reply, and what it took."""

    bytes: int
    outcome: Outcome

    @property
    def micros(self) -> float | None:
        """Microseconds for each kilobyte."""
        seconds = self.outcome.seconds
        return None if seconds is None else seconds * 1e6 * KILOBYTE / self.bytes

    @property
    def memory(self) -> float | None:
        """The peak memory, as a multiple of the reply's bytes."""
        return None if self.outcome.memory is None else self.outcome.memory / self.bytes


@dataclass(frozen=True, slots=True)
class Climb:
    """One kind of reply in all lengths."""

    name: str
    steps: tuple[Step, ...]

    @property
    def steepest(self) -> float | None:
        """The most that a kilobyte costs over one of a reply a tenth as long, from 10 KB on.

        It is 1 where the cost is linear, and 10 where it grows with the square.
        """
        costs = [step.micros for step in self.steps if step.bytes > 5 * KILOBYTE]
        return max(
            (long / short for short, long in itertools.pairwise(costs) if short and long),
            default=None,
        )


def climb(*, sizes: Sequence[int] = SIZES, limit: float = 60) -> Iterator[Climb]:
    """Each kind of reply in all lengths, up to one that takes too long."""
    kinds: tuple[Kind, ...] = ("plain", "sectioned")
    ways: tuple[Drafted, ...] = ("no draft", "draft")
    for kind in kinds:
        for leaking in (False, True):
            for drafted in ways:
                name = f"{'leaking' if leaking else 'clean'} {kind}, {drafted}"
                yield Climb(name, tuple(_steps(kind, drafted, sizes, limit, leaking=leaking)))


def _steps(
    kind: Kind, drafted: Drafted, sizes: Sequence[int], limit: float, *, leaking: bool
) -> Iterator[Step]:
    for size in sizes:
        outcome = run_caged(prepare, kind, drafted, size, leaking, limit=limit, least=LEAST)
        yield Step(length(kind, size, leaking=leaking), outcome)
        if not outcome.lawful:
            return


def length(kind: Kind, size: int, *, leaking: bool) -> int:
    """The bytes of a reply whose text is about so long."""
    made = document(LANGUAGE, kind, leaking=leaking, size=size, slides=None)
    return len(made.reply.encode())


def prepare(
    kind: Kind,
    drafted: Drafted,
    size: int,
    leaking: bool,  # noqa: FBT001 - crosses to a process by place
) -> Callable[[], Clean]:
    """The call that cleans a reply of this kind and length; a shorter one was cleaned before."""
    shape = Text() if kind == "plain" else CAROUSEL

    def call_with(size: int) -> Callable[[], Clean]:
        made = document(LANGUAGE, kind, leaking=leaking, size=size, slides=None)
        draft = made.draft if drafted == "draft" else None
        return lambda: clean(made.reply, shape, draft=draft)

    with contextlib.suppress(Refused):
        call_with(3 * KILOBYTE)()
    return call_with(size)
