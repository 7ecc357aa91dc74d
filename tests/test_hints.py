"""Which patterns may match a line, told by the words in it."""

from __future__ import annotations

import pytest

from onlytext import _memo
from onlytext._hints import HintIndex
from onlytext._memo import Memo
from onlytext._widen import is_closed


@pytest.mark.parametrize(
    ("words", "hints"),
    [
        (["rewritten"], {"", "rewrit"}),
        (["unrewritable", "kept"], {"", "rewrit", "kept"}),
        (["ok"], {"", "ok"}),
        (["broken"], {"", "ok"}),
        (["已修改"], {"", "改"}),
        (["bread"], {""}),
        ([], {""}),
    ],
)
def test_a_hint_counts_wherever_it_stands_in_a_word(words: list[str], hints: set[str]) -> None:
    index = HintIndex(["rewrit", "ok", "kept", "改", "", "ok"])
    assert index.hints_in(words) == hints
    assert index.hints_in(words) == hints
    assert index.places("ok") == [1, 5]


def test_a_word_is_asked_about_once() -> None:
    asked: list[str] = []

    def size(word: str) -> int:
        asked.append(word)
        return len(word)

    memo = Memo(size)
    assert [memo["bread"], memo["bread"]] == [5, 5]
    assert asked == ["bread"]


def test_what_is_too_long_or_too_much_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    memo = Memo(len)
    assert memo["a" * 65] == 65
    monkeypatch.setattr(_memo, "_MOST", 1)
    assert [memo["a"], memo["bb"], memo["bb"]] == [1, 2, 2]
    assert memo == {"a": 1}


@pytest.mark.parametrize(
    ("regex", "closed"),
    [
        ("bread", True),
        ("(?:warm|cold)(bread)?", True),
        (r"\(bread", True),
        ("[(]bread", True),
        ("(bread", False),
        ("bread)", False),
        ("bread)(", False),
    ],
)
def test_a_regex_closes_the_groups_that_it_opens(regex: str, *, closed: bool) -> None:
    assert is_closed(regex) is closed
