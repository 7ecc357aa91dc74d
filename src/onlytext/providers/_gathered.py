"""What has come of a reply so far, while its stream is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from onlytext.providers._protocol import Answer, Limits, Stop, Usage

# No model writes as much; a server that goes on for ever must not fill the memory.
_LONGEST: Final = 50_000_000


@dataclass(slots=True, kw_only=True)
class Gathered:
    """The parts of a reply, in the order in which they came; `began` once there was anything."""

    began: bool = False
    stop: Stop | None = None
    detail: str = ""
    refusal: str = ""
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    _text: list[str] = field(default_factory=list[str])
    _thinking: list[str] = field(default_factory=list[str])
    _size: int = 0

    @property
    def text(self) -> str:
        """The text so far."""
        return _whole(self._text)

    def add_text(self, part: str) -> None:
        """One more part of the text."""
        self._add(part, self._text)

    def add_thinking(self, part: str) -> None:
        """One more part of what came in the thinking channel."""
        self._add(part, self._thinking)

    def answer(self, *, request_id: str | None = None, limits: Limits | None = None) -> Answer:
        """The whole, once `stop` is known."""
        return Answer(
            text=self.text,
            stop="cut" if self.stop is None else self.stop,
            thinking=_whole(self._thinking),
            detail=self.detail,
            usage=self.usage,
            model=self.model,
            request_id=request_id,
            limits=limits,
        )

    def _add(self, part: str, parts: list[str]) -> None:
        # A server may send anything where a string is promised: what is none fails here, where
        # the fault is named, and not in the end.
        parts.append("" + part)
        self._size += len(part)
        if self._size > _LONGEST:
            raise ValueError(f"the reply is longer than {_LONGEST:,} characters")


def _whole(parts: list[str]) -> str:
    """The parts as one text.

    A character that JSON writes as two halves may come in two parts; a half that stays alone is
    no character, and can be neither stored nor printed.
    """
    text = "".join(parts)
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def whole_number(value: object) -> int:
    """A count of tokens as a server gives it; 0 for what is none."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    return 0
