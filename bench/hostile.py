"""Replies that are made to be slow: what they are written from, at any length."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

from bench.documents import document, words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

# A user's own pattern, which would stop an engine that backtracks; it gets the input of its name.
USER_PATTERN: Final = "only (a+)+$"
_MET: Final = f"the pattern {USER_PATTERN}"

# What is repeated until it fills the megabyte.
UNITS: Final[Mapping[str, str]] = {
    "[": "[",
    "]": "]",
    "(": "(",
    "{": "{",
    "<": "<",
    "*": "*",
    "#": "#",
    "`": "`",
    '"': '"',
    "“": "“",
    "'": "'",
    "…": "…",
    "→": "→",
    "✓": "✓",
    "a": "a",
    "1": "1",
    "blanks": " ",
    "tabs": "\t",
    "NUL": "\0",
    "lone surrogates": "\ud800",
    "byte order marks": "\ufeff",
    "no-width blanks": "\u200b",
    "combining marks": "a\u0301",
    "only combining marks": "\u0301",
    "İ": "İ",
    "ﷺ": "ﷺ",
    "emoji": "😀",
    "line ends": "\n",
    "line ends of old Macs": "\r",
    "CRLF": "\r\n",
    "one letter a line": "a\n",
    "a dot a line": ".\n",
    "> ": "> ",
    "> > a line": ">\n",
    "- a line": "-\n",
    "list items": "- a\n",
    "numbered items": "1. a\n",
    "--- a line": "---\n",
    "headings": "# a\n",
    "table rows": "|a|b|\n",
    "fences": "```\n",
    "opened fences": "```text\n",
    "<think>": "<think>",
    "<think>a": "<think>a",
    "<think> a line": "<think>\n",
    "</think>": "</think>",
    "</think> a line": "a\n</think>\n",
    "reasoning blocks": "<think>a</think>\n",
    "reasoning in the middle": "a\n<think>b</think>\n",
    "<|": "<|",
    "<|channel|>": "<|channel|>final<|message|>",
    "<answer>": "<answer>\n",
    "comments": "<!-- a -->\n",
    "[COVER] a line": "[COVER]\n",
    "**[COVER]** a line": "**[COVER]**\n",
    "[COVER] and a letter": "[COVER]\na\n",
    "[COVER], [SLIDE 1] in turn": "[COVER]\na\n[SLIDE 1]\nb\n",
    "whole runs": "[COVER]\na\n[SLIDE 1]\nb\n[CAPTION]\nc\n",
    "[SLIDE ": "[SLIDE ",
    "[SLIDE 1] in one line": "[SLIDE 1] ",
    "SLIDE 1 a line": "SLIDE 1\n",
    "cover: a line": "cover: a\n",
    "[COVER] behind a remark": "[COVER] (a\n",
    "quotations": '"a" → "b"\n',
    "quotations in one line": '"a" "b" ',
    "remarks in one line": "(a) ",
    "counts": "one (1) two (2) three (3) ",
}
# The inputs that a short run makes do with: one of each kind.
FEW: Final = (
    "[",
    "(",
    "{",
    "blanks",
    "line ends",
    "CRLF prose",
    "prose between U+2028",
    "> ",
    "<think>",
    "<think>a",
    "combining marks",
    "fences",
    "[COVER] a line",
    "one line of prose",
    "verdicts",
    _MET,
)


def inputs() -> tuple[str, ...]:
    """The names of the inputs."""
    return (*UNITS, *_specials())


def meets_user_pattern(name: str) -> bool:
    """Whether an input is there to meet the user's own pattern."""
    return name == _MET


def hostile(name: str, size: int) -> str:
    """An input of so many UTF-8 bytes."""
    text = _specials()[name](size) if name not in UNITS else ""
    if not text:
        unit = UNITS[name]
        text = unit * (size // len(unit.encode("utf-8", "surrogatepass")) + 1)
    return text.encode("utf-8", "surrogatepass")[:size].decode("utf-8", "ignore") or text


def _specials() -> Mapping[str, Callable[[int], str]]:
    """The inputs that are more than one string again and again."""
    verdicts = [line for mine in words().values() for line in mine["verdicts"]]
    labels = [mine["label"] for mine in words().values()]
    notes = [line for mine in words().values() for line in mine["notes"]]
    remarks = [f"{mine['starts'][0]}. {mine['remark']}" for mine in words().values()]
    plain = document("en", "plain").text
    return {
        _MET: lambda size: "only " + "a" * (size - 6) + "!",
        "one line of prose": lambda size: _prose(size).replace("\n", " "),
        "CRLF prose": lambda size: _prose(size).replace("\n", "\r\n"),
        "prose between U+2028": lambda size: _prose(size).replace("\n", "\u2028"),
        "prose between U+0085": lambda size: _prose(size).replace("\n", "\u0085"),
        "verdicts": lambda size: _filled(verdicts, size),
        "labels": lambda size: _filled(labels, size),
        "notes": lambda size: _filled(notes, size),
        "remarks": lambda size: _filled(remarks, size),
        "verdicts in one line": lambda size: _filled(verdicts, size).replace("\n", " "),
        "the text again and again": lambda size: _filled([plain], size),
        "rising sections": lambda size: _filled_by(lambda n: f"[SLIDE {n}]\na\n", size),
        "falling sections": lambda size: _filled_by(lambda n: f"[SLIDE {10**6 - n}]\na\n", size),
        "rising numbers": lambda size: _filled_by(lambda n: f"{n}. a\n", size),
        "ever new words": lambda size: _filled_by(lambda n: f"a{n} ", size),
        "ever new lines": lambda size: _filled_by(lambda n: f"a{n} b{n}\n", size),
        "ever longer lines": lambda size: _filled_by(lambda n: "a" * n + "\n", size),
        "a number of 1 MB": lambda size: "[SLIDE " + "1" * (size - 8) + "]",
        "deep brackets": lambda size: "[" * (size // 2) + "]" * (size // 2),
        "nested reasoning": lambda size: "<think>" * (size // 15) + "</think>" * (size // 15),
    }


def _prose(size: int) -> str:
    return document("en-typographic", "plain", size=size).text


def _filled(lines: Sequence[str], size: int) -> str:
    once = "\n".join(lines) + "\n"
    return once * (size // len(once.encode()) + 1)


def _filled_by(piece: Callable[[int], str], size: int) -> str:
    parts: list[str] = []
    have = 0
    for number in count(1):
        if have >= size:
            break
        parts.append(piece(number))
        have += len(parts[-1])
    return "".join(parts)
