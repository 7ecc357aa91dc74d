"""Runs patterns, and the whole cleaner, over real content: whatever they take there is a fault."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from onlytext._clean import clean
from onlytext._fold import fold
from onlytext._format import Sections, Text
from onlytext._patterns import Patterns
from onlytext.audit._bound import upper_bound
from onlytext.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from onlytext._patterns import Pattern
    from onlytext.audit._corpus import Passage

Place = Literal["reply", "section", "last section", "paragraphs"]

_TEXT: Final = Text()
_SECTIONS: Final = Sections("[TITLE]", "[BODY]", "[END NOTE]")
# A paragraph is seen first and last in a reply, with others beside it as they stand in the text.
_WINDOW: Final = 3
_REST: Final = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A line of content that a pattern matches: `line[start:end]`, in characters.

    `row` counts from 1 and is the row of a data file or, in a text file, the line.
    """

    pattern: str
    file: str
    row: int
    line: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A lawful text that the whole cleaner changes or refuses, and where in a reply it stood.

    `gone` is what was dropped, with the pattern that decided, if one did; where the reply was
    refused, `refused` says why.
    """

    file: str
    row: int
    place: Place
    gone: str = ""
    pattern: str | None = None
    reason: str = ""
    refused: str = ""


@dataclass(slots=True)
class Tally:
    """What one pattern met: hits, and paragraphs with its hint's first word (in its language)."""

    pattern: Pattern
    hits: list[Hit] = field(default_factory=list[Hit])
    with_hint: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What an audit found; sound where nothing was hit and nothing changed."""

    texts: int
    paragraphs: int
    characters: dict[str, int]
    """How many characters of content were seen in each language ("?" where it is not told)."""
    tallies: tuple[Tally, ...]
    changes: tuple[Change, ...]
    corpus: str

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Every line of content that some pattern matches."""
        return tuple(hit for tally in self.tallies for hit in tally.hits)

    @property
    def sound(self) -> bool:
        """Whether no pattern hit content and the cleaner changed none."""
        return not self.hits and not self.changes

    def bound(self, tally: Tally) -> float:
        """The upper 95 % bound of the share of paragraphs that the pattern hits by mistake."""
        return upper_bound(min(len(tally.hits), self.paragraphs), self.paragraphs)


def audit(
    passages: Iterable[Passage],
    patterns: Patterns,
    *,
    only: Iterable[Pattern] | None = None,
    corpus: str = "",
    whole: bool = True,
    step: Callable[[Passage], None] | None = None,
) -> Audit:
    """What the patterns and the whole cleaner do to lawful texts.

    `only` are the patterns to be judged, all of them where it is none; the cleaner runs with all
    of `patterns`, and only over texts that one of those hits where `whole` is false. `step` is
    called after each text.
    """
    judged = tuple(patterns.rows if only is None else only)
    tallies = {row.id: Tally(row) for row in judged}
    find = _finder(judged)
    counted = _HintCounter(judged)
    changes: list[Change] = []
    characters: Counter[str] = Counter()
    texts = paragraphs = 0
    for passage in passages:
        texts += 1
        characters[passage.language or "?"] += len(passage.text)
        parts = passage.paragraphs
        paragraphs += len(parts)
        counted.see(parts, passage.language)
        found = list(find(passage))
        for hit in found:
            tallies[hit.pattern].hits.append(hit)
        if whole or found:
            changes += _changes(passage, parts, patterns)
        if step is not None:
            step(passage)
    for row in judged:
        tallies[row.id].with_hint = counted.of(row)
    return Audit(
        texts=texts,
        paragraphs=paragraphs,
        characters=dict(characters),
        tallies=tuple(tallies.values()),
        changes=tuple(changes),
        corpus=corpus,
    )


def _finder(judged: tuple[Pattern, ...]) -> Callable[[Passage], Iterator[Hit]]:
    """What finds the lines of a text that a judged pattern matches."""
    alone = Patterns(judged)

    def find(passage: Passage) -> Iterator[Hit]:
        for number, line in enumerate(passage.text.split("\n")):
            if not line.strip():
                continue
            for row in alone.match_line(line):
                start, end = alone.span(row, line)
                yield Hit(
                    pattern=row.id,
                    file=passage.file,
                    row=passage.row + number if passage.is_file else passage.row,
                    line=line,
                    start=start,
                    end=end,
                )

    return find


class _HintCounter:
    """How many paragraphs of a pattern's language hold the first word of its hint."""

    def __init__(self, judged: tuple[Pattern, ...]) -> None:
        self._words: dict[str, set[str]] = {}
        for row in judged:
            self._words.setdefault(_language(row), set()).add(_first_word(row))
        self._seen: Counter[tuple[str, str]] = Counter()

    def see(self, paragraphs: list[str], language: str | None) -> None:
        folded = [fold(part) for part in paragraphs]
        for spoken, words in self._words.items():
            if language is None or language == spoken or len(self._words) == 1:
                for word in words:
                    self._seen[spoken, word] += sum(word in part for part in folded)

    def of(self, row: Pattern) -> int:
        return self._seen[_language(row), _first_word(row)]


def _language(row: Pattern) -> str:
    return row.id.partition("/")[0]


def _first_word(row: Pattern) -> str:
    return fold(row.hint).partition(" ")[0]


def _changes(passage: Passage, parts: list[str], patterns: Patterns) -> Iterator[Change]:
    """What the cleaner does to a text as a reply, as a section, and to its paragraphs."""
    text = passage.text.strip("\n")
    yield from _change(passage, "reply", text, _TEXT, patterns)
    filled = f"[TITLE]\nA title\n\n[BODY]\n{text}\n\n[END NOTE]\n{_REST}"
    yield from _change(passage, "section", filled, _SECTIONS, patterns)
    filled = f"[TITLE]\nA title\n\n[BODY]\n{_REST}\n\n[END NOTE]\n{text}"
    yield from _change(passage, "last section", filled, _SECTIONS, patterns)
    if len(parts) > _WINDOW:
        for at in range(len(parts) - _WINDOW + 1):
            some = "\n\n".join(parts[at : at + _WINDOW])
            yield from _change(passage, "paragraphs", some, _TEXT, patterns)


def _change(
    passage: Passage, place: Place, reply: str, format: Sections | Text, patterns: Patterns
) -> Iterator[Change]:
    try:
        cleaned = clean(reply, format, patterns=patterns)
    except Refused as refused:
        yield Change(file=passage.file, row=passage.row, place=place, refused=refused.why)
        return
    if cleaned.text != reply:
        # Blanks that go with a line tell nothing of their own.
        told = [one for one in cleaned.removals if one.text.strip()] or cleaned.removals
        for removal in told:
            yield Change(
                file=passage.file,
                row=passage.row,
                place=place,
                gone=removal.text,
                pattern=removal.pattern,
                reason=removal.reason,
            )
