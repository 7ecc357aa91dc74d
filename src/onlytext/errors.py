"""What can go wrong, each with the evidence and with what to do about it."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "Ambiguous",
    "FormatError",
    "NoContent",
    "OnlytextError",
    "ParseError",
    "PatternError",
    "Refused",
]


class OnlytextError(Exception):
    """The parent of every error that onlytext raises on purpose."""


class FormatError(OnlytextError, ValueError):
    """A format that can't work, with the marker or the file and key to mend."""


class PatternError(OnlytextError, ValueError):
    """A pattern that is not sound, with its file, its id and what to mend."""


class ParseError(OnlytextError, ValueError):
    """A cleaned text that lacks what the format or the target asks for.

    `faults` holds every fault that was found, one sentence each.
    """

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


class Refused(OnlytextError):
    """A reply from which no text can be taken safely.

    `reply` is the reply as it came, `evidence` the stretches of it that decided, and `retry` a
    sentence that can be sent back to the model to get a usable reply.
    """

    def __init__(self, why: str, *, reply: str, evidence: tuple[str, ...], retry: str) -> None:
        super().__init__(why)
        self.why = why
        self.reply = reply
        self.evidence = evidence
        self.retry = retry

    def __reduce__(self) -> tuple[Callable[..., Refused], tuple[str]]:
        rest = functools.partial(
            type(self), reply=self.reply, evidence=self.evidence, retry=self.retry
        )
        return rest, (self.why,)


class NoContent(Refused):
    """A reply that holds only reasoning, verdicts, a refusal or nothing at all."""


class Ambiguous(Refused):
    """A reply that holds more than one text that could be meant."""
