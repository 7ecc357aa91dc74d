"""Reads a reply whose markers are all exact, alone on their lines and in order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from onlytext._reply import Cut
from onlytext._runs import Order

if TYPE_CHECKING:
    from onlytext._format import Sections


class ExactReader:
    """A format's canonical markers as one plain regex."""

    __slots__ = ("_markers", "_order", "_regex", "_required")

    def __init__(self, format: Sections) -> None:  # noqa: A002 - the name that clean() itself uses
        self._markers = format.markers
        self._order = Order([marker.numbered for marker in format.markers], [])
        self._required = frozenset(
            index for index, marker in enumerate(format.markers) if not marker.optional
        )
        rows = [_spell(marker.template) for marker in format.markers]
        self._regex = re.compile(rf"\n(?:{'|'.join(rows)})(?=\n|\Z)")

    def read(self, padded: str) -> tuple[Cut, ...] | None:
        """The sections of a reply with a line end put before it; none where it is not that plain."""
        found = list(self._regex.finditer(padded))
        if not found or padded[: found[0].start()].strip():
            return None
        follows = self._order.follows
        cuts: list[Cut] = []
        seen: set[int] = set()
        last: tuple[int, int] | None = None
        for index, match in enumerate(found):
            group = match.lastindex or 1
            number = int(match.group(group)) if self._markers[group - 1].numbered else 0
            key = (group - 1, number)
            if last is not None and not follows(key, last):
                return None
            last = key
            seen.add(group - 1)
            stop = found[index + 1].start() if index + 1 < len(found) else len(padded) - 1
            if not padded[match.end() : stop + 1].strip():
                return None
            cuts.append(Cut(match.group()[1:], match.end() - 1, stop))
        return tuple(cuts) if seen >= self._required else None

    @property
    def size(self) -> int:
        """How many markers the format has."""
        return len(self._markers)


def _spell(template: str) -> str:
    before, numbered, after = template.partition("{n}")
    if not numbered:
        return f"({re.escape(template)})"
    return rf"{re.escape(before)}(0|[1-9]\d{{0,5}}){re.escape(after)}"
