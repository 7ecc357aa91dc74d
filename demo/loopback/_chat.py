"""Chat Completions on the wire: completions, streams of chunks, errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demo.loopback._messages import output_tokens

if TYPE_CHECKING:
    from demo.loopback._messages import Json
    from demo.loopback._script import Failure, Reply

_FINISH: Final = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "refusal": "content_filter",
    "tool_use": "tool_calls",
}


def completion(reply: Reply, model: str, id: str) -> Json:
    """The reply as one completion."""
    said: Json = {"role": "assistant", "content": reply.whole, "refusal": reply.explanation}
    if reply.thinking:
        said["reasoning_content"] = reply.thinking
    choice = {"index": 0, "message": said, "finish_reason": _finish(reply), "logprobs": None}
    return {
        "id": f"chatcmpl-{id}",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [choice],
        "usage": _usage(reply),
    }


def chat_chunks(
    reply: Reply,
    model: str = "model",
    id: str = "0",
    *,
    usage: bool = True,
) -> list[Json]:
    """The reply as the chunks of a stream; `[DONE]` comes after them."""
    deltas: list[Json] = [{"role": "assistant", "content": ""}]
    if reply.thinking:
        deltas.append({"reasoning_content": reply.thinking})
    if reply.explanation:
        deltas.append({"refusal": reply.explanation})
    pieces: list[Json] = [{"content": piece} for piece in reply.pieces]
    deltas += pieces
    chunks: list[Json] = [_chunk(model, id, [_choice(delta, None)]) for delta in deltas]
    chunks.append(_chunk(model, id, [_choice({}, _finish(reply))]))
    if usage:
        chunks.append({**_chunk(model, id, []), "usage": _usage(reply)})
    return chunks


def chat_error(failure: Failure) -> Json:
    """The failure as the API words it."""
    said = failure.message or f"The answer is {failure.status}."
    return {"error": {"message": said, "type": failure.type, "param": None, "code": failure.code}}


def _finish(reply: Reply) -> str | None:
    return None if reply.stop is None else _FINISH.get(reply.stop, reply.stop)


def _choice(delta: Json, finish: str | None) -> Json:
    return {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}


def _chunk(model: str, id: str, choices: list[Json]) -> Json:
    return {
        "id": f"chatcmpl-{id}",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": model,
        "choices": choices,
    }


def _usage(reply: Reply) -> Json:
    fresh = 25 if reply.input_tokens is None else reply.input_tokens
    asked = fresh + reply.cache_read
    came = output_tokens(reply)
    return {
        "prompt_tokens": asked,
        "completion_tokens": came,
        "total_tokens": asked + came,
        "prompt_tokens_details": {"cached_tokens": reply.cache_read},
        "completion_tokens_details": {"reasoning_tokens": reply.thinking_tokens},
    }
