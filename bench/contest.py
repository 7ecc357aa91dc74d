"""The cleaner and its peers on the same replies, in one run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bench.clock import Row, time_rows
from bench.contenders import OURS, SPLIT, Contender, ours
from bench.documents import Document, Kind, shelf

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

GROUPS: Final[tuple[tuple[str, Kind, bool], ...]] = (
    ("clean plain text", "plain", False),
    ("leaking plain text", "plain", True),
    ("clean sections", "sectioned", False),
    ("leaking sections", "sectioned", True),
)


@dataclass(frozen=True, slots=True)
class Cost:
    """What a contender takes for one reply: microseconds, and how many times a split of it."""

    who: str
    what: str
    micros: float
    ratio: float
    budget: float | None
    right: int
    of: int
    """How many of the replies come out right, of how many."""
    refused: int = 0
    """How many end in an error: a refusal of ours, a parser's exception."""

    @property
    def within(self) -> bool | None:
        """Whether the cost is within its budget; none where there is no budget."""
        return None if self.budget is None else self.ratio <= self.budget


@dataclass(frozen=True, slots=True)
class Contest:
    """The costs on one kind of replies, and how long and how many these are."""

    name: str
    replies: int
    bytes: float
    lines: float
    costs: tuple[Cost, ...]

    @property
    def beaten_by(self) -> dict[str, list[str]]:
        """For each of our calls with a budget the quicker peers that get every reply right."""
        peers = [cost for cost in self.costs if cost.who not in (OURS, SPLIT.who)]
        right = [peer for peer in peers if peer.right == peer.of]
        beaten = {
            cost.what: [f"{peer.who} {peer.what}" for peer in right if peer.ratio < cost.ratio]
            for cost in self.costs
            if cost.who == OURS and cost.budget is not None
        }
        return {mine: theirs for mine, theirs in beaten.items() if theirs}


def hold_contests(
    *,
    rounds: int,
    least: float,
    peers: Callable[[Kind], Sequence[Contender]] | None,
    groups: Sequence[tuple[str, Kind, bool]] = GROUPS,
) -> list[Contest]:
    """One contest for each kind of replies; without `peers` only our own calls."""
    contests: list[Contest] = []
    for name, kind, leaking in groups:
        documents = shelf(kind, leaking=leaking)
        others = peers(kind) if peers is not None else ()
        contenders = [SPLIT, *ours(kind, leaking=leaking), *others]
        contests.append(_contest(name, documents, contenders, rounds=rounds, least=least))
    return contests


def _contest(
    name: str,
    documents: Sequence[Document],
    contenders: Sequence[Contender],
    *,
    rounds: int,
    least: float,
) -> Contest:
    rows = {
        one.name: Row(_forgiven(one.call), [one.arguments(document) for document in documents])
        for one in contenders
    }
    times = time_rows(rows, rounds=rounds, least=least)
    costs: list[Cost] = []
    for one in contenders:
        results = [_forgiven(one.call)(*one.arguments(document)) for document in documents]
        pairs = zip(documents, results, strict=True)
        costs.append(
            Cost(
                one.who,
                one.what,
                times.each(one.name) * 1e6,
                times.ratio(one.name, SPLIT.name),
                one.budget,
                sum(one.is_right(document, result) for document, result in pairs),
                len(documents),
                sum(isinstance(result, Exception) for result in results),
            )
        )
    size = sum(len(document.reply.encode()) for document in documents) / len(documents)
    lines = sum(document.reply.count("\n") + 1 for document in documents) / len(documents)
    return Contest(name, len(documents), size, lines, tuple(costs))


def _forgiven(call: Callable[..., object]) -> Callable[..., object]:
    """A call that gives its error back instead of raising it, so that it is one more result."""

    def calling(*arguments: str) -> object:
        try:
            return call(*arguments)
        except Exception as error:  # noqa: BLE001 - other libraries raise what they like
            return error

    return calling
