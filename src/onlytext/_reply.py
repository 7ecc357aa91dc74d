"""A reply, and what was kept of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Never, NoReturn, final

from onlytext.errors import OnlytextError

if TYPE_CHECKING:
    from collections.abc import Callable

    from onlytext._format import Sections, Text

Outcome = Literal["untouched", "cleaned"]


class Piece(NamedTuple):
    """A stretch of the reply that was kept, `reply[start:end]`.

    `put` is what stands for it in the text where that is not the stretch itself: a canonical
    marker for a decorated one, or a line end between two pieces (then `start == end`).
    """

    start: int
    end: int
    put: str | None = None


@dataclass(frozen=True, slots=True)
class Removal:
    """A stretch of the reply that was dropped, and why.

    `start` and `end` are character offsets into the reply as the caller passed it, `text` is what
    stood there, `reason` a few plain words, `pattern` the id of the audited pattern that decided,
    or none where the structure or the draft did.
    """

    start: int
    end: int
    text: str
    reason: str
    pattern: str | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that may be wrong and was left as it is.

    `start` and `end` are character offsets into the reply; they are equal where the doubt is about
    something that is not there, such as a missing section.
    """

    start: int
    end: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Section:
    """One section of a cleaned text: its marker in canonical spelling, and its body, trimmed."""

    marker: str
    body: str


class Cut(NamedTuple):
    """Where a section's body stands in the text: `text[start:end]`."""

    marker: str
    start: int
    end: int


@final
class Clean:
    """A reply of which only the text was kept, with an account of everything that was dropped.

    Only `clean()` makes one. It is not a `str`: a person or a parser reads `.text` or
    `.sections`, and `parse()` takes the whole `Clean`.
    """

    __slots__ = ("_cuts", "doubts", "format", "outcome", "pieces", "removals", "reply", "text")

    reply: str
    """The reply as it came."""
    format: Sections | Text
    outcome: Outcome
    text: str
    """The text and nothing but the text, for sections with their canonical markers."""
    pieces: tuple[Piece, ...]
    """The stretches of the reply that were kept, in the order of the text."""
    removals: tuple[Removal, ...]
    """What was dropped, in the order of the reply; pieces and removals cover it exactly."""
    doubts: tuple[Doubt, ...]
    _cuts: tuple[Cut, ...] | Callable[[], tuple[Cut, ...]]

    if TYPE_CHECKING:
        # For a type checker a call that never returns is no error; one that lacks this argument is.
        def __init__(self, *, only_clean_makes_one: Never) -> None: ...
    else:

        def __new__(cls, *_: object, **__: object) -> NoReturn:
            raise OnlytextError("only clean() makes a Clean: write clean(reply, format)")

    def __init_subclass__(cls) -> None:
        raise OnlytextError("Clean has no subclasses: what parse() takes has to come from clean()")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Clean does not change; {name} can't be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Clean does not change; {name} can't be deleted")

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections in the order of the text; empty for plain text."""
        text, cuts = self.text, self._cuts
        if callable(cuts):
            cuts = cuts()
        return tuple(Section(cut.marker, text[cut.start : cut.end].strip()) for cut in cuts)

    def __repr__(self) -> str:
        return (
            f"<Clean {self.outcome}: {len(self.text)} of {len(self.reply)} characters kept, "
            f"{len(self.removals)} removals, {len(self.doubts)} doubts>"
        )


def make_clean(
    reply: str,
    format: Sections | Text,
    text: str,
    pieces: tuple[Piece, ...],
    cuts: tuple[Cut, ...] | Callable[[], tuple[Cut, ...]],
    removals: tuple[Removal, ...] = (),
    doubts: tuple[Doubt, ...] = (),
) -> Clean:
    """The `Clean` of a reply, for the one road in `_clean.py` and nobody else."""
    made = object.__new__(Clean)
    put = object.__setattr__
    put(made, "reply", reply)
    put(made, "format", format)
    put(made, "outcome", "untouched" if text == reply else "cleaned")
    put(made, "text", text)
    put(made, "pieces", pieces)
    put(made, "_cuts", cuts)
    put(made, "removals", removals)
    put(made, "doubts", doubts)
    return made
