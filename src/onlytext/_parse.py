"""From a cleaned text to a record, or to a model of your own."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast, overload

from onlytext._fill import arguments, plan_of
from onlytext._model import complaints, fields_of
from onlytext._record import Record, gather
from onlytext._reply import Clean
from onlytext.errors import ParseError

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


@overload
def parse(cleaned: Clean, into: None = None) -> Record: ...
@overload
def parse(cleaned: Clean, into: type[T]) -> T: ...
@overload
def parse(cleaned: Clean, into: Callable[[Record], T]) -> T: ...
def parse(cleaned: Clean, into: object = None) -> object:
    """The record of a cleaned text, or what `into` makes of it.

    A dataclass or pydantic model gets each section in the field that names its marker
    (`cover: Annotated[str, Marker("[COVER]")]`) or that is called like it (`cover`, `slides` for
    `[SLIDE {n}]`), and plain text in the field `text` or its only one of type str. Any other
    class or function is called with the record: `parse(cleaned, into=dict)`.

    Raises `ParseError` with every fault at once: sections that the format requires and the text
    lacks, numbers that are missing or come twice, fields that nothing can fill, and what the
    model itself refuses.
    """
    _check(cleaned, into)
    record, faults = gather(cleaned)
    if isinstance(into, type) and fields_of(into) is not None:
        given, misfits = arguments(plan_of(into, cleaned.format), record)
        return _make(into, given, (*faults, *misfits))
    if faults:
        raise ParseError(faults)
    return record if into is None else cast("Callable[[Record], object]", into)(record)


def _check(cleaned: object, into: object) -> None:
    if type(cleaned) is not Clean:
        raise TypeError(
            f"parse() takes what clean() gives, not {type(cleaned).__name__}: "
            f"write parse(clean(reply, format))"
        )
    if into is not None and not callable(into):
        raise TypeError(f"into is a class or a function, not {into!r}")


def _make(model: type, given: dict[str, object], faults: tuple[str, ...]) -> object:
    """The model with these arguments, or an error with these faults and the model's own."""
    # A plain dataclass is not even tried with arguments missing; pydantic says what else is wrong.
    is_pydantic = hasattr(model, "__pydantic_fields__")
    if faults and not is_pydantic:
        raise ParseError(faults)
    validate: Callable[..., object] | None = getattr(model, "model_validate", None)
    try:
        # Aliases are for other people's data: here a field goes by its own name.
        made = validate(given, by_alias=False, by_name=True) if validate else model(**given)
    except ValueError as error:
        own = [
            complaint.sentence
            for complaint in complaints(error, model.__name__)
            # Why a field got nothing stands among the other faults already.
            if not (faults and complaint.kind == "missing" and len(complaint.place) == 1)
        ]
        raise ParseError((*faults, *own)) from error
    if faults:
        raise ParseError(faults)
    return made
