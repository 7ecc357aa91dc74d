"""What Claude sends, in our words: the events of a stream, a whole message, an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from onlytext.providers._faults import Said
from onlytext.providers._gathered import Gathered, whole_number
from onlytext.providers._protocol import Stop, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from anthropic.types import (
        ContentBlock,
        Message,
        MessageDeltaUsage,
        RawContentBlockDelta,
        RawMessageStreamEvent,
        RefusalStopDetails,
    )
    from anthropic.types import Usage as ClaudeUsage

    from onlytext.providers._faults import Call
    from onlytext.providers._protocol import ProviderError

_STOPS: Final[Mapping[str, Stop]] = {
    "end_turn": "end",
    "max_tokens": "max_tokens",
    "model_context_window_exceeded": "max_tokens",
    "stop_sequence": "stop_sequence",
    "refusal": "refusal",
}


def take_event(event: RawMessageStreamEvent, gathered: Gathered) -> None:
    """Add what one event of a stream brings; what it doesn't know it passes over."""
    if event.type == "content_block_delta":
        _take_delta(event.delta, gathered)
    elif event.type == "content_block_start":
        _take_block(event.content_block, gathered)
    elif event.type == "message_start":
        gathered.began = True
        gathered.model = event.message.model
        gathered.usage = _usage(event.message.usage, Usage())
    elif event.type == "message_delta":
        delta = event.delta
        gathered.usage = _usage(event.usage, gathered.usage)
        _take_stop(delta.stop_reason, delta.stop_sequence, delta.stop_details, gathered)


def take_message(message: Message, gathered: Gathered) -> None:
    """Add what a whole message brings."""
    gathered.began = True
    gathered.model = message.model
    gathered.usage = _usage(message.usage, Usage())
    for block in message.content:
        _take_block(block, gathered)
    _take_stop(message.stop_reason, message.stop_sequence, message.stop_details, gathered)


def claude_error(error: Exception, call: Call) -> ProviderError:
    """Our error for one that the SDK raised, or that reading its answer did."""
    import anthropic

    if isinstance(error, anthropic.APITimeoutError):
        return call.late()
    if isinstance(error, anthropic.APIConnectionError):
        return call.lost(str(error.__cause__ or ""))
    if isinstance(error, anthropic.APIStatusError):
        return call.answered(error.status_code, Said.of(error.body), error.response.headers)
    if isinstance(error, anthropic.CredentialsError):
        return call.broke("authentication", f"the credentials can't be used ({error})")
    if isinstance(error, anthropic.AnthropicError):
        return call.broke("bad_answer", str(error))
    return call.raised(error)


def _take_block(block: ContentBlock, gathered: Gathered) -> None:
    if block.type == "text":
        gathered.add_text(block.text)
    elif block.type == "thinking":
        gathered.add_thinking(block.thinking)


def _take_delta(delta: RawContentBlockDelta, gathered: Gathered) -> None:
    if delta.type == "text_delta":
        gathered.add_text(delta.text)
    elif delta.type == "thinking_delta":
        gathered.add_thinking(delta.thinking)


def _take_stop(
    reason: str | None, sequence: str | None, details: RefusalStopDetails | None, gathered: Gathered
) -> None:
    if reason is None:
        return
    stop = _STOPS.get(reason)
    if stop is None:
        gathered.stop, gathered.detail = "other", reason
    elif stop == "end" and sequence is not None:
        # Some servers of this API say end_turn where one of our stop sequences came.
        gathered.stop = "stop_sequence"
    elif stop == "refusal":
        parts = () if details is None else (details.category, details.explanation)
        gathered.stop, gathered.detail = stop, ": ".join(part for part in parts if part)
    else:
        gathered.stop = stop
        gathered.detail = "" if reason in {"end_turn", stop} else reason


def _usage(said: ClaudeUsage | MessageDeltaUsage, before: Usage) -> Usage:
    """The counts so far: each event's are sums, and may leave out what has not changed."""
    details = said.output_tokens_details
    thinking = None if details is None else details.thinking_tokens
    return Usage(
        input=whole_number(said.input_tokens) or before.input,
        output=whole_number(said.output_tokens) or before.output,
        cache_read=whole_number(said.cache_read_input_tokens) or before.cache_read,
        cache_write=whole_number(said.cache_creation_input_tokens) or before.cache_write,
        thinking=whole_number(thinking) or before.thinking,
    )
