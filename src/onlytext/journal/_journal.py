"""A journal that is open: what is stored in it is on disk when the call returns."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from onlytext.journal._errors import JournalError
from onlytext.journal._figures import Figures
from onlytext.journal._holders import Holder
from onlytext.journal._place import Place
from onlytext.journal._reader import Reader
from onlytext.journal._schema import check, migrate
from onlytext.journal._stored import (
    batch_rows,
    call_rows,
    cleaning_rows,
    failure_rows,
    item_rows,
    outcome_rows,
    run_rows,
)
from onlytext.journal._writer import Work, Writer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Generator, Iterable
    from pathlib import Path
    from types import TracebackType

    from sqlalchemy.engine import Connection, Engine

    from onlytext.journal._rows import (
        Batch,
        Call,
        Cleaning,
        Failure,
        Run,
        StoredItem,
        StoredOutcome,
    )
    from onlytext.journal._statements import Rows


class Journal:
    """Every reply of every run, what was made of it, and what became of each item.

    `await store_…()` returns once what it stores is durable; stores that wait at the same time
    share one commit. Storing the same thing twice is storing it once. A cancelled store is carried
    out all the same. `reader` and `figures` read without async, for programs that have no loop.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._writer = Writer(place)
        self._holder = Holder(place)
        self._claimed = False
        self.reader = Reader(place)
        self.figures = Figures(place, self.reader.engine)

    @classmethod
    def open(cls, where: str | Path, *, create: bool = True) -> Journal:
        """The journal at a path or an SQLAlchemy URL; made there when there is none.

        With `create=False` a journal that is not there is an error.
        """
        place = Place(where)
        if place.path is not None and not place.path.exists():
            if not create:
                raise JournalError(f"there is no journal at {place}")
            if not place.path.absolute().parent.is_dir():
                raise JournalError(f"{place} can't be made: there is no such folder")
        with place.told("can't be opened"):
            with _once(place.reader()) as connection:
                if check(connection, str(place)) == 0 and not create:
                    raise JournalError(f"there is no journal at {place}")
            with _once(place.writer()) as connection:
                migrate(connection, str(place))
        return cls(place)

    @property
    def where(self) -> str:
        """The path or URL, without a password."""
        return str(self._place)

    # ------------------------------------------------------------ store

    async def store_run(self, run: Run) -> None:
        """Keep a run, or the new state of one."""
        await self._store(run_rows(run))

    async def store_items(self, run: str, items: Iterable[StoredItem]) -> None:
        """Keep the items of a run, in their places."""
        await self._store(item_rows(run, items))

    async def store_reply(self, call: Call) -> None:
        """Keep a reply with its request; where the key has one already, that one stays."""
        await self._store(call_rows(call))

    async def store_failure(self, failure: Failure) -> None:
        """Keep an attempt that brought no reply."""
        await self._store(failure_rows(failure))

    async def store_cleaning(self, cleaning: Cleaning) -> None:
        """Keep what was made of a reply; it takes the place of an earlier one by the same rules."""
        await self._store(cleaning_rows(cleaning))

    async def store_outcome(
        self, outcome: StoredOutcome, cleanings: Iterable[Cleaning] = ()
    ) -> None:
        """Keep what became of an item, with what was made of its replies, all or nothing."""
        rows = outcome_rows(outcome)
        for cleaning in cleanings:
            rows.update(cleaning_rows(cleaning))
        await self._store(rows)

    async def store_batch(self, batch: Batch) -> None:
        """Keep a batch that was sent, or the new state of one."""
        await self._store(batch_rows(batch))

    async def store_batch_state(self, batch: Batch, state: str) -> None:
        """Keep a batch's new state."""
        await self._store(batch_rows(replace(batch, state=state)))

    # ------------------------------------------------------------ claim

    async def claim(self, keys: Iterable[str]) -> frozenset[str]:
        """Claim items or calls; gives back those that are ours now, and no one else's.

        The rest are being worked on by another run that lives. A claim ends when it is released,
        when the journal is closed, and when the process that made it has died.
        """
        self._claimed = True
        return await self._writer.done(Work(ask=self._holder.claim(list(keys))))

    async def release(self, keys: Iterable[str]) -> None:
        """Give claims back."""
        await self._writer.done(Work(ask=self._holder.release(list(keys))))

    # ------------------------------------------------------------ read

    async def replies(self, items: Iterable[str]) -> dict[str, list[Call]]:
        """The replies of each of these items, in the order in which they were asked for."""
        return await asyncio.to_thread(self.reader.replies, list(items))

    async def outcomes_of(
        self, items: Iterable[str], *, job_digest: str, cleaning_digest: str
    ) -> dict[str, StoredOutcome]:
        """What became of these items under a job and its cleaning rules, as far as it is known."""
        return await asyncio.to_thread(
            self.reader.outcomes_of,
            list(items),
            job_digest=job_digest,
            cleaning_digest=cleaning_digest,
        )

    async def outcomes(
        self, run: str, *, cleaning_digest: str | None = None, size: int = 200
    ) -> AsyncIterator[StoredOutcome]:
        """The outcomes of a run's items in their order; a page is in memory at a time."""
        after = -1
        while page := await asyncio.to_thread(
            self.reader.outcomes, run, cleaning_digest=cleaning_digest, after=after, size=size
        ):
            for outcome in page:
                yield outcome
            after = page[-1].position

    async def batches(
        self, *, provider: str | None = None, state: str | None = None
    ) -> list[Batch]:
        """The batches that were sent, the oldest first; of one provider or in one state."""
        return await asyncio.to_thread(self.reader.batches, provider=provider, state=state)

    # ------------------------------------------------------------ close

    def close(self) -> None:
        """Store what was handed in, and give everything back. Closing twice does no harm."""
        if self._claimed:
            self._claimed = False
            # A claim that can't be given back ends with this process's hold on it.
            self._writer.hand_in(Work(ask=self._holder.release(None)))
        self._writer.close()
        self._holder.close()
        self.reader.close()

    async def aclose(self) -> None:
        """`close`, without holding up the loop."""
        await asyncio.shield(asyncio.to_thread(self.close))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def _store(self, rows: Rows) -> None:
        await self._writer.done(Work(rows=rows))


@contextmanager
def _once(engine: Engine) -> Generator[Connection]:
    """One transaction, and the engine is given back."""
    try:
        with engine.connect() as connection, connection.begin():
            yield connection
    finally:
        engine.dispose()
