"""The whole account of a cleaned or refused reply, as JSON has it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from onlytext.errors import Ambiguous, NoContent, Refused

if TYPE_CHECKING:
    from onlytext._reply import Clean

_CAUSES: Final[dict[type[Refused], str]] = {NoContent: "no content", Ambiguous: "ambiguous"}


def account_of(cleaned: Clean) -> dict[str, object]:
    """What was kept, dropped and doubted; all offsets count characters of `reply`."""
    return {
        "outcome": cleaned.outcome,
        "text": cleaned.text,
        "sections": [asdict(section) for section in cleaned.sections],
        "removals": [asdict(removal) for removal in cleaned.removals],
        "doubts": [asdict(doubt) for doubt in cleaned.doubts],
        "pieces": [piece._asdict() for piece in cleaned.pieces],
        "reply": cleaned.reply,
    }


def account_of_refusal(refusal: Refused) -> dict[str, object]:
    """Why no text was returned, with the evidence, and what to send to the model."""
    return {
        "outcome": "refused",
        "cause": _CAUSES.get(type(refusal), "refused"),
        "why": refusal.why,
        "evidence": list(refusal.evidence),
        "retry": refusal.retry,
        "reply": refusal.reply,
    }
