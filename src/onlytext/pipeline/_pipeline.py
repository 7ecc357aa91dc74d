"""Many items through the passes of a job: each as soon as it can, and no more at once than asked."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable, Mapping
from contextlib import aclosing
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from onlytext.pipeline._backoff import Backoff
from onlytext.pipeline._batches import Pace
from onlytext.pipeline._flow import Flow
from onlytext.pipeline._items import Item, Numbering
from onlytext.pipeline._outcome import made_outcome
from onlytext.pipeline._road import Road
from onlytext.pipeline._session import Session, open_session
from onlytext.pipeline._stop import Stopped, StopSign
from onlytext.pipeline._tally import Tally

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

    from onlytext.journal import Journal, Run
    from onlytext.pipeline._job import Job
    from onlytext.pipeline._ledger import Known
    from onlytext.pipeline._outcome import Outcome
    from onlytext.providers import Provider

Brief = Mapping[str, object]

# So many items are looked up in the journal at once.
_CHUNK: Final = 64
_BUSY: Final = "another run is at work on these items; wait until it has ended"


class Pipeline:
    """A job, ready to take briefs: every reply is kept in the journal before it is used.

    `journal` is a path, an SQLAlchemy URL or an open journal, and otherwise a file in the current
    folder that is named for the job; where it holds replies already, these are used and nothing
    is paid twice. `providers` stand in for those that the job names. `in_flight` is how many
    calls there are at once at the most, `strict` treats every doubt as a refusal.
    """

    def __init__(
        self,
        job: Job,
        *,
        journal: str | Path | Journal | None = None,
        providers: Mapping[str, Provider] | None = None,
        in_flight: int | None = None,
        strict: bool = False,
    ) -> None:
        self.job = job
        self.tally = Tally(format=job.sent_format)
        self._journal = Path(f"{job.name}.journal.sqlite") if journal is None else journal
        self._providers = providers
        self._most = job.limits.in_flight if in_flight is None else in_flight
        self._strict = strict
        self._pace = Pace()
        self._backoff = Backoff()
        self._sign = StopSign()
        self._session: Session | None = None
        self.stored_run: Run | None = None
        """The run as the journal has it, once it has begun."""

    @property
    def in_flight(self) -> int:
        """How many calls are under way at this moment."""
        return 0 if self._session is None else self._session.in_flight

    def stop(self) -> None:
        """Let calls that are under way end, and begin no other; `run` then raises `Stopped`."""
        self._sign.put_up("stopped as you wished", reason="asked")

    async def run(self, briefs: Iterable[Brief] | AsyncIterable[Brief]) -> AsyncGenerator[Outcome]:
        """Each item's outcome as soon as it is there; memory holds a bounded number of items.

        Raises `Stopped` after the last one when the run ended before its time: the same run again
        goes on from there.
        """
        self.tally = Tally(format=self.job.sent_format)
        async with open_session(
            self.job,
            journal=self._journal,
            providers=self._providers,
            most=self._most,
            strict=self._strict,
            sign=self._sign,
            tally=self.tally,
            pace=self._pace,
            backoff=self._backoff,
        ) as session:
            self._session = session
            self.stored_run = session.ledger.run
            try:
                flow = Flow(self._works(session, briefs), most=session.window)
                async with aclosing(flow.results()) as results:
                    async for outcome in results:
                        if outcome is not None:
                            yield outcome
            finally:
                self._session = None
            self._sign.heed()
            session.whole = True

    async def _works(
        self, session: Session, briefs: Iterable[Brief] | AsyncIterable[Brief]
    ) -> AsyncIterator[Callable[[], Awaitable[Outcome | None]]]:
        numbering = Numbering(self.job)
        async for chunk in _chunks(briefs):
            items = [numbering.item(brief) for brief in chunk]
            for item, known in zip(items, await session.ledger.look_up(items), strict=True):
                if self._sign.stopped is not None:
                    return
                yield partial(self._work, session, item, known)

    async def _work(self, session: Session, item: Item, known: Known) -> Outcome | None:
        if not known.ours:
            self._sign.put_up(_BUSY, reason="busy")
            return None
        if known.outcome is not None:
            self.tally.count_before(known.outcome)
            return known.outcome
        asker = session.asker(item, known)
        try:
            arrival = await Road(self.job, session.reader, asker, item.brief).walk()
        except Stopped:
            return None
        outcome = made_outcome(item, arrival, cost=asker.cost, seconds=asker.seconds)
        await session.ledger.keep_outcome(outcome, arrival.readings)
        self.tally.count_outcome(outcome, arrival.readings)
        return outcome


async def _chunks(briefs: Iterable[Brief] | AsyncIterable[Brief]) -> AsyncIterator[list[Brief]]:
    """The briefs in groups; where they come one by one in their own time, each by itself."""
    if isinstance(briefs, AsyncIterable):
        async for brief in briefs:
            yield [brief]
        return
    rest = iter(briefs)
    while chunk := list(islice(rest, _CHUNK)):
        yield chunk
