"""Chat Completions, as OpenAI, vLLM, Ollama, llama.cpp, OpenRouter and others speak them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from onlytext.providers._chat import chat_error, take_chunk
from onlytext.providers._deadline import deadline
from onlytext.providers._faults import Call
from onlytext.providers._gathered import Gathered
from onlytext.providers._headers import limits
from onlytext.providers._options import Options, key_from, need_package, no_key, refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletionMessageParam
    from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming

    from onlytext.providers._protocol import Answer, Request

LimitField: TypeAlias = Literal["max_completion_tokens", "max_tokens"]

_NAME: Final = "openai"
_KEY: Final = "OPENAI_API_KEY"
_LIMITS: Final[tuple[LimitField, ...]] = ("max_completion_tokens", "max_tokens")
_EFFORTS: Final = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
# The SDK asks for a key even where the server wants none.
_NO_KEY: Final = "none"


def make(options: Mapping[str, str | int | float | bool]) -> OpenAIProvider:
    """The provider, with the options of `[provider.openai]`.

    `base_url` is the server, up to its `/v1`; without it that is OpenAI. `key_env` is the variable
    of the environment that holds the key; OPENAI_API_KEY is only read for OpenAI itself, so that
    no other server gets it. `limit` is the field that bounds the reply, "max_completion_tokens"
    (as OpenAI wants it) or "max_tokens" (as most others do). `grammar = true` says that the
    server takes a grammar as llama.cpp does.
    """
    read = Options(_NAME, options, known=("base_url", "key_env", "limit", "grammar"))
    need_package("openai", provider=_NAME, extra="openai")
    base_url = read.url("base_url")
    return OpenAIProvider(
        base_url=base_url,
        key_env=read.text("key_env"),
        limit=read.one_of("limit", _LIMITS, _LIMITS[0] if base_url is None else _LIMITS[1]),
        grammar=read.flag("grammar", default=False),
    )


class OpenAIProvider:
    """Chat Completions, always streamed, from one server.

    A request's `grammar` is sent only where the server is known to take one. The key is looked
    for at the first call; one provider serves one event loop.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        key_env: str | None = None,
        limit: LimitField = "max_completion_tokens",
        grammar: bool = False,
        name: str = _NAME,
    ) -> None:
        self.name = name
        self._base_url = base_url
        self._key_env = key_env
        self._limit: LimitField = limit
        self._grammar = grammar
        self._client: AsyncOpenAI | None = None
        self._secret: str | None = None

    async def complete(self, request: Request, *, seconds: float) -> Answer:
        """The answer, within `seconds` in all; raises `ProviderError`, and never tries again."""
        self._opened()
        call = self.call(seconds)
        async with deadline(call, chat_error):
            return await self.answer(request, call)

    def call(self, seconds: float) -> Call:
        """What the errors of one call need."""
        return Call(provider=self.name, gathered=Gathered(), secret=self._secret, seconds=seconds)

    async def answer(self, request: Request, call: Call) -> Answer:
        """The answer, for a caller that sets the deadline and translates the errors."""
        body = self._body(request)
        extra = {"grammar": request.grammar} if self._grammar and request.grammar else None
        return await _streamed(self._opened(), body, extra, call)

    async def aclose(self) -> None:
        """Give back the connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def connect(self, base_url: str, key: str) -> None:
        """Take a server on this machine, with the key that it was started with."""
        import openai

        # No proxy stands between a program and its own machine.
        direct = openai.DefaultAsyncHttpxClient(trust_env=False)
        self._secret = key
        self._client = openai.AsyncOpenAI(
            api_key=key, base_url=base_url, max_retries=0, http_client=direct
        )

    def _opened(self) -> AsyncOpenAI:
        if self._client is not None:
            return self._client
        import openai

        theirs = self._base_url is not None
        variable = self._key_env or _KEY
        self._secret = (
            None if theirs and self._key_env is None else key_from(variable, provider=self.name)
        )
        if self._secret is None and not (theirs and self._key_env is None):
            raise no_key(f"the provider {self.name} needs a key, and there is none: set {variable}")
        self._client = openai.AsyncOpenAI(
            api_key=self._secret or _NO_KEY, base_url=self._base_url, max_retries=0
        )
        return self._client

    def _body(self, request: Request) -> CompletionCreateParamsStreaming:
        body: CompletionCreateParamsStreaming = {
            "model": request.model,
            "messages": list(_turns(request)),
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if self._limit == "max_tokens":
            body["max_tokens"] = request.max_tokens
        else:
            body["max_completion_tokens"] = request.max_tokens
        if request.stop:
            body["stop"] = list(request.stop)
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if request.effort is not None:
            body["reasoning_effort"] = _effort(request.effort)
        return body


async def _streamed(
    client: AsyncOpenAI,
    body: CompletionCreateParamsStreaming,
    extra: Mapping[str, object] | None,
    call: Call,
) -> Answer:
    from openai import APIConnectionError

    stream = await client.chat.completions.create(**body, extra_body=extra, timeout=call.seconds)
    async with stream:
        try:
            async for chunk in stream:
                take_chunk(chunk, call.gathered)
        except APIConnectionError:
            # What was lost with the connection are the figures: the reply itself was whole.
            if call.gathered.stop is None:
                raise
        if call.gathered.stop is None:
            raise call.unfinished()
        headers = stream.response.headers
        return call.gathered.answer(request_id=headers.get("x-request-id"), limits=limits(headers))


def _turns(request: Request) -> Iterator[ChatCompletionMessageParam]:
    if request.system:
        yield {"role": "system", "content": request.system}
    for message in request.messages:
        if message.role == "user":
            yield {"role": "user", "content": message.content}
        else:
            yield {"role": "assistant", "content": message.content}


def _effort(
    word: str,
) -> Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]:
    for known in _EFFORTS:
        if word == known:
            return known
    raise refused(f"effort is one of {', '.join(_EFFORTS)}, not {word!r}")
