"""Reads a reply whose markers are all exact, alone on their lines and in order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from onlytext._reply import Cut
from onlytext._runs import Order

if TYPE_CHECKING:
    from onlytext._format import Sections
    from onlytext._markers import Key

# How many series of markers are remembered: the replies of one job share very few.
_MOST_SERIES: Final = 512


class ExactReader:
    """A format's canonical markers, and the series of them that were seen in order."""

    __slots__ = ("_lines", "_markers", "_order", "_required", "_series")

    def __init__(self, format: Sections, opening: str) -> None:
        self._markers = [
            (re.compile(_spell(marker.template)), marker.numbered) for marker in format.markers
        ]
        self._order = Order([marker.numbered for marker in format.markers], [])
        self._required = frozenset(
            index for index, marker in enumerate(format.markers) if not marker.optional
        )
        # Every line that may be a marker in some spelling, whole.
        self._lines = re.compile(rf"\n({opening}[^\n]*)")
        self._series: dict[tuple[str, ...], tuple[Key, ...] | None] = {}

    def read(self, text: str) -> tuple[tuple[Key, ...], list[str]] | None:
        """The sections' keys and the pieces of the text between them; none where it is not that plain.

        The pieces alternate: what stands before the first marker, a marker's line, its body, and
        so on; line ends before markers are left out.
        """
        parts = self._lines.split("\n" + text)
        series = tuple(parts[1::2])
        try:
            keys = self._series[series]
        except KeyError:
            keys = self._keys(series)
            if len(self._series) < _MOST_SERIES:
                self._series[series] = keys
        if keys is None or parts[0].strip():
            return None
        return keys, parts

    def _keys(self, series: tuple[str, ...]) -> tuple[Key, ...] | None:
        keys: list[Key] = []
        for line in series:
            key = self._key(line)
            if key is None or (keys and not self._order.follows(key, keys[-1])):
                return None
            keys.append(key)
        return tuple(keys) if {key[0] for key in keys} >= self._required and keys else None

    def _key(self, line: str) -> Key | None:
        for index, (regex, numbered) in enumerate(self._markers):
            found = regex.fullmatch(line)
            if found is not None:
                return index, int(found.group(1)) if numbered else 0
        return None


def cuts_of(parts: list[str]) -> tuple[Cut, ...]:
    """Where the bodies stand in the text that was taken apart into these pieces."""
    cuts: list[Cut] = []
    at = len(parts[0]) - 1
    for index in range(1, len(parts), 2):
        start = at + 1 + len(parts[index])
        at = start + len(parts[index + 1])
        cuts.append(Cut(parts[index], start, at))
    return tuple(cuts)


def _spell(template: str) -> str:
    before, numbered, after = template.partition("{n}")
    if not numbered:
        return re.escape(template)
    return rf"{re.escape(before)}(0|[1-9]\d{{0,5}}){re.escape(after)}"
