"""What every provider promises, whichever it is."""

from __future__ import annotations

import asyncio
import inspect
import json
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

import pytest
from tests.local_engine import engine
from tests.loopback import Failure, Loopback, Reply
from tests.provider_runs import KEY, REQUEST, keys, provider_at

from onlytext.providers import Answer, Provider, ProviderError, make_provider, provider_names
from onlytext.providers.replay import digest_of, recording

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator
    from pathlib import Path

_T = TypeVar("_T")

WHOLE: Final = replace(REQUEST, model="whole")
FAULTY: Final = replace(REQUEST, model="faulty")
SLOW: Final = replace(REQUEST, model="slow")
EMPTY: Final = replace(REQUEST, model="empty")
# Blanks, line ends and signs of every kind: a provider changes none of them.
TEXT: Final = "[TITLE]\n Été — a lamp\r\n\n[BODY]\n``` lit 灯\u2028🕯 ```  \n"
NAMES: Final = ("anthropic", "local", "openai", "recording", "replay")
EVERY: Final = pytest.mark.parametrize("name", NAMES)


def _turn(model: str) -> Reply | Failure:
    turns: dict[str, Reply | Failure] = {
        "faulty": Failure(status=429, headers={"retry-after": "3"}),
        "slow": Reply(text=TEXT, wait=30),
        "empty": Reply(),
    }
    return turns.get(model, Reply(text=TEXT, thinking="hm", output_tokens=9))


@contextmanager
def _made(name: str, folder: Path) -> Generator[Provider]:
    with keys(), Loopback(lambda seen: _turn(seen.model)) as server, engine(server):
        if name == "local":
            file = folder / "model.gguf"
            file.write_bytes(b"GGUF")
            yield make_provider("local", {"file": str(file)})
        elif name == "replay":
            yield make_provider("replay", {"file": str(_recorded(folder)), "milliseconds": 300})
        elif name == "recording":
            yield recording(provider_at("anthropic", server), folder / "recorded.jsonl")
        else:
            yield provider_at(name, server)


def _recorded(folder: Path) -> Path:
    whole = {"text": TEXT, "stop": "end", "thinking": "hm", "usage": {"output": 9}}
    late = {"message": "No.", "fault": "rate_limited", "again": True, "retry_after": 3}
    rows: list[dict[str, object]] = [
        {"request": digest_of(WHOLE), "answer": whole},
        {"request": digest_of(SLOW), "answer": whole},
        {"request": digest_of(EMPTY), "answer": {"text": "", "stop": "end"}},
        {"request": digest_of(FAULTY), "error": late},
    ]
    file = folder / "replies.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def _with(name: str, folder: Path, work: Callable[[Provider], Awaitable[_T]]) -> _T:
    async def closed(provider: Provider) -> _T:
        try:
            return await work(provider)
        finally:
            await provider.aclose()

    with _made(name, folder) as provider:
        return asyncio.run(closed(provider))


def test_every_built_in_provider_is_held_to_the_contract() -> None:
    assert set(provider_names()) - set(NAMES) == set()


@EVERY
def test_it_is_a_provider_with_a_name(name: str, tmp_path: Path) -> None:
    with _made(name, tmp_path) as provider:
        assert isinstance(provider, Provider)
        assert provider.name == ("anthropic" if name == "recording" else name)
        assert inspect.iscoroutinefunction(provider.complete)
        assert inspect.iscoroutinefunction(provider.aclose)
        asyncio.run(provider.aclose())


@EVERY
def test_the_reply_comes_verbatim_with_its_end_and_its_figures(name: str, tmp_path: Path) -> None:
    answer = _with(name, tmp_path, lambda provider: provider.complete(WHOLE, seconds=20))
    assert answer.text == TEXT
    assert (answer.stop, answer.thinking, answer.usage.output) == ("end", "hm", 9)


@EVERY
def test_an_empty_reply_is_an_answer(name: str, tmp_path: Path) -> None:
    answer = _with(name, tmp_path, lambda provider: provider.complete(EMPTY, seconds=20))
    assert (answer.text, answer.thinking, answer.stop) == ("", "", "end")


@EVERY
def test_a_failure_is_one_provider_error_and_nothing_is_tried_again(
    name: str, tmp_path: Path
) -> None:
    with pytest.raises(ProviderError) as failed:
        _with(name, tmp_path, lambda provider: provider.complete(FAULTY, seconds=20))
    error = failed.value
    assert (error.fault, error.again, error.retry_after) == ("rate_limited", True, 3.0)


@EVERY
def test_the_deadline_is_kept(name: str, tmp_path: Path) -> None:
    async def work(provider: Provider) -> ProviderError:
        with pytest.raises(ProviderError) as late:
            await provider.complete(SLOW, seconds=0.2)
        return late.value

    error = _with(name, tmp_path, work)
    assert (error.fault, error.again) == ("timeout", True)
    assert "0.2 seconds" in str(error)


@EVERY
def test_a_failure_harms_no_other_call(name: str, tmp_path: Path) -> None:
    async def work(provider: Provider) -> list[Answer | BaseException]:
        calls = [provider.complete(asked, seconds=20) for asked in (WHOLE, FAULTY, EMPTY, WHOLE)]
        return await asyncio.gather(*calls, return_exceptions=True)

    first, failed, empty, last = _with(name, tmp_path, work)
    assert isinstance(failed, ProviderError)
    assert isinstance(first, Answer)
    assert isinstance(empty, Answer)
    assert isinstance(last, Answer)
    assert (first.text, empty.text, last.text) == (TEXT, "", TEXT)


@EVERY
def test_closing_twice_or_before_any_call_is_nothing(name: str, tmp_path: Path) -> None:
    async def work(provider: Provider) -> None:
        await provider.aclose()

    _with(name, tmp_path, work)


@EVERY
def test_a_provider_tells_no_key(name: str, tmp_path: Path) -> None:
    async def work(provider: Provider) -> str:
        await provider.complete(WHOLE, seconds=20)
        return f"{provider!r} {provider}"

    assert KEY not in _with(name, tmp_path, work)
