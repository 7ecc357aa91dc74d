"""Stored replies cleaned again, by the cleaner and the patterns of today, without a call."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from onlytext.errors import OnlytextError
from onlytext.pipeline._drafts import draft_in
from onlytext.pipeline._items import Item
from onlytext.pipeline._ledger import Ledger, reply_of
from onlytext.pipeline._outcome import made_outcome
from onlytext.pipeline._road import Answered, Road, Unanswered
from onlytext.pipeline._session import reader_for

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from onlytext.journal import Call, Journal, Run, StoredItem, StoredOutcome
    from onlytext.pipeline._job import Job
    from onlytext.pipeline._outcome import Outcome
    from onlytext.pipeline._road import Reading, Step

_PAGE: Final = 200
_NOT_THERE: Final = "it is not in the journal; `onlytext run` asks for it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recleaned:
    """An item before and after: `before` is none where it had no outcome yet."""

    before: StoredOutcome | None
    after: Outcome
    readings: tuple[Reading, ...]

    @property
    def changed(self) -> bool:
        """Whether its text or its end is another one now."""
        return self.before is None or (self.before.status, self.before.text) != (
            self.after.status,
            self.after.text,
        )


class _Stored:
    """An item's replies from the journal: the newest of each pass and each time of asking."""

    def __init__(self, job: Job, calls: Sequence[Call]) -> None:
        self._job = job
        self._newest = {(call.part, call.ask): call for call in calls}

    async def ask(self, step: Step) -> Answered:
        """The reply that was given at this step; the draft it was about stands in its request."""
        call = self._newest.get((step.part, step.ask))
        if call is None:
            raise Unanswered(_NOT_THERE)
        draft = draft_in(call.request) if step.part == "validate" else None
        return Answered(key=call.key, reply=reply_of(call), draft=draft)


def run_of_job(journal: Journal, job: Job) -> Run:
    """The newest run of the job in the journal, by the job's name."""
    runs = [run for run in journal.reader.runs() if run.job == job.name]
    if not runs:
        there = ", ".join(sorted({run.job for run in journal.reader.runs()})) or "none"
        raise OnlytextError(
            f"{journal.where} has no run of the job {job.name!r}; its jobs are: {there}"
        )
    return runs[-1]


async def reclean(
    job: Job, journal: Journal, ledger: Ledger, before: Run, *, strict: bool
) -> AsyncIterator[Recleaned]:
    """Each item of an earlier run, cleaned again and stored as one of the ledger's run."""
    reader = reader_for(job, strict=strict)
    after = -1
    while page := await asyncio.to_thread(journal.reader.items, before.id, after=after, size=_PAGE):
        await journal.store_items(ledger.run.id, page)
        keys = [item.key for item in page]
        replies = await journal.replies(keys)
        old = await journal.outcomes_of(
            keys, job_digest=before.job_digest, cleaning_digest=before.cleaning_digest
        )
        for stored in page:
            road = Road(job, reader, _Stored(job, replies[stored.key]), stored.brief)
            arrival = await road.walk()
            known = old.get(stored.key)
            outcome = made_outcome(
                _item(stored),
                arrival,
                cost=None if known is None else known.cost,
                seconds=0.0 if known is None else known.seconds,
            )
            await ledger.keep_outcome(outcome, arrival.readings)
            yield Recleaned(before=known, after=outcome, readings=arrival.readings)
        after = page[-1].position


def ledger_for(job: Job, journal: Journal, *, strict: bool) -> Ledger:
    """A run of its own in the journal, for what comes of cleaning again."""
    return Ledger(journal, job, strict=strict, clock=time.time())


def _item(stored: StoredItem) -> Item:
    return Item(key=stored.key, position=stored.position, id=stored.id, brief=stored.brief)
