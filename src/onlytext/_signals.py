"""Words of validator talk: they remove nothing, they weigh in."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from onlytext._fold import fold
from onlytext._widen import DENSE

if TYPE_CHECKING:
    from collections.abc import Iterable

Kind = Literal[
    "edit", "verdict", "rule", "unit", "was", "again", "self", "pause", "announce", "ask", "place"
]
KINDS: Final = get_args(Kind)
_TOKEN: Final = re.compile(r"\w+")
_NUMBER: Final = re.compile(r"^\d+(?:/\d+)?")
# What a token says is looked up once; past so many different tokens it is looked up each time.
_MOST_KNOWN: Final = 50_000


class Signals(NamedTuple):
    """Words of validator talk in one language.

    They remove nothing: they weigh in where the draft says that a line has no counterpart.
    """

    language: str
    words: tuple[tuple[Kind, tuple[str, ...]], ...]
    common: frozenset[str]


class _Phrase(NamedTuple):
    rest: tuple[str, ...]
    stem: bool
    language: str
    kind: Kind


class WordIndex:
    """The signals of all languages, found word by word.

    A `*` at the end of a word or phrase lets any ending in. Where a script writes words without
    blanks between them a word counts wherever it stands. A unit counts only beside a number.
    """

    def __init__(self, signals: Iterable[Signals]) -> None:
        self._exact: dict[str, list[tuple[str, Kind]]] = {}
        self._stems: dict[str, list[tuple[str, Kind]]] = {}
        self._phrases: dict[str, list[_Phrase]] = {}
        self._dense: list[tuple[str, str, Kind]] = []
        self._known: dict[str, tuple[tuple[str, Kind], ...]] = {}
        for one in signals:
            for kind, words in one.words:
                for item in words:
                    self._add(one.language, kind, item)
        self._shortest = min(map(len, self._stems), default=1)

    def _add(self, language: str, kind: Kind, item: str) -> None:
        stem = item.endswith("*")
        folded = fold(item.rstrip("*"))
        if DENSE.search(folded):
            self._dense.append((folded, language, kind))
            return
        first, *rest = _TOKEN.findall(folded) or [""]
        if rest:
            self._phrases.setdefault(first, []).append(_Phrase(tuple(rest), stem, language, kind))
        elif first:
            table = self._stems if stem else self._exact
            table.setdefault(first, []).append((language, kind))

    def count(self, folded: str) -> dict[str, Counter[Kind]]:
        """How many different signals of each kind are in a folded text, by language."""
        tokens = _TOKEN.findall(folded)
        found: set[tuple[str, str, Kind]] = set()
        for index, token in enumerate(tokens):
            for language, kind in self._of(token):
                if kind != "unit" or _beside_number(tokens, index):
                    found.add((token, language, kind))
            for phrase in self._phrases.get(token, ()):
                if _goes_on(tokens, index + 1, phrase):
                    found.add((token + " " + " ".join(phrase.rest), phrase.language, phrase.kind))
        if self._dense and DENSE.search(folded):
            found.update(self._in_dense(folded))
        counts: dict[str, Counter[Kind]] = {}
        for _, language, kind in found:
            counts.setdefault(language, Counter())[kind] += 1
        return counts

    def _of(self, token: str) -> tuple[tuple[str, Kind], ...]:
        known = self._known.get(token)
        if known is None:
            rows = list(self._exact.get(token, ()))
            for size in range(self._shortest, len(token) + 1):
                rows += self._stems.get(token[:size], ())
            known = tuple(dict.fromkeys(rows))
            if len(self._known) < _MOST_KNOWN and len(token) <= 64:
                self._known[token] = known
        return known

    def _in_dense(self, folded: str) -> Iterable[tuple[str, str, Kind]]:
        for item, language, kind in self._dense:
            at = folded.find(item)
            while at >= 0:
                if kind != "unit" or _counts_before(folded, at):
                    yield item, language, kind
                    break
                at = folded.find(item, at + 1)


def _beside_number(tokens: list[str], index: int) -> bool:
    around = tokens[max(0, index - 2) : index + 2]
    return any(token.isdigit() for token in around) or bool(_NUMBER.match(tokens[index]))


def _goes_on(tokens: list[str], at: int, phrase: _Phrase) -> bool:
    some = tokens[at : at + len(phrase.rest)]
    if len(some) < len(phrase.rest) or some[:-1] != list(phrase.rest[:-1]):
        return False
    return some[-1].startswith(phrase.rest[-1]) if phrase.stem else some[-1] == phrase.rest[-1]


def _counts_before(folded: str, at: int) -> bool:
    before = folded[max(0, at - 3) : at].rstrip()
    return (bool(before) and before[-1:].isdigit()) or before[-2:-1].isdigit()
