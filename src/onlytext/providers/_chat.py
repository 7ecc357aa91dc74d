"""What Chat Completions send, in our words: the chunks of a stream, an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from onlytext.providers._faults import Said
from onlytext.providers._gathered import Gathered, whole_number
from onlytext.providers._protocol import Stop, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from openai.types import CompletionUsage
    from openai.types.chat import ChatCompletionChunk
    from openai.types.chat.chat_completion_chunk import Choice, ChoiceDelta

    from onlytext.providers._faults import Call
    from onlytext.providers._protocol import ProviderError

_STOPS: Final[Mapping[str, Stop]] = {
    "stop": "end",
    "length": "max_tokens",
    "content_filter": "refusal",
}
# Where servers that are not OpenAI's put what a model thought.
_THOUGHTS: Final = ("reasoning_content", "reasoning")


def take_chunk(chunk: ChatCompletionChunk, gathered: Gathered) -> None:
    """Add what one chunk of a stream brings; what it doesn't know it passes over."""
    gathered.began = True
    gathered.model = chunk.model or gathered.model
    for choice in chunk.choices:
        if choice.index == 0:
            _take_delta(choice.delta, gathered)
            _take_finish(choice, gathered)
    if chunk.usage is not None:
        gathered.usage = _usage(chunk.usage)


def chat_error(error: Exception, call: Call) -> ProviderError:
    """Our error for one that the SDK raised, or that reading its answer did."""
    import openai

    if isinstance(error, openai.APITimeoutError):
        return call.late()
    if isinstance(error, openai.APIConnectionError):
        return call.lost(str(error.__cause__ or ""))
    if isinstance(error, openai.APIStatusError):
        return call.answered(error.status_code, Said.of(error.body), error.response.headers)
    if isinstance(error, openai.APIError):
        return call.answered(_status_in(error.body), Said.of(error.body), {})
    if isinstance(error, openai.OpenAIError):
        return call.broke("bad_answer", str(error))
    return call.raised(error)


def _status_in(body: object) -> int:
    """The status that an error in the midst of a stream gives as its code; 200 where it gives none."""
    code = cast("dict[str, object]", body).get("code") if isinstance(body, dict) else None
    return whole_number(code) or 200


def _take_delta(delta: ChoiceDelta, gathered: Gathered) -> None:
    if delta.content:
        gathered.add_text(delta.content)
    extra: dict[str, object] = delta.model_extra or {}
    thought = next((extra[name] for name in _THOUGHTS if extra.get(name)), None)
    if isinstance(thought, str):
        gathered.add_thinking(thought)
    if delta.refusal:
        gathered.refusal += delta.refusal


def _take_finish(choice: Choice, gathered: Gathered) -> None:
    reason: str | None = choice.finish_reason
    if reason is None:
        return
    sequence = (choice.model_extra or {}).get("stop_reason")
    stop = _STOPS.get(reason)
    if gathered.refusal:
        gathered.stop, gathered.detail = "refusal", gathered.refusal
    elif stop is None:
        gathered.stop, gathered.detail = "other", reason
    elif stop == "end" and isinstance(sequence, str):
        gathered.stop = "stop_sequence"  # vLLM names the one that came
    else:
        gathered.stop = stop
        gathered.detail = reason if stop == "refusal" else ""


def _usage(said: CompletionUsage) -> Usage:
    asked, came = said.prompt_tokens_details, said.completion_tokens_details
    read = whole_number(asked and asked.cached_tokens)
    written = whole_number(asked and asked.cache_write_tokens)
    return Usage(
        input=max(0, whole_number(said.prompt_tokens) - read - written),
        output=whole_number(said.completion_tokens),
        cache_read=read,
        cache_write=written,
        thinking=whole_number(came and came.reasoning_tokens),
    )
