"""How many calls may be in flight: fewer where the server says so, then slowly more again.

Additive increase, multiplicative decrease: the rule by which many senders share a line fairly
(D.-M. Chiu and R. Jain, 1989; V. Jacobson brought it to TCP in 1988).
"""

from __future__ import annotations

import asyncio
import math
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from onlytext.providers import Limits

_FALL: Final = 0.5
# With more than this share of a rate limit left there is nothing to heed.
_PLENTY: Final = 0.2
# How long a header's word is kept where it does not say when the limit is reset.
_USUAL_RESET: Final = 60.0


class Turn(NamedTuple):
    """A call's place among those in flight, and when it was given."""

    lane: Lane
    since: float


class Limiter:
    """All calls of one run: at most `most` in flight, and in each lane as many as its server takes.

    `longest` is how many seconds the server may make us wait at a time.
    """

    def __init__(
        self, most: int, *, longest: float = math.inf, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.most = most
        self.longest = longest
        self.clock = clock
        self.flying = 0
        self._lanes: dict[tuple[str, str], Lane] = {}
        self._waiting: dict[asyncio.Future[Turn], Lane] = {}
        self._alarm: asyncio.TimerHandle | None = None
        self._rings_at = math.inf

    def lane(self, provider: str, model: str) -> Lane:
        """What calls of one provider and model share."""
        key = (provider, model)
        if key not in self._lanes:
            self._lanes[key] = Lane(self)
        return self._lanes[key]

    @asynccontextmanager
    async def turn(self, lane: Lane) -> AsyncGenerator[Turn]:
        """A place among the calls in flight, first come first served."""
        turn = await self._enter(lane)
        try:
            yield turn
        finally:
            self._leave(lane)

    async def _enter(self, lane: Lane) -> Turn:
        if not self._waiting and self._has_room(lane):
            return self._admit(lane)
        place: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()
        self._waiting[place] = lane
        self.admit_waiting()
        try:
            return await place
        except asyncio.CancelledError:
            if self._waiting.pop(place, None) is None and not place.cancelled():
                self._leave(lane)  # the place was given at the moment of the cancellation
            raise

    def admit_waiting(self) -> None:
        """Give free places to those that have waited longest."""
        for place, lane in list(self._waiting.items()):
            if self.flying >= self.most:
                return
            if place.done():  # cancelled, and about to say so
                continue
            if self._has_room(lane):
                del self._waiting[place]
                place.set_result(self._admit(lane))

    def set_alarm(self) -> None:
        """See to it that who waits for a time that a server named is let in when it has come."""
        now = self.clock()
        moments = [moment for lane in self._lanes.values() for moment in lane.moments(now)]
        next_one = min(moments, default=math.inf)
        if next_one >= self._rings_at:
            return
        self.close()
        self._rings_at = next_one
        self._alarm = asyncio.get_running_loop().call_later(next_one - now, self._ring)

    def close(self) -> None:
        """Forget the alarm."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm, self._rings_at = None, math.inf

    def _ring(self) -> None:
        self.close()
        self.admit_waiting()
        self.set_alarm()

    def _has_room(self, lane: Lane) -> bool:
        return self.flying < self.most and lane.flying < lane.room()

    def _admit(self, lane: Lane) -> Turn:
        self.flying += 1
        lane.flying += 1
        return Turn(lane, self.clock())

    def _leave(self, lane: Lane) -> None:
        self.flying -= 1
        lane.flying -= 1
        self.admit_waiting()


class Lane:
    """The calls of one provider and model, and how many of them the server takes at once."""

    def __init__(self, limiter: Limiter) -> None:
        self._limiter = limiter
        self.flying = 0
        self.allowed = float(limiter.most)
        self._fell = -math.inf
        self._held_until = -math.inf
        self._cap = limiter.most
        self._capped_until = -math.inf

    def room(self) -> int:
        """How many calls may be in flight now; 0 while the server wants none."""
        now = self._limiter.clock()
        if now < self._held_until:
            return 0
        cap = self._cap if now < self._capped_until else self._limiter.most
        return max(1, min(int(self.allowed), cap))

    def succeeded(self, limits: Limits | None = None) -> None:
        """A call went well: when as many have as are allowed, one more is."""
        self.allowed = min(self.allowed + 1 / self.allowed, float(self._limiter.most))
        self.heed(limits)

    def slowed(
        self, turn: Turn, *, retry_after: float | None = None, limits: Limits | None = None
    ) -> None:
        """The server is rate-limiting or overloaded: half as many, and none before `retry_after`.

        Calls that were in flight together are told so together, and make it fall only once.
        """
        now = self._limiter.clock()
        if turn.since > self._fell:
            self._fell = now
            self.allowed = max(1.0, self.allowed * _FALL)
        self._hold(retry_after)
        self.heed(limits)

    def heed(self, limits: Limits | None) -> None:
        """What the headers say: as a limit runs out, fewer calls; once it has, none until its reset."""
        shares = [] if limits is None else [limits.requests_left, limits.tokens_left]
        known = [share for share in shares if share is not None]
        if limits is None or not known:
            return
        left = min(known)
        reset = limits.reset_seconds
        if left >= _PLENTY:
            self._capped_until = -math.inf
            return
        most = self._limiter.most
        self._cap = max(1, math.ceil(most * left / _PLENTY))
        seconds = min(_USUAL_RESET if reset is None else reset, self._limiter.longest)
        self._capped_until = self._limiter.clock() + seconds
        self._limiter.set_alarm()
        if left <= 0:
            self._hold(reset)

    def moments(self, now: float) -> list[float]:
        """When more room comes by itself."""
        return [moment for moment in (self._held_until, self._capped_until) if moment > now]

    def _hold(self, seconds: float | None) -> None:
        if seconds is None or seconds <= 0:
            return
        until = self._limiter.clock() + min(seconds, self._limiter.longest)
        if until > self._held_until:
            self._held_until = until
            self._limiter.set_alarm()
