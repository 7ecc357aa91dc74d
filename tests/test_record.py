"""The record of a cleaned text, and what is said about one that lacks what its format asks for."""

from __future__ import annotations

import copy
import json
import pickle
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.made import CAROUSEL, SHORT, WHOLE, clean_sections, clean_text, faults_of

from onlytext._clean import clean
from onlytext._format import Marker, Sections
from onlytext._parse import parse
from onlytext._record import Record
from onlytext._reply import Section

if TYPE_CHECKING:
    from collections.abc import Callable

SENTENCES = st.from_regex(r"[A-Z][a-z]{2,9}( [a-z]{2,9}){2,6}\.", fullmatch=True)


def pickled(record: Record) -> Record:
    made = pickle.loads(pickle.dumps(record))  # noqa: S301 - pickled here
    assert isinstance(made, Record)
    return made


# ---------------------------------------------------------------- the record


def test_a_record_holds_the_bodies_by_marker_and_numbered_ones_as_a_list() -> None:
    record = parse(WHOLE)
    assert record["[COVER]"] == "Bread"
    assert record["[SLIDE {n}]"] == ["Flour", "Water"]
    assert record["[CAPTION]"] == "Warm"
    assert record == {"[COVER]": "Bread", "[SLIDE {n}]": ["Flour", "Water"], "[CAPTION]": "Warm"}
    assert list(record) == ["[COVER]", "[SLIDE {n}]", "[CAPTION]"]
    assert len(record) == 3


def test_an_optional_section_that_is_missing_is_absent_from_the_record() -> None:
    assert "[CAPTION]" in parse(WHOLE)
    assert "[CAPTION]" not in parse(SHORT)
    assert parse(SHORT).get("[CAPTION]") is None


def test_a_record_knows_its_text_and_its_sections() -> None:
    record = parse(SHORT)
    assert record.sections == (Section("[COVER]", "Bread"), Section("[SLIDE 1]", "Flour"))
    assert record.text == "[COVER]\nBread\n\n[SLIDE 1]\nFlour"


def test_a_record_of_plain_text_has_the_one_key_text() -> None:
    record = parse(clean_text("\n Bread is warm.\n"))
    assert record == {"text": "Bread is warm."}
    assert record.text == "Bread is warm."
    assert record.sections == ()


@given(numbers=st.permutations(range(1, 6)))
def test_numbered_sections_stand_in_the_order_of_their_numbers(numbers: list[int]) -> None:
    shape = Sections("[SLIDE {n}]")
    cleaned = clean_sections(shape, *((f"[SLIDE {n}]", f"body {n}") for n in numbers))
    assert parse(cleaned)["[SLIDE {n}]"] == [f"body {n}" for n in range(1, 6)]


def test_numbers_are_ordered_as_numbers_and_may_begin_at_zero() -> None:
    shape = Sections("[SLIDE {n}]")
    cleaned = clean_sections(shape, *((f"[SLIDE {n}]", str(n)) for n in range(11)))
    assert parse(cleaned)["[SLIDE {n}]"] == [str(n) for n in range(11)]


def test_sections_that_alternate_stand_in_a_list_each() -> None:
    shape = Sections("[Q{n}]", "[A{n}]")
    cleaned = clean_sections(shape, ("[Q1]", "a?"), ("[A1]", "a!"), ("[Q2]", "b?"), ("[A2]", "b!"))
    assert parse(cleaned) == {"[Q{n}]": ["a?", "b?"], "[A{n}]": ["a!", "b!"]}


@given(cover=SENTENCES, slides=st.lists(SENTENCES, min_size=1, max_size=5))
def test_what_was_written_into_a_reply_is_parsed_from_it(cover: str, slides: list[str]) -> None:
    reply = f"[COVER]\n{cover}\n\n" + "".join(
        f"[SLIDE {n}]\n{body}\n\n" for n, body in enumerate(slides, start=1)
    )
    assert parse(clean(reply, CAROUSEL)) == {"[COVER]": cover, "[SLIDE {n}]": slides}


def test_one_and_many_give_the_type_that_is_meant() -> None:
    record = parse(WHOLE)
    assert record.one("[COVER]") == "Bread"
    assert record.many("[SLIDE {n}]") == ["Flour", "Water"]
    with pytest.raises(TypeError, match=r"\[COVER\] comes once: write record\.one\('\[COVER\]'\)"):
        record.many("[COVER]")
    with pytest.raises(TypeError, match=r"write record\.many\('\[SLIDE \{n\}\]'\)"):
        record.one("[SLIDE {n}]")


def test_a_marker_that_a_record_does_not_have_is_told_with_those_that_it_has() -> None:
    with pytest.raises(KeyError) as caught:
        parse(SHORT)["[SLIDE 1]"]
    assert caught.value.args[0] == (
        "'[SLIDE 1]' is not in this record; it has '[COVER]', '[SLIDE {n}]'"
    )
    with pytest.raises(KeyError, match="it has nothing"):
        Record({}, text="")["[A]"]


def test_a_record_goes_into_json() -> None:
    assert json.loads(json.dumps(parse(WHOLE).to_dict())) == parse(WHOLE)


def test_a_record_does_not_change() -> None:
    record = parse(WHOLE)
    record.many("[SLIDE {n}]").append("Salt")
    record.to_dict()["[COVER]"] = "Cake"
    assert record == parse(WHOLE)
    with pytest.raises(AttributeError, match="a Record does not change; text can't be set"):
        record.text = "x"
    with pytest.raises(AttributeError, match="a Record does not change; text can't be deleted"):
        del record.text


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled])
def test_copies_of_a_record_equal_it(again: Callable[[Record], Record]) -> None:
    record = parse(WHOLE)
    made = again(record)
    assert made == record
    assert (made.text, made.sections) == (record.text, record.sections)


def test_a_record_shows_what_it_holds() -> None:
    assert repr(parse(SHORT)) == "<Record {'[COVER]': 'Bread', '[SLIDE {n}]': ['Flour']}>"


# ---------------------------------------------------------------- what the format asks for

COUNTED = Sections(Marker("[S {n}]", min=2, max=3), Marker("[T]", optional=True))


@pytest.mark.parametrize(
    ("shape", "sections", "faults"),
    [
        (CAROUSEL, [("[SLIDE 1]", "a")], ["[COVER] is missing"]),
        (CAROUSEL, [("[COVER]", "a")], ["[SLIDE 1] is missing"]),
        (COUNTED, [("[T]", "a")], ["[S 1] to [S 2] are missing"]),
        (COUNTED, [("[S 1]", "a")], ["there are 1 of [S {n}], fewer than 2"]),
        (
            COUNTED,
            [(f"[S {n}]", "a") for n in range(1, 5)],
            ["there are 4 of [S {n}], more than 3"],
        ),
        (COUNTED, [("[S 1]", "a"), ("[S 3]", "a")], ["[S 2] is missing"]),
        (COUNTED, [("[S 2]", "a"), ("[S 3]", "a")], ["[S 1] is missing"]),
        (COUNTED, [("[S 1]", "a"), ("[S 9]", "a")], ["[S 2] to [S 8] are missing"]),
        (
            COUNTED,
            [("[S 1]", "a"), ("[S 999999999]", "a")],
            ["[S 2] to [S 999999998] are missing"],
        ),
        (
            COUNTED,
            [("[S 1]", "a"), ("[S 2]", "a"), ("[S 2]", "b"), ("[S 02]", "b")],
            ["[S 2] comes 3 times"],
        ),
        (
            COUNTED,
            [("[S 1]", "a"), ("[S 2]", "a"), ("[T]", "a"), ("[T]", "a")],
            ["[T] comes 2 times"],
        ),
        (COUNTED, [("[S 1]", "a"), ("[S 2]", "")], ["[S 2] is empty"]),
        (COUNTED, [("[S 1]", "a"), ("[S 2]", "a"), ("[U]", "")], ["[U] is not a marker of the fo"]),
        (
            Sections(Marker("[S {n}]", optional=True, min=2), "[T]"),
            [("[S 1]", ""), ("[T]", " ")],
            ["there are 1 of [S {n}], fewer than 2", "[T] is empty"],
        ),
    ],
)
def test_what_a_text_lacks_of_its_format_is_told(
    shape: Sections, sections: list[tuple[str, str]], faults: list[str]
) -> None:
    told = faults_of(clean_sections(shape, *sections))
    assert [fault[: len(faults[place])] for place, fault in enumerate(told)] == faults


def test_optional_sections_may_be_missing_or_empty() -> None:
    shape = Sections(Marker("[S {n}]", optional=True, min=2), "[T]", Marker("[U]", optional=True))
    assert parse(clean_sections(shape, ("[T]", "a"), ("[U]", ""))) == {"[T]": "a", "[U]": ""}


def test_all_faults_of_a_text_are_told_at_once() -> None:
    cleaned = clean_sections(CAROUSEL, ("[SLIDE 2]", ""), ("[SLIDE 2]", "a"))
    assert faults_of(cleaned) == [
        "[COVER] is missing",
        "[SLIDE 2] comes 2 times",
        "[SLIDE 1] is missing",
        "[SLIDE 2] is empty",
    ]


def test_plain_text_that_is_blank_is_told() -> None:
    assert faults_of(clean_text(" \n")) == ["the text is empty"]
