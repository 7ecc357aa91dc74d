"""What may still be spent: a call begins only when even its dearest end stays within the limit."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from onlytext.pipeline._stop import StopSign

_UNKNOWN: Final = "the price of the next call is not known, and there is a spending limit"


class Purse:
    """A limit in US dollars over all calls of a job, those of earlier runs in it.

    What a call costs is known when it has ended; until then the most that it can cost is set
    aside. So the limit is never passed, and up to one call's worth of it may stay unspent.
    """

    def __init__(self, limit: float | None, stop: StopSign, *, spent: float = 0.0) -> None:
        self.limit = limit
        self.spent = spent
        self._set_aside: dict[object, float] = {}
        self._stop = stop
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def room_for(self, most: float | None) -> AsyncGenerator[None]:
        """Set aside what a call may cost at the most; stops the run when there is not so much left."""
        if self.limit is None:
            yield
            return
        call = object()
        async with self._changed:
            while not self.set_aside(call, most):
                self._changed.notify_all()
                self._stop.heed()
                await self._changed.wait()
        try:
            yield
        finally:
            self.give_back(call)
            async with self._changed:
                self._changed.notify_all()

    def set_aside(self, call: object, most: float | None) -> bool:
        """Set aside what a call may cost, if there is so much left.

        If not, and nothing is set aside that may come back, the run is stopped.
        """
        if self.limit is None:
            return True
        if most is None:
            self._stop.put_up(_UNKNOWN, reason="spend")
            return False
        if self.spent + sum(self._set_aside.values()) + most <= self.limit:
            self._set_aside[call] = most
            return True
        if not self._set_aside:
            self._stop.put_up(self._told(most), reason="spend")
        return False

    def give_back(self, call: object) -> None:
        """What was set aside for a call is free again."""
        self._set_aside.pop(call, None)

    def pay(self, cost: float | None) -> None:
        """Count what a call has cost."""
        self.spent += cost or 0.0

    def _told(self, most: float) -> str:
        return (
            f"the spending limit of {self.limit:g} USD: {self.spent:.4f} USD are spent, "
            f"and the next call may cost up to {most:.4f} USD"
        )
