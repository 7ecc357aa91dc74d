"""Words of validator talk: they remove nothing, they weigh in."""

from __future__ import annotations

import itertools
import operator
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from onlytext._fold import fold
from onlytext._memo import Memo
from onlytext._regex import regex
from onlytext._tokens import tokens
from onlytext._widen import DENSE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Kind = Literal[
    "edit", "verdict", "rule", "unit", "was", "again", "self", "pause", "announce", "ask", "place"
]
KINDS: Final = get_args(Kind)
_NUMBER: Final = regex(r"^\d+(?:/\d+)?")
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
    place: int
    text: str
    rest: tuple[str, ...]
    stem: bool
    language: str
    kind: Kind


class _Said(NamedTuple):
    """What a word says: the signals that it is, by language, and the phrases that it may begin.

    These stand by their second words, those apart of which that is only a beginning.
    """

    rows: tuple[tuple[str, Kind], ...]
    phrases: dict[str, list[_Phrase]]
    loose: tuple[_Phrase, ...]


class WordIndex:
    """The signals of all languages, found word by word.

    A `*` at the end of a word or phrase lets any ending in. Where a script writes words without
    blanks between them a word counts wherever it stands. A unit counts only beside a number.
    """

    def __init__(self, signals: Iterable[Signals]) -> None:
        self._exact: dict[str, list[tuple[str, Kind]]] = {}
        self._stems: dict[str, list[tuple[str, Kind]]] = {}
        self._phrases: dict[str, list[_Phrase]] = {}
        # Signals of scripts without blanks, by their first two letters; each with its place in line.
        self._dense: dict[str, list[tuple[int, str, str, Kind]]] = {}
        self._said = Memo(self._said_by)
        for one in signals:
            for kind, words in one.words:
                for item in words:
                    self._add(one.language, kind, item)
        self._reach = 2 + max(
            (len(one.rest) for some in self._phrases.values() for one in some), default=0
        )
        self._starts = frozenset(self._dense)
        self._shortest = min(map(len, self._stems), default=1)
        self._longest = max(map(len, self._stems), default=0)

    def _add(self, language: str, kind: Kind, item: str) -> None:
        stem = item.endswith("*")
        folded = fold(item.rstrip("*"))
        if DENSE.search(folded):
            place = sum(map(len, self._dense.values()))
            self._dense.setdefault(folded[:2], []).append((place, folded, language, kind))
            return
        first, *rest = tokens(folded) or [""]
        if rest:
            some = self._phrases.setdefault(first, [])
            text = " ".join([first, *rest])
            some.append(_Phrase(len(some), text, tuple(rest), stem, language, kind))
        elif first:
            table = self._stems if stem else self._exact
            table.setdefault(first, []).append((language, kind))

    def count(self, folded: str) -> dict[str, dict[Kind, int]]:
        """How many different signals of each kind are in a folded text, by language."""
        counts: dict[str, dict[Kind, int]] = {}
        # In the order of the text: where two languages say as much the same one speaks each time.
        for _, language, kind in dict.fromkeys(self._found(folded)):
            mine = counts.get(language)
            if mine is None:
                counts[language] = {kind: 1}
            else:
                mine[kind] = mine.get(kind, 0) + 1
        return counts

    def kinds_in(self, folded: str) -> set[tuple[str, Kind]]:
        """Of which kinds there is a signal in a folded text, each with its language."""
        return {(language, kind) for _, language, kind in self._found(folded)}

    def _found(self, folded: str) -> Iterator[tuple[str, str, Kind]]:
        series = tokens(folded)
        last = len(series) - 1
        for index, (rows, phrases, loose) in self._telling(series):
            for language, kind in rows:
                if kind != "unit" or _beside_number(series, index):
                    yield series[index], language, kind
            if index == last or not (phrases or loose):
                continue
            second = series[index + 1]
            some = phrases.get(second, [])
            if loose:
                begun = [phrase for phrase in loose if second.startswith(phrase.rest[0])]
                some = sorted(some + begun) if begun else some
            for phrase in some:
                if len(phrase.rest) == 1 or _goes_on(series, index + 1, phrase):
                    yield phrase.text, phrase.language, phrase.kind
        if self._dense and DENSE.search(folded):
            yield from self._in_dense(folded)

    def _telling(self, series: list[str]) -> Iterable[tuple[int, _Said]]:
        """The places of words that are a signal or may begin one, with what they say."""
        said = self._said
        telling = [(index, one) for index, word in enumerate(series) if (one := said[word])]
        if len(series) <= _LONG:
            return telling
        # The same words in the same place say nothing new.
        around = {
            tuple(series[max(0, index - 2) : index + self._reach]): (index, one)
            for index, one in reversed(telling)
        }
        return sorted(around.values(), key=operator.itemgetter(0))

    def _said_by(self, word: str) -> _Said | None:
        rows = list(self._exact.get(word, ()))
        for size in range(self._shortest, min(len(word), self._longest) + 1):
            rows += self._stems.get(word[:size], ())
        phrases: dict[str, list[_Phrase]] = {}
        loose: list[_Phrase] = []
        for phrase in self._phrases.get(word, ()):
            if phrase.stem and len(phrase.rest) == 1:
                loose.append(phrase)
            else:
                phrases.setdefault(phrase.rest[0], []).append(phrase)
        if not (rows or phrases or loose):
            return None
        return _Said(tuple(dict.fromkeys(rows)), phrases, tuple(loose))

    def _in_dense(self, folded: str) -> Iterator[tuple[str, str, Kind]]:
        pairs = map(operator.add, folded, folded[1:])
        starts = self._starts.intersection(itertools.chain(folded, pairs))
        rows = sorted(row for start in starts for row in self._dense[start] if row[1] in folded)
        for _, item, language, kind in rows:
            if kind != "unit" or _is_counted(folded, item):
                yield item, language, kind


def _beside_number(series: list[str], index: int) -> bool:
    around = series[max(0, index - 2) : index + 2]
    return any(token.isdigit() for token in around) or bool(_NUMBER.match(series[index]))


def _goes_on(series: list[str], at: int, phrase: _Phrase) -> bool:
    rest = phrase.rest
    last = at + len(rest) - 1
    if last >= len(series) or series[at:last] != list(rest[:-1]):
        return False
    return series[last].startswith(rest[-1]) if phrase.stem else series[last] == rest[-1]


def _is_counted(folded: str, unit: str) -> bool:
    """Whether a unit stands behind a number somewhere."""
    at = folded.find(unit)
    while at >= 0:
        if _counts_before(folded, at):
            return True
        at = folded.find(unit, at + 1)
    return False


def _counts_before(folded: str, at: int) -> bool:
    before = folded[max(0, at - 3) : at].rstrip()
    return (bool(before) and before[-1:].isdigit()) or before[-2:-1].isdigit()
