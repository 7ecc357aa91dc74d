"""What becomes of an item: each case of cases/roads.toml on its road alone."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from tests.roads import RoadCase, road_cases

from onlytext import Sections, Text
from onlytext._reply import Doubt
from onlytext.pipeline._checks import Check
from onlytext.pipeline._road import Answered, Road, Step, Unanswered
from onlytext.pipeline._verdict import Fault, Reader, Reply, Usable, carried
from onlytext.prompts import example_bodies

pytestmark = pytest.mark.anyio

CASES = road_cases()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class Scripted:
    """Replies of a case, each given once."""

    case: RoadCase
    asked: list[Step] = field(default_factory=list[Step])

    async def ask(self, step: Step) -> Answered:
        reply = self.case.replies[step.part][step.ask]
        self.asked.append(step)
        if reply is None:
            raise Unanswered("overloaded")
        return Answered(key=f"{step.part}-{step.ask}", reply=reply)


def reader_for(case: RoadCase) -> Reader:
    job = case.job
    return Reader(
        format=job.sent_format,
        given_format=job.format,
        patterns=None,
        strict=case.strict,
        checks=job.checks,
    )


def plain_reader(format: Sections | Text, *checks: Check, strict: bool = False) -> Reader:
    return Reader(format=format, given_format=format, patterns=None, strict=strict, checks=checks)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_an_item_comes_to_the_end_that_its_case_names(case: RoadCase) -> None:
    asker = Scripted(case)
    end = await Road(case.job, reader_for(case), asker, case.brief).walk()
    assert end.status == case.status, end.cause
    assert (end.usable.cleaned.text if end.usable else None) == case.text
    assert end.validated == case.validated
    assert end.final == case.final
    if case.cause is None:
        assert end.cause is None
    else:
        assert case.cause in (end.cause or "")
    if case.flagged is not None:
        assert bool(end.doubts or end.status == "kept_draft") == case.flagged
    given = [reply for replies in case.replies.values() for reply in replies]
    assert len(asker.asked) == len(given), "every reply of the case was asked for, and none else"
    assert len(end.readings) == len([reply for reply in given if reply is not None])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_what_is_asked_again_names_the_fault(case: RoadCase) -> None:
    asker = Scripted(case)
    end = await Road(case.job, reader_for(case), asker, case.brief).walk()
    faults = {
        reading.key: reading.result for reading in end.readings if isinstance(reading.result, Fault)
    }
    for step in asker.asked:
        if step.ask:
            fault = faults[f"{step.part}-0"]
            assert fault.sentence
            assert fault.sentence in step.request.messages[-1].content


async def test_a_brief_without_a_field_of_the_prompt_fails_before_anything_is_paid() -> None:
    case = next(case for case in CASES if case.draft is None)
    asker = Scripted(case)
    end = await Road(case.job, reader_for(case), asker, {"subject": "bread"}).walk()
    assert end.status == "failed"
    assert "topic" in (end.cause or "")
    assert asker.asked == []


async def test_a_reply_of_megabytes_is_read_beside_the_calls_in_flight() -> None:
    case = next(case for case in CASES if case.name == "a good reply is the text")
    huge = Reply(text="[TITLE]\nBread\n\n[BODY]\n" + "Bread. " * 60_000 + "\n[END]", stop="end")

    class Huge:
        async def ask(self, step: Step) -> Answered:
            return Answered(key=str(step.ask), reply=huge)

    end = await Road(case.job, reader_for(case), Huge(), case.brief).walk()
    assert end.status == "kept_draft", "it breaks the rule of six words"
    assert end.usable is not None
    assert len(end.usable.cleaned.text) > 400_000


async def test_fewer_sections_are_no_loss_where_there_were_too_many() -> None:
    most = Check(sections=("[SLIDE {n}]",), max_sections=2)
    reader = plain_reader(Sections("[SLIDE {n}]"), most)
    draft = reader.read_given("[SLIDE 1]\nOne.\n\n[SLIDE 2]\nTwo.\n\n[SLIDE 3]\nThree.")
    assert isinstance(draft, Usable)
    assert [failure.rule for failure in draft.broken] == ["max_sections"]
    shorter = Reply(text="[SLIDE 1]\nOne.\n\n[SLIDE 2]\nTwo.", stop="end")
    assert isinstance(reader.read_rewrite(shorter, draft=draft, prompt=""), Usable)


def test_plain_text_whose_closing_word_the_provider_kept_back_is_not_doubted() -> None:
    reader = plain_reader(Text(end="[END]"), strict=True)
    read = reader.read(Reply(text="Bread is warm.", stop="stop_sequence"))
    assert isinstance(read, Usable)
    assert read.doubts == ()


def test_a_doubt_about_the_draft_goes_with_a_text_in_which_its_words_still_stand() -> None:
    reader = plain_reader(Text())
    draft = reader.read_given("Bread is warm. Note: from seven.")
    assert isinstance(draft, Usable)
    doubts = (Doubt(15, 32, "Note: from seven.", "a note"), Doubt(0, 0, "", "far shorter"))
    doubted = Usable(cleaned=draft.cleaned, record=draft.record, doubts=doubts)
    assert carried(doubted, "Bread is hot. Note: from seven.") == doubts[:1]
    assert carried(doubted, "Bread is hot.") == ()


def test_a_section_that_only_repeats_the_example_of_the_prompt_is_a_fault() -> None:
    form = Sections("[COVER]", "[CAPTION]")
    example = example_bodies(form, language="en")
    copied = min(example)
    reader = replace(plain_reader(form), example=example)
    text = f"[COVER]\nWarm bread\n\n[CAPTION]\n{copied}"
    read = reader.read(Reply(text=text, stop="end"))
    assert isinstance(read, Fault)
    assert read.kind == "copied"
    assert read.cause == "copied: [CAPTION] only repeats the example"
    given = plain_reader(form).read(Reply(text=text, stop="end"))
    assert isinstance(given, Usable)
    assert isinstance(reader.read(Reply(text=text, stop="end"), draft=given), Usable)


def test_a_plain_text_that_is_the_example_is_a_fault() -> None:
    example = example_bodies(Text(), language="fr")
    reader = replace(plain_reader(Text()), example=example)
    read = reader.read(Reply(text=min(example), stop="end"))
    assert isinstance(read, Fault)
    assert read.cause == "copied: the text only repeats the example"
    assert isinstance(reader.read(Reply(text="Du pain chaud.", stop="end")), Usable)
