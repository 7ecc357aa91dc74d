"""What looks like commentary where no draft can tell: doubts, and when to refuse."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Final

from onlytext._inside import asides_in
from onlytext._lines import LONG
from onlytext._regex import regex
from onlytext._reply import Doubt
from onlytext._widen import DENSE
from onlytext.errors import Ambiguous

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onlytext._commentary import Judge
    from onlytext._lines import Line

# A long line collects signals by mere chance: from here on a line's weight is spread over its words.
_SHORT: Final = 20
_DOUBTED: Final = 1.5
_NAMED: Final = 2.0
_CLOSING: Final = 2.3
_CLOSING_KINDS: Final = 3
# Where commentary went already, more of it is likely.
_LEAKED: Final = 1.25
_TELLING: Final = frozenset({"edit", "verdict", "rule", "unit"})
# A line that counts and judges is telling by itself.
_COUNTS: Final = frozenset({"unit", "verdict"})
_NAMES: Final = frozenset({"names a marker", "names a section"})
_HEAVY: Final = 2.0
_DENSE: Final = 2.75
_NEVER: Final = float("inf")
# Technical writing is full of words for versions, rules and changes.
TECHNICAL: Final = regex(r"`|\{|(?:^|\s)//|=>|\(\)|\]\(|</?\w|[a-z][A-Z]|^#{2,6} ", re.MULTILINE)
_MOST_EVIDENCE: Final = 5


def suspect(
    work: str,
    lines: Sequence[Line],
    judge: Judge,
    *,
    last: bool,
    leaked: bool = False,
    in_sections: bool = False,
) -> tuple[list[Doubt], list[str]]:
    """The doubts about some kept lines, and those among them that say too much to be content.

    A line that names a section and judges it says too much, and so does a closing line that is
    full of words of validators, or any doubtful line where commentary was dropped (`leaked`).
    """
    doubts: list[Doubt] = []
    damning: list[str] = []

    @functools.cache
    def hinted() -> bool:
        return judge.patterns.gate(work.encode("utf-8", "surrogatepass")) >= 0

    def apart(index: int) -> bool:
        """Whether a line stands in the last paragraph, which is not the first, and no technical text."""
        return in_sections and index >= begin > 0 and not technical()

    @functools.cache
    def technical() -> bool:
        return TECHNICAL.search(work) is not None

    begin = max(
        (
            index
            for index in range(1, len(lines))
            if work.count("\n", lines[index - 1].end, lines[index].start) > 1
        ),
        default=0,
    )
    for index, line in enumerate(lines):
        if line.end - line.start > LONG:
            continue
        text = work[line.start : line.end]
        weight = judge.weigh(text)
        size = max(len(text.split()), len(text) // 6)
        density = weight.score * min(1.0, _SHORT / max(1, size))
        reasons = set(weight.reasons)
        asides = asides_in(text, judge)
        if density < (_LEAKED if leaked else _DOUBTED) and not asides:
            continue
        doubts.append(
            Doubt(line.start, line.end, text, f"may be commentary: {', '.join(sorted(reasons))}")
        )
        named = density >= _NAMED and bool(reasons & _NAMES) and bool(reasons & _TELLING)
        closing = last and index > 0 and index >= len(lines) - 3
        if (
            leaked
            or (apart(index) and _is_heavy(text, density, reasons))
            or (
                (
                    named
                    or (
                        closing
                        and density >= (_DENSE if DENSE.search(text) else _CLOSING)
                        and len(reasons & _TELLING) >= _CLOSING_KINDS
                    )
                )
                and (reasons >= _COUNTS or hinted())
            )
        ):
            damning.append(text)
    return doubts, damning


def _is_heavy(text: str, density: float, reasons: set[str]) -> bool:
    """Whether a line is full of words of validators."""
    telling = len(reasons & _TELLING)
    bar = _HEAVY if telling > 1 else _DENSE if telling else _NEVER
    # Where no blanks stand between words, one is often found inside another.
    return density >= (max(bar, _DENSE) if DENSE.search(text) else bar)


def refuse(work: str, damning: Sequence[str]) -> Ambiguous:
    """The refusal of a reply in which commentary seems to be left, and no draft can tell."""
    return Ambiguous(
        "lines that speak about the text are mixed with it, and there is no draft to tell them apart",
        reply=work,
        evidence=tuple(line.strip()[:200] for line in damning[:_MOST_EVIDENCE]),
        retry="Return only the text itself: no remarks about it, no list of changes, no checks.",
    )
