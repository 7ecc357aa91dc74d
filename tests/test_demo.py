from __future__ import annotations

import os
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from demo.run import REPLIES, Example, clean_example, read_examples

from onlytext import Refused

ROOT: Final = Path(__file__).parent.parent
EXAMPLES: Final = read_examples()
LONGEST: Final = 10.0
# A busy machine must not fail a demo that is quick.
CHANCES: Final = 3


@cache
def output() -> str:
    """What `make demo-clean` prints where it is not a terminal."""
    done = subprocess.run(
        [sys.executable, "demo/run.py"],
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "80"},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")
    return done.stdout.decode()


def section_of(name: str) -> str:
    """What is printed of one reply."""
    _, _, rest = output().partition(f" of {len(EXAMPLES)}  {name} ")
    return rest.partition(f" of {len(EXAMPLES)}  ")[0].partition("\nall of them ")[0]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.name)
def test_the_text_of_each_reply_is_the_one_that_a_person_kept(example: Example) -> None:
    expected = REPLIES / example.name / "expected.txt"
    answer = clean_example(example).answer
    if isinstance(answer, Refused):
        assert not expected.exists()
    else:
        assert answer.text.split() == expected.read_text("utf-8").split()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.name)
def test_each_reply_is_shown_with_what_became_of_it(example: Example) -> None:
    outcome = clean_example(example)
    shown = section_of(example.name)
    assert example.shows in " ".join(shown.split())
    if isinstance(outcome.answer, Refused):
        assert f"refused: {outcome.answer.why}" in shown
        return
    for removal in outcome.answer.removals:
        if removal.text.strip():
            assert removal.reason in " ".join(shown.split())
    for doubt in outcome.answer.doubts:
        assert f"doubt: {doubt.reason}" in shown
    assert ("untouched" in shown) == (outcome.answer.outcome == "untouched")


def test_there_are_replies_in_english_french_and_spanish_and_of_every_outcome() -> None:
    assert {example.name[:2] for example in EXAMPLES} == {"en", "fr", "es"}
    assert {clean_example(example).word for example in EXAMPLES} == {
        "untouched",
        "cleaned",
        "refused",
    }


def test_it_ends_with_a_table_of_all_and_with_what_to_try_next() -> None:
    _, _, ending = output().partition("all of them ")
    for example in EXAMPLES:
        assert f"{example.name} " in ending
    assert "What to try next" in ending


def test_what_is_piped_has_no_colours() -> None:
    assert "\x1b" not in output()


def test_the_commands_to_try_next_work() -> None:
    _, _, ending = output().partition("What to try next")
    commands = [part for part in ending.replace("\\\n", " ").split("\n") if "onlytext " in part]
    assert len(commands) == 2
    for command in commands:
        _, *arguments = command.split()
        done = subprocess.run(
            [sys.executable, "-m", "onlytext", *arguments],
            cwd=ROOT,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr.decode()) == (0, "")
        assert "bedtime" in done.stdout.decode()


@pytest.mark.timing
def test_it_takes_less_than_ten_seconds() -> None:
    taken = LONGEST
    for _ in range(CHANCES):
        start = time.perf_counter()
        subprocess.run([sys.executable, "demo/run.py"], cwd=ROOT, capture_output=True, check=True)
        taken = time.perf_counter() - start
        if taken < LONGEST:
            return
    pytest.fail(f"it took {taken:.1f} seconds")
