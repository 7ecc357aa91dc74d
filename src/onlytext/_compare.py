"""What the draft says of the reply: which of its lines have a counterpart."""

from __future__ import annotations

import functools
from collections import Counter
from typing import TYPE_CHECKING, Final

from onlytext._fold import fold_lines
from onlytext._lines import even_ends
from onlytext._regex import regex
from onlytext._tokens import bare_words
from onlytext._widen import DENSE

if TYPE_CHECKING:
    from collections.abc import Callable

_WORD: Final = regex(rf"{DENSE.pattern}+|[^\W_]+")
# Comparing letter by letter costs length times length: past these it is done by words alone.
_LONGEST_LINE: Final = 400
_MOST_LINES: Final = 48
_FAR: Final = 50.0


def words(folded: str) -> list[str]:
    """The words of a folded text; where a script sets no blanks, each pair of its letters."""
    if folded.isascii() or not DENSE.search(folded):
        return bare_words(folded)
    found: list[str] = []
    for item in _WORD.findall(folded):
        if len(item) > 1 and item[0] > "\u303f" and DENSE.match(item):
            found += [item[at : at + 2] for at in range(len(item) - 1)]
        else:
            found.append(item)
    return found


def likeness(one: Counter[str], other: Counter[str]) -> float:
    """The Dice coefficient of two bags of words, 0 to 1 (Dice 1945)."""
    total = one.total() + other.total()
    if not total:
        return 0.0
    small, large = (one, other) if len(one) <= len(other) else (other, one)
    shared = sum(min(count, large[item]) for item, count in small.items() if item in large)
    return 2 * shared / total


@functools.cache
def ratio() -> Callable[..., float]:
    """How alike two strings are, 0 to 100; imported when it is first needed, since that takes long."""
    from rapidfuzz import fuzz

    return fuzz.ratio


@functools.cache
def closest() -> Callable[..., tuple[str, float, int] | None]:
    """Which of several strings is most like one, how much, and its place; imported late as well."""
    from rapidfuzz.process import extractOne

    return extractOne


class Passage:
    """A stretch of the draft: its lines, folded, and its bag of words, made when they are asked for."""

    __slots__ = (
        "_bag",
        "_folded",
        "_kin",
        "_known",
        "_lines",
        "_series",
        "_short",
        "_terms",
        "body",
    )

    def __init__(self, body: str) -> None:
        self.body = body
        self._lines: tuple[str, ...] | None = None
        self._folded: dict[str, str] = {}
        self._known: frozenset[str] = frozenset()
        self._series: list[str] | None = None
        self._short: list[str] | None = None
        self._terms: frozenset[str] | None = None
        self._bag: Counter[str] | None = None
        self._kin: dict[str, float] = {}

    @property
    def lines(self) -> tuple[str, ...]:
        """Its lines that are not blank, folded."""
        if self._lines is None:
            lines = [line for line in even_ends(self.body).split("\n") if line.strip()]
            self._lines = tuple(fold_lines(lines)) if lines else ()
            self._folded = dict(zip(lines, self._lines, strict=True))
            self._known = frozenset(self._lines)
        return self._lines

    @property
    def folded(self) -> str:
        """The whole of it, folded."""
        return " ".join(filter(None, self.lines))

    def same(self, line: str) -> str | None:
        """What a line folds to, where it stands in the passage letter by letter."""
        if self._lines is None:
            _ = self.lines
        return self._folded.get(line)

    @property
    def _words(self) -> list[str]:
        if self._series is None:
            self._series = words(" \n".join(self.lines))
        return self._series

    @property
    def terms(self) -> frozenset[str]:
        """Its different words."""
        if self._terms is None:
            self._terms = frozenset(self._words)
        return self._terms

    @property
    def bag(self) -> Counter[str]:
        """Its words, with how often they come."""
        if self._bag is None:
            self._bag = Counter(self._words)
        return self._bag

    def has(self, folded: str) -> bool:
        """Whether a folded line is one of its lines."""
        if self._lines is None:
            _ = self.lines
        return folded in self._known

    def kinship(self, folded: str, common: frozenset[str]) -> float:
        """How much of a folded line stands in the passage, 0 to 1."""
        if not folded:
            return 0.0
        if self.has(folded):
            return 1.0
        found = self._kin.get(folded)
        if found is None:
            found = self._kin[folded] = self._compared(folded, common)
        return found

    def _compared(self, folded: str, common: frozenset[str]) -> float:
        terms = self.terms
        if not terms:
            return 0.0
        bag = words(folded)
        telling = [item for item in bag if item not in common] or bag
        held = sum(map(terms.__contains__, telling)) / len(telling) if telling else 0.0
        if len(telling) < 3:
            held *= 0.85
        if held >= 0.85 or len(folded) > _LONGEST_LINE:
            return held
        return max(held, self._closest(folded) if held > 0 else 0.0)

    def _closest(self, folded: str) -> float:
        if self._short is None:
            self._short = [line for line in self.lines[:_MOST_LINES] if len(line) <= _LONGEST_LINE]
        found = closest()(folded, self._short, scorer=ratio(), score_cutoff=_FAR)
        return 0.0 if found is None else found[1] / 100


def passage(text: str) -> Passage:
    """A stretch of text, made ready to be compared with."""
    return Passage(text)
