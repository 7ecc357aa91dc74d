"""The road of a reply in plain text without a draft: what gives itself away goes, what may refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onlytext._audited import drop_audited, is_all_commentary
from onlytext._fold import fold
from onlytext._inside import bare_row, nothing
from onlytext._lines import FENCE, split_lines
from onlytext._remarks import drop_asides
from onlytext._spans import Body, Drop, Found, keep, trimmed
from onlytext._suspect import refuse, suspect
from onlytext._versions import last_version, twice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onlytext._commentary import Judge
    from onlytext._envelope import Shell
    from onlytext._inside import Row


def clean_alone(
    work: str, start: int, end: int, judge: Judge, drops: list[Drop], shell: Shell
) -> Found:
    """The text of a reply without a draft: only what a pattern or a shape gives away goes."""
    if shell.thinking or not fold(work[start:end]):
        raise nothing(
            work, "the reply holds only reasoning" if shell.thinking else "the reply is empty"
        )
    rows = [bare_row(line) for line in split_lines(work, start, end)]
    judge.look_over(work[row.line.start : row.line.end] for row in rows)
    if is_all_commentary(work, rows, judge):
        raise nothing(work, "the reply holds only commentary", rows)
    some = drop_audited(work, rows, judge, head=True)
    gone = {drop.start for drop in some}
    left = [row for row in rows if row.line.start not in gone]
    versions = last_version(work, left, judge)
    if versions is not None:
        if not versions.sure:
            raise twice(work, left, versions)
        others = [*left[: versions.first], *left[versions.last + 1 :]]
        some += [Drop(*row.line, "a version before the last one, or about it") for row in others]
        left = left[versions.first : versions.last + 1]
    some += _fence_round(work, left, announced=len(left) < len(rows))
    spans = keep(work, start, end, sorted(some))
    lines = [line for begin, stop in spans for line in split_lines(work, begin, stop)]
    some += drop_asides(work, lines, judge)[0]
    drops += some
    spans = keep(work, start, end, sorted(some))
    lines = [line for begin, stop in spans for line in split_lines(work, begin, stop)]
    doubts, damning = suspect(work, lines, judge, last=True, leaked=bool(some))
    if damning:
        raise refuse(work, damning)
    head = bool(left) and left[0] is not rows[0]
    tail = bool(left) and left[-1] is not rows[-1]
    spans = trimmed(work, spans, start, end, head=head or start > 0, tail=tail or end < len(work))
    return Found((Body("", None, tuple(spans)),), tuple(sorted(drops)), tuple(doubts))


def _fence_round(work: str, rows: Sequence[Row], *, announced: bool) -> list[Drop]:
    """The fence round the whole answer, where a label announced it or its language says text."""
    if len(rows) < 2:
        return []
    opening = FENCE.match(work[rows[0].line.start : rows[0].line.end])
    if opening is None:
        return []
    fences = [row for row in rows if FENCE.match(work[row.line.start : row.line.end])]
    whole = len(fences) == 2 and fences[1] is rows[-1]
    plain = opening.group(2).lower() in ("text", "txt", "plaintext", "plain", "markdown", "md")
    if not (announced or plain) or not (whole or len(fences) == 1):
        return []
    return [Drop(row.line.start, row.line.end, "fence round the whole") for row in fences]
