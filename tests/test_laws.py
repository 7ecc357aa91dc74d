"""The laws that hold for every reply, whatever it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from onlytext import Refused, Sections, Text, clean

if TYPE_CHECKING:
    from onlytext._reply import Clean

CAROUSEL = Sections("[COVER]", "[SLIDE {n}]", "[CAPTION]", end="[END]", notes="[NOTES]")
FORMATS = (
    CAROUSEL,
    Text(),
    Text(start="[TEXT]", end="[END]", notes="[NOTES]"),
    Sections("TITLE:", "BODY:"),
)
DRAFTS = (
    None,
    "[COVER]\nWarm bread\n\n[SLIDE 1]\nFrom seven in the morning.\n\n[CAPTION]\nWhich loaf is yours?",
    "Fresh bread every morning.\nWe open at seven.",
)
FRAGMENTS = (
    "[COVER]", "[SLIDE 1]", "[SLIDE 2]", "[CAPTION]", "**[COVER]**", "## [Slide 1]", "[END]", "[NOTES]", "[TEXT]",
    "TITLE:", "BODY:", "<think>", "</think>", "<answer>", "</answer>", "```", "```text", "---", ">", "> [COVER]",
    "Warm bread", "From seven in the morning.", "Which loaf is yours?", "Fresh bread every morning.",
    "We open at seven.", "Let me check the text against the rules.", "Here is the corrected text:", "(12 words ✓)",
    "[SLIDE 1] is fine, 4 words.", "Wait, slide 1 is too long. Again:", "Note: contains nuts.", "→ removed “maybe”",
    "I removed the word “warm”.", "1. Bread", "2. Butter", "\u200b", "\ufeff", "é", "e\u0301", "😀", "\ud800", "\0",
    "“", "”", '"', "assistantfinal", "analysis", "<|im_end|>", "**", "*",
)  # fmt: skip
ENDS = ("\n", "\n\n", "\r\n", "\r", " ", "", "\u2028", "\t")
REPLIES = st.one_of(
    st.text(max_size=300),
    st.lists(st.tuples(st.sampled_from(FRAGMENTS), st.sampled_from(ENDS)), max_size=24).map(
        lambda pairs: "".join(fragment + end for fragment, end in pairs)
    ),
)
WHOLE = st.sampled_from(FORMATS)
DRAFT = st.sampled_from(DRAFTS)


def attempt(reply: str, format: Sections | Text, draft: str | None) -> Clean | None:
    try:
        return clean(reply, format, draft=draft)
    except Refused as refused:
        if not (refused.reply == reply and refused.why and refused.retry):
            raise AssertionError(repr(refused)) from refused
        return None


@given(REPLIES, WHOLE, DRAFT)
def test_pieces_and_removals_cover_the_reply_exactly(
    reply: str, format: Sections | Text, draft: str | None
) -> None:
    cleaned = attempt(reply, format, draft)
    if cleaned is None:
        return
    spans = [(piece.start, piece.end) for piece in cleaned.pieces if piece.end > piece.start]
    spans += [(removal.start, removal.end) for removal in cleaned.removals]
    at = 0
    for start, end in sorted(spans):
        assert start == at
        at = end
    assert at == len(reply)


@given(REPLIES, WHOLE, DRAFT)
def test_every_character_of_the_text_is_from_the_reply(
    reply: str, format: Sections | Text, draft: str | None
) -> None:
    cleaned = attempt(reply, format, draft)
    if cleaned is None:
        return
    markers = {section.marker for section in cleaned.sections}
    built = ""
    for piece in cleaned.pieces:
        if piece.put is None:
            built += reply[piece.start : piece.end]
        else:
            assert piece.put in markers or not piece.put.strip("\r\n")
            built += piece.put
    assert built == cleaned.text
    for removal in cleaned.removals:
        assert removal.text == reply[removal.start : removal.end]
        assert removal.reason
    assert (cleaned.outcome == "untouched") == (cleaned.text == reply)


@given(REPLIES, WHOLE, DRAFT)
def test_cleaning_twice_equals_cleaning_once(
    reply: str, format: Sections | Text, draft: str | None
) -> None:
    cleaned = attempt(reply, format, draft)
    if cleaned is None:
        return
    again = clean(cleaned.text, format, draft=draft)
    assert again.text == cleaned.text
    assert again.outcome == "untouched"
    assert again.sections == cleaned.sections
