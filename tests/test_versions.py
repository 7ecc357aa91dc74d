"""A text that comes twice, without a draft: the last version is taken, or none."""

from __future__ import annotations

import pytest

from onlytext import Ambiguous, Text, clean

FIRST = "The old mill by the river opens again on Sunday, with bread and with music for everybody."
LAST = "The old mill by the river opens again on Sunday, with bread and music."


@pytest.mark.parametrize(
    "remark",
    [
        "That's 17 words, two too many. Let me shorten it:",
        'Hmm, "for everybody" says nothing. I cut it.',
    ],
)
def test_the_last_version_is_the_text(remark: str) -> None:
    assert clean(f"{FIRST}\n\n{remark}\n\n{LAST}", Text()).text == LAST


def test_versions_may_stand_line_by_line() -> None:
    assert clean(f"{FIRST}\nThat's 17 words, two too many.\n{LAST}", Text()).text == LAST


def test_what_is_said_before_and_after_the_versions_goes_too() -> None:
    said = "That's 17 words, two too many."
    reply = f"I'll check the length first.\n\n{FIRST}\n\n{said}\n\n{LAST}\n\n15 words now, within the limit."
    assert clean(reply, Text()).text == LAST


def test_a_version_is_as_long_as_the_one_before_it() -> None:
    second = "A ferry leaves at noon, and the last one back leaves at six."
    later = "A ferry leaves at noon. It comes back at six."
    said = "Hmm, that's still too long, so I shorten both sentences."
    reply = f"{FIRST}\n\n{second}\n\n{said}\n\n{LAST}\n\n{later}"
    assert clean(reply, Text()).text == f"{LAST}\n\n{later}"


def test_two_versions_with_too_little_said_between_them_are_refused() -> None:
    with pytest.raises(Ambiguous, match="gives its text twice"):
        clean(f"{FIRST}\n\nTighter, perhaps:\n\n{LAST}", Text())


@pytest.mark.parametrize(
    "reply",
    [
        f"{FIRST}\n\nNobody knows who pays for it.\n\n{LAST}",
        f"{FIRST}\n\n{LAST}",
        f"- {FIRST}\n\nThat's 17 words, too long.\n\n- {LAST}",
        f"{FIRST[:-1]}:\n\nThat's 17 words, too long.\n\n{LAST}",
        f"{FIRST}\n\nThe rule is that the text must be kept.\n\n{LAST}\n\nMore to come.",
        f"```\n{FIRST}\n\nThat's 17 words, too long.\n\n{LAST}\n```",
    ],
)
def test_a_text_that_repeats_itself_stays(reply: str) -> None:
    assert clean(reply, Text()).text == reply
