"""A model in this process: how its engine is started, and how it is asked."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.local_engine import Params, engine
from tests.loopback import Loopback, Reply
from tests.provider_runs import REQUEST, keys

from onlytext.providers import Answer, ProviderError, make_provider

if TYPE_CHECKING:
    from pathlib import Path

    from tests.loopback import Script, Seen

    from onlytext.providers import Request

ASKED = replace(REQUEST, grammar='root ::= "a"', effort="high", temperature=0.0)


def _ran(
    folder: Path,
    requests: list[Request],
    *,
    script: Script,
    start: bytes = b"GGUF",
    seconds: float = 20,
    **options: str | float | bool,
) -> tuple[list[Answer], list[Params], list[Seen], int]:
    file = folder / "small.gguf"
    file.write_bytes(start)

    async def work() -> list[Answer]:
        provider = make_provider("local", {"file": str(file), **options})
        try:
            return await asyncio.gather(
                *(provider.complete(request, seconds=seconds) for request in requests)
            )
        finally:
            await provider.aclose()

    with keys(None), Loopback(script) as server, engine(server) as told:
        return asyncio.run(work()), told, server.seen, server.most_in_flight


def test_the_engine_listens_on_this_machine_alone_with_a_key_of_its_own(tmp_path: Path) -> None:
    _, [first], seen, _ = _ran(tmp_path, [ASKED], script=Reply(text="A"))
    _, [second], _, _ = _ran(tmp_path, [ASKED], script=Reply(text="A"))
    assert first.hostnames == ["127.0.0.1"]
    assert first.api_keys != second.api_keys
    assert seen[0].headers["authorization"] == f"Bearer {first.api_keys[0]}"
    assert first.cpuparams.n_threads == max(1, (os.cpu_count() or 2) - 1)


def test_the_grammar_is_sent_and_the_effort_is_not(tmp_path: Path) -> None:
    [answer], _, [seen], _ = _ran(tmp_path, [ASKED], script=Reply(text="A"))
    assert answer.model == "small.gguf"
    assert seen.body["grammar"] == 'root ::= "a"'
    assert seen.body["temperature"] == 0.0
    assert seen.body["max_tokens"] == 200
    assert "reasoning_effort" not in seen.body


def test_a_job_may_set_threads_and_context_and_leave_the_grammar_out(tmp_path: Path) -> None:
    _, [told], [seen], _ = _ran(
        tmp_path, [ASKED], script=Reply(text="A"), threads=3, context=512, grammar=False
    )
    assert (told.cpuparams.n_threads, told.cpuparams_batch.n_threads, told.n_ctx) == (3, 3, 512)
    assert "grammar" not in seen.body


def test_the_file_is_loaded_once_and_one_request_is_computed_at_a_time(tmp_path: Path) -> None:
    answers, told, seen, most = _ran(tmp_path, [ASKED] * 4, script=Reply(text="A", wait=0.05))
    assert [answer.text for answer in answers] == ["A"] * 4
    assert (len(told), len(seen), most) == (1, 4, 1)


def test_a_file_that_is_no_model_is_said_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match=r"small\.gguf.*whole GGUF file") as raised:
        _ran(tmp_path, [ASKED], script=Reply(text="A"), start=b"<html>")
    assert not raised.value.again


def test_a_load_that_takes_longer_than_a_call_serves_the_next_one(tmp_path: Path) -> None:
    file = tmp_path / "small.gguf"
    file.write_bytes(b"GGUF")

    async def work() -> str:
        provider = make_provider("local", {"file": str(file)})
        try:
            with pytest.raises(ProviderError) as late:
                await provider.complete(ASKED, seconds=0.05)
            assert late.value.fault == "timeout"
            return (await provider.complete(ASKED, seconds=20)).text
        finally:
            await provider.aclose()

    with keys(None), Loopback(Reply(text="A")) as server, engine(server, load=0.4) as told:
        assert asyncio.run(work()) == "A"
    assert len(told) == 1


def test_closing_while_the_file_is_loaded_waits_for_it(tmp_path: Path) -> None:
    file = tmp_path / "small.gguf"
    file.write_bytes(b"<html>")

    async def work() -> None:
        provider = make_provider("local", {"file": str(file)})
        with pytest.raises(ProviderError):
            await provider.complete(ASKED, seconds=0.05)
        await provider.aclose()

    with keys(None), Loopback(Reply(text="A")) as server, engine(server, load=0.4) as told:
        asyncio.run(work())
    assert len(told) == 1


def test_waiting_for_a_turn_counts_for_the_deadline(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match=r"within 0\.5 seconds"):
        _ran(tmp_path, [ASKED] * 2, script=Reply(text="A", wait=0.4), seconds=0.5)
