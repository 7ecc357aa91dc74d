"""Cases: replies together with the text that a careful person would keep of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, cast

from onlytext._format import Sections, Text
from onlytext._reply import Section
from onlytext._textfile import read_text
from onlytext.errors import FormatError, OnlytextError

if TYPE_CHECKING:
    from pathlib import Path

    from onlytext._reply import Clean

Kind = Literal["leaking", "no leak", "no content"]
Gold = tuple[Section, ...] | str | None

# As many faults as a person mends in one go.
_FAULTS_SHOWN: Final = 20
_FORMAT_KEYS: Final = {
    "sections": ("kind", "markers", "start", "end", "notes"),
    "text": ("kind", "start", "end", "notes"),
}


class CaseError(OnlytextError, ValueError):
    """A case file that can't be used; `faults` holds all of them, each with its file and line."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        shown = list(faults[:_FAULTS_SHOWN])
        if len(faults) > _FAULTS_SHOWN:
            shown.append(f"... and {len(faults) - _FAULTS_SHOWN} more")
        super().__init__("\n".join(shown))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Case:
    """One reply, what is known about it, and its true text (`gold`).

    `gold` is none where the reply holds no usable content, so that the right answer is a refusal.
    `leaks` names what kinds of commentary the reply holds; `file` and `line` say where the case
    stands.
    """

    id: str
    lang: str
    format: Sections | Text
    reply: str
    gold: Gold
    draft: str | None = None
    prompt: str | None = None
    leaks: tuple[str, ...] = ()
    note: str = ""
    finished: bool = True
    file: str = ""
    line: int = 0

    @property
    def kind(self) -> Kind:
        """What the reply is: one that leaks, one without a leak, or one without content."""
        if self.gold is None:
            return "no content"
        return "leaking" if self.leaks else "no leak"

    def accepts(self, cleaned: Clean) -> bool:
        """Whether the cleaned text is the true one; blanks and line ends do not count."""
        if self.gold is None:
            return False
        if isinstance(self.gold, str):
            return _squeeze(cleaned.text) == _squeeze(self.gold)
        return _squeeze_all(cleaned.sections) == _squeeze_all(self.gold)


def read_cases(path: Path) -> tuple[Case, ...]:
    """The cases of a file, one JSON object a line; blank lines are passed over."""
    faults: list[str] = []
    cases: list[Case] = []
    seen: dict[str, int] = {}
    formats: dict[str, Sections | Text] = {}
    # Not splitlines(): a string in JSON may hold U+2028, which is no end of a line here.
    for number, line in enumerate(read_text(path).removeprefix("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        row = _Row(line)
        case = row.case(str(path), number, formats)
        if case.id and case.id in seen:
            row.faults.append(f'the id "{case.id}" stands on line {seen[case.id]} already')
        seen.setdefault(case.id, number)
        faults += [f"{path}:{number}: {fault}" for fault in row.faults]
        cases.append(case)
    if not cases:
        faults.append(f"{path}: there is no case in it; a case is one JSON object on a line")
    if faults:
        raise CaseError(tuple(faults))
    return tuple(cases)


class _Row:
    """One line of a case file, and every fault that was found in it."""

    def __init__(self, line: str) -> None:
        self.faults: list[str] = []
        self.fields: dict[str, object] = {}
        self.broken = True
        try:
            found: object = json.loads(line)
        except json.JSONDecodeError as error:
            self.faults.append(f"not JSON: {error.msg} at column {error.colno}")
        except RecursionError:
            self.faults.append("not a case: nested too deeply")
        else:
            if isinstance(found, dict):
                self.fields = cast("dict[str, object]", found)
                self.broken = False
            else:
                self.faults.append("not a case: write one JSON object, {...}, on the line")

    def case(self, file: str, line: int, formats: dict[str, Sections | Text]) -> Case:
        """The case; where the row has faults, some stand-in for each faulty value."""
        if self.broken:
            return Case("", "", _NO_FORMAT, "", None)
        format_ = self.format(formats)
        return Case(
            id=self.text("id", needed=True) or "",
            lang=self.text("lang", needed=True) or "",
            format=format_,
            reply=self.text("raw", needed=True, empty=True) or "",
            gold=self.gold(format_),
            draft=self.text("draft"),
            prompt=self.text("prompt"),
            leaks=self.texts("leaks"),
            note=self.text("note", empty=True) or "",
            finished=self.finished(),
            file=file,
            line=line,
        )

    def text(self, key: str, *, needed: bool = False, empty: bool = False) -> str | None:
        """The string under a key; none where it may be missing and is."""
        value = self.fields.get(key)
        if value is None and not needed:
            return None
        if key not in self.fields:
            self.faults.append(f'"{key}" is missing')
        elif not isinstance(value, str):
            self.faults.append(f'"{key}" must be a string, not {_json_type(value)}')
        elif not empty and not value.strip():
            self.faults.append(f'"{key}" is empty')
        else:
            return value
        return None

    def texts(self, key: str) -> tuple[str, ...]:
        """The list of strings under a key that has to be there."""
        value = self.fields.get(key)
        if key not in self.fields:
            self.faults.append(f'"{key}" is missing; write [] for none')
        elif not _is_strings(value):
            self.faults.append(f'"{key}" must be a list of strings')
        else:
            return tuple(cast("list[str]", value))
        return ()

    def finished(self) -> bool:
        """Whether the model came to its end by itself; so it is unless the case says false."""
        value = self.fields.get("finished", True)
        if not isinstance(value, bool):
            self.faults.append(f'"finished" must be true or false, not {_json_type(value)}')
        return value is True

    def format(self, formats: dict[str, Sections | Text]) -> Sections | Text:
        """The format; equal ones are made once, since making one is dearer than using it."""
        value = self.fields.get("format")
        if not isinstance(value, dict):
            self.faults.append('"format" must be an object: {"kind": "sections", "markers": [...]}')
            return _NO_FORMAT
        table = cast("dict[str, object]", value)
        key = json.dumps(table, sort_keys=True)
        if key not in formats:
            faults = _table_faults(table)
            if faults:
                self.faults += faults
                return _NO_FORMAT
            try:
                formats[key] = _make_format(table)
            except FormatError as error:
                self.faults.append(f'"format": {error}')
                return _NO_FORMAT
        return formats[key]

    def gold(self, format_: Sections | Text) -> Gold:
        """The true text, which has to be of the kind that the format says."""
        value = self.fields.get("gold")
        if "gold" not in self.fields:
            self.faults.append('"gold" is missing; write null where the reply holds no content')
        elif value is None or format_ is _NO_FORMAT:
            return None
        elif isinstance(format_, Text):
            return self.text("gold", needed=True)
        elif not _is_pairs(value):
            self.faults.append('"gold" must be a list of pairs: [["[COVER]", "its text"], ...]')
        else:
            pairs = cast("list[list[str]]", value)
            return tuple(Section(marker, body) for marker, body in pairs)
        return None


_NO_FORMAT: Final = Text()


def _table_faults(table: dict[str, object]) -> list[str]:
    kind = table.get("kind")
    if not isinstance(kind, str) or kind not in _FORMAT_KEYS:
        return ['"format" needs "kind": "sections" or "text"']
    keys = _FORMAT_KEYS[kind]
    faults = [
        f'"format": "{key}" is not known; known for "{kind}" are {", ".join(keys)}'
        for key in table
        if key not in keys
    ]
    if kind == "sections" and not _is_strings(table.get("markers")):
        faults.append('"format": "markers" must be a list of strings')
    faults += [
        f'"format": "{key}" must be a string'
        for key in ("start", "end", "notes")
        if not isinstance(table.get(key), str | None)
    ]
    return faults


def _make_format(table: dict[str, object]) -> Sections | Text:
    start, end, notes = (cast("str | None", table.get(key)) for key in ("start", "end", "notes"))
    if table["kind"] == "text":
        return Text(start=start, end=end, notes=notes)
    markers = cast("list[str]", table["markers"])
    return Sections(*markers, start=start, end=end, notes=notes)


def _is_strings(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(item, str) for item in cast("list[object]", value)
    )


def _is_pairs(value: object) -> bool:
    return (
        isinstance(value, list)
        and value != []
        and all(
            _is_strings(pair) and len(cast("list[str]", pair)) == len(("marker", "body"))
            for pair in cast("list[object]", value)
        )
    )


def _json_type(value: object) -> str:
    if value is None:
        return "null"
    names: dict[type, str] = {bool: "true or false", str: "a string", dict: "an object"}
    return "a list" if isinstance(value, list) else names.get(type(value), "a number")


def _squeeze(text: str) -> str:
    return " ".join(text.split())


def _squeeze_all(sections: tuple[Section, ...]) -> list[tuple[str, str]]:
    return [(_squeeze(section.marker), _squeeze(section.body)) for section in sections]
