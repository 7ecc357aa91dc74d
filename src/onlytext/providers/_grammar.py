"""A GBNF grammar made from a format, for servers that hold a model to one."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext._format import Sections, Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from onlytext._format import Marker

# How many sections of a numbered marker there may be where the format leaves it open.
_MOST: Final = 30
_IN_A_CLASS: Final = frozenset("\\]^-")


def grammar_of(
    format: Sections | Text, *, lines: int | None = None, characters: int | None = None
) -> str:
    r"""The GBNF grammar of all replies that hold this format and nothing else.

    Each marker stands on a line of its own, and no line of a body begins with the sign with which
    a marker begins, where that sign is neither a letter nor a number. Notes are not in it. A
    format which leaves open how many sections there are gets at most 30 of them.

    A small model may go round in circles until it has no tokens left: `lines` and `characters`
    say how many lines a body may have, and how long a line may be. Too few cut a sentence off.

    >>> print(grammar_of(Text(end="[END]")))
    root ::= body "\n[END]"
    body ::= line ("\n" "\n"? line)*
    line ::= [^\n\r\[] [^\n\r]*
    """
    rules = _Rules()
    sections = () if isinstance(format, Text) else format.markers
    first: list[str] = [] if format.start is None else [_literal(format.start + "\n")]
    last: list[str] = [] if format.end is None else [_literal("\n" + format.end)]
    groups = [_group(marker, rules) for marker in sections]
    middle = list(_joined(groups)) if groups else ["body"]
    spellings = [spelling for marker in sections for spelling in marker.spellings]
    spellings += [channel for channel in (format.start, format.end) if channel is not None]
    return "\n".join(
        [
            f"root ::= {' '.join([*first, *middle, *last])}",
            *rules.made,
            f'body ::= line ("\\n" "\\n"? line){_at_most(lines)}',
            f"line ::= [^\\n\\r{_signs(spellings)}] [^\\n\\r]{_at_most(characters)}",
        ]
    )


class _Rules:
    """The rules of the grammar beside its first, each under a name of its own."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self._numbers = count(1)

    def name(self, rule: str) -> str:
        name = f"section-{next(self._numbers)}"
        self.made.append(f"{name} ::= {rule}")
        return name


class _Group(NamedTuple):
    """The sections of one marker: `rule`, and whether they may all be missing."""

    rule: str
    optional: bool


def _group(marker: Marker, rules: _Rules) -> _Group:
    if not marker.numbered:
        return _Group(rules.name(_section(marker.template)), marker.optional)
    least = marker.min or 1
    most = max(least, _MOST) if marker.max is None else marker.max
    rule = ""
    for number in range(most, 0, -1):
        here = _section(marker.at(number))
        if rule:
            here += f' "\\n\\n" {rule}' if number < least else f' ("\\n\\n" {rule})?'
        rule = rules.name(here)
    return _Group(rule, marker.optional)


def _joined(groups: list[_Group]) -> Iterator[str]:
    """The groups with a blank line between any two that are there.

    Those before the first one that must be there carry the blank line behind them, those after it
    before them; where none must be there, the reply may start with any of them.
    """
    anchor = next((at for at, group in enumerate(groups) if not group.optional), None)
    if anchor is None:
        starts = (" ".join(_from(groups, at)) for at in range(len(groups)))
        yield f"({' | '.join(starts)})"
        return
    for group in groups[:anchor]:
        yield f'({group.rule} "\\n\\n")?'
    yield from _from(groups, anchor)


def _from(groups: list[_Group], first: int) -> Iterator[str]:
    yield groups[first].rule
    for group in groups[first + 1 :]:
        yield f'("\\n\\n" {group.rule}){"?" if group.optional else ""}'


def _at_most(times: int | None) -> str:
    """How often what follows a first one may come, where `times` counts that one too."""
    return "*" if times is None else f"{{0,{max(0, times - 1)}}}"


def _section(marker: str) -> str:
    return _literal(marker + "\n") + " body"


def _literal(text: str) -> str:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{quoted}"'


def _signs(spellings: list[str]) -> str:
    signs = sorted({spelling[0] for spelling in spellings if not spelling[0].isalnum()})
    return "".join(f"\\{sign}" if sign in _IN_A_CLASS or sign == "[" else sign for sign in signs)
