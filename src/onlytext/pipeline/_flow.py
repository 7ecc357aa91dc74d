"""Many jobs, a bounded number of them at once, their results as they come."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable

T = TypeVar("T")


class _Failed:
    """What ended a job instead of a result."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


class _Fed:
    """There are no more jobs to come."""


class Flow(Generic[T]):
    """The results of jobs, each as soon as it is there; `most` jobs are under way at once.

    A job is made only when there is room for it, and its room is free again when its result has
    been taken: however many jobs there are, memory holds no more than `most` of them. The first
    job that fails ends the flow with its error.
    """

    def __init__(self, jobs: AsyncIterable[Callable[[], Awaitable[T]]], *, most: int) -> None:
        self._jobs = jobs
        self._room = asyncio.Semaphore(most)
        self._ready: asyncio.Queue[T | _Failed | _Fed] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._open = 0

    async def results(self) -> AsyncGenerator[T]:
        """The results, in the order in which they are there; all tasks have ended when it ends."""
        feeder = asyncio.create_task(self._feed())
        try:
            fed = False
            while not fed or self._open:
                entry = await self._ready.get()
                if isinstance(entry, _Fed):
                    fed = True
                    continue
                if isinstance(entry, _Failed):
                    raise entry.error
                self._open -= 1
                self._room.release()
                yield entry
        finally:
            running = [feeder, *self._tasks]
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _feed(self) -> None:
        try:
            async for job in self._jobs:
                await self._room.acquire()
                self._open += 1
                task = asyncio.create_task(self._run(job))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        except Exception as error:  # noqa: BLE001 - it is raised where the results are taken
            self._ready.put_nowait(_Failed(error))
        else:
            self._ready.put_nowait(_Fed())

    async def _run(self, job: Callable[[], Awaitable[T]]) -> None:
        try:
            result = await job()
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - likewise
            self._ready.put_nowait(_Failed(error))
        else:
            self._ready.put_nowait(result)
