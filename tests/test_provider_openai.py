"""What is made of Chat Completions' answers, whichever server speaks them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.loopback import Reply, Verbatim
from tests.provider_runs import REQUEST, run

from onlytext.providers import Answer, Message, Usage


def _stream(*choices: dict[str, object]) -> Verbatim:
    empty: dict[str, object] = {"index": 0, "delta": {}}
    chunks = [{"choices": [{**empty, **choice}]} for choice in choices]
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return Verbatim(body="".join([*lines, "data: [DONE]\n\n"]).encode(), kind="text/event-stream")


def test_what_was_read_from_the_cache_is_not_counted_twice() -> None:
    reply = Reply(
        text="A lamp",
        thinking="hm",
        thinking_tokens=3,
        input_tokens=30,
        output_tokens=12,
        cache_read=400,
    )
    assert run("openai", reply).answer == Answer(
        text="A lamp",
        stop="end",
        thinking="hm",
        usage=Usage(input=30, output=12, cache_read=400, thinking=3),
        model="claude-haiku-5-5",
        request_id="req_1",
    )


@pytest.mark.parametrize(
    ("choice", "stop", "detail"),
    [
        ({"finish_reason": "stop"}, "end", ""),
        ({"finish_reason": "length"}, "max_tokens", ""),
        ({"finish_reason": "content_filter"}, "refusal", "content_filter"),
        ({"finish_reason": "stop", "delta": {"refusal": "Not this."}}, "refusal", "Not this."),
        ({"finish_reason": "stop", "stop_reason": "[END]"}, "stop_sequence", ""),
        ({"finish_reason": "stop", "stop_reason": 151645}, "end", ""),
        ({"finish_reason": "tool_calls"}, "other", "tool_calls"),
        ({"finish_reason": "something_new"}, "other", "something_new"),
    ],
)
def test_every_reason_to_finish_has_its_word(
    choice: dict[str, object], stop: str, detail: str
) -> None:
    answer = run("openai", _stream({"delta": {"content": "A"}}, choice)).answer
    assert (answer.text, answer.stop, answer.detail) == ("A", stop, detail)


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_thoughts_stand_apart_wherever_a_server_puts_them(field: str) -> None:
    script = _stream({"delta": {field: "hm"}}, {"delta": {"content": "A"}, "finish_reason": "stop"})
    answer = run("openai", script).answer
    assert (answer.thinking, answer.text) == ("hm", "A")


def test_earlier_turns_are_sent_and_an_empty_system_prompt_is_not() -> None:
    turns = (Message("user", "One"), Message("assistant", "Two"), Message("user", "Three"))
    [seen] = run(
        "openai", Reply(text="A"), request=replace(REQUEST, system="", messages=turns)
    ).seen
    assert seen.body["messages"] == [
        {"role": "user", "content": "One"},
        {"role": "assistant", "content": "Two"},
        {"role": "user", "content": "Three"},
    ]


def test_an_effort_that_there_is_not_is_refused_before_the_call() -> None:
    ran = run("openai", Reply(text="A"), request=replace(REQUEST, effort="enormous"))
    assert "none, minimal, low, medium, high, xhigh, max" in str(ran.error)
    assert ran.seen == []


def test_a_connection_that_is_lost_after_the_end_leaves_the_reply_whole() -> None:
    # Role, text, finish: only the figures and the good-bye are missing.
    answer = run("openai", Reply(text="A lamp", cut_after=3, cut="dropped")).answer
    assert (answer.text, answer.stop, answer.usage) == ("A lamp", "end", Usage())


def test_claude_that_is_cut_after_its_stop_reason_is_whole_too() -> None:
    # Start, block, ping, text, end of block, stop reason: only message_stop is missing.
    answer = run("anthropic", Reply(text="A lamp", cut_after=6, cut="dropped")).answer
    assert (answer.text, answer.stop) == ("A lamp", "end")
