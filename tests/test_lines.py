"""Lines of a reply, folded one by one or together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlytext import _fold
from onlytext._fold import fold, fold_lines
from onlytext._lines import Line, split_lines
from onlytext._sentences import split_sentences
from onlytext._tokens import bare_words, tokens


@given(st.lists(st.text().map(lambda text: text.replace("\n", " ")), min_size=1))
def test_lines_fold_together_as_they_fold_one_by_one(lines: list[str]) -> None:
    assert fold_lines(lines) == [fold(line) for line in lines]


def test_a_long_text_folds_as_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Ｅ́té ２ ٣ — «Straße», 한국어 が"
    short = fold(text)
    monkeypatch.setattr(_fold, "_LONG", 0)
    assert fold(text) == short == "ete 2 3 — «strasse», 한국어 か"


def test_the_commonest_letters_stand_for_themselves() -> None:
    common = [char for char in map(chr, range(0x110000)) if not _fold._RARE.match(char)]
    assert [char for char in common if _fold._plainer(char) != char] == []


@given(st.text())
def test_words_are_stretches_of_letters_and_digits(text: str) -> None:
    kept = "".join(char if char.isalnum() else " " for char in text)
    assert bare_words(text) == kept.split()
    kept = "".join(char if char.isalnum() or char == "_" else " " for char in text)
    assert tokens(text) == kept.split()


@given(st.text("a \t\n\xa0"), st.integers(0, 9))
def test_lines_are_what_is_not_blank_between_line_ends(text: str, start: int) -> None:
    lines: list[Line] = []
    at = start
    for line in text[start:].split("\n"):
        if line.strip():
            lines.append(Line(at, at + len(line)))
        at += len(line) + 1
    assert split_lines(text, start, len(text)) == lines


@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        ("Bread is warm. Butter melts.", ["Bread is warm.", "Butter melts."]),
        ('He said "Eat." Then left.', ['He said "Eat."', "Then left."]),
        ("パンは温かい。バターも。", ["パンは温かい。", "バターも。"]),
        ("パンだ。」そして。", ["パンだ。」", "そして。"]),
        ("Here it is: Bread.", ["Here it is:", "Bread."]),
        ("All fine.Bread is warm.", ["All fine.", "Bread is warm."]),
        ("Wait... What? Yes!", ["Wait...", "What?", "Yes!"]),
        ("At 3.5 percent", ["At 3.5 percent"]),
        ("", []),
    ],
)
def test_a_sentence_ends_where_a_sign_says_so(line: str, sentences: list[str]) -> None:
    found = split_sentences(line)
    assert [line[one.start : one.end] for one in found] == sentences
