"""The strings inside a value, each cleaned as plain text."""

from __future__ import annotations

import collections
import dataclasses
from dataclasses import InitVar, dataclass, field
from enum import Enum, StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, cast

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, RootModel

from onlytext._clean import clean
from onlytext._fields import CleanFields, FieldDoubt, FieldRemoval, clean_fields
from onlytext._patterns import builtin
from onlytext._reply import Clean, Doubt, Piece, make_clean
from onlytext.errors import NoContent, OnlytextError, ParseError

if TYPE_CHECKING:
    from onlytext._format import Text

TEXT = "Bread is warm."
THOUGHT = "<think>Is it short enough? It is.</think>\n\n"
LEAK = THOUGHT + TEXT


class Slide(BaseModel):
    title: str
    body: str = ""


class Carousel(BaseModel):
    cover: str
    slides: list[Slide] = []
    meta: dict[str, Any] = {}


@dataclass(frozen=True)
class Frozen:
    cover: str
    slides: tuple[str, ...] = ()
    made: str = field(init=False, default=LEAK)


@dataclass(slots=True)
class Slotted:
    cover: str


@pydantic.dataclasses.dataclass(frozen=True)
class Checked:
    cover: Annotated[str, pydantic.Field(min_length=20)]


class Pair(NamedTuple):
    question: str
    answer: str


class Row(tuple[str, ...]):
    __slots__ = ()


class Mood(StrEnum):
    THINKING = LEAK


class Level(Enum):
    HIGH = LEAK


class Loud(str):
    __slots__ = ()


def paths(cleaned: CleanFields[Any]) -> list[str]:
    return [each.path for each in cleaned.removals]


# ---------------------------------------------------------------- what it looks into


@pytest.mark.parametrize(
    ("value", "cleaned", "path"),
    [
        (LEAK, TEXT, ""),
        ({"a": LEAK}, {"a": TEXT}, "a"),
        ({"image prompt": [LEAK]}, {"image prompt": [TEXT]}, "['image prompt'][0]"),
        ({3: {LEAK: LEAK}}, {3: {LEAK: TEXT}}, f"[3][{LEAK!r}]"),
        ([1, None, LEAK], [1, None, TEXT], "[2]"),
        ((TEXT, LEAK), (TEXT, TEXT), "[1]"),
        ({LEAK}, {TEXT}, f"[{LEAK!r}]"),
        (frozenset({LEAK}), frozenset({TEXT}), f"[{LEAK!r}]"),
        (Pair("Warm?", LEAK), Pair("Warm?", TEXT), "[1]"),
        (Row([LEAK]), Row([TEXT]), "[0]"),
        (Frozen(LEAK), Frozen(TEXT), "cover"),
        (Frozen("x", ("y", LEAK)), Frozen("x", ("y", TEXT)), "slides[1]"),
        (Slotted(LEAK), Slotted(TEXT), "cover"),
        (Slide(title=LEAK), Slide(title=TEXT), "title"),
        (
            Carousel(cover="x", slides=[Slide(title="a"), Slide(title="b", body=LEAK)]),
            Carousel(cover="x", slides=[Slide(title="a"), Slide(title="b", body=TEXT)]),
            "slides[1].body",
        ),
        (
            Carousel(cover="x", meta={"deep": [Frozen(LEAK)]}),
            Carousel(cover="x", meta={"deep": [Frozen(TEXT)]}),
            "meta.deep[0].cover",
        ),
        (RootModel[list[str]]([LEAK]), RootModel[list[str]]([TEXT]), "root[0]"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_every_string_is_cleaned_and_the_shape_stays(
    value: object, cleaned: object, path: str
) -> None:
    made = clean_fields(value)
    assert made.value == cleaned
    assert type(made.value) is type(cleaned)
    assert made.outcome == "cleaned"
    assert paths(made) == [path]
    assert THOUGHT.strip() in made.removals[0].removal.text


def test_a_value_is_not_changed_in_place() -> None:
    value = {"a": [LEAK], "b": Slotted(LEAK), "c": Slide(title=LEAK)}
    made = clean_fields(value)
    assert made.value == {"a": [TEXT], "b": Slotted(TEXT), "c": Slide(title=TEXT)}
    assert value == {"a": [LEAK], "b": Slotted(LEAK), "c": Slide(title=LEAK)}


def test_special_dicts_and_lists_keep_their_kind() -> None:
    counted = collections.defaultdict(list, {"a": [LEAK]})
    made = clean_fields(counted).value
    assert type(made) is collections.defaultdict
    assert made["new"] == []
    pairs = [("a", TEXT), ("b", LEAK), ("c", TEXT)]
    ordered = clean_fields(collections.OrderedDict(pairs)).value
    assert type(ordered) is collections.OrderedDict
    assert list(ordered.items()) == [("a", TEXT), ("b", TEXT), ("c", TEXT)]


def test_what_is_no_text_is_left_alone() -> None:
    class Unknown:
        text = LEAK

    value = {
        "enum": [Mood.THINKING, Level.HIGH],
        "bytes": LEAK.encode(),
        "class": [Slide, Frozen, Unknown],
        "object": Unknown(),
        "numbers": (1, 2.5, True, None),
        "blank": ["", " \n"],
    }
    made = clean_fields(value)
    assert made.value is value
    assert (made.outcome, made.removals, made.doubts) == ("untouched", (), ())


def test_a_string_of_another_class_becomes_a_plain_one_only_where_it_changes() -> None:
    value = [Loud(TEXT), Loud(LEAK)]
    made = clean_fields(value).value
    assert [type(each) for each in made] == [Loud, str]
    assert made == [TEXT, TEXT]


@pytest.mark.parametrize("value", [None, 3, 2.5, True, "", TEXT, [], {}, set[str]()], ids=repr)
def test_a_value_without_a_leak_comes_back_itself(value: object) -> None:
    assert clean_fields(value).value is value


WORDS = st.from_regex(r"[A-Z][a-z]{2,9}( [a-z]{2,9}){3,6}\.", fullmatch=True)
VALUES = st.recursive(
    WORDS | st.integers() | st.none() | st.just(""),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


def leaking(value: object) -> object:
    """The same value, with reasoning before each of its texts."""
    if isinstance(value, dict):
        return {key: leaking(part) for key, part in cast("dict[str, object]", value).items()}
    if isinstance(value, list):
        return [leaking(part) for part in cast("list[object]", value)]
    return THOUGHT + value if isinstance(value, str) and value else value


@given(value=VALUES)
def test_a_value_of_any_shape_without_a_leak_is_untouched(value: object) -> None:
    made = clean_fields(value)
    assert made.value is value
    assert made.outcome == "untouched"


@given(value=VALUES)
def test_a_value_of_any_shape_comes_back_without_its_leaks(value: object) -> None:
    made = clean_fields(leaking(value))
    assert made.value == value
    assert clean_fields(made.value).outcome == "untouched"


# ---------------------------------------------------------------- the draft


def drafts_seen(monkeypatch: pytest.MonkeyPatch, value: object, draft: object) -> dict[str, Any]:
    """Which draft each text of a value was compared with."""
    calls = calls_seen(monkeypatch)
    clean_fields(value, draft=draft)
    return {reply: named["draft"] for reply, named in calls}


def calls_seen(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """What the cleaner, which goes on working, is called with from now on."""
    calls: list[tuple[str, dict[str, Any]]] = []

    def watched(reply: str, shape: Text, **named: Any) -> Clean:  # noqa: ANN401 - passed on
        calls.append((reply, named))
        return clean(reply, shape, **named)

    monkeypatch.setattr("onlytext._fields.clean", watched)
    return calls


@pytest.mark.parametrize(
    ("value", "draft", "seen"),
    [
        ("a", "b", {"a": "b"}),
        ("a", None, {"a": None}),
        ({"x": "a", "y": "b"}, {"x": "c"}, {"a": "c", "b": None}),
        ({"x": "a"}, {"x": 3}, {"a": None}),
        ({"x": ["a"]}, {"x": "c"}, {"a": None}),
        (["a", "b"], ["c", "d"], {"a": "c", "b": "d"}),
        (["a", "b"], ("c", "d"), {"a": "c", "b": "d"}),
        (["a", "b"], ["c", "d", "e"], {"a": None, "b": None}),
        ({"a"}, {"a", "b"}, {"a": "a"}),
        (Frozen("a"), Frozen("c"), {"a": "c"}),
        (Frozen("a"), {"cover": "c"}, {"a": "c"}),
        ({"cover": "a"}, Carousel(cover="c"), {"a": "c"}),
        (
            Carousel(cover="a", slides=[Slide(title="b")]),
            {"slides": [{"title": "d"}]},
            {"a": None, "b": "d"},
        ),
    ],
)
def test_each_string_is_compared_with_its_counterpart(
    monkeypatch: pytest.MonkeyPatch, value: object, draft: object, seen: dict[str, Any]
) -> None:
    assert drafts_seen(monkeypatch, value, draft) == seen


def test_a_line_of_the_draft_is_never_removed() -> None:
    assert clean_fields({"a": LEAK}, draft={"a": LEAK}).outcome == "untouched"


def test_a_blank_string_whose_counterpart_holds_a_text_is_a_doubt() -> None:
    made = clean_fields({"a": "", "b": "", "c": ""}, draft={"a": TEXT, "b": " "})
    missing = Doubt(0, 0, "", "the draft has a text here, and the reply has none")
    assert made.doubts == (FieldDoubt("a", missing),)
    assert made.outcome == "untouched"


def test_doubts_of_the_cleaner_come_with_their_path(monkeypatch: pytest.MonkeyPatch) -> None:
    def doubting(reply: str, shape: Text, **_: object) -> Clean:
        whole = (Piece(0, len(reply)),)
        return make_clean(reply, shape, reply, whole, (), doubts=(Doubt(0, 5, "Bread", "odd"),))

    monkeypatch.setattr("onlytext._fields.clean", doubting)
    made = clean_fields({"a": ["", TEXT]})
    assert made.doubts == (FieldDoubt("a[1]", Doubt(0, 5, "Bread", "odd")),)
    assert made.outcome == "untouched"


@pytest.mark.parametrize(
    ("value", "draft"), [({"a": TEXT}, TEXT), ([TEXT], LEAK), (TEXT, {"a": TEXT}), (TEXT, 3)]
)
def test_a_draft_of_another_shape_is_refused(value: object, draft: object) -> None:
    with pytest.raises(TypeError, match=r"has its shape, and can't be a (str|dict|int); a text"):
        clean_fields(value, draft=draft)


def test_the_prompt_and_the_patterns_go_to_each_string(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = calls_seen(monkeypatch)
    mine = builtin()
    clean_fields(["a", "b"], prompt="Write.", patterns=mine)
    named = {"draft": None, "prompt": "Write.", "patterns": mine}
    assert calls == [("a", named), ("b", named)]


# ---------------------------------------------------------------- what it refuses


def test_a_string_without_content_is_refused_with_its_path() -> None:
    with pytest.raises(NoContent) as caught:
        clean_fields({"slides": [TEXT, THOUGHT]})
    refusal = caught.value
    assert refusal.why.startswith("slides[1]: ")
    assert refusal.retry.startswith("slides[1]: ")
    assert str(refusal) == refusal.why
    assert refusal.reply == THOUGHT
    assert isinstance(refusal.__cause__, NoContent)
    assert refusal.evidence == refusal.__cause__.evidence


def test_a_single_string_without_content_is_refused_without_a_path() -> None:
    with pytest.raises(NoContent) as caught:
        clean_fields(THOUGHT)
    assert isinstance(caught.value.__cause__, NoContent)
    assert caught.value.why == caught.value.__cause__.why


@pytest.mark.parametrize(
    "value",
    [b"x", object(), Slide, iter([TEXT]), Level.HIGH],
    ids=["bytes", "object", "class", "iterator", "enum"],
)
def test_a_value_that_is_not_looked_into_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match=r"clean_fields\(\) takes a str, dict, list, tuple, set, d"):
        clean_fields(value)


def test_a_value_that_holds_itself_is_refused_with_its_path() -> None:
    value: dict[str, Any] = {"a": [TEXT]}
    value["a"].append(value)
    with pytest.raises(OnlytextError, match=r"a\[1\] is a part of itself"):
        clean_fields(value)


def test_a_value_that_stands_in_two_places_is_cleaned_in_both() -> None:
    twice = [LEAK]
    assert clean_fields({"a": twice, "b": twice}).value == {"a": [TEXT], "b": [TEXT]}


def test_a_value_may_be_nested_a_hundred_deep_and_no_more() -> None:
    value: Any = LEAK
    for _ in range(100):
        value = [value]
    assert paths(clean_fields(value)) == ["[0]" * 100]
    with pytest.raises(OnlytextError, match=r"\[0\] lies more than 100 levels deep: clean it by"):
        clean_fields([value])


# ---------------------------------------------------------------- what a model says


class Rules(BaseModel):
    model_config = ConfigDict(frozen=True, extra="allow")

    body: Annotated[str, pydantic.Field(min_length=20, frozen=True)]
    title: Annotated[str, pydantic.Field(min_length=20)] = "x"
    tags: list[Annotated[str, pydantic.Field(min_length=20)]] = []

    @cached_property
    def loud(self) -> str:
        return self.title.upper()


def test_what_a_model_says_against_a_cleaned_string_is_told_with_its_path() -> None:
    value = [Rules(body="x" * 20, title=LEAK, tags=[LEAK])]
    with pytest.raises(ParseError) as caught:
        clean_fields(value)
    assert caught.value.faults == (
        "[0].title: String should have at least 20 characters",
        "[0].tags[0]: String should have at least 20 characters",
    )
    assert isinstance(caught.value.__cause__, pydantic.ValidationError)


def test_a_single_model_is_told_by_its_name() -> None:
    with pytest.raises(ParseError, match=r"^Rules\.title: String should have"):
        clean_fields(Rules(body="x" * 20, title=LEAK))
    with pytest.raises(ParseError, match=r"^Checked\.cover: String should have"):
        clean_fields(Checked(LEAK))


def test_frozen_models_and_fields_and_extra_ones_are_cleaned() -> None:
    long = "Bread is warm and very soft."
    value = Rules.model_validate({"body": THOUGHT + long, "title": THOUGHT + long, "more": LEAK})
    made = clean_fields(value)
    assert made.value == Rules.model_validate({"body": long, "title": long, "more": TEXT})
    assert paths(made) == ["body", "title", "more"]


def test_what_a_model_worked_out_from_the_old_strings_does_not_stay() -> None:
    value = Rules(body="x" * 20, title=THOUGHT + "Bread is warm and very soft.")
    assert value.loud.startswith("<THINK>")
    assert clean_fields(value).value.loud == "BREAD IS WARM AND VERY SOFT."


def test_what_a_model_did_not_check_before_is_not_checked_now() -> None:
    value = Rules.model_construct(body="short", title=THOUGHT + "Bread is warm and very soft.")
    assert clean_fields(value).value.body == "short"


def test_a_dataclass_that_does_not_accept_a_cleaned_string_is_told() -> None:
    @dataclass
    class Long:
        body: str

        def __post_init__(self) -> None:
            if len(self.body) < 20:
                raise ValueError("too short")

    @dataclass
    class Seeded:
        body: str
        seed: InitVar[int]

    with pytest.raises(ParseError, match=r"^a: too short$"):
        clean_fields({"a": Long(LEAK)})
    with pytest.raises(ParseError, match=r"^a: InitVar 'seed' must be specified"):
        clean_fields({"a": Seeded(LEAK, 3)})


def test_fields_that_a_constructor_does_not_take_are_left_alone() -> None:
    assert clean_fields(Frozen("x")).outcome == "untouched"


# ---------------------------------------------------------------- the account


def test_the_account_says_what_was_dropped_where() -> None:
    made = clean_fields({"a": LEAK, "b": [TEXT, LEAK]})
    assert paths(made) == ["a", "b[1]"]
    for each in made.removals:
        assert isinstance(each, FieldRemoval)
        assert LEAK[each.removal.start : each.removal.end] == each.removal.text
    assert dataclasses.is_dataclass(made)
    assert made == clean_fields({"a": LEAK, "b": [TEXT, LEAK]})
