"""A job that is written in a TOML file."""

from __future__ import annotations

import contextlib
import copy
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic import BaseModel, ValidationError

from onlytext._format import Text
from onlytext._formatfile import load_format
from onlytext._textfile import TextFileError, read_text
from onlytext._tomlfile import read_toml
from onlytext.errors import FormatError
from onlytext.pipeline._checks import Check
from onlytext.pipeline._job import Generate, Job, JobError, JobLimits, ModelChoice, Validator
from onlytext.pipeline._jobtables import TABLES, JobFile
from onlytext.pipeline._secrets import secret_faults
from onlytext.prompts import Hardening

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping

    from pydantic_core import ErrorDetails

    from onlytext._format import Sections
    from onlytext.pipeline._jobtables import GenerateTable, ValidatorTable

_Fault = tuple[str, str]
_Place = tuple[int | str, ...]

_MISSING: Final = {
    "job": 'it is missing: write [job] on a line of its own, and below it name = "..."',
    "name": 'it is missing: write name = "..."',
    "prompt": 'it is missing: write prompt = "...", with {fields} of the briefs',
    "model": 'it is missing: write model = "...", as the provider calls it',
    "rules": 'it is missing: write rules = ["...", "..."]',
}
_WANTED: Final = {
    "string_type": "a string in quotes",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a number",
    "list_type": "a list in square brackets",
    "dict_type": "a table",
    "model_type": "a table",
}
# Tables that come once for each thing, and that a fault names by their number.
_ROWS: Final = frozenset({"check"})
# Stands for a model that is missing, so that all other faults are found as well.
_NO_MODEL: Final = {"model": "none"}
_MODEL_KEYS: Final = {"provider", "model", "max_tokens", "effort", "temperature"}


def read_job(path: str | os.PathLike[str]) -> Job:
    """The job of a file. Raises `JobError` with every fault at once."""
    file = Path(path)
    try:
        table = read_toml(file, "a job")
    except TextFileError as error:
        raise JobError((("", str(error)),)) from error
    faults: list[_Fault] = []
    secrets = dict(_secrets(table))
    faults += [(_name(place), said) for place, said in secrets.items()]
    shape = _format(file, faults)
    given = _given(table, secrets, faults)
    if given is None:
        raise JobError(tuple(faults), file=str(file))
    try:
        job = _job(given, shape or Text(), file, faults)
    except JobError as error:
        # What a check says of markers means nothing while there is no format, and what is told
        # of a table that already has a fault may come from what was left out of it.
        known = shape is not None
        faults += [
            one
            for one in error.faults
            if (known or not one[0].startswith("[[check]]"))
            and not any(place.startswith(one[0]) for place, _ in faults)
        ]
        raise JobError(tuple(faults), file=str(file)) from error
    if faults:
        raise JobError(tuple(faults), file=str(file))
    return job


def _format(file: Path, faults: list[_Fault]) -> Sections | Text | None:
    try:
        return load_format(file)
    except FormatError as error:
        lines = str(error).split("\n")
        faults += [("", line.removeprefix(f"{file}: ")) for line in lines]
        return None


def _given(
    table: Mapping[str, object], secrets: Mapping[_Place, str], faults: list[_Fault]
) -> JobFile | None:
    """The tables of the file; none where they are not what they have to be."""
    try:
        return JobFile.model_validate(table)
    except ValidationError as error:
        rows = error.errors(include_url=False)
        told = [row for row in rows if not any(_within(row["loc"], place) for place in secrets)]
        faults += dict.fromkeys(_fault(row) for row in told)
    with contextlib.suppress(ValidationError):  # what is missing can't be left out
        return JobFile.model_validate(_without(table, [row["loc"] for row in rows]))
    return None


def _without(table: Mapping[str, object], places: Iterable[_Place]) -> dict[str, object]:
    """The table without the keys that are at fault, so that other faults can be looked for."""
    left = copy.deepcopy(dict(table))
    for place in places:
        *path, key = place[: 3 if place[0] in {*_ROWS, "provider"} else 2]
        inner: object = left
        for step in path:
            inner = _at(inner, step)
        if isinstance(inner, dict):
            cast("dict[str, object]", inner).pop(str(key), None)
    return left


def _at(table: object, step: int | str) -> object:
    if isinstance(table, dict) and isinstance(step, str):
        return cast("dict[str, object]", table).get(step)
    if isinstance(table, list) and isinstance(step, int):
        return cast("list[object]", table)[step]
    return None


def _within(place: _Place, other: _Place) -> bool:
    return place[: len(other)] == other


def _secrets(table: object, above: _Place = ()) -> Iterator[tuple[_Place, str]]:
    """Where a secret stands, in whatever table, and what to do about it."""
    if isinstance(table, list):
        for number, item in enumerate(cast("list[object]", table)):
            for said in dict(secret_faults({"": item})).values():
                yield (*above, number), said
            yield from _secrets(item, (*above, number))
        return
    if not isinstance(table, dict):
        return
    rows = cast("dict[str, object]", table)
    provider = str(above[1]) if above[:1] == ("provider",) and len(above) > 1 else None
    found = dict(secret_faults(rows, provider))
    for key, value in rows.items():
        if key in found:
            yield (*above, key), found[key]
        else:
            yield from _secrets(value, (*above, key))


# ---------------------------------------------------------------- what is wrong with a table


def _fault(row: ErrorDetails) -> _Fault:
    place, kind = row["loc"], row["type"]
    key = str(place[-1])
    if kind == "extra_forbidden":
        return _name(place[:-1]), _no_key(place)
    if kind == "missing":
        return _name(place), _MISSING.get(key, "it is missing: write it")
    if place[0] == "provider" and len(place) > 2:  # noqa: PLR2004 - ("provider", its name, key, ...)
        return _name(place[:3]), "write a string, a number, true or false"
    if kind == "literal_error":
        wanted = row["ctx"]["expected"].replace("'", '"') if "ctx" in row else "another word"
        return _name(place), f"write {wanted}, not {row['input']!r}"
    return _name(place), f"write {_WANTED.get(kind, row['msg'])}, not {_shown(row['input'])}"


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."  # noqa: PLR2004


def _no_key(place: _Place) -> str:
    key = str(place[-1])
    if len(place) == 1:
        known = list(JobFile.model_fields)
        near = get_close_matches(key, known, n=1)
        names = ", ".join(f"[[{one}]]" if one in _ROWS else f"[{one}]" for one in known)
        return f"there is no table [{key}]: " + (
            f"write [{near[0]}]" if near else f"the tables are {names}"
        )
    table = f"[[{place[0]}]]" if place[0] in _ROWS else f"[{place[0]}]"
    known = [_key(name, TABLES[table]) for name in TABLES[table].model_fields]
    near = get_close_matches(key, known, n=1)
    return f"there is no key {key}: " + (
        f"write {near[0]}" if near else f"the keys are {', '.join(known)}"
    )


def _key(name: str, table: type[BaseModel]) -> str:
    return table.model_fields[name].alias or name


def _name(place: _Place) -> str:
    """A place as a person finds it in the file: `[[check]] 2 forbidden, item 1`."""
    if not place:
        return ""
    first, *rest = place
    if first == "provider" and rest:
        table, rest = f"[provider.{rest[0]}]", rest[1:]
    elif first in _ROWS and rest and isinstance(rest[0], int):
        table, rest = f"[[{first}]] {rest[0] + 1}", rest[1:]
    else:
        table = f"[[{first}]]" if first in _ROWS else f"[{first}]"
    words = [f"item {one + 1}" if isinstance(one, int) else str(one) for one in rest]
    return f"{table} {', '.join(words)}".strip()


# ---------------------------------------------------------------- from tables to the job


def _job(given: JobFile, format: Sections | Text, file: Path, faults: list[_Fault]) -> Job:
    generate = given.generate
    return Job(
        name=given.job.name,
        format=format,
        language=given.job.language,
        generate=None
        if generate is None
        else Generate(prompt=generate.prompt, model=_choice(generate, {})),
        draft_field=given.job.draft,
        id_field=given.job.id,
        validate=given.job.validate_,
        validator=_validator(given, faults),
        checks=tuple(Check(**_frozen(row)) for row in given.check),
        hardening=Hardening(**_frozen(given.hardening)),
        limits=JobLimits(**_frozen(given.limits)),
        mode=given.job.mode,
        patterns=tuple(file.parent / name for name in given.job.patterns),
        providers=given.provider,
        source=read_text(file).removeprefix("\ufeff"),
    )


def _validator(given: JobFile, faults: list[_Fault]) -> Validator | None:
    if given.validator is None:
        return None
    base = _NO_MODEL if given.generate is None else _said(given.generate)
    if given.generate is None and given.validator.model is None:
        faults.append(("[validator] model", _MISSING["model"]))
    return Validator(rules=tuple(given.validator.rules), model=_choice(given.validator, base))


def _choice(table: GenerateTable | ValidatorTable, base: Mapping[str, Any]) -> ModelChoice:
    return ModelChoice(**{**base, **_said(table)})


def _said(table: GenerateTable | ValidatorTable) -> dict[str, Any]:
    """What a table says of its model; what it leaves out is not in it."""
    return table.model_dump(include=_MODEL_KEYS, exclude_none=True)


def _frozen(table: BaseModel) -> dict[str, Any]:
    """A table as the arguments of what it describes, its lists as tuples."""
    return {
        key: tuple(cast("list[object]", value)) if isinstance(value, list) else value
        for key, value in table
    }
