"""The draft that a stored request of the second pass was about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from onlytext._regex import regex
from onlytext._wording import languages, wording_for

if TYPE_CHECKING:
    from onlytext.providers import Request

_TAG: Final = regex(r"^<(draft-[0-9a-f]+)>$", 8)  # re.MULTILINE


def draft_in(request: Request) -> str | None:
    """The draft between its tags, or behind the words that announce it; none where neither is.

    The tag's code does not occur in the draft, so that nothing in it can pass for its end.
    """
    content = request.messages[-1].content
    opening = _TAG.search(content)
    if opening is not None:
        end = content.rfind(f"\n</{opening[1]}>")
        return content[opening.end() + 1 : end] if end >= opening.end() else None
    for code in languages():
        _, found, draft = content.partition(f"\n{wording_for(code).say('plain.text')}\n")
        if found:
            return draft
    return None
