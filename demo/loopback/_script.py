"""What a request looked like, and what the script says shall come of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, cast

_NONE: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One request as it came in; `number` counts from 1 over the whole life of the server."""

    number: int
    method: str
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, object]
    at: float

    @property
    def model(self) -> str:
        """The model that was asked for."""
        return str(self.body.get("model", ""))

    @property
    def system(self) -> str:
        """The text of the system prompt, wherever the API has it stand."""
        said = self.body.get("system")
        if said is None:
            said = [part.get("content") for part in self._turns if part.get("role") == "system"]
        return plain_text(said)

    @property
    def prompt(self) -> str:
        """The text of the last turn."""
        return plain_text(self._turns[-1].get("content")) if self._turns else ""

    @property
    def _turns(self) -> list[Mapping[str, object]]:
        return cast("list[Mapping[str, object]]", self.body.get("messages") or [])


def plain_text(content: object) -> str:
    """The text of a content that is a string, or a list of strings or of text blocks."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return plain_text(cast("dict[str, object]", content).get("text", ""))
    if isinstance(content, list):
        return "".join(plain_text(part) for part in cast("list[object]", content))
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply of the model, and how it comes.

    `stop` is in the words of the Messages API; Chat Completions get their own for it. `chunks`
    are the stretches in which a stream brings the text; without them it comes `piece` characters
    at a time. `wait` seconds pass before the answer begins, `between` seconds between the events
    of a stream, `header_pause` seconds between the lines of its header. A stream breaks off after
    `cut_after` events: `ended` as if all had come, `dropped` with the connection. After
    `error_after` events the stream says that it failed, with an error of type `error`.
    """

    text: str = ""
    chunks: tuple[str, ...] = ()
    piece: int = 40
    thinking: str = ""
    stop: str | None = "end_turn"
    stop_sequence: str | None = None
    category: str | None = None
    explanation: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read: int = 0
    cache_write: int = 0
    thinking_tokens: int = 0
    headers: Mapping[str, str] = field(default_factory=lambda: _NONE)
    wait: float = 0
    between: float = 0
    header_pause: float = 0
    cut_after: int | None = None
    cut: Literal["ended", "dropped"] = "ended"
    error_after: int | None = None
    error: str = "overloaded_error"

    @property
    def whole(self) -> str:
        """The text in one piece."""
        return "".join(self.chunks) or self.text

    @property
    def pieces(self) -> tuple[str, ...]:
        """The text as a stream brings it."""
        if self.chunks:
            return self.chunks
        return tuple(
            self.text[start : start + self.piece] for start in range(0, len(self.text), self.piece)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An answer with an error status, in the error shape of the API that was asked.

    `type` and `message` are what the API says for that status, unless they are given; `code` is
    the stable code that names the cause.
    """

    status: int
    type: str | None = None
    message: str | None = None
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=lambda: _NONE)
    wait: float = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbatim:
    """An answer of just these bytes."""

    body: bytes
    status: int = 200
    kind: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=lambda: _NONE)
    wait: float = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HangUp:
    """No answer: the connection is closed, before the header or in the midst of it."""

    in_header: bool = False
    wait: float = 0


Turn: TypeAlias = Reply | Failure | Verbatim | HangUp
Script: TypeAlias = Turn | Sequence[Turn] | Callable[[Seen], Turn]
"""One turn for every request, turns in order (the last one again and again), or a function."""


def turn_for(script: Script, seen: Seen, asked: int) -> Turn:
    """What the script says for this request, before which `asked` others came that it answers."""
    if isinstance(script, Reply | Failure | Verbatim | HangUp):
        return script
    if callable(script):
        return script(seen)
    return script[min(asked, len(script) - 1)]
