"""A run as a person watches it: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import asyncio
import math
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from onlytext.cli.exits import say

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from rich.console import Console

    from onlytext.pipeline import Pipeline

_THOUSAND: Final = 1_000
_MILLION: Final = 1_000_000
_TICK: Final = 0.2
# A log file is not a terminal: one line in so many seconds tells that it goes on.
_LINE_EVERY: Final = 10.0


@asynccontextmanager
async def shown_progress(pipeline: Pipeline, *, items: int) -> AsyncGenerator[None]:
    """Show how far the run is while the block lasts; on stderr, so that stdout stays for programs."""
    from rich.console import Console

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    show = _bar(console, pipeline, items) if console.is_terminal else _lines(pipeline, items)
    task = asyncio.create_task(show)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def figures(pipeline: Pipeline) -> str:
    """What is worth watching, on one line."""
    tally = pipeline.tally
    parts = [f"{count_of(pipeline.in_flight, 'call')} in flight"]
    tokens = tally.input + tally.output
    if tokens:
        parts.append(f"{short(tokens)} tokens")
    if tokens and not tally.unpriced:
        parts.append(dollars(tally.cost))
    rate = tally.leak_rate
    if rate is not None:
        parts.append(f"{rate:.1%} of replies leak")
    retries = tally.retries.total()
    if retries:
        parts.append(f"{retries} tried again")
    failed = tally.items["failed"]
    if failed:
        parts.append(f"{failed} failed")
    return " · ".join(parts)


def count_of(count: int, noun: str) -> str:
    """A count with its noun.

    >>> count_of(1, "call"), count_of(2000, "call")
    ('1 call', '2,000 calls')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def short(count: int) -> str:
    """A large count in few letters.

    >>> short(950), short(12_345), short(3_400_000)
    ('950', '12k', '3.4M')
    """
    if count < _THOUSAND:
        return str(count)
    if count < _MILLION:
        return f"{count / _THOUSAND:.0f}k"
    return f"{count / _MILLION:.1f}M"


def dollars(amount: float) -> str:
    """An amount of US dollars, small ones with two digits that say something.

    >>> dollars(0.0), dollars(0.0000253), dollars(0.0123), dollars(12.3)
    ('$0.00', '$0.000025', '$0.012', '$12.30')
    """
    if not 0 < amount < 1:
        return f"${amount:,.2f}"
    return f"${amount:.{1 - math.floor(math.log10(amount))}f}"


async def _bar(console: Console, pipeline: Pipeline, items: int) -> None:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, auto_refresh=False, transient=True) as progress:
        task = progress.add_task("", total=items)
        while True:
            progress.update(task, completed=pipeline.tally.done, description=figures(pipeline))
            progress.refresh()
            await asyncio.sleep(_TICK)


async def _lines(pipeline: Pipeline, items: int) -> None:
    while True:
        await asyncio.sleep(_LINE_EVERY)
        say(f"{pipeline.tally.done:,} of {count_of(items, 'item')} · {figures(pipeline)}")
        sys.stderr.flush()
