from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.made import clean_sections, clean_text

from onlytext import Marker, Sections, Text
from onlytext.pipeline import Check, run_checks
from onlytext.pipeline._words import Folded, count_characters, count_words, fold_word

SHAPE: Final = Sections("[COVER]", "[SLIDE {n}]", Marker("[CAPTION]", optional=True))
TEXT: Final = clean_sections(
    SHAPE,
    ("[COVER]", "Why bread rests"),
    ("[SLIDE 1]", "Flour and water need time."),
    ("[SLIDE 2]", "A cold night is better than a warm hour, and far better than none."),
)


def told(check: Check) -> list[str]:
    return [failure.sentence for failure in run_checks((check,), TEXT)]


def faults(**rules: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - whatever a check takes
    return list(Check(**rules).faults(SHAPE))


# ---------------------------------------------------------------- what is checked


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        (Check(max_words=13), ["[SLIDE 2] has 14 words, and at most 13 are asked for."]),
        (Check(max_words=14), []),
        (Check(min_words=4), ["[COVER] has 3 words, and at least 4 are asked for."]),
        (Check(min_words=3), []),
        (
            Check(sections=("[COVER]",), max_characters=14),
            ["[COVER] has 15 characters, and at most 14 are asked for."],
        ),
        (Check(sections=("[COVER]",), max_characters=15), []),
        (
            Check(sections=("[COVER]",), min_characters=16),
            ["[COVER] has 15 characters, and at least 16 are asked for."],
        ),
        (
            Check(forbidden=("Bread", "COLD night", "read", "lour")),
            [
                '[COVER] has "Bread" in it, which is forbidden.',
                '[SLIDE 2] has "COLD night" in it, which is forbidden.',
            ],
        ),
        (
            Check(sections=("[SLIDE {n}]",), must_match=r"\.$"),
            [],
        ),
        (
            Check(must_match=r"\.$"),
            [r"[COVER] has nothing that matches \.$, and it has to."],
        ),
        (
            Check(must_not_match=r"(?i)WATER \w+"),
            [
                r'[SLIDE 1] has "water need" in it, which matches (?i)WATER \w+ and may not.',
            ],
        ),
        (
            Check(sections=("[CAPTION]", "[COVER]"), required=True),
            ["The section [CAPTION] is missing, and it is required."],
        ),
        (Check(sections=("[SLIDE {n}]",), required=True), []),
        (
            Check(sections=("[SLIDE {n}]",), min_sections=3),
            ["There are 2 sections of [SLIDE {n}], and at least 3 are asked for."],
        ),
        (
            Check(max_sections=2),
            ["There are 3 sections of all markers, and at most 2 are asked for."],
        ),
        (Check(min_sections=3, max_sections=3), []),
        (
            Check(sections=("[COVER]",), max_words=2, message="Be brief."),
            ["[COVER]: Be brief."],
        ),
        (Check(min_sections=9, message="Write more."), ["Write more."]),
    ],
)
def test_each_rule_is_told_with_what_was_found_and_what_is_asked_for(
    check: Check, expected: list[str]
) -> None:
    assert told(check) == expected


def test_a_failure_says_where_what_was_found_and_the_limit() -> None:
    (failure,) = run_checks((Check(sections=("[COVER]",), max_words=2),), TEXT)
    assert (failure.section, failure.rule, failure.found, failure.limit) == (
        "[COVER]",
        "max_words",
        "3",
        "2",
    )


def test_failures_come_in_the_order_of_the_checks() -> None:
    checks = (Check(min_sections=9), Check(sections=("[COVER]",), max_words=1))
    assert [failure.rule for failure in run_checks(checks, TEXT)] == ["min_sections", "max_words"]


def test_a_plain_text_is_checked_as_a_whole() -> None:
    checks = (Check(max_words=1, forbidden=("warm",)),)
    failures = run_checks(checks, clean_text("Warm bread."))
    assert [failure.sentence for failure in failures] == [
        "The text has 2 words, and at most 1 are asked for.",
        'The text has "warm" in it, which is forbidden.',
    ]
    assert {failure.section for failure in failures} == {None}


def test_one_word_is_one_word() -> None:
    assert told(Check(sections=("[COVER]",), min_words=4, max_characters=1))[0].startswith(
        "[COVER] has 3 words"
    )
    failures = run_checks((Check(min_words=2),), clean_text("Bread"))
    assert [one.sentence for one in failures] == [
        "The text has 1 word, and at least 2 are asked for."
    ]


# ---------------------------------------------------------------- what is wrong with a check


@pytest.mark.parametrize(
    ("rules", "key", "said"),
    [
        ({"max_words": 1, "sections": ("[SLIDE]",)}, "sections", "there is no marker '[SLIDE]'"),
        ({"required": True}, "required", "name the markers that are required"),
        ({"max_words": -1}, "max_words", "write a number from 0 up, not -1"),
        ({"min_words": 5, "max_words": 4}, "min_words", "5 is above max_words = 4: exchange them"),
        ({"forbidden": ("a", " ")}, "forbidden", "an empty word is in it"),
        ({"must_match": "(a"}, "must_match", "not a regex in RE2's syntax: missing )"),
        ({"must_not_match": r"(a)\1"}, "must_not_match", "not a regex in RE2's syntax"),
        ({}, "", "it checks nothing: write a rule"),
        ({"message": "x", "sections": ("[COVER]",)}, "", "it checks nothing"),
    ],
)
def test_what_is_wrong_with_a_check_is_told_with_its_key(
    rules: dict[str, Any], key: str, said: str
) -> None:
    ((found, sentence),) = faults(**rules)
    assert found == key
    assert sentence.startswith(said)


def test_plain_text_has_no_sections_to_count_or_name() -> None:
    check = Check(sections=("[A]",), required=True, min_sections=1, max_sections=2)
    assert [key for key, _ in check.faults(Text())] == [
        "sections",
        "required",
        "min_sections",
        "max_sections",
    ]


def test_a_check_that_can_work_has_no_fault() -> None:
    assert faults(sections=("[COVER]",), max_words=0, required=True) == []


def test_a_regex_of_a_user_takes_no_time_out_of_proportion() -> None:
    check = Check(must_match="(a+)+$")
    assert list(check.faults(SHAPE)) == []
    assert run_checks((check,), clean_text("a" * 100_000 + "!"))


# ---------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("- … !", 0),
        ("one two\nthree", 3),
        ("don't l'été well-known 12,5 e.g.", 5),
        ("bread—warm bread – now…then", 5),
        ("每天新鲜出炉", 6),
        ("パンは毎日、焼きます。", 9),
        ("iPhone很好用", 4),
        ("갓 구운 빵", 3),
        ("ขนมปังสดใหม่ทุกวัน", 4),
        ("ខ្មែរ Khmer", 2),
        ("𠮷野家", 3),
        ("नमस्ते दुनिया", 2),
    ],
)
def test_words_are_counted_in_every_script(text: str, words: int) -> None:
    assert count_words(text) == words


@given(st.text(), st.text())
def test_no_word_is_lost_where_texts_are_put_together(one: str, other: str) -> None:
    assert count_words(f"{one}\n{other}") == count_words(one) + count_words(other)


def test_characters_are_those_that_a_reader_sees() -> None:
    assert count_characters("e\u0301té") == 3
    assert count_characters("a\u200db\u00ad") == 2
    assert count_characters("a\r\nb") == 3


@pytest.mark.parametrize(
    ("word", "text", "found"),
    [
        ("été", "Un ETE chaud", True),
        ("ano", "un año", False),
        ("año", "Un AÑO", True),
        ("ano", "o ano", True),
        ("art", "a party", False),
        ("art", "snake_art", False),
        ("art", "art-house", True),
        ("state of the art", "the State  of\nthe ART!", True),
        ("don't", "don’t", True),
        ("免费", "现在免费送货", True),
        ("かき", "がき", False),
        ("かき", "生かき", True),
        ("мои", "мой дом", False),
        ("wow", "wowow wow", True),
        ("wow", "wowow", False),
        ("C++", "in C++ only", True),
        ("ｗｉｎ", "you WIN", True),
        ("straße", "STRASSE", True),
        ("άρτος", "ΑΡΤΟΣ", True),
    ],
)
def test_forbidden_words_are_whole_words_in_any_spelling(
    word: str,
    text: str,
    found: bool,  # noqa: FBT001
) -> None:
    assert Folded(fold_word(text)).has(fold_word(word)) is found


@given(st.text(min_size=1), st.text(alphabet=" .,!\n"))
def test_a_word_that_stands_by_itself_is_found(word: str, around: str) -> None:
    folded = fold_word(word)
    if folded:
        assert Folded(fold_word(f"{around} {word} {around}")).has(folded)
