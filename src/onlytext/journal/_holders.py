"""Who works on what, so that two runs on one journal don't pay for the same reply.

A claim lasts as long as its holder lives: in PostgreSQL a holder has an advisory lock, which ends
with its connection; beside an SQLite file it has a locked file of its own, which ends with its
process. So a run that was killed leaves nothing behind that the next has to wait for.
"""

from __future__ import annotations

import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, select, text
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from onlytext.journal._schema import CLAIMS
from onlytext.journal._statements import chunks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy.engine import Connection

    from onlytext.journal._place import Place

if sys.platform != "win32":  # pragma: no branch
    import fcntl

# PostgreSQL's advisory locks have two numbers: the first says that it is one of ours.
_CLASS: Final = 704_177_613


class Holder:
    """One journal that is open, as others see it."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._number = secrets.randbelow(2**31)
        self.name = str(self._number)
        self._file: int | None = None
        self._path: Path | None = None

    def claim(self, keys: Sequence[str]) -> Callable[[Connection], frozenset[str]]:
        """What claims the keys that nobody alive holds, and gives back those that are now ours."""

        def ask(connection: Connection) -> frozenset[str]:
            self._show_life(connection)
            held = CLAIMS.c.holder != self.name
            of_others: set[str] = set()
            for some in chunks(list(keys)):
                wanted = select(CLAIMS.c.holder).where(CLAIMS.c.key.in_(some), held).distinct()
                of_others |= set(connection.execute(wanted).scalars())
            for holder in sorted(of_others):
                if not self._lives(connection, holder):
                    connection.execute(delete(CLAIMS).where(CLAIMS.c.holder == holder))
            make = postgresql_insert if connection.dialect.name == "postgresql" else sqlite_insert
            rows = [{"key": key, "holder": self.name} for key in sorted(set(keys))]
            if rows:
                connection.execute(make(CLAIMS).on_conflict_do_nothing(), rows)
            ours: set[str] = set()
            for some in chunks(list(keys)):
                mine = select(CLAIMS.c.key).where(CLAIMS.c.key.in_(some), ~held)
                ours |= set(connection.execute(mine).scalars())
            return frozenset(ours)

        return ask

    def release(self, keys: Sequence[str] | None) -> Callable[[Connection], frozenset[str]]:
        """What gives back these claims, or all that are ours."""

        def ask(connection: Connection) -> frozenset[str]:
            mine = delete(CLAIMS).where(CLAIMS.c.holder == self.name)
            if keys is None:
                connection.execute(mine)
            else:
                for some in chunks(list(keys)):
                    connection.execute(mine.where(CLAIMS.c.key.in_(some)))
            return frozenset()

        return ask

    def close(self) -> None:
        """Give the locked file back; a lock in PostgreSQL ends with the connection."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink()

    def _show_life(self, connection: Connection) -> None:
        if connection.dialect.name == "postgresql":
            # Taken anew each time: the connection may have been made anew.
            connection.execute(text(_LOCK), {"kind": _CLASS, "number": self._number})
        elif self._file is None:
            self._path = self._lock_path(self.name)
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            _lock(self._file)

    def _lives(self, connection: Connection, holder: str) -> bool:
        if connection.dialect.name == "postgresql":
            found = connection.execute(text(_HELD), {"kind": _CLASS, "number": int(holder)})
            return bool(found.scalar())
        return _locked(self._lock_path(holder))

    def _lock_path(self, holder: str) -> Path:
        return Path(f"{self._place}.run-{holder}.lock")


def _lock(file: int) -> bool:
    """Whether the open file could be locked: nobody else holds it."""
    if sys.platform != "win32":  # pragma: no branch
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


def _locked(path: Path) -> bool:
    """Whether a living process holds the file; one that nobody holds is taken away."""
    try:
        file = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        if not _lock(file):
            return True
    finally:
        os.close(file)
    try:
        path.unlink()
    except FileNotFoundError:  # pragma: no cover - another process was quicker
        return False
    except PermissionError:  # pragma: no cover - Windows: what a process has open stays
        return True
    return False


# Once a session. Where a connection that broke still has it, nobody waits for that one to end.
_LOCK: Final = """
SELECT pg_try_advisory_lock(:kind, :number) WHERE NOT EXISTS (
    SELECT 1 FROM pg_locks
    WHERE locktype = 'advisory' AND classid = :kind AND objid = :number AND pid = pg_backend_pid()
)
"""
_HELD: Final = """
SELECT EXISTS (
    SELECT 1 FROM pg_locks
    WHERE locktype = 'advisory' AND classid = :kind AND objid = :number AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
)
"""
