"""Hostile replies against the cleaner: each in every way that it can come in."""

from __future__ import annotations

import contextlib
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from bench.cage import Outcome, run_caged
from bench.documents import CAROUSEL, document
from bench.hostile import USER_PATTERN, hostile, meets_user_pattern

from onlytext import Patterns, Refused, Sections, Text, clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from onlytext import Clean

MEGABYTE: Final = 1_000_000
SECONDS: Final = 0.3
MEMORY: Final = 20.0
STEP: Final = 8
"""How many times as long as the first reply of a trial the second one is."""

Way = Literal[
    "text",
    "text, draft",
    "text, own draft",
    "sections",
    "sections, draft",
    "in a section, draft",
    "prompt",
]
WAYS: Final = get_args(Way)
"""How an input meets the cleaner: as the whole reply, with an ordinary draft or with nearly itself
for a draft, in one section of an ordinary reply, or as the prompt of an ordinary reply."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One input, one way: what it took, and what an input an eighth as long took before."""

    input: str
    way: Way
    bytes: int
    before: Outcome
    outcome: Outcome

    @property
    def seconds(self) -> float | None:
        """The seconds for a megabyte."""
        spent = self.outcome.seconds
        return None if spent is None else spent * MEGABYTE / self.bytes

    @property
    def memory(self) -> float | None:
        """The peak memory, as a multiple of the input's bytes."""
        return None if self.outcome.memory is None else self.outcome.memory / self.bytes

    @property
    def growth(self) -> float | None:
        """How much more a byte costs than in the shorter input; 1 where cost is linear."""
        long, short = self.outcome.seconds, self.before.seconds
        return None if long is None or not short else long / short / STEP

    @property
    def faults(self) -> tuple[str, ...]:
        """What is not as it should be."""
        if not self.outcome.lawful:
            return (self.outcome.ended,)
        found: list[str] = []
        if self.seconds is not None and self.seconds > SECONDS:
            found.append(f"{self.seconds:.2f} s")
        if self.memory is not None and self.memory > MEMORY:
            found.append(f"{self.memory:.0f} times its size in memory")
        if (
            self.growth is not None
            and self.growth > _STEEP
            and (self.outcome.seconds or 0) > _SHORT
        ):
            found.append(f"a byte costs {self.growth:.1f} times what it costs in a shorter one")
        return tuple(found)


# Below this no growth can be told from noise.
_SHORT: Final = 0.05
_STEEP: Final = 2.5


def try_all(
    names: Sequence[str], ways: Sequence[Way] = WAYS, *, size: int = MEGABYTE, limit: float = 8
) -> Iterator[Trial]:
    """Every input in every way, each in a process of its own, stopped after `limit` seconds."""
    for name in names:
        for way in ways:
            before = run_caged(prepare, name, way, size // STEP, limit=limit)
            outcome = before
            if before.lawful:
                outcome = run_caged(prepare, name, way, size, limit=limit)
            yield Trial(name, way, size, before, outcome)


def prepare(name: str, way: Way, size: int) -> Callable[[], Clean]:
    """The call that cleans an input in one way; an ordinary reply was cleaned before."""
    patterns = _with_user_pattern() if meets_user_pattern(name) else None
    shape, reply, draft, prompt = _meeting(way, hostile(name, size))
    usual = document("en", "plain" if shape == Text() else "sectioned", leaking=True)
    with contextlib.suppress(Refused):
        clean(usual.reply, shape, draft=usual.draft, prompt=usual.draft, patterns=patterns)
    return lambda: clean(reply, shape, draft=draft, prompt=prompt, patterns=patterns)


class Meeting(NamedTuple):
    """What the cleaner is called with."""

    shape: Sections | Text
    reply: str
    draft: str | None = None
    prompt: str | None = None


def _meeting(way: Way, text: str) -> Meeting:
    plain, sectioned = document("en", "plain"), document("en", "sectioned")
    leaking = document("en", "plain", leaking=True)
    middle = len(text) // 2
    edited = f"{text[:middle]}x{text[middle:]}x"
    inside = sectioned.text.replace("[SLIDE 2]\n", f"[SLIDE 2]\n{text}\n", 1)
    meetings: dict[Way, Meeting] = {
        "text": Meeting(Text(), text),
        "text, draft": Meeting(Text(), text, plain.draft),
        "text, own draft": Meeting(Text(), text, edited),
        "sections": Meeting(CAROUSEL, text),
        "sections, draft": Meeting(CAROUSEL, text, sectioned.draft),
        "in a section, draft": Meeting(CAROUSEL, inside, sectioned.draft),
        "prompt": Meeting(Text(), leaking.reply, leaking.draft, text),
    }
    return meetings[way]


_PATTERN_FILE: Final = f"""
language = "mine"

[[pattern]]
id = "many-letters"
hint = "only "
regex = "{USER_PATTERN}"
scope = "line"
why = "Shows that a pattern can't stop the cleaner."
seen = "nowhere"
must_match = ["One.\\n⟦only aaa⟧\\nTwo.", "One.\\n⟦only aaaa⟧\\nTwo."]
must_spare = ["Not only bread.", "The only loaf.", "Only a little."]
"""


@cache
def _with_user_pattern() -> Patterns:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mine.toml"
        path.write_text(_PATTERN_FILE, "utf-8")
        return Patterns.load(path)
