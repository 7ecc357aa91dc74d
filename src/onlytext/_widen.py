"""Small spelling differences that a pattern should not have to spell out."""

from __future__ import annotations

import functools
import re
import unicodedata
from typing import Final

from onlytext._regex import regex
from onlytext._tokens import tokens

_WIDE: Final = {
    " ": r"[ \t\x{a0}\x{202f}\x{3000}]+",
    "'": "['’ʼ`´]",
    '"': '["“”„‟«»]',
    ":": r"[ \x{a0}\x{202f}]?[:：]",
}
_ATOM: Final = regex(
    # First what stays as it is, as much at once as there is of it.
    r"[^\\\[({ ':\"\x80-\U0010ffff]+|\\[pPx]\{[^}]*\}|\\p\w|\\.|\[(?:\\.|[^\]\\])*\]|\(\?[a-z]*:?|\{\d+(?:,\d*)?\}|.",
    re.DOTALL,
)
DENSE: Final = regex(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


@functools.cache
def widen(regex: str) -> str:
    """The regex with typographic quotes, odd blanks, fullwidth colons and missing accents let in.

    A space stands for one or more blanks, an apostrophe or a double quote for any of its kind, a
    colon for a fullwidth one or one after a blank as well, an accented letter for the plain or the
    decomposed one too. Classes in brackets and escapes stay as they are written.
    """
    return "".join(_wide(atom) for atom in _ATOM.findall(regex))


def is_closed(regex: str) -> bool:
    """Whether each bracket of a regex that groups is closed in it, and none that is not opened."""
    depth = 0
    for atom in _ATOM.findall(regex):
        if atom[0] == "(":
            depth += 1
        elif atom[0] not in "\\[":
            depth -= atom.count(")")
        if depth < 0:
            return False
    return depth == 0


@functools.cache
def _wide(atom: str) -> str:
    if atom in " ':\"":
        return _WIDE[atom]
    if len(atom) == 1 and not atom.isascii():
        parts = unicodedata.normalize("NFD", atom)
        if len(parts) > 1 and unicodedata.combining(parts[1]):
            return f"(?:{atom}|{parts}|{parts[0]})"
    return atom


def spell_words(folded: str) -> str:
    """The words of a folded text, set apart by single blanks, with a blank at either end."""
    return f" {' '.join(tokens(folded))} "
