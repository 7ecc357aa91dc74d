"""The short way for a reply in which nothing at all speaks of commentary."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

from onlytext._exact import cuts_of
from onlytext._fold import fold
from onlytext._format import Sections
from onlytext._markers import matcher
from onlytext._reply import Clean, Cut, Piece, make_clean

# A longer reply than this that holds nothing but invisible signs is found on the long road.
_SHORT: Final = 64
# So short a reply goes the long road, which sees more and takes a millisecond or two; a remark that
# no pattern knows weighs little in a longer one.
_BRIEF: Final = 1000

if TYPE_CHECKING:
    from collections.abc import Callable

    from onlytext._format import Text
    from onlytext._patterns import Patterns


def untouched(reply: str, format: Sections | Text, patterns: Patterns) -> Clean | None:
    """The reply as it is, where no pattern, tag, fence or odd marker can be in it; otherwise none.

    It gives what the long road would give, only sooner.
    """
    if len(reply) <= _BRIEF or any(
        channel is not None for channel in (format.start, format.end, format.notes)
    ):
        return None
    cuts: Callable[[], tuple[Cut, ...]] | None = None
    if isinstance(format, Sections):
        reader = matcher(format).reader
        found = reader.read(reply) if reader is not None else None
        if found is None:
            return None
        parts = found[1]
        if not all(map(str.strip, parts[2::2])):
            return None
        cuts = functools.partial(cuts_of, parts)
    elif reply.lstrip()[:3] in ("", "```", "~~~") or (len(reply) < _SHORT and not fold(reply)):
        return None
    if patterns.gate(reply.encode("utf-8", "surrogatepass")) >= 0:
        return None
    return make_clean(reply, format, reply, (Piece(0, len(reply)),), cuts or ())
