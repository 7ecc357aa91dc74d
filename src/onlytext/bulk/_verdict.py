"""What became of one stored reply, and the cleaner that says so for one reply after the other."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from onlytext._clean import clean
from onlytext._format import Sections, Text
from onlytext._patterns import Patterns, builtin
from onlytext.errors import Ambiguous, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from onlytext._reply import Doubt, Removal, Section

Outcome = Literal["untouched", "cleaned", "refused"]
Cause = Literal["no content", "ambiguous", "no reply", "not UTF-8", "too long", "fault"]

LONGEST_REPLY: Final = 16 << 20
"""Bytes. The cleaner holds many times a reply in memory, and a longer one is no reply of a model."""

# A shorter reply may be nothing but invisible signs, which takes a closer look.
_SHORT: Final = 256
_FENCES: Final = ("", "```", "~~~")


class Verdict(NamedTuple):
    """The outcome for one reply; `text` is None where it was refused, and `why` says why."""

    outcome: Outcome
    text: str | None
    removals: tuple[Removal, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    sections: tuple[Section, ...] = ()
    cause: Cause | None = None
    why: str | None = None


NO_REPLY: Final = Verdict("refused", None, cause="no reply", why="there is no reply in this row")


def not_a_string(value: object) -> Verdict:
    """The verdict on a reply that is a number, a list or the like."""
    why = f"the reply is no string, but {type(value).__name__}"
    return NO_REPLY if value is None else Verdict("refused", None, cause="no reply", why=why)


@dataclass(frozen=True, slots=True)
class RowCleaner:
    """Cleans stored replies of one format, one at a time; never raises for what is in a reply."""

    format: Sections | Text
    patterns: Patterns

    @property
    def can_screen(self) -> bool:
        """Whether `is_clear` can tell anything for this format."""
        made = self.format
        has_channel = made.start is not None or made.end is not None or made.notes is not None
        return isinstance(made, Text) and not has_channel

    def is_clear(self, reply: bytes) -> bool:
        """Whether plain text comes out as it is for sure, told from its bytes alone.

        Only a yes means anything: it spares nearly every row of a clean column the way through
        `clean()`, which would say the same. Ask only where `can_screen`, and there is no draft.
        """
        if len(reply) < _SHORT or len(reply) > LONGEST_REPLY:
            return False
        opening = reply[:64].decode("utf-8", "ignore").lstrip()[:3]
        return opening not in _FENCES and self.patterns.gate(reply) < 0

    def judge(self, reply: str, draft: str | None = None, prompt: str | None = None) -> Verdict:
        """The verdict of `clean()` on one reply."""
        if len(reply) > LONGEST_REPLY:
            why = f"the reply has {len(reply)} characters, more than {LONGEST_REPLY}"
            return Verdict("refused", None, cause="too long", why=why)
        try:
            made = clean(reply, self.format, draft=draft, prompt=prompt, patterns=self.patterns)
        except Refused as refusal:
            cause: Cause = "ambiguous" if isinstance(refusal, Ambiguous) else "no content"
            return Verdict("refused", None, cause=cause, why=refusal.why)
        except Exception as error:  # noqa: BLE001 - one row must not stop a million others
            why = f"a fault of onlytext itself: {type(error).__name__}: {error}"
            return Verdict("refused", None, cause="fault", why=why)
        return Verdict(made.outcome, made.text, made.removals, made.doubts, made.sections)


def row_cleaner(
    format: Sections | Text, patterns: Patterns | Sequence[str | PathLike[str]] | None
) -> RowCleaner:
    """The cleaner for a format; pattern files are read once a process."""
    if patterns is None:
        return RowCleaner(format, builtin())
    if isinstance(patterns, Patterns):
        return RowCleaner(format, patterns)
    return RowCleaner(format, _loaded(tuple(str(path) for path in patterns)))


@functools.lru_cache(maxsize=4)  # compiled patterns are large; a job has one set of them
def _loaded(paths: tuple[str, ...]) -> Patterns:
    return Patterns.load(*paths)
