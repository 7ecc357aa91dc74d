"""The tables of the page on the job file, made from the tables that a job file is read with.

After a change of these, `python -m tests.job_page` writes the page again.
"""

from __future__ import annotations

import re
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Union, get_args, get_origin

from onlytext.pipeline._jobtables import TABLES

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

PAGE: Final = Path(__file__).parent.parent / "docs" / "reference" / "job-file.md"
_PART: Final = re.compile(r"(?<=^## `)(.*?)(?=`$)", re.MULTILINE)
_TABLE: Final = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
_TYPES: Final[dict[Any, str]] = {
    str: "string",
    int: "whole number",
    float: "number",
    bool: "`true` or `false`",
    list[str]: "list of strings",
}


def page(text: str) -> str:
    """The page with its tables as they have to be."""
    parts = re.split(r"(?m)(?=^## )", text)
    return "".join(_part(part) for part in parts)


def _part(part: str) -> str:
    head = _PART.search(part)
    if head is None or head[0] not in TABLES:
        return part
    fresh = table(TABLES[head[0]])
    return _TABLE.sub(lambda _: fresh, part, count=1)


def table(model: type[BaseModel]) -> str:
    """The keys of a table of the job file, what each takes, and what it says."""
    rows = [
        f"| `{field.alias or name}` | {_kind(field.annotation)} | {_default(field)}"
        f"{field.description} |\n"
        for name, field in model.model_fields.items()
    ]
    return "| key | type | what it says |\n| --- | --- | --- |\n" + "".join(rows)


def _kind(annotation: Any) -> str:  # noqa: ANN401 - the type of a field
    if annotation in _TYPES:
        return _TYPES[annotation]
    if get_origin(annotation) is Literal:
        *others, last = (f'`"{one}"`' for one in get_args(annotation))
        return f"{', '.join(others)} or {last}"
    if get_origin(annotation) in {Union, types.UnionType}:
        (kind,) = (one for one in get_args(annotation) if one is not type(None))
        return _kind(kind)
    raise TypeError(annotation)


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "needed: "
    if field.default is None or field.default == []:
        return ""
    shown = {True: "true", False: "false"}.get(field.default, f'"{field.default}"')
    if not isinstance(field.default, bool) and isinstance(field.default, int | float):
        shown = f"{field.default:g}"
    return f"`{shown}` if left out: "


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), encoding="utf-8")
