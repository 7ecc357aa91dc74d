"""When and why a run ends before its last item."""

from __future__ import annotations

import asyncio
from typing import Literal

from onlytext.errors import OnlytextError

Reason = Literal["asked", "spend", "provider", "busy"]


class Stopped(OnlytextError):
    """A run that ends before its last item; what was done until then is in the journal.

    `reason` is `asked` where a person wished it so, `spend` where the spending limit was reached,
    `provider` where no call can succeed any more, `busy` where another run is at work.
    """

    def __init__(self, why: str, *, reason: Reason) -> None:
        super().__init__(why)
        self.reason: Reason = reason


class StopSign:
    """What every item looks at before it makes a call."""

    def __init__(self) -> None:
        self.stopped: Stopped | None = None
        self._raised = asyncio.Event()

    def put_up(self, why: str, *, reason: Reason) -> None:
        """Let no call begin from now on. The first reason is the one that counts."""
        if self.stopped is None:
            self.stopped = Stopped(why, reason=reason)
            self._raised.set()

    def heed(self) -> None:
        """Raise `Stopped` when the sign is up."""
        if self.stopped is not None:
            raise Stopped(str(self.stopped), reason=self.stopped.reason)

    async def sleep(self, seconds: float) -> None:
        """Wait, but not longer than until the sign is up; then raise `Stopped`."""
        try:
            async with asyncio.timeout(seconds):
                await self._raised.wait()
        except TimeoutError:
            return
        self.heed()

    async def wait(self) -> None:
        """Return when the sign is up."""
        await self._raised.wait()
