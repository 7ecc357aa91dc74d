"""Inside a section that has a draft: which lines are commentary, and what hangs on it."""

from __future__ import annotations

import pytest

from onlytext import Clean, Sections, clean

STALL = Sections("[COVER]", "[CAPTION]", "[TAGS]")
HOURS = "Open from seven in the morning until noon"
DRAFT = f"[COVER]\nRye bread from the stone oven\n[CAPTION]\n{HOURS}\n[TAGS]\n#rye #oven"


def caption_of(body: str, draft: str = DRAFT) -> Clean:
    """The answer with this body under [CAPTION]."""
    return clean(draft.replace(HOURS, body), STALL, draft=draft)


def body_of(cleaned: Clean) -> str:
    return cleaned.sections[1].body


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{HOURS}\n\n---\nHappy baking to all", id="a rule line before a new line"),
        pytest.param(f"{HOURS}\n\n---", id="a rule line alone"),
        pytest.param(f"{HOURS}\n\nMilk is here\nso is tea", id="a new paragraph"),
        pytest.param(f"Warm loaves\n{HOURS}", id="a new first line"),
        pytest.param(
            f"```\n{HOURS[:15]}\n```\nin the morning\n```\n{HOURS[15:]}\n```", id="fences"
        ),
        pytest.param("Open from eight in the morning until noon", id="another word"),
        pytest.param(", open from eight in the morning until noon", id="a comma on its own line"),
    ],
)
def test_a_new_line_that_does_not_speak_of_the_text_is_content(body: str) -> None:
    cleaned = caption_of(body)
    assert (cleaned.outcome, body_of(cleaned)) == ("untouched", body)


@pytest.mark.parametrize(
    ("body", "gone"),
    [
        pytest.param(
            f"{HOURS}\n---\nI removed one word because of rule 2.",
            ["---\n", "I removed one word because of rule 2.\n"],
            id="a rule line and a remark",
        ),
        pytest.param(
            f"I removed one word because of rule 2.\n---\n{HOURS}",
            ["I removed one word because of rule 2.\n", "---\n"],
            id="a remark and a rule line",
        ),
        pytest.param(f"```\n{HOURS}\n```", ["```\n", "```\n"], id="a fence round it"),
        pytest.param(f"{HOURS}\n```", ["```\n"], id="half a fence"),
        pytest.param(
            f'{HOURS}\n"Open from seven" → "Open at seven", shorter',
            ['"Open from seven" → "Open at seven", shorter\n'],
            id="what became of its words",
        ),
    ],
)
def test_what_speaks_of_the_text_goes_and_takes_what_hangs_on_it_along(
    body: str, gone: list[str]
) -> None:
    cleaned = caption_of(body)
    assert cleaned.text == DRAFT
    assert [removal.text for removal in cleaned.removals] == gone


def test_an_arrow_between_quotations_says_less_where_the_draft_has_arrows_too() -> None:
    draft = DRAFT.replace("stone oven", "stone oven → yours")
    line = '"Rye" → "Oat"'
    cleaned = caption_of(f"{HOURS}\n{line}", draft)
    assert line in cleaned.text or cleaned.removals[0].text == f"{line}\n"
    assert cleaned.text.startswith("[COVER]\nRye bread from the stone oven → yours\n")


@pytest.mark.parametrize("remark", [", shorter now", "; as it was"])
def test_a_marker_line_that_goes_on_with_a_sentence_loses_the_remark(remark: str) -> None:
    reply = DRAFT.replace("[COVER]", f"[COVER]{remark}")
    cleaned = clean(reply, STALL, draft=DRAFT)
    assert cleaned.text == DRAFT
    [removal] = cleaned.removals
    assert (removal.text.strip(), removal.reason) == (remark, "remark beside the marker")


def test_a_line_over_a_verdict_on_the_draft_is_kept_where_it_says_nothing_itself() -> None:
    verdict = f"{HOURS}: rule 2 is broken, I removed 9 words, too long"
    cleaned = caption_of(f"{HOURS}\n\nThe baker's corner\n{verdict}")
    assert body_of(cleaned) == f"{HOURS}\n\nThe baker's corner"
    assert [removal.text for removal in cleaned.removals] == [f"{verdict}\n"]
