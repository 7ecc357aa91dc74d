"""What the demo shows of a run's journal, read from the tables that docs/reference/journal.md lists."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_EXCEPTIONS: Final = """
SELECT items.id, status, cause FROM outcomes JOIN items ON items.key = outcomes.item
WHERE status <> 'ok' ORDER BY status, items.id
"""
_REPLY: Final = """
SELECT calls.text, cleanings.key FROM calls
JOIN items ON items.key = calls.item JOIN cleanings ON cleanings.call = calls.key
WHERE items.id = ? AND part = 'validate' ORDER BY ask DESC LIMIT 1
"""
_LEAKING: Final = """
SELECT items.id, part, ask, calls.text, cleanings.key FROM calls
JOIN items ON items.key = calls.item JOIN cleanings ON cleanings.call = calls.key
WHERE EXISTS (SELECT 1 FROM removals WHERE cleaning = cleanings.key AND leak) ORDER BY began
"""
_REMOVALS: Final = "SELECT first, past FROM removals WHERE cleaning = ? ORDER BY first"

_PASSES: Final = {"generate": "draft", "validate": "checked text"}


@dataclass(frozen=True, slots=True)
class Cleaning:
    """A reply of the second pass, and the stretches of it that were dropped."""

    reply: str
    removals: tuple[tuple[int, int], ...]


class Journal:
    """A journal that is only read."""

    def __init__(self, file: Path) -> None:
        self._uri = f"{file.resolve().as_uri()}?mode=ro"

    def exceptions(self) -> list[tuple[str, str, str]]:
        """The items that are not `ok`: id, status, cause."""
        rows = self._rows(_EXCEPTIONS)
        return [(str(item), str(status), str(cause)) for item, status, cause in rows]

    def cleaning(self, item: str) -> Cleaning:
        """What became of the last reply of the second pass for this item."""
        ((reply, key),) = self._rows(_REPLY, item)
        return self._cleaning(reply, key)

    def leaking(self) -> list[tuple[str, Cleaning]]:
        """All replies that held more than the text, each with a title."""
        return [
            (
                f"{item}: the {_PASSES[str(part)]}{' asked for again' if ask else ''}",
                self._cleaning(reply, key),
            )
            for item, part, ask, reply, key in self._rows(_LEAKING)
        ]

    def _cleaning(self, reply: str | int, key: str | int) -> Cleaning:
        rows = self._rows(_REMOVALS, key)
        return Cleaning(str(reply), tuple((int(first), int(past)) for first, past in rows))

    def _rows(self, statement: str, *given: str | int) -> list[tuple[str | int, ...]]:
        with closing(sqlite3.connect(self._uri, uri=True)) as database:
            return database.execute(statement, given).fetchall()
