"""Paragraphs at the edges of a text that speak of it in another language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from onlytext._commentary import QUOTE_SIGN, script_of, without_quotes
from onlytext._compare import words
from onlytext._fold import fold
from onlytext._suspect import TECHNICAL
from onlytext._widen import DENSE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onlytext._commentary import Judge

_MOST: Final = 12
# So much of a text is enough to tell its language.
_ENOUGH: Final = 600
_FEWEST: Final = 3
_SAYS: Final = 0.9
# What decides has to say more than chance gives: lawful texts quote other languages.
_SURE: Final = 2.5
_SURE_IN_SHORT: Final = 1.5
# A long paragraph collects words by mere chance.
_SHORT: Final = 20
_LETTERS: Final = 6
_SIGNS: Final = 2
_TELLING: Final = frozenset({"edit", "verdict", "unit"})
_KIN: Final = {"han", "kana"}


def foreign_edges(paragraphs: Sequence[str], judge: Judge) -> tuple[int, int]:
    """How many paragraphs at the beginning and at the end speak of the text in another language."""
    count = len(paragraphs)
    if not 1 < count <= _MOST or any(TECHNICAL.search(one) for one in paragraphs):
        return 0, 0
    said = [_said(one, judge) for one in paragraphs]
    for head in range(count - 1, -1, -1):
        for tail in range(count - head - 1, -1, -1):
            rest = "\n".join(paragraphs[head : count - tail])
            edges = (*paragraphs[:head], *paragraphs[count - tail :])
            most = max((*said[:head], *said[count - tail :]), default=0.0)
            if (
                most > max(0.0, *said[head : count - tail])
                and all(_is_sure(one, judge) for one in edges)
                and all(_speaks(one, judge) for one in edges)
                and all(_is_foreign(one, rest, judge) for one in edges)
                and any(_tells(one, judge) for one in edges)
            ):
                return head, tail
    return 0, 0


def _said(paragraph: str, judge: Judge) -> float:
    return judge.weigh(paragraph).score * min(1.0, _SHORT / max(1, _size(paragraph)))


def _size(paragraph: str) -> int:
    """About how many words a paragraph has; one without blanks is measured by its letters."""
    return max(len(paragraph.split()), len(paragraph) // _LETTERS)


def _is_sure(paragraph: str, judge: Judge) -> bool:
    dense = len(DENSE.findall(paragraph)) // _SIGNS
    short = max(_size(paragraph), dense) <= _SHORT
    return _said(paragraph, judge) >= (_SURE_IN_SHORT if short else _SURE)


def _speaks(paragraph: str, judge: Judge) -> bool:
    return _said(paragraph, judge) >= _SAYS and (
        not _TELLING.isdisjoint(judge.weigh(paragraph).reasons) or ":" in paragraph[-2:]
    )


def _tells(paragraph: str, judge: Judge) -> bool:
    """Whether a paragraph judges or edits in words of its own."""
    own = without_quotes(paragraph, lambda _: True)
    return len(words(fold(own))) >= _FEWEST and not _TELLING.isdisjoint(judge.weigh(own).reasons)


def _is_foreign(text: str, rest: str, judge: Judge) -> bool:
    """Whether what is no quotation in a text is surely in another language or script than the rest."""
    if QUOTE_SIGN.search(text):
        text = without_quotes(text, lambda _: True)
        if len(words(fold(text))) < _FEWEST:
            return True
    text, rest = text[:_ENOUGH], rest[:_ENOUGH]
    if len(words(fold(rest))) < _FEWEST:
        return False
    mine, theirs = script_of(text), script_of(rest)
    if mine and theirs and mine != theirs:
        return {mine, theirs} != _KIN
    known = judge.patterns.languages_in(set(words(fold(rest)))).most_common(1)
    spoken = judge.patterns.languages_in(set(words(fold(text))))
    if not known or not spoken or known[0][1] < _FEWEST:
        return False
    language, most = spoken.most_common(1)[0]
    native = known[0][0]
    return language != native and most >= _FEWEST and most >= 2 * spoken[native] + 1
