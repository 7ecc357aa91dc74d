"""Rows for the tests of the journal, and the two kinds of database it can be kept in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from onlytext.journal import (
    Call,
    Cleaning,
    Failure,
    Run,
    StoredDoubt,
    StoredItem,
    StoredOutcome,
    StoredRemoval,
)
from onlytext.providers import Message, Request, Usage

if TYPE_CHECKING:
    from onlytext.journal import Journal

# Everything that a database is known to choke on.
ODD = (
    "NUL \x00, DLE \x10 \x100000, halves \ud83d\ude00 \udfff, whole \U0001f600, "
    "\r\n\u2028 \u202e«é» \ufeff"
)
# The 1st of June 2026, noon in UTC.
NOON = 1_780_315_200.0

RUN = Run(
    id="run-1",
    started=NOON,
    job="shop",
    job_digest="job-a",
    cleaning_digest="clean-a",
    job_text="[job]\nname = 'shop'\n",
    language="fr",
    version="0.1.0",
)
REQUEST = Request(
    model="model-a",
    system="Return only the text.",
    messages=(Message("user", "Check this: " + ODD),),
    max_tokens=500,
    stop=("[END]",),
    temperature=0.0,
)


def item(number: int) -> StoredItem:
    """An item of the run."""
    return StoredItem(
        key=f"item-{number}", position=number, id=f"n{number}", brief={"about": ODD, "words": 7}
    )


def call(number: int, name: str | None = None) -> Call:
    """A reply to an item."""
    return Call(
        key=name or f"call-{number}",
        item=f"item-{number}",
        part="generate",
        ask=0,
        provider="replay",
        request=REQUEST,
        text=f"{number} {ODD}",
        stop="end",
        began=NOON + number,
        seconds=1.5,
        thinking="hm",
        detail="d",
        answered_by="model-a-1",
        request_id="req",
        usage=Usage(input=1, output=2, cache_read=3, cache_write=4, thinking=5),
        cost=0.25,
        language="fr",
        run="run-1",
    )


def failure(number: int) -> Failure:
    """An attempt at an item that failed."""
    return Failure(
        call=f"call-{number}",
        attempt=1,
        item=f"item-{number}",
        part="generate",
        ask=0,
        provider="replay",
        model="model-a",
        fault="overloaded",
        message="overloaded " + ODD,
        began=NOON,
        seconds=0.5,
        status=529,
        partial=ODD,
        usage=Usage(input=9),
        run="run-1",
    )


def cleaning(number: int, digest: str = "clean-a") -> Cleaning:
    """A cleaning that found a leak, a closing word and a doubt."""
    return Cleaning(
        call=f"call-{number}",
        digest=digest,
        at=NOON + number,
        outcome="cleaned",
        removals=(
            StoredRemoval(start=0, end=2, reason="label", pattern="en/label"),
            StoredRemoval(start=9, end=12, reason="end sentinel", leak=False),
        ),
        doubts=(StoredDoubt(start=3, end=5, reason="looks like a note"),),
    )


def outcome(number: int) -> StoredOutcome:
    """What became of an item."""
    return StoredOutcome(
        item=f"item-{number}",
        job_digest="job-a",
        cleaning_digest="clean-a",
        at=NOON + number,
        status="ok",
        text=ODD,
        record={"COVER": ODD, "SLIDES": ["a", "b"]},
        doubts=(StoredDoubt(start=3, end=5, reason="looks like a note", text=ODD),),
        flagged=True,
        validated=True,
        calls=(f"call-{number}",),
        cost=0.25,
        seconds=1.5,
        run="run-1",
        position=number,
    )


async def begin(journal: Journal, items: int) -> None:
    """A run with items, and nothing done yet."""
    await journal.store_run(RUN)
    await journal.store_items(RUN.id, [item(number) for number in range(items)])


async def fill(journal: Journal, items: int) -> None:
    """A run that is done: each item with a reply, a cleaning and an outcome."""
    await begin(journal, items)
    for number in range(items):
        await journal.store_reply(call(number))
        await journal.store_outcome(outcome(number), [cleaning(number)])
    await journal.store_run(replace(RUN, finished=NOON + items, state="finished"))
