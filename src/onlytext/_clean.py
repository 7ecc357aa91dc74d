"""The one road from a reply to only the text: envelope, markers, choice, inside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onlytext._commentary import Judge, echoes_of
from onlytext._compare import passage
from onlytext._envelope import Drop, strip_shell
from onlytext._fold import fold
from onlytext._format import Sections, Text
from onlytext._lines import even_ends
from onlytext._markers import matcher
from onlytext._patterns import Patterns, builtin
from onlytext._plain import clean_plain
from onlytext._reply import Clean, Cut, Doubt, Piece, Removal, make_clean
from onlytext._sectioned import NO_DRAFT, Found, clean_sections, read_draft
from onlytext.errors import NoContent

if TYPE_CHECKING:
    from collections.abc import Sequence


def clean(
    reply: str,
    format: Sections | Text,  # noqa: A002 - the word of the field, as in json_schema's "format"
    *,
    draft: str | None = None,
    prompt: str | None = None,
    finished: bool = True,
    patterns: Patterns | None = None,
) -> Clean:
    """Only the text of a reply, with an account of everything that was dropped."""
    work = even_ends(reply)
    known = patterns if patterns is not None else builtin()
    found = _road(work, format, draft, prompt, known)
    return _assemble(reply, work, format, found)


def _road(
    work: str, format: Sections | Text, draft: str | None, prompt: str | None, patterns: Patterns  # noqa: A002
) -> Found:
    shell = strip_shell(work, draft or "")
    even = even_ends(draft) if draft is not None else None
    held = passage(even) if even is not None and even.strip() else None
    known = matcher(format)
    judge = Judge(
        patterns,
        names=known.names if isinstance(format, Sections) else [],
        markers=[one.template for one in format.markers if not one.numbered and not one.template[-1:].isalnum()]
        if isinstance(format, Sections)
        else [],
        draft=held,
        echoes=_echoes(prompt, even) if held is not None else frozenset(),
    )
    if isinstance(format, Sections):
        parsed = read_draft(even, known) if even is not None else NO_DRAFT
        found = clean_sections(work, format, known, parsed, judge, shell)
    else:
        found = clean_plain(work, format, known, held, judge, shell)
    return found._replace(drops=(*shell.drops, *found.drops), shell=shell.drops)


def _echoes(prompt: str | None, draft: str | None) -> frozenset[str]:
    if prompt is None:
        return frozenset()
    own = frozenset(fold(line) for line in draft.split("\n")) if draft else frozenset[str]()
    return echoes_of(even_ends(prompt), own)


def _assemble(reply: str, work: str, format: Sections | Text, found: Found) -> Clean:  # noqa: A002
    pieces: list[Piece] = []
    cuts: list[Cut] = []
    text = ""
    for canonical, mark, spans in found.sections:
        if mark is not None:
            if text and not text.endswith("\n"):
                pieces.append(Piece(mark.start, mark.start, "\n\n"))
                text += "\n\n"
            if reply[mark.start : mark.end] == canonical and mark.place != "inline":
                pieces.append(Piece(mark.start, mark.end))
            else:
                pieces.append(Piece(mark.start, mark.body, canonical))
            text += canonical
            begin = len(text)
            if spans and not reply[spans[0][0] : spans[0][1]].startswith(("\n", "\r")):
                pieces.append(Piece(spans[0][0], spans[0][0], "\n"))
                text += "\n"
        begin = len(text)
        for start, end in _without(spans, found.shell):
            if text and not text.endswith("\n") and start > 0 and work[start - 1] == "\n":
                pieces.append(Piece(start, start, "\n"))
                text += "\n"
            pieces.append(Piece(start, end))
            text += reply[start:end]
        if mark is not None:
            cuts.append(Cut(canonical, begin, len(text)))
    if found.sections and not any(reply[piece.start:piece.end].strip() for piece in pieces if piece.put is None):
        raise NoContent("nothing is left of the reply", reply=reply, evidence=(), retry="Return the text itself, and nothing else.")
    return make_clean(reply, format, text, tuple(pieces), tuple(cuts), _removals(reply, pieces, found.drops), found.doubts)


def _without(spans: Sequence[tuple[int, int]], drops: Sequence[Drop]) -> list[tuple[int, int]]:
    """The spans without what the envelope took out of their middle."""
    left = list(spans)
    for drop in drops:
        left = [
            part
            for start, end in left
            for part in ((start, min(end, drop.start)), (max(start, drop.end), end))
            if part[0] < part[1]
        ]
    return left


def _removals(reply: str, pieces: Sequence[Piece], drops: Sequence[Drop]) -> tuple[Removal, ...]:
    spans = sorted((piece.start, piece.end) for piece in pieces if piece.end > piece.start)
    gaps: list[tuple[int, int]] = []
    at = 0
    for start, end in spans:
        if start > at:
            gaps.append((at, start))
        at = max(at, end)
    if at < len(reply):
        gaps.append((at, len(reply)))
    ordered = sorted(drops)
    removals: list[Removal] = []
    for start, end in gaps:
        inside = [drop for drop in ordered if drop.start < end and drop.end > start]
        first = inside[0] if inside else Drop(start, end, "outside of the text")
        removals.append(Removal(start, end, reply[start:end], first.reason, first.pattern))
    return tuple(removals)
