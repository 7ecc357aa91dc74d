"""Remarks that hang in the lines of a text, without a draft: which go, and which stay."""

from __future__ import annotations

import pytest

from onlytext import Ambiguous, Sections, Text, clean


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("Two cups [was: three cups] of cold tea.", "Two cups of cold tea."),
        ('Stir {before: "Stirring"} slowly.', "Stir slowly."),
        ("Rühren [vorher: Umrühren] und warten.", "Rühren und warten."),
        ("Un jour franc [au lieu de « le plus franc »] et clair.", "Un jour franc et clair."),
        ("The ferry is late. (34 characters, fine)", "The ferry is late."),
        ("The ferry is late. [OK ✓]", "The ferry is late."),
        ("The ferry is late ← shortened", "The ferry is late"),
        ("save=Save it # 15 characters, ok", "save=Save it"),
    ],
)
def test_a_remark_that_says_how_it_was_or_counts_and_judges_goes(line: str, text: str) -> None:
    assert clean(f"A first line.\n{line}\nA last line.", Text()).text == (
        f"A first line.\n{text}\nA last line."
    )


def test_a_remark_goes_where_one_in_the_same_signs_gives_itself_away() -> None:
    cleaned = clean(
        "[A]\nThe door [was: gate] is open.\n\n[B]\nNobody came. [unchanged]",
        Sections("[A]", "[B]"),
    )
    assert cleaned.text == "[A]\nThe door is open.\n\n[B]\nNobody came."
    assert [one.text for one in cleaned.removals] == [" [was: gate]", " [unchanged]"]


@pytest.mark.parametrize(
    "line",
    [
        "Nobody came. [unchanged]",
        "Shake it (count to ten), then pour.",
        "See [the rule: ten words](https://example.org).",
        'Call say("before: now") twice.',
        'A word (shown before "another") is short.',
        "Left ← arrow key",
        "(12 words to guess, and that must do)",
        "The list (5 words) is short.",
        "Paid (✓)",
        'Set {label: "before"} there.',
    ],
)
def test_what_may_be_content_stays(line: str) -> None:
    assert clean(f"A first line.\n{line}\nA last line.", Text()).outcome == "untouched"


def test_what_stands_in_code_stays() -> None:
    reply = "Look:\n```py\nx = 1 ← shortened\n```\nIt works."
    assert clean(reply, Text()).text == reply


def test_short_remarks_on_several_lines_refuse_what_no_draft_can_tell() -> None:
    with pytest.raises(Ambiguous):
        clean("Good morning. (34, fine)\nThe ferry is late. (33, fine)\nBack at noon.", Text())


def test_short_remarks_in_technical_writing_stay() -> None:
    reply = "Use `a` here. (fine)\nUse `b` there. (fine)"
    assert clean(reply, Text()).text == reply
