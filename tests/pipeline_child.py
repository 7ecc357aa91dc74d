"""Runs that are killed. One process loads everything once, and forks a child for each run."""

from __future__ import annotations

import asyncio
import os
import sys
from importlib import import_module
from pathlib import Path

from tests.pipeline_runs import make_job

from onlytext import Text, clean
from onlytext.cli.running import Wish, run_job
from onlytext.pipeline import read_briefs
from onlytext.providers import make_provider


def run_once(url: str, journal: str, briefs: str, out: str) -> int:
    """One run of the whole job, as the command line has it; 0 when it came to its end."""
    job = make_job(url=url, in_flight=8)
    read = read_briefs(briefs)
    wish = Wish(
        job=job,
        briefs=read,
        items=read.check(),
        out=Path(out),
        journal=journal,
        in_flight=None,
        strict=False,
        order="input",
    )
    ended = asyncio.run(run_job(wish))
    return 0 if ended.stopped is None and ended.written == wish.items else 1


def serve(arguments: list[str]) -> None:
    """For each line that comes: fork a run, say its process id, and then how it ended."""
    import_module("anthropic")  # so that no child has to load it
    clean("Bread is warm.", Text())
    make_provider("anthropic", {})
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = run_once(*arguments)
            finally:
                os._exit(code)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{status}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve(sys.argv[1:])
