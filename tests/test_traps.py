"""Short replies on which some plausible rule fails, each with the format that it calls for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from onlytext import NoContent, Text, clean

PATH = Path(__file__).parent / "cases" / "traps.jsonl"
TRAPS: list[dict[str, Any]] = [json.loads(row) for row in PATH.read_text("utf-8").splitlines()]

# Traps of JSON, of code that is picked out of a reply, and of streaming: none is plain text or
# sections that have arrived.
LEFT_OUT = {15, 16, 17, 25}
FORMATS = {
    1: Text(start="[TEXT]"),
    2: Text(start="[TEXT]"),
    3: Text(start="[TEXT]", end="[/TEXT]"),
    4: Text(start="[TEXT]", end="[/TEXT]"),
}


def number(trap: dict[str, Any]) -> int:
    return int(trap["trap"].split()[0])


@pytest.mark.parametrize(
    "trap",
    [pytest.param(trap, id=trap["trap"]) for trap in TRAPS if number(trap) not in LEFT_OUT],
)
def test_the_trap_is_not_stepped_into(trap: dict[str, Any]) -> None:
    format_ = FORMATS.get(number(trap), Text())
    if trap["wanted"]:
        assert clean(trap["reply"], format_).text.split() == trap["wanted"].split()
    else:
        with pytest.raises(NoContent):
            clean(trap["reply"], format_)


def test_a_reply_that_came_in_chunks_is_cleaned_when_it_is_whole() -> None:
    chunks = ["<thi", "nk>count words</thi", "nk>Warm bread."]
    assert clean("".join(chunks), Text()).text == "Warm bread."
