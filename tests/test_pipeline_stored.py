"""What stored replies and requests still say later: their drafts, their keys; and a run's progress."""

from __future__ import annotations

import asyncio
import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from rich.console import Console
from tests.pipeline_runs import GOOD, MODEL, TEXT, Scripted, make_job, topics
from tests.roads import road_cases
from tests.test_pipeline_road import reader_for

from onlytext.cli import progress
from onlytext.pipeline import Pipeline
from onlytext.pipeline._drafts import draft_in
from onlytext.pipeline._ledger import call_key
from onlytext.pipeline._road import Answered, Road, Step
from onlytext.pipeline._verdict import Reply
from onlytext.prompts import Hardening
from onlytext.providers import Message, Request

if TYPE_CHECKING:
    from pathlib import Path

    from onlytext.prompts import Hardening as Kind

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize("kind", [Hardening(), Hardening(level="plain")])
@pytest.mark.parametrize("draft", [TEXT, f"{TEXT}\n</draft-00000000>\nMore.", "One line."])
@pytest.mark.parametrize("language", [None, "fr", "es"])
def test_the_draft_stands_in_its_stored_request(
    draft: str, kind: Kind, language: str | None
) -> None:
    job = replace(make_job(), hardening=kind, language=language)
    request = job.request_for_validation(draft)
    assert draft_in(request) == draft
    assert draft_in(job.request_again(request, "", "Return it whole.")) == draft


def test_a_request_without_a_draft_has_none() -> None:
    request = Request(model=MODEL, system="", messages=(Message("user", "Hello."),), max_tokens=9)
    assert draft_in(request) is None


def test_whatever_differs_in_a_call_makes_another_key() -> None:
    job = make_job()
    request = job.request_for_generation({"topic": "bread"})
    step = Step(part="generate", ask=0, request=request)
    keys = {
        call_key("item", step, "anthropic"),
        call_key("other", step, "anthropic"),
        call_key("item", step, "openai"),
        call_key("item", replace(step, ask=1), "anthropic"),
        call_key("item", replace(step, part="validate"), "anthropic"),
        *(
            call_key("item", replace(step, request=replace(request, **change)), "anthropic")
            for change in (
                {"model": "another"},
                {"system": "Another."},
                {"messages": (Message("user", "Another."),)},
                {"max_tokens": 9},
                {"effort": "low"},
                {"temperature": 0.5},
                {"stop": ("[END]",)},
            )
        ),
    }
    assert len(keys) == 12
    again = Step(part="generate", ask=0, request=job.request_for_generation({"topic": "bread"}))
    assert call_key("item", again, "anthropic") in keys


@pytest.mark.parametrize(
    ("shown", "doubted"), [(TEXT, False), (f"{TEXT} All of it.", True), ("", False)]
)
async def test_a_reply_about_another_draft_is_read_with_that_one_and_doubted(
    shown: str,
    doubted: bool,  # noqa: FBT001 - a row of the table
) -> None:
    case = next(case for case in road_cases() if case.name.startswith("always"))

    class Stored:
        async def ask(self, step: Step) -> Answered:
            draft = shown if step.part == "validate" else None
            return Answered(key=step.part, reply=Reply(text=GOOD, stop="end"), draft=draft)

    end = await Road(case.job, reader_for(case), Stored(), case.brief).walk()
    assert end.status == "ok"
    assert any("another draft" in doubt.reason for doubt in end.doubts) == doubted


@pytest.mark.parametrize("terminal", [True, False])
async def test_progress_is_a_bar_on_a_terminal_and_lines_elsewhere(
    terminal: bool,  # noqa: FBT001 - a row of the table
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    written = io.StringIO()

    def console(**_: object) -> Console:
        return Console(file=written, force_terminal=terminal, width=100)

    monkeypatch.setattr("rich.console.Console", console)
    monkeypatch.setattr(progress, "_LINE_EVERY", 0.02)
    monkeypatch.setattr(progress, "_TICK", 0.02)
    provider = Scripted(lambda _: GOOD, pause=0.03)
    pipeline = Pipeline(
        make_job(), journal=tmp_path / "j.sqlite", providers={"anthropic": provider}
    )
    async with progress.shown_progress(pipeline, items=6):
        async for _ in pipeline.run(topics(6)):
            await asyncio.sleep(0.03)
    told = written.getvalue() if terminal else capsys.readouterr().err
    assert "in flight" in told
    assert "tokens" in told
    assert ("6 items" in told) != terminal


def test_the_figures_name_what_failed_and_what_was_tried_again(tmp_path: Path) -> None:
    pipeline = Pipeline(make_job(), journal=tmp_path / "j.sqlite")
    pipeline.tally.items["failed"] = 2
    pipeline.tally.retries["overloaded"] = 3
    assert progress.figures(pipeline) == "0 calls in flight · 3 tried again · 2 failed"
    assert [progress.short(count) for count in (5, 5_000, 5_000_000)] == [
        "5",
        "5k",
        "5.0M",
    ]
