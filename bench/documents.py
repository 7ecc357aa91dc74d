"""Replies to measure with, put together from words.toml: the same ones in every run.

Nothing here is taken from a corpus. A document is as long as it is asked to be, in UTF-8 bytes.
"""

from __future__ import annotations

import itertools
import random
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypedDict, cast

from onlytext import Sections

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

KILOBYTE: Final = 1024
USUAL: Final = 3 * KILOBYTE
SLIDES: Final = 12
CAROUSEL: Final = Sections("[COVER]", "[SLIDE {n}]", "[CAPTION]")

Kind = Literal["plain", "sectioned"]


class Words(TypedDict):
    """The words of one language: see the head of words.toml."""

    join: str
    stop: str
    gap: str
    titles: list[str]
    starts: list[str]
    ends: list[str]
    items: list[str]
    verdicts: list[str]
    label: str
    remark: str
    notes: list[str]


@dataclass(frozen=True, slots=True)
class Document:
    """A reply, the draft that it corrects, and what is to come out of it."""

    language: str
    kind: Kind
    reply: str
    draft: str
    text: str
    """The reply without its commentary."""
    sections: tuple[tuple[str, str], ...]
    """Marker and body; empty for plain text."""
    before: str
    """The commentary before the text; empty where the reply is clean."""
    after: str

    @property
    def leaking(self) -> bool:
        """Whether the reply holds more than the text."""
        return self.reply != self.text


@cache
def words() -> dict[str, Words]:
    """The words of every language."""
    table = tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))
    return cast("dict[str, Words]", table)


def languages() -> tuple[str, ...]:
    """The languages that there are words for."""
    return tuple(words())


def document(
    language: str,
    kind: Kind,
    *,
    leaking: bool = False,
    thought: bool = False,
    size: int = USUAL,
    slides: int | None = SLIDES,
) -> Document:
    """A document whose text has about `size` bytes.

    Its draft differs in one sentence of eight, as if a validator had corrected those. A leaking one
    has verdicts and a label before the text, notes after it, and remarks on some of its lines, more
    of all in a longer one; with `thought` the verdicts stand in a reasoning block. `slides` are the
    sections between cover and caption; without it there are as many as the size asks for.
    """
    mine = words()[language]
    pen = _Pen(language, mine)
    if kind == "plain":
        sections: tuple[tuple[str, str], ...] = ()
        ours, theirs = _blocks(mine, pen, size)
        text, draft, reply = "\n".join(ours), "\n".join(theirs), "\n".join(_remarked(ours, mine))
    else:
        rows = _sections(mine, pen, size, slides)
        sections = tuple((marker, body) for marker, body, _ in rows)
        text = _joined(sections)
        draft = _joined((marker, other) for marker, _, other in rows)
        bodies = _remarked([body for _, body in sections], mine)
        reply = _joined(zip((marker for marker, _ in sections), bodies, strict=True))
    if not leaking:
        return Document(language, kind, text, draft, text, sections, "", "")
    before, after = _commentary(mine, max(1, size // USUAL), thought=thought)
    return Document(language, kind, before + reply + after, draft, text, sections, before, after)


def shelf(kind: Kind, *, leaking: bool = False, size: int = USUAL) -> list[Document]:
    """One document a language; each second of the leaking ones has a reasoning block."""
    return [
        document(language, kind, leaking=leaking, thought=bool(index % 2), size=size)
        for index, language in enumerate(words())
    ]


class _Pen:
    """Writes one sentence after the other, none twice for as long as that is possible."""

    def __init__(self, language: str, mine: Words) -> None:
        self._mine = mine
        self._dice = random.Random(f"onlytext {language}")  # noqa: S311 - the same in every run
        self._sentences = self._endless()

    def line(self, sentences: int) -> tuple[str, str]:
        """A line of the text, and the same line in the draft."""
        pairs = [next(self._sentences) for _ in range(sentences)]
        gap = self._mine["gap"]
        return gap.join(ours for ours, _ in pairs), gap.join(theirs for _, theirs in pairs)

    def start(self) -> str:
        """A short sentence."""
        return self._dice.choice(self._mine["starts"]) + self._mine["stop"]

    def _endless(self) -> Iterator[tuple[str, str]]:
        starts, ends = self._mine["starts"], self._mine["ends"]
        pairs = list(itertools.product(starts, ends))
        for extra in itertools.chain([""], itertools.cycle(ends)):
            self._dice.shuffle(pairs)
            for index, (start, end) in enumerate(pairs):
                ours = self._sentence(start, end, extra)
                if index % 8 == 0:
                    other = ends[(ends.index(end) + 5) % len(ends)]
                    yield ours, self._sentence(start, other, extra)
                else:
                    yield ours, ours

    def _sentence(self, start: str, end: str, extra: str) -> str:
        parts = [start, end, extra] if extra else [start, end]
        return self._mine["join"].join(parts) + self._mine["stop"]


def _blocks(mine: Words, pen: _Pen, size: int) -> tuple[list[str], list[str]]:
    """Lines of plain text and of its draft: a title, paragraphs of some sentences, lists."""
    title = pen.start() if size < KILOBYTE else mine["titles"][0]
    ours, theirs = [title], [title]
    have = len(title.encode())
    for turn in itertools.count(1):
        if have >= size:
            break
        if turn % 18:
            new = [pen.line((2, 1, 3, 2)[turn % 4])]
        else:
            new = [(f"- {item}", f"- {item}") for item in mine["items"]]
        ours += ["", *(one for one, _ in new)]
        theirs += ["", *(one for _, one in new)]
        have += 1 + sum(len(one.encode()) + 1 for one, _ in new)
    return ours, theirs


def _sections(mine: Words, pen: _Pen, size: int, slides: int | None) -> list[tuple[str, str, str]]:
    """Marker, body and the draft's body of each section: a short line, then whole sentences."""
    share = 220 if slides is None else size // (slides + 2)
    title = mine["titles"][0]
    rows = [("[COVER]", title, title)]
    have = 0
    while len(rows) <= slides if slides is not None else have < size - share:
        rows.append(_section(f"[SLIDE {len(rows)}]", pen, share))
        have += len(f"{rows[-1][0]}{rows[-1][1]}\n\n\n".encode())
    return [*rows, _section("[CAPTION]", pen, share)]


def _section(marker: str, pen: _Pen, share: int) -> tuple[str, str, str]:
    first = pen.start()
    ours, theirs = [first], [first]
    have = len(first.encode())
    while have < 0.8 * share:
        line, other = pen.line(2 if len(ours) == 1 else 1)
        ours.append(line)
        theirs.append(other)
        have += len(line.encode())
    return marker, "\n".join(ours), "\n".join(theirs)


def _joined(sections: Iterable[tuple[str, str]]) -> str:
    return "\n\n".join(f"{marker}\n{body}" for marker, body in sections)


def _remarked(parts: Sequence[str], mine: Words) -> list[str]:
    """The parts with a remark after the fifth of ten that end in a sentence."""
    marked = list(parts)
    sentences = [index for index, part in enumerate(parts) if part.endswith(mine["stop"])]
    for index in sentences[4::10]:
        marked[index] = f"{parts[index]}{mine['gap']}{mine['remark']}"
    return marked


def _commentary(mine: Words, times: int, *, thought: bool) -> tuple[str, str]:
    verdicts = "\n".join(mine["verdicts"] * times)
    if thought:
        verdicts = f"<think>\n{verdicts}\n</think>"
    return f"{verdicts}\n\n{mine['label']}\n\n", "\n\n" + "\n".join(mine["notes"])
