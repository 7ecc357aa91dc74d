"""A format that is made from the fields of a dataclass or pydantic model."""

from __future__ import annotations

import dataclasses
from dataclasses import InitVar, dataclass, field
from typing import Annotated, Any, ClassVar

import pydantic
import pytest
from pydantic import BaseModel, RootModel
from typing_extensions import TypeAliasType

from onlytext._format import Marker, Sections
from onlytext._model import fields_of
from onlytext.errors import FormatError

Cover = TypeAliasType("Cover", Annotated[str, Marker("[COVER]")])


@dataclass
class Plain:
    kind: ClassVar[str] = "carousel"
    cover: Annotated[str, Marker("[COVER]")]
    slides: Annotated[list[str], Marker("[SLIDE {n}]", min=2, aliases=("[DIAPO {n}]",))]
    credit: Annotated[str | None, Marker("[CREDIT]")]
    caption: Annotated[str, Marker("[CAPTION]")] = ""
    tags: Annotated[list[str], Marker("[TAG {n}]")] = field(default_factory=list[str])
    id: str = "x"
    made: str = field(init=False, default="by hand")
    seed: InitVar[int] = 0


class Pydantic(BaseModel):
    cover: Annotated[str, Marker("[COVER]")]
    slides: Annotated[list[str], Marker("[SLIDE {n}]", min=2, aliases=("[DIAPO {n}]",))]
    credit: Annotated[str, Marker("[CREDIT]")] | None
    caption: Annotated[str, Marker("[CAPTION]"), pydantic.Field(max_length=9)] = ""
    tags: Annotated[list[str], Marker("[TAG {n}]"), pydantic.Field(default_factory=list)]
    id: str = "x"


@pydantic.dataclasses.dataclass
class PydanticDataclass:
    cover: Annotated[str, Marker("[COVER]")]
    slides: Annotated[list[str], Marker("[SLIDE {n}]", min=2, aliases=("[DIAPO {n}]",))]
    credit: Annotated[str | None, Marker("[CREDIT]")]
    caption: Annotated[str, Marker("[CAPTION]")] = pydantic.Field(default="", max_length=9)
    tags: Annotated[list[str], Marker("[TAG {n}]")] = pydantic.Field(default_factory=list)
    id: str = "x"


@pytest.mark.parametrize("model", [Plain, Pydantic, PydanticDataclass])
def test_the_fields_of_a_model_are_the_sections_in_order(model: type) -> None:
    assert Sections.from_model(model, start="[START]", end="[END]", notes="[NOTES]") == Sections(
        "[COVER]",
        Marker("[SLIDE {n}]", min=2, aliases=("[DIAPO {n}]",)),
        Marker("[CREDIT]", optional=True),
        Marker("[CAPTION]", optional=True),
        Marker("[TAG {n}]", optional=True),
        start="[START]",
        end="[END]",
        notes="[NOTES]",
    )


def test_a_marker_that_is_optional_already_stays_so() -> None:
    class Model(BaseModel):
        cover: Annotated[str, Marker("[COVER]", optional=True)]

    assert Sections.from_model(Model) == Sections(Marker("[COVER]", optional=True))


def test_a_marker_may_stand_in_a_name_for_a_type() -> None:
    class Model(BaseModel):
        cover: Cover
        back: Annotated[Cover | None, "shown last"] = None

    names = [(each.name, each.marker) for each in fields_of(Model) or ()]
    assert names == [("cover", Marker("[COVER]")), ("back", Marker("[COVER]"))]


def test_a_field_takes_any_type_that_the_model_can_make_of_its_text() -> None:
    class Model(BaseModel):
        minutes: Annotated[int, Marker("[MINUTES]")]
        steps: Annotated[dict[str, str], Marker("[STEP {n}]")]
        other: Annotated[int | str, Marker("[OTHER {n}]")]

    made = Sections.from_model(Model)
    assert made == Sections("[MINUTES]", "[STEP {n}]", "[OTHER {n}]")


def test_a_generic_model_is_a_model() -> None:
    kind: type = RootModel[list[str]]
    assert fields_of(kind) is not None


@pytest.mark.parametrize("other", [str, dict, object, Plain.__init__])
def test_whatever_is_no_model_is_refused(other: Any) -> None:  # noqa: ANN401 - anything
    with pytest.raises(TypeError, match="takes a dataclass or a pydantic model, not "):
        Sections.from_model(other)


def test_an_instance_of_a_model_is_not_the_model() -> None:
    instance: Any = Pydantic(cover="", slides=[], credit=None, tags=[])
    with pytest.raises(TypeError, match="takes a dataclass or a pydantic model, not Pydantic"):
        Sections.from_model(instance)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            [("cover", str)],
            'field cover of Made names no marker: write cover: Annotated[str, Marker("[COVER]")], ',
        ),
        (
            [("cover", Annotated[str, Marker("[A]"), Marker("[B]")])],
            "field cover of Made names 2 markers: name one, and give it the others as aliases",
        ),
        (
            [("cover", Annotated[list[str], Marker("[A]")])],
            "field cover takes a list, and [A] comes once: write cover: str, or put {n} into",
        ),
        (
            [("cover", Annotated[str, Marker("[A {n}]")])],
            "field cover takes one str, and [A {n}] may come more than once: write cover: list[s",
        ),
        (
            [("a", Annotated[str, Marker("[A]")]), ("b", Annotated[str, Marker("[a]")])],
            "marker '[A]' and marker '[a]' can't be told apart",
        ),
        ([("cover", str, "")], "a format of sections needs a marker"),
    ],
)
def test_a_model_that_is_no_format_is_told(fields: list[Any], said: str) -> None:
    with pytest.raises(FormatError) as caught:
        Sections.from_model(dataclasses.make_dataclass("Made", fields))
    assert str(caught.value).startswith(said)


def test_all_fields_without_a_marker_are_told_at_once() -> None:
    class Model(BaseModel):
        cover: str
        slides: list[str]
        caption: str = ""

    with pytest.raises(FormatError) as caught:
        Sections.from_model(Model)
    assert [fault.split(" of ")[0] for fault in str(caught.value).split("; ")] == [
        "field cover",
        "field slides",
    ]


def test_types_that_can_not_be_read_are_told() -> None:
    @dataclass
    class Model:
        cover: Nowhere  # type: ignore[name-defined]  # noqa: F821  # pyright: ignore[reportUndefinedVariable]

    with pytest.raises(FormatError, match=r"of the fields of Model can't be read \(name 'Nowhere"):
        Sections.from_model(Model)


def test_a_pydantic_model_with_types_that_are_not_defined_is_told() -> None:
    class Model(BaseModel):
        cover: Nowhere  # type: ignore[name-defined]  # noqa: F821  # pyright: ignore[reportUndefinedVariable]

    with pytest.raises(FormatError, match=r"Model can't be read \(some are not defined\)"):
        Sections.from_model(Model)


class Early(BaseModel):
    cover: Late


class Late(BaseModel):
    title: str = ""


def test_a_pydantic_model_may_name_types_that_are_defined_after_it() -> None:
    assert [each.name for each in fields_of(Early) or ()] == ["cover"]
