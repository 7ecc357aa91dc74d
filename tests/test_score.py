from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlytext import Sections, Text
from onlytext._cases import Case
from onlytext._reply import Section
from onlytext._score import Score, Tally, judge, percent, score

PREFACE = "I checked the title and the steps against the rules.\n\n"
TEXT = "[TITLE]\nBread\n\n[STEP 1]\nKnead the dough."
GOLD = (Section("[TITLE]", "Bread"), Section("[STEP 1]", "Knead the dough."))
OTHER = (Section("[TITLE]", "Cake"), GOLD[1])
STEPS = Sections("[TITLE]", "[STEP {n}]")


def case(
    reply: str,
    gold: tuple[Section, ...] | None,
    *leaks: str,
    lang: str = "en",
    file: str = "a.jsonl",
) -> Case:
    return Case("x", lang, STEPS, reply, gold, leaks=leaks, file=file)


# ------------------------------------------------------------------------------ one case


def test_the_true_text_is_right() -> None:
    result = judge(case(PREFACE + TEXT, GOLD, "before"))
    assert result.verdict == "right"
    assert not result.doubted


def test_another_text_is_wrong() -> None:
    assert judge(case(PREFACE + TEXT, OTHER, "before")).verdict == "wrong"


def test_an_error_where_there_is_a_text_is_a_refusal() -> None:
    result = judge(case(PREFACE, GOLD, "before"))
    assert result.verdict == "refused"
    assert not result.doubted


def test_an_error_where_there_is_no_text_is_right() -> None:
    assert judge(case(PREFACE, None, "no_content")).verdict == "right"


def test_a_text_where_there_is_none_is_wrong() -> None:
    assert judge(case(TEXT, None, "no_content")).verdict == "wrong"


def test_the_draft_is_used_unless_it_is_not_to_be() -> None:
    draft = f"{TEXT}\n\n[STEP 2]\nLet it rest."
    one = Case("x", "en", STEPS, TEXT, GOLD, draft=draft)
    assert judge(one).doubted
    assert not judge(one, draft=False).doubted


def test_the_prompt_is_used_unless_it_is_not_to_be() -> None:
    echo = "Every sentence of the advertisement has a verb."
    text = "Our bread is baked daily. It is warm at six in the morning."
    prompt = f"The rule:\n{echo}\n\nThe text:\n{text}"
    one = Case("x", "en", Text(), f"{echo}\n\n{text}", text, draft=text, prompt=prompt)
    assert judge(one).verdict == "right"
    assert judge(one, prompt=False).verdict == "wrong"


def test_an_unfinished_reply_is_judged_as_one() -> None:
    one = Case("x", "en", STEPS, TEXT.removesuffix(" dough."), None, finished=False)
    assert judge(one).doubted


# ------------------------------------------------------------------------------ many cases

ALL = (
    case(PREFACE + TEXT, GOLD, "before"),
    case(PREFACE + TEXT, OTHER, "before", "label"),
    case(PREFACE, GOLD, "before", lang="fr", file="b.jsonl"),
    case(TEXT, GOLD, lang="fr", file="b.jsonl"),
    case(TEXT, OTHER, lang="de", file="b.jsonl"),
    case(PREFACE, None, "no_content", lang="fr", file="b.jsonl"),
    case(TEXT, None, "no_content", lang="fr", file="b.jsonl"),
)


@pytest.fixture(scope="module")
def found() -> Score:
    return score(ALL)


def test_the_three_kinds_of_reply_are_counted_apart(found: Score) -> None:
    assert found.leaking == Tally(right=1, refused=1, wrong=1)
    assert found.no_leak == Tally(right=1, wrong=1)
    assert found.no_content == Tally(right=1, wrong=1)


def test_each_file_has_its_figures(found: Score) -> None:
    files = found.by_file()
    assert list(files) == ["a.jsonl", "b.jsonl"]
    assert files["a.jsonl"].leaking == Tally(right=1, wrong=1)
    assert files["b.jsonl"].no_leak.cases == 2


def test_each_language_has_its_figures_the_largest_first(found: Score) -> None:
    languages = found.by_language()
    assert list(languages) == ["fr", "en", "de"]
    assert languages["fr"].leaking == Tally(refused=1)
    assert languages["de"].no_leak == Tally(wrong=1)


def test_a_case_counts_for_each_of_its_kinds_of_leak_and_only_if_it_holds_content(
    found: Score,
) -> None:
    assert found.by_leak() == {
        "before": Tally(right=1, refused=1, wrong=1),
        "label": Tally(wrong=1),
    }
    assert list(found.by_leak()) == ["before", "label"]


def test_the_failures_are_all_that_is_not_right_the_wrong_ones_first(found: Score) -> None:
    assert [result.case for result in found.failures] == [ALL[1], ALL[4], ALL[6], ALL[2]]


def test_wrong_ones_with_a_doubt_are_counted_among_the_wrong_ones() -> None:
    draft = f"{TEXT}\n\n[STEP 2]\nLet it rest."
    doubted = Case("x", "en", STEPS, TEXT, OTHER, draft=draft)
    right = Case("y", "en", STEPS, TEXT, GOLD, draft=draft)
    assert score([doubted, right]).no_leak == Tally(right=1, wrong=1, doubted=1)
    assert score([doubted], draft=False).no_leak == Tally(wrong=1)


def test_no_cases_make_an_empty_score() -> None:
    assert score([]).leaking == Tally()
    assert Tally().cases == 0


# ------------------------------------------------------------------------------ shares


@given(st.integers(0, 10_000), st.integers(1, 10_000))
def test_a_share_is_never_rounded_to_all_or_to_nothing(part: int, whole: int) -> None:
    part = min(part, whole)
    shown = percent(part, whole)
    assert (shown == "100.0 %") == (part == whole)
    assert (shown == "0.0 %") == (part == 0)
    assert abs(float(shown.removesuffix(" %")) - 100 * part / whole) <= 0.1


def test_a_share_of_nothing_is_a_dash() -> None:
    assert percent(0, 0) == "-"
