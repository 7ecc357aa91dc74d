"""What a road keeps of a reply: spans, and how they become the text with its account."""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING, NamedTuple

from onlytext._lines import first_sign
from onlytext._reply import Cut, Piece, Removal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from onlytext._markers import Mark
    from onlytext._reply import Doubt

Span = tuple[int, int]


class Drop(NamedTuple):
    """A stretch that goes, and why."""

    start: int
    end: int
    reason: str
    pattern: str | None = None


class Body(NamedTuple):
    """What is kept of one section, under its marker; of plain text, under none."""

    canonical: str
    mark: Mark | None
    spans: tuple[Span, ...]


class Found(NamedTuple):
    """What a road gives: what is kept, in the order of the text, what goes and why, and doubts."""

    bodies: tuple[Body, ...]
    drops: tuple[Drop, ...]
    doubts: tuple[Doubt, ...] = ()
    settled: bool = False
    """Whether it is known already that cleaning the text again changes nothing."""


class Made(NamedTuple):
    """A text, and the pieces of the reply that it is made of."""

    text: str
    pieces: tuple[Piece, ...]
    cuts: tuple[Cut, ...]
    drops: tuple[Drop, ...]
    doubts: tuple[Doubt, ...]
    settled: bool = False


def keep(work: str, start: int, end: int, drops: Sequence[Drop]) -> list[Span]:
    """What is left of a stretch; a line that goes takes its line end with it."""
    if not drops:
        return [(start, end)] if start < end else []
    spans: list[Span] = []
    at = start
    first = first_sign(work, start, end)
    for drop in sorted(drops):
        begin, stop = max(drop.start, at), drop.end
        if stop <= begin:
            continue
        if at < begin:
            spans.append((at, begin))
        at = max(at, _line_end_too(work, (at, begin, stop), (start, end), first))
    if at < end:
        spans.append((at, end))
    return spans


def _line_end_too(work: str, drop: tuple[int, int, int], bounds: Span, first: int) -> int:
    """The end of a drop with its line end, and the blank lines too where one stands before.

    `drop` is where the last one ended, and where this one begins and ends.
    """
    (at, begin, stop), (start, end) = drop, bounds
    line = work.rfind("\n", at, begin) + 1
    if stop >= end or work[stop] != "\n" or work[max(line, at) : begin].strip():
        return stop
    stop += 1
    if begin <= first or (begin - start > 1 and work.endswith("\n\n", start, begin)):
        while stop < end and work[stop] in " \t\n":
            stop += 1
        if stop < end:
            # The next line keeps its indentation.
            stop = max(begin, work.rfind("\n", 0, stop) + 1)
    return stop


def without(spans: Sequence[Span], drops: Sequence[Drop]) -> list[Span]:
    """The spans less what was taken out of their middle."""
    holes: list[Span] = []
    for drop in sorted(drops):
        if holes and drop.start <= holes[-1][1]:
            holes[-1] = (holes[-1][0], max(holes[-1][1], drop.end))
        elif drop.start < drop.end:
            holes.append((drop.start, drop.end))
    ends = [stop for _, stop in holes]
    left: list[Span] = []
    for start, end in spans:
        at = start
        index = bisect.bisect_right(ends, start)
        while index < len(holes) and holes[index][0] < end:
            if at < holes[index][0]:
                left.append((at, holes[index][0]))
            at = holes[index][1]
            index += 1
        if at < end:
            left.append((at, end))
    return left


def assemble(reply: str, work: str, found: Found) -> Made:
    """The text that the kept spans make, with canonical markers."""
    pieces: list[Piece] = []
    cuts: list[Cut] = []
    parts: list[str] = []
    size = 0
    spaced = "\n\n" in reply

    def put(piece: Piece) -> None:
        nonlocal size
        string = reply[piece.start : piece.end] if piece.put is None else piece.put
        if string or piece.end > piece.start:
            pieces.append(piece)
            parts.append(string)
            size += len(string)

    for body in found.bodies:
        if body.mark is not None:
            _put_marker(
                reply, body, body.mark, parts, put, pieces[-1].end if pieces else 0, spaced=spaced
            )
        begin = size
        for start, end in body.spans:
            if (
                parts
                and not parts[-1].endswith(("\n", "\r"))
                and start > 0
                and work[start - 1] == "\n"
            ):
                put(Piece(start, start, "\n"))
            put(Piece(start, end))
        if body.mark is not None:
            cuts.append(Cut(body.canonical, begin, size))
    return Made(
        "".join(parts), tuple(pieces), tuple(cuts), found.drops, found.doubts, found.settled
    )


def _put_marker(
    reply: str,
    body: Body,
    mark: Mark,
    parts: list[str],
    put: Callable[[Piece], None],
    before: int,
    *,
    spaced: bool,
) -> None:
    """A marker in canonical spelling on a line of its own, or as it stands where it is exact."""
    if parts and not parts[-1].endswith(("\n", "\r")):
        put(Piece(mark.start, mark.start, "\n\n"))
    elif (
        parts
        and parts[-1].endswith("\n")
        and not parts[-1].endswith("\n\n")
        and before != mark.start
        and spaced
    ):
        put(Piece(mark.start, mark.start, "\n"))
    if reply[mark.start : mark.end] == body.canonical and mark.end == mark.body:
        put(Piece(mark.start, mark.end))
    else:
        put(Piece(mark.start, mark.body, body.canonical))
    first = body.spans[0][0] if body.spans else mark.body
    if body.spans and reply[first : first + 1] not in ("\n", "\r"):
        put(Piece(first, first, "\n"))


def removals_of(reply: str, pieces: Sequence[Piece], drops: Sequence[Drop]) -> tuple[Removal, ...]:
    """What the pieces leave out of the reply, each stretch with the reason that was found for it."""
    removals: list[Removal] = []
    ordered = sorted(drops)
    at = 0
    edges = sorted((piece.start, piece.end) for piece in pieces if piece.end > piece.start)
    index = 0
    for start, end in [*edges, (len(reply), len(reply))]:
        if start > at:
            while index < len(ordered) and ordered[index].end <= at:
                index += 1
            removals += _explained(reply, at, start, ordered, index)
        at = max(at, end)
    return tuple(removals)


def _explained(
    reply: str, start: int, end: int, drops: Sequence[Drop], index: int
) -> list[Removal]:
    """A stretch that goes, parted where one reason ends and another begins, from one drop on."""
    rows: list[Removal] = []
    at = start
    last: Drop | None = None
    for place in range(index, len(drops)):
        drop = drops[place]
        if drop.start >= end:
            break
        if drop.end <= at:
            continue
        if last is not None and (drop.reason, drop.pattern) != (last.reason, last.pattern):
            edge = max(drop.start, at)
            if edge > at:
                rows.append(Removal(at, edge, reply[at:edge], last.reason, last.pattern))
                at = edge
        last = drop
    reason = last.reason if last is not None else "outside of the text"
    rows.append(Removal(at, end, reply[at:end], reason, last.pattern if last is not None else None))
    return rows


def compose(first: Made, second: Made) -> Made:
    """A second cleaning of the first one's text, told in offsets of the reply."""
    tracks: list[tuple[int, Piece]] = []
    ends: list[int] = []
    at = 0
    for piece in first.pieces:
        tracks.append((at, piece))
        at += _length(piece)
        ends.append(at)
    pieces = [mapped for piece in second.pieces for mapped in _mapped(piece, tracks, ends)]
    drops = [
        Drop(mapped.start, mapped.end, drop.reason, drop.pattern)
        for drop in second.drops
        for mapped in _mapped(Piece(drop.start, drop.end), tracks, ends)
        if mapped.end > mapped.start
    ]
    return Made(second.text, tuple(pieces), second.cuts, (*first.drops, *drops), first.doubts)


def _length(piece: Piece) -> int:
    return piece.end - piece.start if piece.put is None else len(piece.put)


def _mapped(piece: Piece, tracks: Sequence[tuple[int, Piece]], ends: Sequence[int]) -> list[Piece]:
    """A piece of the first text as pieces of the reply."""
    under: list[tuple[int, Piece]] = []
    for index in range(bisect.bisect_right(ends, piece.start), len(tracks)):
        if tracks[index][0] >= piece.end:
            break
        under.append(tracks[index])
    if piece.put is not None:
        spot = under[0][1].start if under else (tracks[-1][1].end if tracks else 0)
        stop = under[-1][1].end if under and piece.end > piece.start else spot
        return [Piece(spot, max(spot, stop), piece.put)]
    rows: list[Piece] = []
    for at, below in under:
        begin, stop = max(piece.start - at, 0), min(piece.end - at, _length(below))
        if below.put is None:
            rows.append(Piece(below.start + begin, below.start + stop))
        elif begin == 0 and stop == len(below.put):
            rows.append(below)
        else:
            rows.append(Piece(below.start, below.start, below.put[begin:stop]))
    return rows


def trimmed(
    work: str, spans: list[tuple[int, int]], start: int, end: int, *, head: bool, tail: bool
) -> list[tuple[int, int]]:
    """The spans without the blanks where something went at an edge."""
    spans = [
        span for span in spans if work[span[0] : span[1]].strip() or (not head and span[0] == start)
    ]
    if spans and (head or (spans[0][0] > 0 and spans[0][0] > start)):
        begin = spans[0][0]
        while begin < spans[0][1] and work[begin] == "\n":
            begin += 1
        spans[0] = (begin, spans[0][1])
    if spans and (tail or spans[-1][1] < end):
        stop = spans[-1][1]
        while stop > spans[-1][0] and work[stop - 1].isspace():
            stop -= 1
        spans[-1] = (spans[-1][0], stop)
    return spans
