"""Text as a page or a terminal can show it without obeying it: no sign in it hides or acts."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

# They steer how text runs, are not to be seen, or are no characters at all.
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# These belong to ordinary writing: without them an emoji falls apart, and so do Indic and Persian words.
_HARMLESS: Final = frozenset("\n\t\u200c\u200d")
_SIGNS: Final = 0x2400  # pictures of the first 32 control characters stand there
_DELETE: Final = "\x7f"


class Run(NamedTuple):
    """A stretch of text that can be shown as it is, or the sign for one that can't."""

    text: str
    is_sign: bool


def runs(text: str) -> Iterator[Run]:
    r"""The text in stretches, with a sign in place of each character that must not be shown.

    >>> [run.text for run in runs("a\x1b[31m\u202eb")]
    ['a', '␛', '[31m', '[U+202E]', 'b']
    """
    text = text.replace("\r\n", "\n")
    start = 0
    for place, letter in enumerate(text):
        if letter not in _HARMLESS and unicodedata.category(letter) in _HIDDEN:
            if start < place:
                yield Run(text[start:place], is_sign=False)
            yield Run(_sign(letter), is_sign=True)
            start = place + 1
    if start < len(text):
        yield Run(text[start:], is_sign=False)


def visible(text: str) -> str:
    r"""The text with those signs in it.

    >>> visible("one\x00two\r\n")
    'one␀two\n'
    """
    return "".join(run.text for run in runs(text))


def _sign(letter: str) -> str:
    code = ord(letter)
    if code < ord(" "):
        return chr(_SIGNS + code)
    return "␡" if letter == _DELETE else f"[U+{code:04X}]"
