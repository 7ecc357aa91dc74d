"""What one run holds open: journal, providers, limits. It is closed again however the run ends."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from onlytext.errors import OnlytextError
from onlytext.journal import Journal
from onlytext.pipeline._calls import LiveCalls
from onlytext.pipeline._ledger import Ledger, call_key
from onlytext.pipeline._limiter import Limiter
from onlytext.pipeline._pricing import Pricing, check_prices
from onlytext.pipeline._purse import Purse
from onlytext.pipeline._road import Answered, Unanswered
from onlytext.pipeline._verdict import Reader, Reply
from onlytext.providers import make_provider

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping
    from pathlib import Path

    from onlytext.pipeline._calls import Paid
    from onlytext.pipeline._items import Item
    from onlytext.pipeline._job import Job, ModelChoice
    from onlytext.pipeline._ledger import Known
    from onlytext.pipeline._outcome import Pass
    from onlytext.pipeline._road import Step
    from onlytext.pipeline._stop import StopSign
    from onlytext.pipeline._tally import Tally
    from onlytext.providers import Provider

# Beside the items that have a call in flight there are as many that are being cleaned or stored.
_ITEMS_A_CALL: Final = 2
_SPARE: Final = 8


class Calls(Protocol):
    """How replies are fetched that the journal does not have yet."""

    async def fetch(self, item: str, step: Step, key: str, provider: str) -> Paid:
        """The reply to a step of an item; raises `Unanswered` when it can't be had."""
        ...


@dataclass(slots=True, kw_only=True)
class Asker:
    """The replies of one item: from the journal where they are there, else fetched."""

    job: Job
    item: Item
    known: Known
    calls: Calls
    tally: Tally
    cost: float | None = 0.0
    seconds: float = 0.0

    async def ask(self, step: Step) -> Answered:
        """The reply to a step, stored before it is given."""
        provider = model_for(self.job, step.part).provider
        key = call_key(self.item.key, step, provider)
        stored = self.known.replies.get(key)
        if stored is not None:
            self.tally.reused += 1
            return Answered(key=key, reply=stored)
        try:
            paid = await self.calls.fetch(self.item.key, step, key, provider)
        except Unanswered as error:
            self._count(error.cost, 0.0)
            raise
        self._count(paid.cost, paid.seconds)
        answer = paid.answer
        reply = Reply(
            text=answer.text, stop=answer.stop, thinking=answer.thinking, detail=answer.detail
        )
        return Answered(key=key, reply=reply)

    def _count(self, cost: float | None, seconds: float) -> None:
        self.cost = None if cost is None or self.cost is None else self.cost + cost
        self.seconds += seconds


def model_for(job: Job, part: Pass) -> ModelChoice:
    """The model that answers in a pass."""
    chosen = job.generate if part == "generate" else job.validator
    if chosen is None:
        raise OnlytextError(f"the job {job.name!r} has no pass {part!r}")
    return chosen.model


@dataclass(slots=True, kw_only=True)
class Session:
    """What is open while a run lasts. `window` is how many items are under way at once."""

    job: Job
    ledger: Ledger
    reader: Reader
    calls: Calls
    limiter: Limiter
    tally: Tally
    window: int
    whole: bool = False

    @property
    def in_flight(self) -> int:
        """How many calls are under way."""
        return self.limiter.flying

    def asker(self, item: Item, known: Known) -> Asker:
        """Where the replies of an item come from."""
        return Asker(job=self.job, item=item, known=known, calls=self.calls, tally=self.tally)


@asynccontextmanager
async def open_session(
    job: Job,
    *,
    journal: str | Path | Journal,
    providers: Mapping[str, Provider] | None,
    most: int,
    strict: bool,
    sign: StopSign,
    tally: Tally,
) -> AsyncGenerator[Session]:
    """Everything that a run needs, and its beginning and end in the journal."""
    limit = job.limits.spend
    check_prices(job, limit)
    async with AsyncExitStack() as stack:
        reader = reader_for(job, strict=strict)
        if not isinstance(journal, Journal):
            opened = await asyncio.to_thread(Journal.open, journal)
            stack.push_async_callback(opened.aclose)
        else:
            opened = journal
        ledger = Ledger(opened, job, strict=strict, clock=time.time())
        limiter = Limiter(most, longest=job.limits.seconds)
        stack.callback(limiter.close)
        spent = await ledger.spent() if limit is not None else 0.0
        calls = LiveCalls(
            providers=await _providers(job, providers, stack),
            ledger=ledger,
            limiter=limiter,
            purse=Purse(limit, sign, spent=spent),
            stop=sign,
            tally=tally,
            pricing=Pricing(batch=False),
            seconds=job.limits.seconds,
            attempts=job.limits.attempts,
        )
        session = Session(
            job=job,
            ledger=ledger,
            reader=reader,
            calls=calls,
            limiter=limiter,
            tally=tally,
            window=most * _ITEMS_A_CALL + _SPARE,
        )
        await ledger.begin()
        try:
            yield session
        finally:
            await ledger.end("finished" if session.whole else "stopped")


def reader_for(job: Job, *, strict: bool) -> Reader:
    """How the replies of a job are read."""
    return Reader(
        format=job.sent_format,
        given_format=job.format,
        patterns=job.load_patterns(),
        strict=strict,
        checks=job.checks,
    )


async def _providers(
    job: Job, given: Mapping[str, Provider] | None, stack: AsyncExitStack
) -> Mapping[str, Provider]:
    """The providers that the job names; those that are made here are closed with the run."""
    named = [
        choice.model.provider for choice in (job.generate, job.validator) if choice is not None
    ]
    found: dict[str, Provider] = {}
    for name in dict.fromkeys(named):
        if given is not None and name in given:
            found[name] = given[name]
        else:
            found[name] = await asyncio.to_thread(make_provider, name, job.providers.get(name))
            stack.push_async_callback(found[name].aclose)
    return found
