"""A pattern's proof: what goes from its `must_match`, and that its `must_spare` stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from onlytext._clean import clean
from onlytext._format import Sections, Text
from onlytext._patternfile import CLOSE, OPEN
from onlytext.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from onlytext._patterns import Pattern, Patterns

_SHOWN: Final = 200


def prove(pattern: Pattern, patterns: Patterns) -> Iterator[str]:
    """What is wrong with the proof of a pattern, run through the whole cleaner; a sentence each."""
    shape = Sections(*pattern.format) if pattern.format else Text()
    for marked in pattern.must_match:
        reply, wanted = unmark(marked)
        try:
            cleaned = clean(reply, shape, patterns=patterns)
        except Refused as refused:
            yield f"{pattern.id}: a must_match is refused ({refused.why}): {reply[:_SHOWN]!r}"
            continue
        gone = {at for one in cleaned.removals for at in range(one.start, one.end)}
        printed = {at for at, sign in enumerate(reply) if not sign.isspace()}
        if gone & printed != wanted & printed:
            yield (
                f"{pattern.id}: of a must_match something else goes than what is marked: "
                f"{mark(reply, gone)[:_SHOWN]!r}"
            )
    for spared in pattern.must_spare:
        try:
            cleaned = clean(spared, shape, patterns=patterns)
        except Refused as refused:
            yield f"{pattern.id}: a must_spare is refused ({refused.why}): {spared[:_SHOWN]!r}"
            continue
        if cleaned.text != spared:
            gone = {at for one in cleaned.removals for at in range(one.start, one.end)}
            yield f"{pattern.id}: a must_spare is changed: {mark(spared, gone)[:_SHOWN]!r}"


def unmark(marked: str) -> tuple[str, set[int]]:
    """The reply itself, and the places in it that stand between the marks."""
    reply: list[str] = []
    places: set[int] = set()
    inside = False
    for sign in marked:
        if sign in (OPEN, CLOSE):
            inside = sign == OPEN
            continue
        if inside:
            places.add(len(reply))
        reply.append(sign)
    return "".join(reply), places


def mark(reply: str, gone: set[int]) -> str:
    """The reply with marks round what goes, so that a failure can be read."""
    shown: list[str] = []
    inside = False
    for place, sign in enumerate(reply):
        if not sign.isspace() and (place in gone) is not inside:
            inside = not inside
            shown.append(OPEN if inside else CLOSE)
        shown.append(sign)
    return "".join(shown) + (CLOSE if inside else "")
