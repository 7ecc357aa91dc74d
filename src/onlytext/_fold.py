"""Spelling that does not matter when two strings are compared."""

from __future__ import annotations

import functools
import unicodedata
from typing import TYPE_CHECKING, Final

from onlytext._regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterable

# Letters of other scripts that look like a Latin one, and that models mix in. Both cases: a
# capital is not the same picture as its small letter (Cyrillic В looks like B, в does not).
_LOOKALIKES: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухΑΒΕΖΗΙΚΜΝΟΡΤΥΧο",
    "ABESIJKMHOPCTYXaesijopcyxABEZHIKMNOPTYXo",
)
_INVISIBLE: Final = frozenset(
    map(chr, (0xAD, *range(0x200B, 0x2010), 0x2060, 0xFEFF, *range(0x202A, 0x202F)))
)
# Letters that Unicode does not take apart, written plain where an accent is left off.
_PLAIN: Final = {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i"}
_LAST: Final = "\U0001ffff"
# A text with more kinds of marks and digits than this is gone through letter by letter.
_MANY: Final = 24


# What is none of the commonest letters and signs, all of which stand for themselves.
_RARE: Final = regex(
    "[^\\x00-\\x7f’“”—–«»„‘¿¡·•\u0400-\u0482\u048a-\u052f\u0621-\u063a\u0641-\u064a\u1100-\u11ff"
    "\u3001-\u3011\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]"
)
# A longer text may have too many of them to be listed.
_LONG: Final = 10_000


@functools.lru_cache(8192)
def _plainer(char: str) -> str:
    """What stands for a character, once accents are letters of their own: itself, or less."""
    if char in _INVISIBLE:
        return ""
    if char in _PLAIN:
        return _PLAIN[char]
    if char < "\u0080" or char > _LAST:
        return char
    if unicodedata.combining(char) and char >= "\u0300":
        return ""
    return str(unicodedata.digit(char)) if char.isdigit() else char


def fold(text: str) -> str:
    """The text without case, accents, width, look-alike letters and odd spacing.

    >>> fold("  [DIAPO　２] Été ")
    '[diapo 2] ete'
    """
    if text.isascii():
        return " ".join(text.split()).lower()
    return _small(" ".join(_plain(text).split()))


def fold_lines(lines: Iterable[str]) -> list[str]:
    """Each of these lines folded, all in one go.

    >>> fold_lines(["Été ", "２"])
    ['ete', '2']
    """
    text = "\n".join(lines)
    if not text.isascii():
        text = _plain(text)
    return _small("\n".join([" ".join(line.split()) for line in text.split("\n")])).split("\n")


def _plain(text: str) -> str:
    """The text without accents and width, its digits plain."""
    text = unicodedata.normalize("NFKD", text)
    odd = [
        char
        for char in set(_RARE.findall(text) if len(text) < _LONG else text)
        if _plainer(char) != char
    ]
    if len(odd) > _MANY:
        return text.translate({ord(char): _plainer(char) for char in odd})
    for char in odd:
        text = text.replace(char, _plainer(char))
    return text


def _small(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text).casefold()


def fold_lookalikes(text: str) -> str:
    """`fold`, with letters of another script that look like Latin ones taken for these.

    >>> fold_lookalikes("[СОVЕR]")  # its С and Е are Cyrillic
    '[cover]'
    """
    return fold(text.translate(_LOOKALIKES))
