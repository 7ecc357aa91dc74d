"""The road as a whole: odd characters, odd endings, wrong arguments, and what comes back."""

from __future__ import annotations

from typing import Any

import pytest

from onlytext import Clean, NoContent, OnlytextError, Refused, Removal, Sections, Text, clean
from onlytext import _clean as road
from onlytext._spans import Body, Found, Span
from onlytext.errors import Ambiguous

LOAF = Sections("[COVER]", "[CAPTION]")
FERRY = "The ferry to Bruny leaves at nine.\nBring a warm coat and a return ticket."
EXAMPLE = 'write clean(reply, Sections("[TITLE]", "[BODY]"))'
THOUGHT = "<think>Two lines, both short.</think>"


# ---------------------------------------------------------------- odd characters


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param("The ferry leaves at nine.\r\nBring a coat.\r\n", id="CRLF"),
        pytest.param("The ferry leaves at nine.\rBring a coat.", id="CR"),
        pytest.param("The ferry leaves at nine.\u2028Bring a coat.", id="U+2028"),
        pytest.param("Bread \ud800 and butter", id="lone surrogate"),
        pytest.param("Bread \0 and butter", id="NUL"),
        pytest.param("\ufeffBread and butter", id="BOM"),
        pytest.param("Cafe\u0301 and cafe\u0301", id="accents apart"),
        pytest.param("焼きたてのパン。\n朝七時から。", id="Japanese"),
        pytest.param("  Bread\n\n", id="blanks round it"),
    ],
)
def test_an_odd_character_in_a_clean_reply_changes_nothing(reply: str) -> None:
    cleaned = clean(reply, Text())
    assert (cleaned.text, cleaned.outcome, cleaned.removals) == (reply, "untouched", ())
    assert clean(reply, Text(), draft=reply).outcome == "untouched"


@pytest.mark.parametrize(
    ("reply", "text", "gone"),
    [
        (f"{THOUGHT}\r\nBread\r\nButter\r\n", "Bread\r\nButter\r\n", f"{THOUGHT}\r\n"),
        (f"{THOUGHT}\rBread\rButter", "Bread\rButter", f"{THOUGHT}\r"),
        (f"{THOUGHT}\u2028Bread\u2028Butter", "Bread\u2028Butter", f"{THOUGHT}\u2028"),
        (f"{THOUGHT}\nBread \ud800", "Bread \ud800", f"{THOUGHT}\n"),
        (f"{THOUGHT}\nBread \0", "Bread \0", f"{THOUGHT}\n"),
        ("<think>\ud800\0</think>\nBread", "Bread", "<think>\ud800\0</think>\n"),
    ],
)
def test_what_goes_is_told_in_offsets_of_the_reply_as_it_came(
    reply: str, text: str, gone: str
) -> None:
    cleaned = clean(reply, Text())
    assert cleaned.text == text
    assert cleaned.removals == (Removal(0, len(gone), gone, "reasoning block"),)


def test_a_marker_after_crlf_is_spelled_anew_and_the_line_ends_stay() -> None:
    cleaned = clean("[COVER]\r\nWarm bread\r\n\r\n**[CAPTION]**\r\nFrom seven.\r\n", LOAF)
    assert cleaned.text == "[COVER]\r\nWarm bread\r\n\r\n[CAPTION]\r\nFrom seven.\r\n"
    assert [section.body for section in cleaned.sections] == ["Warm bread", "From seven."]


def test_a_byte_order_mark_before_the_first_marker_is_no_content() -> None:
    cleaned = clean("\ufeff[COVER]\nBread\n[CAPTION]\nButter", LOAF)
    assert cleaned.text == "[COVER]\nBread\n[CAPTION]\nButter"


# ---------------------------------------------------------------- nothing in it


@pytest.mark.parametrize("reply", ["", " ", "\n\n", " \t\r\n", "\u2028\xa0"])
@pytest.mark.parametrize("draft", [None, FERRY])
def test_a_reply_of_blanks_is_no_text(reply: str, draft: str | None) -> None:
    with pytest.raises(NoContent, match=r"^the reply is empty$") as caught:
        clean(reply, Text(), draft=draft)
    assert caught.value.reply == reply
    assert caught.value.evidence == ()
    assert caught.value.retry == "Return the text itself, whole, and nothing else."


@pytest.mark.parametrize("reply", ["", "\n", "No marker stands here.", "[COVER]\n\n[CAPTION]\n"])
def test_a_reply_without_filled_sections_is_no_text(reply: str) -> None:
    with pytest.raises(NoContent, match=r"^the reply has no section with content$") as caught:
        clean(reply, LOAF)
    assert caught.value.reply == reply


def test_a_refusal_carries_the_reply_with_its_own_line_ends() -> None:
    reply = "<think>\r\nNine or ten?\r\n"
    with pytest.raises(NoContent, match=r"^the reply holds only reasoning$") as caught:
        clean(reply, Text())
    assert caught.value.reply == reply
    assert caught.value.why == str(caught.value)


def test_a_draft_of_blanks_is_no_draft() -> None:
    cleaned = clean(f"{THOUGHT}\n{FERRY}", Text(), draft=" \n")
    assert cleaned.text == FERRY
    assert cleaned.doubts == ()


# ---------------------------------------------------------------- cut off


def test_a_reply_that_the_provider_cut_off_is_kept_with_a_doubt() -> None:
    cleaned = clean("The ferry leaves at ni", Text(), finished=False)
    assert cleaned.outcome == "untouched"
    [doubt] = cleaned.doubts
    assert (doubt.start, doubt.end, doubt.text) == (22, 22, "The ferry leaves at ni")
    assert doubt.reason == "the provider stopped here: the last section may be cut off"


def test_a_marker_that_was_cut_off_goes_and_its_section_is_missing() -> None:
    cleaned = clean("[COVER]\nWarm bread\n[CAPT", LOAF, finished=False)
    assert cleaned.text == "[COVER]\nWarm bread"
    assert [removal.reason for removal in cleaned.removals] == ["marker that was cut off"]
    assert [doubt.reason for doubt in cleaned.doubts] == [
        "the provider stopped here: the last section may be cut off",
        "the reply ends in the middle of a marker",
        "the section [CAPTION] is missing",
    ]


def test_a_reply_that_broke_off_in_its_reasoning_is_refused() -> None:
    with pytest.raises(NoContent, match=r"^the reply ends in the middle of its reasoning$"):
        clean(f"<think>\nThe draft:\n\n{FERRY}\n\nI will cut the word Bruny.", Text(), draft=FERRY)


# ---------------------------------------------------------------- wrong arguments


@pytest.mark.parametrize(
    ("arguments", "options", "sentence"),
    [
        ((None, LOAF), {}, "the reply is a str, not NoneType: write clean(reply, format)"),
        ((b"x", LOAF), {}, "the reply is a str, not bytes: decode it first"),
        ((bytearray(b"x"), LOAF), {}, "the reply is a str, not bytearray: decode it first"),
        (
            ("x", None),
            {},
            f"the format is Sections(...) or Text(), not NoneType: {EXAMPLE}",
        ),
        (
            ("x", "[COVER]"),
            {},
            f"the format is Sections(...) or Text(), not str: {EXAMPLE}",
        ),
        (("x", LOAF), {"draft": 1}, "the draft is a str or None, not int"),
        (("x", LOAF), {"draft": b"x"}, "the draft is a str or None, not bytes"),
        (("x", LOAF), {"prompt": ["x"]}, "the prompt is a str or None, not list"),
        (("x", LOAF), {"patterns": {}}, "patterns is Patterns.load(...) or None, not dict"),
    ],
)
def test_a_wrong_argument_is_told_with_what_to_write(
    arguments: tuple[Any, Any], options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(TypeError) as caught:
        clean(*arguments, **options)
    assert str(caught.value) == sentence


def test_a_string_of_a_class_of_its_own_is_a_reply_too() -> None:
    class Reply(str):
        __slots__ = ()

    assert clean(Reply(f"{THOUGHT}\nBread"), Text()).text == "Bread"


# ---------------------------------------------------------------- what comes back


def test_nobody_makes_a_clean_by_hand() -> None:
    make: Any = Clean
    with pytest.raises(OnlytextError) as caught:
        make("Bread", Text())
    assert str(caught.value) == "only clean() makes a Clean: write clean(reply, format)"


def test_a_clean_has_no_subclasses() -> None:
    parent: Any = Clean
    with pytest.raises(OnlytextError, match=r"^Clean has no subclasses: "):
        type("Mine", (parent,), {})


def test_a_clean_does_not_change() -> None:
    cleaned: Any = clean("Bread", Text())
    with pytest.raises(AttributeError, match=r"^a Clean does not change; text can't be set$"):
        cleaned.text = "Butter"
    with pytest.raises(AttributeError, match=r"^a Clean does not change; text can't be deleted$"):
        del cleaned.text
    assert cleaned.text == "Bread"


def test_a_clean_shows_in_figures_what_became_of_the_reply() -> None:
    cleaned = clean(f"{THOUGHT}\nBread", Text(), finished=False)
    assert repr(cleaned) == "<Clean cleaned: 5 of 43 characters kept, 1 removals, 1 doubts>"


# ---------------------------------------------------------------- cleaned until it stays


def test_a_text_that_changes_each_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def cut_one(work: str, *_: object) -> Found:
        spans: tuple[Span, ...] = ((1, len(work)),)
        return Found((Body("", None, spans),), ())

    monkeypatch.setattr(road, "clean_plain", cut_one)
    with pytest.raises(Ambiguous, match=r"^the reply changes each time it is cleaned$") as caught:
        clean("Butter and bread", Text(), draft=FERRY)
    assert caught.value.reply == "Butter and bread"
    assert caught.value.evidence == ("er and bread",)
    assert caught.value.retry == "Return the text once, and nothing else."


def test_a_road_that_keeps_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def keep_blanks(*_: object) -> Found:
        return Found((Body("", None, ((0, 1),)),), ())

    monkeypatch.setattr(road, "clean_plain", keep_blanks)
    with pytest.raises(NoContent, match=r"^nothing is left of the reply$") as caught:
        clean(" Butter", Text(), draft=FERRY)
    assert caught.value.evidence == (" Butter",)


def test_every_refusal_is_one_error_to_catch() -> None:
    assert issubclass(NoContent, Refused)
    assert issubclass(Ambiguous, Refused)
    assert issubclass(Refused, OnlytextError)
