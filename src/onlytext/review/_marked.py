"""A stored reply as a row of stretches: kept, dropped or doubted, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from onlytext.journal import Cleaning, StoredDoubt, StoredRemoval

Fate = Literal["kept", "removed", "lawful", "doubted", "gap"]
"""`lawful` was dropped too, but is no leak: blanks, the closing word, notes that were asked for.
`gap` stands for what is too long to be shown; its text is how many characters that is."""

# A page has to open quickly whatever a model returned; the journal has the whole of it.
_LONGEST: Final = 6_000
_MOST: Final = 400
_HEAD: Final = 4_000
_TAIL: Final = 1_000


class Stretch(NamedTuple):
    """A stretch of a reply, what became of it, and why: the reason and the pattern's id."""

    fate: Fate
    text: str
    reason: str = ""
    pattern: str = ""


def stretches_of(reply: str, cleaning: Cleaning | None) -> list[Stretch]:
    """The reply from its start to its end; what is too long to be shown is a gap."""
    if cleaning is None:
        return _fitting([Stretch("kept", reply)])
    return _fitting(list(_joined(_cut(reply, cleaning.removals, cleaning.doubts))))


def shortened(text: str) -> list[Stretch]:
    """The text, with a gap where it is too long to be shown."""
    return list(_shortened(Stretch("kept", text)))


def kept_of(reply: str, removals: Sequence[StoredRemoval]) -> str:
    """What is left of the reply without the removals, trimmed."""
    return "".join(
        one.text for one in _cut(reply, removals, ()) if one.fate in {"kept", "doubted"}
    ).strip()


def _cut(
    reply: str, removals: Sequence[StoredRemoval], doubts: Sequence[StoredDoubt]
) -> Iterator[Stretch]:
    place = 0
    marks = sorted(removals, key=lambda one: (one.start, one.end))
    open_doubts = sorted((one.start, one.end, one.reason) for one in doubts if one.start < one.end)
    for removal in marks:
        start, end = removal.start, removal.end
        if start < place or end <= start:  # journals of other hands may hold what can't be
            continue
        yield from _kept(reply, place, start, open_doubts)
        fate: Fate = "removed" if removal.leak else "lawful"
        yield Stretch(fate, reply[start:end], removal.reason, removal.pattern or "")
        place = end
    yield from _kept(reply, place, len(reply), open_doubts)


def _kept(
    reply: str, start: int, end: int, doubts: Sequence[tuple[int, int, str]]
) -> Iterator[Stretch]:
    for first, past, reason in doubts:
        left, right = max(start, first), min(end, past)
        if left < right:
            yield Stretch("kept", reply[start:left])
            yield Stretch("doubted", reply[left:right], reason)
            start = right
    yield Stretch("kept", reply[start:end])


def _joined(stretches: Iterator[Stretch]) -> Iterator[Stretch]:
    """The stretches that hold something; neighbours that share their fate and reason as one."""
    last: Stretch | None = None
    for stretch in stretches:
        if not stretch.text:
            continue
        if last is not None and last._replace(text="") == stretch._replace(text=""):
            last = last._replace(text=last.text + stretch.text)
            continue
        if last is not None:
            yield last
        last = stretch
    if last is not None:
        yield last


def _fitting(stretches: list[Stretch]) -> list[Stretch]:
    if len(stretches) > _MOST:
        rest = sum(len(one.text) for one in stretches[_MOST:])
        stretches = [*stretches[:_MOST], Stretch("gap", str(rest))]
    return [part for one in stretches for part in _shortened(one)]


def _shortened(stretch: Stretch) -> Iterator[Stretch]:
    text = stretch.text
    if len(text) <= _LONGEST:
        yield stretch
        return
    yield stretch._replace(text=text[:_HEAD])
    yield Stretch("gap", str(len(text) - _HEAD - _TAIL))
    yield stretch._replace(text=text[-_TAIL:])
