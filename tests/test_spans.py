"""Stretches that are kept and stretches that go: how they are cut, put together and explained."""

from __future__ import annotations

import pytest

from onlytext._reply import Cut, Piece, Removal
from onlytext._spans import (
    Body,
    Drop,
    Found,
    Made,
    Span,
    assemble,
    compose,
    keep,
    removals_of,
    without,
)


def drops(*spans: Span) -> list[Drop]:
    return [Drop(start, end, "because") for start, end in spans]


@pytest.mark.parametrize(
    ("gone", "left"),
    [
        pytest.param((), "rye\noat\n\nspelt\n", id="nothing"),
        pytest.param(((4, 7),), "rye\n\nspelt\n", id="a line with its end"),
        pytest.param(((0, 3),), "oat\n\nspelt\n", id="the first line"),
        pytest.param(((9, 14),), "rye\noat\n\n", id="the last line"),
        pytest.param(((5, 6),), "rye\not\n\nspelt\n", id="a part of a line"),
        pytest.param(((4, 7), (4, 6)), "rye\n\nspelt\n", id="one drop in another"),
        pytest.param(((4, 6), (5, 7)), "rye\n\nspelt\n", id="two that overlap"),
        pytest.param(((2, 2),), "rye\noat\n\nspelt\n", id="an empty one"),
        pytest.param(((0, 15),), "", id="everything"),
    ],
)
def test_what_is_kept_is_the_rest_and_a_line_takes_its_end_along(
    gone: tuple[Span, ...], left: str
) -> None:
    work = "rye\noat\n\nspelt\n"
    spans = keep(work, 0, len(work), drops(*gone))
    assert "".join(work[start:end] for start, end in spans) == left


def test_of_an_empty_stretch_nothing_is_kept() -> None:
    assert keep("rye", 1, 1, []) == []


def test_a_line_that_goes_between_blank_lines_leaves_one_of_them_and_the_next_indentation() -> None:
    work = "rye\n\noat\n\n  spelt"
    [first, second] = keep(work, 0, len(work), drops((5, 8)))
    assert work[slice(*first)] + work[slice(*second)] == "rye\n\n  spelt"


@pytest.mark.parametrize(
    ("holes", "left"),
    [
        ((), [(0, 4), (6, 10)]),
        (((1, 2),), [(0, 1), (2, 4), (6, 10)]),
        (((3, 7),), [(0, 3), (7, 10)]),
        (((0, 2), (1, 3)), [(3, 4), (6, 10)]),
        (((2, 2),), [(0, 4), (6, 10)]),
        (((0, 4), (8, 12)), [(6, 8)]),
        (((4, 6),), [(0, 4), (6, 10)]),
        (((6, 7), (9, 10)), [(0, 4), (7, 9)]),
        (((0, 10),), []),
    ],
)
def test_holes_are_cut_out_of_spans(holes: tuple[Span, ...], left: list[Span]) -> None:
    assert without([(0, 4), (6, 10)], drops(*holes)) == left


# ---------------------------------------------------------------- why a stretch went


def test_a_stretch_is_parted_where_the_reason_changes() -> None:
    reply = "Hm. Well. Bread"
    some = [Drop(0, 4, "thought"), Drop(4, 10, "pause", "xx/well")]
    assert removals_of(reply, [Piece(10, 15)], some) == (
        Removal(0, 4, "Hm. ", "thought"),
        Removal(4, 10, "Well. ", "pause", "xx/well"),
    )


def test_two_drops_of_one_reason_are_one_removal() -> None:
    some = [Drop(0, 4, "thought"), Drop(4, 10, "thought")]
    assert removals_of("Hm. Well. Bread", [Piece(10, 15)], some) == (
        Removal(0, 10, "Hm. Well. ", "thought"),
    )


def test_what_no_drop_explains_is_outside_of_the_text() -> None:
    reply = "Hm. Bread. Well."
    assert removals_of(reply, [Piece(4, 10)], [Drop(0, 3, "thought")]) == (
        Removal(0, 4, "Hm. ", "thought"),
        Removal(10, 16, " Well.", "outside of the text"),
    )


def test_a_drop_inside_another_does_not_part_it() -> None:
    some = [Drop(0, 8, "thought"), Drop(0, 2, "pause"), Drop(0, 4, "aside")]
    rows = removals_of("Hm. Oh. Bread", [Piece(8, 13)], some)
    assert "".join(row.text for row in rows) == "Hm. Oh. "
    assert rows[-1].reason == "thought"


def test_a_text_out_of_order_is_explained_in_the_order_of_the_reply() -> None:
    rows = removals_of("rye oat spelt", [Piece(8, 13), Piece(0, 3)], [Drop(3, 8, "swapped")])
    assert rows == (Removal(3, 8, " oat ", "swapped"),)


# ---------------------------------------------------------------- pieces


def test_an_empty_span_makes_no_piece() -> None:
    made = assemble("rye", "rye", Found((Body("", None, ((0, 0), (0, 3))),), ()))
    assert (made.text, made.pieces, made.cuts) == ("rye", (Piece(0, 3),), ())


def test_lines_that_are_put_side_by_side_get_a_line_end_between_them() -> None:
    reply = "rye\noat\nspelt"
    made = assemble(reply, reply, Found((Body("", None, ((8, 13), (4, 7))),), ()))
    assert made.text == "spelt\noat"
    assert made.pieces == (Piece(8, 13), Piece(4, 4, "\n"), Piece(4, 7))


def composed(reply: str, first: tuple[Piece, ...], second: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The pieces of the second text, as pieces of the reply."""
    text = "".join(reply[one.start : one.end] if one.put is None else one.put for one in first)
    again = "".join(text[one.start : one.end] if one.put is None else one.put for one in second)
    made = compose(Made(text, first, (), (), ()), Made(again, second, (), (), ()))
    assert made.text == again
    told = [reply[one.start : one.end] if one.put is None else one.put for one in made.pieces]
    assert "".join(told) == again
    return made.pieces


def test_a_second_cleaning_is_told_in_offsets_of_the_reply() -> None:
    first = (Piece(2, 5), Piece(8, 11))
    assert composed("..rye...oat..", first, (Piece(1, 5),)) == (Piece(3, 5), Piece(8, 10))


def test_a_marker_that_was_put_stays_put_whole_or_in_part() -> None:
    first = (Piece(0, 6, "[RYE]"), Piece(6, 7), Piece(7, 10))
    assert composed("**RYE*\noat", first, (Piece(0, 5), Piece(6, 9)))[0] == first[0]
    assert composed("**RYE*\noat", first, (Piece(1, 4), Piece(5, 9)))[0] == Piece(0, 0, "RYE")


def test_what_is_put_the_second_time_stands_for_what_lies_under_it() -> None:
    first = (Piece(2, 5), Piece(8, 11))
    reply = "..rye...oat.."
    assert composed(reply, first, (Piece(0, 3, "[RYE]"), Piece(3, 6))) == (
        Piece(2, 5, "[RYE]"),
        Piece(8, 11),
    )
    assert composed(reply, first, (Piece(0, 6), Piece(6, 6, "\n")))[-1] == Piece(11, 11, "\n")
    assert composed("", (), (Piece(0, 0, "\n"),)) == (Piece(0, 0, "\n"),)


def test_what_went_the_second_time_joins_what_went_before() -> None:
    first = Made("ryeoat", (Piece(2, 5), Piece(8, 11)), (), (Drop(0, 2, "dots"),), ())
    again = Made("rye", (Piece(0, 3),), (Cut("[RYE]", 0, 3),), (Drop(3, 6, "oat", "xx/oat"),), ())
    made = compose(first, again)
    assert made.drops == (Drop(0, 2, "dots"), Drop(8, 11, "oat", "xx/oat"))
    assert made.cuts == (Cut("[RYE]", 0, 3),)
