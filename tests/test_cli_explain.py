from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from onlytext._format import Text
from onlytext._reply import Clean, Doubt, Piece, Removal, make_clean
from onlytext.cli.cleaning import snippet, tell_doubts
from onlytext.cli.explain import marked_clean, marked_refusal, summary
from onlytext.cli.stretches import stretches_of
from onlytext.errors import NoContent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from onlytext.cli.explain import Span


def account(
    reply: str, *pieces: Piece, dropped: Iterable[Removal] = (), doubts: Iterable[Doubt] = ()
) -> Clean:
    text = "".join(
        reply[piece.start : piece.end] if piece.put is None else piece.put for piece in pieces
    )
    return make_clean(reply, Text(), text, pieces, (), tuple(dropped), tuple(doubts))


def removal(reply: str, words: str, pattern: str | None = None) -> Removal:
    start = reply.index(words)
    return Removal(start, start + len(words), words, "a remark", pattern)


def doubt(reply: str, words: str) -> Doubt:
    start = reply.index(words)
    return Doubt(start, start + len(words), words, "may be a remark")


def plain(spans: Iterable[Span]) -> str:
    return "".join(text for text, _ in spans)


def explained(cleaned: Clean) -> str:
    return plain(marked_clean(cleaned, colours=False))


def refused(reply: str, *evidence: str) -> NoContent:
    return NoContent("no text in it", reply=reply, evidence=evidence, retry="Send the text.")


def test_a_reply_of_which_all_was_kept_is_shown_as_it_is() -> None:
    assert explained(account("One.\n\nTwo.\n", Piece(0, 11))) == "One.\n\nTwo.\n"


def test_the_last_line_is_ended() -> None:
    assert explained(account("One.", Piece(0, 4))) == "One.\n"


def test_dropped_lines_are_marked_and_the_reason_stands_below_them() -> None:
    reply = "Here it is:\nReally.\n\nBread."
    gone = removal(reply, "Here it is:\nReally.\n\n", "en/here-it-is")
    cleaned = account(reply, Piece(21, 27), dropped=[gone])
    assert explained(cleaned) == (
        "[-Here it is:\nReally.-]\n    ↳ a remark · en/here-it-is\n\nBread.\n"
    )


def test_dropped_lines_at_the_end_are_marked_in_the_same_way() -> None:
    reply = "Bread.\n\nI changed it."
    cleaned = account(reply, Piece(0, 6), dropped=[removal(reply, "\n\nI changed it.")])
    assert explained(cleaned) == "Bread.\n\n[-I changed it.-]\n    ↳ a remark\n"


def test_what_was_dropped_from_a_line_has_its_reason_beside_it() -> None:
    reply = "Bread (5 letters)\nMilk"
    cleaned = account(reply, Piece(0, 5), Piece(17, 22), dropped=[removal(reply, " (5 letters)")])
    assert explained(cleaned) == "Bread[- (5 letters)-] ‹a remark›\nMilk\n"


def test_dropped_blanks_can_be_seen() -> None:
    reply = "Bread \t\n\n"
    cleaned = account(reply, Piece(0, 5), dropped=[removal(reply, " \t\n\n")])
    assert explained(cleaned) == "Bread[-·⇥⏎⏎-] ‹a remark›\n"


def test_a_rewritten_marker_is_shown_in_both_spellings() -> None:
    reply = "**[COVER]**\nBread"
    cleaned = account(reply, Piece(0, 11, "[COVER]"), Piece(11, 17))
    assert explained(cleaned) == "[-**[COVER]**-][+[COVER]+]\nBread\n"


def test_a_marker_that_only_lost_blanks_is_not_worth_a_mark() -> None:
    cleaned = account("[COVER]  \nBread", Piece(0, 9, "[COVER]"), Piece(9, 15))
    assert explained(cleaned) == "[COVER]  \nBread\n"


def test_a_line_end_that_was_set_between_two_pieces_is_not_shown() -> None:
    cleaned = account("BreadMilk", Piece(0, 5), Piece(5, 5, "\n"), Piece(5, 9))
    assert explained(cleaned) == "BreadMilk\n"


def test_pieces_are_shown_in_the_order_of_the_reply_with_a_word_on_those_that_moved() -> None:
    reply = "Bread.\nMilk.\nAgain: \nRolls.\n"
    again = removal(reply, "Again: \n")
    cleaned = account(reply, Piece(21, 24), Piece(24, 28), Piece(0, 13), dropped=[again])
    assert explained(cleaned) == (
        "Bread.\nMilk.\n[-Again: -]\n    ↳ a remark\nRolls.\n    ↳ moved up in the text\n"
    )


def test_of_pieces_that_moved_to_different_places_each_is_told() -> None:
    reply = "One\nTwo\nA\nB\n"
    cleaned = account(reply, Piece(8, 10), Piece(0, 4), Piece(10, 12), Piece(4, 8))
    assert explained(cleaned).count("moved up") == 2


def test_what_was_kept_in_doubt_is_marked_with_the_reason() -> None:
    reply = "Bread.\nNote: keep dry.\nMilk."
    cleaned = account(reply, Piece(0, len(reply)), doubts=[doubt(reply, "Note: keep dry.")])
    assert explained(cleaned) == "Bread.\n[?Note: keep dry.?] ‹may be a remark›\nMilk.\n"


def test_a_doubt_over_two_pieces_is_marked_in_both() -> None:
    reply = "Bread.Milk."
    cleaned = account(reply, Piece(0, 6), Piece(6, 11), doubts=[doubt(reply, "ead.Mi")])
    assert explained(cleaned) == ("Br[?ead.?] ‹may be a remark›[?Mi?] ‹may be a remark›lk.\n")


def test_a_doubt_is_marked_only_where_it_stands() -> None:
    reply = "Bread.Milk."
    cleaned = account(reply, Piece(0, 6), Piece(6, 11), doubts=[doubt(reply, "Milk")])
    assert explained(cleaned) == "Bread.[?Milk?] ‹may be a remark›.\n"


def test_doubts_that_overlap_do_not_show_a_word_twice() -> None:
    reply = "Bread and milk"
    found = [doubt(reply, "ead and"), doubt(reply, "and mi"), doubt(reply, "and")]
    cleaned = account(reply, Piece(0, len(reply)), doubts=found)
    assert explained(cleaned).replace(" ‹may be a remark›", "") == "Br[?ead and?][? mi?]lk\n"


def test_a_doubt_about_something_missing_stands_below_the_reply() -> None:
    cleaned = account("Bread.", Piece(0, 6), doubts=[Doubt(6, 6, "", "the end is missing")])
    assert explained(cleaned) == "Bread.\n? the end is missing\n"


def test_control_characters_are_seen_and_not_obeyed() -> None:
    cleaned = account("A\x1b[31m\x00\x7fB\r\nC", Piece(0, 12))
    assert explained(cleaned) == "A␛[31m␀␡B\nC\n"


def test_with_colours_there_are_no_marks() -> None:
    reply = "Bread (5 letters)"
    cleaned = account(reply, Piece(0, 5), dropped=[removal(reply, " (5 letters)")])
    assert [span for span in marked_clean(cleaned, colours=True) if span[0]] == [
        ("Bread", ""),
        (" (5 letters)", "red strike"),
        (" ‹a remark›", "cyan italic"),
        ("\n", ""),
    ]


def test_the_stretches_together_are_the_reply() -> None:
    reply = "Sure:\n**[A]**\nBread (5)\nNote: dry.\n"
    cleaned = account(
        reply,
        Piece(6, 13, "[A]"),
        Piece(13, 19),
        Piece(23, len(reply)),
        dropped=[removal(reply, "Sure:\n"), removal(reply, " (5)")],
        doubts=[doubt(reply, "Note: dry.")],
    )
    shown = [stretch.text for stretch in stretches_of(cleaned) if stretch.fate != "put"]
    assert "".join(shown) == reply


@pytest.mark.parametrize(
    ("dropped", "doubts", "told"),
    [
        ([], [], "untouched: nothing was dropped"),
        ([], ["Bread"], "untouched: 0 removals, 1 doubt, 14 of 14 characters kept"),
        ([" and"], [], "cleaned: 1 removal, 0 doubts, 10 of 14 characters kept"),
        (
            [" and", " milk"],
            ["Bread", "ea"],
            "cleaned: 2 removals, 2 doubts, 5 of 14 characters kept",
        ),
    ],
)
def test_the_head_counts_removals_and_doubts(
    dropped: list[str], doubts: list[str], told: str
) -> None:
    reply = "Bread and milk"
    cleaned = account(
        reply,
        Piece(0, 5 if dropped else len(reply)),
        dropped=[removal(reply, words) for words in dropped],
        doubts=[doubt(reply, words) for words in doubts],
    )
    assert summary(cleaned) == told


# ------------------------------------------------------------------------------ refusals


def test_the_evidence_of_a_refusal_is_marked_in_the_reply() -> None:
    spans = marked_refusal(refused("I can't do that. Sorry.", "can't do"), colours=False)
    assert plain(spans) == "I [!can't do!] that. Sorry.\n"


def test_evidence_that_overlaps_is_missing_or_blank_is_passed_over() -> None:
    refusal = refused("I can't do that.", "can't do", "'t do that", "elsewhere", " ", "that.")
    assert plain(marked_refusal(refusal, colours=False)) == "I [!can't do!] [!that.!]\n"


def test_an_empty_reply_that_was_refused_is_an_empty_line() -> None:
    assert plain(marked_refusal(refused(""), colours=False)) == "\n"


# ------------------------------------------------------------------------------ doubts on stderr


def test_a_doubt_is_told_with_its_line_and_its_words(capsys: pytest.CaptureFixture[str]) -> None:
    reply = "Bread.\nNote:  keep dry."
    tell_doubts(account(reply, Piece(0, 23), doubts=[doubt(reply, "Note:  keep dry.")]))
    assert capsys.readouterr().err == (
        'onlytext: doubt, line 2 of the reply: may be a remark: "Note: keep dry."\n'
    )


def test_a_doubt_about_something_missing_has_no_words(capsys: pytest.CaptureFixture[str]) -> None:
    tell_doubts(account("Bread.", Piece(0, 6), doubts=[Doubt(6, 6, "", "the end is missing")]))
    assert capsys.readouterr().err == ("onlytext: doubt, line 1 of the reply: the end is missing\n")


def test_of_very_many_doubts_the_first_are_told_and_the_rest_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    reply = "Bread. " * 30
    found = [Doubt(7 * index, 7 * index + 6, "Bread.", "odd") for index in range(30)]
    tell_doubts(account(reply, Piece(0, len(reply)), doubts=found))
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 21
    assert told[-1] == "onlytext: and 10 more doubts; --json has them all"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a" * 60, f'"{"a" * 60}"'), ("a" * 61, f'"{"a" * 59}…"'), (" a\n b ", '"a b"')],
)
def test_a_snippet_is_one_short_line(text: str, shown: str) -> None:
    assert snippet(text) == shown
