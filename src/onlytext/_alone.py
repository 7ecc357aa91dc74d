"""The road of a reply in plain text without a draft: what gives itself away goes, what may refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from onlytext._audited import drop_audited, is_all_commentary
from onlytext._compare import words
from onlytext._fold import fold
from onlytext._foreign import foreign_edges
from onlytext._inside import bare_row, nothing
from onlytext._lines import FENCE, split_lines
from onlytext._remarks import drop_asides
from onlytext._selfquotes import quote_themselves
from onlytext._spans import Body, Drop, Found, keep, trimmed
from onlytext._suspect import refuse, suspect
from onlytext._versions import last_version, paragraphs_of, twice
from onlytext._widen import spell_words

# What a report on a text does, all of it in one line: it names rules, counts, judges and edits.
_REPORT: Final = frozenset({"edit", "rule", "unit", "verdict"})
# How much it says for its length.
_REPORTS: Final = 1.75
_SHORT: Final = 20
_LETTERS: Final = 6
_A_WORD: Final = 2
# How much the first line says where the text stands in a fence further down.
_TALKS: Final = 0.9
# Languages of a fence that holds text and no code.
_PLAIN: Final = ("text", "txt", "plaintext", "plain", "markdown", "md")

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
    some += _foreign(work, left, judge)
    gone = {drop.start for drop in some}
    left = [row for row in left if row.line.start not in gone]
    versions = last_version(work, left, judge)
    if versions is not None:
        if not versions.sure:
            raise twice(work, left, versions)
        others = [*left[: versions.first], *left[versions.last + 1 :]]
        some += [Drop(*row.line, "a version before the last one, or about it") for row in others]
        left = left[versions.first : versions.last + 1]
    some += _fenced_text(work, left, judge, announced=len(left) < len(rows))
    spans = keep(work, start, end, sorted(some))
    lines = [line for begin, stop in spans for line in split_lines(work, begin, stop)]
    asides, unsure = drop_asides(work, lines, judge, some)
    if unsure:
        raise refuse(work, unsure)
    some += asides
    drops += some
    spans = keep(work, start, end, sorted(some))
    lines = [line for begin, stop in spans for line in split_lines(work, begin, stop)]
    if len(lines) == 1 and _is_no_text(work[lines[0].start : lines[0].end], judge):
        raise nothing(work, "the reply is no text: it only speaks of one", rows)
    doubts, damning = suspect(work, lines, judge, last=True, leaked=bool(some))
    damning += quote_themselves(work, lines, judge)
    if damning:
        raise refuse(work, damning)
    head = bool(left) and left[0] is not rows[0]
    tail = bool(left) and left[-1] is not rows[-1]
    spans = trimmed(work, spans, start, end, head=head or start > 0, tail=tail or end < len(work))
    return Found((Body("", None, tuple(spans)),), tuple(sorted(drops)), tuple(doubts))


def _fenced_text(work: str, rows: Sequence[Row], judge: Judge, *, announced: bool) -> list[Drop]:
    """What stands outside the fence that holds the text, and the fence itself.

    A label announces it, on the line before it; or it stands round the whole, and what came before
    it is gone already or its language says text.
    """
    fences = [
        (index, fence)
        for index, row in enumerate(rows)
        if (fence := FENCE.match(work[row.line.start : row.line.end])) is not None
    ]
    if len(rows) < 2 or not fences:
        return []
    if len(fences) > 1 and len(fences) % 2 == 0:
        (opens, _), (closes, _) = fences[-2:]
        if any((name := fence.group(2).lower()) and name not in _PLAIN for _, fence in fences):
            return []
        labelled = (
            opens > 0
            and _announces(work, rows[opens - 1], judge)
            and judge.weigh(work[rows[0].line.start : rows[0].line.end]).score >= _TALKS
        )
        if labelled or (opens == 0 and announced):
            others = [*rows[:opens], *rows[closes + 1 :]]
            return [
                *(Drop(*rows[index].line, "fence round the whole") for index in (opens, closes)),
                *(Drop(*row.line, "outside of the fence round the whole") for row in others),
            ]
    opens, opening = fences[0]
    plain = opening.group(2).lower() in _PLAIN
    whole = len(fences) == 1 or (len(fences) == 2 and fences[1][0] == len(rows) - 1)
    if opens or not whole or not (announced or plain):
        return []
    return [Drop(*rows[index].line, "fence round the whole") for index, _ in fences]


def _announces(work: str, row: Row, judge: Judge) -> bool:
    """Whether a line is a label that announces the text."""
    found = judge.match_line(work[row.line.start : row.line.end])
    return any(one.scope == "label" for one in found)


def _foreign(work: str, rows: Sequence[Row], judge: Judge) -> list[Drop]:
    """The paragraphs before and after the text that speak of it in another language."""
    groups = paragraphs_of(work, rows)
    texts = [work[rows[first].line.start : rows[last].line.end] for first, last in groups]
    head, tail = foreign_edges(texts, judge)
    edges = [*groups[:head], *groups[len(groups) - tail :]]
    return [
        Drop(*rows[index].line, "speaks of the text in another language")
        for first, last in edges
        for index in range(first, last + 1)
    ]


def _is_no_text(line: str, judge: Judge) -> bool:
    """Whether the only line is a report on a text, or a word or two out of a sentence of the prompt."""
    weight = judge.weigh(line)
    size = max(len(line.split()), len(line) // _LETTERS)
    if _REPORT.issubset(weight.reasons) and weight.score * min(1.0, _SHORT / size) >= _REPORTS:
        return True
    folded = fold(line)
    if not judge.asked or len(words(folded)) > _A_WORD:
        return False
    asked = [fold(one) for one in judge.asked.split("\n")]
    return folded not in asked and any(spell_words(folded) in spell_words(one) for one in asked)
