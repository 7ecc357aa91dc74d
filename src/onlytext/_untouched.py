"""The short way for a reply in which nothing at all speaks of commentary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onlytext._format import Sections
from onlytext._markers import matcher
from onlytext._reply import Clean, Cut, Piece, make_clean

if TYPE_CHECKING:
    from onlytext._format import Text
    from onlytext._patterns import Patterns


def untouched(reply: str, format: Sections | Text, patterns: Patterns) -> Clean | None:  # noqa: A002
    """The reply as it is, where no pattern, tag, fence or odd marker can be in it; otherwise none.

    It gives what the long road would give, only sooner.
    """
    if format.start is not None or format.end is not None or format.notes is not None:
        return None
    cuts: tuple[Cut, ...] = ()
    if isinstance(format, Sections):
        padded = "\n" + reply
        known = matcher(format)
        found = known.reader.read(padded) if known.reader is not None else None
        if found is None or known.count(padded) != len(found):
            return None
        cuts = found
    elif reply.lstrip()[:3] in ("", "```", "~~~"):
        return None
    if patterns.gate(reply.encode("utf-8", "surrogatepass")) >= 0:
        return None
    return make_clean(reply, format, reply, (Piece(0, len(reply)),), cuts)
