"""Formats of every kind, for property tests."""

from __future__ import annotations

from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from onlytext._format import Marker, Sections, Text
from onlytext.errors import FormatError

SPELLINGS = st.text(
    st.one_of(
        st.sampled_from("[]{}<>#*=-.:AaBbÉe 12１n"),
        st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]),
    ),
    min_size=1,
    max_size=8,
)
TEMPLATES = st.one_of(SPELLINGS, st.tuples(SPELLINGS, st.just("{n}"), SPELLINGS).map("".join))


@st.composite
def markers(draw: st.DrawFn) -> Marker:
    template = draw(TEMPLATES)
    least = draw(st.none() | st.integers(1, 4)) if "{n}" in template else None
    most = draw(st.none() | st.integers(4, 9)) if "{n}" in template else None
    alias = draw(TEMPLATES)
    try:
        return Marker(
            template,
            optional=draw(st.booleans()),
            min=least,
            max=most,
            aliases=(alias,) if draw(st.booleans()) else (),
        )
    except FormatError:
        reject()


@st.composite
def formats(draw: st.DrawFn) -> Sections | Text:
    channels: dict[str, Any] = {
        name: draw(st.none() | SPELLINGS) for name in ("start", "end", "notes")
    }
    try:
        if draw(st.booleans()):
            return Text(**channels)
        return Sections(*draw(st.lists(TEMPLATES | markers(), min_size=1, max_size=4)), **channels)
    except FormatError:
        reject()
