"""What a format may be, and what is said about one that can't work."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.format_strategies import formats

from onlytext._fold import fold_lookalikes
from onlytext._format import Marker, Sections, Text
from onlytext.errors import FormatError, OnlytextError

if TYPE_CHECKING:
    from collections.abc import Callable

WILD = (
    ("[LABEL]", "[AUDIO]"),
    ("=== STOP {n} ===", "=== EXIT ==="),
    ("## Finding {n}", "## Verdict"),
    ("Q{n}.", "A{n}."),
    ("{{greeting}}", "{{offer}}"),
    ("{INGREDIENTES}", "{PASOS}"),
    ("{Ad}", "{N}", "{i}"),
    ("1) RISK", "2) DOSE"),
    ("§1", "§2", "§3"),
    ("#{n}#", "#fin#"),
    ("DIAPO {n} – TITRE", "DIAPO {n} – TEXTE"),
    ("【标题】", "【正文{n}】"),
    ("(一)", "(二)"),
    ("[العنوان]", "[الفقرة {n}]"),
    ("🎯 GOAL", "🧺 BRING"),
    ("{{n}}", "<b>Lieu</b>"),
    ("---", "***"),
    ("# {n}", "## Part {n} of it"),
    ("Part {A}", "Part {B}"),
    ("[" + "x" * 198 + "]",),
)


# ---------------------------------------------------------------- what a format is


@pytest.mark.parametrize("templates", WILD, ids=" ".join)
def test_any_style_of_marker_is_a_format(templates: tuple[str, ...]) -> None:
    made = Sections(*templates)
    assert tuple(marker.template for marker in made.markers) == templates


def test_a_marker_is_a_string_or_a_marker_with_its_count_and_its_other_names() -> None:
    made = Sections(
        "[COVER]",
        Marker("[SLIDE {n}]", min=2, max=9, aliases=("[DIAPO {n}]",)),
        Marker("[CAPTION]", optional=True),
        start="[START]",
        end="[END]",
        notes="[NOTES]",
    )
    assert made.markers[0] == Marker("[COVER]")
    assert made.markers[1].spellings == ("[SLIDE {n}]", "[DIAPO {n}]")
    assert (made.start, made.end, made.notes) == ("[START]", "[END]", "[NOTES]")
    assert [marker.numbered for marker in made.markers] == [False, True, False]


def test_blanks_around_a_marker_do_not_count() -> None:
    made = Sections("  [COVER] ", Marker("[CAPTION]\t", aliases=(" [LEGENDE] ",)), end=" [END] ")
    assert made == Sections("[COVER]", Marker("[CAPTION]", aliases=("[LEGENDE]",)), end="[END]")
    assert Text(start=" [TEXT]") == Text(start="[TEXT]")


def test_aliases_may_come_as_a_list() -> None:
    given: Any = ["[COUVERTURE]"]
    assert Marker("[COVER]", aliases=given).aliases == ("[COUVERTURE]",)


def test_an_alias_may_be_another_spelling_of_its_own_marker() -> None:
    assert Marker("[COVER]", aliases=("[Cover]",)).spellings == ("[COVER]", "[Cover]")


@pytest.mark.parametrize(
    ("spelled", "number"),
    [
        ("[SLIDE 2]", 2),
        ("[SLIDE 02]", 2),
        ("[SLIDE 0]", 0),
        ("[SLIDE ]", None),
        ("[SLIDE x]", None),
        ("[SLIDE 2", None),
        ("SLIDE 2]", None),
        ("[SLIDE -2]", None),
        ("[SLIDE ²]", None),
        ("[SLIDE " + "9" * 10 + "]", None),
        ("[SLIDE " + "9" * 5000 + "]", None),
    ],
)
def test_the_number_of_a_marker_is_read_from_its_spelling(spelled: str, number: int | None) -> None:
    assert Marker("[SLIDE {n}]").number_in(spelled) == number


def test_a_marker_without_a_number_has_none_to_read() -> None:
    assert Marker("[COVER]").number_in("[COVER]2") is None


def test_a_template_whose_ends_overlap_in_a_short_line_is_not_found_in_it() -> None:
    assert Marker("#{n}#").number_in("#") is None


@given(number=st.integers(0, 999_999_999))
def test_a_number_that_was_put_into_a_marker_is_read_from_it_again(number: int) -> None:
    marker = Marker("— STEP {n} —")
    assert marker.number_in(marker.at(number)) == number


# ---------------------------------------------------------------- formats are values


@given(made=formats())
@example(made=Sections("[COVER]", Marker("[SLIDE {n}]", min=2, aliases=("[DIAPO {n}]",))))
@example(made=Text())
def test_a_format_can_be_typed_back_from_its_repr(made: Sections | Text) -> None:
    names = {"Sections": Sections, "Text": Text, "Marker": Marker}
    assert eval(repr(made), names) == made  # noqa: S307 - what repr() is for


@given(made=formats())
def test_copies_of_a_format_equal_it(made: Sections | Text) -> None:
    copies = (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made)))  # noqa: S301 - pickled here
    assert all(each == made for each in copies)
    assert {hash(each) for each in copies} == {hash(made)}


def test_what_was_compiled_for_a_format_is_no_part_of_its_value() -> None:
    for made, fresh in ((Sections("[A]"), Sections("[A]")), (Text(end="[END]"), Text(end="[END]"))):
        assert made._compiled is None
        object.__setattr__(made, "_compiled", lambda: None)  # such a thing can't be pickled
        assert made == fresh
        assert hash(made) == hash(fresh)
        assert repr(made) == repr(fresh)
        assert pickle.loads(pickle.dumps(made)) == fresh  # noqa: S301 - pickled here


def test_formats_with_other_markers_or_channels_differ() -> None:
    made = [
        Sections("[A]"),
        Sections("[B]"),
        Sections("[A]", end="[END]"),
        Sections("[A]", notes="[END]"),
        Sections("[A]", start="[END]"),
        Sections(Marker("[A]", optional=True)),
        Sections(Marker("[A]", aliases=("[B]",))),
        Text(),
        Text(end="[END]"),
    ]
    assert len(set(made)) == len(made)


@pytest.mark.parametrize("made", [Sections("[A]"), Text(), Marker("[A]")], ids=repr)
def test_a_format_does_not_change(made: object) -> None:
    name = "template" if isinstance(made, Marker) else "end"
    with pytest.raises(FrozenInstanceError):
        setattr(made, name, "[B]")


def test_a_short_repr_leaves_out_what_was_not_given() -> None:
    assert repr(Sections("[A]", notes="[N]")) == "Sections('[A]', notes='[N]')"
    assert repr(Text()) == "Text()"
    assert repr(Marker("[A {n}]", max=3)) == "Marker('[A {n}]', max=3)"


# ---------------------------------------------------------------- what can't be a format

FAULTS: list[tuple[tuple[str | Marker, ...], str]] = [
    ((), "a format of sections needs a marker"),
    (("",), "marker '' is empty"),
    (("   ",), "marker '' is empty"),
    (("\u200b",), "marker '\\u200b' is empty"),
    (("{n}",), "marker '{n}' would be every number: put something beside the {n}"),
    (("[A\nB]",), "marker '[A\\nB]' has a line break in it"),
    (("[A\u2028B]",), "has a line break in it"),
    (("[S {n} {n}]",), "marker '[S {n} {n}]' has {n} twice"),
    (("{n}{n}",), "marker '{n}{n}' has {n} twice"),
    (("[SLIDE {N}]",), "marker '[SLIDE {N}]' has {N} in it: a number is written {n}"),
    (("[SLIDE { n }]",), "has { n } in it"),
    (("[SLIDE {n }]",), "has {n } in it"),
    (("[SLIDE {n:02}]",), "has {n:02} in it"),
    (("[SLIDE {}]",), "has {} in it"),
    (("[SLIDE {i}]",), "has {i} in it"),
    (("[SLIDE {0}]",), "has {0} in it"),
    (("[" + "x" * 199 + "]",), "marker '[xxxxxxxxxxxxxxxxxxx'... is 201 characters long: 200 are"),
    (("[A \ud800]",), "has half a character in it"),
    (("[COVER]", "[cover]"), "marker '[COVER]' and marker '[cover]' can't be told apart"),
    (("[ÉTÉ]", "[ETE]"), "can't be told apart"),
    (("[A B]", "[AB]"), "can't be told apart"),
    (("[COVER]", "[СОVЕR]"), "can't be told apart"),
    (("[SLIDE 1]", "[SLIDE {n}]"), "marker '[SLIDE 1]' and marker '[SLIDE {n}]' can't be told"),
    (("[SLIDE１{n}]", "[Slide {n}]"), "can't be told apart"),
    (("Lot {n} box 1", "Lot 1 box {n}"), "can't be told apart"),
    (("A{n}", "A1{n}2"), "can't be told apart"),
]


@pytest.mark.parametrize(("templates", "said"), FAULTS, ids=lambda case: repr(case)[:40])
def test_sections_that_can_not_work_are_told_by_name(
    templates: tuple[str | Marker, ...], said: str
) -> None:
    with pytest.raises(FormatError) as caught:
        Sections(*templates)
    assert said in str(caught.value)
    assert isinstance(caught.value, OnlytextError)


@pytest.mark.parametrize(
    ("templates", "apart"),
    [
        (("A{n}", "B{n}"), True),
        (("A{n}x", "A{n}y"), True),
        (("{n}) STEP", "1) RISK"), True),
        (("[PART {n}]", "[PART {n} B]"), True),
        (("[PART {n}]", "[PART A]"), True),
        (("A{n}A", "A"), True),
        (("A{n}1", "A1"), True),
        (("A{n}1", "A11"), False),
        (("A{n}12", "A1{n}2"), False),
        (("A{n}", "A1"), False),
        (("A1", "A{n}"), False),
    ],
)
def test_numbered_markers_are_told_apart_by_whether_one_line_could_be_both(
    templates: tuple[str, ...], *, apart: bool
) -> None:
    if apart:
        Sections(*templates)
    else:
        with pytest.raises(FormatError, match="told apart"):
            Sections(*templates)


@given(
    one=st.tuples(st.text("A1 ", max_size=3), st.text("A1 ", max_size=3)),
    other=st.tuples(st.text("A1 ", max_size=3), st.text("A1 ", max_size=3)),
    numbers=st.tuples(*[st.sampled_from([1, 2, 11, 12, 21, 111])] * 2),
)
@example(one=("A", ""), other=("A1", ""), numbers=(12, 2))
def test_no_line_is_two_markers_of_one_format(
    one: tuple[str, str], other: tuple[str, str], numbers: tuple[int, int]
) -> None:
    try:
        made = Sections("[" + "{n}".join(one) + "]", "[" + "{n}".join(other) + "]")
    except FormatError:
        return
    first, second = (
        fold_lookalikes(marker.at(number)).replace(" ", "")
        for marker, number in zip(made.markers, numbers, strict=True)
    )
    assert first != second


@pytest.mark.parametrize(
    ("template", "given", "said"),
    [
        ("[A]", {"min": 2}, "marker '[A]' has min=2 and no {n}: it comes once; leave min out"),
        ("[A]", {"max": 2}, "has max=2 and no {n}"),
        ("[A {n}]", {"min": 3, "max": 2}, "has min=3 above max=2"),
        ("[A {n}]", {"min": 0}, "has min=0: write a number from 1 up, or optional=True"),
        ("[A {n}]", {"max": -1}, "has max=-1: write a number from 1 up"),
        ("[A {n}]", {"aliases": ("[B]",)}, "alias '[B]' of '[A {n}]' is not numbered alike: write"),
        ("[A]", {"aliases": ("[B {n}]",)}, "alias '[B {n}]' of '[A]' is not numbered alike: take"),
        ("[A]", {"aliases": ("",)}, "alias '' is empty"),
    ],
)
def test_a_marker_that_can_not_work_is_told_by_name(
    template: str, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(FormatError) as caught:
        Marker(template, **given)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("channels", "said"),
    [
        ({"end": ""}, "end '' is empty"),
        ({"end": "{n}"}, "end '{n}' has {n} in it"),
        ({"notes": "[NOTE {n}]"}, "notes '[NOTE {n}]' has {n} in it: it comes once"),
        ({"start": "a\nb"}, "start 'a\\nb' has a line break in it"),
        ({"start": "[X]", "end": "[x]"}, "start '[X]' and end '[x]' can't be told apart"),
        ({"end": "[A]", "notes": "[A]"}, "end '[A]' and notes '[A]' can't be told apart"),
    ],
)
def test_a_start_an_end_or_notes_that_can_not_work_are_told(
    channels: dict[str, Any], said: str
) -> None:
    for make in (lambda: Text(**channels), lambda: Sections("[TITLE]", **channels)):
        with pytest.raises(FormatError) as caught:
            make()
        assert said in str(caught.value)


def test_a_channel_or_an_alias_that_is_also_a_marker_is_told() -> None:
    with pytest.raises(FormatError, match=r"marker '\[END\]' and end '\[End\]' can't be told"):
        Sections("[END]", end="[End]")
    with pytest.raises(FormatError, match=r"alias '\[B\]' and marker '\[B\]' can't be told"):
        Sections(Marker("[A]", aliases=("[B]",)), "[B]")


def test_all_faults_of_a_format_are_told_at_once() -> None:
    with pytest.raises(FormatError) as caught:
        Sections("", "[S {n} {n}]", "[A]", "[a]", end="", notes="[x\ny]")
    said = str(caught.value).split("; ")
    assert [sentence[:22] for sentence in said] == [
        "marker '' is empty: wr",
        "marker '[S {n} {n}]' h",
        "end '' is empty: write",
        "notes '[x\\ny]' has a l",
        "marker '[A]' and marke",
    ]


# ---------------------------------------------------------------- what is not even a string


MISTAKES: list[tuple[Callable[..., object], list[object], dict[str, object], str]] = [
    (Sections, [["[A]", "[B]"]], {}, "a marker is a str, not list: write Sections(*markers)"),
    (Sections, [5], {}, "a marker is a str, not int"),
    (Sections, ["[A]"], {"end": 5}, "end is a str, not int"),
    (Text, [], {"notes": b"[N]"}, "notes is a str, not bytes"),
    (Text, [], {"start": True}, "start is a str, not bool"),
    (Marker, [None], {}, "a marker is a str, not NoneType"),
    (Marker, ["[A]"], {"aliases": "[B]"}, "aliases is a tuple of strings: write aliases=('[B]',)"),
    (Marker, ["[A]"], {"aliases": (5,)}, "an alias is a str, not int"),
    (Marker, ["[A {n}]"], {"min": "2"}, "min is a whole number, not '2'"),
    (Marker, ["[A {n}]"], {"max": True}, "max is a whole number, not True"),
    (Marker, ["[A]"], {"optional": 1}, "optional is True or False, not 1"),
]


@pytest.mark.parametrize(("make", "given", "named", "said"), MISTAKES)
def test_a_wrong_type_is_told_in_a_sentence(
    make: Callable[..., object], given: list[object], named: dict[str, object], said: str
) -> None:
    with pytest.raises(TypeError) as caught:
        make(*given, **named)
    assert said in str(caught.value)
