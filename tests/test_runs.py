"""The order of sections, and the series that it parts markers into."""

from __future__ import annotations

from itertools import pairwise

import pytest

from onlytext import Sections, clean
from onlytext._runs import Order

# [COVER], then [SLIDE {n}] with its [IMAGE {n}], then [CAPTION].
NUMBERED = [False, True, True, False]
COVER, CAPTION = (0, 0), (3, 0)


def slide(number: int) -> tuple[int, int]:
    return 1, number


def image(number: int) -> tuple[int, int]:
    return 2, number


def test_numbered_sections_side_by_side_go_by_their_numbers_first() -> None:
    order = Order(NUMBERED, [])
    series = [COVER, slide(1), image(1), slide(2), image(2), CAPTION]
    assert sorted(set(series), key=order.sort_key) == series
    assert all(order.follows(later, earlier) for earlier, later in pairwise(series))


def test_all_slides_may_come_before_all_their_images() -> None:
    order = Order(NUMBERED, [])
    series = [COVER, slide(1), slide(2), image(1), image(2), CAPTION]
    assert all(order.follows(later, earlier) for earlier, later in pairwise(series))
    assert not order.follows(slide(1), slide(2))
    assert not order.follows(slide(1), image(1))
    assert not order.follows(COVER, slide(1))


def test_the_order_of_the_draft_goes_before_the_declared_one() -> None:
    order = Order(NUMBERED, [CAPTION, COVER])
    assert order.follows(COVER, CAPTION)
    assert not order.follows(CAPTION, COVER)


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ([COVER, slide(1), CAPTION], [COVER, slide(1), slide(2), CAPTION]),
        ([COVER, slide(3), CAPTION], [COVER, slide(2), slide(3), CAPTION]),
        ([slide(1), CAPTION], [COVER, slide(1), slide(2), CAPTION]),
    ],
)
def test_a_section_that_the_draft_lacks_comes_after_those_declared_before_it(
    draft: list[tuple[int, int]], expected: list[tuple[int, int]]
) -> None:
    order = Order(NUMBERED, draft)
    assert sorted(set(expected), key=order.sort_key) == expected


def test_a_section_that_was_sent_late_takes_its_place_in_the_order() -> None:
    format_ = Sections("[COVER]", "[SLIDE {n}]", "[CAPTION]")
    draft = "[COVER]\nRye bread\n[SLIDE 1]\nBaked at six.\n[CAPTION]\nCome early, stay late."
    reply = f"{draft}\n\n[SLIDE 2]\nSold at seven."
    cleaned = clean(reply, format_, draft=draft)
    assert [section.marker for section in cleaned.sections] == [
        "[COVER]",
        "[SLIDE 1]",
        "[SLIDE 2]",
        "[CAPTION]",
    ]
    assert cleaned.sections[2].body == "Sold at seven."
