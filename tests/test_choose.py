"""Which of the sections that come more than once are the answer."""

from __future__ import annotations

import pytest

from onlytext import Ambiguous, Clean, Sections, clean

STALL = Sections("[COVER]", "[CAPTION]", "[TAGS]")
COVER = "[COVER]\nRye bread from the stone oven\n"
CAPTION = "[CAPTION]\nOpen from seven in the morning until noon\n"
TAGS = "[TAGS]\n#rye #oven"
DRAFT = COVER + CAPTION + TAGS


def bodies(cleaned: Clean) -> dict[str, str]:
    return {section.marker: section.body for section in cleaned.sections}


def test_sections_out_of_order_are_put_in_order_and_nothing_is_lost() -> None:
    reply = f"{COVER}{TAGS}\n{CAPTION}"
    for draft in (None, DRAFT):
        cleaned = clean(reply, STALL, draft=draft)
        assert list(bodies(cleaned)) == ["[COVER]", "[CAPTION]", "[TAGS]"]
        assert bodies(cleaned) == bodies(clean(DRAFT, STALL))


def test_the_draft_given_again_after_the_answer_is_not_the_answer() -> None:
    reply = f"{DRAFT.replace('stone', 'brick')}\n\nThe original was:\n\n{DRAFT}"
    cleaned = clean(reply, STALL, draft=DRAFT)
    assert cleaned.text == DRAFT.replace("stone", "brick")


@pytest.mark.parametrize(("old", "new"), [("#rye", "#oat"), ("#oven", "#oat")])
def test_the_last_line_before_the_draft_is_given_again_is_content(old: str, new: str) -> None:
    draft = f"{COVER}{CAPTION}[TAGS]\n#rye\n#oven"
    answer = draft.replace(old, new)
    cleaned = clean(f"{answer}\n\nThe original was:\n\n{draft}", STALL, draft=draft)
    assert cleaned.text == answer


def test_the_later_of_two_whole_answers_counts() -> None:
    later = DRAFT.replace("stone", "brick").replace("noon", "one")
    cleaned = clean(f"{DRAFT.replace('stone', 'clay')}\n\nAgain:\n\n{later}", STALL, draft=DRAFT)
    assert cleaned.text == later


def test_without_a_draft_two_answers_of_one_length_give_the_later_one() -> None:
    later = DRAFT.replace("stone", "brick")
    cleaned = clean(f"{DRAFT}\n\n{later}", STALL)
    assert cleaned.text == later


def test_without_a_draft_a_much_shorter_second_answer_is_refused() -> None:
    reply = f"{DRAFT}\n\n[COVER]\nRye\n[CAPTION]\nOpen\n[TAGS]\n#rye"
    with pytest.raises(
        Ambiguous,
        match=r"^the reply gives its sections twice, and the later ones are much shorter$",
    ) as caught:
        clean(reply, STALL)
    assert caught.value.evidence == (COVER.strip(), "[COVER]\nRye")
    assert caught.value.retry.startswith("Return the whole text once, each marker a single time")


def test_without_a_draft_one_marker_over_two_different_texts_is_refused() -> None:
    with pytest.raises(Ambiguous, match=r"^a marker comes twice with different texts, ") as caught:
        clean(f"[COVER]\nRye bread\n[COVER]\nWarm oat cakes\n{CAPTION}{TAGS}", STALL)
    assert caught.value.evidence == ("[COVER]\nRye bread", "[COVER]\nWarm oat cakes")


@pytest.mark.parametrize("draft", [None, COVER + CAPTION])
def test_a_section_that_says_it_goes_on_is_one_section(draft: str | None) -> None:
    reply = f"{COVER}{CAPTION}[TAGS]\n#rye\n[TAGS] (continued)\n#oat"
    cleaned = clean(reply, STALL, draft=draft)
    assert bodies(cleaned)["[TAGS]"].split() == ["#rye", "#oat"]
    assert [removal.text for removal in cleaned.removals] == ["[TAGS] (continued)"]


def test_a_section_that_the_draft_lacks_and_that_comes_twice_is_the_later_one() -> None:
    reply = f"{COVER}{CAPTION}[TAGS]\n#rye\n[TAGS]\n#oat"
    assert bodies(clean(reply, STALL, draft=COVER + CAPTION))["[TAGS]"] == "#oat"


@pytest.mark.parametrize("again", ["[COVER]", "[COVER] (continued)"])
def test_two_halves_of_a_section_of_the_draft_are_one_section(again: str) -> None:
    reply = f"[COVER]\nRye bread from\n{again}\nthe stone oven\n{CAPTION}{TAGS}"
    cleaned = clean(reply, STALL, draft=DRAFT)
    assert bodies(cleaned)["[COVER]"].split() == ["Rye", "bread", "from", "the", "stone", "oven"]


def test_a_section_given_again_in_other_words_replaces_the_earlier_one() -> None:
    reply = f"[COVER]\nRye bread from a stone oven\n{COVER}{CAPTION}{TAGS}"
    assert bodies(clean(reply, STALL, draft=DRAFT))["[COVER]"] == "Rye bread from the stone oven"


@pytest.mark.parametrize("draft", [None, DRAFT])
def test_a_marker_with_nothing_under_it_replaces_nothing(draft: str | None) -> None:
    cleaned = clean(f"{COVER}[COVER]\n\n{CAPTION}{TAGS}", STALL, draft=draft)
    assert bodies(cleaned)["[COVER]"] == "Rye bread from the stone oven"


def test_a_verdict_under_a_marker_that_comes_again_replaces_nothing() -> None:
    verdict = "[COVER]\n6 words, within the limit of rule 2. ✓ No change needed.\n"
    reply = f"{COVER}{verdict}{CAPTION}{TAGS}"
    assert bodies(clean(reply, STALL, draft=DRAFT)) == bodies(clean(DRAFT, STALL))


def test_without_a_draft_such_a_verdict_replaces_nothing_either() -> None:
    verdict = "[COVER]\n6 words, within the limit of rule 2. ✓ No change needed.\n"
    cleaned = clean(f"{COVER}{verdict}{CAPTION}{TAGS}", STALL)
    assert bodies(cleaned) == bodies(clean(DRAFT, STALL))


@pytest.mark.parametrize("pointer", ["(unchanged)", "...", "[as before]"])
def test_a_section_sent_again_that_only_points_back_replaces_nothing(pointer: str) -> None:
    cleaned = clean(f"{DRAFT}\n\nAgain:\n\n[CAPTION]\n{pointer}", STALL, draft=DRAFT)
    assert bodies(cleaned) == bodies(clean(DRAFT, STALL))


@pytest.mark.parametrize("pointer", ["(unchanged)", "...", "[as before]"])
def test_a_pointer_in_a_whole_second_answer_replaces_nothing(pointer: str) -> None:
    later = f"[COVER]\nRye bread from the brick oven\n[CAPTION]\n{pointer}\n{TAGS}"
    cleaned = clean(f"{DRAFT}\n\nAgain:\n\n{later}", STALL, draft=DRAFT)
    assert bodies(cleaned) == {
        "[COVER]": "Rye bread from the brick oven",
        "[CAPTION]": "Open from seven in the morning until noon",
        "[TAGS]": "#rye #oven",
    }


def test_a_section_of_fences_alone_is_not_taken_for_content() -> None:
    body = "```\n```"
    reply = DRAFT.replace("Rye bread from the stone oven", body)
    cleaned = clean(reply, STALL, draft=DRAFT)
    assert bodies(cleaned)["[COVER]"] == body
    [doubt] = cleaned.doubts
    assert (doubt.text, doubt.reason) == (
        body,
        "may be commentary, but nothing else is left of the section",
    )
