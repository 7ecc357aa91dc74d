"""Message Batches on the wire: what was handed in, how far it is, and what came of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, cast

from demo.loopback._messages import error_body, message
from demo.loopback._script import Failure, Reply, Turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from demo.loopback._messages import Json

_WHEN = "2026-01-01T00:00:00Z"


class Expired(Failure):
    """A request of a batch whose time ran out before its turn came."""

    def __init__(self) -> None:
        super().__init__(status=408)


@dataclass(slots=True, kw_only=True)
class Batch:
    """One batch; it ends when its state was asked for `polls` times."""

    id: str
    requests: list[tuple[str, Json]]
    answer: Callable[[Json], Turn]
    polls: int
    url: str
    state: Literal["in_progress", "canceling", "ended"] = "in_progress"
    results: list[Json] = field(default_factory=list["Json"])

    def poll(self) -> Json:
        """How far it is, and one step further."""
        if self.state != "ended":
            if self.polls <= 0 or self.state == "canceling":
                self._end()
            self.polls -= 1
        return self.as_json()

    def cancel(self) -> Json:
        """Its state, once it is asked to stop."""
        if self.state == "in_progress":
            self.state = "canceling"
        return self.as_json()

    def as_json(self) -> Json:
        """Its state in the API's words."""
        ended = self.state == "ended"
        kinds = [str(cast("Json", result["result"])["type"]) for result in self.results if ended]
        counts = {
            kind: kinds.count(kind) for kind in ("succeeded", "errored", "canceled", "expired")
        }
        return {
            "id": self.id,
            "type": "message_batch",
            "processing_status": self.state,
            "request_counts": {**counts, "processing": 0 if ended else len(self.requests)},
            "ended_at": _WHEN if ended else None,
            "created_at": _WHEN,
            "expires_at": _WHEN,
            "archived_at": None,
            "cancel_initiated_at": None,
            "results_url": self.url if ended else None,
        }

    def lines(self) -> bytes:
        """The results, one a line, the last request's first: they come in no order."""
        return b"".join(json.dumps(result).encode() + b"\n" for result in reversed(self.results))

    def _end(self) -> None:
        canceled = self.state == "canceling"
        self.results = [
            {
                "custom_id": name,
                "result": {"type": "canceled"}
                if canceled
                else _result(self.answer(params), params),
            }
            for name, params in self.requests
        ]
        self.state = "ended"


def _result(turn: Turn, params: Json) -> Json:
    if isinstance(turn, Expired):
        return {"type": "expired"}
    if isinstance(turn, Reply):
        said = message(turn, str(params.get("model", "")), "batched")
        return {"type": "succeeded", "message": said}
    failure = turn if isinstance(turn, Failure) else Failure(status=500)
    return {"type": "errored", "error": error_body(failure, "batched")}
