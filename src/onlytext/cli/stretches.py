"""A reply as a row of stretches: what was kept, dropped, rewritten or doubted, and why."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import deque
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from onlytext._reply import Clean, Doubt, Piece, Removal
    from onlytext.errors import Refused

Fate = Literal["kept", "removed", "put", "doubted", "evidence"]


class Stretch(NamedTuple):
    """A stretch of a reply, what became of it, and why; `whole` says that it fills its lines."""

    fate: Fate
    text: str
    why: str = ""
    whole: bool = False


def stretches_of(cleaned: Clean) -> list[Stretch]:
    """The reply from its start to its end, each stretch with its fate."""
    spans: list[Piece | Removal] = [*cleaned.pieces, *cleaned.removals]
    spans.sort(key=lambda span: (span.start, span.end))
    doubts = deque(sorted((d for d in cleaned.doubts if d.start < d.end), key=lambda d: d.start))
    moved = _moved_up(cleaned.pieces)
    found: list[Stretch] = []
    for span in spans:
        if not isinstance(span, tuple):
            found.append(_removed(cleaned.reply, span))
        elif span.put is None:
            found += _kept(cleaned.reply, span.start, span.end, doubts)
        elif span.start < span.end:  # else only a line end that was set between two pieces
            found += _rewritten(cleaned.reply[span.start : span.end], span.put)
        if span in moved:
            found.append(found.pop()._replace(why="moved up in the text", whole=True))
    return found


def told_doubts(cleaned: Clean) -> list[Doubt]:
    """The doubts that no stretch of the kept text shows, such as one about a missing section."""
    kept = sorted((piece.start, piece.end) for piece in cleaned.pieces if piece.put is None)

    def is_shown(doubt: Doubt) -> bool:
        # Pieces do not overlap, so the last one that starts before the doubt's end decides.
        index = bisect_left(kept, (doubt.end, 0)) - 1
        return index >= 0 and max(kept[index][0], doubt.start) < min(kept[index][1], doubt.end)

    return [doubt for doubt in cleaned.doubts if not is_shown(doubt)]


def stretches_of_refusal(refusal: Refused) -> list[Stretch]:
    """The reply with the first place of each piece of evidence marked."""
    reply, position = refusal.reply, 0
    found: list[Stretch] = []
    places = sorted((reply.find(text), text) for text in set(refusal.evidence) if text.strip())
    for place, text in places:
        if place < position:  # not in the reply, or in a stretch that is marked already
            continue
        found += [Stretch("kept", reply[position:place]), Stretch("evidence", text)]
        position = place + len(text)
    return [*found, Stretch("kept", reply[position:])]


def _moved_up(pieces: Sequence[Piece]) -> set[Piece]:
    """The last piece of each group that stands earlier in the text than in the reply."""
    moved: set[Piece] = set()
    lowest, follows = math.inf, False
    for piece in reversed(pieces):
        if piece.start <= lowest:
            lowest, follows = piece.start, False
        elif not follows:
            moved.add(piece)
            follows = True
    return moved


def _removed(reply: str, removal: Removal) -> Stretch:
    why = removal.reason + (f" · {removal.pattern}" if removal.pattern else "")
    opens = "\n" in reply[max(removal.start - 1, 0) : removal.start + 1] or not removal.start
    closes = "\n" in reply[removal.end - 1 : removal.end + 1] or removal.end == len(reply)
    return Stretch("removed", reply[removal.start : removal.end], why, whole=opens and closes)


def _kept(reply: str, start: int, end: int, doubts: deque[Doubt]) -> Iterator[Stretch]:
    while doubts and doubts[0].end <= start:
        doubts.popleft()
    for doubt in doubts:
        if doubt.start >= end:
            break
        left, right = max(start, doubt.start), min(end, doubt.end)
        if left < right:
            yield Stretch("kept", reply[start:left])
            yield Stretch("doubted", reply[left:right], doubt.reason)
            start = right
    yield Stretch("kept", reply[start:end])


def _rewritten(old: str, new: str) -> Iterator[Stretch]:
    if new.strip() != old.strip():
        yield Stretch("removed", old)
        yield Stretch("put", new)
    else:
        yield Stretch("kept", old)
