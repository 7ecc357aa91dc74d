"""Sentences of a line, as offsets, and those among them that are commentary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext._compare import words
from onlytext._fold import fold
from onlytext._lines import LONG
from onlytext._regex import regex
from onlytext._spans import Drop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onlytext._commentary import Judge
    from onlytext._compare import Passage
    from onlytext._lines import Line

_BREAK: Final = regex(
    r"(?<=[.!?…])[\"'»”’)\]*_]*[ \t\xa0]+(?=[^\W\d_]|[\"'«“„‘¿¡(\[*_\d])|(?<=[。！？])[」』”’）]*"
    r"|(?<=[:：])[ \t\xa0]+(?=[A-ZÀ-ÞА-Я\"«“„¿¡])|(?<=[a-zß-ÿ][.!?])(?=[A-ZÀ-Þ][a-zß-ÿ])"
)
_STOP: Final = regex(r"[.!?…。！？:：]")
_CLOSING: Final = regex(r"[\"'»”’)\]*_」』）]*")
_QUOTE: Final = regex(r"[\"“”«»„‘’「」]([^\"“”«»„‘’「」\n]{2,200})[\"“”«»„‘’「」]")


class Sentence(NamedTuple):
    """A sentence: `text[start:end]` of the line, with the blank that follows it up to `next`."""

    start: int
    end: int
    next: int


def split_sentences(text: str) -> list[Sentence]:
    """The sentences of a line; what stands before a colon and a capital counts as one."""
    found: list[Sentence] = []
    at = 0
    for stop in _STOP.finditer(text):
        # Not looked for anywhere else: every break follows one of these.
        gap = _BREAK.match(text, stop.end()) if stop.end() >= at else None
        if gap is None:
            continue
        closing = _CLOSING.match(text, gap.start())
        end = closing.end() if closing else gap.start()
        found.append(Sentence(at, min(end, gap.end()), gap.end()))
        at = gap.end()
    if at < len(text):
        found.append(Sentence(at, len(text), len(text)))
    return found


_LABEL: Final = regex(r"^\W{0,4}([^:：\n]{2,80}?)[*_]{0,2}[ \xa0]?[:：][*_]{0,2}[ \xa0]*(?=\S)")


def label_of(text: str) -> str | None:
    """What stands before the first colon of a line that goes on after it."""
    found = _LABEL.match(text)
    return None if found is None else found.group(1)


def drop_label(work: str, line: Line, held: Passage, judge: Judge) -> list[Drop]:
    """The label before the text on its first line, where the draft begins with what follows it."""
    text = work[line.start : line.end]
    found = _LABEL.match(text)
    if found is None or not held.lines:
        return []
    label = fold(found.group(1))
    if judge.holds(label):
        return []
    rest = words(fold(text[found.end() :]))
    begins = words(held.lines[0])
    alike = rest[:3] == begins[:3] and len(rest) >= 3
    weight = judge.weigh(found.group(1) + ":").score
    kin = held.kinship(fold(text[found.end() :]), judge.common)
    short = len(label) <= 60 and len(split_sentences(found.group(1))) == 1
    if (alike and weight >= 0.6 and short) or (kin >= 0.5 and weight >= 1.3 and short):
        return [Drop(line.start, line.start + found.end(), "label before the text")]
    return []


def drop_sentences(
    work: str, line: Line, held: Passage, judge: Judge, *, first: bool, last: bool
) -> list[Drop]:
    """The sentences of a kept line that go: a preamble, a slip and its repair, a closing remark."""
    if line.end - line.start > LONG:
        return []
    text = work[line.start : line.end]
    sentences = split_sentences(text)
    if len(sentences) < 2:
        return []
    flags = [_is_remark(text, one, held, judge) for one in sentences]
    for index in range(1, len(sentences)):
        if flags[index - 1] and not flags[index] and index + 1 < len(sentences):
            flags[index] = _is_remark(text, sentences[index], held, judge, bar=1.2)
    if all(flags) or not any(flags):
        return []
    gone = [
        index
        for index, flag in enumerate(flags)
        if flag and _may_go(index, flags, first=first, last=last)
    ]
    for index in list(gone):
        if index and index - 1 not in gone and _takes_back(text, sentences, index, flags):
            gone.append(index - 1)
    return _spans(text, line, sentences, sorted(gone))


def _may_go(index: int, flags: Sequence[bool], *, first: bool, last: bool) -> bool:
    head = all(flags[: index + 1])
    tail = all(flags[index:])
    return (head and first) or (tail and last) or not (head or tail)


def _is_remark(text: str, one: Sentence, held: Passage, judge: Judge, *, bar: float = 1.9) -> bool:
    sentence = text[one.start : one.end]
    folded = fold(sentence)
    if judge.holds(folded):
        return False
    kin = held.kinship(folded, judge.common)
    weight = judge.weigh(sentence, held.body)
    if kin >= 0.6:
        return weight.score >= 3.0 and "quotes the draft" in weight.reasons
    return weight.score >= bar


def _takes_back(
    text: str, sentences: Sequence[Sentence], index: int, flags: Sequence[bool]
) -> bool:
    """Whether a remark quotes the sentence before it, and another one follows in its place."""
    one, before = sentences[index], sentences[index - 1]
    if index + 1 >= len(sentences) or flags[index - 1]:
        return False
    earlier = fold(text[before.start : before.end])
    quotes = [fold(found) for found in _QUOTE.findall(text[one.start : one.end])]
    return bool(quotes) and all(quote in earlier for quote in quotes)


def _spans(text: str, line: Line, sentences: Sequence[Sentence], gone: Sequence[int]) -> list[Drop]:
    drops: list[Drop] = []
    for index in gone:
        one = sentences[index]
        start, end = one.start, one.next
        if end >= len(text):
            while start > 0 and text[start - 1] in " \t\xa0":
                start -= 1
        drops.append(Drop(line.start + start, line.start + end, "remark in the line"))
    return drops
