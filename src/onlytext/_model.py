"""The fields of a dataclass or pydantic model, and the markers that they name."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NamedTuple,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from onlytext._format import Marker
from onlytext.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pydantic import ValidationError
    from pydantic.fields import FieldInfo


class Field(NamedTuple):
    """One field that a model is made from."""

    name: str
    marker: Marker | None
    takes: Literal["one", "many", "any"]
    """A str, a list or the like, or what can't be told from its type."""
    container: type
    """What the bodies of numbered sections are put in."""
    item: type | None
    """The class of its value, for a list of the values in it; None where that can't be told."""
    required: bool
    nullable: bool


@lru_cache(maxsize=128)  # pure: a class never gets other fields
def fields_of(model: type) -> tuple[Field, ...] | None:
    """The fields that a dataclass or pydantic model is made from; None for any other class."""
    declared: dict[str, FieldInfo] | None = getattr(model, "__pydantic_fields__", None)
    if declared is not None:
        _complete(model)
        return tuple(
            # None, since a type can't be annotated with nothing.
            _field(
                model,
                name,
                Annotated[info.annotation, *info.metadata, None],
                required=info.is_required(),
            )
            for name, info in declared.items()
        )
    if not dataclasses.is_dataclass(model):
        return None
    hints = _hints(model)
    return tuple(
        _field(model, field.name, hints[field.name], required=_lacks_default(field))
        for field in dataclasses.fields(model)
        if field.init
    )


def markers_of(model: object) -> tuple[Marker, ...]:
    """The markers that the fields of a model name, in their order; all faults in one error."""
    if not isinstance(model, type) or (fields := fields_of(model)) is None:
        raise TypeError(f"from_model() takes a dataclass or a pydantic model, not {model!r}")
    faults = [fault for field in fields for fault in _faults(field, model)]
    if faults:
        raise FormatError("; ".join(faults))
    return tuple(
        dataclasses.replace(field.marker, optional=True)
        if field.nullable or not field.required
        else field.marker
        for field in fields
        if field.marker is not None
    )


class Complaint(NamedTuple):
    """What a model says against one of its values."""

    place: tuple[int | str, ...]
    """The field and the steps below it; empty where the model as a whole is meant."""
    kind: str
    sentence: str


def complaints(error: Exception, where: str) -> list[Complaint]:
    """What an error says that a dataclass or pydantic model raised; `where` names the model."""
    if not hasattr(error, "errors"):
        return [Complaint((), "", f"{where}: {error}")]
    rows = cast("ValidationError", error).errors(include_url=False, include_input=False)
    return [
        Complaint(row["loc"], row["type"], f"{where}{_path(row['loc'])}: {row['msg']}")
        for row in rows
    ]


def _path(steps: tuple[int | str, ...]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)


def misfit(field: Field, marker: Marker) -> str | None:
    """What is wrong with a field's type for the sections of a marker, if anything is."""
    if marker.numbered and field.takes == "one":
        return (
            f"field {field.name} takes one str, and {marker.template} may come more than once: "
            f"write {field.name}: list[str]"
        )
    if field.takes == "many" and not marker.numbered:
        return (
            f"field {field.name} takes a list, and {marker.template} comes once: "
            f"write {field.name}: str, or put {{n}} into the marker"
        )
    return None


def _faults(field: Field, model: type) -> Iterator[str]:
    if field.marker is None:
        if field.required:
            yield (
                f"field {field.name} of {model.__name__} names no marker: write "
                f'{field.name}: Annotated[str, Marker("[{field.name.upper()}]")], or give it a '
                f"default"
            )
    elif fault := misfit(field, field.marker):
        yield fault


def _complete(model: type) -> None:
    """Let pydantic look once more for types that were defined after the model that names them."""
    if getattr(model, "__pydantic_complete__", True):
        return
    rebuild: Callable[..., object] | None = getattr(model, "model_rebuild", None)
    if rebuild is None or not rebuild(raise_errors=False):
        raise _unreadable(model, "some are not defined")


def _unreadable(model: type, why: object) -> FormatError:
    return FormatError(
        f"the types of the fields of {model.__name__} can't be read ({why}): define or import "
        f"them at the top of its module"
    )


def _hints(model: type) -> dict[str, object]:
    try:
        return get_type_hints(model, include_extras=True)
    except (NameError, TypeError, SyntaxError) as error:
        raise _unreadable(model, error) from error


def _lacks_default(field: dataclasses.Field[object]) -> bool:
    missing = dataclasses.MISSING
    return field.default is missing and field.default_factory is missing


def _field(model: type, name: str, annotation: object, *, required: bool) -> Field:
    kinds, markers = _taken_apart(annotation)
    if len(markers) > 1:
        raise FormatError(
            f"field {name} of {model.__name__} names {len(markers)} markers: name one, and give "
            f"it the others as aliases"
        )
    nullable = type(None) in kinds
    kinds = [kind for kind in kinds if kind is not type(None)]
    marker = markers[0] if markers else None
    if len(kinds) != 1:
        return Field(name, marker, "any", list, None, required, nullable)
    [kind] = kinds
    origin = get_origin(kind) or kind
    if not isinstance(origin, type):
        return Field(name, marker, "any", list, None, required, nullable)
    if issubclass(origin, Iterable) and not issubclass(origin, str | bytes | Mapping):
        container = origin if origin in (tuple, set, frozenset) else list
        item = _class(next(iter(get_args(kind)), None))
        return Field(name, marker, "many", container, item, required, nullable)
    if issubclass(origin, str):
        return Field(name, marker, "one", list, origin, required, nullable)
    return Field(name, marker, "any", list, _class(kind), required, nullable)


def _class(kind: object) -> type | None:
    """The kind, where it is a class that a value can be asked about."""
    if not isinstance(kind, type) or kind is Any or getattr(kind, "_is_protocol", False):
        return None
    return kind


def _taken_apart(annotation: object) -> tuple[list[object], list[Marker]]:
    """The types that an annotation allows, and the markers in it."""
    origin = get_origin(annotation)
    if origin is Annotated:
        kind, *extras = cast("tuple[object, ...]", get_args(annotation))
        kinds, markers = _taken_apart(kind)
        return kinds, markers + [extra for extra in extras if isinstance(extra, Marker)]
    if origin is Union or origin is types.UnionType:
        parts = [_taken_apart(part) for part in get_args(annotation)]
        return [kind for part in parts for kind in part[0]], [m for part in parts for m in part[1]]
    # `type Cover = Annotated[str, Marker("[COVER]")]`
    meant: object = getattr(annotation, "__value__", None)
    return ([annotation], []) if meant is None else _taken_apart(meant)
