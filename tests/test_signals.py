"""Words of validator talk, counted by language and kind."""

from __future__ import annotations

import pytest

from onlytext import _memo
from onlytext._fold import fold
from onlytext._signals import Kind, Signals, WordIndex
from onlytext._tokens import bare_words, tokens


def counted(text: str, *signals: Signals) -> dict[str, dict[Kind, int]]:
    found = WordIndex(signals).count(fold(text))
    return {language: dict(kinds) for language, kinds in found.items()}


def signals(language: str, kind: Kind, *words: str) -> Signals:
    return Signals(language, ((kind, words),), frozenset())


@pytest.mark.parametrize(
    ("words", "text", "hits"),
    [
        pytest.param(("removed",), "I removed the salt.", 1, id="a word"),
        pytest.param(("removed",), "The removeds of salt.", 0, id="no longer word"),
        pytest.param(("remov*",), "Removing the salt, removed it.", 2, id="a stem"),
        pytest.param(("remov*",), "Rem and remo stay.", 0, id="less than the stem"),
        pytest.param(("left as is",), "It was left as is.", 1, id="a phrase"),
        pytest.param(("left as is",), "It was left as it is.", 0, id="another phrase"),
        pytest.param(("left as is",), "It was left as", 0, id="a phrase that breaks off"),
        pytest.param(("no chang*",), "There are no changes.", 1, id="a phrase with a stem"),
        pytest.param(("removed", "removed"), "removed removed", 1, id="once is enough"),
        pytest.param(("*",), "anything at all", 0, id="nothing is no word"),
        pytest.param((), "removed", 0, id="no signals"),
    ],
)
def test_a_signal_counts_where_it_stands_whole(
    words: tuple[str, ...], text: str, hits: int
) -> None:
    found = counted(text, signals("en", "edit", *words))
    assert found == ({"en": {"edit": hits}} if hits else {})


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("It has 12 words.", 1),
        ("words: 12", 1),
        ("Words of the baker.", 0),
        ("12 of the many words", 0),
    ],
)
def test_a_unit_counts_only_beside_a_number(text: str, hits: int) -> None:
    assert counted(text, signals("en", "unit", "words")) == ({"en": {"unit": 1}} if hits else {})


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("見出しは12字です", 1),
        ("見出しは12 字です", 1),
        ("文字は12字です", 1),
        ("文字を書く", 0),
        ("パンを焼く", 0),
    ],
)
def test_without_blanks_a_unit_counts_after_a_number(text: str, hits: int) -> None:
    assert counted(text, signals("ja", "unit", "字")) == ({"ja": {"unit": 1}} if hits else {})


def test_without_blanks_a_word_counts_wherever_it_stands() -> None:
    assert counted("塩を削除しました。", signals("ja", "edit", "削除")) == {"ja": {"edit": 1}}


def test_one_word_may_speak_in_two_languages() -> None:
    found = counted(
        "version", signals("en", "announce", "version"), signals("fr", "announce", "version")
    )
    assert found == {"en": {"announce": 1}, "fr": {"announce": 1}}


def test_a_word_counts_though_too_many_are_known_to_remember_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_memo, "_MOST", 0)
    index = WordIndex([signals("en", "edit", "removed")])
    for _ in range(2):
        assert index.count("we removed salt") == {"en": {"edit": 1}}
    assert index._said == {}


def test_words_are_found_among_more_signs_than_anyone_uses() -> None:
    signs = "".join(map(chr, range(0x2010, 0x2010 + 24))) + "!?.,;:+-*/=()[]{}"
    text = "é".join(f"a{sign}" for sign in signs)
    assert tokens(text) == ["a", *["éa"] * (len(signs) - 1)]
    assert bare_words(f"{text} _x") == ["a", *["éa"] * (len(signs) - 1), "x"]
