"""The words of a text, taken apart without a regex wherever few other signs stand between them."""

from __future__ import annotations

from typing import Final

from onlytext._regex import regex

_WORD: Final = regex(r"\w+")
# For ASCII: every sign that is no part of a word is a blank.
_APART: Final = "".join(
    chr(code) if chr(code).isalnum() or chr(code) == "_" else " " for code in range(128)
)
_APART_TOO: Final = _APART.replace("_", " ")
_LETTERS: Final = frozenset(
    char for char in map(chr, range(0x530)) if char.isalnum() or char in " _"
)
# Past so many different signs one pass of a regex is quicker.
_MANY: Final = 32


def tokens(text: str) -> list[str]:
    """The stretches of letters, digits and low lines.

    >>> tokens("l’été, snake_case")
    ['l', 'été', 'snake_case']
    """
    if text.isascii():
        return text.translate(_APART).split()
    return _taken_apart(text)


def bare_words(text: str) -> list[str]:
    """The stretches of letters and digits.

    >>> bare_words("l’été, snake_case")
    ['l', 'été', 'snake', 'case']
    """
    if text.isascii():
        return text.translate(_APART_TOO).split()
    return _taken_apart(text.replace("_", " "))


def _taken_apart(text: str) -> list[str]:
    signs = [char for char in set(text).difference(_LETTERS) if not char.isalnum()]
    if len(signs) > _MANY:
        return _WORD.findall(text)
    for sign in signs:
        text = text.replace(sign, " ")
    return text.split()
