"""Figures over a journal, counted by the database: a run's, and leaks by whatever they are asked for.

Only joins and counts that SQLite and PostgreSQL both know; no functions on JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from sqlalchemy import and_, case, distinct, exists, func, select

from onlytext.journal._rows import Counts, Fired, Share
from onlytext.journal._schema import (
    CALLS,
    CLEANINGS,
    DOUBTS,
    FAILURES,
    OUTCOMES,
    REMOVALS,
    RUN_ITEMS,
    RUNS,
)
from onlytext.providers import Usage

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Executable, FromClause
    from sqlalchemy.engine import Engine

    from onlytext.journal._place import Place

By = Literal["model", "provider", "prompt", "day", "language", "part"]
"""What replies can be told apart by; `prompt` is the digest of the constant part of the prompt."""

_COLUMNS: Final[dict[By, ColumnElement[Any]]] = {
    "model": CALLS.c.model,
    "provider": CALLS.c.provider,
    "prompt": CALLS.c.system,
    "day": CALLS.c.day,
    "language": CALLS.c.language,
    "part": CALLS.c.part,
}


def of_run(cleaning_digest: str | None) -> FromClause:
    """Runs with their items and the outcomes of these under the run's job and cleaning rules."""
    cleaned_with = RUNS.c.cleaning_digest if cleaning_digest is None else cleaning_digest
    joined = RUNS.join(RUN_ITEMS, RUN_ITEMS.c.run == RUNS.c.id)
    return joined.join(
        OUTCOMES,
        and_(
            OUTCOMES.c.item == RUN_ITEMS.c.item,
            OUTCOMES.c.job_digest == RUNS.c.job_digest,
            OUTCOMES.c.cleaning_digest == cleaned_with,
        ),
    )


class Figures:
    """What the database can count. Each figure is read by a connection of its own."""

    def __init__(self, place: Place, engine: Engine) -> None:
        self._place = place
        self._engine = engine

    def counts(self, run: str, *, cleaning_digest: str | None = None) -> Counts:
        """A run in figures; the replies and failures are all that its items have."""
        by_status = (
            select(
                OUTCOMES.c.status,
                func.count(),
                func.sum(case((OUTCOMES.c.flagged, 1), else_=0)),
            )
            .select_from(of_run(cleaning_digest))
            .where(RUNS.c.id == run)
            .group_by(OUTCOMES.c.status)
        )
        mine = select(RUN_ITEMS.c.item).where(RUN_ITEMS.c.run == run)
        tokens = [column for column in CALLS.c if column.name.endswith("_tokens")]
        replies = select(
            func.count(CALLS.c.key),
            func.count(CALLS.c.cost),
            func.coalesce(func.sum(CALLS.c.cost), 0.0),
            *(func.coalesce(func.sum(column), 0) for column in tokens),
        ).where(CALLS.c.item.in_(mine))
        failed = select(func.count(FAILURES.c.call)).where(FAILURES.c.item.in_(mine))
        in_all = select(func.count(RUN_ITEMS.c.item)).where(RUN_ITEMS.c.run == run)
        [[items]], [[failures]] = self._all(in_all), self._all(failed)
        [[count, priced, cost, *sums]] = self._all(replies)
        statuses = self._all(by_status)
        names = [column.name.removesuffix("_tokens") for column in tokens]
        return Counts(
            items=items,
            outcomes={status: number for status, number, _ in statuses},
            flagged=sum(int(flagged) for *_, flagged in statuses),
            replies=count,
            failures=failures,
            usage=Usage(**dict(zip(names, map(int, sums), strict=True))),
            cost=float(cost) if priced == count else None,
        )

    def shares(self, by: By, *, run: str | None = None) -> list[Share]:
        """How many replies leaked, by one of their traits; each reply by its newest cleaning."""
        label = _COLUMNS[by]
        newest = _newest(run)
        leak = exists().where(REMOVALS.c.cleaning == newest.c.key, REMOVALS.c.leak)
        doubt = exists().where(DOUBTS.c.cleaning == newest.c.key)
        refused = newest.c.outcome == "refused"
        wanted = (
            select(
                label,
                func.count(),
                func.sum(case((leak, 1), else_=0)),
                func.sum(case((refused, 1), else_=0)),
                func.sum(case((doubt, 1), else_=0)),
            )
            .select_from(newest.join(CALLS, CALLS.c.key == newest.c.call))
            .where(newest.c.place == 1)
            .group_by(label)
            .order_by(label)
        )
        return [
            Share(
                label=name or "",
                replies=replies,
                leaking=int(leaking),
                refused=int(refused),
                doubtful=int(doubtful),
            )
            for name, replies, leaking, refused, doubtful in self._all(wanted)
        ]

    def fired(self, *, run: str | None = None) -> list[Fired]:
        """What took something out that nobody asked for, the most frequent first."""
        newest = _newest(run)
        many = func.count()
        wanted = (
            select(
                REMOVALS.c.reason,
                REMOVALS.c.pattern,
                many,
                func.count(distinct(REMOVALS.c.cleaning)),
            )
            .select_from(newest.join(REMOVALS, REMOVALS.c.cleaning == newest.c.key))
            .where(newest.c.place == 1, REMOVALS.c.leak)
            .group_by(REMOVALS.c.reason, REMOVALS.c.pattern)
            .order_by(many.desc(), REMOVALS.c.reason, REMOVALS.c.pattern)
        )
        return [
            Fired(reason=reason, pattern=pattern, removals=removals, replies=replies)
            for reason, pattern, removals, replies in self._all(wanted)
        ]

    def spent(self, job: str) -> float:
        """US dollars that calls cost in all runs of a job of this name, as far as prices were known."""
        total = 0.0
        for table in (CALLS, FAILURES):
            wanted = (
                select(func.coalesce(func.sum(table.c.cost), 0.0))
                .select_from(table.join(RUNS, RUNS.c.id == table.c.run))
                .where(RUNS.c.job == job)
            )
            [[cost]] = self._all(wanted)
            total += float(cost)
        return total

    def _all(self, wanted: Executable) -> list[tuple[Any, ...]]:
        with self._place.told("can't be read"), self._engine.connect() as connection:
            return [tuple(row) for row in connection.execute(wanted)]


def _newest(run: str | None) -> FromClause:
    """The cleanings, numbered for each call from the newest: of all calls, or of a run's items."""
    place = func.row_number().over(
        partition_by=CLEANINGS.c.call, order_by=(CLEANINGS.c.at.desc(), CLEANINGS.c.key)
    )
    wanted = select(CLEANINGS.c.key, CLEANINGS.c.call, CLEANINGS.c.outcome, place.label("place"))
    if run is not None:
        mine = select(RUN_ITEMS.c.item).where(RUN_ITEMS.c.run == run)
        wanted = wanted.join(CALLS, CALLS.c.key == CLEANINGS.c.call).where(CALLS.c.item.in_(mine))
    return wanted.subquery("newest")
