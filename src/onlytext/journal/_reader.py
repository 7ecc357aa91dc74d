"""What is read of a journal: by key, in the order of the items, and never all of it at once."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select

from onlytext.journal._figures import of_run
from onlytext.journal._rows import Told
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
from onlytext.journal._stored import (
    batch_of,
    call_of,
    cleaning_of,
    failure_of,
    item_of,
    outcome_of,
    run_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy import ColumnElement, Executable, RowMapping, Select
    from sqlalchemy.engine import Connection, Engine

    from onlytext.journal._place import Place
    from onlytext.journal._rows import (
        Batch,
        Call,
        Cleaning,
        Failure,
        Run,
        StoredItem,
        StoredOutcome,
    )

_PAGE: Final = 200
# SQLite takes 32,766 values in a statement, PostgreSQL 65,535.
_KEYS: Final = 1000


class Reader:
    """Reads a journal, each time by a connection of its own, so from any thread.

    Whatever it gives back is in pages: `size` items at once, however many there are.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self.engine: Engine = place.reader()

    def close(self) -> None:
        """Give the connections back."""
        self.engine.dispose()

    # ------------------------------------------------------------ runs

    def runs(self) -> list[Run]:
        """Every run, the oldest first."""
        wanted = select(RUNS, TEXTS.c.text).join(TEXTS, TEXTS.c.digest == RUNS.c.job_text)
        return [run_of(row) for row in self._all(wanted.order_by(RUNS.c.started, RUNS.c.id))]

    def items(self, run: str, *, after: int = -1, size: int = _PAGE) -> list[StoredItem]:
        """The items of a run in their order, those behind position `after`."""
        wanted = (
            select(ITEMS, RUN_ITEMS.c.position)
            .join(RUN_ITEMS, RUN_ITEMS.c.item == ITEMS.c.key)
            .where(RUN_ITEMS.c.run == run, RUN_ITEMS.c.position > after)
            .order_by(RUN_ITEMS.c.position)
            .limit(size)
        )
        return [item_of(row) for row in self._all(wanted)]

    # ------------------------------------------------------------ by item or by call

    def replies(self, items: Iterable[str]) -> dict[str, list[Call]]:
        """The replies of each of these items, in the order in which they were asked for."""
        found: dict[str, list[Call]] = {key: [] for key in items}
        with self._place.told("can't be read"), self.engine.connect() as connection:
            rows = _among(connection, select(CALLS), CALLS.c.item, list(found))
            for call in _calls(connection, rows):
                found[call.item].append(call)
        for calls in found.values():
            calls.sort(key=lambda call: (call.began, call.ask))
        return found

    def calls(self, keys: Iterable[str]) -> dict[str, Call]:
        """The replies under these keys, as far as there are any."""
        with self._place.told("can't be read"), self.engine.connect() as connection:
            rows = _among(connection, select(CALLS), CALLS.c.key, list(keys))
            return {call.key: call for call in _calls(connection, rows)}

    def failures(self, items: Iterable[str]) -> dict[str, list[Failure]]:
        """The failed attempts of each of these items, in the order of time."""
        found: dict[str, list[Failure]] = {key: [] for key in items}
        with self._place.told("can't be read"), self.engine.connect() as connection:
            for row in _among(connection, select(FAILURES), FAILURES.c.item, list(found)):
                found[row["item"]].append(failure_of(row))
        for failures in found.values():
            failures.sort(key=lambda failure: (failure.began, failure.attempt))
        return found

    def cleanings(self, calls: Iterable[str]) -> dict[str, list[Cleaning]]:
        """What cleaning made of each of these calls, the newest last."""
        found: dict[str, list[Cleaning]] = {key: [] for key in calls}
        with self._place.told("can't be read"), self.engine.connect() as connection:
            rows = _among(connection, select(CLEANINGS), CLEANINGS.c.call, list(found))
            keys = [row["key"] for row in rows]
            removals = _by_cleaning(_among(connection, select(REMOVALS), REMOVALS.c.cleaning, keys))
            doubts = _by_cleaning(_among(connection, select(DOUBTS), DOUBTS.c.cleaning, keys))
        for row in rows:
            key = row["key"]
            found[row["call"]].append(cleaning_of(row, removals[key], doubts[key]))
        for cleanings in found.values():
            cleanings.sort(key=lambda cleaning: cleaning.at)
        return found

    def outcomes_of(
        self, items: Iterable[str], *, job_digest: str, cleaning_digest: str
    ) -> dict[str, StoredOutcome]:
        """What became of these items under a job and its cleaning rules, as far as it is known."""
        wanted = select(OUTCOMES).where(
            OUTCOMES.c.job_digest == job_digest, OUTCOMES.c.cleaning_digest == cleaning_digest
        )
        with self._place.told("can't be read"), self.engine.connect() as connection:
            rows = _among(connection, wanted, OUTCOMES.c.item, list(items))
        return {row["item"]: outcome_of(row) for row in rows}

    # ------------------------------------------------------------ in order, in pages

    def outcomes(
        self,
        run: str,
        *,
        cleaning_digest: str | None = None,
        after: int = -1,
        size: int = _PAGE,
    ) -> list[StoredOutcome]:
        """The outcomes of a run's items in their order, those behind position `after`.

        They are those of the run's job, whichever run came to them, under the run's cleaning
        rules or those that are named.
        """
        wanted = (
            select(OUTCOMES, RUN_ITEMS.c.position)
            .select_from(of_run(cleaning_digest))
            .where(RUNS.c.id == run, RUN_ITEMS.c.position > after)
            .order_by(RUN_ITEMS.c.position)
            .limit(size)
        )
        return [outcome_of(row, row["position"]) for row in self._all(wanted)]

    def every_outcome(
        self, run: str, *, cleaning_digest: str | None = None, size: int = _PAGE
    ) -> Iterator[StoredOutcome]:
        """All of them, one after the other; a page is in memory at a time."""
        after = -1
        while page := self.outcomes(run, cleaning_digest=cleaning_digest, after=after, size=size):
            yield from page
            after = page[-1].position

    def told(
        self, run: str, *, cleaning_digest: str | None = None, after: int = -1, size: int = _PAGE
    ) -> list[Told]:
        """All that is known of a run's items, in their order, those behind position `after`."""
        items = self.items(run, after=after, size=size)
        if not items:
            return []
        known = {
            outcome.item: outcome
            for outcome in self.outcomes(
                run, cleaning_digest=cleaning_digest, after=after, size=size
            )
        }
        keys = [item.key for item in items]
        replies, failures = self.replies(keys), self.failures(keys)
        cleanings = self.cleanings(call.key for calls in replies.values() for call in calls)
        return [
            _told(item, known.get(item.key), replies[item.key], failures[item.key], cleanings)
            for item in items
        ]

    def every_told(
        self, run: str, *, cleaning_digest: str | None = None, size: int = _PAGE
    ) -> Iterator[Told]:
        """All of it, item by item; a page is in memory at a time."""
        after = -1
        while page := self.told(run, cleaning_digest=cleaning_digest, after=after, size=size):
            yield from page
            after = page[-1].item.position

    def batches(self, *, provider: str | None = None, state: str | None = None) -> list[Batch]:
        """The batches that were sent, the oldest first; of one provider or in one state."""
        wanted = select(BATCHES).order_by(BATCHES.c.submitted, BATCHES.c.id)
        if provider is not None:
            wanted = wanted.where(BATCHES.c.provider == provider)
        if state is not None:
            wanted = wanted.where(BATCHES.c.state == state)
        found: list[Batch] = []
        for row in self._all(wanted):
            calls = select(BATCH_CALLS.c.request, BATCH_CALLS.c.call).where(
                BATCH_CALLS.c.provider == row["provider"], BATCH_CALLS.c.batch == row["id"]
            )
            pairs = {one["request"]: one["call"] for one in self._all(calls)}
            found.append(batch_of(row, pairs))
        return found

    # ------------------------------------------------------------ how

    def _all(self, wanted: Executable) -> Sequence[RowMapping]:
        with self._place.told("can't be read"), self.engine.connect() as connection:
            return connection.execute(wanted).mappings().all()


def _calls(connection: Connection, rows: Sequence[RowMapping]) -> Iterator[Call]:
    digests = sorted({row["system"] for row in rows})
    texts = {
        row["digest"]: row["text"]
        for row in _among(connection, select(TEXTS), TEXTS.c.digest, digests)
    }
    for row in rows:
        yield call_of(row, texts[row["system"]])


def _among(
    connection: Connection,
    wanted: Select[Any],
    column: ColumnElement[str],
    keys: Sequence[str],
) -> list[RowMapping]:
    """The rows whose column is one of the keys, however many keys there are."""
    rows: list[RowMapping] = []
    for at in range(0, len(keys), _KEYS):
        some = wanted.where(column.in_(keys[at : at + _KEYS]))
        rows += connection.execute(some).mappings().all()
    return rows


def _by_cleaning(rows: Sequence[RowMapping]) -> defaultdict[str, list[RowMapping]]:
    found: defaultdict[str, list[RowMapping]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: int(row["number"])):
        found[row["cleaning"]].append(row)
    return found


def _told(
    item: StoredItem,
    outcome: StoredOutcome | None,
    replies: Sequence[Call],
    failures: Sequence[Failure],
    cleanings: dict[str, list[Cleaning]],
) -> Told:
    """An item with the calls that its outcome stands on, or with all while there is no outcome."""
    calls = [call for call in replies if outcome is None or call.key in outcome.calls]
    made: list[Cleaning] = []
    for call in calls:
        of_call = cleanings[call.key]
        same = [
            one for one in of_call if outcome is not None and one.digest == outcome.cleaning_digest
        ]
        made += (same or of_call)[-1:]
    return Told(
        item=item,
        outcome=outcome,
        calls=tuple(calls),
        failures=tuple(failures),
        cleanings=tuple(made),
    )
