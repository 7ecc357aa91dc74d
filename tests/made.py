"""Cleaned texts that are put together by hand, for tests of what comes after the cleaner."""

from __future__ import annotations

from typing import Any

import pytest

from onlytext._format import Marker, Sections, Text
from onlytext._parse import parse
from onlytext._reply import Clean, Cut, Piece, make_clean
from onlytext.errors import ParseError


def clean_sections(shape: Sections, *sections: tuple[str, str]) -> Clean:
    """A cleaned text of these markers and bodies."""
    text = ""
    cuts: list[Cut] = []
    for marker, body in sections:
        text += f"{marker}\n"
        cuts.append(Cut(marker, len(text), len(text) + len(body)))
        text += f"{body}\n\n"
    return make_clean(text, shape, text, (Piece(0, len(text)),), tuple(cuts))


def clean_text(text: str, shape: Text | None = None) -> Clean:
    """A cleaned plain text."""
    return make_clean(text, shape or Text(), text, (Piece(0, len(text)),), ())


CAROUSEL = Sections("[COVER]", "[SLIDE {n}]", Marker("[CAPTION]", optional=True))
WHOLE = clean_sections(
    CAROUSEL,
    ("[COVER]", "Bread"),
    ("[SLIDE 1]", "Flour"),
    ("[SLIDE 2]", "Water"),
    ("[CAPTION]", "Warm"),
)
SHORT = clean_sections(CAROUSEL, ("[COVER]", "Bread"), ("[SLIDE 1]", "Flour"))


def faults_of(cleaned: Clean, into: object = None) -> list[str]:
    """Every fault that is told of a text, and of what it is parsed into."""
    target: Any = into
    with pytest.raises(ParseError) as caught:
        parse(cleaned, target)
    assert str(caught.value) == "; ".join(caught.value.faults)
    return list(caught.value.faults)
