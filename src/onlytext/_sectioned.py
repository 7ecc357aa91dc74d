"""The road of a reply in sections: find the markers, choose the run, look inside."""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING, NamedTuple

from onlytext._audited import drop_audited
from onlytext._choose import Chosen, Court
from onlytext._compare import Passage, passage, ratio, words
from onlytext._fold import fold
from onlytext._inside import (
    LIKELY,
    RULE_LINE,
    Row,
    bare_row,
    drop_lines,
    drop_parts,
    drop_siblings,
    may_hang,
    read_rows,
)
from onlytext._lines import FENCE, line_end, split_lines
from onlytext._markers import END, Key, Mark, Matcher
from onlytext._regex import regex
from onlytext._remarks import drop_asides
from onlytext._reply import Doubt
from onlytext._runs import Order, Part, split_runs
from onlytext._spans import Body, Drop, Found, Span, keep
from onlytext._suspect import refuse, suspect
from onlytext.errors import NoContent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from onlytext._commentary import Judge
    from onlytext._envelope import Shell
    from onlytext._format import Sections


def strip_cut_marker(work: str, matcher: Matcher, start: int, end: int, drops: list[Drop]) -> int:
    """Where the text ends when its last line is a marker that was cut off."""
    line = work.rfind("\n", start, end) + 1
    folded = fold(work[line:end])
    if (
        line <= start
        or len(folded) < 2
        or folded[0].isalnum()
        or not any(char.isalpha() for char in folded)
    ):
        return end
    if not any(spelled.startswith(folded) and spelled != folded for spelled in matcher.spelled):
        return end
    drops.append(Drop(line, end, "marker that was cut off"))
    return line


def strip_end(work: str, matcher: Matcher, start: int, end: int, drops: list[Drop]) -> int:
    """Where the text ends when the end sentinel is on its last line or hangs on it."""
    sentinel = matcher.exact(END)
    tail = work[start:end].rstrip()
    if not sentinel or not tail:
        return end
    line = start + tail.rfind("\n") + 1
    stop = None
    if tail.endswith(sentinel):
        stop = start + len(tail) - len(sentinel)
    elif words(fold(work[line:end])) == words(fold(sentinel)):
        stop = line
    if stop is None or not work[start:stop].strip():
        return end
    drops.append(Drop(stop, end, "end sentinel"))
    return stop


# A section that is sent again stands among remarks, so less is enough to call a line one of them.
AGAIN = 0.8
# How much a paragraph says before a section comes again.
_LEADS = 0.7
_BRACKET_END = regex(r"[ \t\xa0]+[(\[（【]([^()\[\]（）【】\n]{1,60})[)\]）】]$")
_FEWEST_ENDS = 2
# So much weight before the first marker says that the reply speaks about its text.
_SAYS = 0.8
# No text begins with what goes on with a sentence.
_GOES_ON = frozenset(",;")


class Draft(NamedTuple):
    """The draft in sections, in its own order; empty where its markers can't be read."""

    sections: dict[Key, Passage]
    mentions: tuple[str, ...]
    """Lines of its bodies that look like markers."""
    names: dict[Key, str]
    size: int
    """How many characters it has."""


NO_DRAFT = Draft({}, (), {}, 0)


def read_draft(draft: str, matcher: Matcher) -> Draft:
    """The sections of a draft, which is well-formed."""
    plain = matcher.reader.read(draft) if matcher.reader is not None else None
    if plain is not None:
        keys, parts = plain
        return Draft(
            {key: passage(body) for key, body in zip(keys, parts[2::2], strict=True)},
            (),
            dict(zip(keys, parts[1::2], strict=True)),
            len(draft),
        )
    marks = [mark for mark in matcher.find(draft, 0, len(draft)) if mark.key[0] >= 0]
    alone = {mark.key[0] for mark in marks if mark.place != "inline"}
    seen: dict[Key, Mark] = {}
    for mark in marks:
        if mark.key not in seen and (mark.place != "inline" or mark.key[0] not in alone):
            seen[mark.key] = mark
    kept = list(seen.values())
    sections: dict[Key, Passage] = {}
    for index, mark in enumerate(kept):
        stop = kept[index + 1].start if index + 1 < len(kept) else len(draft)
        sections[mark.key] = passage(draft[mark.body : stop])
    spots = {mark.start for mark in kept}
    mentions = tuple(
        fold(draft[mark.start : line_end(draft, mark.start)])
        for mark in marks
        if mark.start not in spots
    )
    names = {key: matcher.canonical(key) for key in sections}
    return Draft(sections, mentions, names, len(draft))


def clean_sections(
    work: str,
    format: Sections,
    matcher: Matcher,
    draft: Draft,
    judge: Judge,
    shell: Shell,
) -> Found:
    """The sections of a reply. Raises `NoContent` where there are none."""
    order = Order([marker.numbered for marker in format.markers], list(draft.sections))
    required = frozenset(
        (index, 0 if not marker.numbered else 1)
        for index, marker in enumerate(format.markers)
        if not marker.optional
    )
    tail = list[Drop]()
    shell = shell._replace(end=strip_cut_marker(work, matcher, shell.start, shell.end, tail))
    shell = shell._replace(end=strip_end(work, matcher, shell.start, shell.end, tail))
    court = Court(work, judge, draft.sections, required, order)
    strict = [
        mark
        for mark in matcher.find(work, shell.start, shell.end)
        if not _is_mention(work, mark, draft)
    ]
    needed = {key[0] for key in required}
    best: tuple[list[Chosen], list[Mark]] | None = None
    fewest = 1 << 30
    tried: list[list[Mark]] = []
    for marks in _mark_sets(work, matcher, strict, shell):
        if marks in tried:
            continue
        tried.append(marks)
        content = [mark for mark in marks if mark.key[0] >= 0]
        stops = sorted(mark.start for mark in marks)
        runs = split_runs(content, shell.end, order)
        if len(content) < len(marks):
            runs = [run._replace(parts=_bounded(run.parts, stops)) for run in runs]
        picked = court.choose(runs)
        if picked is None:
            if judge.draft is None and any({key[0] for key in run.keys} >= needed for run in runs):
                break
            continue
        sections = picked
        keys = {one.key for one in sections}
        wanted = set(draft.sections) or set(required)
        missing = len(wanted - keys)
        if missing < fewest:
            fewest, best = missing, (sections, marks)
        if not missing:
            break
    if best is None or (shell.thinking and fewest):
        raise _no_section(work, strict)
    found = _inside(work, matcher, draft, judge, shell, *best)
    return found._replace(drops=(*found.drops, *tail))


def _mark_sets(
    work: str, matcher: Matcher, strict: Sequence[Mark], shell: Shell
) -> Iterator[list[Mark]]:
    """The markers to try: those alone on their lines, then those with text after them, then bare names."""
    controls = [mark for mark in strict if mark.key[0] < 0]
    alone = [mark for mark in strict if mark.key[0] >= 0 and mark.place != "inline"]
    inline = [
        mark for mark in strict if mark.key[0] >= 0 and mark.place == "inline" and not mark.listed
    ]
    yield sorted([*controls, *alone], key=_where)
    yield sorted([*controls, *alone, *inline], key=_where)
    taken = {mark.start for mark in strict}
    bare = [
        mark
        for mark in matcher.find(work, shell.start, shell.end, loose=True)
        if mark.key[0] >= 0
        and mark.place != "remark"
        and not mark.listed
        and mark.start not in taken
    ]
    yield sorted([*controls, *alone, *bare], key=_where)
    yield sorted([*controls, *alone, *inline, *bare], key=_where)


def _where(mark: Mark) -> int:
    return mark.start


def _bounded(parts: Sequence[Part], stops: Sequence[int]) -> tuple[Part, ...]:
    """The parts, each up to the next marker of any kind."""
    rows: list[Part] = []
    for part in parts:
        at = bisect.bisect_right(stops, part.mark.start)
        stop = max(stops[at], part.start) if at < len(stops) else part.end
        rows.append(part if stop >= part.end else part._replace(end=stop))
    return tuple(rows)


def _is_mention(work: str, mark: Mark, draft: Draft) -> bool:
    """Whether a line that begins with a marker stands in a section of the draft."""
    if not draft.mentions:
        return False
    line = fold(work[mark.start : line_end(work, mark.start)])
    return any(line == other or ratio()(line, other) >= 85 for other in draft.mentions)


def _inside(
    work: str,
    matcher: Matcher,
    draft: Draft,
    judge: Judge,
    shell: Shell,
    chosen: list[Chosen],
    marks: Sequence[Mark],
) -> Found:
    drops: list[Drop] = []
    doubts: list[Doubt] = []
    emptied = 0
    settled = judge.draft is not None
    before = work[: chosen[0].parts[0].mark.start].rstrip().rpartition("\n")[2]
    wrapped = FENCE.match(before) is not None
    speaks = _speaks_elsewhere(work, shell, chosen, draft, judge)
    rows: list[Body] = []
    final = max(part.end for one in chosen for part in one.parts)
    for one in chosen:
        spans: list[tuple[int, int]] = []
        held = draft.sections.get(one.key)
        for part in one.parts:
            if held is not None and work[part.start : part.end].strip() == held.body.strip():
                spans.append((part.start, part.end))
                continue
            some = _tidy(
                work,
                part,
                held,
                judge,
                restart=one.restart,
                again=one.again,
                last=part.end == final,
                wrapped=wrapped,
                speaks=speaks,
            )
            drops += some
            left = keep(work, part.start, part.end, some)
            spans += left
            settled = settled and (not some or _is_tidy(work, part, left, held, judge))
        if not any(work[start:end].strip() for start, end in spans):
            emptied += 1
            whole = [(part.start, part.end) for part in one.parts]
            if any(work[start:end].strip() for start, end in whole):
                spans = whole
                doubts.append(
                    Doubt(
                        *whole[0],
                        work[slice(*whole[0])].strip(),
                        "may be commentary, but nothing else is left of the section",
                    )
                )
        rows.append(Body(matcher.canonical(one.key), one.parts[0].mark, tuple(spans)))
    rows, some = _hanging(work, chosen, rows, draft, judge, drops, speaks=speaks)
    drops += some
    settled = settled and not some
    rows[-1] = _without_end(work, rows[-1])
    if judge.draft is None:
        first = chosen[0].parts[0].mark.start
        leaked = bool(drops) or any(char.isalnum() for char in work[shell.start : first])
        leaked = leaked or sum(mark.key[0] >= 0 for mark in marks) > len(rows)
        doubts += _suspects(work, rows, judge, leaked=leaked)
    if 2 * emptied >= len(rows):
        raise _no_section(work, marks)
    settled = (
        settled and not emptied and "<" not in work and all(len(one.parts) == 1 for one in chosen)
    )
    return Found(tuple(rows), tuple(drops), tuple(doubts), settled)


def _without_asides(
    work: str, bodies: list[Body], judge: Judge, taken: Sequence[Drop]
) -> tuple[list[Body], list[Drop]]:
    """The bodies without the remarks in their lines that give themselves away."""
    lines = [
        line
        for body in bodies
        for start, end in body.spans
        for line in split_lines(work, start, end)
    ]
    drops, unsure = drop_asides(work, lines, judge, taken)
    if unsure:
        raise refuse(work, unsure)
    if not drops:
        return bodies, []
    return [
        body._replace(
            spans=tuple(
                left
                for start, end in body.spans
                for left in keep(
                    work, start, end, [one for one in drops if start <= one.start < end]
                )
            )
        )
        for body in bodies
    ], drops


def _hanging(
    work: str,
    chosen: Sequence[Chosen],
    bodies: list[Body],
    draft: Draft,
    judge: Judge,
    drops: Sequence[Drop],
    *,
    speaks: bool,
) -> tuple[list[Body], list[Drop]]:
    """The bodies without what hangs on their lines, as the lines of other sections give it away."""
    if judge.draft is None:
        return _without_asides(work, bodies, judge, drops)
    bodies, some = _like_others(work, chosen, bodies, draft, judge, drops)
    bodies, more = _counted_ends(work, bodies, judge, speaks=speaks or bool(drops))
    return bodies, [*some, *more]


def _speaks_elsewhere(
    work: str, shell: Shell, chosen: Sequence[Chosen], draft: Draft, judge: Judge
) -> bool:
    """Whether the reply has something to say before its sections, between them or in their lines."""
    if judge.draft is None:
        return False
    first = chosen[0].parts[0].mark.start
    rows = read_rows(work, shell.start, first, judge.draft, judge)
    if any(not row.exact and not row.fence and row.weight >= _SAYS for row in rows):
        return True
    for one in chosen:
        held = draft.sections.get(one.key)
        for part in one.parts:
            for index, row in enumerate(read_rows(work, part.start, part.end, held, judge)):
                if (index and row.is_commentary(LIKELY)) or (
                    not row.exact and drop_parts(work, row.line, held, judge)
                ):
                    return True
    return False


def _like_others(
    work: str,
    chosen: Sequence[Chosen],
    bodies: list[Body],
    draft: Draft,
    judge: Judge,
    drops: Sequence[Drop],
) -> tuple[list[Body], list[Drop]]:
    """The bodies without remarks of the very shape that went from other sections."""
    remarks = [drop for drop in drops if drop.reason.startswith("remark")]
    if not remarks:
        return bodies, []
    found: list[Drop] = []
    rows: list[Body] = []
    for one, body in zip(chosen, bodies, strict=True):
        held = draft.sections.get(one.key)
        some: list[Drop] = []
        for start, end in body.spans:
            if not may_hang(work, start, end):
                continue
            lines = read_rows(work, start, end, held, judge)
            more = drop_siblings(work, lines, remarks, judge)
            some += [drop for drop in more if start <= drop.start and drop.end <= end]
        some.sort()
        spans = [left for start, end in body.spans for left in keep(work, start, end, some)]
        found += some
        rows.append(body._replace(spans=tuple(spans)) if some else body)
    return rows, found


def _counted_ends(
    work: str, bodies: list[Body], judge: Judge, *, speaks: bool
) -> tuple[list[Body], list[Drop]]:
    """The bodies without the bare numbers in brackets that most lines of a reply that speaks end in."""
    lines = [
        line
        for body in bodies
        for start, end in body.spans
        for line in split_lines(work, start, end)
    ]
    if not speaks or len(lines) < _FEWEST_ENDS:
        return bodies, []
    ends = [
        (line, found)
        for line in lines
        if (found := _BRACKET_END.search(work[line.start : line.end])) is not None
        and not judge.holds(fold(found.group(1)))
    ]
    numbers = [one for one in ends if one[1].group(1).strip().isdigit()]
    if len(numbers) < _FEWEST_ENDS or 2 * len(numbers) < len(lines):
        return bodies, []
    some = [
        Drop(line.start + found.start(), line.end, "number on every line")
        for line, found in (ends if len(ends) == len(lines) else numbers)
    ]
    return [
        body._replace(
            spans=tuple(
                left
                for start, end in body.spans
                for left in keep(
                    work, start, end, [one for one in some if start <= one.start and one.end <= end]
                )
            )
        )
        for body in bodies
    ], some


def _without_end(work: str, body: Body) -> Body:
    """The last body without the blank lines before what went after it."""
    if not body.spans or body.spans[-1][1] >= len(work):
        return body
    start, end = body.spans[-1]
    kept = work[start:end].rstrip()
    return body._replace(
        spans=(*body.spans[:-1], (start, start + len(kept))) if kept else body.spans[:-1]
    )


def _suspects(work: str, bodies: Sequence[Body], judge: Judge, *, leaked: bool) -> list[Doubt]:
    """The doubts about what is kept without a draft. Raises `Ambiguous` where it says too much."""
    doubts: list[Doubt] = []
    damning: list[str] = []
    for index, body in enumerate(bodies):
        lines = [line for start, end in body.spans for line in split_lines(work, start, end)]
        some, worse = suspect(
            work, lines, judge, last=index == len(bodies) - 1, leaked=leaked, in_sections=True
        )
        doubts += some
        damning += worse
    if damning:
        raise refuse(work, damning)
    return doubts


def _no_section(work: str, marks: Sequence[Mark]) -> NoContent:
    return NoContent(
        "the reply has no section with content",
        reply=work,
        evidence=tuple(work[mark.start : line_end(work, mark.start)] for mark in marks[:5]),
        retry="Return the whole text under its markers, and nothing else.",
    )


def _quotation(work: str, rows: Sequence[Row], held: Passage | None) -> list[Drop]:
    """The `>` of each line, where every line that is kept has one and the draft has none."""
    if held is not None and any(line.startswith(">") for line in held.lines):
        return []
    if not all(work[row.line.start : row.line.end].lstrip().startswith(">") for row in rows):
        return []
    signs = ((row.line.start, work.index(">", row.line.start) + 1) for row in rows)
    return [
        Drop(start, stop + (work[stop : stop + 1] == " "), "quotation sign")
        for start, stop in signs
    ]


def _is_tidy(
    work: str, part: Part, spans: Sequence[Span], held: Passage | None, judge: Judge
) -> bool:
    """Whether nothing more goes from what is left of a body."""
    left = "".join(work[start:end] for start, end in spans)
    again = part._replace(start=0, end=len(left))
    return not _tidy(left, again, held, judge, restart=False, last=False, wrapped=False)


def _tidy(
    work: str,
    part: Part,
    held: Passage | None,
    judge: Judge,
    *,
    restart: bool,
    last: bool,
    wrapped: bool,
    again: bool = False,
    speaks: bool = False,
) -> list[Drop]:
    """What goes from one part's body."""
    if judge.draft is None:
        bar = _LEADS if restart else AGAIN if again else None
        return _tidy_alone(work, part, judge, wrapped=wrapped and last, bar=bar)
    rows = read_rows(work, part.start, part.end, held, judge)
    bar = AGAIN if restart or again else LIKELY
    closed = _closing_fence(work, rows) if wrapped and last and not judge.fenced else None
    if closed is not None:
        stop = rows[closed].line.start
        inner = _tidy(
            work,
            part._replace(end=stop),
            held,
            judge,
            restart=restart,
            last=last,
            wrapped=False,
            again=again,
            speaks=speaks,
        )
        return [*inner, Drop(stop, part.end, "what follows the fence round the whole")]
    lone = speaks and held is not None and "\n\n" not in held.body.strip()
    drops = drop_lines(work, rows, judge, bar=bar, last=last, restart=restart, lone=lone)
    gone = {drop.start for drop in drops}
    left = [row for row in rows if row.line.start not in gone]
    drops += _quotation(work, left, held)
    for row in left:
        if row is left[0] and held is not None and not row.exact:
            drops += _beside_marker(work, part, row)
        if not row.exact:
            drops += drop_parts(work, row.line, held, judge)
    drops += drop_siblings(work, left, drops, judge)
    return sorted(drops)


def _closing_fence(work: str, rows: Sequence[Row]) -> int | None:
    """The row that closes the fence round the whole text, where something stands before it."""
    for index, row in enumerate(rows):
        if row.fence:
            found = FENCE.match(work[row.line.start : row.line.end])
            return index if index and found is not None and not found.group(2) else None
    return None


def _beside_marker(work: str, part: Part, row: Row) -> list[Drop]:
    """The rest of a marker's line where it goes on with a sentence, as a remark does."""
    line = row.line
    if work[line.start : line.end].lstrip()[:1] not in _GOES_ON:
        return []
    if "\n" in work[part.mark.start : line.start]:
        return []
    return [Drop(line.start, line.end, "remark beside the marker")]


def _tidy_alone(
    work: str, part: Part, judge: Judge, *, wrapped: bool, bar: float | None
) -> list[Drop]:
    """What goes from one part's body where there is no draft: what patterns and fences give away."""
    rows = [bare_row(line) for line in split_lines(work, part.start, part.end)]
    judge.look_over(work[row.line.start : row.line.end] for row in rows)
    drops = drop_audited(work, rows, judge, head=False)
    if work[part.mark.start : part.mark.body].lstrip().startswith(">"):
        gone = {drop.start for drop in drops}
        drops += _quotation(work, [row for row in rows if row.line.start not in gone], None)
    gone = {drop.start for drop in drops}
    left = [row for row in rows if row.line.start not in gone]
    if bar is not None:
        some = _beside_restart(work, left, judge, bar)
        drops += some
        left = left[: len(left) - len(some)]
    fences = [row for row in left if FENCE.match(work[row.line.start : row.line.end])]
    if wrapped and len(fences) % 2 == 1 and fences[-1] is not left[0]:
        after = left[left.index(fences[-1]) + 1 :]
        drops.append(Drop(*fences[-1].line, "fence round the whole"))
        drops += [Drop(*row.line, "outside of the fence round the whole") for row in after]
    return sorted(drops)


def _beside_restart(work: str, rows: Sequence[Row], judge: Judge, bar: float) -> list[Drop]:
    """The last paragraph of a body before a section comes again, or after it came, where it speaks."""
    begin = next(
        (
            index
            for index in range(len(rows) - 1, 0, -1)
            if work.count("\n", rows[index - 1].line.end, rows[index].line.start) > 1
        ),
        0,
    )
    if not begin:
        return []
    text = work[rows[begin].line.start : rows[-1].line.end]
    if judge.weigh(text).score < bar and not text.rstrip("*_ ").endswith((":", "：")):
        return []
    while begin > 1 and RULE_LINE.match(
        work[rows[begin - 1].line.start : rows[begin - 1].line.end]
    ):
        begin -= 1
    return [Drop(*row.line, "beside a section that comes again") for row in rows[begin:]]
