"""What one run holds open: journal, providers, limits. It is closed again however the run ends."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from onlytext.errors import OnlytextError
from onlytext.journal import Journal
from onlytext.pipeline._batches import BatchCalls, Pace, batch_providers
from onlytext.pipeline._calls import LiveCalls
from onlytext.pipeline._ledger import Ledger, call_key
from onlytext.pipeline._limiter import Limiter
from onlytext.pipeline._pricing import Pricing, check_prices
from onlytext.pipeline._purse import Purse
from onlytext.pipeline._road import Answered, Unanswered
from onlytext.pipeline._verdict import Reader, Reply
from onlytext.prompts import example_bodies
from onlytext.providers import make_provider

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping
    from pathlib import Path

    from onlytext.pipeline._backoff import Backoff
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
# In a batch many items wait together; this many of them are held in memory.
_BATCH_WINDOW: Final = 10_000


class Calls(Protocol):
    """How replies are fetched that the journal does not have yet."""

    @property
    def in_flight(self) -> int:
        """How many calls are under way."""
        ...

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
    tally: Tally
    window: int
    whole: bool = False

    @property
    def in_flight(self) -> int:
        """How many calls are under way."""
        return self.calls.in_flight

    def asker(self, item: Item, known: Known) -> Asker:
        """Where the replies of an item come from."""
        return Asker(job=self.job, item=item, known=known, calls=self.calls, tally=self.tally)


class Waits(NamedTuple):
    """How many calls there are at once, and how long is waited for what."""

    most: int
    pace: Pace
    backoff: Backoff


@asynccontextmanager
async def open_session(  # noqa: PLR0913 - all that a run is made of
    job: Job,
    *,
    journal: str | Path | Journal,
    providers: Mapping[str, Provider] | None,
    most: int,
    strict: bool,
    sign: StopSign,
    tally: Tally,
    pace: Pace,
    backoff: Backoff,
) -> AsyncGenerator[Session]:
    """Everything that a run needs, and its beginning and end in the journal."""
    check_prices(job, job.limits.spend)
    async with AsyncExitStack() as stack:
        reader = reader_for(job, strict=strict)
        opened = await _journal(journal, stack)
        ledger = Ledger(opened, job, strict=strict, clock=time.time())
        made = await _providers(job, providers, stack)
        spent = await ledger.spent() if job.limits.spend is not None else 0.0
        purse = Purse(job.limits.spend, sign, spent=spent)
        await ledger.begin()
        make = _batch_calls if job.mode == "batch" else _live_calls
        waits = Waits(most=most, pace=pace, backoff=backoff)
        calls = await make(stack, job, made, ledger, purse, sign, tally, waits)
        session = Session(
            job=job,
            ledger=ledger,
            reader=reader,
            calls=calls,
            tally=tally,
            window=_BATCH_WINDOW if job.mode == "batch" else most * _ITEMS_A_CALL + _SPARE,
        )
        try:
            yield session
        finally:
            await ledger.end("finished" if session.whole else "stopped")


async def _live_calls(  # noqa: PLR0913, PLR0917 - what calls are made with
    stack: AsyncExitStack,
    job: Job,
    made: Mapping[str, Provider],
    ledger: Ledger,
    purse: Purse,
    sign: StopSign,
    tally: Tally,
    waits: Waits,
) -> Calls:
    limiter = Limiter(_at_once(made, waits.most), longest=job.limits.seconds)
    stack.callback(limiter.close)
    return LiveCalls(
        providers=made,
        ledger=ledger,
        limiter=limiter,
        purse=purse,
        stop=sign,
        tally=tally,
        pricing=Pricing(),
        seconds=job.limits.seconds,
        attempts=job.limits.attempts,
        backoff=waits.backoff,
    )


def _at_once(made: Mapping[str, Provider], most: int) -> int:
    """How many calls there may be at once: a model in this process takes one after the other."""
    told = (getattr(provider, "at_once", most) for provider in made.values())
    return min(most, *told) if made else most


async def _batch_calls(  # noqa: PLR0913, PLR0917 - likewise
    stack: AsyncExitStack,
    job: Job,
    made: Mapping[str, Provider],
    ledger: Ledger,
    purse: Purse,
    sign: StopSign,
    tally: Tally,
    waits: Waits,
) -> Calls:
    calls = BatchCalls(
        providers=batch_providers(made),
        ledger=ledger,
        purse=purse,
        stop=sign,
        tally=tally,
        pricing=Pricing(batch=True),
        attempts=job.limits.attempts,
        pace=waits.pace,
        backoff=waits.backoff,
    )
    stack.push_async_callback(calls.close)
    await calls.open()
    return calls


async def _journal(journal: str | Path | Journal, stack: AsyncExitStack) -> Journal:
    """The journal; one that is opened here is closed with the run."""
    if isinstance(journal, Journal):
        return journal
    opened = await asyncio.to_thread(Journal.open, journal)
    stack.push_async_callback(opened.aclose)
    return opened


def reader_for(job: Job, *, strict: bool) -> Reader:
    """How the replies of a job are read."""
    return Reader(
        format=job.sent_format,
        given_format=job.format,
        patterns=job.load_patterns(),
        strict=strict,
        checks=job.checks,
        example=_example(job),
    )


def _example(job: Job) -> frozenset[str]:
    """The bodies of the example that the job's prompts show."""
    if job.hardening.level == "plain" or not job.hardening.example:
        return frozenset()
    return example_bodies(job.sent_format, language=job.language)


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
