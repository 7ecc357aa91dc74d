"""Lines that quote the text that they stand in, as remarks about it do and texts hardly ever."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from onlytext._commentary import QUOTE_SIGN, quoted
from onlytext._compare import words
from onlytext._fold import fold
from onlytext._lines import LONG
from onlytext._suspect import TECHNICAL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onlytext._commentary import Judge
    from onlytext._lines import Line

_LONG_ENOUGH: Final = 8
_FEWEST: Final = 2
_LEAST_LINE: Final = 4
_LONGER: Final = 12
_MOST: Final = 200
_ENDS: Final = " .,;:!?…-*"
# What a line has to say beside its quotations: where they are several, and where it is one.
_SAYS: Final = 0.4
_SPEAKS: Final = 1.2
_SHORT: Final = 20
_LETTERS: Final = 6
_TELLING: Final = frozenset({"edit", "verdict", "rule", "unit"})


def quote_themselves(work: str, lines: Sequence[Line], judge: Judge) -> list[str]:
    """The lines that quote what stands in other lines, or try what comes later; empty where too few do."""
    if len(lines) > _MOST or TECHNICAL.search(work):
        return []
    texts = [work[line.start : min(line.end, line.start + LONG)] for line in lines]
    bare = [fold(text) for text in texts]
    said = [
        {one.strip(_ENDS) for one in quoted(text)} if QUOTE_SIGN.search(text) else set[str]()
        for text in texts
    ]
    found: dict[str, str] = {}
    for index, text in enumerate(texts):
        own = [
            one for one in said[index] if len(one) >= _LONG_ENOUGH and len(words(one)) >= _FEWEST
        ]
        for one in own:
            if any(
                one in other and one not in said[place]
                for place, other in enumerate(bare)
                if place != index
            ):
                found.setdefault(one, text)
        line = bare[index].strip(_ENDS)
        if len(words(line)) >= _LEAST_LINE and any(
            line in other and len(other) > len(line) + _LONGER for other in bare[index + 1 :]
        ):
            found.setdefault(line, text)
    if len(found) >= _FEWEST:
        telling = any(judge.weigh(text).score >= _SAYS for text in found.values())
    else:
        telling = any(_speaks(text, judge) for text in found.values())
    return list(dict.fromkeys(found.values())) if telling else []


def _speaks(text: str, judge: Judge) -> bool:
    """Whether a line says enough beside its one quotation, for its length."""
    weight = judge.weigh(text)
    size = max(len(text.split()), len(text) // _LETTERS)
    return weight.score * min(1.0, _SHORT / max(1, size)) >= _SPEAKS and (
        len(_TELLING.intersection(weight.reasons)) >= _FEWEST
    )
