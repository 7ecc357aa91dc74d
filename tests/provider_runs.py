"""What tests of providers share: one call by its real SDK to a scripted server on 127.0.0.1."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pytest
from tests.loopback import Loopback

from onlytext.providers import Answer, Message, ProviderError, Request, make_provider

if TYPE_CHECKING:
    from collections.abc import Generator

    from tests.loopback import Script, Seen

    from onlytext.providers import Provider

KEY: Final = "sk-test-0123456789abcdef"
REQUEST: Final = Request(
    model="claude-haiku-5-5",
    system="Write captions.",
    messages=(Message("user", "One for a lamp."),),
    max_tokens=200,
)
_OTHERS: Final = ("AUTH_TOKEN", "BASE_URL", "CUSTOM_HEADERS", "PROFILE", "CONFIG_DIR")


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a call, and what the server saw of it."""

    came: Answer | ProviderError
    seen: list[Seen]

    @property
    def answer(self) -> Answer:
        """The answer, where there must be one."""
        assert isinstance(self.came, Answer), self.came
        return self.came

    @property
    def error(self) -> ProviderError:
        """The error, where there must be one."""
        assert isinstance(self.came, ProviderError), self.came
        return self.came


@contextmanager
def keys(value: str | None = KEY) -> Generator[pytest.MonkeyPatch]:
    """An environment with these keys and nothing else that an SDK reads."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
            if value is None:
                patch.delenv(name, raising=False)
            else:
                patch.setenv(name, value)
        for name in _OTHERS:
            patch.delenv(f"ANTHROPIC_{name}", raising=False)
            patch.delenv(f"OPENAI_{name}", raising=False)
        yield patch


def provider_at(name: str, server: Loopback, **options: str | float | bool) -> Provider:
    """The provider of this name, pointed at the server."""
    if name == "openai":
        return make_provider(
            name, {"base_url": server.chat_url, "key_env": "OPENAI_API_KEY", **options}
        )
    return make_provider(name, {"base_url": server.url, **options})


def run(
    name: str,
    script: Script,
    *,
    request: Request = REQUEST,
    seconds: float = 20.0,
    **options: str | float | bool,
) -> Ran:
    """One call, with what the script says for it."""
    return run_all(name, script, [request], seconds=seconds, **options)[0]


def run_all(
    name: str,
    script: Script,
    requests: list[Request],
    *,
    seconds: float = 20.0,
    **options: str | float | bool,
) -> list[Ran]:
    """One call after another, by one provider and its one client."""

    async def calls() -> list[Ran]:
        provider = provider_at(name, server, **options)
        try:
            return [await one(provider, request) for request in requests]
        finally:
            await provider.aclose()

    async def one(provider: Provider, request: Request) -> Ran:
        before = len(server.seen)
        try:
            came: Answer | ProviderError = await provider.complete(request, seconds=seconds)
        except ProviderError as error:
            came = error
        return Ran(came, server.seen[before:])

    with keys(), Loopback(script) as server:
        return asyncio.run(calls())
