"""Texts as they came, in a database that can't hold every one of them.

PostgreSQL takes no NUL in a text, and neither database takes half of a surrogate pair, which a
broken stream can leave behind. Each such character is stored as the control character DLE ("data
link escape", U+0010) with four hexadecimal digits behind it, and DLE itself likewise. Every other
text, which is as good as every text there is, stands in the database as it is.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from sqlalchemy import Text
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect

_DLE: Final = "\x10"
# Character classes alone: linear on any reply. re2 takes no surrogates, so it can't be asked.
_UNSTORABLE: Final = re.compile("[\x00\x10\ud800-\udfff]")
_STORED: Final = re.compile("\x10([0-9a-f]{4})")


def to_stored(text: str) -> str:
    """The text with what no database takes written as DLE and four digits."""
    if text.isascii() and "\x00" not in text and _DLE not in text:
        return text
    return _UNSTORABLE.sub(lambda found: f"{_DLE}{ord(found[0]):04x}", text)


def from_stored(stored: str) -> str:
    """The text as it came."""
    if _DLE not in stored:
        return stored
    return _STORED.sub(lambda found: chr(int(found[1], 16)), stored)


class Verbatim(TypeDecorator[str]):
    """A text column that gives back any `str` as it was given."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's signature
        """What is sent to the database."""
        return None if value is None else to_stored(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's signature
        """What comes back of it."""
        return None if value is None else from_stored(value)


def to_json(value: object) -> str:
    """JSON that a person can read; half of a surrogate pair stays one, for the column to write."""
    return json.dumps(value, ensure_ascii=False, default=str)
