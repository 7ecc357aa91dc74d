"""Providers by name: options, keys, missing packages, and those of other packages."""

from __future__ import annotations

import asyncio
import importlib.util
import subprocess
import sys
from importlib.metadata import EntryPoint, EntryPoints
from typing import TYPE_CHECKING

import pytest
from tests.loopback import Loopback, Reply
from tests.provider_runs import KEY, REQUEST, keys, provider_at, run

from onlytext.providers import Answer, ProviderError, Request, make_provider, provider_names

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from onlytext.providers import Provider


class EchoProvider:
    """A provider of another package."""

    name = "echo"

    def __init__(self, options: Mapping[str, str | float | bool]) -> None:
        self.options = options

    async def complete(self, request: Request, *, seconds: float) -> Answer:
        return Answer(text=f"{request.model} within {seconds:g}", stop="end")

    async def aclose(self) -> None:
        pass


@pytest.fixture
def _others(monkeypatch: pytest.MonkeyPatch) -> None:
    group = "onlytext.providers"
    points = EntryPoints(
        [
            EntryPoint("echo", f"{__name__}:EchoProvider", group),
            EntryPoint("broken", "no_such_module_at_all:make", group),
            EntryPoint("openai", f"{__name__}:EchoProvider", group),
        ]
    )
    monkeypatch.setitem(sys.modules, __name__, sys.modules[EchoProvider.__module__])

    def entry_points(*, group: str) -> EntryPoints:
        return points.select(group=group)

    monkeypatch.setattr("onlytext.providers._make.entry_points", entry_points)


def _error(name: str, options: Mapping[str, str | float | bool] | None = None) -> ProviderError:
    with pytest.raises(ProviderError) as raised:
        make_provider(name, options)
    assert not raised.value.again
    return raised.value


def _first_call(provider: Provider) -> ProviderError:
    async def work() -> None:
        try:
            await provider.complete(REQUEST, seconds=5)
        finally:
            await provider.aclose()

    with pytest.raises(ProviderError) as raised:
        asyncio.run(work())
    return raised.value


# ---------------------------------------------------------------- names


def test_the_built_in_names_are_there() -> None:
    assert {"anthropic", "local", "openai", "replay"} <= set(provider_names())


def test_an_unknown_name_is_told_the_known_ones_and_the_nearest() -> None:
    error = _error("antropic")
    assert error.fault == "bad_request"
    assert "anthropic, local, openai, replay" in str(error)
    assert "write anthropic" in str(error)
    assert "write one of them" in str(_error("zzz"))


@pytest.mark.usefixtures("_others")
def test_another_package_brings_a_provider_but_takes_no_built_in_name() -> None:
    assert {"echo", "broken", "openai"} <= set(provider_names())
    provider = make_provider("echo", {"a": 1})
    assert isinstance(provider, EchoProvider)
    assert provider.options == {"a": 1}
    answer = asyncio.run(provider.complete(REQUEST, seconds=3))
    assert answer.text == "claude-haiku-5-5 within 3"
    with keys():
        assert not isinstance(make_provider("openai"), EchoProvider)


@pytest.mark.usefixtures("_others")
def test_a_package_that_does_not_load_is_named() -> None:
    assert "no_such_module_at_all" in str(_error("broken"))


# ---------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        (
            "anthropic",
            {"base_ulr": "x"},
            "[provider.anthropic] has no key base_ulr: write base_url",
        ),
        ("anthropic", {"zzz": "x"}, "the keys are base_url, cache, key_env, thinking"),
        ("anthropic", {"cache": "1d"}, "write one of 5m, 1h, off, not '1d'"),
        ("anthropic", {"cache": True}, "write a string in quotes, not True"),
        ("anthropic", {"thinking": "much"}, "default, adaptive, between_tools, disabled"),
        ("anthropic", {"base_url": "somewhere"}, "write a URL like"),
        ("openai", {"base_url": "ftp://127.0.0.1/"}, "write a URL like"),
        ("openai", {"base_url": "http://[::1"}, "is no URL"),
        ("openai", {"base_url": "http://me:secret@127.0.0.1/"}, "holds no name and password"),
        ("openai", {"grammar": "yes"}, "write true or false, not 'yes'"),
        ("openai", {"limit": "tokens"}, "max_completion_tokens, max_tokens"),
        ("local", {}, "file is missing"),
        ("local", {"file": "no/such.gguf"}, "there is no file no/such.gguf"),
        ("replay", {}, "file is missing"),
        ("replay", {"file": "no/such.jsonl"}, "no/such.jsonl"),
        ("replay", {"file": "x", "milliseconds": -1}, "write a whole number from 0 up"),
        ("replay", {"file": "x", "milliseconds": True}, "write a whole number from 0 up"),
        ("replay", {"file": "x", "milliseconds": 1.5}, "write a whole number"),
    ],
)
def test_an_option_that_can_not_be_is_said_with_its_table_and_key(
    name: str, options: Mapping[str, str | float | bool], told: str
) -> None:
    error = _error(name, options)
    assert told in str(error)
    assert "secret" not in str(error)


# ---------------------------------------------------------------- packages


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [
        ("anthropic", "anthropic", "anthropic"),
        ("openai", "openai", "openai"),
        ("local", "xllamacpp", "local"),
    ],
)
def test_a_missing_package_is_one_sentence_that_says_what_to_install(
    name: str, package: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec

    def find_spec(asked: str) -> object:
        return None if asked == package else found(asked)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    file = tmp_path / "model.gguf"
    file.touch()
    error = _error(name, {"file": str(file)} if name == "local" else {})
    assert f"pip install 'onlytext[{extra}]'" in str(error)


def test_an_sdk_is_imported_only_where_it_is_used() -> None:
    code = (
        "import sys, onlytext.providers as p; p.provider_names();"
        "p.make_provider('anthropic'); p.make_provider('openai');"
        "print(sorted({'anthropic', 'openai', 'httpx2', 'xllamacpp', 'pydantic'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert shown.stdout.strip() == "[]"


# ---------------------------------------------------------------- keys


@pytest.mark.parametrize("name", ["anthropic", "openai"])
def test_a_missing_key_is_said_before_anything_is_sent(name: str, tmp_path: Path) -> None:
    with keys(None) as environment:
        environment.setenv("HOME", str(tmp_path))
        error = _first_call(make_provider(name))
    assert (error.fault, error.again) == ("authentication", False)
    assert f"set {name.upper()}_API_KEY" in str(error)


@pytest.mark.parametrize("name", ["anthropic", "openai"])
def test_a_key_may_stand_in_another_variable(name: str) -> None:
    with keys(None) as environment, Loopback(Reply(text="A"), key=KEY) as server:
        error = _first_call(provider_at(name, server, key_env="MY_KEY"))
        assert "set MY_KEY" in str(error)
        assert server.count == 0
        environment.setenv("MY_KEY", f"  {KEY}\n")
        provider = provider_at(name, server, key_env="MY_KEY")

        async def work() -> str:
            try:
                return (await provider.complete(REQUEST, seconds=20)).text
            finally:
                await provider.aclose()

        assert asyncio.run(work()) == "A"


@pytest.mark.parametrize("wrong", ["sk-a b", "sk-ключ", "sk-a\nb"])
def test_a_key_that_can_not_be_one_is_refused_and_not_told(wrong: str) -> None:
    with keys(wrong):
        error = _first_call(make_provider("anthropic"))
    assert error.fault == "authentication"
    assert wrong not in str(error)


def test_openais_key_is_not_sent_to_another_server() -> None:
    async def work() -> None:
        provider = make_provider("openai", {"base_url": server.chat_url})
        try:
            await provider.complete(REQUEST, seconds=20)
        finally:
            await provider.aclose()

    with keys(), Loopback(Reply(text="A")) as server:
        asyncio.run(work())
    assert KEY not in server.seen[0].headers["authorization"]


def test_a_wrong_key_is_an_error_of_authentication() -> None:
    with keys("sk-another-key"), Loopback(Reply(text="A"), key=KEY) as server:
        error = _first_call(provider_at("anthropic", server))
    assert (error.fault, error.status) == ("authentication", 401)


# ---------------------------------------------------------------- Chat Completions


def test_chat_completions_get_what_the_request_has() -> None:
    asked = Request(
        model="m",
        system="Write.",
        messages=REQUEST.messages,
        max_tokens=50,
        stop=("[END]",),
        effort="low",
        temperature=0.0,
        grammar='root ::= "a"',
    )
    [seen] = run("openai", Reply(text="A"), request=asked).seen
    assert seen.body == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Write."},
            {"role": "user", "content": "One for a lamp."},
        ],
        "max_tokens": 50,
        "stop": ["[END]"],
        "reasoning_effort": "low",
        "temperature": 0.0,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    [seen] = run(
        "openai", Reply(text="A"), request=asked, grammar=True, limit="max_completion_tokens"
    ).seen
    assert seen.body["grammar"] == 'root ::= "a"'
    assert seen.body["max_completion_tokens"] == 50
    assert "max_tokens" not in seen.body
