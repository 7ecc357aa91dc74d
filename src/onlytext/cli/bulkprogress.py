"""A bulk job as a person watches it: how far, how fast, and how long it will take."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from onlytext.cli.exits import say

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from onlytext.bulk import Progress

# A log file is not a terminal: one line in so many seconds tells that it goes on.
_LINE_EVERY: Final = 10.0
_MINUTE: Final = 60


@contextmanager
def shown_progress() -> Generator[Callable[[Progress], None]]:
    """What to call with each progress; it shows them on stderr while the block lasts."""
    from rich.console import Console

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    started = time.monotonic()
    if console.is_terminal:
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn
        from rich.progress import Progress as Bar

        columns = (BarColumn(bar_width=24), TaskProgressColumn(), TextColumn("{task.description}"))
        with Bar(*columns, console=console, transient=True) as bar:
            task = bar.add_task("reading", total=None)
            yield lambda at: bar.update(
                task,
                total=max(at.size, 1),
                completed=at.done,
                description=pace(at, time.monotonic() - started),
            )
        return
    told = started

    def tell(at: Progress) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told >= _LINE_EVERY and at.done < at.size:
            told = now
            say(f"{at.done / max(at.size, 1):.0%} · {pace(at, now - started)}")

    yield tell


def pace(at: Progress, seconds: float) -> str:
    """The rows, how many a second, and the time left; what an earlier run did is not counted in.

    >>> from onlytext.bulk import Progress
    >>> pace(Progress(rows=30_000, done=300, size=900, resumed=0), 20)
    '30,000 rows · 1,500 rows/s · 40 s left'
    """
    mine = at.done - at.resumed
    share = mine / at.done if at.done else 0
    rate = at.rows * share / max(seconds, 0.001)
    left = (at.size - at.done) * seconds / mine if mine > 0 else None
    parts = [f"{at.rows:,} rows", f"{rate:,.0f} rows/s"]
    if left is not None:
        parts.append(f"{span(left)} left")
    return " · ".join(parts)


def span(seconds: float) -> str:
    """A length of time as a person says it.

    >>> span(59), span(61), span(7300)
    ('59 s', '1 min 1 s', '2 h 1 min')
    """
    whole = max(0, round(seconds))
    if whole < _MINUTE:
        return f"{whole} s"
    minutes, rest = divmod(whole, _MINUTE)
    if minutes < _MINUTE:
        return f"{minutes} min {rest} s"
    return f"{minutes // _MINUTE} h {minutes % _MINUTE} min"
