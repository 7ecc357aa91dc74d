"""The tables, and the numbered steps that make them: `migrations/0001.sql` and those that follow.

A step is a file of plain SQL that both databases take, and is never edited once it has been
released. Alembic would bring templates, an environment file and a command line of its own for what
is a loop here.
"""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    Integer,
    MetaData,
    Table,
    Text,
    delete,
    insert,
    inspect,
    select,
    text,
)

from onlytext.journal._errors import JournalError
from onlytext.journal._verbatim import Verbatim

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

METADATA: Final = MetaData()
# Any number that nobody else uses: it keeps two processes from migrating at once.
_LOCK: Final = 7_041_776_120


def _usage() -> list[Column[int]]:
    names = ("input", "output", "cache_read", "cache_write", "thinking")
    return [Column(f"{name}_tokens", BigInteger, nullable=False) for name in names]


VERSIONS: Final = Table("onlytext_journal", METADATA, Column("version", Integer, nullable=False))
TEXTS: Final = Table(
    "texts",
    METADATA,
    Column("digest", Text, primary_key=True),
    Column("text", Verbatim, nullable=False),
)
RUNS: Final = Table(
    "runs",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("started", Double, nullable=False),
    Column("finished", Double),
    Column("state", Text, nullable=False),
    Column("job", Verbatim, nullable=False),
    Column("job_digest", Text, nullable=False),
    Column("cleaning_digest", Text, nullable=False),
    Column("job_text", Text, nullable=False),
    Column("language", Text),
    Column("version", Text, nullable=False),
)
ITEMS: Final = Table(
    "items",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("id", Verbatim),
    Column("brief", Verbatim, nullable=False),
)
RUN_ITEMS: Final = Table(
    "run_items",
    METADATA,
    Column("run", Text, primary_key=True),
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("item", Text, nullable=False),
)
CALLS: Final = Table(
    "calls",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("item", Text, nullable=False),
    Column("part", Text, nullable=False),
    Column("ask", BigInteger, nullable=False),
    Column("run", Text),
    Column("provider", Verbatim, nullable=False),
    Column("model", Verbatim, nullable=False),
    Column("language", Verbatim),
    Column("system", Text, nullable=False),
    Column("messages", Verbatim, nullable=False),
    Column("settings", Verbatim, nullable=False),
    Column("began", Double, nullable=False),
    Column("day", Text, nullable=False),
    Column("seconds", Double, nullable=False),
    Column("stop", Text, nullable=False),
    Column("text", Verbatim, nullable=False),
    Column("thinking", Verbatim, nullable=False),
    Column("detail", Verbatim, nullable=False),
    Column("answered_by", Verbatim, nullable=False),
    Column("request_id", Verbatim),
    *_usage(),
    Column("cost", Double),
)
FAILURES: Final = Table(
    "failures",
    METADATA,
    Column("call", Text, primary_key=True),
    Column("began", Double, primary_key=True, autoincrement=False),
    Column("attempt", BigInteger, primary_key=True, autoincrement=False),
    Column("item", Text, nullable=False),
    Column("part", Text, nullable=False),
    Column("ask", BigInteger, nullable=False),
    Column("run", Text),
    Column("provider", Verbatim, nullable=False),
    Column("model", Verbatim, nullable=False),
    Column("seconds", Double, nullable=False),
    Column("fault", Text, nullable=False),
    Column("status", BigInteger),
    Column("message", Verbatim, nullable=False),
    Column("partial", Verbatim, nullable=False),
    Column("request_id", Verbatim),
    *_usage(),
    Column("cost", Double),
)
CLEANINGS: Final = Table(
    "cleanings",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("call", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("cause", Verbatim),
)
REMOVALS: Final = Table(
    "removals",
    METADATA,
    Column("cleaning", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("first", BigInteger, nullable=False),
    Column("past", BigInteger, nullable=False),
    Column("reason", Verbatim, nullable=False),
    Column("pattern", Verbatim),
    Column("leak", Boolean, nullable=False),
)
DOUBTS: Final = Table(
    "doubts",
    METADATA,
    Column("cleaning", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("first", BigInteger, nullable=False),
    Column("past", BigInteger, nullable=False),
    Column("reason", Verbatim, nullable=False),
)
OUTCOMES: Final = Table(
    "outcomes",
    METADATA,
    Column("item", Text, primary_key=True),
    Column("job_digest", Text, primary_key=True),
    Column("cleaning_digest", Text, primary_key=True),
    Column("run", Text),
    Column("at", Double, nullable=False),
    Column("status", Text, nullable=False),
    Column("cause", Verbatim),
    Column("text", Verbatim),
    Column("record", Verbatim),
    Column("doubts", Verbatim, nullable=False),
    Column("flagged", Boolean, nullable=False),
    Column("validated", Boolean, nullable=False),
    Column("final", Boolean, nullable=False),
    Column("calls", Verbatim, nullable=False),
    Column("cost", Double),
    Column("seconds", Double, nullable=False),
)
BATCHES: Final = Table(
    "batches",
    METADATA,
    Column("provider", Verbatim, primary_key=True),
    Column("id", Verbatim, primary_key=True),
    Column("run", Text),
    Column("state", Text, nullable=False),
    Column("submitted", Double, nullable=False),
)
BATCH_CALLS: Final = Table(
    "batch_calls",
    METADATA,
    Column("provider", Verbatim, primary_key=True),
    Column("batch", Verbatim, primary_key=True),
    Column("request", Verbatim, primary_key=True),
    Column("call", Text, nullable=False),
)
CLAIMS: Final = Table(
    "claims",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("holder", Text, nullable=False),
)


def steps() -> list[str]:
    """The SQL of each step, the first first."""
    folder = resources.files("onlytext.journal") / "migrations"
    named = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [(folder / name).read_text("utf-8") for name in named]


def version_of(connection: Connection) -> int:
    """The number of the last step that was taken; 0 for an empty database, -1 for somebody else's."""
    names = set(inspect(connection).get_table_names())
    if VERSIONS.name in names:
        return connection.execute(select(VERSIONS.c.version)).scalar() or 0
    if connection.dialect.name == "sqlite":
        return -1 if names else 0
    # A PostgreSQL database may hold tables of others too, as long as none is called like ours.
    return -1 if names & set(METADATA.tables) else 0


def check(connection: Connection, where: str) -> int:
    """The version, or `JournalError` where this onlytext can't use the database."""
    version = version_of(connection)
    if version < 0:
        raise JournalError(
            f"{where} holds tables, but is no journal of onlytext; name another file or database"
        )
    newest = len(steps())
    if version > newest:
        raise JournalError(
            f"{where} was written by a newer onlytext (its schema is {version}, this one knows "
            f"{newest}); update onlytext, or name another journal"
        )
    return version


def migrate(connection: Connection, where: str) -> None:
    """Take the steps that are missing, all of them or none; the caller commits."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    version = check(connection, where)
    wanted = steps()
    if version == len(wanted):
        return
    if version == 0:
        VERSIONS.create(connection, checkfirst=True)
    for step in wanted[version:]:
        for statement in _statements(step):
            connection.exec_driver_sql(statement)
    connection.execute(delete(VERSIONS))
    connection.execute(insert(VERSIONS).values(version=len(wanted)))


def _statements(step: str) -> list[str]:
    lines = [line for line in step.splitlines() if not line.lstrip().startswith("--")]
    return [part.strip() for part in "\n".join(lines).split(";") if part.strip()]
