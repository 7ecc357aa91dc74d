from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlytext._template import Template


def fill(text: str, **values: str) -> str:
    return Template.read(text).fill(values.__getitem__)


def test_fields_are_filled_in_wherever_they_stand() -> None:
    assert fill("{a} and {b}, {a}", a="1", b="2") == "1 and 2, 1"
    assert fill("{ topic }!", topic="bread") == "bread!"


def test_each_field_is_named_once_in_its_order() -> None:
    assert Template.read("{b} {a} {b}").fields == ("b", "a")
    assert Template.read("no field").fields == ()


def test_double_braces_are_braces() -> None:
    assert fill("[SLIDE {{n}}] {a}", a="x") == "[SLIDE {n}] x"
    assert fill("}}{{") == "}{"


@given(st.text(), st.text())
def test_what_stands_in_a_value_is_never_looked_at(before: str, value: str) -> None:
    text = before.replace("{", "{{").replace("}", "}}")
    assert fill(f"{text}{{a}}", a=value) == before + value


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("one\ntwo {", "the brace in line 2 at '{' is no field: write {name}, or {{ for a brace"),
        ("a {} b", "the brace in line 1 at '{} b' is no field"),
        ("{a {b}", "the brace in line 1"),
        ("{a\nb}", "the brace in line 1 at '{a' is no field"),
        ("a } b", "the brace in line 1 at '} b' is no field: write }} for a brace"),
    ],
)
def test_a_brace_that_is_no_field_is_told_with_its_line(text: str, told: str) -> None:
    with pytest.raises(ValueError, match="brace") as caught:
        Template.read(text)
    assert told in str(caught.value)
