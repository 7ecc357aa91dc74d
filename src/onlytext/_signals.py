"""Words of validator talk: they remove nothing, they weigh in."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from onlytext._fold import fold
from onlytext._regex import regex
from onlytext._tokens import tokens
from onlytext._widen import DENSE

if TYPE_CHECKING:
    from collections.abc import Iterable

Kind = Literal[
    "edit", "verdict", "rule", "unit", "was", "again", "self", "pause", "announce", "ask", "place"
]
KINDS: Final = get_args(Kind)
_NUMBER: Final = regex(r"^\d+(?:/\d+)?")
# What a token says is looked up once; past so many different tokens it is looked up each time.
_MOST_KNOWN: Final = 50_000
_LONGEST: Final = 64
# Past so many words what was looked at once is not looked at again.
_LONG: Final = 500


class Signals(NamedTuple):
    """Words of validator talk in one language.

    They remove nothing: they weigh in where the draft says that a line has no counterpart.
    """

    language: str
    words: tuple[tuple[Kind, tuple[str, ...]], ...]
    common: frozenset[str]


class _Phrase(NamedTuple):
    text: str
    rest: tuple[str, ...]
    stem: bool
    language: str
    kind: Kind


_Said = tuple[tuple[tuple[str, Kind], ...], tuple[_Phrase, ...], tuple[str, ...]]
"""What a word says: the signals that it is, by language, the phrases that it may begin, and how
their second words begin."""


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
        self._known: dict[str, _Said] = {}
        self._mute: set[str] = set()
        for one in signals:
            for kind, words in one.words:
                for item in words:
                    self._add(one.language, kind, item)
        self._reach = 2 + max(
            (len(one.rest) for some in self._phrases.values() for one in some), default=0
        )
        self._shortest = min(map(len, self._stems), default=1)
        self._longest = max(map(len, self._stems), default=0)

    def _add(self, language: str, kind: Kind, item: str) -> None:
        stem = item.endswith("*")
        folded = fold(item.rstrip("*"))
        if DENSE.search(folded):
            self._dense.append((folded, language, kind))
            return
        first, *rest = tokens(folded) or [""]
        if rest:
            self._phrases.setdefault(first, []).append(
                _Phrase(" ".join([first, *rest]), tuple(rest), stem, language, kind)
            )
        elif first:
            table = self._stems if stem else self._exact
            table.setdefault(first, []).append((language, kind))

    def count(self, folded: str) -> dict[str, Counter[Kind]]:
        """How many different signals of each kind are in a folded text, by language."""
        series = tokens(folded)
        # In the order of the text: where two languages say as much the same one speaks each time.
        found: dict[tuple[str, str, Kind], None] = {}
        telling = self._telling(set(series))
        seen: set[tuple[str, ...]] = set()
        for index, token in enumerate(series) if telling else ():
            if token not in telling:
                continue
            if len(series) > _LONG:
                # The same words in the same place say nothing new.
                around = tuple(series[max(0, index - 2) : index + self._reach])
                if around in seen:
                    continue
                seen.add(around)
            rows, phrases, seconds = telling[token]
            for language, kind in rows:
                if kind != "unit" or _beside_number(series, index):
                    found[token, language, kind] = None
            if not seconds or not series[index + 1 : index + 2]:
                continue
            for phrase in phrases if series[index + 1].startswith(seconds) else ():
                if _goes_on(series, index + 1, phrase):
                    found[phrase.text, phrase.language, phrase.kind] = None
        if self._dense and DENSE.search(folded):
            found.update(dict.fromkeys(self._in_dense(folded)))
        counts: dict[str, Counter[Kind]] = {}
        for _, language, kind in found:
            counts.setdefault(language, Counter())[kind] += 1
        return counts

    def _telling(self, words: set[str]) -> dict[str, _Said]:
        """Those of these words that are a signal or may begin one, with what they say."""
        known, mute = self._known, self._mute
        telling: dict[str, _Said] = {}
        for token in words.difference(mute):
            said = known.get(token)
            if said is None:
                said = self._of(token)
                if len(known) + len(mute) < _MOST_KNOWN and len(token) <= _LONGEST:
                    if said[0] or said[1]:
                        known[token] = said
                    else:
                        mute.add(token)
            if said[0] or said[1]:
                telling[token] = said
        return telling

    def _of(self, token: str) -> _Said:
        rows = list(self._exact.get(token, ()))
        for size in range(self._shortest, min(len(token), self._longest) + 1):
            rows += self._stems.get(token[:size], ())
        phrases = tuple(self._phrases.get(token, ()))
        seconds = tuple(dict.fromkeys(phrase.rest[0] for phrase in phrases))
        return tuple(dict.fromkeys(rows)), phrases, seconds

    def _in_dense(self, folded: str) -> Iterable[tuple[str, str, Kind]]:
        for item, language, kind in self._dense:
            at = folded.find(item)
            while at >= 0:
                if kind != "unit" or _counts_before(folded, at):
                    yield item, language, kind
                    break
                at = folded.find(item, at + 1)


def _beside_number(series: list[str], index: int) -> bool:
    around = series[max(0, index - 2) : index + 2]
    return any(token.isdigit() for token in around) or bool(_NUMBER.match(series[index]))


def _goes_on(series: list[str], at: int, phrase: _Phrase) -> bool:
    rest = phrase.rest
    last = at + len(rest) - 1
    if last >= len(series) or series[at:last] != list(rest[:-1]):
        return False
    return series[last].startswith(rest[-1]) if phrase.stem else series[last] == rest[-1]


def _counts_before(folded: str, at: int) -> bool:
    before = folded[max(0, at - 3) : at].rstrip()
    return (bool(before) and before[-1:].isdigit()) or before[-2:-1].isdigit()
