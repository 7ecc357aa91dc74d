"""Rows on their way into the tables: gathered by table and key, then stored in as few steps as can be."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from onlytext.journal._schema import (
    BATCH_CALLS,
    BATCHES,
    CALLS,
    CLEANINGS,
    DOUBTS,
    FAILURES,
    ITEMS,
    OUTCOMES,
    REMOVALS,
    RUN_ITEMS,
    RUNS,
    TEXTS,
)

if TYPE_CHECKING:
    from sqlalchemy import Table
    from sqlalchemy.dialects.postgresql import Insert as PostgresqlInsert
    from sqlalchemy.dialects.sqlite import Insert as SqliteInsert
    from sqlalchemy.engine import Connection

Value = str | int | float | bool | None
Row = dict[str, Value]

# In this order, so that what is referred to is there first. A second row of the same key takes
# the place of the first in some tables; in the others the first stays.
_LAST_STAYS: Final[dict[Table, bool]] = {
    TEXTS: False,
    RUNS: True,
    ITEMS: True,
    RUN_ITEMS: True,
    CALLS: False,
    FAILURES: False,
    CLEANINGS: True,
    REMOVALS: True,
    DOUBTS: True,
    OUTCOMES: True,
    BATCHES: True,
    BATCH_CALLS: True,
}


class Rows:
    """Rows of several tables, each key once."""

    def __init__(self) -> None:
        self._by_table: dict[Table, dict[tuple[Value, ...], Row]] = {}

    def add(self, table: Table, row: Row) -> None:
        """Take in a row; of two with the same key, the table's rule says which stays."""
        key = tuple(row[column.name] for column in table.primary_key)
        rows = self._by_table.setdefault(table, {})
        if _LAST_STAYS[table] or key not in rows:
            rows[key] = row

    def update(self, other: Rows) -> None:
        """Take in the rows of another, as later ones."""
        for row in other.rows(CLEANINGS):
            # The removals and doubts of a cleaning belong together: none of an earlier one stays.
            for table in (REMOVALS, DOUBTS):
                mine = self._by_table.get(table, {})
                for key in [key for key in mine if key[0] == row["key"]]:
                    del mine[key]
        for table, rows in other._by_table.items():
            for row in rows.values():
                self.add(table, row)

    def rows(self, table: Table) -> list[Row]:
        """A table's rows, sorted by key: two processes that store the same ones take turns."""
        rows = self._by_table.get(table, {})
        return [rows[key] for key in sorted(rows, key=lambda key: tuple(map(str, key)))]

    def store(self, connection: Connection) -> None:
        """Put every row where it belongs; the caller commits."""
        for table in _LAST_STAYS:
            rows = self.rows(table)
            if not rows:
                continue
            connection.execute(_insert(connection.dialect.name, table), rows)
            if table is CLEANINGS:
                keys = [row["key"] for row in rows]
                for part in (REMOVALS, DOUBTS):
                    for some in chunks(keys):
                        connection.execute(delete(part).where(part.c.cleaning.in_(some)))


def chunks(keys: list[Value], size: int = 500) -> list[list[Value]]:
    """The keys in groups that a statement can take."""
    return [keys[at : at + size] for at in range(0, len(keys), size)]


@cache
def _insert(dialect: str, table: Table) -> PostgresqlInsert | SqliteInsert:
    made = postgresql_insert(table) if dialect == "postgresql" else sqlite_insert(table)
    keys = [column.name for column in table.primary_key]
    rest = {column.name: column for column in made.excluded if column.name not in keys}
    if not _LAST_STAYS[table] or not rest:
        return made.on_conflict_do_nothing(index_elements=keys)
    return made.on_conflict_do_update(index_elements=keys, set_=rest)
