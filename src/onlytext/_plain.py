"""The road of a reply in plain text: find the text among what is said about it."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext._compare import likeness, words
from onlytext._envelope import Drop, Shell
from onlytext._inside import LIKELY, Row, drop_parts, read_rows
from onlytext._markers import END, NOTES, START
from onlytext._reply import Doubt
from onlytext._sectioned import Found, _kept
from onlytext._sentences import drop_sentences
from onlytext.errors import Ambiguous, NoContent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onlytext._commentary import Judge
    from onlytext._compare import Passage
    from onlytext._format import Text
    from onlytext._markers import Mark, Matcher

_MOST_SEGMENTS: Final = 40
_ITEM: Final = re.compile(r"^\s*(?:\*\*)?(\d{1,3})[.)](?:\*\*)?\s")
_QUOTES: Final = {'"': '"', "“": "”", "«": "»", "„": "“", "「": "」", "‘": "’", "”": "”", "'": "'"}


class Segment(NamedTuple):
    """Rows in a row without commentary between them, and their bag of words."""

    rows: tuple[int, ...]
    bag: Counter[str]


def clean_plain(
    work: str,
    format: Text,  # noqa: A002 - the name that clean() itself uses
    matcher: Matcher,
    held: Passage | None,
    judge: Judge,
    shell: Shell,
) -> Found:
    """The text of a reply. Raises `NoContent` or `Ambiguous` where it can't be told."""
    drops: list[Drop] = []
    start, end = _channels(work, matcher, shell, drops)
    if held is None:
        return _alone(work, start, end, judge, drops, shell)
    rows = read_rows(work, start, end, held, judge)
    if not rows:
        raise _nothing(work, "the reply is empty")
    segments = _segments(work, rows, held)
    if not segments:
        raise _nothing(work, "the reply holds only commentary", rows)
    chosen = _choose(work, rows, segments, held, shell)
    spans = _spans(work, start, end, rows, chosen, held, judge, drops)
    return Found((("", None, tuple(spans)),), tuple(sorted(drops)), ())


def _nothing(work: str, why: str, rows: Sequence[Row] = ()) -> NoContent:
    evidence = tuple(work[row.line.start : row.line.end] for row in rows[:5])
    return NoContent(
        why, reply=work, evidence=evidence, retry="Return the text itself, whole, and nothing else."
    )


def _channels(work: str, matcher: Matcher, shell: Shell, drops: list[Drop]) -> tuple[int, int]:
    """Where the text stands between the start marker, the end sentinel and the notes."""
    start, end = shell.start, shell.end
    marks = list(matcher.find(work, start, end))
    if not marks:
        marks = []
    seen = {mark.start for mark in marks}
    bare = [
        mark
        for mark in matcher.find(work, start, end, loose=True)
        if mark.start not in seen and mark.place != "remark"
    ]
    marks = sorted([*marks, *bare], key=lambda mark: mark.start)
    starts = [mark for mark in marks if mark.key[0] == START and work[mark.body : end].strip()]
    if starts:
        strict = [mark for mark in starts if mark.tier != "loose"]
        opening = (strict or starts)[-1]
        drops.append(Drop(start, opening.body, "start marker and what comes before it"))
        start = opening.body
    stops = [mark for mark in marks if mark.key[0] == END and mark.start >= start and mark.place != "inline"]
    for stop in stops:
        if work[start : stop.start].strip() and (stop.tier != "loose" or not work[stop.end : end].strip()):
            drops.append(Drop(stop.start, end, "end sentinel and what follows it"))
            end = stop.start
            break
    else:
        end = _inline_end(work, matcher, start, end, drops)
    for mark in marks:
        if mark.key[0] == NOTES and start <= mark.start < end:
            if work[start : mark.start].strip():
                drops.append(Drop(mark.start, end, "notes channel"))
                end = mark.start
                break
            drops.append(Drop(mark.start, mark.body, "notes marker"))
            start = mark.body
    return start, end


def _inline_end(work: str, matcher: Matcher, start: int, end: int, drops: list[Drop]) -> int:
    """Where the text ends when the end sentinel hangs on its last line."""
    sentinel = matcher.exact(END)
    tail = work[start:end].rstrip()
    if sentinel and tail.endswith(sentinel) and len(tail) > len(sentinel):
        stop = start + len(tail) - len(sentinel)
        drops.append(Drop(stop, end, "end sentinel"))
        return stop
    return end


def _segments(work: str, rows: Sequence[Row], held: Passage) -> list[Segment]:
    """The rows between commentary, fences and rule lines that the draft does not have."""
    fenced = any(line.startswith(("```", "~~~")) for line in held.lines)
    segments: list[Segment] = []
    current: list[int] = []

    def close() -> None:
        if current:
            bag = Counter(item for index in current for item in words(rows[index].folded))
            segments.append(Segment(tuple(current), bag))
            current.clear()

    for index, row in enumerate(rows):
        if (row.fence and not fenced) or row.rule or row.is_commentary(LIKELY) or _annotated(row):
            close()
        else:
            current.append(index)
    close()
    return segments


def _annotated(row: Row) -> bool:
    """Whether a line that quotes the draft is about it."""
    return not row.exact and row.kin < 0.95 and row.weight >= 2.6 and "quotes the draft" in row.reason


def _choose(
    work: str, rows: Sequence[Row], segments: Sequence[Segment], held: Passage, shell: Shell
) -> list[int]:
    """The rows of the answer: the series of segments most like the draft, in its latest version."""
    if len(segments) > _MOST_SEGMENTS:
        segments = segments[-_MOST_SEGMENTS:]
    ranges = [
        (first, last) for first in range(len(segments)) for last in range(first, len(segments))
    ]
    bags = {(first, first): segments[first].bag for first in range(len(segments))}
    for first, last in ranges:
        if last > first:
            bags[first, last] = bags[first, last - 1] + segments[last].bag
    likes = {span: likeness(bags[span], held.bag) for span in ranges}
    best = max(ranges, key=lambda span: (round(likes[span], 2), span[1], -span[0]))
    while True:
        later = [
            span
            for span in ranges
            if span[0] > best[1]
            and likes[span] >= 0.5 * likes[best]
            and likeness(bags[span], bags[best]) >= 0.35
            and not _is_echo(rows, segments, span, best, held)
        ]
        if not later:
            break
        best = max(later, key=lambda span: likes[span])
    if likes[best] < 0.2:
        best = _rewrite(work, rows, segments, held, shell)
    return [index for segment in segments[best[0] : best[1] + 1] for index in segment.rows]


def _is_echo(
    rows: Sequence[Row],
    segments: Sequence[Segment],
    span: tuple[int, int],
    best: tuple[int, int],
    held: Passage,
) -> bool:
    """Whether a later series is the draft itself, given again for comparison."""
    later = [rows[index] for segment in segments[span[0] : span[1] + 1] for index in segment.rows]
    earlier = [rows[index] for segment in segments[best[0] : best[1] + 1] for index in segment.rows]
    return all(row.exact for row in later) and not all(row.exact for row in earlier)


def _rewrite(
    work: str, rows: Sequence[Row], segments: Sequence[Segment], held: Passage, shell: Shell
) -> tuple[int, int]:
    """The last long segment of a reply that shares no words with the draft."""
    sizes = [
        sum(rows[index].line.end - rows[index].line.start for index in segment.rows)
        for segment in segments
    ]
    total = sum(row.line.end - row.line.start for row in rows)
    largest = max(sizes)
    picked = max(index for index, size in enumerate(sizes) if size >= 0.5 * largest)
    if sizes[picked] < 0.6 * total or shell.thinking:
        raise _nothing(work, "the reply holds no text that is like the draft", rows)
    return picked, picked


def _spans(
    work: str,
    start: int,
    end: int,
    rows: Sequence[Row],
    chosen: Sequence[int],
    held: Passage,
    judge: Judge,
    drops: list[Drop],
) -> list[tuple[int, int]]:
    """The kept spans, and the drops that explain the rest."""
    first, last = chosen[0], chosen[-1]
    inner = set(chosen)
    gone: list[Drop] = []
    for index, row in enumerate(rows):
        if index not in inner:
            reason = row.reason or "belongs to the commentary round it"
            gone.append(Drop(row.line.start, row.line.end, reason, row.pattern))
            continue
        if row.exact:
            continue
        parts = drop_sentences(work, row.line, held, judge, first=index == first, last=index == last)
        gone += parts or drop_parts(work, row.line, held, judge)
    drops += gone
    spans = _kept(work, start, end, sorted(gone))
    return _unquoted(work, _trimmed(work, spans, start, end, head=first > 0, tail=last + 1 < len(rows)), held, drops)


def _trimmed(
    work: str, spans: list[tuple[int, int]], start: int, end: int, *, head: bool, tail: bool
) -> list[tuple[int, int]]:
    """The spans without the blanks where something went at an edge."""
    spans = [span for span in spans if work[span[0] : span[1]].strip() or (not head and span[0] == start)]
    if spans and (head or spans[0][0] > 0 and spans[0][0] > start):
        begin = spans[0][0]
        while begin < spans[0][1] and work[begin] in "\n":
            begin += 1
        spans[0] = (begin, spans[0][1])
    if spans and (tail or spans[-1][1] < end):
        stop = spans[-1][1]
        while stop > spans[-1][0] and work[stop - 1].isspace():
            stop -= 1
        spans[-1] = (spans[-1][0], stop)
    return spans


def _unquoted(
    work: str, spans: list[tuple[int, int]], held: Passage, drops: list[Drop]
) -> list[tuple[int, int]]:
    """The spans without quotes round the whole, where the draft has none."""
    if not spans:
        return spans
    text = "".join(work[start:end] for start, end in spans).strip()
    closing = _QUOTES.get(text[:1])
    body = held.body.strip()
    if closing is None or len(text) < 3 or not text.endswith(closing) or body[:1] == text[0]:
        return spans
    if text[0] in text[1:-1] or closing in text[1:-1]:
        return spans
    start = spans[0][0] + work[spans[0][0] : spans[0][1]].index(text[0])
    stop = spans[-1][0] + work[spans[-1][0] : spans[-1][1]].rindex(closing)
    drops += [Drop(start, start + 1, "quotes round the whole"), Drop(stop, stop + 1, "quotes round the whole")]
    trimmed = [(max(begin, start + 1), min(end, stop)) for begin, end in spans]
    return [span for span in trimmed if span[0] < span[1]]


def _alone(
    work: str, start: int, end: int, judge: Judge, drops: list[Drop], shell: Shell
) -> Found:
    """The text of a reply without a draft: only what a pattern or a shape gives away goes."""
    if shell.thinking or not work[start:end].strip():
        raise _nothing(work, "the reply holds only reasoning" if shell.thinking else "the reply is empty")
    return Found((("", None, ((start, end),)),), tuple(drops), ())
