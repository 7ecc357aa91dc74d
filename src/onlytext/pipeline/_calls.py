"""One reply, whatever it takes: asked for until it comes, and stored before anybody reads it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext.pipeline._backoff import Backoff
from onlytext.pipeline._road import Unanswered
from onlytext.providers import ProviderError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from onlytext.pipeline._ledger import Ledger
    from onlytext.pipeline._limiter import Lane, Limiter, Turn
    from onlytext.pipeline._pricing import Pricing
    from onlytext.pipeline._purse import Purse
    from onlytext.pipeline._road import Step
    from onlytext.pipeline._stop import StopSign
    from onlytext.pipeline._tally import Tally
    from onlytext.providers import Answer, Provider, Request

# A provider that does not keep to its deadline is left alone so many seconds later.
_GRACE: Final = 5.0
_SLOW_DOWN: Final = frozenset({"rate_limited", "overloaded"})
# With these no call can succeed, whatever the item: the next one would meet the same.
HOPELESS: Final = frozenset({"authentication", "spend_limit"})
# So many items in a row without an answer, and not one with: the provider is away.
_IN_A_ROW: Final = 10
# So many requests that are at fault, before any was right: it is the job, and not the item.
_AT_FAULT: Final = 3


class Paid(NamedTuple):
    """A reply that came, what it cost (none where no price is known), and how long it took."""

    answer: Answer
    cost: float | None
    seconds: float


@dataclass(slots=True)
class Health:
    """How calls of one lane have fared lately."""

    answered: int = 0
    unanswered_in_a_row: int = 0
    at_fault: int = 0


@dataclass(slots=True, kw_only=True)
class LiveCalls:
    """Calls over the network, now: within the limits of the server, of the job and of its purse."""

    providers: Mapping[str, Provider]
    ledger: Ledger
    limiter: Limiter
    purse: Purse
    stop: StopSign
    tally: Tally
    pricing: Pricing
    seconds: float
    attempts: int
    backoff: Backoff = field(default_factory=Backoff)
    _health: dict[Lane, Health] = field(default_factory=dict["Lane", Health])

    @property
    def in_flight(self) -> int:
        """How many calls are under way."""
        return self.limiter.flying

    async def fetch(self, item: str, step: Step, key: str, provider: str) -> Paid:
        """The reply to a step of an item; raises `Unanswered` when the attempts are used up."""
        lane = self.limiter.lane(provider, step.request.model)
        spent: float | None = 0.0
        for attempt in range(1, self.attempts + 1):
            began = time.time()
            came, cost, seconds = await self._attempt(lane, provider, step.request)
            spent = None if spent is None or cost is None else spent + cost
            if not isinstance(came, ProviderError):
                await self.ledger.keep_answer(
                    item, step, key, provider, came, began=began, seconds=seconds, cost=cost
                )
                return Paid(came, spent, seconds)
            await self.ledger.keep_failure(
                item,
                step,
                key,
                provider,
                came,
                attempt=attempt,
                began=began,
                seconds=seconds,
                cost=cost,
            )
            if not came.again or attempt == self.attempts:
                self._give_up(lane, came)
                raise Unanswered(_told(came, attempt), cost=spent) from came
            self.tally.retries[came.fault] += 1
            await self.stop.sleep(
                self.backoff.seconds(attempt, retry_after=came.retry_after, deadline=self.seconds)
            )
        raise AssertionError("attempts are at least 1")  # pragma: no cover

    async def _attempt(
        self, lane: Lane, provider: str, request: Request
    ) -> tuple[Answer | ProviderError, float | None, float]:
        """One call: what came, what it cost, how many seconds it took."""
        limited = self.purse.limit is not None
        most = self.pricing.most(provider, request) if limited else None
        async with self.limiter.turn(lane) as turn, self.purse.room_for(most):
            self.stop.heed()
            began = time.perf_counter()
            came = await self._complete(provider, request)
            seconds = time.perf_counter() - began
            cost = self.pricing.cost(provider, request.model, came.usage)
            self.purse.pay(most if cost is None else cost)
            self._heed(lane, turn, came)
        self.tally.count_call(request.model, came.usage, cost)
        return came, cost, seconds

    async def _complete(self, provider: str, request: Request) -> Answer | ProviderError:
        try:
            async with asyncio.timeout(self.seconds + _GRACE):
                answer = await self.providers[provider].complete(request, seconds=self.seconds)
        except ProviderError as error:
            return error
        except TimeoutError:
            return ProviderError(
                f"no answer within {self.seconds:.0f} seconds", fault="timeout", again=True
            )
        return cut_off(answer) if answer.stop == "cut" else answer

    def _heed(self, lane: Lane, turn: Turn, came: Answer | ProviderError) -> None:
        """What a call's end says for the calls to come: fewer of them, or none at all."""
        health = self._health.setdefault(lane, Health())
        if not isinstance(came, ProviderError):
            health.answered += 1
            health.unanswered_in_a_row = 0
            lane.succeeded(came.limits)
            return
        if came.fault in _SLOW_DOWN:
            lane.slowed(turn, retry_after=came.retry_after, limits=came.limits)
        else:
            lane.heed(came.limits)
        if came.fault in HOPELESS:
            self.stop.put_up(str(came), reason="provider")
        elif came.fault == "bad_request":
            health.at_fault += 1
            if not health.answered and health.at_fault >= _AT_FAULT:
                self.stop.put_up(
                    f"the first {_AT_FAULT} requests were all refused as faulty: {came}",
                    reason="provider",
                )

    def _give_up(self, lane: Lane, error: ProviderError) -> None:
        """Stop the run when so many items in a row got no answer that the provider must be away."""
        self.stop.heed()
        health = self._health.setdefault(lane, Health())
        health.unanswered_in_a_row += error.fault != "bad_request"
        if health.unanswered_in_a_row >= _IN_A_ROW:
            self.stop.put_up(
                f"{_IN_A_ROW} items in a row got no answer; the last error: {error}",
                reason="provider",
            )


def cut_off(answer: Answer) -> ProviderError:
    """An answer that broke off, as the error that it is."""
    return ProviderError(
        "the stream broke off before the reply had ended",
        fault="broken_stream",
        again=True,
        partial=answer.text,
        usage=answer.usage,
        limits=answer.limits,
        request_id=answer.request_id,
    )


def _told(error: ProviderError, attempt: int) -> str:
    tries = "" if attempt == 1 else f" (tried {attempt} times)"
    return f"{error}{tries}"
