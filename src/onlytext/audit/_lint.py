"""What is wrong with a catalogue by itself, before any content is looked at."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

import re2

from onlytext._clean import clean
from onlytext._fold import fold
from onlytext._format import Sections, Text
from onlytext._patternfile import faults_of
from onlytext._patterns import anchored
from onlytext._regex import regex
from onlytext.audit._proof import unmark
from onlytext.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from onlytext._patterns import Pattern, Patterns

_SYNTAX: Final = regex(r"\\x\{[0-9A-Fa-f]+\}|\\.|\[\^?[^\]]*\]|\{\d*,?\d*\}")
_SIGNS: Final = regex(r"[^\w\s]+")
# Lines that carry no meaning, which no pattern may take.
_BARE: Final = ("", " ", "\N{IDEOGRAPHIC SPACE}", "-", "**", "#", ">", "—", "✓", "1.", "...", ":")


def lint(rows: Sequence[Pattern], patterns: Patterns) -> Iterator[str]:
    """Faults of these patterns, a sentence each, the pattern's id first.

    Two of the same regex, a hint that the regex does not need, a regex that takes an empty line or
    a single common word, rows out of order, and a pattern that none of its own examples needs.
    """
    words = sorted(patterns.everywhere)
    yield from _twice(rows)
    yield from _unsorted(rows)
    for row in rows:
        faults = list(faults_of(row))
        yield from faults
        if not faults:
            yield from _too_wide(row, words)
            yield from _loose_hint(row)
            yield from _not_needed(row, patterns)


def _twice(rows: Sequence[Pattern]) -> Iterator[str]:
    seen: dict[tuple[str, str], str] = {}
    for row in rows:
        first = seen.setdefault((row.regex, row.scope), row.id)
        if first != row.id:
            yield f"{row.id}: it says the same as {first}: keep one of them"


def _unsorted(rows: Sequence[Pattern]) -> Iterator[str]:
    for before, after in itertools.pairwise(rows):
        language = before.id.partition("/")[0]
        if after.id.startswith(f"{language}/") and after.id < before.id:
            yield f"{after.id}: put it before {before.id}: a file is sorted by id"


def _too_wide(row: Pattern, words: Sequence[str]) -> Iterator[str]:
    compiled = re2.compile("(?i)" + anchored(row))
    taken = [line for line in (*_BARE, *words) if compiled.search(line) is not None]
    if taken:
        yield f"{row.id}: the regex takes the bare line {taken[0]!r}: make it say more"


def _loose_hint(row: Pattern) -> Iterator[str]:
    """A hint that could be missing from what the regex matches would hide matches."""
    said = fold(_SIGNS.sub(" ", _SYNTAX.sub(" ", row.regex)))
    parts = _SIGNS.sub(" ", fold(row.hint)).split()
    missing = [part for part in parts if part not in said]
    if missing:
        yield f"{row.id}: {missing[0]!r} of the hint is not in the regex: choose a hint from it"


def _not_needed(row: Pattern, patterns: Patterns) -> Iterator[str]:
    """A pattern takes something from each of its `must_match`, or it is not what takes it."""
    shape = Sections(*row.format) if row.format else Text()
    for marked in row.must_match:
        reply, wanted = unmark(marked)
        at = 0
        for line in reply.split("\n"):
            inside = any(place in wanted for place in range(at, at + len(line)))
            if inside and row in patterns.match_line(line):
                break
            at += len(line) + 1
        else:
            yield f"{row.id}: it matches no line of what is marked in its must_match {marked!r}"
            continue
        try:
            named = {one.pattern for one in clean(reply, shape, patterns=patterns).removals}
        except Refused:
            continue  # told by the proof
        if row.id in named:
            return
    others = sorted(one for one in _named(row, patterns, shape) if one)
    if others:
        yield f"{row.id}: none of its examples needs it: {', '.join(others)} takes what is marked"


def _named(row: Pattern, patterns: Patterns, format: Sections | Text) -> set[str]:
    found: set[str] = set()
    for marked in row.must_match:
        try:
            removals = clean(unmark(marked)[0], format, patterns=patterns).removals
        except Refused:
            continue
        found |= {one.pattern for one in removals if one.pattern and one.pattern != row.id}
    return found
