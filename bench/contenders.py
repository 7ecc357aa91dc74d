"""What is measured on each kind of reply: our own calls, and how a result is told right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bench.documents import CAROUSEL, Document, Kind

from onlytext import Sections, Text, clean, parse

if TYPE_CHECKING:
    from collections.abc import Callable

PROMPT: Final = (
    "Check the text below against the rules and correct what fails.\n"
    "1. No sentence has more than 25 words.\n"
    "2. The title has at most 6 words.\n"
    "Return only the corrected text in the same format, with no comment.\n\n"
)


@dataclass(frozen=True, slots=True)
class Contender:
    """One way to get at the text of a reply.

    `budget` is the most it may cost, as a multiple of a split of the same reply into lines.
    """

    who: str
    what: str
    arguments: Callable[[Document], tuple[str, ...]]
    call: Callable[..., object]
    is_right: Callable[[Document, object], bool]
    budget: float | None = None

    @property
    def name(self) -> str:
        """Who and what, as one string."""
        return f"{self.who} {self.what}"


OURS: Final = "onlytext"


def _split(reply: str) -> list[str]:
    return reply.split("\n")


SPLIT: Final = Contender(
    "str",
    'split("\\n")',
    lambda document: (document.reply,),
    _split,
    lambda document, result: result == _split(document.reply),
)
"""What everything is compared with."""


def ours(kind: Kind, *, leaking: bool) -> list[Contender]:
    """Our own calls on one kind of reply."""
    shape = Text() if kind == "plain" else CAROUSEL
    budget = 6.0 if kind == "plain" else 8.0
    alone = None if leaking else budget
    drafted = 150.0 if leaking else None
    rows = [
        _cleaner(shape, "clean(reply)", lambda one: (one.reply,), alone),
        _cleaner(shape, "clean(reply, draft=)", lambda one: (one.reply, one.draft), drafted),
        _cleaner(
            shape,
            "clean(reply, draft=, prompt=)",
            lambda one: (one.reply, one.draft, PROMPT + one.draft),
        ),
    ]
    if not leaking:
        rows.append(
            _cleaner(shape, "clean(reply, draft=reply)", lambda one: (one.reply, one.text), drafted)
        )
    rows.append(_parser(shape))
    return rows


def _cleaner(
    shape: Sections | Text,
    what: str,
    arguments: Callable[[Document], tuple[str, ...]],
    budget: float | None = None,
) -> Contender:
    def call(reply: str, draft: str | None = None, prompt: str | None = None) -> str:
        return clean(reply, shape, draft=draft, prompt=prompt).text

    return Contender(OURS, what, arguments, call, is_text, budget)


def is_text(document: Document, result: object) -> bool:
    """Whether a result is the text, blank lines at its ends aside."""
    return isinstance(result, str) and result.strip() == document.text.strip()


def _parser(shape: Sections | Text) -> Contender:
    def call(reply: str, draft: str) -> object:
        return parse(clean(reply, shape, draft=draft)).to_dict()

    def is_right(document: Document, result: object) -> bool:
        return result == expected_record(document)

    return Contender(
        OURS, "clean(…, draft=) and parse", lambda one: (one.reply, one.draft), call, is_right
    )


def expected_record(document: Document) -> dict[str, str | list[str]]:
    """The record of a document, with its slides as a list."""
    if not document.sections:
        return {"text": document.text}
    bodies = [body for _, body in document.sections]
    return {"[COVER]": bodies[0], "[SLIDE {n}]": bodies[1:-1], "[CAPTION]": bodies[-1]}
