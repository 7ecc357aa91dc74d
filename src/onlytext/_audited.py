"""What audited patterns alone may take from a reply, where no draft vouches for its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from onlytext._lines import FENCE
from onlytext._regex import regex
from onlytext._spans import Drop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onlytext._commentary import Judge
    from onlytext._inside import Row
    from onlytext._patterns import Pattern

_LEAD: Final = regex(
    r"^\s*(?:-{3,}|\*{3,}|_{3,}|#{1,6} .{1,60}|(?:\*\*|__)[^*_]{1,60}(?:\*\*|__)[:：]?|.{1,40}[:：])\s*$"
)
_FRONT: Final = regex(r"^-{3,}\s*$")
_GLUED: Final = regex(r"[a-zß-ÿ][.!?]([A-ZÀ-Þ][^.!?\n]{1,80}[:：][*_ ]{0,3})$")
_TITLE: Final = regex(r"^#{1,2} \S")


def drop_audited(work: str, rows: Sequence[Row], judge: Judge, *, head: bool) -> list[Drop]:
    """The lines and line ends that a pattern takes, each where its scope lets it.

    A `line` goes wherever it stands and an `end-of-line` from any line; a `label` or a `head` only
    at the beginning, a `tail` only at the end, and never the last line that is left.
    """
    found = [judge.match_line(work[row.line.start : row.line.end]) for row in rows]
    gone: dict[int, Pattern] = {}
    fenced = _fenced(work, rows)
    for index, some in enumerate(found):
        line = next((one for one in some if one.scope == "line"), None)
        if line is not None and index not in fenced:
            gone[index] = line
    if head:
        _take_head(work, rows, found, gone)
    _take_tail(work, rows, found, gone)
    if len(gone) == len(rows):
        return []
    drops = [
        Drop(rows[index].line.start, rows[index].line.end, "validator language", one.id)
        for index, one in gone.items()
    ]
    for index, row in enumerate(rows):
        glued = _glued_label(work[row.line.start : row.line.end], judge)
        if (
            glued is not None
            and index not in gone
            and index not in fenced
            and index + 1 < len(rows)
        ):
            at, label = glued
            drops.append(Drop(row.line.start + at, row.line.end, "validator language", label.id))
    for index, some in enumerate(found):
        ending = next((one for one in some if one.scope == "end-of-line"), None)
        if ending is not None and index not in gone and index not in fenced:
            start = rows[index].line.start
            text = work[start : rows[index].line.end]
            begin, end = judge.patterns.span(ending, text)
            while begin > 0 and text[begin - 1] in " \t\xa0":
                begin -= 1
            if text[:begin].strip():
                drops.append(Drop(start + begin, start + end, "validator language", ending.id))
    return sorted(drops)


def _glued_label(line: str, judge: Judge) -> tuple[int, Pattern] | None:
    """A label that hangs on a sentence without a blank, at the end of a line: where it begins."""
    found = _GLUED.search(line)
    if found is None:
        return None
    some = judge.match_line(line[found.start(1) :])
    label = next((one for one in some if one.scope == "label"), None)
    return None if label is None else (found.start(1), label)


def is_all_commentary(work: str, rows: Sequence[Row], judge: Judge) -> bool:
    """Whether every paragraph begins with a line that a pattern takes: reasoning and nothing else."""
    index = 0
    while index < len(rows):
        some = judge.match_line(work[rows[index].line.start : rows[index].line.end])
        if any(one.scope in ("head", "tail") for one in some):
            index = _paragraph(work, rows, index, 1) + 1
        elif any(one.scope in ("line", "label") for one in some):
            index += 1
        else:
            return False
    return bool(rows)


def _fenced(work: str, rows: Sequence[Row]) -> set[int]:
    """The rows that stand in a code fence."""
    inside: set[int] = set()
    opened: int | None = None
    for index, row in enumerate(rows):
        if FENCE.match(work[row.line.start : row.line.end]):
            if opened is None:
                opened = index
            else:
                inside.update(range(opened, index + 1))
                opened = None
    return inside


def _paragraph(work: str, rows: Sequence[Row], index: int, step: int) -> int:
    """The last row of the paragraph in one direction."""
    while 0 <= index + step < len(rows):
        first, second = sorted((index, index + step))
        if work.count("\n", rows[first].line.end, rows[second].line.start) > 1:
            break
        index += step
    return index


def _take_head(
    work: str, rows: Sequence[Row], found: Sequence[tuple[Pattern, ...]], gone: dict[int, Pattern]
) -> None:
    index = _after_title(work, rows)
    starts = {0, index}
    for begin in sorted(starts):
        index = begin
        while index < len(rows) - 1:
            if index in gone:
                index += 1
                continue
            label = next((one for one in found[index] if one.scope == "label"), None)
            opening = next((one for one in found[index] if one.scope == "head"), None)
            if label is not None:
                gone[index] = label
                index += 1
            elif opening is not None:
                last = _paragraph(work, rows, index, 1)
                if last >= len(rows) - 1:
                    break
                gone.update(dict.fromkeys(range(index, last + 1), opening))
                index = last + 1
            else:
                break


def _after_title(work: str, rows: Sequence[Row]) -> int:
    """The first row after front matter or a title, where a lead-in may hide."""
    first = work[rows[0].line.start : rows[0].line.end] if rows else ""
    if _FRONT.match(first):
        for index in range(1, min(len(rows), 40)):
            if _FRONT.match(work[rows[index].line.start : rows[index].line.end]):
                return index + 1
    return 1 if _TITLE.match(first) else 0


def _take_tail(
    work: str, rows: Sequence[Row], found: Sequence[tuple[Pattern, ...]], gone: dict[int, Pattern]
) -> None:
    end = opened = len(rows) - 1
    while end > 0:
        if end in gone:
            end -= 1
            continue
        if end <= opened:
            opened = _paragraph(work, rows, end, -1)
        begin = opened
        closing = next((one for one in found[begin] if one.scope == "tail"), None)
        if closing is None and begin < end:
            begin = end
            closing = next((one for one in found[begin] if one.scope == "tail"), None)
        if closing is None or begin == 0 or all(index in gone for index in range(begin)):
            break
        gone.update(dict.fromkeys(range(begin, end + 1), closing))
        end = begin - 1
        while end > 0 and _leads_over(work, rows[end]):
            gone[end] = closing
            end -= 1


def _leads_over(work: str, row: Row) -> bool:
    """Whether a line only leads over to what goes below it: a rule line, a heading, a label."""
    return _LEAD.match(work[row.line.start : row.line.end]) is not None
