"""Remarks that hang inside the lines of a text, where no draft tells them from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext._fold import fold
from onlytext._inside import GROUP, SIGN, group_span, may_hang, tail_remark
from onlytext._lines import FENCE, LONG
from onlytext._regex import regex
from onlytext._spans import Drop
from onlytext._suspect import TECHNICAL
from onlytext._tokens import tokens
from onlytext._widen import DENSE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onlytext._commentary import Judge
    from onlytext._lines import Line

_CHECKED: Final = regex(r"^[✓✔✅✗✘❌]|[✓✔✅✗✘❌]$")
# What says how it was, and then how it was: after a colon, or in quotation marks up to the end.
_BEFORE: Final = regex(
    r"^([^\W\d_][^:：\"“”«»„‘「『\n]{0,30}?)[ \xa0]?(?:[:：]|[\"“”«»„‘「『].*[\"“”«»’」』][.]?$)"
)
_QUOTED_END: Final = regex(r"[\"“”«»„‘「『].*[\"“”«»’」』][.]?$")
_ASKS: Final = regex(r"[:：?？]")
_LETTERS: Final = regex(r"[^\W\d_]")
_CODE: Final = regex(r"[=;<>`\\/|]|[a-z][A-Z]|['\"][,:)\]}]|\w\(")
_SIGNS: Final = "→->=⇒➜←<⇐※✓✔✅✗✘❌#–—/"
_OPENERS: Final = "([（【{"
_SURE: Final = "←※⇐"
_SERIES: Final = 2
_WORDS_BEFORE: Final = 3
_MOST: Final = 8
_JUDGES: Final = frozenset({"verdict", "edit", "was"})
_TELLING: Final = _JUDGES | {"unit"}
_WEAK: Final = frozenset({"verdict", "edit", "again", "was"})


class Aside(NamedTuple):
    """A stretch of a line that looks like a remark: where it stands, its first sign, and how sure."""

    start: int
    end: int
    sign: str
    line: int
    sure: bool


def asides_of(work: str, lines: Sequence[Line], judge: Judge) -> list[Aside]:
    """The brackets and line ends that speak of the text they stand in, outside of code."""
    found: list[Aside] = []
    fenced = False
    for index, line in enumerate(lines):
        text = work[line.start : line.end]
        if FENCE.match(text):
            fenced = not fenced
            continue
        if len(text) > LONG or not may_hang(work, *line):
            continue
        tail = None if fenced else tail_remark(text, judge)
        if tail is not None:
            sign = text[tail:].strip()[0]
            rest = text[tail:].strip().lstrip(_SIGNS).strip()
            sure = (sign in _SURE and bool(_kinds(rest, judge) & _TELLING)) or (
                _measures(rest, judge) and not _ASKS.search(rest)
            )
            if sure or _covered(rest, judge):
                found.append(Aside(line.start + tail, line.end, sign, index, sure))
        for group in GROUP.finditer(text, 0, len(text) if tail is None else tail):
            surely = _speaks(text, group.start(), group.end(), judge)
            if surely is not None:
                start, end = group_span(text, group.start(), group.end())
                sign = group.group().strip(" *_\t\xa0")[0]
                found.append(Aside(line.start + start, line.start + end, sign, index, surely))
    return found


def _speaks(text: str, start: int, end: int, judge: Judge) -> bool | None:
    """Whether a bracket is a remark: surely, perhaps, or not at all (none)."""
    if text[end : end + 1] in ("(", "["):
        return None
    inner = text[start:end].strip().strip("*_").strip("()[]（）【】{}").strip()
    if not _LETTERS.search(inner):
        return None
    if _CHECKED.search(inner):
        return True if len(inner.split()) <= _MOST and not _CODE.search(inner) else None
    kinds = _kinds(inner, judge)
    if not kinds:
        return None
    if _says_before(inner, judge):
        return True
    if _CODE.search(inner):
        return None
    if _measures(inner, judge):
        return bool(text[:start].strip() or text[end:].strip())
    if kinds & _WEAK and _covered(inner, judge):
        return False
    return None


def _kinds(text: str, judge: Judge) -> frozenset[str]:
    found = judge.patterns.match_signals(fold(text)).values()
    return max((frozenset[str](one) for one in found), key=len, default=frozenset[str]())


def _measures(text: str, judge: Judge) -> bool:
    """Whether a stretch counts words or signs and says what it makes of that."""
    kinds = _kinds(text, judge)
    return "unit" in kinds and bool(kinds & _JUDGES)


def _says_before(inner: str, judge: Judge) -> bool:
    """Whether a bracket says how it was before: a word for that, a colon or quotation marks, the words."""
    found = _BEFORE.match(inner)
    if found is None:
        return False
    head = tokens(fold(found.group(1)))
    if not head or len(head) > _WORDS_BEFORE:
        return False
    return any(
        _is_before(head[:size], judge) and not _is_before(head[1:size], judge)
        for size in range(1, len(head) + 1)
    )


def _is_before(series: Sequence[str], judge: Judge) -> bool:
    found = judge.patterns.match_signals(" ".join(series))
    return any("was" in kinds for kinds in found.values())


def _covered(inner: str, judge: Judge) -> bool:
    """Whether at least half of the words are words of validators."""
    series = tokens(fold(inner))
    held = sum(
        item.isdigit()
        or any(_WEAK & one.keys() for one in judge.patterns.match_signals(item).values())
        for item in series
    )
    return 2 * held >= len(series) and len(series) <= _MOST


def drop_asides(
    work: str, lines: Sequence[Line], judge: Judge, taken: Sequence[Drop] = ()
) -> tuple[list[Drop], list[str]]:
    """The remarks in lines that go; and what may be remarks, where too little tells.

    One that says how it was before, or counts and judges, is a remark by itself. Others go where
    such a one stands in the same signs on another line, or was `taken` by a pattern.
    """
    found = asides_of(work, lines, judge)
    known = {one.sign for one in found if one.sure}
    known.update(work[drop.start : drop.end].strip()[:1] for drop in taken)
    gone = [one for one in found if one.sign in known]
    drops = [Drop(one.start, one.end, "remark in the line") for one in gone]
    drops += _counts_like(work, lines, [one for one in gone if one.sign not in _OPENERS])
    weak = [one for one in found if one.sign not in known]
    if len({one.line for one in weak}) >= _SERIES and not (
        TECHNICAL.search(work) or DENSE.search(work)
    ):
        return sorted(drops), [work[one.start : one.end].strip() for one in weak]
    return sorted(drops), []


def _counts_like(work: str, lines: Sequence[Line], gone: Sequence[Aside]) -> list[Drop]:
    """The ends of other lines that begin with a number behind a sign, as a remark does that goes."""
    signs = {
        one.sign
        for one in gone
        if work[one.start : one.end].strip().lstrip(_SIGNS).strip()[:1].isdigit()
    }
    taken = {one.line for one in gone}
    drops: list[Drop] = []
    for index, line in enumerate(lines) if signs else ():
        if index in taken:
            continue
        for found in SIGN.finditer(work, line.start, line.end):
            if found.group("sign")[0] in signs and work[found.end() : found.end() + 1].isdigit():
                drops.append(Drop(found.start(), line.end, "remark like others"))
                break
    return drops
