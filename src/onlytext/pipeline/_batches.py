"""Replies by batch: many requests at once, for half the price, found again by another process.

Before a batch is handed in it is written down that it will be, with the key of every call in it;
after that, under which id it runs. A process that was killed in between finds it among the
provider's newest batches, so that nothing is handed in twice.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from onlytext.errors import OnlytextError
from onlytext.journal import Batch
from onlytext.pipeline._backoff import Backoff
from onlytext.pipeline._calls import HOPELESS, Paid, cut_off
from onlytext.pipeline._road import Unanswered
from onlytext.pipeline._stop import Stopped
from onlytext.providers import BatchProvider, ProviderError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from onlytext.pipeline._ledger import Ledger
    from onlytext.pipeline._pricing import Pricing
    from onlytext.pipeline._purse import Purse
    from onlytext.pipeline._road import Step
    from onlytext.pipeline._stop import StopSign
    from onlytext.pipeline._tally import Tally
    from onlytext.providers import Answer

# States of a batch in the journal. About to be handed in; handed in; all its replies are kept.
_SENDING: Final = "sending"
_SENT: Final = "sent"
_DONE: Final = "done"
# So many results are stored at a time, with one commit for all of them.
_STORED_AT_ONCE: Final = 200
# With these nobody knows whether the server has taken the batch all the same.
_UNSURE: Final = frozenset({"timeout", "connection", "broken_stream", "server", "bad_answer"})


@runtime_checkable
class FindsBatches(Protocol):
    """A provider that can say which batches were handed in lately."""

    async def recent(self) -> Sequence[tuple[str, int]]:
        """Ids of the newest batches, the newest first, each with how many requests it has."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """When batches are handed in and looked after.

    One is handed in once it has `most` requests, or when no request has joined it for `quiet`
    seconds. Its state is asked for after `first` seconds, then ever more seldom, up to every
    `longest` seconds.
    """

    most: int = 10_000
    quiet: float = 0.5
    first: float = 1.0
    longest: float = 60.0


@dataclass(slots=True, kw_only=True)
class _Wanted:
    """A reply that an item waits for."""

    item: str
    step: Step
    key: str
    provider: str
    reply: asyncio.Future[Paid]
    attempt: int = 1
    cost: float | None = 0.0


@dataclass(slots=True, kw_only=True)
class BatchCalls:
    """Calls in batches. Items wait for theirs while others are collected for the next one."""

    providers: Mapping[str, BatchProvider]
    ledger: Ledger
    purse: Purse
    stop: StopSign
    tally: Tally
    pricing: Pricing
    attempts: int
    backoff: Backoff = field(default_factory=Backoff)
    pace: Pace = field(default_factory=Pace)
    _wanted: dict[str, _Wanted] = field(default_factory=dict[str, "_Wanted"])
    _pending: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    _sent: set[str] = field(default_factory=set[str])
    _early: dict[str, tuple[Batch, Answer | ProviderError]] = field(
        default_factory=dict[str, tuple["Batch", "Answer | ProviderError"]]
    )
    _tasks: set[asyncio.Task[None]] = field(default_factory=set["asyncio.Task[None]"])
    _senders: set[str] = field(default_factory=set[str])
    _broken: Exception | None = None

    @property
    def in_flight(self) -> int:
        """How many requests are in batches that have not been fetched."""
        return len(self._sent)

    async def open(self) -> None:
        """Look after the batches that an earlier process handed in."""
        self._start(self._heed_stop)
        for provider in self.providers:
            for batch in await self.ledger.journal.batches(provider=provider):
                if batch.state == _SENT:
                    self._look_after(batch)
                elif batch.state == _SENDING:
                    found = await self._find(batch)
                    if found is not None:
                        await self._keep_sent(batch, found)

    async def close(self) -> None:
        """Leave the batches to the provider: they are found again."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def fetch(self, item: str, step: Step, key: str, provider: str) -> Paid:
        """The reply to a step of an item, once its batch has ended."""
        if self._broken is not None:
            raise self._broken
        self.stop.heed()
        wanted = _Wanted(
            item=item,
            step=step,
            key=key,
            provider=provider,
            reply=asyncio.get_running_loop().create_future(),
        )
        self._wanted[key] = wanted
        if key in self._early:
            batch, came = self._early.pop(key)
            await self._settle(wanted, came, batch)
            await self._close_batch(batch)
        elif key not in self._sent:
            self._hand_over(wanted)
        try:
            return await wanted.reply
        finally:
            self._wanted.pop(key, None)

    # ------------------------------------------------------------ handing in

    def _hand_over(self, wanted: _Wanted) -> None:
        self._pending[wanted.provider].append(wanted.key)
        if wanted.provider not in self._senders:
            self._senders.add(wanted.provider)
            self._start(partial(self._send, wanted.provider))

    async def _send(self, provider: str) -> None:
        """Collect requests until no more come for a moment, and hand them in."""
        pending = self._pending[provider]
        try:
            while pending:
                count = 0
                while count < len(pending) < self.pace.most:
                    count = len(pending)
                    await asyncio.sleep(self.pace.quiet)
                keys = self._affordable(provider, pending[: self.pace.most])
                if not keys:
                    return
                del pending[: len(keys)]
                await self._hand_in(provider, keys)
        finally:
            self._senders.discard(provider)

    def _affordable(self, provider: str, keys: Sequence[str]) -> list[str]:
        """As many of the requests as the spending limit allows, at the dearest end of each."""
        if self.purse.limit is None:
            return list(keys)
        taken: list[str] = []
        for key in keys:
            wanted = self._wanted.get(key)
            if wanted is None:
                continue
            most = self.pricing.most(provider, wanted.step.request)
            if not self.purse.set_aside(key, most):
                break
            taken.append(key)
        return taken

    async def _hand_in(self, provider: str, keys: Sequence[str]) -> None:
        requests = [(key, self._wanted[key].step.request) for key in keys if key in self._wanted]
        intent = Batch(
            provider=provider,
            id=f"{_SENDING}-{secrets.token_hex(8)}",
            state=_SENDING,
            submitted=time.time(),
            calls={key: key for key, _ in requests},
            run=self.ledger.run.id,
        )
        await self.ledger.journal.store_batch(intent)
        self._sent.update(intent.calls)
        for attempt in range(1, self.attempts + 1):
            try:
                name = await self.providers[provider].submit(requests)
            except ProviderError as error:
                found = await self._find(intent) if error.fault in _UNSURE else None
                if found is not None:
                    await self._keep_sent(intent, found)
                    return
                if not error.again or attempt == self.attempts:
                    await self._not_taken(intent, error)
                    return
                self.tally.retries[error.fault] += 1
                await self.stop.sleep(
                    self.backoff.seconds(
                        attempt, retry_after=error.retry_after, deadline=self.pace.longest
                    )
                )
            else:
                await self._keep_sent(intent, name)
                return

    async def _keep_sent(self, intent: Batch, name: str) -> None:
        """Write down under which id a batch runs, and look after it."""
        batch = replace(intent, id=name, state=_SENT)
        await self.ledger.journal.store_batch(batch)
        await self.ledger.journal.store_batch_state(replace(intent, calls={}), _DONE)
        self._look_after(batch)

    async def _not_taken(self, intent: Batch, error: ProviderError) -> None:
        await self.ledger.journal.store_batch_state(replace(intent, calls={}), _DONE)
        if error.fault in HOPELESS:
            self.stop.put_up(str(error), reason="provider")
        for key in intent.calls:
            self._sent.discard(key)
            self.purse.give_back(key)
            wanted = self._wanted.get(key)
            if wanted is not None and not wanted.reply.done():
                wanted.reply.set_exception(Unanswered(f"the batch was not taken: {error}"))

    async def _find(self, intent: Batch) -> str | None:
        """The id of a batch that was handed in, though nobody was told so."""
        provider = self.providers[intent.provider]
        if not isinstance(provider, FindsBatches):
            return None
        known = {batch.id for batch in await self.ledger.journal.batches(provider=intent.provider)}
        for name, count in await provider.recent():
            if name not in known and count == len(intent.calls):
                return name
        return None

    # ------------------------------------------------------------ looking after

    def _look_after(self, batch: Batch) -> None:
        self._sent.update(batch.calls)
        self._start(partial(self._watch, batch))

    async def _watch(self, batch: Batch) -> None:
        """Wait until a batch has ended, and give its replies to the items that want them."""
        provider = self.providers[batch.provider]
        wait, failed = self.pace.first, 0
        while True:
            await asyncio.sleep(wait)
            wait = min(wait * 2, self.pace.longest)
            try:
                if (await provider.state(batch.id)).ended:
                    await self._take_results(provider, batch)
                    return
            except ProviderError as error:
                failed += 1
                if not error.again or failed >= self.attempts:
                    self._lose(batch, error)
                    return
                self.tally.retries[error.fault] += 1

    async def _take_results(self, provider: BatchProvider, batch: Batch) -> None:
        some: list[Awaitable[None]] = []
        async for key, came in provider.results(batch.id):
            if key not in batch.calls or key not in self._sent:
                continue
            self._sent.discard(key)
            wanted = self._wanted.get(key)
            if wanted is None:
                self._early[key] = (batch, came)
                continue
            some.append(self._settle(wanted, came, batch))
            if len(some) >= _STORED_AT_ONCE:
                await asyncio.gather(*some)
                some = []
        await asyncio.gather(*some)
        for key in batch.calls:  # what has no result was not in it, after all
            if key in self._sent:
                self._sent.discard(key)
                if key in self._wanted:
                    self._hand_over(self._wanted[key])
        await self._close_batch(batch)

    async def _close_batch(self, batch: Batch) -> None:
        """Let a batch go when every reply of it is kept."""
        if not any(held.id == batch.id for held, _ in self._early.values()):
            await self.ledger.journal.store_batch_state(replace(batch, calls={}), _DONE)

    async def _settle(self, wanted: _Wanted, came: Answer | ProviderError, batch: Batch) -> None:
        """Keep what came for an item, and let the item go on."""
        step, key, provider = wanted.step, wanted.key, wanted.provider
        seconds = time.time() - batch.submitted
        cost = self.pricing.cost(provider, step.request.model, came.usage)
        self.purse.give_back(key)
        self.purse.pay(self.pricing.most(provider, step.request) if cost is None else cost)
        self.tally.count_call(step.request.model, came.usage, cost)
        wanted.cost = None if wanted.cost is None or cost is None else wanted.cost + cost
        if not isinstance(came, ProviderError) and came.stop != "cut":
            await self.ledger.keep_answer(
                wanted.item,
                step,
                key,
                provider,
                came,
                began=batch.submitted,
                seconds=seconds,
                cost=cost,
            )
            if not wanted.reply.done():
                wanted.reply.set_result(Paid(came, wanted.cost, seconds))
            return
        error = came if isinstance(came, ProviderError) else cut_off(came)
        await self.ledger.keep_failure(
            wanted.item,
            step,
            key,
            provider,
            error,
            attempt=wanted.attempt,
            began=batch.submitted,
            seconds=seconds,
            cost=cost,
        )
        if error.again and wanted.attempt < self.attempts:
            wanted.attempt += 1
            self.tally.retries[error.fault] += 1
            self._hand_over(wanted)
        elif not wanted.reply.done():
            wanted.reply.set_exception(Unanswered(str(error), cost=wanted.cost))

    def _lose(self, batch: Batch, error: ProviderError) -> None:
        """A batch of which nothing can be learned now; the next run looks for it again."""
        self.stop.put_up(f"the batch {batch.id} can't be fetched: {error}", reason="provider")

    # ------------------------------------------------------------ tasks

    def _start(self, work: Callable[[], Awaitable[None]]) -> None:
        task = asyncio.create_task(self._guard(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guard(self, work: Callable[[], Awaitable[None]]) -> None:
        """An error of what runs beside the items is the error of all that wait."""
        try:
            await work()
        except Exception as error:  # noqa: BLE001 - it is raised where the replies are waited for
            self._broken = error
            self._end_all(error)

    async def _heed_stop(self) -> None:
        await self.stop.wait()
        stopped = self.stop.stopped
        if stopped is not None:
            self._end_all(Stopped(str(stopped), reason=stopped.reason))

    def _end_all(self, error: Exception) -> None:
        for wanted in self._wanted.values():
            if not wanted.reply.done():
                wanted.reply.set_exception(error)


def batch_providers(providers: Mapping[str, object]) -> Mapping[str, BatchProvider]:
    """The providers, if each of them takes batches; else an error that names the one that does not."""
    found: dict[str, BatchProvider] = {}
    for name, provider in providers.items():
        if not isinstance(provider, BatchProvider):
            raise OnlytextError(
                f'the provider {name!r} takes no batches: write mode = "live" in the job'
            )
        found[name] = provider
    return found
