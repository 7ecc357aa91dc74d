"""A format that is written in a TOML file."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from onlytext._format import Marker, Sections, Text
from onlytext._textfile import TextFileError
from onlytext._tomlfile import read_toml
from onlytext.errors import FormatError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from pydantic_core import ErrorDetails

_TABLE: Final = "[format]"
_ROW: Final = "[[format.section]]"
_KINDS: Final = 'write kind = "sections" or kind = "text"'
_SECTIONS: Final = 'write kind = "sections"'
_MARKERS: Final = 'write markers = ["[TITLE]", "[BODY]"]'
_WANTED: Final = {
    "string_type": "a string in quotes",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "list_type": "a list in square brackets",
    "model_type": "a table",
    "literal_error": '"sections" or "text"',
}


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _SectionTable(_Table):
    marker: str
    optional: bool = False
    min: int | None = None
    max: int | None = None
    aliases: list[str] = []


class _FormatTable(_Table):
    kind: Literal["sections", "text"]
    markers: list[str] | None = None
    section: list[_SectionTable] | None = None
    start: str | None = None
    end: str | None = None
    notes: str | None = None


def load_format(path: str | os.PathLike[str]) -> Sections | Text:
    """The format that the `[format]` table of a TOML file describes; other tables do not matter.

    Raises `FormatError` with every fault at once, each with the file, the table and the key.
    """
    file = Path(path)
    table = _read(file).get("format")
    if not isinstance(table, dict):
        raise FormatError(
            f"{file}: there is no table {_TABLE}: write {_TABLE} on a line of its own, and below "
            f'it kind = "sections" with markers = ["[TITLE]", "[BODY]"], or kind = "text"'
        )
    faults = list(_contradictions(cast("dict[str, object]", table)))
    try:
        given = _FormatTable.model_validate(table)
    except ValidationError as error:
        faults += [_sentence(row) for row in error.errors(include_url=False)]
        raise _error(faults, file) from error
    if faults:
        raise _error(faults, file)
    return _format(given, file)


def _read(file: Path) -> dict[str, object]:
    try:
        return read_toml(file, "a format")
    except TextFileError as error:
        raise FormatError(str(error)) from error


def _error(faults: list[str], file: Path) -> FormatError:
    return FormatError("\n".join(f"{file}: {fault}" for fault in faults))


def _sentence(row: ErrorDetails) -> str:
    *path, key = row["loc"]
    in_section = len(path) >= 2  # noqa: PLR2004 - ("section", its number, ...)
    table = f"{_ROW} {int(path[1]) + 1}" if in_section else _TABLE
    if row["type"] == "extra_forbidden":
        known = list((_SectionTable if in_section else _FormatTable).model_fields)
        near = get_close_matches(str(key), known, n=1)
        mend = f"write {near[0]}" if near else f"the keys are {', '.join(known)}"
        return f"{table} has no key {key}: {mend}"
    if row["type"] == "missing":
        return f"{table} {key} is missing: {_KINDS if key == 'kind' else 'name the marker'}"
    if isinstance(key, int):
        where = (
            f"{_ROW} {key + 1}" if path == ["section"] else f"{table} {path[-1]}, item {key + 1}"
        )
    else:
        where = f"{table} {key}"
    return f"{where}: write {_WANTED[row['type']]}, not {row['input']!r}"


def _contradictions(table: dict[str, object]) -> Iterator[str]:
    if table.get("kind") == "text":
        for key in ("markers", "section"):
            if key in table:
                yield f"{_TABLE} {key}: plain text has none: take it out, or {_SECTIONS}"
    elif "markers" in table and "section" in table:
        yield f"{_TABLE} has markers and {_ROW}: write one of them"


def _format(given: _FormatTable, file: Path) -> Sections | Text:
    faults: list[str] = []
    markers = _markers(given, faults)
    if given.kind == "sections" and not (markers or faults):
        faults.append(f"{_TABLE} markers: there are none: {_MARKERS}")
    try:
        made = (
            Sections(*markers, start=given.start, end=given.end, notes=given.notes)
            if markers
            else Text(start=given.start, end=given.end, notes=given.notes)
        )
    except FormatError as error:
        raise _error([*faults, f"{_TABLE}: {error}"], file) from error
    if faults:
        raise _error(faults, file)
    return made


def _markers(given: _FormatTable, faults: list[str]) -> list[Marker]:
    """The markers that are sound; `faults` gets a sentence for each other."""
    short = [_SectionTable(marker=marker) for marker in given.markers or ()]
    rows = [(f"{_TABLE} markers, item {n}", row) for n, row in enumerate(short, start=1)]
    rows += [(f"{_ROW} {n}", row) for n, row in enumerate(given.section or (), start=1)]
    made: list[Marker] = []
    for where, row in rows:
        try:
            marker = Marker(
                row.marker,
                optional=row.optional,
                min=row.min,
                max=row.max,
                aliases=tuple(row.aliases),
            )
        except FormatError as error:
            faults.append(f"{where}: {error}")
        else:
            made.append(marker)
    return made
