"""The Messages API on the wire: messages, streams of events, errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from demo.loopback._script import Failure, Reply

Json: TypeAlias = dict[str, object]

# What the API calls an error of this status.
ERROR_TYPES: Final = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    408: "timeout_error",
    409: "conflict_error",
    413: "request_too_large",
    422: "invalid_request_error",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}


def message(reply: Reply, model: str, id: str) -> Json:
    """The reply as one message."""
    blocks: list[Json] = []
    if reply.thinking:
        blocks.append({"type": "thinking", "thinking": reply.thinking, "signature": "c2lnbmVk"})
    if reply.whole:
        blocks.append({"type": "text", "text": reply.whole, "citations": None})
    return {
        "id": f"msg_{id}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": blocks,
        **_stop(reply),
        "usage": {**_usage_at_start(reply), **_usage_at_end(reply)},
    }


def message_events(reply: Reply, model: str = "claude", id: str = "0") -> list[Json]:
    """The reply as the events of a stream, in the order in which the API sends them."""
    start: Json = {
        **message(reply, model, id),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {**_usage_at_start(reply), "output_tokens": 1},
    }
    events: list[Json] = [{"type": "message_start", "message": start}]
    index = 0
    if reply.thinking:
        deltas: list[Json] = [
            {"type": "thinking_delta", "thinking": reply.thinking},
            {"type": "signature_delta", "signature": "c2lnbmVk"},
        ]
        events += _block(index, {"type": "thinking", "thinking": "", "signature": ""}, deltas)
        index += 1
    if reply.whole:
        deltas = [{"type": "text_delta", "text": piece} for piece in reply.pieces]
        events += _block(index, {"type": "text", "text": "", "citations": None}, deltas)
    events.insert(2, {"type": "ping"})
    ends: list[Json] = [
        {"type": "message_delta", "delta": _stop(reply), "usage": _usage_at_end(reply)},
        {"type": "message_stop"},
    ]
    return events + ends


def error_body(failure: Failure, id: str) -> Json:
    """The failure as the API words it."""
    kind = failure.type or ERROR_TYPES.get(failure.status, "api_error")
    error: Json = {"type": kind, "message": failure.message or f"The answer is {failure.status}."}
    if failure.code:
        error["details"] = {"error_code": failure.code}
    return {"type": "error", "error": error, "request_id": f"req_{id}"}


def _block(index: int, block: Json, deltas: list[Json]) -> list[Json]:
    inside: list[Json] = [{"type": "content_block_delta", "delta": delta} for delta in deltas]
    events: list[Json] = [
        {"type": "content_block_start", "content_block": block},
        *inside,
        {"type": "content_block_stop"},
    ]
    return [{**event, "index": index} for event in events]


def _stop(reply: Reply) -> Json:
    details = None
    if reply.category or reply.explanation:
        details = {
            "type": "refusal",
            "category": reply.category,
            "explanation": reply.explanation,
        }
    return {
        "stop_reason": reply.stop,
        "stop_sequence": reply.stop_sequence,
        "stop_details": details,
    }


def _usage_at_start(reply: Reply) -> Json:
    return {
        "input_tokens": 25 if reply.input_tokens is None else reply.input_tokens,
        "cache_creation_input_tokens": reply.cache_write,
        "cache_read_input_tokens": reply.cache_read,
        "service_tier": "standard",
    }


def _usage_at_end(reply: Reply) -> Json:
    return {
        "output_tokens": output_tokens(reply),
        "output_tokens_details": {"thinking_tokens": reply.thinking_tokens},
    }


def output_tokens(reply: Reply) -> int:
    """How many tokens the reply is said to have: about one for four characters."""
    if reply.output_tokens is not None:
        return reply.output_tokens
    return 1 + len(reply.whole) // 4 + reply.thinking_tokens
