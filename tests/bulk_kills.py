"""A bulk job in processes of its own, which the tests end in whatever way: see `python -m`."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bulk_rows import PLAIN

from onlytext import clean
from onlytext.bulk import Wish, clean_files

if TYPE_CHECKING:
    from collections.abc import Callable

BLOCK = 3000


def run(source: str, output: str, *, workers: int = 1, block: int = BLOCK) -> None:
    """The job itself."""
    wish = Wish(inputs=[source], format=PLAIN, output=Path(output), block_bytes=block)
    clean_files(wish, workers=workers)


def forked(call: Callable[[], None]) -> int:
    """The call in a process of its own, which is a copy of this one; its process id."""
    child = os.fork()
    if child:
        return child
    call()
    os._exit(0)


def kill_again_and_again(source: str, output: str, kills: int, seed: int) -> int:
    """Kill jobs at random moments, each of which goes on where the last one was; how many were hit.

    A job that came to its end in spite of that is begun anew.
    """
    clean("Warm up: the patterns are compiled before the first job starts.", PLAIN)
    started = time.perf_counter()
    os.waitpid(forked(lambda: run(source, output)), 0)
    whole = time.perf_counter() - started
    dice = random.Random(seed)  # noqa: S311 - the same in every run
    hit = 0
    while hit < kills:
        Path(output).unlink(missing_ok=True)
        job = forked(lambda: run(source, output))
        time.sleep(dice.uniform(0, whole / 2))
        os.kill(job, signal.SIGKILL)
        _, status = os.waitpid(job, 0)
        hit += os.WIFSIGNALED(status)
    if not Path(output).exists():
        os.waitpid(forked(lambda: run(source, output)), 0)
    return hit


if __name__ == "__main__":
    source, output, what = sys.argv[1:4]
    if what == "kill":
        hit = kill_again_and_again(source, output, kills=int(sys.argv[4]), seed=1)
        sys.stdout.write(str(hit))
    else:
        run(source, output, workers=int(what))
