"""What the rest of a reply says of a paragraph, a fence, a number or a marker in it."""

from __future__ import annotations

import pytest

from onlytext import NoContent, Sections, Text, clean

CARD = Sections("[NAME]", "[STORY]", "[PRICE]")
DRAFT = "[NAME]\nHoney cake\n\n[STORY]\nBaked by aunt Vera.\n\n[PRICE]\nFour coins."
SPEAKS = "Let me check the rules first. The story names nobody's oven, so I add one.\n\n"
BETTER = "[NAME]\nHoney cake\n\n[STORY]\nBaked by aunt Vera in her stone oven.\n\n[PRICE]\n{}"


def bodies(reply: str, draft: str = DRAFT, format: Sections = CARD) -> list[str]:
    return [section.body for section in clean(reply, format, draft=draft).sections]


def test_a_paragraph_more_goes_where_the_reply_speaks_before_its_sections() -> None:
    reply = SPEAKS + BETTER.format("Four coins.\n\nWishing all of you a lovely fair!")
    assert bodies(reply)[-1] == "Four coins."


def test_the_same_paragraph_stays_where_the_reply_says_nothing_else() -> None:
    reply = BETTER.format("Four coins.\n\nWishing all of you a lovely fair!")
    assert clean(reply, CARD, draft=DRAFT).outcome == "untouched"


@pytest.mark.parametrize("added", ["\nChildren pay half.", "\n\nNote: children pay half."])
def test_a_new_line_or_a_note_of_its_own_stays_all_the_same(added: str) -> None:
    assert bodies(SPEAKS + BETTER.format("Four coins." + added))[-1].endswith("pay half.")


def test_a_paragraph_more_stays_where_the_draft_has_paragraphs_there() -> None:
    draft = DRAFT + "\n\nCash only."
    reply = SPEAKS + BETTER.format("Four coins.\n\nNo cards here, sorry!")
    assert bodies(reply, draft)[-1] == "Four coins.\n\nNo cards here, sorry!"


def test_the_fence_that_closes_the_whole_ends_the_text() -> None:
    reply = "```text\n" + BETTER.format("Four coins.\n```\n\nThe oven is hers, by the way.")
    assert bodies(reply)[-1] == "Four coins."


def test_a_fence_inside_the_last_section_stays_with_what_follows_it() -> None:
    draft = DRAFT + "\n```\npay(4)\n```"
    reply = "```text\n" + BETTER.format("Four coins.\n```\npay(4)\n```\nThank you.")
    assert bodies(reply, draft)[-1].startswith("Four coins.\n```\npay(4)\n```")


def test_a_section_that_was_not_sent_again_keeps_its_first_text() -> None:
    again = "[NAME]\nHoney cake\n\n[STORY]\nBaked by Vera, who is nobody's aunt."
    reply = (
        BETTER.format("Four coins.") + "\n\nWait, the rule forbids family names. Again:\n\n" + again
    )
    assert bodies(reply) == ["Honey cake", "Baked by Vera, who is nobody's aunt.", "Four coins."]


def test_numbers_at_the_end_of_most_lines_go_where_the_reply_speaks() -> None:
    verses = Sections("A|", "B|", "C|")
    draft = "A| the cake is warm\nB| the oven sings of rye\nC| goodnight"
    lines = "A| the cake is warm (4)\nB| the oven sings (3)\nC| goodnight then (2)"
    said = "I counted the words of each verse, as the rule asks.\n\n"
    kept = ["the cake is warm", "the oven sings", "goodnight then"]
    assert bodies(said + lines, draft, verses) == kept
    assert bodies(lines, draft, verses)[1] == "the oven sings (3)"


@pytest.mark.parametrize("remark", ["<was: aunt, rule 2>", "/was: aunt, rule 2/"])
def test_remarks_between_angles_or_slashes_go(remark: str) -> None:
    reply = f"[NAME]\nHoney cake\n\n[STORY]\nBaked by {remark} Vera.\n\n[PRICE]\nFour coins."
    assert bodies(reply)[1] == "Baked by Vera."


def test_an_address_between_angles_and_a_path_stay() -> None:
    reply = DRAFT.replace("aunt Vera.", "Vera <vera@cake.example> in /home/vera/ovens.")
    assert bodies(reply)[1] == "Baked by Vera <vera@cake.example> in /home/vera/ovens."


def test_the_second_half_of_a_section_under_its_marker_again_is_put_to_the_first() -> None:
    first = "Baked by Vera in a stone oven since the spring."
    second = "She sells it on market days, from a cart."
    draft = f"[NAME]\nHoney cake\n\n[STORY]\n{first} {second}\n\n[PRICE]\nFour coins."
    reply = draft.replace(f" {second}", f"\n\nThe other half was fine:\n\n[STORY]\n{second}")
    assert bodies(reply, draft)[1].split() == f"{first} {second}".split()


@pytest.mark.parametrize(
    "verdicts",
    [
        "[NAME] ✓ two nouns\n[STORY] ✗ a person, and which one\n[PRICE] ✓",
        "[NAME] has its two nouns.\n[STORY] could do with a place.\n[PRICE] takes its full stop.",
    ],
)
def test_markers_that_only_get_ticks_or_sentences_about_them_are_no_text(verdicts: str) -> None:
    with pytest.raises(NoContent):
        clean(verdicts, CARD, draft=DRAFT)


def test_a_digit_in_a_circle_is_a_marker_like_any_other() -> None:
    numbered = Sections("①Name", "②Story")
    reply = "Let me check.\n\n①Name\nHoney cake\n\n**②Story**\nBaked by Vera."
    exact = "①Name\nHoney cake\n\n②Story\nBaked by Vera."
    assert bodies(reply, exact, numbered) == ["Honey cake", "Baked by Vera."]
    assert clean(exact, numbered).outcome == "untouched"


@pytest.mark.parametrize("count", ["(9 words)", "[9 palabras]", "（9字）"])
def test_a_bare_count_under_a_text_stays_where_the_reply_says_nothing_else(count: str) -> None:
    draft = "The tailor measured the mist twice, and he then cut it once."
    text = "The tailor measured the mist twice and cut once."
    cleaned = clean(f"{text}\n\n{count}", Text(), draft=draft)
    assert cleaned.outcome == "untouched"
    assert [doubt.text for doubt in cleaned.doubts] == [count]
    said = f"Let me check this text against the rules.\n\n{text}\n\n{count}"
    assert clean(said, Text(), draft=draft).text == text
    remark = f"{text} (unchanged)\n\n{count}"
    assert clean(remark, Text(), draft=draft).text == text
