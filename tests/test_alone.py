"""Replies without a draft: what their structure gives away, and what only refuses them."""

from __future__ import annotations

import pytest

from onlytext import Ambiguous, NoContent, Refused, Sections, Text, clean

TEXT = "The mill opens on Sunday. Bring a sack and a friend."
CARD = Sections("[FRONT]", "[BACK]")
SAID = "I shortened the second sentence, since the limit is 20 words."


def text_of(reply: str) -> str:
    return clean(reply, Text()).text


# ---------------------------------------------------------------- fences


def test_text_in_an_announced_fence_is_without_what_follows_it() -> None:
    assert text_of(f"Corrected text:\n```\n{TEXT}\n```\n* cup → 250 ml") == TEXT


def test_the_last_labelled_fence_holds_the_text() -> None:
    reply = f"Original draft: too long.\n```\nOld.\n```\n\nCorrected text:\n```text\n{TEXT}\n```"
    assert text_of(reply) == TEXT


@pytest.mark.parametrize(
    "reply",
    [
        f"How to trim:\n\n```\n{TEXT}\n```\n\nThat is all.",
        f"Trim it:\n\n```js\ntrim()\n```\n\nCorrected text:\n```\n{TEXT}\n```\n\nThat is all.",
        f"Two ways to do it.\n\nCorrected text:\n```\n{TEXT}\n```",
        "```",
    ],
)
def test_a_fence_that_may_be_content_stays(reply: str) -> None:
    assert text_of(reply) == reply


def test_what_follows_the_fence_round_all_sections_goes() -> None:
    reply = f"```\n[FRONT]\nA mill\n\n[BACK]\nOn Sunday\n```\n\nNothing more to say.\n{SAID}"
    assert clean(reply, CARD).text.rstrip() == "[FRONT]\nA mill\n\n[BACK]\nOn Sunday"


# ---------------------------------------------------------------- another language


def test_remarks_in_another_language_go_before_and_after_the_text() -> None:
    german = "Am Sonntag öffnet die Mühle wieder. Wer mag, bringt einen Sack und einen Freund mit."
    before = "The draft has two sentences in the passive, so I will change both of them."
    after = "The rest of it was fine and I left it as it was."
    assert text_of(f"{before}\n\n{german}\n\n{after}") == german


def test_remarks_in_another_script_go() -> None:
    assert text_of(f"{TEXT}\n\n注：共修改两处，其余部分保持不变。") == TEXT


@pytest.mark.parametrize(
    "reply",
    [
        f"{TEXT}\n\nDie Mühle öffnet am Sonntag, und alle sind da.",
        f"{TEXT}\n\n«Корова»",
        "早上好。\n\nOK",
        "已修改，符合规则，共两处。\n\n---",
        "Zwei Wörter sind zu lang und werden gekürzt.\n\nHallo Welt",
    ],
)
def test_a_text_in_two_languages_stays(reply: str) -> None:
    assert text_of(reply) == reply


# ---------------------------------------------------------------- sections that come again


def test_what_leads_to_a_section_that_comes_again_goes() -> None:
    reply = (
        "[FRONT]\nA mill\n\n[BACK]\nOn Sunday, from noon\n\n---\n"
        "Wait, the front still breaks the rule. Once more:\n\n[FRONT]\nThe mill\n\nNow it complies."
    )
    assert clean(reply, CARD).text.split() == [
        "[FRONT]",
        "The",
        "mill",
        "[BACK]",
        "On",
        "Sunday,",
        "from",
        "noon",
    ]


def test_the_draft_given_again_for_comparison_is_not_the_answer() -> None:
    reply = (
        "[FRONT]\nA mill\n\n[BACK]\nOn Sunday\n\nFor comparison, the original:\n\n"
        "[FRONT]\nAn old mill\n\n[BACK]\nOn Sunday"
    )
    assert clean(reply, CARD).text.split() == ["[FRONT]", "A", "mill", "[BACK]", "On", "Sunday"]


def test_sections_that_come_again_among_verdicts_are_refused() -> None:
    reply = "[FRONT]\nA mill\n\n[BACK]\nOn Sunday\n\n[FRONT]\nNo change needed, rule 1 is met.\n\n[BACK]\nSunday"
    with pytest.raises(Refused):
        clean(reply, CARD)


def test_a_text_about_checking_is_a_text() -> None:
    reply = "[FRONT]\nRule 3 violated: too long.\n\n[BACK]\nNo violation found, all fine."
    assert clean(reply, CARD).text == reply


@pytest.mark.parametrize(
    "reply",
    [
        "Let me see.\n\n[FRONT]\nRule 3 violated: too long.\n\n[BACK]\nNo violation found, all fine.",
        "[FRONT]\nOK, it complies with the rules.\n\n[BACK]\nOK, it complies, no changes.",
        "[FRONT]\nRule 3 violated: too long.\n\n[BACK]\nNo violation found.\n\nNo rule is violated.",
    ],
)
def test_verdicts_in_place_of_sections_are_refused(reply: str) -> None:
    with pytest.raises(NoContent):
        clean(reply, CARD)


def test_a_paragraph_full_of_words_of_validators_under_the_last_section_refuses() -> None:
    with pytest.raises(Ambiguous):
        clean(f"[FRONT]\nA mill\n\n[BACK]\nOn Sunday\n\n{SAID} The rest complies.", CARD)


# ---------------------------------------------------------------- what leads over to a tail


@pytest.mark.parametrize("lead", ["---", "## Changes", "**Changes**", "In short:"])
def test_what_leads_over_to_a_note_that_goes_goes_too(lead: str) -> None:
    note = "Note: I have corrected the text according to the rules."
    assert text_of(f"{TEXT}\n\n{lead}\n\n{note}") == TEXT


# ---------------------------------------------------------------- no text, or one that quotes itself


@pytest.mark.parametrize(
    "reply",
    [
        "I checked the text: 18 words, within the limit, no change needed, and I removed nothing.",
        "Words",
    ],
)
def test_a_report_or_a_word_of_the_prompt_is_no_text(reply: str) -> None:
    prompt = "Rules:\n1. At most 20 words.\n\nText:\nThe mill opens on Sunday.\nSunday"
    with pytest.raises(NoContent):
        clean(reply, Text(), prompt=prompt)


@pytest.mark.parametrize("reply", ["Sunday", "Mill on Sunday", "Monday"])
def test_a_short_text_may_stand_in_the_prompt(reply: str) -> None:
    prompt = "Rules:\n1. At most 20 words.\n\nText:\nThe mill opens on Sunday.\nSunday"
    assert clean(reply, Text(), prompt=prompt).text == reply


@pytest.mark.parametrize(
    "reply",
    [
        '"bring a sack" is an order, so it stays.\n"opens on Sunday" is short enough.\n\n' + TEXT,
        'I kept the rule with "opens on Sunday" and changed nothing else.\n\n' + TEXT,
    ],
)
def test_lines_that_quote_the_text_they_stand_in_refuse(reply: str) -> None:
    with pytest.raises(Refused):
        clean(reply, Text())


@pytest.mark.parametrize(
    "reply",
    [
        'They call it "the old mill". The rest is known.\n\nThe old mill opens on Sunday.',
        f'Use `x` where "opens on Sunday" and "bring a sack" must stay.\n\n{TEXT}',
        f"The mill opens on Sunday\n\n{TEXT}",
    ],
)
def test_a_text_may_quote_itself_once(reply: str) -> None:
    assert text_of(reply) == reply
