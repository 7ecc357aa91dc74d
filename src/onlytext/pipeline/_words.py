"""Words and spellings as the code rules of a job count and compare them."""

from __future__ import annotations

import unicodedata
from typing import Final, NamedTuple

from onlytext._regex import regex

# Scripts that set no blanks and whose every character counts as a word, as word processors do it:
# Chinese characters, kana, bopomofo.
_EACH: Final = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fd-\u30ff\u3105-\u312f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff6f\uff71-\uff9d\U00020000-\U0003ffff"
)
# Thai, Lao, Burmese, Khmer: no blanks either, and no character that is a word.
_NO_BLANKS: Final = "\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u109f\u1780-\u17d3"
# What ends a word although no blank does.
_BREAKS: Final = regex(r"[\s\u2013\u2014\u2026\u3001\u3002\uff0c\uff0e\u30fb]+")
_EACH_SIGN: Final = regex(f"[{_EACH}]")
_STRETCH: Final = regex(f"[{_NO_BLANKS}]+")
_LETTER: Final = regex(r"[^\W_]")
_LETTERS_A_WORD: Final = 4
_ACCENTED: Final = regex(r"[A-Za-z\u0370-\u03ff]")
_ACCENTS: Final = regex(r"[\u0300-\u036f]")
_TILDE: Final = "\u0303"


def count_words(text: str) -> int:
    r"""How many words a text has.

    What stands between blanks, dashes or dots in a row is one word where it has a letter or a
    digit in it: `don't`, `l'été`, `well-known` and `12,5` are one each. Chinese and Japanese set
    no blanks: there each character is one. Thai, Lao, Burmese and Khmer neither: there four
    letters are taken for one, which is an estimate; limits in characters are exact.

    >>> count_words("Don't stop - it's 12.5 km"), count_words("パンは毎日焼く"), count_words("한국어 문장")
    (5, 7, 2)
    """
    if text.isascii():
        return sum(any(map(str.isalnum, word)) for word in text.split())
    text, each = _EACH_SIGN.subn(" ", text)
    count = each
    stretches = _STRETCH.findall(text)
    if stretches:
        text = _STRETCH.sub(" ", text)
        letters = (sum(map(str.isalpha, stretch)) for stretch in stretches)
        count += sum(-(-number // _LETTERS_A_WORD) for number in letters)
    return count + sum(_LETTER.search(word) is not None for word in _BREAKS.split(text))


def count_characters(text: str) -> int:
    r"""How many characters a reader sees: accents and joiners do not count, a line end is one.

    >>> count_characters("e\u0301te\u0301"), count_characters("two\r\nlines")
    (3, 9)
    """
    text = text.replace("\r\n", "\n")
    if text.isascii():
        return len(text)
    return sum(
        unicodedata.category(char) not in ("Mn", "Me", "Cf")
        for char in unicodedata.normalize("NFC", text)
    )


class Folded(NamedTuple):
    """A text in the spelling in which forbidden words are looked for."""

    text: str

    def has(self, word: str) -> bool:
        """Whether a folded word or phrase stands in it as a whole, not as a part of another word."""
        start = self.text.find(word)
        while start >= 0:
            stop = start + len(word)
            if not _joined(self.text, start) and not _joined(self.text, stop):
                return True
            start = self.text.find(word, start + 1)
        return False


def fold_word(text: str) -> str:
    r"""The text without case and width, and in Latin and Greek letters without accents.

    `ñ` stays, which is a letter of its own, and so do marks that make another letter in Japanese,
    Cyrillic or Hindi. Blanks and line ends are one blank each.

    >>> fold_word("ÉTÉ  à la\nＰＬＡＧＥ"), fold_word("Año"), fold_word("がき")
    ('ete a la plage', 'año', 'がき')
    """
    text = " ".join(text.casefold().replace("’", "'").split())
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFKD", text)
    kept: list[str] = []
    base = ""
    for char in apart:
        if _ACCENTS.match(char) is None:
            base = char
        elif _ACCENTED.match(base) and not (base == "n" and char == _TILDE):
            continue
        kept.append(char)
    return " ".join(unicodedata.normalize("NFC", "".join(kept)).casefold().split())


def _joined(text: str, at: int) -> bool:
    """Whether the signs before and after an offset belong to one word."""
    if at in (0, len(text)):
        return False
    before, after = text[at - 1], text[at]
    if _apart(before) or _apart(after):
        return False
    return (before.isalnum() or before == "_") and (after.isalnum() or after == "_")


def _apart(char: str) -> bool:
    """Whether the script sets no blanks, so that any two of its characters may be two words."""
    return _EACH_SIGN.match(char) is not None or _STRETCH.match(char) is not None
