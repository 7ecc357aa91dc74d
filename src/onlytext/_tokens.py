"""The words of a text, taken apart without a regex where they are plain letters."""

from __future__ import annotations

from typing import Final

from onlytext._regex import regex

_WORD: Final = regex(r"\w+")
_BARE: Final = regex(r"[^\W_]+")
# For ASCII: every sign that is no part of a word is a blank.
_APART: Final = "".join(
    chr(code) if chr(code).isalnum() or chr(code) == "_" else " " for code in range(128)
)
_APART_TOO: Final = _APART.replace("_", " ")
# The other signs that many a text has and that are no part of a word.
_SIGNS: Final = "’“”—–…«»„‘¿¡·•"


def tokens(text: str) -> list[str]:
    """The stretches of letters, digits and low lines.

    >>> tokens("l’été, snake_case")
    ['l', 'été', 'snake_case']
    """
    plain = text if text.isascii() else _without_signs(text)
    return plain.translate(_APART).split() if plain.isascii() else _WORD.findall(plain)


def bare_words(text: str) -> list[str]:
    """The stretches of letters and digits.

    >>> bare_words("l’été, snake_case")
    ['l', 'été', 'snake', 'case']
    """
    plain = text if text.isascii() else _without_signs(text)
    return plain.translate(_APART_TOO).split() if plain.isascii() else _BARE.findall(plain)


def _without_signs(text: str) -> str:
    for sign in _SIGNS:
        text = text.replace(sign, " ")
    return text
