"""Spelling that does not matter when two strings are compared."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# Letters of other scripts that look like a Latin one, and that models mix in. Both cases: a
# capital is not the same picture as its small letter (Cyrillic В looks like B, в does not).
_LOOKALIKES: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухΑΒΕΖΗΙΚΜΝΟΡΤΥΧο",
    "ABESIJKMHOPCTYXaesijopcyxABEZHIKMNOPTYXo",
)
_MARKS: Final = re.compile(
    "["
    + "".join(chr(code) for code in range(0x300, 0x20000) if unicodedata.combining(chr(code)))
    + "]+"
)
_DIGITS: Final = re.compile(
    "[" + "".join(chr(code) for code in range(0x80, 0x20000) if chr(code).isdigit()) + "]"
)
_INVISIBLE: Final = dict.fromkeys(
    [0x00AD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0x202A, 0x202F)]
)
# Letters that Unicode does not take apart, written plain where an accent is left off.
_PLAIN: Final = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i"}
)


def fold(text: str) -> str:
    """The text without case, accents, width, look-alike letters and odd spacing.

    >>> fold("  [DIAPO　２] Été ")
    '[diapo 2] ete'
    """
    if text.isascii():
        return " ".join(text.split()).lower()
    text = unicodedata.normalize("NFKD", text).translate(_INVISIBLE).translate(_PLAIN)
    text = _MARKS.sub("", text)
    if _DIGITS.search(text):
        text = _DIGITS.sub(lambda found: str(unicodedata.digit(found.group())), text)
    return unicodedata.normalize("NFC", " ".join(text.split())).casefold()


def fold_lookalikes(text: str) -> str:
    """`fold`, with letters of another script that look like Latin ones taken for these.

    >>> fold_lookalikes("[СОVЕR]")  # its С and Е are Cyrillic
    '[cover]'
    """
    return fold(text.translate(_LOOKALIKES))
