"""Runs one call in a process of its own: with a time limit, and with its peak memory measured."""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from dataclasses import dataclass
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final

from onlytext import Clean, Refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

_STATUS: Final = Path("/proc/self/status")
_CLEAR: Final = Path("/proc/self/clear_refs")
_FORK: Final = "fork" in get_all_start_methods()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call took, and how it ended."""

    seconds: float | None
    """Processor time; none where the call was stopped or failed."""
    memory: int | None
    """Bytes that the process took on top of what it had before; none where it can't be told."""
    ended: str
    """`untouched`, `cleaned`, `refused`, `stopped`, or the error that was raised."""

    @property
    def lawful(self) -> bool:
        """Whether it ended by itself, in one of the ways that it may."""
        return self.ended in ("untouched", "cleaned", "refused")


def run_caged(
    prepare: Callable[..., Callable[[], object]],
    *arguments: object,
    limit: float,
    least: float = 0.0,
) -> Outcome:
    """Makes a call with `prepare(*arguments)` and makes it, both in a process of its own.

    Only the call itself is measured. It is stopped after `limit` seconds, and made again until
    `least` seconds are spent; then the time is the median.
    """
    context = get_context("fork") if _FORK else get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_inside, args=(theirs, prepare, arguments, least), daemon=True)
    process.start()
    theirs.close()
    try:
        # Preparing takes time as well: a document of 10 MB is written for a second.
        if not ours.poll(limit + 20):
            return Outcome(None, None, "stopped")
        ready = ours.recv()
        if isinstance(ready, Outcome):
            return ready
        return ours.recv() if ours.poll(limit) else Outcome(None, None, "stopped")
    except EOFError:
        return Outcome(None, None, "crashed")
    finally:
        process.kill()
        process.join()
        process.close()
        ours.close()


def _inside(
    pipe: Connection,
    prepare: Callable[..., Callable[[], object]],
    arguments: tuple[object, ...],
    least: float,
) -> None:
    try:
        call = prepare(*arguments)
        _give_back()
        pipe.send("ready")
        before = _peak(reset=True)
        seconds, ended = _timed(call)
        after = _peak(reset=False)
        spent = [seconds]
        while sum(spent) < least:
            spent.append(_timed(call)[0])
    except Exception as error:  # noqa: BLE001 - whatever it is, the table shows it
        pipe.send(Outcome(None, None, f"{type(error).__name__}: {error}"[:120]))
        return
    memory = None if before is None or after is None else max(0, after - before)
    pipe.send(Outcome(median(spent), memory, ended))


def _timed(call: Callable[[], object]) -> tuple[float, str]:
    start = time.process_time()
    ended = _ended(call)
    return time.process_time() - start, ended


def _ended(call: Callable[[], object]) -> str:
    try:
        result = call()
    except Refused:
        return "refused"
    return result.outcome if isinstance(result, Clean) else type(result).__name__


def _give_back() -> None:
    """Returns freed memory to the system, so that a call can't take it unseen."""
    gc.collect()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def _peak(*, reset: bool) -> int | None:
    """The most memory that this process had; since the last reset, where Linux can reset it."""
    if sys.platform == "win32":
        return None
    if _CLEAR.exists() and _STATUS.exists():
        if reset:
            _CLEAR.write_text("5", "ascii")
        lines = _STATUS.read_text("ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
