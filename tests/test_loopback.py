"""The scripted server itself: order of the turns, counts, keys, and its own process."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, cast

import anthropic
import pytest
from tests.loopback import Failure, HangUp, Loopback, Reply, message_events
from tests.provider_runs import KEY

if TYPE_CHECKING:
    from tests.loopback import Seen


def _post(url: str, body: dict[str, object], *, key: str = KEY) -> dict[str, object]:
    request = urllib.request.Request(  # noqa: S310 - the server's own URL
        url,
        data=json.dumps(body).encode(),
        headers={"authorization": f"Bearer {key}", "content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310 - likewise
        return cast("dict[str, object]", json.loads(answer.read()))


def _status(url: str, body: dict[str, object], *, key: str = KEY) -> int:
    with pytest.raises(urllib.error.HTTPError) as raised:
        _post(url, body, key=key)
    with raised.value as error:
        return error.code


def test_turns_come_in_order_and_the_last_one_again_and_again() -> None:
    with Loopback([Reply(text="One"), Failure(status=529), Reply(text="Two")]) as server:
        url = f"{server.url}/v1/messages"
        assert _post(url, {"model": "m"})["content"] == [
            {"type": "text", "text": "One", "citations": None}
        ]
        assert _status(url, {"model": "m"}) == 529
        assert [_post(url, {})["content"] for _ in range(2)] == [
            [{"type": "text", "text": "Two", "citations": None}]
        ] * 2
    assert server.count == len(server.seen) == len(server.asked) == 4
    assert [seen.number for seen in server.seen] == [1, 2, 3, 4]


def test_a_function_sees_what_was_asked() -> None:
    def script(seen: Seen) -> Reply:
        return Reply(text=f"{seen.model}|{seen.system}|{seen.prompt}")

    blocks = [{"type": "text", "text": "Be "}, {"type": "text", "text": "short."}]
    turns = [{"role": "user", "content": "no"}, {"role": "user", "content": "A lamp"}]
    with Loopback(script) as server:
        claude = _post(
            f"{server.url}/v1/messages", {"model": "m", "system": blocks, "messages": turns}
        )
        system = {"role": "system", "content": "Be short."}
        chat = _post(
            f"{server.chat_url}/chat/completions", {"model": "m", "messages": [system, *turns]}
        )
    assert "m|Be short.|A lamp" in json.dumps(claude)
    assert "m|Be short.|A lamp" in json.dumps(chat)


def test_without_the_key_nobody_gets_in() -> None:
    with Loopback(Reply(text="A"), key=KEY) as server:
        assert _status(f"{server.url}/v1/messages", {}, key="another") == 401
        assert _status(f"{server.chat_url}/chat/completions", {}, key="another") == 401
        assert _post(f"{server.url}/v1/messages", {})["type"] == "message"


def test_what_is_not_there_is_not_found() -> None:
    with Loopback(Reply(text="A")) as server:
        assert _status(f"{server.url}/v1/complete", {}) == 404
        assert _status(f"{server.url}/v1/messages/batches/none/cancel", {}) == 404


def test_a_fault_of_the_script_is_raised_where_the_server_ends() -> None:
    def script(seen: Seen) -> Reply:
        raise KeyError(seen.number)

    with pytest.raises(KeyError), Loopback(script) as server:
        assert _status(f"{server.url}/v1/messages", {}) == 500


def test_the_real_sdk_counts_tokens_lists_models_and_reads_a_stream() -> None:
    async def work() -> tuple[int, list[str], str]:
        async with anthropic.AsyncAnthropic(api_key=KEY, base_url=server.url) as client:
            counted = await client.messages.count_tokens(
                model="m", messages=[{"role": "user", "content": "A lamp in June"}]
            )
            models = [model.id async for model in client.models.list()]
            async with client.messages.stream(
                model="m", max_tokens=9, messages=[{"role": "user", "content": "A lamp"}]
            ) as stream:
                message = await stream.get_final_message()
            return counted.input_tokens, models, message.to_json()

    reply = Reply(text="A lamp", thinking="hm", stop="stop_sequence", stop_sequence="[END]")
    with Loopback(reply) as server:
        tokens, models, message = asyncio.run(work())
    assert (tokens, models) == (3, ["claude"])
    said = json.loads(message)
    assert [block["type"] for block in said["content"]] == ["thinking", "text"]
    assert (said["stop_reason"], said["stop_sequence"]) == ("stop_sequence", "[END]")


def test_the_events_come_in_the_order_of_the_api() -> None:
    kinds = [str(event["type"]) for event in message_events(Reply(text="A" * 60, thinking="hm"))]
    assert kinds == [
        "message_start",
        "content_block_start",
        "ping",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    empty = [str(event["type"]) for event in message_events(Reply())]
    assert empty == ["message_start", "ping", "message_delta", "message_stop"]


def test_a_server_that_keeps_nothing_still_counts() -> None:
    with Loopback([HangUp(), Reply(text="A")], keep=False) as server:
        with pytest.raises((OSError, urllib.error.URLError)):
            _post(f"{server.url}/v1/messages", {})
        _post(f"{server.url}/v1/messages", {})
    assert (server.count, server.seen) == (2, [])


def test_a_port_that_is_taken_is_an_error_and_an_ended_server_does_nothing() -> None:
    with Loopback(Reply(text="A")) as server:
        port = int(server.url.rpartition(":")[2])
        with pytest.raises(OSError, match="in use"), Loopback(Reply(text="A"), port=port):
            pass
    with pytest.raises(RuntimeError, match="not running"):
        server.go_away()


def test_it_runs_as_a_process_of_its_own_with_replies_by_prompt(tmp_path: Path) -> None:
    replies = tmp_path / "replies.jsonl"
    replies.write_text('{"when": "lamp", "text": "By lamplight"}\n', encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "demo.loopback",
        "--text",
        "No lamp",
        "--replies",
        str(replies),
    ]
    root = Path(__file__).parent.parent
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = f"{process.stdout.readline().strip()}/v1/messages"
            said = [
                json.dumps(_post(url, {"messages": [{"role": "user", "content": asked}]}))
                for asked in ("A lamp", "A desk")
            ]
        finally:
            process.terminate()
    assert "By lamplight" in said[0]
    assert "No lamp" in said[1]
