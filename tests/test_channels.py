"""The start marker, the end sentinel and the notes: lawful, and never content."""

from __future__ import annotations

import pytest

from onlytext import Clean, Sections, Text, clean

PLAIN = Text(start="[TEXT]", end="[END]", notes="[NOTES]")
LOAF = Sections("[COVER]", "[CAPTION]", end="[END]", notes="[NOTES]")
WHOLE = "[COVER]\nRye bread\n[CAPTION]\nSalted butter"
TIMES = "The ferry leaves at nine and at noon.\nBring a warm coat."


def gone_from(cleaned: Clean) -> list[tuple[str, str]]:
    return [(removal.text, removal.reason) for removal in cleaned.removals]


@pytest.mark.parametrize(
    "tail",
    ["\n[END]", "\n[END]\n", " [END]", "\nEND", "\nend.", "\n**[END]**", "\n[Ｅnd]\n", "\n[ END ]"],
)
@pytest.mark.parametrize("draft", [None, WHOLE])
def test_an_end_sentinel_goes_in_any_spelling_and_leaves_no_doubt(
    tail: str, draft: str | None
) -> None:
    cleaned = clean(WHOLE + tail, LOAF, draft=draft)
    assert cleaned.text == WHOLE
    assert gone_from(cleaned) == [(tail, "end sentinel")]
    assert cleaned.doubts == ()


@pytest.mark.parametrize("tail", ["\n[END]", " [END]", "\nend", "\n**[End]**", "\n[END]\nDone!"])
@pytest.mark.parametrize("draft", [None, TIMES])
def test_an_end_sentinel_closes_plain_text_too(tail: str, draft: str | None) -> None:
    cleaned = clean(TIMES + tail, PLAIN, draft=draft)
    assert cleaned.text == TIMES
    [(text, reason)] = gone_from(cleaned)
    assert text == tail
    assert reason.startswith("end sentinel")
    assert cleaned.doubts == ()


@pytest.mark.parametrize(("format", "reply"), [(LOAF, WHOLE), (PLAIN, TIMES)])
def test_a_sentinel_that_did_not_come_is_a_doubt(format: Sections | Text, reply: str) -> None:
    cleaned = clean(reply, format)
    assert cleaned.text == reply
    assert [doubt.reason for doubt in cleaned.doubts] == [
        "the end sentinel [END] did not come: the text may be cut off"
    ]


def test_a_sentinel_with_nothing_before_it_closes_nothing() -> None:
    cleaned = clean("[END]\nBread is warm.", Text(end="[END]"))
    assert cleaned.text == "[END]\nBread is warm."


def test_a_sentinel_that_a_sentence_names_closes_nothing() -> None:
    reply = "Bread is warm.\nClose with [END] as usual.\nButter melts."
    assert clean(reply, Text(end="[END]")).text == reply


def test_the_text_begins_after_the_last_start_marker() -> None:
    reply = "Sure.\n[TEXT]\nRye.\n[TEXT]\nBread is warm.\n[END]"
    cleaned = clean(reply, PLAIN)
    assert cleaned.text == "Bread is warm."
    assert gone_from(cleaned) == [
        ("Sure.\n[TEXT]\nRye.\n[TEXT]\n", "start marker and what comes before it"),
        ("\n[END]", "end sentinel and what follows it"),
    ]


def test_a_start_marker_with_nothing_after_it_begins_nothing() -> None:
    cleaned = clean("Bread is warm.\n[TEXT]\n", Text(start="[TEXT]"))
    assert cleaned.text.startswith("Bread is warm.")


@pytest.mark.parametrize("marker", ["[NOTES]", "**[Notes]**", "Notes:"])
@pytest.mark.parametrize("draft", [None, TIMES])
def test_what_stands_under_the_notes_marker_goes(marker: str, draft: str | None) -> None:
    tail = f"\n{marker}\nThe timetable needs a second look."
    cleaned = clean(TIMES + tail, Text(notes="[NOTES]"), draft=draft)
    assert cleaned.text == TIMES
    assert gone_from(cleaned) == [(tail, "notes channel")]


def test_what_stands_under_the_notes_marker_stays_where_nothing_else_is_there() -> None:
    cleaned = clean("[NOTES]\nBread is warm.", Text(notes="[NOTES]"))
    assert cleaned.text == "Bread is warm."
    assert gone_from(cleaned) == [("[NOTES]\n", "notes marker")]


@pytest.mark.parametrize("draft", [None, WHOLE])
def test_notes_after_the_sections_go(draft: str | None) -> None:
    tail = "\n[NOTES]\nThe butter needs a second look."
    cleaned = clean(WHOLE + tail, Sections("[COVER]", "[CAPTION]", notes="[NOTES]"), draft=draft)
    assert cleaned.text == WHOLE
    assert [removal.text for removal in cleaned.removals] == [tail]


def test_notes_before_the_sections_go() -> None:
    cleaned = clean(
        f"[NOTES]\nTwo lines.\n{WHOLE}", Sections("[COVER]", "[CAPTION]", notes="[NOTES]")
    )
    assert cleaned.text == WHOLE
    assert [removal.text for removal in cleaned.removals] == ["[NOTES]\nTwo lines.\n"]
