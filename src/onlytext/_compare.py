"""What the draft says of the reply: which of its lines have a counterpart."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from rapidfuzz import fuzz

from onlytext._fold import fold
from onlytext._lines import even_ends, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_WORD: Final = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]+|[^\W_]+")
_DENSE: Final = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]")
# Comparing letter by letter costs length times length: past these it is done by words alone.
_LONGEST_LINE: Final = 400
_MOST_LINES: Final = 48


def words(folded: str) -> list[str]:
    """The words of a folded text; where a script sets no blanks, each pair of its letters."""
    found: list[str] = []
    for item in _WORD.findall(folded):
        if _DENSE.match(item) and len(item) > 1:
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


class Passage(NamedTuple):
    """A stretch of the draft: its lines, folded, and its bag of words."""

    body: str
    lines: tuple[str, ...]
    bag: Counter[str]

    def kinship(self, folded: str, common: frozenset[str]) -> float:
        """How much of a folded line stands in the passage, 0 to 1."""
        if not folded or not self.bag:
            return 0.0
        if folded in self.lines:
            return 1.0
        bag = words(folded)
        telling = [item for item in bag if item not in common] or bag
        held = sum(item in self.bag for item in telling) / len(telling) if telling else 0.0
        if len(telling) < 3:
            held *= 0.85
        if held >= 0.95 or len(folded) > _LONGEST_LINE:
            return held
        return max(held, self._closest(folded) if held > 0 else 0.0)

    def _closest(self, folded: str) -> float:
        best = 0.0
        for line in self.lines[:_MOST_LINES]:
            if len(line) <= _LONGEST_LINE:
                best = max(best, fuzz.ratio(folded, line, score_cutoff=50.0) / 100)
        return best


def passage(text: str) -> Passage:
    """A stretch of text, made ready to be compared with."""
    work = even_ends(text)
    lines = tuple(fold(work[line.start : line.end]) for line in split_lines(work, 0, len(work)))
    return Passage(text, lines, Counter(item for line in lines for item in words(line)))


def language_of(bag: Iterable[str], common: Mapping[str, frozenset[str]]) -> str | None:
    """The language whose commonest words are most frequent among these, or none when unclear."""
    seen = list(bag)
    counts = {
        language: sum(item in known for item in seen) for language, known in common.items()
    }
    ranked = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    if not ranked or ranked[0][1] < 2:
        return None
    if len(ranked) > 1 and ranked[0][1] < 1.3 * ranked[1][1]:
        return None
    return ranked[0][0]
