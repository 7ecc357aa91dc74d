"""What goes over the wire for a turn of the script: a header, and a body or a stream of events."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from demo.loopback._chat import chat_chunks, chat_error, completion
from demo.loopback._messages import error_body, message, message_events
from demo.loopback._script import Failure, Reply, Verbatim

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from demo.loopback._messages import Json
    from demo.loopback._script import Seen

CHAT: Final = "/v1/chat/completions"
MESSAGES: Final = "/v1/messages"
_REASONS: Final = {200: "OK", 429: "Too Many Requests", 529: "Overloaded"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Bytes to send, with their header; `events` makes them a stream."""

    status: int = 200
    headers: Mapping[str, str]
    body: bytes = b""
    events: Sequence[bytes] | None = None
    wait: float = 0
    between: float = 0
    header_pause: float = 0
    dropped: bool = False


def failed(failure: Failure, seen: Seen) -> Answer:
    """The failure, in the words of the API that was asked."""
    chat = seen.path == CHAT
    body = chat_error(failure) if chat else error_body(failure, str(seen.number))
    headers = {**_named(seen), **failure.headers}
    return as_json(body, failure.status, headers=headers, wait=failure.wait)


def answer_for(turn: Reply | Failure | Verbatim, seen: Seen) -> Answer:
    """What goes out for a turn that answers at all."""
    match turn:
        case Failure():
            return failed(turn, seen)
        case Verbatim():
            headers = {"content-type": turn.kind, **turn.headers}
            return Answer(status=turn.status, headers=headers, body=turn.body, wait=turn.wait)
        case Reply():
            return _replied(turn, seen)


def _named(seen: Seen) -> dict[str, str]:
    return {"request-id": f"req_{seen.number}", "x-request-id": f"req_{seen.number}"}


def _replied(reply: Reply, seen: Seen) -> Answer:
    chat, number = seen.path == CHAT, str(seen.number)
    headers = {**_named(seen), **reply.headers}
    if seen.body.get("stream") is not True:
        body = (completion if chat else message)(reply, seen.model, number)
        return as_json(body, headers=headers, wait=reply.wait)
    events = list(_chat_wire(reply, seen) if chat else _messages_wire(reply, seen))
    if reply.cut_after is not None:
        events = events[: reply.cut_after]
    if reply.error_after is not None:
        failure = Failure(status=200, type=reply.error, message="It broke off.")
        body = chat_error(failure) if chat else error_body(failure, number)
        events = [*events[: reply.error_after], _event(None if chat else "error", body)]
    return Answer(
        headers={"content-type": "text/event-stream; charset=utf-8", **headers},
        events=events,
        wait=reply.wait,
        between=reply.between,
        header_pause=reply.header_pause,
        dropped=reply.cut_after is not None and reply.cut == "dropped",
    )


def _messages_wire(reply: Reply, seen: Seen) -> Iterator[bytes]:
    for event in message_events(reply, seen.model, str(seen.number)):
        yield _event(str(event["type"]), event)


def _chat_wire(reply: Reply, seen: Seen) -> Iterator[bytes]:
    options = cast("Json", seen.body.get("stream_options") or {})
    usage = options.get("include_usage") is True
    for chunk in chat_chunks(reply, seen.model, str(seen.number), usage=usage):
        yield _event(None, chunk)
    yield b"data: [DONE]\n\n"


def _event(name: str | None, data: Json) -> bytes:
    said = f"data: {json.dumps(data)}\n\n"
    return (said if name is None else f"event: {name}\n{said}").encode()


def as_json(
    body: Json, status: int = 200, *, headers: Mapping[str, str] | None = None, wait: float = 0
) -> Answer:
    """A body of JSON."""
    kind = {"content-type": "application/json", **(headers or {})}
    return Answer(status=status, headers=kind, body=json.dumps(body).encode(), wait=wait)


def header_lines(answer: Answer) -> list[bytes]:
    """The header, line for line."""
    length = (
        {"content-length": str(len(answer.body))}
        if answer.events is None
        else {"transfer-encoding": "chunked"}
    )
    lines = [f"HTTP/1.1 {answer.status} {_REASONS.get(answer.status, '-')}"]
    lines += [f"{name}: {value}" for name, value in {**answer.headers, **length}.items()]
    return [f"{line}\r\n".encode("latin-1") for line in [*lines, ""]]


def chunked(data: bytes) -> bytes:
    """The bytes as one chunk of a body that comes in chunks."""
    return b"%x\r\n%b\r\n" % (len(data), data)
