"""What the pipeline asks of a provider, and what it gets back: the one seam to the SDKs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from onlytext.errors import OnlytextError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

Stop = Literal["end", "max_tokens", "stop_sequence", "refusal", "cut", "other"]
"""Why a reply ended. `cut`: the stream broke off before the provider said that it was over."""

Fault = Literal[
    "rate_limited",  # 429, or the provider's word for it: slow down, then try again
    "overloaded",  # 529, 503: likewise
    "timeout",  # no whole answer within the deadline
    "connection",  # no connection, or one that was lost before the answer began
    "broken_stream",  # an answer that began and broke off
    "server",  # any other 5xx, 408, 409
    "bad_answer",  # an answer that is not what the API promises (no JSON, wrong shape)
    "spend_limit",  # the account's own limit: trying again is no use
    "authentication",  # 401, 403, or no key at all
    "bad_request",  # 400, 404, 413, 422: the request itself is at fault
]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation that is sent."""

    role: Literal["user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One call, without anything that is secret or that only one provider knows.

    `system` is the part that stays the same from item to item (what a provider can cache),
    `max_tokens` counts the reply with its thinking, `effort` and `temperature` are left out of
    the call where they are none, `grammar` is a GBNF grammar for servers that take one.
    """

    model: str
    system: str
    messages: tuple[Message, ...]
    max_tokens: int
    stop: tuple[str, ...] = ()
    effort: str | None = None
    temperature: float | None = None
    grammar: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one call; `input` leaves out what was read from or written to the cache."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    thinking: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the server said of its rate limits: shares left in 0..1, seconds until they are reset.

    None where it said nothing.
    """

    requests_left: float | None = None
    tokens_left: float | None = None
    reset_seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a provider gives back: the reply verbatim, and how it ended.

    `text` joins the text blocks alone; what came in the thinking channel stands in `thinking`.
    `detail` is the provider's own word where `stop` is `refusal` or `other`. `request_id` is the
    server's, for a question to its support.
    """

    text: str
    stop: Stop
    thinking: str = ""
    detail: str = ""
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    request_id: str | None = None
    limits: Limits | None = None


class ProviderError(OnlytextError):
    """A call without a usable answer.

    `fault` says what kind it is, `again` whether the same call may succeed later, `retry_after`
    the seconds that the server asked to wait, `status` the HTTP status, `partial` the text that
    had come before a stream broke, `usage` what it cost as far as the server said.
    """

    def __init__(  # noqa: PLR0913 - all that is known of a call that failed
        self,
        message: str,
        *,
        fault: Fault,
        again: bool,
        retry_after: float | None = None,
        status: int | None = None,
        partial: str = "",
        usage: Usage | None = None,
        limits: Limits | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.fault: Fault = fault
        self.again = again
        self.retry_after = retry_after
        self.status = status
        self.partial = partial
        self.usage = usage
        self.limits = limits
        self.request_id = request_id


@runtime_checkable
class Provider(Protocol):
    """A place that answers requests. One module each; only that module imports its SDK."""

    name: str

    async def complete(self, request: Request, *, seconds: float) -> Answer:
        """The answer, within `seconds` in all; raises `ProviderError`, and never tries again."""
        ...

    async def aclose(self) -> None:
        """Give back connections, threads and memory."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchState:
    """How far a batch is."""

    ended: bool
    done: int
    in_all: int


@runtime_checkable
class BatchProvider(Provider, Protocol):
    """A provider that takes many requests at once, for later and for less."""

    async def submit(self, requests: Sequence[tuple[str, Request]]) -> str:
        """The batch's id, by which another process can fetch it; ids of requests are the caller's."""
        ...

    async def state(self, batch: str) -> BatchState:
        """How far the batch is."""
        ...

    def results(self, batch: str) -> AsyncIterator[tuple[str, Answer | ProviderError]]:
        """Each request's id with its answer or its error, in any order, once the batch has ended."""
        ...


class MakesProvider(Protocol):
    """What a module in the entry point group `onlytext.providers` names."""

    def __call__(self, options: Mapping[str, str | int | float | bool]) -> Provider:
        """The provider, made from the job's `[provider.NAME]` table; keys come from the environment."""
        ...
