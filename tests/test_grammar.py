"""The grammar of a format takes the replies that hold the format, and no others."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.format_strategies import formats

from onlytext import Marker, Sections, Text, clean
from onlytext.providers import grammar_of

_TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|[a-z]+(?:-\d+)?|\{\d+,\d+\}|[()|?*]|\s+'
)


def takes(grammar: str, reply: str) -> bool:
    """Whether the grammar takes the whole reply: its rules don't call themselves, so a regex can."""
    rules = dict(line.split(" ::= ", 1) for line in grammar.split("\n"))

    def regex(rule: str) -> str:
        made: list[str] = []
        end = 0
        for token in _TOKEN.finditer(rule):
            assert token.start() == end, f"{rule!r} at {end}"
            end = token.end()
            word = token.group()
            if word.startswith('"'):
                literal = word[1:-1].replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")
                made.append(f"(?:{re.escape(literal)})")
            elif word[0].isalpha():
                made.append(f"(?:{regex(rules[word])})")
            elif not word.isspace():
                made.append("(?:" if word == "(" else word)
        assert end == len(rule), rule
        return "".join(made)

    return re.fullmatch(regex(rules["root"]), reply) is not None


CAROUSEL = Sections(
    "[COVER]", Marker("[SLIDE {n}]", min=2, max=3), Marker("[CAPTION]", optional=True), end="[END]"
)
COVER, SLIDES, CAPTION = "[COVER]\nA day", "[SLIDE 1]\nOne\n\n[SLIDE 2]\nTwo", "[CAPTION]\nOut"


@pytest.mark.parametrize(
    ("reply", "taken"),
    [
        (f"{COVER}\n\n{SLIDES}\n\n{CAPTION}\n[END]", True),
        (f"{COVER}\n\n{SLIDES}\n[END]", True),
        (f"{COVER}\n\n{SLIDES}\n\n[SLIDE 3]\nThree\n[END]", True),
        ("[COVER]\nA day\n\nof two\nlines\n\n[SLIDE 1]\n- One\n\n[SLIDE 2]\n## Two\n[END]", True),
        (f"Here it is:\n{COVER}\n\n{SLIDES}\n[END]", False),
        (f"{COVER}\n\n{SLIDES}\n[END]\nI changed nothing.", False),
        (f"{COVER}\n\n{SLIDES}", False),
        (f"{COVER}\n\n[SLIDE 1]\nOne\n[END]", False),
        (f"{COVER}\n\n[SLIDE 2]\nOne\n\n[SLIDE 1]\nTwo\n[END]", False),
        (f"{COVER}\n\n{SLIDES}\n\n[SLIDE 3]\nThree\n\n[SLIDE 4]\nFour\n[END]", False),
        (f"{SLIDES}\n\n{COVER}\n[END]", False),
        (f"[COVER]\n\n{SLIDES}\n[END]", False),
        (f"{COVER}\n\n\n\n{SLIDES}\n[END]", False),
        (f"{COVER}\n\n{COVER}\n\n{SLIDES}\n[END]", False),
    ],
)
def test_a_reply_is_taken_if_it_holds_the_format_and_nothing_else(
    reply: str,
    taken: bool,  # noqa: FBT001 - a value of the table
) -> None:
    assert takes(grammar_of(CAROUSEL), reply) is taken
    if taken:
        assert clean(reply, CAROUSEL).text


def test_optional_sections_may_be_missing_before_after_and_altogether() -> None:
    before = grammar_of(Sections(Marker("[A]", optional=True), "[B]"))
    assert takes(before, "[A]\n1\n\n[B]\n2")
    assert takes(before, "[B]\n2")
    assert not takes(before, "[A]\n1")
    neither = grammar_of(Sections(Marker("[A]", optional=True), Marker("[B]", optional=True)))
    assert takes(neither, "[A]\n1")
    assert takes(neither, "[B]\n2")
    assert takes(neither, "[A]\n1\n\n[B]\n2")
    assert not takes(neither, "[B]\n2\n\n[A]\n1")
    assert not takes(neither, "no section")


def test_plain_text_has_its_start_and_its_end() -> None:
    grammar = grammar_of(Text(start="<<", end=">>"))
    assert takes(grammar, "<<\nA line.\nAnother.\n>>")
    assert not takes(grammar, "A line.\n>>")
    assert takes(grammar_of(Text()), "A line.")
    assert not takes(grammar_of(Text()), "")


def test_signs_that_mean_something_in_a_grammar_are_only_signs() -> None:
    grammar = grammar_of(Sections('"A\\B"', "^C-{n}", "]D"))
    assert takes(grammar, '"A\\B"\nx\n\n^C-1\ny\n\n]D\nz')
    assert not takes(grammar, '"A\\B"\n^x\n\n^C-1\ny\n\n]D\nz')


def test_what_a_body_may_have_can_be_bounded() -> None:
    grammar = grammar_of(Text(), lines=2, characters=3)
    assert takes(grammar, "abc\n\nde")
    assert not takes(grammar, "abcd")
    assert not takes(grammar, "a\nb\nc")


def test_an_open_number_of_sections_has_a_bound_and_a_minimum_above_it_is_kept() -> None:
    sections = [f"[P {n}]\nx" for n in range(1, 41)]
    grammar = grammar_of(Sections("[P {n}]"))
    assert takes(grammar, "\n\n".join(sections[:30]))
    assert not takes(grammar, "\n\n".join(sections[:31]))
    assert takes(grammar_of(Sections(Marker("[P {n}]", min=40))), "\n\n".join(sections))


@given(formats(), st.data())
def test_a_reply_with_every_section_is_taken_for_any_format(
    format: Sections | Text, data: st.DataObject
) -> None:
    markers = () if isinstance(format, Text) else format.markers
    named: list[str] = []
    for marker in markers:
        count = (marker.min or 1) if marker.numbered else 1
        named += [marker.at(number) for number in range(1, count + 1)]
    body = data.draw(st.sampled_from(["A line", "Two\nlines", "Two\n\nparts"]))
    middle = "\n\n".join(f"{name}\n{body}" for name in named) or body
    start = f"{format.start}\n" if format.start else ""
    end = f"\n{format.end}" if format.end else ""
    assert takes(grammar_of(format), f"{start}{middle}{end}")
