"""Every reply as it came, what was made of it and what became of each item, in SQLite or PostgreSQL."""

from __future__ import annotations

from importlib.util import find_spec

from onlytext.errors import OnlytextError

if find_spec("sqlalchemy") is None:  # pragma: no cover - it is there where the tests run
    raise OnlytextError("a journal needs SQLAlchemy: pip install 'onlytext[pipeline]'")

from onlytext.journal._errors import JournalError
from onlytext.journal._journal import Journal
from onlytext.journal._rows import (
    Batch,
    Call,
    Cleaning,
    Counts,
    Failure,
    Fired,
    Run,
    Share,
    StoredDoubt,
    StoredItem,
    StoredOutcome,
    StoredRemoval,
    Told,
)

__all__ = [
    "Batch",
    "Call",
    "Cleaning",
    "Counts",
    "Failure",
    "Fired",
    "Journal",
    "JournalError",
    "Run",
    "Share",
    "StoredDoubt",
    "StoredItem",
    "StoredOutcome",
    "StoredRemoval",
    "Told",
]
