"""What may be wrong with a cleaned text, though nothing more can be done about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from onlytext._format import Sections
from onlytext._reply import Doubt

if TYPE_CHECKING:
    from onlytext._format import Text
    from onlytext._sectioned import Draft
    from onlytext._spans import Made

_FAR_SHORTER: Final = 0.4
_FEWEST: Final = 60


def doubts_of(
    reply: str,
    made: Made,
    format: Sections | Text,
    draft: Draft,
    *,
    finished: bool,
) -> tuple[Doubt, ...]:
    """The doubts about a text: cut off, a section missing, far shorter than its draft, no end word."""
    end = len(reply)
    doubts = list(made.doubts)
    if not finished:
        tail = made.text.rstrip().rpartition("\n")[2]
        doubts.append(
            Doubt(
                end, end, tail[-80:], "the provider stopped here: the last section may be cut off"
            )
        )
    if any(drop.reason == "marker that was cut off" for drop in made.drops):
        doubts.append(Doubt(end, end, "", "the reply ends in the middle of a marker"))
    if isinstance(format, Sections):
        doubts += [
            Doubt(end, end, "", f"the section {marker} is missing")
            for marker in _missing(made, format, draft)
        ]
    if draft.size >= _FEWEST and len(made.text) < _FAR_SHORTER * draft.size:
        doubts.append(Doubt(0, 0, "", "the text is far shorter than its draft"))
    came = any("end sentinel" in drop.reason for drop in made.drops)
    if format.end is not None and not came and format.end not in reply:
        doubts.append(
            Doubt(
                end, end, "", f"the end sentinel {format.end} did not come: the text may be cut off"
            )
        )
    return tuple(doubts)


def _missing(made: Made, format: Sections, draft: Draft) -> list[str]:
    have = {cut.marker for cut in made.cuts}
    wanted = [draft.names[key] for key in draft.sections]
    for marker in format.markers:
        if marker.optional or (
            marker.numbered and any(_is_one_of(name, marker.template) for name in have)
        ):
            continue
        wanted.append(marker.at(1))
    return [name for name in dict.fromkeys(wanted) if name not in have]


def _is_one_of(name: str, template: str) -> bool:
    before, _, after = template.partition("{n}")
    number = name[len(before) : len(name) - len(after)]
    return name.startswith(before) and name.endswith(after) and number.isdigit()
