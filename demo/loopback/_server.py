"""The server: connections, HTTP/1.1 and the routes; every request is counted and kept."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Self, cast

from demo.loopback._answers import (
    CHAT,
    MESSAGES,
    Answer,
    answer_for,
    as_json,
    chunked,
    failed,
    header_lines,
)
from demo.loopback._batches import Batch
from demo.loopback._messages import error_body
from demo.loopback._script import Failure, HangUp, Script, Seen, Turn, turn_for

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from demo.loopback._messages import Json

_BATCHES: Final = "/v1/messages/batches"
_HEADER_LIMIT: Final = 1 << 20


class Loopback:
    """The server, running in a thread of its own between `with Loopback(...) as server:` and its end.

    `script` says what the model's requests get (`Script`); the other routes answer by themselves.
    With `key` only requests with that key are let in. A batch ends when its state was asked for
    `batch_polls` times. `seen` holds every request, unless `keep` is false: then `count` alone
    grows. An error in the script is raised where the `with` ends.
    """

    def __init__(
        self,
        script: Script,
        *,
        port: int = 0,
        key: str | None = None,
        batch_polls: int = 1,
        keep: bool = True,
    ) -> None:
        self.script = script
        self.seen: list[Seen] = []
        self.count = 0
        self.in_flight = 0
        self.most_in_flight = 0
        self._port = port
        self._key = key
        self._batch_polls = batch_polls
        self._keep = keep
        self._asked = 0
        self._batches: dict[str, Batch] = {}
        self._faults: list[Exception] = []
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listening: asyncio.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The base URL for an SDK of the Messages API."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def chat_url(self) -> str:
        """The base URL for an SDK of Chat Completions."""
        return f"{self.url}/v1"

    @property
    def asked(self) -> list[Seen]:
        """The requests to the model alone: no batches, no lists of models, no counts of tokens."""
        return [seen for seen in self.seen if seen.path in {MESSAGES, CHAT}]

    def __enter__(self) -> Self:
        started = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._run(started)), name="loopback", daemon=True
        )
        self._thread.start()
        started.wait()
        if self._listening is None:
            self._thread.join()
            raise self._faults[0]
        return self

    def __exit__(self, *_: object) -> None:
        loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return
        loop.call_soon_threadsafe(self._over.set)
        thread.join()
        self._loop = self._thread = None
        if self._faults:
            raise self._faults[0]

    def go_away(self) -> None:
        """Drop every connection and take no new one; what was asked and not answered is lost."""
        self._in_loop(self._close())

    def come_back(self) -> None:
        """Listen again, on the same port."""
        self._in_loop(self._listen())

    # ------------------------------------------------------------ its life

    def _in_loop(self, work: Coroutine[object, object, None]) -> None:
        if self._loop is None:
            work.close()
            raise RuntimeError("the server is not running: write `with Loopback(...) as server:`")
        asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _run(self, started: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        try:
            await self._listen()
        except OSError as error:
            self._faults.append(error)
            return
        finally:
            started.set()
        await self._over.wait()
        await self._close()

    async def serve(self, ready: Callable[[], None]) -> None:
        """Run in this very event loop until it is cancelled; `ready` is called when it listens."""
        await self._listen()
        ready()
        try:
            await asyncio.Event().wait()
        finally:
            await self._close()

    async def _listen(self) -> None:
        self._listening = await asyncio.start_server(
            self._connection, "127.0.0.1", self._port, limit=_HEADER_LIMIT, backlog=1024
        )
        self._port = self._listening.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        if self._listening is not None:
            self._listening.close()
            self._listening = None
        for writer in list(self._writers):
            writer.transport.abort()
        while self._writers:  # noqa: ASYNC110 - each handler ends by itself, once its socket is gone
            await asyncio.sleep(0.001)

    # ------------------------------------------------------------ connections

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while await self._exchange(reader, writer):
                    pass
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
            self._writers.discard(writer)

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection goes on after one request and its answer."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.split("\r\n")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines)
            if name
        }
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        method, target, _ = first.split(" ", 2)
        self.count += 1
        seen = Seen(
            number=self.count,
            method=method,
            path=target.partition("?")[0],
            headers=headers,
            body=json.loads(body) if body else {},
            at=time.monotonic(),
        )
        if self._keep:
            self.seen.append(seen)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            return await self._answer(seen, writer)
        finally:
            self.in_flight -= 1

    async def _answer(self, seen: Seen, writer: asyncio.StreamWriter) -> bool:
        try:
            answer = self._route(seen)
        except Exception as error:  # noqa: BLE001 - a fault of the script; it is raised at the end
            self._faults.append(error)
            answer = as_json(error_body(Failure(status=500, message=repr(error)), "0"), 500)
        if isinstance(answer, HangUp):
            await self._gone_by(writer, answer.wait)
            if answer.in_header:
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: app")
                await writer.drain()
            return False
        if answer.wait:
            await self._gone_by(writer, answer.wait)
        await _send_header(answer, writer)
        if answer.events is None:
            writer.write(answer.body)
            await writer.drain()
            return True
        await self._stream(answer, answer.events, writer)
        return not answer.dropped

    async def _gone_by(self, writer: asyncio.StreamWriter, seconds: float) -> None:
        """Wait, but no longer than somebody is there to get the answer."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            await asyncio.sleep(min(left, 0.1))
            if writer.is_closing():
                raise ConnectionResetError

    async def _stream(
        self, answer: Answer, events: Sequence[bytes], writer: asyncio.StreamWriter
    ) -> None:
        if answer.between:
            for event in events:
                writer.write(chunked(event))
                await writer.drain()
                await self._gone_by(writer, answer.between)
        elif events:
            writer.write(b"".join(map(chunked, events)))
        if not answer.dropped:
            writer.write(b"0\r\n\r\n")
        await writer.drain()

    # ------------------------------------------------------------ routes

    def _route(self, seen: Seen) -> Answer | HangUp:
        if self._key is not None and not self._let_in(seen):
            failure = Failure(status=401, message="There is no such key.")
            return failed(failure, seen)
        if seen.path.startswith(_BATCHES):
            return self._batch(seen)
        match seen.method, seen.path:
            case "POST", "/v1/messages" | "/v1/chat/completions":
                turn = self._next(seen)
                return turn if isinstance(turn, HangUp) else answer_for(turn, seen)
            case "POST", "/v1/messages/count_tokens":
                return as_json({"input_tokens": (len(seen.system) + len(seen.prompt)) // 4})
            case "GET", "/v1/models":
                model = {"id": "claude", "type": "model", "object": "model", "display_name": "-"}
                return as_json({"object": "list", "data": [model], "has_more": False})
            case _:
                return failed(Failure(status=404, message=f"There is no {seen.path}."), seen)

    def _let_in(self, seen: Seen) -> bool:
        given = (seen.headers.get("authorization"), seen.headers.get("x-api-key"))
        return f"Bearer {self._key}" in given or self._key in given

    def _next(self, seen: Seen) -> Turn:
        self._asked += 1
        return turn_for(self.script, seen, self._asked - 1)

    def _batch(self, seen: Seen) -> Answer:
        _, _, rest = seen.path.partition(_BATCHES)
        _, _, rest = rest.partition("/")
        name, _, verb = rest.partition("/")
        if seen.method == "POST" and not name:
            return as_json(self._new_batch(seen).as_json())
        if not name:
            newest_first = [batch.as_json() for batch in reversed(self._batches.values())]
            return as_json({"data": newest_first, "has_more": False, "first_id": None})
        batch = self._batches.get(name)
        if batch is None:
            return failed(Failure(status=404, message=f"There is no batch {name}."), seen)
        if verb == "results":
            headers = {"content-type": "application/x-jsonl"}
            return Answer(headers=headers, body=batch.lines())
        return as_json(batch.cancel() if verb == "cancel" else batch.poll())

    def _new_batch(self, seen: Seen) -> Batch:
        given = cast("list[Json]", seen.body["requests"])
        name = f"msgbatch_{len(self._batches) + 1}"

        def answer(params: Json) -> Turn:
            asked = Seen(
                number=seen.number,
                method="POST",
                path=MESSAGES,
                headers=seen.headers,
                body=params,
                at=seen.at,
            )
            return self._next(asked)

        batch = Batch(
            id=name,
            requests=[(str(each["custom_id"]), cast("Json", each["params"])) for each in given],
            answer=answer,
            polls=self._batch_polls,
            url=f"{self.url}{_BATCHES}/{name}/results",
        )
        self._batches[name] = batch
        return batch


async def _send_header(answer: Answer, writer: asyncio.StreamWriter) -> None:
    if not answer.header_pause:
        writer.write(b"".join(header_lines(answer)))
        return
    for line in header_lines(answer):
        writer.write(line)
        await writer.drain()
        await asyncio.sleep(answer.header_pause)
