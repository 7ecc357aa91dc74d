from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from onlytext._cases import Case, CaseError, read_cases
from onlytext._clean import clean
from onlytext._format import Sections, Text
from onlytext._reply import Section

if TYPE_CHECKING:
    from pathlib import Path

TEXT_CASE: dict[str, object] = {
    "id": "bread-1",
    "lang": "en",
    "format": {"kind": "text"},
    "raw": "Our bread is baked daily.",
    "gold": "Our bread is baked daily.",
    "leaks": [],
}
SECTION_CASE: dict[str, object] = {
    **TEXT_CASE,
    "id": "bread-2",
    "format": {"kind": "sections", "markers": ["[TITLE]", "[STEP {n}]"]},
    "raw": "[TITLE]\nBread\n\n[STEP 1]\nKnead the dough.",
    "gold": [["[TITLE]", "Bread"], ["[STEP 1]", "Knead the dough."]],
}


def write(folder: Path, *cases: object) -> Path:
    file = folder / "cases.jsonl"
    lines = [case if isinstance(case, str) else json.dumps(case) for case in cases]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def only(folder: Path, case: object) -> Case:
    (found,) = read_cases(write(folder, case))
    return found


def faults(folder: Path, *cases: object) -> list[str]:
    file = write(folder, *cases)
    with pytest.raises(CaseError) as caught:
        read_cases(file)
    return [fault.removeprefix(f"{file}:") for fault in caught.value.faults]


def without(key: str) -> dict[str, object]:
    return {name: value for name, value in TEXT_CASE.items() if name != key}


def test_a_case_of_plain_text_needs_no_more_than_six_keys(tmp_path: Path) -> None:
    case = only(tmp_path, TEXT_CASE)
    assert case == Case(
        id="bread-1",
        lang="en",
        format=Text(),
        reply="Our bread is baked daily.",
        gold="Our bread is baked daily.",
        file=str(tmp_path / "cases.jsonl"),
        line=1,
    )
    assert (case.draft, case.prompt, case.note, case.finished) == (None, None, "", True)


def test_a_case_of_sections_has_the_true_text_by_its_markers(tmp_path: Path) -> None:
    case = only(tmp_path, SECTION_CASE)
    assert case.format == Sections("[TITLE]", "[STEP {n}]")
    assert case.gold == (Section("[TITLE]", "Bread"), Section("[STEP 1]", "Knead the dough."))


def test_all_that_a_case_may_tell_besides_is_read(tmp_path: Path) -> None:
    more = {"draft": "A", "prompt": "B", "note": "C", "finished": False, "leaks": ["x", "y"]}
    case = only(tmp_path, {**TEXT_CASE, **more, "model": "any", "temperature": 0.2})
    assert (case.draft, case.prompt, case.note, case.finished) == ("A", "B", "C", False)
    assert case.leaks == ("x", "y")


@pytest.mark.parametrize(
    ("table", "made"),
    [
        (
            {"kind": "text", "start": "[TEXT]", "end": "[END]", "notes": "[NOTES]"},
            Text(start="[TEXT]", end="[END]", notes="[NOTES]"),
        ),
        ({"kind": "text", "end": None}, Text()),
        (
            {"kind": "sections", "markers": ["[A]"], "end": "[END]", "notes": "[NOTES]"},
            Sections("[A]", end="[END]", notes="[NOTES]"),
        ),
        (
            {"kind": "sections", "markers": ["[A]"], "start": "[GO]"},
            Sections("[A]", start="[GO]"),
        ),
    ],
)
def test_the_format_may_have_what_stands_round_the_content(
    tmp_path: Path, table: object, made: object
) -> None:
    assert only(tmp_path, {**TEXT_CASE, "format": table, "gold": None}).format == made


def test_cases_with_equal_formats_share_one(tmp_path: Path) -> None:
    first, second = read_cases(write(tmp_path, SECTION_CASE, {**SECTION_CASE, "id": "other"}))
    assert first.format is second.format


def test_the_kind_of_a_case_follows_from_its_true_text_and_its_leaks(tmp_path: Path) -> None:
    assert only(tmp_path, TEXT_CASE).kind == "no leak"
    assert only(tmp_path, {**TEXT_CASE, "leaks": ["label"]}).kind == "leaking"
    assert only(tmp_path, {**TEXT_CASE, "leaks": ["no_content"], "gold": None}).kind == "no content"


def test_blank_lines_a_byte_order_mark_and_odd_line_ends_do_no_harm(tmp_path: Path) -> None:
    # Inside of a JSON string U+2028 is a character like any other.
    odd = {**TEXT_CASE, "raw": "one\u2028two"}
    file = tmp_path / "cases.jsonl"
    file.write_bytes(f"\ufeff{json.dumps(odd, ensure_ascii=False)}\r\n\r\n  \n".encode())
    (case,) = read_cases(file)
    assert case.reply == "one\u2028two"


def test_an_empty_reply_is_a_case_too(tmp_path: Path) -> None:
    assert only(tmp_path, {**TEXT_CASE, "raw": "", "gold": None}).reply == ""


# ------------------------------------------------------------------------------ faults


@pytest.mark.parametrize("key", ["id", "lang", "raw"])
def test_a_missing_key_is_named_with_its_line(tmp_path: Path, key: str) -> None:
    assert faults(tmp_path, SECTION_CASE, without(key)) == [f'2: "{key}" is missing']


def test_a_missing_true_text_is_no_null(tmp_path: Path) -> None:
    assert faults(tmp_path, without("gold")) == [
        '1: "gold" is missing; write null where the reply holds no content'
    ]


def test_missing_leaks_are_no_empty_list(tmp_path: Path) -> None:
    assert faults(tmp_path, without("leaks")) == ['1: "leaks" is missing; write [] for none']


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"id": 7}, '"id" must be a string, not a number'),
        ({"id": None}, '"id" must be a string, not null'),
        ({"id": " "}, '"id" is empty'),
        ({"lang": True}, '"lang" must be a string, not true or false'),
        ({"raw": ["x"]}, '"raw" must be a string, not a list'),
        ({"draft": {}}, '"draft" must be a string, not an object'),
        ({"draft": ""}, '"draft" is empty'),
        ({"gold": ""}, '"gold" is empty'),
        ({"gold": [["[A]", "x"]]}, '"gold" must be a string, not a list'),
        ({"leaks": "label"}, '"leaks" must be a list of strings'),
        ({"leaks": [1]}, '"leaks" must be a list of strings'),
        ({"finished": "no"}, '"finished" must be true or false, not a string'),
        (
            {"format": "text"},
            '"format" must be an object: {"kind": "sections", "markers": [...]}',
        ),
        ({"format": {}}, '"format" needs "kind": "sections" or "text"'),
        ({"format": {"kind": []}}, '"format" needs "kind": "sections" or "text"'),
        ({"format": {"kind": "list"}}, '"format" needs "kind": "sections" or "text"'),
        (
            {"format": {"kind": "text", "markers": []}},
            '"format": "markers" is not known; known for "text" are kind, start, end, notes',
        ),
        (
            {"format": {"kind": "sections"}},
            '"format": "markers" must be a list of strings',
        ),
        ({"format": {"kind": "text", "end": 3}}, '"format": "end" must be a string'),
    ],
)
def test_a_wrong_value_is_told_with_what_to_write(
    tmp_path: Path, change: dict[str, object], fault: str
) -> None:
    assert faults(tmp_path, {**TEXT_CASE, **change}) == [f"1: {fault}"]


@pytest.mark.parametrize(
    "gold", ["text", [], ["[TITLE]", "Bread"], [["[TITLE]"]], [["[TITLE]", None]]]
)
def test_the_true_text_of_sections_is_a_list_of_pairs(tmp_path: Path, gold: object) -> None:
    assert faults(tmp_path, {**SECTION_CASE, "gold": gold}) == [
        '1: "gold" must be a list of pairs: [["[COVER]", "its text"], ...]'
    ]


def test_a_format_that_can_not_work_is_told_in_its_own_words(tmp_path: Path) -> None:
    table = {"kind": "sections", "markers": ["[A]", "[a]"]}
    (fault,) = faults(tmp_path, {**SECTION_CASE, "format": table})
    assert fault.startswith('1: "format": ')
    assert "[A]" in fault


def test_what_is_no_json_is_told_with_its_column(tmp_path: Path) -> None:
    assert faults(tmp_path, '{"id": }') == ["1: not JSON: Expecting value at column 8"]


def test_what_is_no_object_is_no_case(tmp_path: Path) -> None:
    assert faults(tmp_path, "[]") == ["1: not a case: write one JSON object, {...}, on the line"]


def test_brackets_without_end_are_an_error_in_words(tmp_path: Path) -> None:
    assert faults(tmp_path, "[" * 200_000) == ["1: not a case: nested too deeply"]


def test_an_id_stands_for_one_case(tmp_path: Path) -> None:
    assert faults(tmp_path, TEXT_CASE, SECTION_CASE, TEXT_CASE) == [
        '3: the id "bread-1" stands on line 1 already'
    ]


def test_a_file_without_a_case_is_an_error(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, "", "  ")
    assert fault.endswith("there is no case in it; a case is one JSON object on a line")


def test_all_faults_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    assert faults(tmp_path, {**TEXT_CASE, "lang": 1, "leaks": 2}, "?") == [
        '1: "lang" must be a string, not a number',
        '1: "leaks" must be a list of strings',
        "2: not JSON: Expecting value at column 1",
    ]


def test_of_very_many_faults_the_first_are_shown_and_the_rest_counted(tmp_path: Path) -> None:
    with pytest.raises(CaseError) as caught:
        read_cases(write(tmp_path, *["?"] * 25))
    assert len(caught.value.faults) == 25
    lines = str(caught.value).split("\n")
    assert len(lines) == 21
    assert lines[-1] == "... and 5 more"


# ------------------------------------------------------------------------------ comparison


def test_blanks_and_line_ends_do_not_count(tmp_path: Path) -> None:
    cleaned = clean("Our bread\nis baked daily.", Text())
    assert only(tmp_path, {**TEXT_CASE, "gold": " Our bread is  baked\n\ndaily.\n"}).accepts(
        cleaned
    )


def test_another_word_counts(tmp_path: Path) -> None:
    cleaned = clean("Our bread is baked daily.", Text())
    assert not only(tmp_path, {**TEXT_CASE, "gold": "Our bread is baked."}).accepts(cleaned)


@pytest.mark.parametrize(
    ("gold", "accepted"),
    [
        ([["[TITLE]", " Bread "], ["[STEP 1]", "Knead\nthe dough."]], True),
        ([["[TITLE]", "Bread"]], False),
        ([["[TITLE]", "Bread"], ["[STEP 2]", "Knead the dough."]], False),
        ([["[TITLE]", "Bread"], ["[STEP 1]", "Knead."]], False),
    ],
)
def test_sections_are_compared_one_by_one(tmp_path: Path, gold: object, *, accepted: bool) -> None:
    case = only(tmp_path, {**SECTION_CASE, "gold": gold})
    assert case.accepts(clean(case.reply, case.format)) is accepted


def test_no_text_is_right_where_there_is_no_content(tmp_path: Path) -> None:
    cleaned = clean("Our bread is baked daily.", Text())
    assert not only(tmp_path, {**TEXT_CASE, "gold": None}).accepts(cleaned)
