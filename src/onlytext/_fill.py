"""Which field of a model takes which sections of a format."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext._fold import fold
from onlytext._format import Marker, Sections
from onlytext._model import Field, fields_of, misfit
from onlytext._record import TEXT
from onlytext._spelling import NUMBER, key_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from onlytext._format import Text
    from onlytext._record import Record

# A list is called in the plural, and its marker in the singular; other plurals name their marker.
_PLURALS: Final = ("s", "es")


class Filled(NamedTuple):
    """A field, and the key of the record that fills it."""

    field: Field
    key: str
    told: bool
    """Whether the format itself asks for it, and so tells when it is missing."""


class Plan(NamedTuple):
    """How a model is filled from the records of one format, and why it can't be."""

    model: str
    filled: tuple[Filled, ...]
    unused: tuple[str, ...]
    """The keys that no field takes."""
    faults: tuple[str, ...]


@lru_cache(maxsize=128)  # pure: the same for the same model and format, always
def plan_of(model: type, shape: Sections | Text) -> Plan:
    """How a dataclass or pydantic model is filled from the records of a format."""
    fields = fields_of(model) or ()
    if isinstance(shape, Sections):
        return _plan_of_sections(model, fields, shape.markers)
    return _plan_of_text(model, fields)


def arguments(plan: Plan, record: Record) -> tuple[dict[str, object], tuple[str, ...]]:
    """What the fields of a model get from a record, and a sentence for each that gets nothing."""
    given: dict[str, object] = {}
    faults = list(plan.faults)
    for field, key, told in plan.filled:
        if key in record:
            value = record[key]
            given[field.name] = field.container(value) if isinstance(value, list) else value
        elif field.required and field.nullable:
            given[field.name] = None
        elif field.required and field.takes == "many":
            given[field.name] = field.container()
        elif field.required and not told:
            faults.append(
                f"{key} is missing, and field {field.name} of {plan.model} needs it: give the "
                f"field a default, or ask for the section"
            )
    faults += [
        f"no field of {plan.model} takes {key}: add one, or parse into a function that leaves "
        f"it out"
        for key in plan.unused
        if key in record
    ]
    return given, tuple(faults)


def _plan_of_sections(model: type, fields: tuple[Field, ...], markers: tuple[Marker, ...]) -> Plan:
    filled: list[Filled] = []
    faults: list[str] = []
    takers: dict[str, str] = {}
    for field in fields:
        found = _found(field, markers)
        if len(found) != 1:
            faults += _unfilled(field, found, markers)
            continue
        [marker] = found
        key = marker.template
        if key in takers:
            faults.append(f"fields {takers[key]} and {field.name} both take {key}: keep one")
        takers[key] = field.name
        fault = misfit(field, marker) or _unconverted(field, model)
        if fault:
            faults.append(fault)
        else:
            filled.append(Filled(field, key, not marker.optional))
    unused = tuple(marker.template for marker in markers if marker.template not in takers)
    return Plan(model.__name__, tuple(filled), unused, tuple(faults))


def _found(field: Field, markers: tuple[Marker, ...]) -> list[Marker]:
    """The markers that a field may mean."""
    if field.marker is not None:
        key = key_of(field.marker.template)
        return [marker for marker in markers if key in map(key_of, marker.spellings)]
    name = _letters(field.name)
    alike = [marker for marker in markers if name in _names(marker)]
    return alike or [
        marker
        for marker in markers
        if marker.numbered
        and any(singular + end == name for singular in _names(marker) for end in _PLURALS)
    ]


def _names(marker: Marker) -> list[str]:
    """What a field for a marker may be called, in letters and digits: `slide` for `[SLIDE {n}]`."""
    names = (_letters(spelling.replace(NUMBER, "")) for spelling in marker.spellings)
    # No field's name can start with a digit: `1) RISK` is `risk`.
    return [name.lstrip("0123456789") for name in names]


def _letters(spelling: str) -> str:
    return "".join(char for char in fold(spelling) if char.isalnum())


def _unfilled(field: Field, found: list[Marker], markers: tuple[Marker, ...]) -> Iterator[str]:
    named = ", ".join(marker.template for marker in found or markers)
    example = f'{field.name}: Annotated[..., Marker("{(found or markers)[0].template}")]'
    if found:
        yield f"field {field.name} could mean any of {named}: name one, as in {example}"
    elif field.marker is not None:
        template = field.marker.template
        yield f"field {field.name} names {template}, and the format has only {named}"
    elif field.required:
        yield (
            f"field {field.name} is called like no marker of the format ({named}): name the one "
            f"that it takes, as in {example}, or give the field a default"
        )


def _unconverted(field: Field, model: type) -> str | None:
    """Why a plain dataclass would hold text where it says it holds something else."""
    converts = hasattr(model, "__pydantic_fields__") or hasattr(model, "__post_init__")
    if converts or field.item is None or issubclass(str, field.item):
        return None
    return (
        f"field {field.name} gets text, and a plain dataclass does not turn it into "
        f"{field.item.__name__}: make it str, or {model.__name__} a pydantic model"
    )


def _plan_of_text(model: type, fields: tuple[Field, ...]) -> Plan:
    field = _text_field(fields)
    faults = list(_text_faults(field, fields, model.__name__))
    if field is not None:
        faults += filter(None, (misfit(field, Marker(TEXT)) or _unconverted(field, model),))
    filled = () if field is None else (Filled(field, TEXT, told=True),)
    return Plan(model.__name__, filled, (), tuple(faults))


def _text_field(fields: tuple[Field, ...]) -> Field | None:
    """The field called text, or the only one of type str, or the only one of these to be filled."""
    strings = [field for field in fields if field.takes == "one"]
    named = [field for field in fields if field.name == TEXT]
    for some in (named, strings, [field for field in strings if field.required]):
        if len(some) == 1:
            return some[0]
    return None


def _text_faults(chosen: Field | None, fields: tuple[Field, ...], model: str) -> Iterator[str]:
    if chosen is None:
        yield (
            f"{model} has no field for plain text: call one text, or have only one of type str "
            f"without a default"
        )
    for field in fields:
        if field.marker is not None:
            yield f"field {field.name} names {field.marker.template}, and plain text has no markers"
        elif chosen is not None and field.required and field is not chosen:
            yield f"field {field.name} gets nothing from plain text: give it a default"
