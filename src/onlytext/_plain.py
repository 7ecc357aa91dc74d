"""The road of a reply in plain text: find the text among what is said about it."""

from __future__ import annotations

import bisect
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext._alone import clean_alone
from onlytext._commentary import QUOTE_SIGN
from onlytext._compare import likeness, words
from onlytext._fold import fold
from onlytext._inside import (
    KIN,
    LIKELY,
    SAME,
    TALKS,
    Row,
    drop_parts,
    drop_siblings,
    nothing,
    read_rows,
)
from onlytext._markers import END, NOTES, START
from onlytext._regex import regex
from onlytext._reply import Doubt
from onlytext._sectioned import strip_end
from onlytext._sentences import drop_label, drop_sentences, label_of
from onlytext._spans import Body, Drop, Found, keep, trimmed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onlytext._commentary import Judge
    from onlytext._compare import Passage
    from onlytext._envelope import Shell
    from onlytext._markers import Matcher

# A line that weighs this much says something of the text.
_SPOKEN: Final = 0.9
# What a rule may well have asked for, where the reply says nothing else.
_COUNT: Final = regex(r"^[(\[（【] ?\d{1,4} ?[^\W\d_]{1,20} ?[)\]）】][.。]?$")
_MOST_SEGMENTS: Final = 40
_AGAIN: Final = 0.8
# So many quotations are looked at, the last ones.
_MOST_QUOTES: Final = 60
_LEAD: Final = 6
_ITEM: Final = regex(r"^\s*(?:\*\*)?(\d{1,3})[.)](?:\*\*)?\s")
_QUOTES: Final = {'"': '"', "“": "”", "«": "»", "„": "“", "「": "」", "‘": "’", "”": "”", "'": "'"}


class Segment(NamedTuple):
    """A paragraph, or what commentary leaves of it, and its bag of words.

    `cut` says that commentary, a fence or a rule line stands between it and the one before.
    """

    rows: tuple[int, ...]
    bag: Counter[str]
    cut: bool


def clean_plain(
    work: str,
    matcher: Matcher,
    held: Passage | None,
    judge: Judge,
    shell: Shell,
) -> Found:
    """The text of a reply. Raises `NoContent` or `Ambiguous` where it can't be told."""
    drops: list[Drop] = []
    start, end = _channels(work, matcher, shell, drops)
    end = _before_mention(work, matcher, start, end, held, drops)
    if held is None:
        return clean_alone(work, start, end, judge, drops, shell)
    rows = read_rows(work, start, end, held, judge)
    if not rows:
        raise nothing(work, "the reply is empty")
    thin = _is_thin(work, rows, held, judge)
    if thin:
        rows[-1] = rows[-1]._replace(weight=0.0, reason="", pattern=None)
    chosen = _plainly_there(work, rows, held, judge)
    settled = chosen is not None
    if chosen is None:
        segments = _segments(work, rows, held, judge)
        if not segments:
            raise nothing(work, "the reply holds only commentary", rows)
        chosen = _choose(work, rows, segments, held, judge, shell)
    labelled = _is_final_label(work, rows[chosen[0]], judge) and chosen[0] > 0
    spans = _spans(work, start, end, rows, chosen, held, judge, drops, labelled=labelled)
    if shell.thinking and (
        not spans
        or work[spans[-1][1] : end].strip()
        or not work[start : spans[0][0]].strip()
        or all(rows[index].exact for index in chosen)
    ):
        raise nothing(work, "the reply ends in the middle of its reasoning", rows)
    return Found(
        (Body("", None, tuple(spans)),),
        tuple(sorted(drops)),
        (_thin_doubt(work, rows[-1]),) if thin and rows[-1].line.end <= spans[-1][1] else (),
        settled=settled and _is_whole(work, spans, rows, chosen),
    )


def _is_thin(work: str, rows: Sequence[Row], held: Passage, judge: Judge) -> bool:
    """Whether the reply says nothing of the text but a bare count in brackets as its last line."""
    last = rows[-1]
    if len(rows) < 2 or last.exact or not _COUNT.match(work[last.line.start : last.line.end]):
        return False
    return not any(
        row.fence
        or row.rule
        or row.weight >= _SPOKEN
        or (not row.exact and drop_parts(work, row.line, held, judge))
        for row in rows[:-1]
    )


def _thin_doubt(work: str, row: Row) -> Doubt:
    text = work[row.line.start : row.line.end]
    return Doubt(
        row.line.start, row.line.end, text, "may be commentary, but nothing else in the reply is"
    )


def _plainly_there(work: str, rows: Sequence[Row], held: Passage, judge: Judge) -> list[int] | None:
    """The rows of a text most of which is the draft, line by line and once; none where it is less plain."""
    kin = [index for index, row in enumerate(rows) if row.exact or row.kin >= KIN]
    if not kin:
        return None
    first, last = kin[0], kin[-1]
    if len(kin) != last - first + 1:
        return None
    exact = [rows[index].folded for index in kin if rows[index].exact]
    if len(set(exact)) < len(exact) or 10 * sum(map(len, exact)) < 6 * len(held.body):
        return None
    if any(rows[index].is_commentary(LIKELY) or _annotated(rows[index]) for index in kin):
        return None
    fenced = judge.fenced
    gone = [
        index
        for index in (*range(first), *range(last + 1, len(rows)))
        if _separates(rows[index], fenced=fenced)
    ]
    outside = len(rows) - len(kin)
    if outside and not gone:
        return None
    begin = first if any(index < first for index in gone) else 0
    stop = next((index for index in gone if index > last), len(rows))
    chosen = list(range(begin, stop))
    new = set(chosen).difference(kin)
    if new and any(
        _is_heavy(work, rows, some, judge)
        for some in _paragraphs(work, rows)
        if not new.isdisjoint(some)
    ):
        return None
    return _settle(work, rows, chosen, held)


def _is_whole(
    work: str, spans: Sequence[tuple[int, int]], rows: Sequence[Row], chosen: Sequence[int]
) -> bool:
    """Whether only whole lines went, before and after one stretch."""
    if len(spans) != 1 or "<" in work:
        return False
    start, end = spans[0]
    first, last = rows[chosen[0]].line, rows[chosen[-1]].line
    return (
        start <= first.start
        and not work[start : first.start].strip()
        and not work[end : last.end].strip()
    )


def _channels(work: str, matcher: Matcher, shell: Shell, drops: list[Drop]) -> tuple[int, int]:
    """Where the text stands between the start marker, the end sentinel and the notes."""
    start, end = shell.start, shell.end
    marks = list(matcher.find(work, start, end))
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
    stops = [
        mark
        for mark in marks
        if mark.key[0] == END and mark.start >= start and mark.place != "inline"
    ]
    for stop in stops:
        if work[start : stop.start].strip() and (
            stop.tier != "loose" or not work[stop.end : end].strip()
        ):
            drops.append(Drop(stop.start, end, "end sentinel and what follows it"))
            end = stop.start
            break
    else:
        end = strip_end(work, matcher, start, end, drops)
    for mark in marks:
        if mark.key[0] == NOTES and start <= mark.start < end:
            if work[start : mark.start].strip():
                drops.append(Drop(mark.start, end, "notes channel"))
                end = mark.start
                break
            drops.append(Drop(mark.start, mark.body, "notes marker"))
            start = mark.body
    return start, end


def _before_mention(
    work: str, matcher: Matcher, start: int, end: int, held: Passage | None, drops: list[Drop]
) -> int:
    """Where the text ends when its last paragraph speaks of the start marker, and no draft does."""
    marker = matcher.exact(START)
    if not marker or start == 0 or (held is not None and marker in held.body):
        return end
    at = work[start:end].rstrip().rfind("\n\n") + start
    if at <= start or marker not in work[at:end]:
        return end
    drops.append(Drop(at, end, "speaks of the start marker"))
    return at


def _segments(work: str, rows: Sequence[Row], held: Passage, judge: Judge) -> list[Segment]:
    """The paragraphs of a reply without commentary, and without fences that the draft does not have."""
    fenced = any(line.startswith(("```", "~~~")) for line in held.lines)
    segments: list[Segment] = []
    cut = False
    for paragraph in _paragraphs(work, rows):
        heavy = len(paragraph) > 1 and _is_heavy(work, rows, paragraph, judge)
        current: list[int] = []
        for index in [*paragraph, None]:
            row = rows[index] if index is not None else None
            gone = row is None or heavy or _separates(row, fenced=fenced)
            if index is not None and not gone:
                current.append(index)
                continue
            if current:
                bag = Counter(item for one in current for item in words(rows[one].folded))
                segments.append(Segment(tuple(current), bag, cut))
                current = []
                cut = False
            if row is not None:
                cut = True
    return segments


def _paragraphs(work: str, rows: Sequence[Row]) -> list[list[int]]:
    groups: list[list[int]] = []
    for index, row in enumerate(rows):
        if groups and work.count("\n", rows[index - 1].line.end, row.line.start) < 2:
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def _is_heavy(work: str, rows: Sequence[Row], paragraph: Sequence[int], judge: Judge) -> bool:
    """Whether a paragraph of several lines is commentary as a whole."""
    some = [rows[index] for index in paragraph]
    if any(row.exact or row.fence or row.kin >= KIN for row in some):
        return False
    return judge.weigh(work[some[0].line.start : some[-1].line.end]).score >= LIKELY + 0.25


def _separates(row: Row, *, fenced: bool) -> bool:
    if row.exact:
        return False
    if row.fence:
        return not fenced
    return (
        row.rule
        or not any(char.isalnum() for char in row.folded)
        or row.is_commentary(LIKELY)
        or _annotated(row)
    )


def _annotated(row: Row) -> bool:
    """Whether a line that quotes the draft is about it."""
    return (
        not row.exact and row.kin < 0.95 and row.weight >= 2.6 and "quotes the draft" in row.reason
    )


def _choose(
    work: str,
    rows: Sequence[Row],
    segments: Sequence[Segment],
    held: Passage,
    judge: Judge,
    shell: Shell,
) -> list[int]:
    """The rows of the answer: the paragraphs most like the draft, in their latest version."""
    whole = _sum(segments, 0, len(segments) - 1)
    if any(segment.cut for segment in segments[1:]) or likeness(whole, held.bag) < 0.75:
        segments = _blocks(segments, held)
    last = len(segments) - 1
    if not any(segment.cut for segment in segments[1:]) and likeness(whole, held.bag) >= 0.75:
        first, stop = 0, last
    else:
        first, stop = _labelled(work, rows, segments, judge) or _best_range(rows, segments, held)
        bag = _sum(segments, first, stop)
        if likeness(bag, held.bag) < 0.2:
            first, stop = _rewrite(work, rows, segments, shell)
    chosen = [index for segment in segments[first : stop + 1] for index in segment.rows]
    chosen = _restated(work, rows, chosen)
    return _settle(work, rows, chosen, held)


def _labelled(
    work: str, rows: Sequence[Row], segments: Sequence[Segment], judge: Judge
) -> tuple[int, int] | None:
    """The segments from a label on that calls its line the final version, where others came before."""
    for index in range(len(segments) - 1, 0, -1):
        row = rows[segments[index].rows[0]]
        if segments[index].cut and _is_final_label(work, row, judge):
            last = index
            while last + 1 < len(segments) and not segments[last + 1].cut:
                last += 1
            return index, last
    return None


def _is_final_label(work: str, row: Row, judge: Judge) -> bool:
    """Whether a line begins with a label that calls the rest of it the final version."""
    label = label_of(work[row.line.start : row.line.end])
    return (
        label is not None
        and len(label) <= 40
        and not row.exact
        and not judge.holds(fold(label))
        and "announce" in judge.weigh(label).reasons
    )


def _blocks(segments: Sequence[Segment], held: Passage) -> list[Segment]:
    """The segments put together where nothing says that another version or a remark begins."""
    blocks: list[list[Segment]] = []
    used: Counter[str] = Counter()
    akin = False
    for segment in segments:
        total = segment.bag.total() or 1
        shared = over = 0
        for item, count in segment.bag.items():
            room = held.bag[item]
            if room:
                shared += count
                over += min(count, max(0, used[item] + count - room))
        mine = 2 * shared >= total
        again = 2 * over >= total
        if not blocks or segment.cut or again or mine != akin:
            blocks.append([segment])
            if again:
                used = Counter()
        else:
            blocks[-1].append(segment)
        used.update(segment.bag)
        akin = mine
    merged = [
        Segment(
            tuple(row for segment in block for row in segment.rows),
            _sum(block, 0, len(block) - 1),
            block[0].cut,
        )
        for block in blocks
    ]
    return merged[-_MOST_SEGMENTS:]


def _sum(segments: Sequence[Segment], first: int, last: int) -> Counter[str]:
    if first == last:
        return segments[first].bag
    total: Counter[str] = Counter()
    for segment in segments[first : last + 1]:
        total.update(segment.bag)
    return total


def _best_range(rows: Sequence[Row], segments: Sequence[Segment], held: Passage) -> tuple[int, int]:
    count = len(segments)
    likes: dict[tuple[int, int], float] = {}
    size = held.bag.total()
    # Only the draft's own words are shared; of the others it counts how many they are.
    bags = [
        [(item, number) for item, number in one.bag.items() if item in held.bag] for one in segments
    ]
    totals = [one.bag.total() for one in segments]
    for first in range(count):
        seen: Counter[str] = Counter()
        shared = total = cuts = 0
        for last in range(first, count):
            for item, number in bags[last]:
                room = held.bag[item] - seen[item]
                if room > 0:
                    shared += min(room, number)
                seen[item] += number
            total += totals[last]
            if last > first and segments[last].cut:
                cuts += 1
            likes[first, last] = 2 * shared / (size + total) - 0.06 * cuts
    best = max(likes, key=lambda span: (round(likes[span], 2), span[1], -span[0]))
    versions = False
    while True:
        mine = _sum(segments, *best)
        later = [
            span
            for span in likes
            if span[0] > best[1]
            and likes[span] >= 0.5 * likes[best]
            and likeness(_sum(segments, *span), mine) >= 0.35
            and not _is_echo(rows, segments, span, best)
        ]
        if not later:
            break
        best = max(later, key=lambda span: (round(likes[span], 2), span[1]))
        versions = True
    return _extended(segments, best, versions=versions or _is_restart(segments, best))


def _is_restart(segments: Sequence[Segment], best: tuple[int, int]) -> bool:
    """Whether something like the chosen text stands before it."""
    mine = _sum(segments, *best)
    return any(likeness(segments[index].bag, mine) >= 0.5 for index in range(best[0]))


def _extended(
    segments: Sequence[Segment], best: tuple[int, int], *, versions: bool
) -> tuple[int, int]:
    """The range with the new paragraphs beside it that no commentary sets apart."""
    first, last = best
    mine = _sum(segments, first, last)
    if not versions and not any(segment.cut for segment in segments[: first + 1]):
        first = 0
    while (
        last + 1 < len(segments)
        and not segments[last + 1].cut
        and likeness(segments[last + 1].bag, mine) < 0.5
    ):
        last += 1
    return first, last


def _is_echo(
    rows: Sequence[Row], segments: Sequence[Segment], span: tuple[int, int], best: tuple[int, int]
) -> bool:
    """Whether a later series is the draft itself, given again for comparison."""
    later = [rows[index] for segment in segments[span[0] : span[1] + 1] for index in segment.rows]
    earlier = [rows[index] for segment in segments[best[0] : best[1] + 1] for index in segment.rows]
    return all(row.exact for row in later) and not all(row.exact for row in earlier)


def _rewrite(
    work: str, rows: Sequence[Row], segments: Sequence[Segment], shell: Shell
) -> tuple[int, int]:
    """The last long block of a reply that shares no words with the draft."""
    blocks: list[list[int]] = []
    for index, segment in enumerate(segments):
        if blocks and not segment.cut:
            blocks[-1].append(index)
        else:
            blocks.append([index])
    sizes = [sum(_size(rows, segments[index]) for index in block) for block in blocks]
    total = sum(row.line.end - row.line.start for row in rows)
    picked = max(index for index, size in enumerate(sizes) if size >= 0.5 * max(sizes))
    if sizes[picked] < 0.5 * total or shell.thinking:
        raise nothing(work, "the reply holds no text that is like the draft", rows)
    return blocks[picked][0], blocks[picked][-1]


def _restated(work: str, rows: Sequence[Row], chosen: list[int]) -> list[int]:
    """The chosen rows from where they give again what stood in quotation marks before them."""
    quotes = [
        index
        for index in range(chosen[-1])
        if not rows[index].exact
        and QUOTE_SIGN.search(work[rows[index].line.start : rows[index].line.start + _LEAD])
    ]
    said = {index: Counter(words(rows[index].folded)) for index in quotes[-_MOST_QUOTES:]}
    most = max((one.total() for one in said.values()), default=0)
    bag = Counter[str]()
    size = 0
    for place in range(len(chosen) - 1, 0, -1) if quotes else ():
        row = rows[chosen[place]]
        series = words(row.folded)
        bag.update(series)
        size += len(series)
        if _AGAIN * size > 2 * most:
            # Too long by now to be like any of them.
            break
        if work.endswith("\n\n", 0, row.line.start) and any(
            likeness(one, bag) >= _AGAIN for index, one in said.items() if index < chosen[place]
        ):
            return chosen[place:]
    return chosen


def _size(rows: Sequence[Row], segment: Segment) -> int:
    return sum(rows[index].line.end - rows[index].line.start for index in segment.rows)


def _settle(work: str, rows: Sequence[Row], chosen: list[int], held: Passage) -> list[int]:
    """The chosen rows without the labels at their edges; refuses what is too little to be the text."""
    first, stop = 0, len(chosen)
    while stop - first > 1 and chosen[first] > 0 and _is_label(work, rows[chosen[first]], 0.3):
        first += 1
    while (
        stop - first > 1
        and chosen[stop - 1] + 1 < len(rows)
        and _is_label(work, rows[chosen[stop - 1]], 0.0)
    ):
        stop -= 1
    chosen = chosen[first:stop]
    if len(chosen) <= 2:
        kept = sum(len(words(rows[index].folded)) for index in chosen)
        size = held.bag.total()
        if size >= 20 and kept <= 3 and kept < 0.12 * size:
            raise nothing(work, "the reply is far too short to be the text", rows)
    if any(rows[index].exact for index in chosen):
        return chosen
    like = likeness(
        Counter(item for index in chosen for item in words(rows[index].folded)), held.bag
    )
    kept_rows = set(chosen)
    lost = sum(
        row.line.end - row.line.start for index, row in enumerate(rows) if index not in kept_rows
    )
    total = sum(row.line.end - row.line.start for row in rows)
    between = chosen[0] > 0 and chosen[-1] < len(rows) - 1
    if like < 0.3 and lost > 0.35 * total and between:
        raise nothing(work, "what is left between the commentary is not like the draft", rows)
    return chosen


def _is_label(work: str, row: Row, kin: float) -> bool:
    """Whether a line at the edge of the text only leads over to or from commentary."""
    text = work[row.line.start : row.line.end].strip().strip("*_# ")
    if row.exact or row.kin > kin + 0.05:
        return False
    heading = work[row.line.start : row.line.end].strip().startswith(("#", "**"))
    return (text.endswith((":", "：")) and len(words(row.folded)) <= 12) or (
        heading and row.weight >= 0.6
    )


def _spans(
    work: str,
    start: int,
    end: int,
    rows: Sequence[Row],
    chosen: Sequence[int],
    held: Passage,
    judge: Judge,
    drops: list[Drop],
    *,
    labelled: bool,
) -> list[tuple[int, int]]:
    """The kept spans, and the drops that explain the rest."""
    first, last = chosen[0], chosen[-1]
    inner = set(chosen)
    again = _given_again(work, rows, chosen)
    put_back = set(again.values())
    gone: list[Drop] = []
    for index, row in enumerate(rows):
        if index in put_back:
            continue
        if index not in inner or index in again:
            reason = row.reason or "belongs to the commentary round it"
            gone.append(Drop(row.line.start, row.line.end, reason, row.pattern))
            continue
        if row.exact:
            continue
        label = drop_label(work, row.line, held, judge) if index == first else []
        if index == first and not label and labelled:
            name = label_of(work[row.line.start : row.line.end]) or ""
            at = work.index(name, row.line.start) + len(name)
            after = work[at : row.line.end]
            stop = row.line.end - len(after.lstrip(" *_:：\xa0"))
            label = [Drop(row.line.start, stop, "label before the text")]
        gone += label
        parts: list[Drop] = []
        quiet = row.kin >= SAME and not TALKS.search(work, row.line.start, row.line.end)
        if not (label or quiet):
            parts = drop_sentences(
                work, row.line, held, judge, first=index == first, last=index == last
            )
        gone += parts or drop_parts(work, row.line, held, judge)
    kept = [rows[index] for index in chosen if index not in again]
    gone += drop_siblings(work, kept, gone, judge)
    drops += gone
    spans = keep(work, start, end, sorted(gone))
    if again:
        spans = _put_back(rows, again, spans)
    return _unquoted(
        work,
        trimmed(
            work,
            spans,
            start,
            end,
            head=first > 0 or start > 0,
            tail=last + 1 < len(rows) or end < len(work),
        ),
        held,
        drops,
    )


def _given_again(work: str, rows: Sequence[Row], chosen: Sequence[int]) -> dict[int, int]:
    """The numbered items of the text that are given again after it: the old row, the new one."""
    items: dict[str, list[int]] = {}
    for index in chosen:
        found = _ITEM.match(work[rows[index].line.start : rows[index].line.end])
        if found is not None:
            items.setdefault(found.group(1), []).append(index)
    again: dict[int, int] = {}
    for index in range(chosen[-1] + 1, len(rows)):
        found = _ITEM.match(work[rows[index].line.start : rows[index].line.end])
        if found is None:
            continue
        old = items.get(found.group(1), [])
        if len(old) != 1 or rows[index].is_commentary(LIKELY):
            return {}
        again[old[0]] = index
    return again


def _put_back(
    rows: Sequence[Row], again: dict[int, int], spans: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The spans with each item that was given again in the place of the old one."""
    starts = sorted(rows[new].line.start for new in again.values())
    left = [
        span
        for span in spans
        if bisect.bisect_left(starts, span[0]) == bisect.bisect_left(starts, span[1])
    ]
    back: list[tuple[int, int]] = []
    at = 0
    for old, new in sorted(again.items()):
        while at < len(left) and left[at][0] <= rows[old].line.start:
            back.append(left[at])
            at += 1
        back.append((rows[new].line.start, rows[new].line.end))
    return back + left[at:]


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
    drops += [
        Drop(start, start + 1, "quotes round the whole"),
        Drop(stop, stop + 1, "quotes round the whole"),
    ]
    trimmed = [(max(begin, start + 1), min(end, stop)) for begin, end in spans]
    return [span for span in trimmed if span[0] < span[1]]
