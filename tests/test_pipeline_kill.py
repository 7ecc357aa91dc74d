"""A run that is killed at 50 random moments, on SQLite and on PostgreSQL: nothing is lost or paid twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from tests.loopback import Loopback, Reply
from tests.pipeline_runs import topics

from onlytext.journal import Journal

if TYPE_CHECKING:
    from tests.loopback import Seen

KILLS = 50
ITEMS = 200
_ROOT = Path(__file__).parent.parent


def numbered(seen: Seen) -> Reply:
    """A reply that says which request it answers, so that a second one for it would be seen."""
    return Reply(text=f"[TITLE]\nBread\n\n[BODY]\nLoaf {seen.number}.\n[END]", wait=0.004)


class Runs:
    """Runs of the job in processes of their own, which can be killed."""

    def __init__(self, url: str, journal: str, briefs: Path, out: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.pipeline_child", url, journal, str(briefs), str(out)],
            cwd=_ROOT,
            env=os.environ | {"ANTHROPIC_API_KEY": "sk-test-0123456789abcdef"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def start(self) -> int:
        """The process id of a run that has begun."""
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        return int(self._line())

    def ended(self) -> int:
        """How the run ended: 0, or what killed it."""
        return int(self._line())

    def close(self) -> None:
        """No more runs."""
        self._process.kill()
        self._process.communicate()

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


@pytest.mark.parametrize("place", ["sqlite", "postgresql"])
def test_a_run_that_is_killed_again_and_again_has_every_item_once_and_pays_for_no_reply_twice(
    place: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    seed = random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")  # noqa: T201 - it is shown where the test fails
    moments = random.Random(seed)  # noqa: S311 - when to kill is no secret
    journal = str(tmp_path / "journal.sqlite")
    if place == "postgresql":
        journal = request.getfixturevalue("postgres").fresh()
    briefs, out = tmp_path / "briefs.jsonl", tmp_path / "out.jsonl"
    briefs.write_text("".join(f"{json.dumps(brief)}\n" for brief in topics(ITEMS)))
    killed = 0
    with Loopback(numbered) as server:
        runs = Runs(server.url, journal, briefs, out)
        try:
            for _ in range(KILLS):
                killed += _killed_run(runs, server, moments)
            runs.start()
            assert runs.ended() == 0
        finally:
            runs.close()
        seen = server.seen
    assert killed >= KILLS * 0.8, "most runs were killed before they came to their end"
    _check(journal, out, seen)


def _killed_run(runs: Runs, server: Loopback, moments: random.Random) -> bool:
    """Start a run and kill it after so many requests, or at once; whether it was the kill that ended it."""
    goal = server.count + moments.randrange(16)
    child = runs.start()
    deadline = time.monotonic() + 10
    while server.count < goal and time.monotonic() < deadline:
        time.sleep(0.001)
    time.sleep(moments.uniform(0, 0.03))
    os.kill(child, signal.SIGKILL)
    return runs.ended() == signal.SIGKILL


def _check(journal: str, out: Path, seen: list[Seen]) -> None:
    rows = [cast("dict[str, object]", json.loads(line)) for line in out.read_text().splitlines()]
    assert [row["row"] for row in rows] == list(range(1, ITEMS + 1))
    assert {row["outcome"] for row in rows} == {"ok"}
    last = {one.prompt: one.number for one in seen}
    with Journal.open(journal) as opened:
        run = opened.reader.runs()[-1]
        items = [item.key for item in opened.reader.items(run.id, size=ITEMS + 1)]
        replies = opened.reader.replies(items)
    assert len(items) == ITEMS
    calls = [call for of_item in replies.values() for call in of_item]
    assert len(calls) == 2 * ITEMS
    for call in calls:
        prompt = call.request.messages[-1].content
        assert f"Loaf {last[prompt]}." in call.text, "nothing was asked once its reply was stored"
    # A request in vain is one that was under way when a run was killed: at most 8 for each kill.
    assert len(seen) - len(calls) <= KILLS * 8
