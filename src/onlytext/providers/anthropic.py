"""Claude, by the Messages API and the official SDK."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from onlytext.providers._claude import claude_error, take_event, take_message
from onlytext.providers._deadline import deadline
from onlytext.providers._faults import Call, Said
from onlytext.providers._gathered import Gathered
from onlytext.providers._headers import limits
from onlytext.providers._options import Options, key_from, need_package, no_key, refused
from onlytext.providers._protocol import BatchState, ProviderError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

    from anthropic import AsyncAnthropic
    from anthropic.types import MessageParam, OutputConfigParam, TextBlockParam
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
    from anthropic.types.messages import MessageBatchIndividualResponse, MessageBatchRequestCounts

    from onlytext.providers._protocol import Answer, Request

_NAME: Final = "anthropic"
_KEY: Final = "ANTHROPIC_API_KEY"
_EFFORTS: Final = ("low", "medium", "high", "xhigh", "max")
# These answer an effort with status 400; each newer model takes one.
_WITHOUT_EFFORT: Final = ("claude-haiku-4-5", "claude-sonnet-4-5", "claude-3", "claude-2")
_CACHES: Final = ("5m", "1h", "off")
_THINKINGS: Final = ("default", "adaptive", "between_tools", "disabled")
_Thinking = Literal["default", "adaptive", "between_tools", "disabled"]
# Handing in a batch may send many megabytes; asking for its state is quick.
_SUBMIT_SECONDS: Final = 600.0
_STATE_SECONDS: Final = 60.0
_MOST_IN_A_BATCH: Final = 100_000
_RECENT: Final = 100


def make(options: Mapping[str, str | int | float | bool]) -> AnthropicProvider:
    """The provider, with the options of `[provider.anthropic]`.

    `base_url` is another server of the same API, `key_env` another variable of the environment
    that holds the key, `cache` how long the constant part is kept for cheaper reading ("5m", "1h"
    or "off"), `thinking` what the model is told of it ("default": nothing).
    """
    read = Options(_NAME, options, known=("base_url", "key_env", "cache", "thinking"))
    need_package("anthropic", provider=_NAME, extra="anthropic")
    return AnthropicProvider(
        base_url=read.url("base_url"),
        key_env=read.text("key_env"),
        cache=read.one_of("cache", _CACHES, "5m"),
        thinking=read.one_of("thinking", _THINKINGS, "default"),
    )


class AnthropicProvider:
    """Messages, one by one as a stream, or many at once as a batch at half the price.

    A request's `temperature` is refused: the API takes none any more. Its `effort` is left out
    where the model takes none, its `grammar` always. The key is looked for at the first call; one
    provider serves one event loop.
    """

    name = _NAME

    def __init__(
        self,
        *,
        base_url: str | None = None,
        key_env: str | None = None,
        cache: Literal["5m", "1h", "off"] = "5m",
        thinking: _Thinking = "default",
    ) -> None:
        self._base_url = base_url
        self._key_env = key_env
        self._cache: Literal["5m", "1h", "off"] = cache
        self._thinking: _Thinking = thinking
        self._client: AsyncAnthropic | None = None
        self._secret: str | None = None

    async def complete(self, request: Request, *, seconds: float) -> Answer:
        """The answer, within `seconds` in all; raises `ProviderError`, and never tries again."""
        client = self._opened()
        body = self._body(request)
        call = self._call(seconds)
        async with deadline(call, claude_error):
            return await _streamed(client, body, call)

    async def submit(self, requests: Sequence[tuple[str, Request]]) -> str:
        """The batch's id; an id of a request is at most 64 letters, digits, hyphens and `_`."""
        if len(requests) > _MOST_IN_A_BATCH:
            raise refused(
                f"a batch takes at most {_MOST_IN_A_BATCH:,} requests, not {len(requests):,}: "
                f"hand them in as several batches"
            )
        client = self._opened()
        call = self._call(_SUBMIT_SECONDS)
        async with deadline(call, claude_error):
            made = await client.messages.batches.create(
                requests=[
                    {"custom_id": name, "params": self._body(request)} for name, request in requests
                ],
                timeout=call.seconds,
            )
            return "" + made.id

    async def state(self, batch: str) -> BatchState:
        """How far the batch is."""
        client = self._opened()
        call = self._call(_STATE_SECONDS)
        async with deadline(call, claude_error):
            found = await client.messages.batches.retrieve(batch, timeout=call.seconds)
            in_all = _in_all(found.request_counts)
            return BatchState(
                ended=found.processing_status == "ended",
                done=in_all - found.request_counts.processing,
                in_all=in_all,
            )

    async def recent(self) -> list[tuple[str, int]]:
        """The newest batches, the newest first: their ids, and how many requests each has.

        By these a batch is found whose handing in was cut short before its id was told.
        """
        client = self._opened()
        call = self._call(_STATE_SECONDS)
        async with deadline(call, claude_error):
            page = await client.messages.batches.list(limit=_RECENT, timeout=call.seconds)
            return [("" + found.id, _in_all(found.request_counts)) for found in page.data]

    async def results(self, batch: str) -> AsyncIterator[tuple[str, Answer | ProviderError]]:
        """Each request's id with its answer or its error, in any order, once the batch has ended."""
        client = self._opened()
        call = self._call(_STATE_SECONDS)
        try:
            # The reader sets the pace, so that only each single wait for the server is bounded.
            lines = await client.messages.batches.results(batch, timeout=call.seconds)
            try:
                async for line in lines:
                    yield "" + line.custom_id, self._result(line)
            finally:
                await lines.close()
        except Exception as error:  # noqa: BLE001 - an SDK may raise anything; ours comes of it
            raise claude_error(error, call) from call.cause(error)

    async def cancel(self, batch: str) -> None:
        """Ask the server to stop working on a batch; what it has done by then is paid."""
        client = self._opened()
        call = self._call(_STATE_SECONDS)
        async with deadline(call, claude_error):
            await client.messages.batches.cancel(batch, timeout=call.seconds)

    async def aclose(self) -> None:
        """Give back the connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def _call(self, seconds: float) -> Call:
        return Call(provider=_NAME, gathered=Gathered(), secret=self._secret, seconds=seconds)

    def _opened(self) -> AsyncAnthropic:
        if self._client is not None:
            return self._client
        import anthropic

        variable = self._key_env or _KEY
        key = key_from(variable, provider=_NAME)
        missing = f"the provider {_NAME} needs a key, and there is none: set {variable}"
        if key is None and self._key_env is not None:
            raise no_key(missing)
        try:
            client = anthropic.AsyncAnthropic(api_key=key, base_url=self._base_url, max_retries=0)
        except anthropic.AnthropicError as error:
            raise no_key(f"the provider {_NAME} can't use the credentials of its SDK") from error
        if client.api_key is None and client.auth_token is None and client.credentials is None:
            raise no_key(missing)
        self._secret = client.api_key or client.auth_token
        self._client = client
        return client

    def _body(self, request: Request) -> MessageCreateParamsNonStreaming:
        if request.temperature is not None:
            raise refused(
                f"the provider {_NAME} takes no temperature: the Messages API has none any more; "
                f"take temperature out of the job, and choose effort where you want another"
            )
        body: MessageCreateParamsNonStreaming = {
            "model": request.model,
            "max_tokens": request.max_tokens,
            "messages": list(_turns(request)),
        }
        if request.system:
            body["system"] = [self._system(request.system)]
        if request.stop:
            body["stop_sequences"] = list(request.stop)
        effort = _effort(request)
        if effort is not None:
            body["output_config"] = effort
        if self._thinking == "adaptive":
            body["thinking"] = {"type": "adaptive"}
        elif self._thinking == "between_tools":
            body["thinking"] = {"type": "between_tools"}
        elif self._thinking == "disabled":
            body["thinking"] = {"type": "disabled"}
        return body

    def _system(self, text: str) -> TextBlockParam:
        if self._cache == "off":
            return {"type": "text", "text": text}
        kept: TextBlockParam = {
            "type": "text",
            "text": text,
            "cache_control": {"type": "ephemeral", "ttl": self._cache},
        }
        return kept

    def _result(self, line: MessageBatchIndividualResponse) -> Answer | ProviderError:
        call = self._call(_STATE_SECONDS)
        result = line.result
        if result.type == "succeeded":
            take_message(result.message, call.gathered)
            done = call.gathered.stop is not None
            return call.gathered.answer() if done else call.unfinished()
        if result.type == "errored":
            return call.answered(200, Said.of(result.error.to_dict()), {})
        if result.type == "expired":
            return call.broke("timeout", "the batch ended before this request's turn came")
        return call.broke("server", "the batch was canceled before this request's turn came")


def _in_all(counts: MessageBatchRequestCounts) -> int:
    return counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired


async def _streamed(
    client: AsyncAnthropic, body: MessageCreateParamsNonStreaming, call: Call
) -> Answer:
    import httpx2
    from anthropic import AsyncStream
    from anthropic.types import Message, RawMessageStreamEvent

    # By the SDK's own general verb, not by `messages.create`: that one warns of a model whose end
    # is announced, and where warnings are errors a call must not fail for it.
    stream = await client.post(
        "/v1/messages",
        cast_to=Message,
        body={**body, "stream": True},
        options={"timeout": call.seconds},
        stream=True,
        stream_cls=AsyncStream[RawMessageStreamEvent],
    )
    async with stream:
        try:
            async for event in stream:
                take_event(event, call.gathered)
        except httpx2.TransportError:
            # What was lost with the connection is the good-bye: the reply itself was whole.
            if call.gathered.stop is None:
                raise
        if call.gathered.stop is None:
            raise call.unfinished()
        headers = stream.response.headers
        return call.gathered.answer(request_id=headers.get("request-id"), limits=limits(headers))


def _turns(request: Request) -> Iterator[MessageParam]:
    for message in request.messages:
        if message.role == "user":
            yield {"role": "user", "content": message.content}
        else:
            yield {"role": "assistant", "content": message.content}


def _effort(request: Request) -> OutputConfigParam | None:
    if request.effort is None or request.model.startswith(_WITHOUT_EFFORT):
        return None
    for known in _EFFORTS:
        if request.effort == known:
            return {"effort": known}
    raise refused(f"effort is one of {', '.join(_EFFORTS)}, not {request.effort!r}")
