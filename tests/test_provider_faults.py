"""Every way in which a call can fail, over real HTTP with the real SDKs: each has its one name."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace
from email.utils import formatdate
from typing import TYPE_CHECKING, Final, Literal

import pytest
from tests.loopback import (
    Failure,
    HangUp,
    Loopback,
    Reply,
    Verbatim,
    chat_chunks,
    message_events,
)
from tests.provider_runs import KEY, REQUEST, keys, provider_at, run, run_all

from onlytext.providers import Answer, ProviderError

if TYPE_CHECKING:
    from tests.loopback import Turn

    from onlytext.providers import Fault

BOTH = pytest.mark.parametrize("name", ["anthropic", "openai"])
STATUSES: Final[dict[int, tuple[Fault, bool]]] = {
    400: ("bad_request", False),
    401: ("authentication", False),
    402: ("spend_limit", False),
    403: ("authentication", False),
    404: ("bad_request", False),
    408: ("server", True),
    409: ("server", True),
    412: ("bad_request", False),
    413: ("bad_request", False),
    422: ("bad_request", False),
    429: ("rate_limited", True),
    431: ("bad_request", False),
    499: ("bad_request", False),
    500: ("server", True),
    501: ("server", True),
    502: ("server", True),
    503: ("overloaded", True),
    504: ("server", True),
    529: ("overloaded", True),
}
# Three pieces of text, so that a stream can break between any two events.
REPLY: Final = Reply(chunks=("[TITLE]\n", "A lamp ", "in June"), thinking="hm", input_tokens=30)


def errors(name: str, turns: list[Turn], *, seconds: float = 20.0) -> list[ProviderError]:
    """The error of each call, by one client."""
    return [ran.error for ran in run_all(name, turns, [REQUEST] * len(turns), seconds=seconds)]


def _wire(*events: dict[str, object]) -> bytes:
    return b"".join(
        f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events
    )


# ---------------------------------------------------------------- statuses


@BOTH
def test_every_status_is_the_fault_that_it_means_and_is_asked_once_only(name: str) -> None:
    turns: list[Turn] = [Failure(status=status, message="No.") for status in STATUSES]
    ran = run_all(name, turns, [REQUEST] * len(turns))
    assert {each.error.status: (each.error.fault, each.error.again) for each in ran} == STATUSES
    assert [len(each.seen) for each in ran] == [1] * len(STATUSES)
    assert all(str(each.error).endswith(": No.") for each in ran)


@BOTH
def test_an_error_without_json_still_has_its_status(name: str) -> None:
    [error] = errors(
        name, [Verbatim(status=502, body=b"<html>Bad gateway</html>", kind="text/html")]
    )
    assert (error.fault, error.status, error.again) == ("server", 502, True)


@BOTH
def test_the_server_may_say_whether_to_try_again(name: str) -> None:
    never, always = errors(
        name,
        [
            Failure(status=500, headers={"x-should-retry": "false"}),
            Failure(status=400, headers={"x-should-retry": "true"}),
        ],
    )
    assert not never.again
    assert always.again


@pytest.mark.parametrize(
    ("name", "failure"),
    [
        ("anthropic", Failure(status=429, code="enforced_spend_limit_reached")),
        ("anthropic", Failure(status=429, code="contract_spend_limit_reached")),
        ("anthropic", Failure(status=402, code="linked_organization_spend_limit_reached")),
        (
            "anthropic",
            Failure(status=400, message="Your credit balance is too low to access the API."),
        ),
        ("openai", Failure(status=429, type="insufficient_quota", code="insufficient_quota")),
        ("openai", Failure(status=429, code="billing_hard_limit_reached")),
    ],
)
def test_an_account_that_may_spend_no_more_is_not_asked_again(name: str, failure: Failure) -> None:
    [error] = errors(name, [failure])
    assert (error.fault, error.again) == ("spend_limit", False)


def test_a_ramp_limit_passes_with_time() -> None:
    [error] = errors(
        "anthropic",
        [Failure(status=429, code="ramp_limit_exceeded", headers={"retry-after": "30"})],
    )
    assert (error.fault, error.again, error.retry_after) == ("rate_limited", True, 30.0)


@BOTH
def test_how_long_to_wait_is_told_and_not_waited_for(name: str) -> None:
    said: dict[str, float | None] = {
        "7": 7.0,
        "0.5": 0.5,
        "4294967": 4294967.0,
        "1e300": 1e300,
        "-5": None,
        "nan": None,
        "inf": None,
        "soon": None,
        "9" * 100: None,
        formatdate(time.time() - 100, usegmt=True): 0.0,
        "Mon, 99 Foo 2026 00:00:00 GMT": None,
    }
    turns: list[Turn] = [
        Failure(status=status, headers={"retry-after": value})
        for value, status in zip(said, [429, 529, 503] * 4, strict=False)
    ]
    start = time.monotonic()
    came = errors(name, turns)
    assert [error.retry_after for error in came] == list(said.values())
    assert time.monotonic() - start < 60
    [soon] = errors(name, [Failure(status=429, headers={"retry-after-ms": "250"})])
    assert soon.retry_after == 0.25


@BOTH
def test_an_error_brings_the_limits_and_the_request_id(name: str) -> None:
    headers = {"x-ratelimit-limit-tokens": "100", "x-ratelimit-remaining-tokens": "0"}
    [error] = errors(name, [Failure(status=429, headers=headers)])
    assert error.limits is not None
    assert error.limits.tokens_left == 0.0
    assert error.request_id == "req_1"


@BOTH
def test_no_error_tells_the_key(name: str) -> None:
    told = f"The key {KEY} is wrong."
    came = errors(
        name,
        [
            Failure(status=401, message=told),
            Failure(status=400, type=KEY, code=KEY),
            Verbatim(status=500, body=told.encode(), kind="text/plain"),
            replace(REPLY, error_after=3, error=KEY),
        ],
    )
    for error in came:
        below: BaseException | None = error
        while below is not None:
            assert KEY not in f"{below} {below!r} {vars(below)}"
            below = below.__cause__


# ---------------------------------------------------------------- streams


@pytest.mark.parametrize("cut", ["ended", "dropped"])
def test_a_stream_of_claude_that_breaks_anywhere_before_its_end_is_no_answer(
    cut: Literal["ended", "dropped"],
) -> None:
    events = message_events(REPLY)
    # The event before the last one says why the reply ended: from there on it is whole.
    turns: list[Turn] = [replace(REPLY, cut_after=count, cut=cut) for count in range(len(events))]
    ran = run_all("anthropic", turns, [REQUEST] * len(turns))
    *broken, whole = ran
    first, *rest = [each.error for each in broken]
    assert first.fault == ("connection" if cut == "dropped" else "bad_answer")
    assert {error.fault for error in rest} == {"broken_stream"}
    assert all(error.again for error in [first, *rest])
    texts = [error.partial for error in rest]
    assert texts == sorted(texts, key=len)
    assert texts[-1] == "[TITLE]\nA lamp in June"
    assert rest[0].usage is not None
    assert rest[0].usage.input == 30
    assert whole.answer.text == "[TITLE]\nA lamp in June"


@pytest.mark.parametrize("cut", ["ended", "dropped"])
def test_a_stream_of_chunks_that_breaks_anywhere_before_its_end_is_no_answer(
    cut: Literal["ended", "dropped"],
) -> None:
    chunks = chat_chunks(REPLY)
    turns: list[Turn] = [
        replace(REPLY, cut_after=count, cut=cut) for count in range(len(chunks) + 1)
    ]
    ran = run_all("openai", turns, [REQUEST] * len(turns))
    # The last chunk but the usage says why the reply ended: from there on it is whole.
    *broken, no_usage, no_done = ran
    first, *rest = [each.error for each in broken]
    assert first.fault == ("connection" if cut == "dropped" else "bad_answer")
    assert {error.fault for error in rest} == {"broken_stream"}
    assert rest[-1].partial == "[TITLE]\nA lamp in June"
    assert no_usage.answer.text == no_done.answer.text == "[TITLE]\nA lamp in June"
    assert no_usage.answer.usage.input == 0
    assert no_done.answer.usage.input == 30


@pytest.mark.parametrize(
    ("error", "fault", "again"),
    [
        ("overloaded_error", "overloaded", True),
        ("rate_limit_error", "rate_limited", True),
        ("api_error", "server", True),
        ("timeout_error", "server", True),
        ("invalid_request_error", "bad_request", False),
        ("authentication_error", "authentication", False),
        ("billing_error", "spend_limit", False),
        ("something_new", "server", True),
    ],
)
@BOTH
def test_an_error_in_the_midst_of_a_stream_is_the_fault_that_it_names(
    name: str,
    error: str,
    fault: str,
    again: bool,  # noqa: FBT001 - a value of the table
) -> None:
    came = run(name, replace(REPLY, error=error, error_after=8 if name == "anthropic" else 4)).error
    assert (came.fault, came.again) == (fault, again)
    assert came.partial.startswith("[TITLE]")
    assert "broke off with an error" in str(came)


@BOTH
def test_an_error_may_come_at_any_event(name: str) -> None:
    count = len(message_events(REPLY) if name == "anthropic" else chat_chunks(REPLY))
    turns: list[Turn] = [replace(REPLY, error_after=after) for after in range(count)]
    assert {error.fault for error in errors(name, turns)} == {"overloaded"}


def test_an_error_in_a_stream_of_chunks_may_give_a_status_as_its_code() -> None:
    body = b'data: {"error": {"code": 429, "message": "Too many"}}\n\n'
    [error] = errors("openai", [Verbatim(body=body, kind="text/event-stream")])
    assert (error.fault, error.status) == ("rate_limited", 429)


# ---------------------------------------------------------------- what is no answer


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>Sign in</html>",
        b'{"id": "msg_1", "type": "message", "content": []}',
        b"\xff\xfe\x00",
        b"data: {not json}\n\n",
        b"event: message_start\ndata: {not json}\n\n",
        b"event: message_start\ndata: []\n\ndata: []\n\n",
        b'event: message_start\ndata: {"type": "message_start"}\n\n',
        b'event: message_start\ndata: {"type": "message_start", "message": 3}\n\n',
        b'event: content_block_delta\ndata: {"type": "content_block_delta", "delta": {"type":\
 "text_delta", "text": 5}}\n\n',
        b'data: {"choices": 3}\n\n',
        b'data: {"choices": [{"index": 0, "delta": {"content": 5}}]}\n\n',
        b"event: message_start\ndata: " + b"[" * 200_000 + b"\n\n",
        b"data: " + b"[" * 200_000 + b"\n\n",
    ],
)
@BOTH
def test_what_is_no_answer_is_a_bad_answer(name: str, body: bytes) -> None:
    [error] = errors(name, [Verbatim(body=body, kind="text/event-stream")])
    assert (error.fault, error.again) == ("bad_answer", True)


@BOTH
def test_events_that_nobody_knows_are_passed_over(name: str) -> None:
    [ran] = run_all(
        name,
        [
            Verbatim(
                kind="text/event-stream",
                body=_wire(
                    {"type": "message_start", "message": {"model": "m", "usage": {}}},
                    {"type": "surprise", "of": 3},
                    {"type": "content_block_delta", "delta": {"type": "odd_delta", "text": "no"}},
                    {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "A"}},
                    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {}},
                )
                if name == "anthropic"
                else b'data: {"choices": [], "surprise": 3}\n\n'
                b'data: {"choices": [{"index": 1, "delta": {"content": "no"}}]}\n\n'
                b'data: {"choices": [{"index": 0, "delta": {"content": "A", "odd": "no"},'
                b' "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n',
            )
        ],
        [REQUEST],
    )
    assert (ran.answer.text, ran.answer.stop) == ("A", "end")


@BOTH
def test_a_reply_of_five_megabytes_comes_whole(name: str) -> None:
    text = "One line of a long text.\n" * 200_000
    answer = run(name, Reply(text=text, piece=500_000)).answer
    assert answer.text == text


@BOTH
def test_a_reply_without_end_is_given_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onlytext.providers._gathered._LONGEST", 10_000)
    [error] = errors(name, [Reply(text="on and on " * 2_000, piece=4_000)])
    assert error.fault == "bad_answer"


@BOTH
def test_a_character_that_comes_in_two_halves_is_one_and_half_a_one_is_none(name: str) -> None:
    for chunks, text in ((("\ud83d", "\ude00!"), "😀!"), (("a\ud83d", "b"), "a\ufffdb")):
        assert run(name, Reply(chunks=chunks)).answer.text == text


@BOTH
def test_a_prompt_with_half_a_character_is_refused(name: str) -> None:
    ran = run(name, REPLY, request=replace(REQUEST, system="a\ud83db"))
    assert (ran.error.fault, ran.error.again, ran.seen) == ("bad_request", False, [])


# ---------------------------------------------------------------- connections and time


@BOTH
def test_a_connection_that_closes_without_an_answer_is_named(name: str) -> None:
    for error in errors(name, [HangUp(), HangUp(in_header=True)]):
        assert (error.fault, error.again, error.status) == ("connection", True, None)


@BOTH
def test_a_server_that_is_not_there_is_named(name: str) -> None:
    with keys(), Loopback(REPLY) as server:
        provider = provider_at(name, server)

    async def work() -> ProviderError:
        try:
            with pytest.raises(ProviderError) as error:
                await provider.complete(REQUEST, seconds=5)
            return error.value
        finally:
            await provider.aclose()

    with keys():
        assert asyncio.run(work()).fault == "connection"


@BOTH
def test_a_server_that_went_away_and_came_back_answers_again(name: str) -> None:
    async def work() -> list[str]:
        provider = provider_at(name, server)
        came: list[str] = []
        try:
            for step in (None, server.go_away, server.come_back):
                if step is not None:
                    step()
                try:
                    came.append((await provider.complete(REQUEST, seconds=5)).text)
                except ProviderError as error:
                    came.append(error.fault)
        finally:
            await provider.aclose()
        return came

    with keys(), Loopback(Reply(text="A lamp")) as server:
        assert asyncio.run(work()) == ["A lamp", "connection", "A lamp"]


@pytest.mark.parametrize(
    "turn",
    [
        Reply(text="A lamp", wait=30),
        Failure(status=529, wait=30),
        Reply(text="A lamp", header_pause=1),
        Reply(chunks=("A ",) * 500, between=0.05),
    ],
)
@BOTH
def test_a_call_ends_with_its_own_deadline_however_slow_the_server(name: str, turn: Turn) -> None:
    async def work() -> tuple[ProviderError, float]:
        provider = provider_at(name, server)
        try:
            # The first call of a client is slow by itself: what is measured comes after it.
            await provider.complete(REQUEST, seconds=60)
            start = time.monotonic()
            with pytest.raises(ProviderError) as late:
                await provider.complete(REQUEST, seconds=0.8)
            return late.value, time.monotonic() - start
        finally:
            await provider.aclose()

    with keys(), Loopback([REPLY, turn]) as server:
        error, took = asyncio.run(work())
    assert (error.fault, error.again) == ("timeout", True)
    assert took < 5
    assert error.partial.startswith("A ") == (isinstance(turn, Reply) and turn.between > 0)


@BOTH
def test_a_call_that_is_cancelled_gives_its_connection_back(name: str) -> None:
    async def work() -> str:
        provider = provider_at(name, server)
        try:
            call = asyncio.create_task(provider.complete(REQUEST, seconds=20))
            await asyncio.sleep(0.3)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            return (await provider.complete(REQUEST, seconds=20)).text
        finally:
            await provider.aclose()

    with keys(), Loopback([Reply(text="slow", wait=30), Reply(text="A lamp")]) as server:
        assert asyncio.run(work()) == "A lamp"


@BOTH
def test_many_calls_at_once_each_get_their_own_reply(name: str) -> None:
    async def work() -> list[Answer]:
        provider = provider_at(name, server)
        try:
            calls = [
                provider.complete(replace(REQUEST, model=f"model-{number}"), seconds=20)
                for number in range(50)
            ]
            return await asyncio.gather(*calls)
        finally:
            await provider.aclose()

    with keys(), Loopback(lambda seen: Reply(text=f"by {seen.model}", wait=0.2)) as server:
        answers = asyncio.run(work())
    assert [answer.text for answer in answers] == [f"by model-{number}" for number in range(50)]
    assert server.most_in_flight > 10
