"""A pattern file that a user wrote, checked row by row."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, cast

import re2
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from onlytext._patterns import SCOPES, Pattern, Scope, anchored
from onlytext._signed import digest_of, signature_file, signed_digests
from onlytext._textfile import TextFileError
from onlytext._tomlfile import read_toml
from onlytext.errors import PatternError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from pydantic_core import ErrorDetails

OPEN: Final = "⟦"
CLOSE: Final = "⟧"
_ID: Final = r"^[a-z0-9]+(?:-[a-z0-9]+)*$"
# What no pattern may match whole: a blank line, and single words that any text may consist of.
_PLAIN: Final = ("", " ", "a", "the", "de", "la", "und", "1", "-", "OK", "Yes", "Note", "Hello")
_WANTED: Final = {
    "string_type": "a string in quotes",
    "list_type": "a list in square brackets",
    "model_type": "a table",
    "literal_error": "one of " + ", ".join(SCOPES),
    "string_pattern_mismatch": "small letters and digits, in words joined by -",
    "string_too_short": "something",
}

_Filled = Annotated[str, Field(min_length=1)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Row(_Table):
    id: Annotated[str, Field(pattern=_ID)]
    hint: _Filled
    regex: _Filled
    scope: Scope
    why: _Filled
    seen: _Filled
    must_match: list[_Filled]
    must_spare: list[_Filled]
    format: list[_Filled] = []


class _File(_Table):
    language: Annotated[str, Field(pattern=_ID)]
    pattern: list[_Row]


def read_patterns(path: str | os.PathLike[str]) -> list[Pattern]:
    """The patterns of a file. Raises `PatternError` with every fault, each with file, row and id."""
    file = Path(path)
    try:
        table = read_toml(file, "patterns")
    except TextFileError as error:
        raise PatternError(str(error)) from error
    try:
        given = _File.model_validate(table)
    except ValidationError as error:
        rows = error.errors(include_url=False)
        raise PatternError("\n".join(f"{file}: {_sentence(row, table)}" for row in rows)) from error
    made = [_pattern(given.language, row) for row in given.pattern]
    faults = [fault for row in made for fault in faults_of(row)]
    faults += _twice(made)
    if faults:
        raise PatternError("\n".join(f"{file}: {fault}" for fault in faults))
    return made


def refuse_unsigned(path: str | os.PathLike[str], rows: list[Pattern]) -> None:
    """Raise `PatternError` where a file is signed, but some of its patterns are not.

    A file that nobody ever signed has no signatures beside it, and passes.
    """
    file = Path(path)
    signatures = signature_file(file)
    try:
        signed = signed_digests(signatures.read_text("utf-8"))
    except FileNotFoundError:
        return
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PatternError(
            f"{signatures} holds no signatures that can be read: {error!r}"
        ) from error
    edited = [row.id for row in rows if digest_of(row) not in signed]
    if edited:
        raise PatternError(
            "\n".join(f"{file}: {name}: it was edited since its audit" for name in edited)
            + f"\n{file}: run onlytext audit --patterns {file} --corpus YOUR_TEXTS --sign"
        )


def _pattern(language: str, row: _Row) -> Pattern:
    return Pattern(
        id=f"{language}/{row.id}",
        hint=row.hint,
        regex=row.regex,
        scope=row.scope,
        why=row.why,
        seen=row.seen,
        must_match=tuple(row.must_match),
        must_spare=tuple(row.must_spare),
        format=tuple(row.format),
    )


def faults_of(row: Pattern) -> Iterator[str]:
    """What is wrong with a pattern by itself, a sentence each."""
    try:
        regex = re2.compile("(?i)" + anchored(row))
    except re2.error as error:
        reason = error.args[0].decode() if isinstance(error.args[0], bytes) else error
        yield f"{row.id}: the regex is not RE2 syntax: {reason}"
        return
    for word in _PLAIN:
        if regex.search(word) is not None:
            shown = f"the single word {word!r}" if word.strip() else "an empty line"
            yield f"{row.id}: the regex matches {shown}: make it say more"
            break
    if len(row.must_match) < 2 or len(row.must_spare) < 3:  # noqa: PLR2004 - the proof's size
        yield f"{row.id}: a pattern carries its proof: 2 must_match and 3 must_spare at least"
    for example in row.must_match:
        if example.count(OPEN) < 1 or example.count(OPEN) != example.count(CLOSE):
            yield f"{row.id}: put {OPEN} and {CLOSE} round what goes from {example!r}"
    for example in (*row.must_match, *row.must_spare):
        if row.hint.casefold() not in example.casefold():
            yield f"{row.id}: the hint {row.hint!r} is not in the example {example!r}"


def _twice(rows: list[Pattern]) -> Iterator[str]:
    seen: set[str] = set()
    for row in rows:
        if row.id in seen:
            yield f"{row.id}: this id stands twice: give one of them another"
        seen.add(row.id)


def _sentence(row: ErrorDetails, table: dict[str, object]) -> str:
    place = _where(row["loc"], table)
    key = row["loc"][-1]
    if row["type"] == "extra_forbidden":
        known = list((_Row if len(row["loc"]) > 1 else _File).model_fields)
        near = get_close_matches(str(key), known, n=1)
        return f"{place} has no key {key}: " + (
            f"write {near[0]}" if near else f"the keys are {', '.join(known)}"
        )
    if row["type"] == "missing":
        return f"{place} {key} is missing: write it"
    wanted = _WANTED.get(row["type"], row["msg"])
    return f"{place} {key}: write {wanted}, not {row['input']!r}"


def _where(path: tuple[int | str, ...], table: dict[str, object]) -> str:
    """The row of a fault, by its id where it has one."""
    rows = table.get("pattern")
    if len(path) < 2 or not isinstance(path[1], int) or not isinstance(rows, list):  # noqa: PLR2004
        return "the file"
    row = cast("list[object]", rows)[path[1]]
    name = cast("dict[str, object]", row).get("id") if isinstance(row, dict) else None
    return f"[[pattern]] {path[1] + 1}" + (f" ({name})" if name else "")
