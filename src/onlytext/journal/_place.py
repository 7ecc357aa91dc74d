"""Where a journal is: a file or a database, how to connect to it, and how to name it safely."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import URL, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from onlytext.journal._errors import JournalError, masked

if TYPE_CHECKING:
    from collections.abc import Generator

    from sqlalchemy.engine import Connection, Engine
    from sqlalchemy.engine.interfaces import DBAPIConnection
    from sqlalchemy.pool import ConnectionPoolEntry

_BUSY_SECONDS: Final = 30
_CONNECT_SECONDS: Final = 15
_HINTS: Final = (
    (("disk is full", "No space left", "could not extend file"), "make room, then run it again"),
    (("database is locked",), "another program holds it; let that one end, then run it again"),
    (("not a database", "malformed"), "it is damaged, or no journal; name another file"),
    (("unable to open", "readonly", "permission denied"), "is it a file that you may write?"),
)


class Place:
    """A journal's address: a path or an SQLAlchemy URL, checked."""

    def __init__(self, where: str | Path) -> None:
        self.url = _url(where)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self.path = Path(self.url.database) if self.sqlite and self.url.database else None
        shown = self.url.render_as_string(hide_password=True)
        self.name = str(self.path) if self.path is not None else masked(shown)

    def __str__(self) -> str:
        return self.name

    def writer(self) -> Engine:
        """An engine whose transactions take the write lock at once, and are on disk when committed.

        Not for a file that may be somebody else's: its mode is changed.
        """
        return self._engine(
            begin="BEGIN IMMEDIATE", pragmas=("journal_mode = WAL", "synchronous = FULL")
        )

    def reader(self) -> Engine:
        """An engine that can only read."""
        return self._engine(begin="BEGIN", pragmas=("query_only = ON",))

    def _engine(self, *, begin: str, pragmas: tuple[str, ...]) -> Engine:
        if not self.sqlite:
            engine = create_engine(
                self.url,
                pool_pre_ping=True,
                connect_args={"connect_timeout": _CONNECT_SECONDS},
                hide_parameters=True,
            )
            if begin == "BEGIN":
                engine = engine.execution_options(postgresql_readonly=True)
            return engine
        engine = create_engine(
            self.url,
            poolclass=NullPool,
            connect_args={"timeout": _BUSY_SECONDS, "check_same_thread": False},
            hide_parameters=True,
        )

        def connected(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
            # sqlite3's own guesses about transactions are off: BEGIN is said below.
            connection.isolation_level = None
            cursor = connection.cursor()
            for pragma in ("foreign_keys = ON", *pragmas):
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()

        def began(connection: Connection) -> None:
            connection.exec_driver_sql(begin)

        event.listen(engine, "connect", connected)
        event.listen(engine, "begin", began)
        return engine

    @contextmanager
    def told(self, doing: str) -> Generator[None]:
        """Turns what the database says into a `JournalError` that a person can act on."""
        try:
            yield
        except SQLAlchemyError as error:
            raise self.error(doing, error) from error

    def error(self, doing: str, error: SQLAlchemyError | OSError) -> JournalError:
        """The error that says what could not be done, why, and what to do about it."""
        why = str(error.orig if isinstance(error, DBAPIError) else error).strip()
        why = masked(" ".join(why.split()))
        hint = next(
            (hint for words, hint in _HINTS if any(word.lower() in why.lower() for word in words)),
            None,
        )
        return JournalError(f"{self.name} {doing}: {why}" + (f" ({hint})" if hint else ""))


def _url(where: str | Path) -> URL:
    if isinstance(where, Path) or "://" not in where:
        return _file(str(where))
    try:
        url = make_url(where)
        backend = url.get_backend_name()
    except ArgumentError:
        raise JournalError(f"{masked(where)!r} is no database URL") from None
    if backend == "sqlite":
        return _file(url.database or "")
    if backend not in {"postgresql", "postgres"}:
        raise JournalError(
            f"a journal is kept in SQLite or PostgreSQL, not in {backend!r}; "
            f"write a path or postgresql://user@host/database"
        )
    url = url.set(drivername="postgresql+psycopg")
    try:
        url.get_dialect().import_dbapi()
    except (ImportError, NoSuchModuleError) as error:
        raise JournalError(
            "a journal in PostgreSQL needs psycopg: pip install 'onlytext[postgres]'"
        ) from error
    return url


def _file(path: str) -> URL:
    if path in {"", ":memory:"} or path.startswith("file:"):
        raise JournalError("a journal outlives its run: name a file, such as run.journal.sqlite")
    return URL.create("sqlite+pysqlite", database=path)
