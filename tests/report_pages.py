"""A journal with a run worth a report, and its page in a real browser."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from tests.journal_rows import NOON, REQUEST, RUN

from onlytext.journal import (
    Call,
    Cleaning,
    Journal,
    StoredDoubt,
    StoredItem,
    StoredOutcome,
    StoredRemoval,
)
from onlytext.providers import Usage
from onlytext.review import find_run, write_report

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from playwright.sync_api import Page

    from onlytext.journal._rows import CleaningOutcome, Status
    from onlytext.review._figures import Figures

CHROMIUM: Final = shutil.which("chromium") or shutil.which("google-chrome")
LEAK: Final = "I need to check this first.\n\n"
DRAFT: Final = "[TITLE]\nBread\n\n[BODY]\nBaked fresh every day."
TEXT: Final = "[TITLE]\nBread\n\n[BODY]\nBaked every day."
HOSTILE: Final = (
    "</script><script>window.hit = 1</script><img src=x onerror='window.hit = 1'>"
    "<!--<script>{{ 7 * 7 }} \x1b[31m\x00\u202edlrow\u2066 \ud800 "
    "<a href='javascript:window.hit = 1'>https://example.com/</a>"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """An item as a test wants it: what the validator replied, and what came of it."""

    name: str
    reply: str = TEXT
    removals: Sequence[StoredRemoval] = ()
    doubts: Sequence[StoredDoubt] = ()
    status: Status = "ok"
    refused: bool = False
    language: str = "fr"
    text: str | None = TEXT
    draft: str = DRAFT


def leaking(
    name: str, *, reason: str = "outside of the text", pattern: str | None = None
) -> Wanted:
    """An item whose validator thought aloud first."""
    removal = StoredRemoval(start=0, end=len(LEAK), reason=reason, pattern=pattern)
    return Wanted(name=name, reply=LEAK + TEXT, removals=(removal,))


def usual() -> list[Wanted]:
    """Some items of each sort."""
    return [
        leaking("bread"),
        leaking("rolls", reason="label", pattern="en/here-is"),
        Wanted(name="cake", doubts=(StoredDoubt(start=24, end=36, reason="may be a remark"),)),
        Wanted(name="<b>pie</b>", reply=HOSTILE, text=HOSTILE, status="kept_draft"),
        Wanted(name="خبز", reply="[TITLE]\nخبز طازج", text="[TITLE]\nخبز طازج", language="ar"),
        Wanted(
            name="パン",
            reply="今日も天気",
            draft="今日は良い天気",
            text="今日も天気",
            language="ja",
        ),
        Wanted(name="none", reply="I see no text.", refused=True, status="failed", text=None),
    ]


def make_journal(path: Path, wanted: Sequence[Wanted]) -> Path:
    """A journal with one run of these items."""
    asyncio.run(_store(path, wanted))
    return path


async def _store(path: Path, wanted: Sequence[Wanted]) -> None:
    async with Journal.open(path) as journal:
        await journal.store_run(RUN)
        items = [
            StoredItem(key=f"item-{n}", position=n, id=one.name, brief={"topic": one.name})
            for n, one in enumerate(wanted)
        ]
        await journal.store_items(RUN.id, items)
        await asyncio.gather(*(_store_item(journal, n, one) for n, one in enumerate(wanted)))
        await journal.store_run(replace(RUN, finished=NOON + 90, state="finished"))


async def _store_item(journal: Journal, number: int, one: Wanted) -> None:
    first = Call(
        key=f"first-{number}",
        item=f"item-{number}",
        part="generate",
        ask=0,
        provider="replay",
        request=REQUEST,
        text=one.draft,
        stop="end",
        began=NOON + number,
        seconds=0.5,
        usage=Usage(input=100, output=20),
        cost=0.001,
        language=one.language,
        run=RUN.id,
    )
    second = replace(
        first, key=f"second-{number}", part="validate", text=one.reply, began=NOON + number + 0.5
    )
    await journal.store_reply(first)
    await journal.store_reply(second)
    made: CleaningOutcome = "refused" if one.refused else "cleaned" if one.removals else "untouched"
    cleanings = [
        Cleaning(call=first.key, digest=RUN.cleaning_digest, at=NOON, outcome="untouched"),
        Cleaning(
            call=second.key,
            digest=RUN.cleaning_digest,
            at=NOON,
            outcome=made,
            cause="no text in it" if one.refused else None,
            removals=tuple(one.removals),
            doubts=tuple(one.doubts),
        ),
    ]
    outcome = StoredOutcome(
        item=first.item,
        job_digest=RUN.job_digest,
        cleaning_digest=RUN.cleaning_digest,
        at=NOON,
        status=one.status,
        text=one.text,
        record=None if one.text is None else {"TITLE": "Bread", "BODY": one.text},
        doubts=tuple(one.doubts),
        flagged=bool(one.doubts),
        calls=(first.key, second.key),
        run=RUN.id,
    )
    await journal.store_outcome(outcome, cleanings)


def report_of(journal: Path, out: Path, *, language: str = "en") -> Figures:
    """Write the page of the journal's last run."""
    with Journal.open(journal) as opened:
        return write_report(opened, find_run(opened), out, language=language)


@dataclass(slots=True, kw_only=True)
class Opened:
    """A page in a browser, with all that it said and asked for."""

    page: Page
    said: list[str] = field(default_factory=list[str])
    asked: list[str] = field(default_factory=list[str])

    def shown(self) -> list[str]:
        """The names of the items that the list holds, once a filter has come to its end."""
        self.page.wait_for_timeout(250)
        return self.page.locator(".item h3").all_inner_texts()


@contextmanager
def opened(file: Path, *, width: int = 1200, scheme: str = "light") -> Generator[Opened]:
    """The page in a headless Chromium that notes each request and each word on the console."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            page = browser.new_page(
                viewport={"width": width, "height": 900},
                color_scheme="dark" if scheme == "dark" else "light",
            )
            seen = Opened(page=page)
            page.on("console", lambda message: seen.said.append(message.text))
            page.on("pageerror", lambda error: seen.said.append(str(error)))
            page.on("request", lambda request: seen.asked.append(request.url))
            page.goto(file.as_uri())
            yield seen
        finally:
            browser.close()
