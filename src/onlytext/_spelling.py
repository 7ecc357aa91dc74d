"""How a marker is spelled: what is wrong with a spelling, and which two can't be told apart."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext._fold import fold_lookalikes
from onlytext._regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NUMBER: Final = "{n}"
LONGEST: Final = 200
"""How many characters a marker may have."""
_ANY_NUMBER: Final = "\n"  # stands for {n} in a key, where no line break can stand
# What people write for {n} out of habit. A marker that is nothing but braces and a name, such as
# {N} or {{greeting}}, is one that they mean as it stands.
_SLIPS: Final = regex(r"(?<!\{)\{(?:\s*|\s+n\s*|n\s+|n[:!][^{}]*|N|i|0|#)\}(?!\})")
_WHOLE: Final = regex(r"\{[^{}]*\}")


class Named(NamedTuple):
    """A spelling, what it is, and the number of the marker or channel that it belongs to."""

    owner: int
    what: str
    spelling: str


def spelling_faults(spelling: str, what: str) -> Iterator[str]:
    """A sentence for each reason why a line of a reply can't be this marker, alias or channel."""
    named = f"{what} {spelling!r}"
    rest = spelling.replace(NUMBER, "", 1)
    if not key_of(spelling):
        yield f"{what} {spelling!r} is empty: write a sign that no line of the text can be"
    elif not key_of(rest):
        yield f"{named} would be every number: put something beside the {{n}}, such as '[{{n}}]'"
    if len(spelling) > LONGEST:
        begin = f"{what} {spelling[:20]!r}..."
        yield f"{begin} is {len(spelling)} characters long: {LONGEST} are enough"
    if len(spelling.splitlines()) > 1:
        yield f"{named} has a line break in it: a marker stands on one line"
    if NUMBER in rest:
        yield f"{named} has {{n}} twice: leave one out"
    if not _WHOLE.fullmatch(spelling) and (slip := _SLIPS.search(spelling)):
        yield f"{named} has {slip[0]} in it: a number is written {{n}}"
    if any("\ud800" <= char <= "\udfff" for char in spelling):
        yield f"{named} has half a character in it (a lone surrogate): take it out"


def confusions(named: Iterable[Named]) -> Iterator[str]:
    """A sentence for each two spellings of different owners that one line of a reply could be."""
    keyed = [(each, key_of(each.spelling)) for each in named]
    for (one, key), (other, other_key) in combinations(keyed, 2):
        if one.owner != other.owner and key and _overlap(key, other_key):
            yield (
                f"{one.what} {one.spelling!r} and {other.what} {other.spelling!r} can't be told "
                f"apart (case, accents, width, blanks and look-alike letters do not count): "
                f"rename one, or take it out"
            )


def key_of(spelling: str) -> str:
    """What two spellings that can't be told apart have in common."""
    parts = (fold_lookalikes(part).replace(" ", "") for part in spelling.split(NUMBER))
    return _ANY_NUMBER.join(parts)


def _overlap(one: str, other: str) -> bool:
    """Whether some string is both, when `_ANY_NUMBER` is any digits."""
    if _ANY_NUMBER not in one and _ANY_NUMBER not in other:
        return one == other
    seen: set[tuple[int, int]] = set()
    todo = [(0, 0)]
    while todo:
        at, there = todo.pop()
        if (at, there) == (len(one), len(other)):
            return True
        if (at, there) in seen or at == len(one) or there == len(other):
            continue
        seen.add((at, there))
        a, b = one[at], other[there]
        if a == b or (a == _ANY_NUMBER and b.isdigit()) or (b == _ANY_NUMBER and a.isdigit()):
            todo += [
                (next_at, next_there)
                for next_at in range(at + (a != _ANY_NUMBER), at + 2)
                for next_there in range(there + (b != _ANY_NUMBER), there + 2)
            ]
    return False
