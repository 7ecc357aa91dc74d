"""A model of one's own: a GGUF file, run in this process by xllamacpp."""

from __future__ import annotations

import asyncio
import os
import secrets
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast

from onlytext.providers._chat import chat_error
from onlytext.providers._deadline import deadline
from onlytext.providers._options import Options, need_package, refused
from onlytext.providers.openai import OpenAIProvider

if TYPE_CHECKING:
    from collections.abc import Mapping

    from onlytext.providers._protocol import Answer, Request

_NAME: Final = "local"


def make(options: Mapping[str, str | int | float | bool]) -> LocalProvider:
    """The provider, with the options of `[provider.local]`.

    `file` is the GGUF file, `context` the tokens of prompt and reply together (8192), `threads`
    the threads that compute (one less than there are cores), `grammar = false` leaves a request's
    grammar out.
    """
    read = Options(_NAME, options, known=("file", "context", "threads", "grammar"))
    named = read.text("file")
    if named is None:
        raise read.fault('file is missing: name the model\'s file, file = "model.gguf"')
    file = Path(named).expanduser()
    if not file.is_file():
        raise read.fault(f"file: there is no file {file}")
    need_package("openai", provider=_NAME, extra=_NAME)
    need_package("xllamacpp", provider=_NAME, extra=_NAME)
    # All cores at once stand still whenever anything else wants one of them.
    spare = max(1, (os.cpu_count() or 2) - 1)
    return LocalProvider(
        file,
        context=read.number("context", 8192, least=256),
        threads=read.number("threads", spare, least=1),
        grammar=read.flag("grammar", default=True),
    )


class LocalProvider:
    """A model in this process, behind a port of this machine that only this provider has the key to.

    The file is loaded at the first call. One request is computed at a time, since the cores are
    the same for all, and the others wait: who sends more than `at_once` of them has their time run
    out in the queue. Whatever model a request names, the file answers; an effort it has none.
    """

    name = _NAME
    at_once = 1

    def __init__(self, file: Path, *, context: int, threads: int, grammar: bool) -> None:
        self._file = file
        self._context = context
        self._threads = threads
        self._turn = asyncio.Lock()
        self._key = secrets.token_urlsafe(16)
        self._loading: asyncio.Task[_Server] | None = None
        self._connected = False
        self._chat = OpenAIProvider(limit="max_tokens", grammar=grammar, name=_NAME)

    async def complete(self, request: Request, *, seconds: float) -> Answer:
        """The answer, within `seconds` in all; raises `ProviderError`, and never tries again."""
        call = self._chat.call(seconds)
        async with deadline(call, chat_error), self._turn:
            await self._loaded()
            answer = await self._chat.answer(replace(request, effort=None), call)
        # The server tells the whole path for the model: in a record the file's name says enough.
        return replace(answer, model=self._file.name)

    async def aclose(self) -> None:
        """Give back the model's memory and its threads."""
        await self._chat.aclose()
        loading, self._loading, self._connected = self._loading, None, False
        if loading is not None:
            # The engine ends with the last reference to it, and joins its threads then.
            with suppress(RuntimeError, OSError):
                await loading

    async def _loaded(self) -> None:
        if self._connected:
            return
        if self._loading is None:
            self._loading = asyncio.create_task(asyncio.to_thread(self._started))
        try:
            # A call whose time runs out leaves the loading to go on for the next one.
            server = await asyncio.shield(self._loading)
        except (RuntimeError, OSError) as error:
            self._loading = None
            raise refused(
                f"the provider {_NAME} can't run {self._file}: {error} Is it a whole GGUF file, "
                f"and is there enough memory for it?"
            ) from error
        self._chat.connect(f"{server.listening_address}/v1", self._key)
        self._connected = True

    def _started(self) -> _Server:
        library = cast("_Library", import_module("xllamacpp"))
        given = library.CommonParams()
        given.model.path = str(self._file)
        given.hostnames = ["127.0.0.1"]
        given.port = 0
        given.api_keys = [self._key]
        given.ui = False
        given.offline = True
        given.n_ctx = self._context
        given.n_parallel = 1
        given.n_gpu_layers = 0
        given.verbosity = 0
        given.cpuparams.n_threads = given.cpuparams_batch.n_threads = self._threads
        return library.Server(given)


class _Model(Protocol):
    path: str


class _Threads(Protocol):
    n_threads: int


class _Given(Protocol):
    """The settings of llama.cpp's server that are used here."""

    model: _Model
    hostnames: list[str]
    port: int
    api_keys: list[str]
    ui: bool
    offline: bool
    n_ctx: int
    n_parallel: int
    n_gpu_layers: int
    verbosity: int
    cpuparams: _Threads
    cpuparams_batch: _Threads


class _Server(Protocol):
    @property
    def listening_address(self) -> str: ...


class _Library(Protocol):
    """As much of xllamacpp as is used here; it brings no types of its own."""

    CommonParams: type[_Given]

    def Server(self, given: _Given) -> _Server: ...  # noqa: N802 - xllamacpp's name
