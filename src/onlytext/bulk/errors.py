"""What can go wrong with a whole job, as opposed to one of its rows."""

from __future__ import annotations

from onlytext.errors import OnlytextError

__all__ = ["BulkError"]


class BulkError(OnlytextError):
    """A job that can't begin or go on, with the file or column, and what to do about it."""
