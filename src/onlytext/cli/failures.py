"""The cases that did not come out right, to be read one by one."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

from onlytext.cli.account import account_of, account_of_refusal
from onlytext.cli.explain import (
    marked_clean,
    marked_refusal,
    print_spans,
    tell_controls,
)
from onlytext.cli.outputs import has_colours
from onlytext.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from onlytext._cases import Case
    from onlytext._reply import Clean, Section
    from onlytext._score import Result, Score
    from onlytext.cli.explain import Span

_RULE: Final = "─" * 78 + "\n"
_HEAD: Final = "bold"
_VERDICT: Final = {"wrong": "bold red", "refused": "bold yellow"}
_DIFF: Final = {"-": "red", "+": "yellow", " ": ""}


def failures_as_json(score: Score) -> list[dict[str, object]]:
    """Each case that is not right, with its true text and the whole account of what came out."""
    return [
        {
            "id": result.case.id,
            "file": result.case.file,
            "line": result.case.line,
            "lang": result.case.lang,
            "kind": result.case.kind,
            "leaks": list(result.case.leaks),
            "note": result.case.note,
            "verdict": result.verdict,
            "gold": _gold_as_json(result),
            "result": _result_as_json(result),
        }
        for result in score.failures
    ]


def print_failures(console: Console, score: Score) -> None:
    """Print each case that is not right: its reply, its true text, and what came out instead."""
    colours = has_colours(console)
    for result in score.failures:
        print_spans(console, _failure(result, colours=colours))


def _gold_as_json(result: Result) -> list[list[str]] | str | None:
    gold = result.case.gold
    if isinstance(gold, tuple):
        return [[section.marker, section.body] for section in gold]
    return gold


def _result_as_json(result: Result) -> dict[str, object]:
    answer = result.answer
    return account_of_refusal(answer) if isinstance(answer, Refused) else account_of(answer)


def _failure(result: Result, *, colours: bool) -> Iterator[Span]:
    case = result.case
    yield _RULE, ""
    yield result.verdict, _VERDICT[result.verdict]
    yield f" {case.id}", _HEAD
    yield f" · {case.lang} · {', '.join(case.leaks) or case.kind} · {case.file}:{case.line}\n", ""
    if case.note:
        yield f"{case.note}\n", "italic"
    yield "\nTHE REPLY\n", _HEAD
    if isinstance(result.answer, Refused):
        yield from marked_refusal(result.answer, colours=colours)
        yield f"\nREFUSED: {result.answer.why}\nTHE TRUE TEXT\n", _HEAD
        yield from _indented(_gold_text(case))
    else:
        yield from marked_clean(result.answer, colours=colours)
        yield from _difference(case, result.answer)
    yield "\n", ""


def _difference(case: Case, cleaned: Clean) -> Iterator[Span]:
    came = _text_of(cleaned.sections) or cleaned.text
    if case.gold is None:
        yield "\nWHAT CAME OUT", _HEAD
        yield ", where nothing should have\n", ""
        yield from _indented(came)
        return
    yield "\nTHE TRUE TEXT AND WHAT CAME OUT", _HEAD
    yield "   - lost   + left in or changed\n", ""
    for sign, line in diff(_gold_text(case), came):
        yield tell_controls(f"{sign} {line}\n"), _DIFF[sign]


def _indented(text: str) -> Iterator[Span]:
    for line in text.split("\n"):
        yield tell_controls(f"  {line}\n"), ""


def diff(true: str, came: str) -> Iterator[tuple[str, str]]:
    """Both texts line by line, each with `-` for lost, `+` for left in, or a blank for both.

    Blank lines and runs of blanks do not count here, as they do not count for the score.
    """
    olds, news = _lines(true), _lines(came)
    # Its own idea of what is junk would hide frequent lines, such as markers.
    matcher = difflib.SequenceMatcher(None, olds, news, autojunk=False)
    for same, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if same == "equal":
            yield from ((" ", line) for line in olds[old_start:old_end])
        else:
            yield from (("-", line) for line in olds[old_start:old_end])
            yield from (("+", line) for line in news[new_start:new_end])


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def _gold_text(case: Case) -> str:
    gold = case.gold
    return _text_of(gold) if isinstance(gold, tuple) else gold or ""


def _text_of(sections: tuple[Section, ...]) -> str:
    return "\n".join(f"{section.marker}\n{section.body}" for section in sections)
