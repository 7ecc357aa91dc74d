"""A run from the command line: its progress, its interruption, its records."""

from __future__ import annotations

import asyncio
import signal
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal

from onlytext.cli.exits import say
from onlytext.cli.progress import shown_progress
from onlytext.journal import Journal
from onlytext.pipeline import Pipeline, Stopped
from onlytext.pipeline._export import Place, write_outcomes

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path
    from types import FrameType

    from onlytext.pipeline import Briefs, Job
    from onlytext.pipeline._tally import Tally

Order = Literal["input", "finished"]

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a person asked for on the command line."""

    job: Job
    briefs: Briefs
    items: int
    out: Path
    journal: str
    in_flight: int | None
    strict: bool
    order: Order


@dataclass(slots=True, kw_only=True)
class Ended:
    """How a run ended. `written` is how many records there are, none where there is no output.

    `waiting` counts the items that only want of an answer ended: the next run tries them again.
    """

    tally: Tally
    journal: str
    run: str | None = None
    waiting: int = 0
    written: int | None = None
    stopped: Stopped | None = None
    finished: list[Place] = field(default_factory=list[Place])


async def run_job(wish: Wish) -> Ended:
    """Run a job over its briefs and write its records; a run that was stopped writes none."""
    journal = await asyncio.to_thread(Journal.open, wish.journal)
    async with journal:
        pipeline = Pipeline(wish.job, journal=journal, in_flight=wish.in_flight, strict=wish.strict)
        ended = Ended(tally=pipeline.tally, journal=journal.where)
        with _interrupts(pipeline):
            async with shown_progress(pipeline, items=wish.items):
                try:
                    await _take(pipeline, wish, ended)
                except Stopped as stopped:
                    ended.stopped = stopped
        run, ended.tally = pipeline.stored_run, pipeline.tally
        ended.run = None if run is None else run.id
        if ended.stopped is None and run is not None:
            order = ended.finished if wish.order == "finished" else None
            ended.written = await asyncio.to_thread(
                write_outcomes, wish.out, journal, run, order=order
            )
    return ended


async def _take(pipeline: Pipeline, wish: Wish, ended: Ended) -> None:
    briefs = (brief.fields for brief in islice(wish.briefs, wish.items))
    async with aclosing(pipeline.run(briefs)) as outcomes:
        async for outcome in outcomes:
            ended.waiting += not outcome.final
            if wish.order == "finished":
                ended.finished.append(Place(outcome.key, outcome.position, outcome.id))


@contextmanager
def _interrupts(pipeline: Pipeline) -> Generator[None]:
    """The first Ctrl-C lets calls that are under way end, the second one ends all at once."""
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    asked = 0

    def interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as Python calls it
        nonlocal asked
        asked += 1
        if asked == 1:
            loop.call_soon_threadsafe(first)
        elif task is not None:
            loop.call_soon_threadsafe(task.cancel)

    def first() -> None:
        say("stopping: calls that are under way may end; Ctrl-C once more stops at once")
        pipeline.stop()

    before = {number: signal.signal(number, interrupt) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
