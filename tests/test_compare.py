"""What counts as the same: folded spelling, words, and the kinship of a line with the draft."""

from __future__ import annotations

from collections import Counter

import pytest

from onlytext import Sections, Text, clean
from onlytext._commentary import Judge
from onlytext._compare import likeness, passage, words
from onlytext._exact import ExactReader
from onlytext._fold import fold
from onlytext._markers import matcher
from onlytext._patterns import builtin

NONE = frozenset[str]()


def test_many_kinds_of_marks_fold_as_few_do() -> None:
    accented = "àáâãäåāăąçćĉċčďèéêëēĕėęěĝğġģĥ"
    assert fold(accented) == "a" * 9 + "c" * 5 + "d" + "e" * 9 + "g" * 4 + "h"
    digits = "".join(chr(0x0660 + n) + chr(0x0966 + n) + chr(0x0E50 + n) for n in range(10))
    assert fold(digits) == "".join(str(n) * 3 for n in range(10))


@pytest.mark.parametrize(
    ("text", "bag"),
    [
        ("rye bread", ["rye", "bread"]),
        ("焼き立て", ["焼き", "き立", "立て"]),
        ("パン と bread", ["パン", "と", "bread"]),
        pytest.param(
            "7時に開く",
            ["7", "時に", "に開", "開く"],
            marks=pytest.mark.xfail(strict=True, reason="a digit takes the letters after it along"),
        ),
    ],
)
def test_a_script_without_blanks_is_compared_by_pairs_of_letters(text: str, bag: list[str]) -> None:
    assert words(text) == bag


def test_a_passage_without_words_has_no_kin() -> None:
    assert passage("--- *** ---").kinship("rye bread", NONE) == 0.0
    assert passage("").kinship("rye bread", NONE) == 0.0
    assert passage("rye bread").kinship("", NONE) == 0.0


def test_two_texts_without_words_are_not_alike() -> None:
    assert likeness(Counter(), Counter()) == 0.0
    assert likeness(Counter("rye"), Counter("rye")) == 1.0


def test_a_short_line_of_chinese_signs_may_be_japanese() -> None:
    draft = passage("焼きたてのパンは朝七時から。\nおいしいです。")
    known = Judge(builtin(), names=[], markers=[], draft=draft)
    assert "another language" not in known.weigh("修正完了").reasons
    assert "another language" in known.weigh("Removed a word").reasons


def test_a_very_long_line_is_compared_by_words_alone() -> None:
    long = "rye flour and water " * 30
    line = "ryes flours and waters rest"
    assert passage(long).kinship(line, NONE) == pytest.approx(1 / 5)
    assert passage("rye flour and water rest").kinship(line, NONE) > 0.85


def test_a_reader_reads_on_though_too_many_series_were_seen_to_remember_them() -> None:
    shape = Sections("[SLIDE {n}]")
    reader = matcher(shape).reader
    assert isinstance(reader, ExactReader)
    for number in range(1, 520):
        found = reader.read(f"[SLIDE {number}]\nRye")
        assert found is not None
        assert found[0] == ((0, number),)
    assert len(reader._series) == 512
    assert clean("[SLIDE 900]\nRye", shape).outcome == "untouched"


def test_a_very_long_line_without_a_draft_is_no_ground_for_a_doubt() -> None:
    line = "[SLIDE 1] has 12 words, I removed one word; rule 2 is met. ✓ "
    cleaned = clean(f"Rye bread.\n{line * 40}", Text())
    assert cleaned.outcome == "untouched"
    assert cleaned.doubts == ()
