"""Finds a format's markers in a reply, in whatever spelling the model gave them."""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from onlytext._exact import ExactReader
from onlytext._fold import fold, fold_lookalikes
from onlytext._format import Sections
from onlytext._lines import line_end
from onlytext._regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from onlytext._format import Text

Key = tuple[int, int]
"""Which template (its index in the format) and which number (0 where it has none)."""
START: Final = -1
END: Final = -2
NOTES: Final = -3

Tier = Literal["exact", "strict", "loose"]
Place = Literal["alone", "remark", "inline"]


class Mark(NamedTuple):
    """A marker that was found: `start` to `end` covers it with its decoration, from its line's start.

    `body` is where what belongs to it begins.
    """

    key: Key
    start: int
    end: int
    body: int
    tier: Tier
    place: Place
    listed: bool


_SPACE: Final = r"[ \t\xa0\u2000-\u200b\u202f\u3000_]{0,3}"
_MARKS: Final = r"[\u0300-\u036f\u3099\u309a]?"
_DECO: Final = r"[ \t\xa0\u3000\u200b\ufeff>*_#~`]{0,12}"
_BULLET: Final = r"(?P<bullet>(?:[-–—•·*+]|\d{1,2}[.)])[ \t\xa0]{1,4}[*_`]{0,3})?"
_CLOSE: Final = r"[ \t\xa0]{0,3}[*_~`#]{0,3}(?:[ \xa0\u202f]?[:：])?[*_~`]{0,3}"
_FAMILIES: Final = (
    "[［【〔〖⟦",
    "]］】〕〗⟧",
    "(（",
    ")）",
    "{｛",
    "}｝",
    "<＜〈《",
    ">＞〉》",
    '«»“”„‟"＂',
    "'’ʼ`´‘",
    "-‐‑‒–—―−－",
    ".。．",
    "/／",
    "|｜│",
    "!！",
    "?？",
    "#＃",
    "*＊",
    "=＝",
    "~～〜",
    "_＿",
    "&＆",
    "+＋",
    "@＠",
    "%％",
    "•·・",
)


@functools.cache
def _letters() -> dict[str, str]:
    """For each folded letter the class of letters that fold to it."""
    classes: dict[str, set[str]] = {}
    ranges = (range(0x41, 0x250), range(0x370, 0x530), range(0x1E00, 0x1F00), range(0xFF21, 0xFF5B))
    for char in (chr(code) for block in ranges for code in block):
        if char.isalpha():
            for folded in {fold(char), fold_lookalikes(char)}:
                if len(folded) == 1:
                    classes.setdefault(folded, set()).add(char)
    return {
        folded: "[" + "".join(sorted(chars | {folded, folded.upper()[:1]})) + "]"
        for folded, chars in classes.items()
    }


@functools.cache
def _digits() -> dict[str, str]:
    zeros = [code for code in range(0x30, 0x1E000) if unicodedata.decimal(chr(code), -1) == 0]
    return {
        str(value): "[" + "".join(chr(zero + value) for zero in zeros) + "]" for value in range(10)
    }


def _atom(char: str) -> str:
    if char.isspace():
        return _SPACE
    if char.isdigit() and fold(char) in _digits():
        digits = _digits()[fold(char)]
        # A digit in a circle is none that a number is written with.
        return digits if char.isdecimal() else f"(?:{char}|{digits})"
    if char.isalpha():
        folded = fold(char)
        known = _letters().get(folded)
        if known is None:
            known = (
                "["
                + re.escape(
                    "".join(sorted({char, char.lower()[:1], char.upper()[:1], *folded[:1]}))
                )
                + "]"
            )
        return known + _MARKS
    for family in _FAMILIES:
        if char in family:
            return "[" + re.escape(family) + "]"
    if char in ":：":
        return r"[ \xa0\u202f]?[:：]"
    return re.escape(char) + r"\ufe0f?"


def _tolerant(literal: str) -> str:
    """A regex for a literal stretch of a template; a run of one sign may be shorter or longer."""
    atoms: list[str] = []
    previous = ""
    for char, run in itertools.groupby(re.sub(r"\s+", " ", literal)):
        atom = _atom(char)
        if char.isalnum():
            if previous and not previous.isalnum() and not literal[:1].isalnum():
                atom = r"[*_`]{0,3}[ \xa0]?" + atom
            atom *= len(list(run))
        elif not char.isspace():
            blank = r"[ \xa0]?" if previous.isalnum() else ""
            atom = f"{blank}(?:{atom}){{1,{len(list(run)) + 2}}}"
        atoms.append(atom)
        previous = char
    return "".join(atoms)


_CLOSING: Final = regex("[^\\w\\s:\ue000]+$")


def _core(template: str) -> str:
    """The template without the signs round it."""
    held = template.replace("{n}", "\ue000")
    start, end = 0, len(held)
    while start < end and not (held[start].isalnum() or held[start] == "\ue000"):
        start += 1
    while end > start and not (held[end - 1].isalnum() or held[end - 1] == "\ue000"):
        end -= 1
    return held[start:end].replace("\ue000", "{n}")


def _spell(template: str, name: str) -> str:
    """The regex of a template, its number in the group `name`."""
    before, numbered, after = template.partition("{n}")
    if not numbered:
        return _tolerant(template)
    return _tolerant(before) + rf"(?P<{name}>\d{{1,6}})(?!\d)" + _tolerant(after)


def _bound(template: str) -> str:
    """No word may go on where a template ends in a letter."""
    return r"(?!\w)" if template[-1:].isalnum() else ""


def _opening(rows: Sequence[tuple[int, str]]) -> str:
    """A regex for the beginning of every line that may be a marker in any spelling."""
    firsts = {
        _atom(re.sub(r"^[\s]*", "", template)[0]) if not template.startswith("{n}") else r"\d"
        for _, template in rows
    }
    cores = {
        _atom(core[0]) if not core.startswith("{n}") else r"\d"
        for _, template in rows
        if (core := _core(template))
    }
    plain = (
        firsts
        if all(not template[0].isalnum() and not template.startswith("{n}") for _, template in rows)
        else firsts | cores
    )
    return rf"{_DECO}{_BULLET.replace('?P<bullet>', '?:')}(?:{'|'.join(sorted(plain))})"


class Matcher:
    """A format's templates as two regexes: with the signs round them, and without."""

    __slots__ = ("_exact", "_keys", "_loose", "_numbered", "_strict", "names", "reader", "spelled")

    def __init__(self, templates: Iterable[tuple[int, str]], format: Sections | Text) -> None:
        self._exact: dict[int, str] = {}
        self._keys: list[int] = []
        self.names: list[str] = []
        strict: list[str] = []
        loose: list[str] = []
        rows = list(templates)
        self._numbered = ["{n}" in template for _, template in rows]
        for index, (key, template) in enumerate(rows):
            self._keys.append(key)
            self._exact.setdefault(key, template)
            core = _core(template)
            self.names.append(fold(core.replace("{n}", " ")))
            strict.append(self._strict_regex(template, index))
            if sum(char.isalpha() for char in core) >= (2 if not core.isascii() else 3):
                loose.append(f"(?P<t{index}>{_spell(core, f'n{index}')}{_bound(core)})")
        # The markers, folded, each up to its number: what a marker that was cut off is a part of.
        self.spelled = [
            fold(template.partition("{n}")[0]) for key, template in self._exact.items() if key >= 0
        ]
        self.reader = ExactReader(format, _opening(rows)) if isinstance(format, Sections) else None
        order = sorted(range(len(strict)), key=lambda one: -len(rows[one][1]))
        joined = "|".join(strict[index] for index in order)
        self._strict = re.compile(rf"\n{_DECO}{_BULLET}(?:{joined}){_CLOSE}") if strict else None
        self._loose = (
            re.compile(
                rf"\n{_DECO}{_BULLET}(?:{'|'.join(loose)}){_CLOSE}"
                r"(?=[ \t\xa0]*(?:\n|\Z)|(?<=\*\*)[ \t\xa0]|[ \t\xa0]*\([^\n()]{1,80}\)[*_]{0,3}[:：]?[ \t\xa0]*(?:\n|\Z))"
            )
            if loose
            else None
        )

    @staticmethod
    def _strict_regex(template: str, index: int) -> str:
        spelled = _spell(template, f"n{index}")
        closing = _CLOSING.search(template.replace("{n}", "\ue000\ue000\ue000"))
        if closing and template[: closing.start()].strip():
            head = _spell(template[: closing.start()], f"n{index}")
            remark = rf"(?P<r{index}>[ \xa0]?(?:[(（][^\n]{{0,160}}?[)）]|[\-–—:,][^\n\]】〕]{{0,160}}?))?"
            spelled = head + remark + r"[ \xa0]?" + _tolerant(closing.group())
        return f"(?P<t{index}>{spelled}{_bound(template)})"

    def canonical(self, key: Key) -> str:
        """The marker of a key, spelled as the format spells it."""
        return self._exact[key[0]].replace("{n}", str(key[1]))

    def exact(self, control: int) -> str | None:
        """The spelling of a start marker, an end sentinel or a notes marker, if there is one."""
        return self._exact.get(control)

    def find(self, work: str, start: int, end: int, *, loose: bool = False) -> Iterator[Mark]:
        """The markers between two offsets of a work copy, in order."""
        regex = self._loose if loose else self._strict
        if regex is None:
            return
        padded = "\n" + work[start:end]
        shift = start - 1
        for match in regex.finditer(padded):
            # The last group to close is that of the whole marker.
            index = int((match.lastgroup or "")[1:])
            exact = None if loose else self._plainly(match, padded, index, shift)
            if exact is not None:
                yield exact
                continue
            number = match.groupdict().get(f"n{index}")
            key = (self._keys[index], int(number) if number is not None else 0)
            yield self._mark(match, padded, key, index, shift, loose=loose)

    def _plainly(self, match: re.Match[str], padded: str, index: int, shift: int) -> Mark | None:
        """A marker in its exact spelling, alone on its line."""
        start, stop = match.start() + 1, match.end()
        if padded[stop : stop + 1] not in ("\n", ""):
            return None
        key = self._keys[index]
        spelled = self._exact[key]
        number = 0
        if self._numbered[index]:
            digits = match.group(f"n{index}")
            spelled = spelled.replace("{n}", digits)
            number = int(digits) if digits.isascii() and digits[0] != "0" else -1
        if padded[start:stop] != spelled or number < 0:
            return None
        return Mark(
            (key, number), start + shift, stop + shift, stop + shift, "exact", "alone", listed=False
        )

    def _mark(
        self, match: re.Match[str], padded: str, key: Key, index: int, shift: int, *, loose: bool
    ) -> Mark:
        stop = line_end(padded, match.end())
        rest = padded[match.end() : stop].strip()
        inner = match.groupdict().get(f"r{index}")
        exact = not inner and match.group()[1:].strip() == self.canonical(key)
        start = match.start() + 1 + shift
        listed = match.group("bullet") is not None
        tier: Tier = "loose" if loose else "exact" if exact else "strict"
        if not rest or _is_closing(rest):
            return Mark(
                key, start, stop + shift, stop + shift, tier, "remark" if inner else "alone", listed
            )
        if _is_remark(rest):
            return Mark(key, start, stop + shift, stop + shift, tier, "remark", listed)
        body = match.end()
        dash = _DASH.match(padded, body, stop)
        if dash is not None:
            body = dash.end()
        return Mark(key, start, body + shift, body + shift, tier, "inline", listed)


_DASH: Final = regex(r"[ \t\xa0]{0,4}(?:[-–—]{1,2}|[:：])[ \t\xa0]+(?=\S)")
_REMARK: Final = regex(r"^(?:\(.*\)|\[.*\]|（.*）|【.*】|\{.*\})[*_ .:]*$")
_SIGNS: Final = regex(r"^[\W_]{1,6}$")


def _is_closing(rest: str) -> bool:
    """Only signs follow the marker: the other half of its decoration."""
    return (
        bool(_SIGNS.match(rest))
        and not any(sign in rest for sign in "✓✔✅✗✘❌☑?？!！…")
        and len(rest) <= 4
    )


def _is_remark(rest: str) -> bool:
    return bool(_REMARK.match(rest))


# Where a format keeps what was made of it.
_KEPT: Final = "_compiled"


def matcher(format: Sections | Text) -> Matcher:
    """The matcher of a format, made once and kept with it."""
    made: object = getattr(format, _KEPT, None)
    if isinstance(made, Matcher):
        return made
    rows: list[tuple[int, str]] = []
    for index, marker in enumerate(format.markers if isinstance(format, Sections) else ()):
        rows += [(index, name) for name in (marker.template, *marker.aliases)]
    for key, name in ((START, format.start), (END, format.end), (NOTES, format.notes)):
        if name is not None:
            rows.append((key, name))
            if key == NOTES and not name.endswith(":"):
                rows.append((key, _core(name) + ":"))
    compiled = Matcher(rows, format)
    object.__setattr__(format, _KEPT, compiled)
    return compiled
