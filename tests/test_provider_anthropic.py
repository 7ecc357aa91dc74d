"""Claude's SDK against a real server on 127.0.0.1: what is sent, and what is made of the answers."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.loopback import Expired, Failure, Loopback, Reply
from tests.provider_runs import KEY, REQUEST, keys, provider_at, run

from onlytext.providers import (
    Answer,
    BatchProvider,
    BatchState,
    Limits,
    Message,
    ProviderError,
    Usage,
    make_provider,
)
from onlytext.providers.anthropic import AnthropicProvider

if TYPE_CHECKING:
    from tests.loopback import Script, Seen


def test_the_text_blocks_make_the_text_and_the_thinking_stands_apart() -> None:
    ran = run(
        "anthropic",
        Reply(
            text="[TITLE]\nA lamp, and who lit it",
            thinking="Short is better.",
            thinking_tokens=7,
            input_tokens=30,
            output_tokens=12,
            cache_read=400,
            cache_write=9,
        ),
    )
    assert ran.answer == Answer(
        text="[TITLE]\nA lamp, and who lit it",
        stop="end",
        thinking="Short is better.",
        usage=Usage(input=30, output=12, cache_read=400, cache_write=9, thinking=7),
        model="claude-haiku-5-5",
        request_id="req_1",
    )


def test_a_call_streams_and_marks_the_constant_part_for_the_cache() -> None:
    [seen] = run("anthropic", Reply(text="A lamp")).seen
    assert seen.path == "/v1/messages"
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.body == {
        "model": "claude-haiku-5-5",
        "max_tokens": 200,
        "stream": True,
        "system": [
            {
                "type": "text",
                "text": "Write captions.",
                "cache_control": {"type": "ephemeral", "ttl": "5m"},
            }
        ],
        "messages": [{"role": "user", "content": "One for a lamp."}],
    }


def test_what_a_request_leaves_out_is_not_sent_and_what_it_has_is() -> None:
    asked = replace(
        REQUEST,
        system="",
        effort="low",
        stop=("[END-7]",),
        messages=(Message("user", "One"), Message("assistant", "Two"), Message("user", "Three")),
        grammar='root ::= "a"',
    )
    [seen] = run("anthropic", Reply(text="A"), request=asked, thinking="disabled").seen
    assert seen.body == {
        "model": "claude-haiku-5-5",
        "max_tokens": 200,
        "stream": True,
        "stop_sequences": ["[END-7]"],
        "output_config": {"effort": "low"},
        "thinking": {"type": "disabled"},
        "messages": [
            {"role": "user", "content": "One"},
            {"role": "assistant", "content": "Two"},
            {"role": "user", "content": "Three"},
        ],
    }


@pytest.mark.parametrize("kind", ["adaptive", "between_tools"])
def test_thinking_is_sent_as_the_job_has_it(kind: str) -> None:
    [seen] = run("anthropic", Reply(text="A"), thinking=kind, cache="off").seen
    assert seen.body["thinking"] == {"type": kind}
    assert seen.body["system"] == [{"type": "text", "text": "Write captions."}]


@pytest.mark.parametrize("model", ["claude-haiku-4-5", "claude-sonnet-4-5-20250929"])
def test_a_model_that_takes_no_effort_gets_none_and_one_near_its_end_is_still_asked(
    model: str,
) -> None:
    ran = run("anthropic", Reply(text="A"), request=replace(REQUEST, model=model, effort="high"))
    assert ran.answer.text == "A"
    assert "output_config" not in ran.seen[0].body


@pytest.mark.parametrize(
    ("reply", "stop", "detail"),
    [
        (Reply(text="A", stop="end_turn"), "end", ""),
        (Reply(text="A", stop="max_tokens"), "max_tokens", ""),
        (
            Reply(text="A", stop="model_context_window_exceeded"),
            "max_tokens",
            "model_context_window_exceeded",
        ),
        (Reply(text="A", stop="stop_sequence", stop_sequence="[END]"), "stop_sequence", ""),
        # llama.cpp says it so
        (Reply(text="A", stop="end_turn", stop_sequence="[END]"), "stop_sequence", ""),
        (
            Reply(stop="refusal", category="bio", explanation="Not this."),
            "refusal",
            "bio: Not this.",
        ),
        (Reply(stop="refusal"), "refusal", ""),
        (Reply(text="A", stop="pause_turn"), "other", "pause_turn"),
        (Reply(text="A", stop="something_new"), "other", "something_new"),
    ],
)
def test_every_reason_to_stop_has_its_word(reply: Reply, stop: str, detail: str) -> None:
    answer = run("anthropic", reply).answer
    assert (answer.stop, answer.detail) == (stop, detail)


def test_a_reply_of_thinking_alone_is_an_empty_text_that_reached_its_bound() -> None:
    answer = run("anthropic", Reply(thinking="Where to begin?", stop="max_tokens")).answer
    assert (answer.text, answer.thinking, answer.stop) == ("", "Where to begin?", "max_tokens")


def test_the_limits_are_those_of_the_header() -> None:
    headers = {
        "anthropic-ratelimit-requests-limit": "50",
        "anthropic-ratelimit-requests-remaining": "40",
        "anthropic-ratelimit-requests-reset": "2020-01-01T00:00:00Z",
        "anthropic-ratelimit-input-tokens-limit": "1000",
        "anthropic-ratelimit-input-tokens-remaining": "100",
        "anthropic-ratelimit-input-tokens-reset": "2020-01-01T00:00:00Z",
    }
    answer = run("anthropic", Reply(text="A", headers=headers)).answer
    assert answer.limits == Limits(requests_left=0.8, tokens_left=0.1, reset_seconds=0.0)


def test_a_temperature_is_refused_with_what_to_do_and_nothing_is_sent() -> None:
    ran = run("anthropic", Reply(text="A"), request=replace(REQUEST, temperature=0.0))
    assert ran.error.fault == "bad_request"
    assert not ran.error.again
    assert "take temperature out of the job" in str(ran.error)
    assert ran.seen == []


def test_an_effort_that_there_is_not_is_refused_before_the_call() -> None:
    ran = run("anthropic", Reply(text="A"), request=replace(REQUEST, effort="enormous"))
    assert "low, medium, high, xhigh, max" in str(ran.error)
    assert ran.seen == []


# ---------------------------------------------------------------- batches


def _batched(
    script: Script, *, polls: int = 1
) -> tuple[dict[str, Answer | ProviderError], list[Seen]]:
    async def work() -> dict[str, Answer | ProviderError]:
        provider = provider_at("anthropic", server)
        assert isinstance(provider, BatchProvider)
        requests = [(name, replace(REQUEST, effort=None)) for name in ("a" * 64, "b", "c")]
        try:
            batch = await provider.submit(requests)
            states = [await provider.state(batch) for _ in range(polls + 1)]
            assert states[0] == BatchState(ended=False, done=0, in_all=3)
            assert states[-1] == BatchState(ended=True, done=3, in_all=3)
            return {name: came async for name, came in provider.results(batch)}
        finally:
            await provider.aclose()

    with keys(), Loopback(script, batch_polls=polls) as server:
        return asyncio.run(work()), server.seen


def test_a_batch_gives_each_request_its_answer() -> None:
    came, seen = _batched([Reply(text="A", thinking="hm"), Reply(text="B"), Reply(text="C")])
    assert {name: answer.text for name, answer in came.items() if isinstance(answer, Answer)} == {
        "a" * 64: "A",
        "b": "B",
        "c": "C",
    }
    first = came["a" * 64]
    assert isinstance(first, Answer)
    assert (first.thinking, first.stop, first.usage.output) == ("hm", "end", 1)
    assert seen[0].path == "/v1/messages/batches"


def test_what_failed_in_a_batch_is_an_error_of_its_own() -> None:
    came, _ = _batched([Failure(status=529), Expired(), Reply(text="half", stop=None)])
    faults = {
        name: (error.fault, error.again, error.partial)
        for name, error in came.items()
        if isinstance(error, ProviderError)
    }
    assert faults == {
        "a" * 64: ("overloaded", True, ""),
        "b": ("timeout", True, ""),
        "c": ("broken_stream", True, "half"),
    }


def test_a_batch_that_is_canceled_says_so_of_each_request() -> None:
    async def work() -> list[Answer | ProviderError]:
        provider = AnthropicProvider(base_url=server.url)
        try:
            batch = await provider.submit([("a", REQUEST), ("b", REQUEST)])
            await provider.cancel(batch)
            assert (await provider.state(batch)).ended
            return [came async for _, came in provider.results(batch)]
        finally:
            await provider.aclose()

    with keys(), Loopback(Reply(text="A"), batch_polls=5) as server:
        came = asyncio.run(work())
    assert all(isinstance(error, ProviderError) and error.again for error in came)
    assert len(came) == 2


def test_results_before_the_end_and_batches_that_there_are_not_are_errors() -> None:
    async def work() -> list[str]:
        provider = make_provider("anthropic", {"base_url": server.url})
        assert isinstance(provider, BatchProvider)
        faults: list[str] = []
        try:
            batch = await provider.submit([("a", REQUEST)])
            for name in (batch, "msgbatch_none"):
                try:
                    _ = [came async for came in provider.results(name)]
                except ProviderError as error:
                    faults.append(error.fault)
            with pytest.raises(ProviderError) as gone:
                await provider.state("msgbatch_none")
            return [*faults, gone.value.fault]
        finally:
            await provider.aclose()

    with keys(), Loopback(Reply(text="A"), batch_polls=5) as server:
        assert asyncio.run(work()) == ["bad_answer", "bad_request", "bad_request"]


def test_more_than_a_batch_takes_is_refused_before_it_is_sent() -> None:
    async def work() -> None:
        provider = make_provider("anthropic", {"base_url": server.url})
        assert isinstance(provider, BatchProvider)
        try:
            with pytest.raises(ProviderError, match="several batches"):
                await provider.submit([("a", REQUEST)] * 100_001)
        finally:
            await provider.aclose()

    with keys(), Loopback(Reply(text="A")) as server:
        asyncio.run(work())
    assert server.seen == []
