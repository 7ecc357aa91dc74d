"""Processes that work on blocks, one block each at a time; results come in the order of the blocks."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, TypeVar

from onlytext.bulk.errors import BulkError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from onlytext.bulk._block import Block

Result = TypeVar("Result")


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_blocks(
    work: Callable[[int, Block], Result], blocks: Iterable[tuple[int, Block]], *, workers: int
) -> Iterator[Result]:
    """What the work gives for each block, in their order; few of them are held at a time."""
    if workers == 1:
        for number, block in blocks:
            yield work(number, block)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin)
    waiting: deque[Future[Result]] = deque()
    try:
        for number, block in blocks:
            with _deaf_to_ctrl_c():
                waiting.append(pool.submit(work, number, block.packed()))
            if len(waiting) > workers + 1:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise BulkError(
            "a worker process was ended from outside, maybe for lack of memory: run the same "
            "command again, with fewer --workers; what is done is kept"
        ) from error
    finally:
        # What is begun ends, so that it need not be done again.
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _deaf_to_ctrl_c() -> Generator[None]:
    """Start processes that don't hear Ctrl-C, not even while they start: it is the parent's."""
    if sys.platform == "win32":  # pragma: no cover - it has no signal masks
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> threading.Thread:
    """Make this worker leave Ctrl-C to the parent, and end when the parent is no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    watch = threading.Thread(target=_end_with_parent, daemon=True)
    watch.start()
    return watch


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None  # noqa: S101 - a worker has one
    wait([parent.sentinel])
    os._exit(1)
