"""A plain text among what is said about it, with a draft that tells which is which."""

from __future__ import annotations

import pytest

from onlytext import NoContent, Text, clean

TIMES = (
    "The ferry to Bruny leaves at nine.\n"
    "Bring a warm coat and a return ticket.\n"
    "Dogs ride free on weekdays."
)
LIST = "1. Rye\n2. Oat\n3. Spelt"


def account(reply: str, draft: str = TIMES) -> tuple[str, list[tuple[str, str]]]:
    cleaned = clean(reply, Text(), draft=draft)
    return cleaned.text, [(removal.text, removal.reason) for removal in cleaned.removals]


@pytest.mark.parametrize(("left", "right"), ['""', "“”", "«»", "„“", "「」", "''"])
def test_quotes_round_the_whole_go_where_the_draft_has_none(left: str, right: str) -> None:
    assert account(f"{left}{TIMES}{right}") == (
        TIMES,
        [(left, "quotes round the whole"), (right, "quotes round the whole")],
    )


@pytest.mark.parametrize(
    ("reply", "draft"),
    [
        pytest.param(f'"{TIMES}"', f'"{TIMES}"', id="the draft has them"),
        pytest.param(f'"{TIMES.replace("warm", chr(34) + "warm" + chr(34))}"', TIMES, id="others"),
        pytest.param(f'"{TIMES}', TIMES, id="no closing one"),
    ],
)
def test_quotes_that_may_be_content_stay(reply: str, draft: str) -> None:
    assert account(reply, draft) == (reply, [])


def test_one_word_in_quotes_is_that_word() -> None:
    assert account('"Ferry"', "Ferry")[0] == "Ferry"


def test_quotes_round_nothing_are_no_text() -> None:
    with pytest.raises(NoContent, match=r"^the reply holds only commentary$"):
        clean('""', Text(), draft="Ferry")


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("2. Oats", "1. Rye\n2. Oats\n3. Spelt"),
        ("3. Spelts", "1. Rye\n2. Oat\n3. Spelts"),
    ],
)
def test_a_numbered_item_that_is_given_again_takes_the_old_one_s_place(
    item: str, text: str
) -> None:
    reply = f"{LIST}\n\nRule 2 is broken, I shortened one item:\n\n{item}"
    assert account(reply, LIST)[0] == text


def test_a_version_that_a_label_calls_the_final_one_counts_to_its_end() -> None:
    later = TIMES.replace("nine", "ten")
    more = "More tea for all.\n\nAnd cake."
    reply = f"{TIMES}\n\nI removed two words, as rule 2 says.\n\nFinal version: {later}\n\n{more}"
    text, gone = account(reply)
    assert text == f"{later}\n\n{more}"
    assert gone[-1] == ("Final version: ", "label before the text")


@pytest.mark.parametrize(
    ("paragraphs", "why"),
    [
        (["<think>\nLorem ipsum."], "the reply holds no text that is like the draft"),
        (
            ["I removed two words.", "La loche nage.", "I removed three words.", "La tanche."],
            "the reply holds no text that is like the draft",
        ),
        (
            [
                "I removed two words.",
                "La loche nage dans la Loire.",
                "La tanche dort sous la pierre en hiver.",
                "I removed three words.",
            ],
            "what is left between the commentary is not like the draft",
        ),
    ],
)
def test_what_is_nothing_like_the_draft_among_commentary_is_no_text(
    paragraphs: list[str], why: str
) -> None:
    with pytest.raises(NoContent) as caught:
        clean("\n\n".join(paragraphs), Text(), draft=TIMES)
    assert caught.value.why == why
    assert caught.value.evidence == tuple("\n".join(paragraphs).split("\n"))


def test_what_is_said_of_the_last_line_does_not_stay_on_it() -> None:
    said = "Dogs ride free on weekdays, 3 words removed by rule 2, I fixed it, too long."
    text, gone = account(TIMES.replace("Dogs ride free on weekdays.", said))
    first_two = TIMES.rpartition("\n")[0]
    assert text.startswith(first_two)
    assert "removed by rule 2" not in text
    assert "3 words removed by rule 2, I fixed it, too long." in gone[-1][0]
