"""Which patterns may match a line, told by the words in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from onlytext._memo import Memo

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_START: Final = 3


class HintIndex:
    """The hints of all patterns, found word by word: a hint counts wherever it stands in a word."""

    def __init__(self, hints: Sequence[str]) -> None:
        self._places: dict[str, list[int]] = {}
        for place, hint in enumerate(hints):
            self._places.setdefault(hint, []).append(place)
        self._always: list[str] = [hint for hint in self._places if not hint]
        self._starts: dict[str, list[str]] = {}
        for hint in filter(None, self._places):
            self._starts.setdefault(hint[:_START], []).append(hint)
        self._in = Memo(self._in_word)

    def places(self, hint: str) -> list[int]:
        """The places of the patterns that have this very hint."""
        return self._places[hint]

    def hints_in(self, words: Iterable[str]) -> set[str]:
        """The hints that stand in these words; one without letters stands in any text."""
        known = self._in
        found: set[str] = set(self._always)
        for word in words:
            found.update(known[word])
        return found

    def _in_word(self, word: str) -> tuple[str, ...]:
        starts = self._starts
        found: set[str] = set()
        for at in range(len(word)):
            for size in range(1, _START + 1):
                found.update(
                    hint
                    for hint in starts.get(word[at : at + size], ())
                    if word.startswith(hint, at)
                )
        return tuple(found)
