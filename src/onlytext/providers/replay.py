"""Recorded replies: the same answers again, without a model."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import deque
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter, ValidationError

from onlytext.providers._faults import Call
from onlytext.providers._gathered import Gathered
from onlytext.providers._options import Options, refused
from onlytext.providers._protocol import Answer, Fault, Limits, ProviderError, Request, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping
    from io import TextIOWrapper

    from onlytext.providers._protocol import Provider

_NAME: Final = "replay"


def make(options: Mapping[str, str | int | float | bool]) -> ReplayProvider:
    """The provider, with the options of `[provider.replay]`: `file`, and `milliseconds` for an answer."""
    read = Options(_NAME, options, known=("file", "milliseconds"))
    named = read.text("file")
    if named is None:
        raise read.fault('file is missing: name the recorded replies, file = "replies.jsonl"')
    return ReplayProvider(
        Path(named).expanduser(), seconds=read.number("milliseconds", 0, least=0) / 1000
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A `ProviderError` as a file holds it."""

    message: str
    fault: Fault
    again: bool
    retry_after: float | None = None
    status: int | None = None
    partial: str = ""
    usage: Usage | None = None
    limits: Limits | None = None
    request_id: str | None = None

    @classmethod
    def of(cls, error: ProviderError) -> Failed:
        """What the error says."""
        return cls(
            message=str(error),
            fault=error.fault,
            again=error.again,
            retry_after=error.retry_after,
            status=error.status,
            partial=error.partial,
            usage=error.usage,
            limits=error.limits,
            request_id=error.request_id,
        )

    def error(self) -> ProviderError:
        """The error again."""
        return ProviderError(
            self.message,
            fault=self.fault,
            again=self.again,
            retry_after=self.retry_after,
            status=self.status,
            partial=self.partial,
            usage=self.usage,
            limits=self.limits,
            request_id=self.request_id,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One row of the file: what came of a request, by its digest.

    A row without a digest, as one writes it by hand, answers the next request that none else does.
    """

    request: str | None = None
    answer: Answer | None = None
    error: Failed | None = None

    def __post_init__(self) -> None:
        if self.came is None or (self.answer and self.error):
            raise ValueError("a row holds an answer or an error")

    @property
    def came(self) -> Answer | Failed | None:
        """The answer or the error; None only in a row that can't be."""
        return self.answer or self.error


class ReplayProvider:
    """Answers from a JSONL file of `Recorded` rows, in any order of the requests.

    Rows of the same request are given one after another, and the last of them again and again.
    """

    name = _NAME

    def __init__(self, file: Path, *, seconds: float = 0) -> None:
        self._file = file
        self._seconds = seconds
        self._by_request: dict[str, deque[Answer | Failed]] = {}
        self._in_turn: deque[Answer | Failed] = deque()
        for row in read_recorded(file):
            queue = self._in_turn
            if row.request is not None:
                queue = self._by_request.setdefault(row.request, deque())
            if row.came is not None:
                queue.append(row.came)

    async def complete(self, request: Request, *, seconds: float) -> Answer:
        """The recorded answer, or the recorded error; `ProviderError` too where there is none."""
        came = self._next(request)
        await asyncio.sleep(min(self._seconds, seconds))
        if self._seconds > seconds:
            late = Call(provider=_NAME, gathered=Gathered(), secret=None, seconds=seconds)
            raise late.late()
        if isinstance(came, Failed):
            raise came.error()
        return came

    async def aclose(self) -> None:
        """There is nothing to give back."""

    def _next(self, request: Request) -> Answer | Failed:
        digest = digest_of(request)
        rows = self._by_request.get(digest)
        if rows is not None:
            return rows.popleft() if len(rows) > 1 else rows[0]
        if self._in_turn:
            return self._in_turn.popleft()
        raise refused(
            f"{self._file} holds no reply to this request (digest {digest[:12]}…): record it with "
            f"the very prompt, model and settings that are asked for now"
        )


class RecordingProvider:
    """Another provider, whose answers and errors are written to a file as they come."""

    def __init__(self, provider: Provider, file: Path) -> None:
        self.name = provider.name
        self._provider = provider
        try:
            self._rows: TextIOWrapper = file.open("a", encoding="utf-8")
        except OSError as error:
            raise refused(f"{file} can't be written: {error.strerror}") from error

    async def complete(self, request: Request, *, seconds: float) -> Answer:
        """The other provider's answer, within its seconds; its errors pass, and are written too."""
        try:
            answer = await self._provider.complete(request, seconds=seconds)
        except ProviderError as error:
            self._write(Recorded(request=digest_of(request), error=Failed.of(error)))
            raise
        self._write(Recorded(request=digest_of(request), answer=answer))
        return answer

    async def aclose(self) -> None:
        """Close the file and the other provider."""
        self._rows.close()
        await self._provider.aclose()

    def _write(self, row: Recorded) -> None:
        self._rows.write(_rows().dump_json(row, exclude_defaults=True).decode() + "\n")
        self._rows.flush()


def recording(provider: Provider, file: Path) -> RecordingProvider:
    """The provider, with everything that it answers added to `file`, for `replay` to give again."""
    return RecordingProvider(provider, file)


def digest_of(request: Request) -> str:
    """Which request it is: equal for equal ones, on every machine."""
    return hashlib.sha256(json.dumps(asdict(request), sort_keys=True).encode()).hexdigest()


def read_recorded(file: Path) -> list[Recorded]:
    """The rows of a file; raises `ProviderError` with the file and the line of one that is none."""
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise refused(f"{file}: the recorded replies can't be read: {why}") from error
    rows: list[Recorded] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            rows.append(_rows().validate_json(line))
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]
            where = ".".join(str(part) for part in fault["loc"])
            raise refused(
                f"{file}:{number}: {f'{where}: ' if where else ''}{fault['msg']}; a row is "
                f'{{"answer": {{"text": "…", "stop": "end"}}}}'
            ) from error
    return rows


@cache
def _rows() -> TypeAdapter[Recorded]:
    return TypeAdapter(Recorded)
