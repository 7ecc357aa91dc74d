"""Recorded replies as a script for the loopback server: the prompt tells which of them comes next.

Each row of demo/job/replies.jsonl is one answer: the first that a prompt with the words `when` in
it gets, then the next one, and the last of them from then on. `origin` is the model that gave the
reply, or says that it was written by hand.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from demo.loopback import Failure, Reply

if TYPE_CHECKING:
    from pathlib import Path

    from demo.loopback import Seen, Turn

BY_HAND: Final = "hand-written"
# Roughly as an answer comes: a while of nothing, then a stream. A real one takes ten times as long.
_WAIT: Final = 0.15
_BETWEEN: Final = 0.02
_PIECE: Final = 60
_LETTERS_A_TOKEN: Final = 4
_RETRY_AFTER: Final = {"retry-after": "1"}
# A stream that breaks off after so many of its events.
_CUT_AFTER: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One answer of the file: a reply, a reply whose stream breaks off, or an error status."""

    when: str
    origin: str
    reply: str = ""
    stop: str = "end_turn"
    fault: int | None = None
    cut: bool = False

    def turn(self, seen: Seen) -> Turn:
        """What goes over the wire."""
        if self.fault is not None:
            return Failure(status=self.fault, headers=_RETRY_AFTER, wait=_WAIT)
        return Reply(
            text=self.reply,
            stop=self.stop,
            input_tokens=(len(seen.system) + len(seen.prompt)) // _LETTERS_A_TOKEN,
            output_tokens=len(self.reply) // _LETTERS_A_TOKEN,
            piece=_PIECE,
            wait=_WAIT,
            between=_BETWEEN,
            cut_after=_CUT_AFTER if self.cut else None,
            cut="dropped",
        )


class Recording:
    """All answers of a file, as a script: called with a request, it says what comes of it."""

    def __init__(self, rows: list[Recorded]) -> None:
        self.rows = rows
        self._turns: dict[str, list[Recorded]] = {}
        for row in rows:
            self._turns.setdefault(row.when, []).append(row)
        self._asked: Counter[str] = Counter()

    def __call__(self, seen: Seen) -> Turn:
        """The next answer to a prompt like this one."""
        for when, turns in self._turns.items():
            if when in seen.prompt:
                place = min(self._asked[when], len(turns) - 1)
                self._asked[when] += 1
                return turns[place].turn(seen)
        return Failure(status=400, message="No answer is recorded for this prompt.")


def read_recording(file: Path) -> Recording:
    """The answers of a JSONL file."""
    return Recording([_row(**json.loads(line)) for line in file.read_text("utf-8").splitlines()])


def _row(
    *,
    when: str,
    origin: str,
    reply: str = "",
    stop: str = "end_turn",
    fault: int | None = None,
    cut: bool = False,
    **_about: str,
) -> Recorded:
    return Recorded(when=when, origin=origin, reply=reply, stop=stop, fault=fault, cut=cut)
