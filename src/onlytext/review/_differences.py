"""Two texts word by word: what both have, what only the one has, what only the other."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from rapidfuzz.distance import Indel

from onlytext._regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

Side = Literal["both", "before", "after"]

# Han, kana, Thai, Lao, Myanmar and Khmer: written without blanks, so each sign stands by itself.
_ALONE: Final = (
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff]"
)
# One such sign, a word, a row of blanks, or any other sign.
_PARTS: Final = regex(rf"{_ALONE}|(?:(?!{_ALONE})[\w'’\u200c\u200d])+|\s+|(?s:.)")
# The same for ASCII, in a fifth of the time.
_PLAIN_PARTS: Final = regex(r"[\w']+|\s+|(?s:.)")
# The time to compare grows with the product of the two lengths; beyond this a page says nothing.
_MOST: Final = 20_000


class Part(NamedTuple):
    """A stretch of text, and which of the two texts has it."""

    side: Side
    text: str


def differences(before: str, after: str) -> list[Part] | None:
    """Both texts in one row of parts; none where they are too long to be compared for a page.

    >>> [tuple(part) for part in differences("one small loaf", "one loaf")]
    [('both', 'one '), ('before', 'small '), ('both', 'loaf')]
    """
    if before == after:
        return [Part("both", before)] if before else []
    if len(before) + len(after) > _MOST:
        return None
    parts = _PLAIN_PARTS if before.isascii() and after.isascii() else _PARTS
    old, new = parts.findall(before), parts.findall(after)
    return _tidy(_compared(old, new))


def _compared(old: list[str], new: list[str]) -> Iterator[Part]:
    for step in Indel.opcodes(old, new):
        here = "".join(old[step.src_start : step.src_end])
        if step.tag == "equal":
            yield Part("both", here)
            continue
        yield Part("before", here)
        yield Part("after", "".join(new[step.dest_start : step.dest_end]))


def _tidy(parts: Iterator[Part]) -> list[Part]:
    """Changes side by side, or with nothing but a blank between them, as one change each."""
    given = [part for part in parts if part.text]
    spread: list[Part] = []
    for index, part in enumerate(given):
        inside = 0 < index < len(given) - 1
        if inside and part.side == "both" and part.text == " ":
            spread += [Part("before", " "), Part("after", " ")]
        else:
            spread.append(part)
    found: list[Part] = []
    for changed, group in groupby(spread, key=lambda part: part.side != "both"):
        some = list(group)
        if not changed:
            found += some
            continue
        for side in ("before", "after"):
            text = "".join(part.text for part in some if part.side == side)
            if text:
                found.append(Part(side, text))
    return found
