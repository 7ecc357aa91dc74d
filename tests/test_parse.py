"""From a cleaned text to a model or whatever else, and all that is said when it can't be."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, NewType, Protocol

import pydantic
import pytest
from pydantic import BaseModel, ConfigDict
from pydantic import Field as PydanticField
from tests.made import CAROUSEL, SHORT, WHOLE, clean_sections, clean_text, faults_of

from onlytext._format import Marker, Sections
from onlytext._parse import parse
from onlytext._reply import Clean
from onlytext.errors import OnlytextError, ParseError

if TYPE_CHECKING:
    from onlytext._record import Record


def filled(cleaned: Clean, fields: Sequence[tuple[str, object]]) -> dict[str, object]:
    """The fields of a dataclass of these names and types that was made from a text."""
    given: list[Any] = list(fields)
    model: Any = dataclasses.make_dataclass("Made", given)
    made: object = parse(cleaned, model)
    return {name: getattr(made, name) for name, _ in fields}


# ---------------------------------------------------------------- only a Clean goes in


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ("[COVER]\nBread", "str"),
        (WHOLE.text, "str"),
        (b"", "bytes"),
        ({"[COVER]": "Bread"}, "dict"),
        (None, "NoneType"),
        (parse(WHOLE), "Record"),
    ],
    ids=["reply", "text", "bytes", "dict", "none", "record"],
)
def test_whatever_did_not_come_from_clean_is_refused_with_what_to_write(
    given: object, kind: str
) -> None:
    wrong: Any = given
    with pytest.raises(TypeError) as caught:
        parse(wrong)
    said = f"parse() takes what clean() gives, not {kind}: write parse(clean(reply, format))"
    assert str(caught.value) == said


def test_a_clean_is_not_made_and_not_inherited_from() -> None:
    make: Any = Clean
    with pytest.raises(OnlytextError, match=r"write clean\(reply, format\)"):
        make("[COVER]\nBread")
    with pytest.raises(OnlytextError, match="no subclasses"):
        type("Mine", (Clean,), {})


def test_what_can_not_be_called_is_refused() -> None:
    into: Any = "Carousel"
    with pytest.raises(TypeError, match="into is a class or a function, not 'Carousel'"):
        parse(WHOLE, into)


# ---------------------------------------------------------------- into what can be called


def test_a_function_gets_the_record() -> None:
    assert parse(WHOLE, lambda record: record.one("[COVER]").upper()) == "BREAD"
    assert parse(clean_text("Bread"), lambda record: record.text) == "Bread"


def test_a_dict_is_made_from_the_record() -> None:
    into: Any = dict
    made: object = parse(WHOLE, into)
    assert type(made) is dict
    assert made == parse(WHOLE, dict[str, str | list[str]]) == parse(WHOLE).to_dict()
    assert parse(clean_text("Bread"), into) == {"text": "Bread"}


def test_a_function_is_not_called_with_a_faulty_record() -> None:
    cleaned = clean_sections(CAROUSEL, ("[COVER]", "Bread"))
    assert faults_of(cleaned, pytest.fail) == ["[SLIDE 1] is missing"]


def test_what_a_function_raises_is_its_own() -> None:
    def refuse(_: Record) -> None:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        parse(WHOLE, refuse)


# ---------------------------------------------------------------- into a dataclass or a model


@dataclass(frozen=True)
class ByMarker:
    title: Annotated[str, Marker("[COVER]")]
    parts: Annotated[tuple[str, ...], Marker("[SLIDE {n}]")]
    last: Annotated[str | None, Marker("[CAPTION]")]


@dataclass
class ByName:
    cover: str
    slides: list[str]
    caption: str = "none"
    id: str = "x"


class Model(BaseModel):
    cover: str
    slides: Annotated[list[str], Marker("[SLIDE {n}]")]
    caption: str | None = None


class Aliased(BaseModel):
    model_config = ConfigDict(strict=True)
    title: Annotated[str, Marker("[Cover]"), PydanticField(alias="the_title")]
    slide: Annotated[tuple[str, ...], PydanticField(alias="the_slides")]
    caption: Annotated[str, Marker("[CAPTION]")] | None


@pydantic.dataclasses.dataclass
class Dataclass:
    cover: str
    slides: frozenset[str]
    caption: str = PydanticField(default="none")


def test_fields_take_the_sections_of_the_markers_that_they_name() -> None:
    assert parse(WHOLE, ByMarker) == ByMarker("Bread", ("Flour", "Water"), "Warm")
    assert parse(SHORT, ByMarker) == ByMarker("Bread", ("Flour",), None)


def test_fields_take_the_sections_of_the_markers_that_they_are_called_like() -> None:
    assert parse(WHOLE, ByName) == ByName("Bread", ["Flour", "Water"], "Warm")
    assert parse(SHORT, ByName) == ByName("Bread", ["Flour"])


def test_a_pydantic_model_is_made_and_checked_by_pydantic() -> None:
    made = parse(WHOLE, Model)
    assert made == Model(cover="Bread", slides=["Flour", "Water"], caption="Warm")
    assert parse(SHORT, Model).caption is None


def test_pydantic_aliases_and_strictness_are_no_obstacle() -> None:
    made = parse(SHORT, Aliased)
    assert (made.title, made.slide, made.caption) == ("Bread", ("Flour",), None)


def test_a_pydantic_dataclass_is_made_too() -> None:
    made = parse(SHORT, Dataclass)
    assert (made.cover, made.slides, made.caption) == ("Bread", frozenset({"Flour"}), "none")


def test_pydantic_turns_text_into_the_type_of_the_field() -> None:
    class Recipe(BaseModel):
        minutes: int
        grams: list[float]

    shape = Sections("MINUTES:", "GRAM {n}:")
    cleaned = clean_sections(shape, ("MINUTES:", "25"), ("GRAM 1:", "2.5"))
    assert parse(cleaned, Recipe) == Recipe(minutes=25, grams=[2.5])


NAMES = [
    ("[COVER]", "cover"),
    ("[IMAGE PROMPT {n}]", "image_prompts"),
    ("[IMAGE PROMPT {n}]", "image_prompt"),
    ("[BOX {n}]", "boxes"),
    ("[LEGENDE]", "légende"),
    ("[LÉGENDE]", "legende"),
    ("1) RISK", "risk"),
    ("Q{n}.", "q"),
    ("DIAPO {n} – TITRE", "diapo_titre"),
    ("## Small print", "SmallPrint"),
    ("第{n}页", "第页"),
    ("[ЗАГОЛОВОК]", "заголовок"),
]


@pytest.mark.parametrize(("template", "name"), NAMES)
def test_a_field_is_called_like_its_marker(template: str, name: str) -> None:
    numbered = "{n}" in template
    cleaned = clean_sections(Sections(template), (Marker(template).at(1), "a"))
    made = filled(cleaned, [(name, list[str] if numbered else str)])
    assert made == {name: ["a"] if numbered else "a"}


def test_a_field_may_be_called_like_an_alias_of_its_marker_and_name_one() -> None:
    shape = Sections(Marker("[COVER]", aliases=("[COUVERTURE]",)), Marker("[A]", aliases=("[B]",)))
    cleaned = clean_sections(shape, ("[COVER]", "x"), ("[A]", "y"))

    fields = [("couverture", str), ("last", Annotated[str, Marker("[b]")])]
    assert filled(cleaned, fields) == {"couverture": "x", "last": "y"}


def test_the_name_that_is_meant_exactly_goes_before_a_plural() -> None:
    shape = Sections("[SLIDE {n}]", Marker("[SLIDES]", optional=True))

    @dataclass
    class Two:
        slide: list[str]
        slides: str

    cleaned = clean_sections(shape, ("[SLIDE 1]", "a"), ("[SLIDES]", "b"))
    assert parse(cleaned, Two) == Two(["a"], "b")


def test_a_required_list_without_sections_is_empty() -> None:
    shape = Sections("[A]", Marker("[B {n}]", optional=True))

    @dataclass
    class Lists:
        a: str
        b: set[str]

    assert parse(clean_sections(shape, ("[A]", "a")), Lists) == Lists("a", set())


def test_a_model_from_which_a_format_was_made_is_made_from_its_texts() -> None:
    shape = Sections.from_model(ByMarker, end="[END]")
    cleaned = clean_sections(shape, ("[COVER]", "Bread"), ("[SLIDE 1]", "Flour"))
    assert parse(cleaned, ByMarker) == ByMarker("Bread", ("Flour",), None)


# ---------------------------------------------------------------- what a model can't be made from


@dataclass
class Needs:
    cover: str
    slides: list[str]
    caption: str


class Checks(BaseModel):
    cover: Annotated[str, PydanticField(max_length=3)]
    slides: list[Annotated[str, PydanticField(max_length=3)]]
    caption: str


def test_a_required_field_whose_optional_section_is_missing_is_told() -> None:
    said = "[CAPTION] is missing, and field caption of Needs needs it: give the field a default"
    [fault] = faults_of(SHORT, Needs)
    assert fault.startswith(said)


def test_a_section_that_the_format_requires_is_told_once() -> None:
    cleaned = clean_sections(CAROUSEL, ("[SLIDE 1]", "Fla"), ("[CAPTION]", ""))
    assert faults_of(cleaned, Needs) == ["[COVER] is missing"]
    assert faults_of(cleaned, Checks) == ["[COVER] is missing"]


def test_what_pydantic_says_is_told_with_the_field_and_all_else() -> None:
    cleaned = clean_sections(CAROUSEL, ("[COVER]", "Bread"), ("[SLIDE 2]", "Flour"))
    assert faults_of(cleaned, Checks) == [
        "[SLIDE 1] is missing",
        (
            "[CAPTION] is missing, and field caption of Checks needs it: give the field a "
            "default, or ask for the section"
        ),
        "Checks.cover: String should have at most 3 characters",
        "Checks.slides[0]: String should have at most 3 characters",
    ]
    with pytest.raises(ParseError) as caught:
        parse(cleaned, Checks)
    assert isinstance(caught.value.__cause__, pydantic.ValidationError)


def test_faults_of_the_text_are_told_where_pydantic_has_none() -> None:
    cleaned = clean_sections(CAROUSEL, ("[COVER]", "Bread"), ("[SLIDE 2]", "Flour"))
    assert faults_of(cleaned, Model) == ["[SLIDE 1] is missing"]


def test_what_a_dataclass_raises_against_a_value_is_told() -> None:
    @dataclass
    class Strict:
        cover: str
        slides: list[str]

        def __post_init__(self) -> None:
            raise ValueError("no bread today")

    assert faults_of(SHORT, Strict) == ["Strict: no bread today"]


def test_a_field_without_a_marker_is_told_with_what_to_write() -> None:
    @dataclass
    class Other:
        cover: str
        slides: list[str]
        legend: str
        extra: str = ""

    [fault] = faults_of(SHORT, Other)
    assert fault == (
        "field legend is called like no marker of the format ([COVER], [SLIDE {n}], [CAPTION]): "
        'name the one that it takes, as in legend: Annotated[..., Marker("[COVER]")], or give the '
        "field a default"
    )


def test_content_that_no_field_takes_is_told_and_never_lost() -> None:
    @dataclass
    class Cover:
        cover: str

    assert faults_of(WHOLE, Cover) == [
        f"no field of Cover takes {marker}: add one, or parse into a function that leaves it out"
        for marker in ("[SLIDE {n}]", "[CAPTION]")
    ]
    assert len(faults_of(SHORT, Cover)) == 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            [("cover", str), ("slides", str)],
            "field slides takes one str, and [SLIDE {n}] may come more than once: write slides: li",
        ),
        (
            [("cover", list[str]), ("slides", list[str])],
            "field cover takes a list, and [COVER] comes once: write cover: str, or put {n} into",
        ),
        (
            [("cover", int), ("slides", list[str])],
            "field cover gets text, and a plain dataclass does not turn it into int: make it str,",
        ),
        (
            [("cover", str), ("slides", list[float])],
            "field slides gets text, and a plain dataclass does not turn it into float",
        ),
        (
            [("cover", Annotated[str, Marker("[KOVER]")]), ("slides", list[str])],
            "field cover names [KOVER], and the format has only [COVER], [SLIDE {n}], [CAPTION]",
        ),
        (
            [("cover", str), ("slide", list[str]), ("slides", list[str])],
            "fields slide and slides both take [SLIDE {n}]: keep one",
        ),
    ],
)
def test_a_field_that_does_not_fit_its_marker_is_told(
    fields: list[tuple[str, Any]], said: str
) -> None:
    told = faults_of(SHORT, dataclasses.make_dataclass("Made", fields))
    assert told[0].startswith(said)


def test_a_field_that_could_mean_two_markers_is_told() -> None:
    shape = Sections("[SLIDE {n}]", "SLIDE:")
    cleaned = clean_sections(shape, ("[SLIDE 1]", "a"), ("SLIDE:", "b"))
    [fault, *_] = faults_of(cleaned, dataclasses.make_dataclass("Made", [("slide", str)]))
    assert fault == (
        "field slide could mean any of [SLIDE {n}], SLIDE:: name one, as in "
        'slide: Annotated[..., Marker("[SLIDE {n}]")]'
    )


class Colour(Enum):
    RED = "red"


class Loud(Protocol):
    def upper(self) -> str: ...


Title = NewType("Title", str)


@pytest.mark.parametrize("kind", [Any, object, Title, Loud, str | int, str | None])
def test_a_dataclass_field_that_text_may_be_takes_it(kind: object) -> None:
    assert filled(clean_sections(Sections("[A]"), ("[A]", "x")), [("a", kind)]) == {"a": "x"}


@pytest.mark.parametrize("kind", [int, bytes, Colour, dict, Mapping])
def test_a_dataclass_field_that_text_is_not_is_told(kind: type) -> None:
    cleaned = clean_sections(Sections("[A]"), ("[A]", "x"))
    [fault] = faults_of(cleaned, dataclasses.make_dataclass("Made", [("a", kind)]))
    assert f"does not turn it into {kind.__name__}" in fault


def test_a_dataclass_that_converts_its_values_may_take_text_anywhere() -> None:
    @dataclass
    class Converts:
        a: int
        b: list[int] = field(default_factory=list[int])

        def __post_init__(self) -> None:
            self.a = int(self.a)

    assert parse(clean_sections(Sections("[A]"), ("[A]", "7")), Converts) == Converts(7)


LISTS = [list, tuple, Iterable[str], Sequence[str] | None, list[Any], Annotated[list[str], 1]]


@pytest.mark.parametrize("kind", LISTS)
def test_any_kind_of_list_takes_numbered_sections(kind: object) -> None:
    cleaned = clean_sections(Sections("[A {n}]"), ("[A 1]", "x"), ("[A 2]", "y"))
    made = filled(cleaned, [("a", kind)])
    assert made in ({"a": ["x", "y"]}, {"a": ("x", "y")})


# ---------------------------------------------------------------- plain text into a model

PLAIN = clean_text("Bread is warm.\n")


@dataclass
class OnlyOne:
    body: str
    count: int = 0
    tags: list[str] = field(default_factory=list[str])


@dataclass
class CalledText:
    title: str = ""
    text: str = ""


@dataclass
class OneNeeded:
    body: str
    title: str = ""


def test_plain_text_goes_into_the_field_called_text_or_the_only_string() -> None:
    assert parse(PLAIN, OnlyOne) == OnlyOne("Bread is warm.")
    assert parse(PLAIN, CalledText) == CalledText(text="Bread is warm.")
    assert parse(PLAIN, OneNeeded) == OneNeeded("Bread is warm.")


def test_plain_text_goes_into_a_pydantic_model() -> None:
    class Post(BaseModel):
        text: Annotated[str, PydanticField(max_length=20)]

    assert parse(PLAIN, Post) == Post(text="Bread is warm.")
    assert faults_of(clean_text("Bread is warm and soft."), Post) == [
        "Post.text: String should have at most 20 characters"
    ]


@pytest.mark.parametrize(
    ("fields", "faults"),
    [
        (
            [("a", str), ("b", str)],
            ["Made has no field for plain text: call one text, or have only one of type str with"],
        ),
        ([("a", int)], ["Made has no field for plain text"]),
        ([], ["Made has no field for plain text"]),
        ([("text", str), ("b", str)], ["field b gets nothing from plain text: give it a default"]),
        (
            [("text", str), ("b", Annotated[str, Marker("[B]")])],
            ["field b names [B], and plain text has no markers"],
        ),
        ([("text", list[str])], ["field text takes a list, and text comes once: write text: str"]),
        ([("text", int)], ["field text gets text, and a plain dataclass does not turn it into in"]),
    ],
)
def test_a_model_that_plain_text_does_not_fit_is_told(
    fields: list[tuple[str, Any]], faults: list[str]
) -> None:
    told = faults_of(PLAIN, dataclasses.make_dataclass("Made", fields))
    assert [fault[: len(faults[place])] for place, fault in enumerate(told)] == faults
