"""The parts of a value, at whatever depth, and the same value with other parts."""

from __future__ import annotations

import copy
import dataclasses
from typing import TYPE_CHECKING, cast

from onlytext._model import complaints
from onlytext.errors import ParseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from _typeshed import DataclassInstance
    from pydantic import BaseModel


def parts_of(value: object) -> Mapping[object, object] | None:
    """The parts of a value by key, place or field; None for a value that is not looked into."""
    if isinstance(value, dict):
        return cast("dict[object, object]", value)
    if isinstance(value, list | tuple):
        return dict(enumerate(cast("Iterable[object]", value)))
    if isinstance(value, set | frozenset):
        return {part: part for part in cast("Iterable[object]", value)}
    return None if isinstance(value, type) else _fields_of(value)


def with_parts(value: object, changed: Mapping[object, object], path: str) -> object:
    """A value of the same kind with these parts in place of its own; `path` is for errors.

    Raises `ParseError` where a dataclass or pydantic model does not accept a part.
    """
    if isinstance(value, dict):
        made = copy.copy(cast("dict[object, object]", value))
        made.update(changed)
        return made
    if isinstance(value, list):
        items = copy.copy(cast("list[object]", value))
        for place, item in changed.items():
            items[cast("int", place)] = item
        return items
    if isinstance(value, tuple):
        row = cast("tuple[object, ...]", value)
        return _tuple_like(row, [changed.get(place, item) for place, item in enumerate(row)])
    if isinstance(value, set | frozenset):
        items_of_it = cast("set[object] | frozenset[object]", value)
        return type(items_of_it)([changed.get(item, item) for item in items_of_it])
    fields = cast("dict[str, object]", changed)
    return _model_with(value, fields, path)


def below(path: str, step: object) -> str:
    """The path of a part, such as `slides[2].body`."""
    if isinstance(step, str) and step.isidentifier():
        return f"{path}.{step}" if path else step
    return f"{path}[{step!r}]"


def _tuple_like(row: tuple[object, ...], items: list[object]) -> object:
    # A named tuple is made from its items one by one, any other from all of them.
    make: Callable[[Iterable[object]], object] = getattr(row, "_make", type(row))
    return make(items)


def _is_pydantic(value: object) -> bool:
    # By its looks: pydantic is not imported for those who do not use it.
    return hasattr(type(value), "__pydantic_fields__") and hasattr(value, "model_copy")


def _fields_of(value: object) -> Mapping[object, object] | None:
    if _is_pydantic(value):
        return _fields_of_pydantic(cast("BaseModel", value))
    if dataclasses.is_dataclass(value):
        # What the constructor does not take is the class's own affair.
        fields = [field for field in dataclasses.fields(value) if field.init]
        return {field.name: getattr(value, field.name) for field in fields}
    return None


def _fields_of_pydantic(model: BaseModel) -> dict[object, object]:
    names = type(model).model_fields
    fields: dict[object, object] = {
        name: part for name, part in vars(model).items() if name in names
    }
    fields.update(model.model_extra or {})
    return fields


def _model_with(value: object, changed: dict[str, object], path: str) -> object:
    where = path or type(value).__name__
    if _is_pydantic(value):
        return _pydantic_with(cast("BaseModel", value), changed, where)
    try:
        return dataclasses.replace(cast("DataclassInstance", value), **changed)
    except (ValueError, TypeError) as error:
        raise ParseError(tuple(row.sentence for row in complaints(error, where))) from error


def _pydantic_with(value: BaseModel, changed: dict[str, object], where: str) -> BaseModel:
    made = value.model_copy(update=changed)
    # What was worked out from the old strings and kept would bring them back.
    for name in vars(made).keys() - type(value).model_fields.keys():
        del vars(made)[name]
    faults: dict[str, None] = {}
    cause: ValueError | None = None
    for name, part in changed.items():
        try:
            # Only what changed, and on a copy: what the model makes of a value it has made already.
            type(value).__pydantic_validator__.validate_assignment(made.model_copy(), name, part)
        except ValueError as error:
            cause = error
            faults |= {
                row.sentence: None for row in complaints(error, where) if row.kind != "frozen_field"
            }
    if faults:
        raise ParseError(tuple(faults)) from cause
    return made
