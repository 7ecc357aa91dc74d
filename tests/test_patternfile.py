"""A pattern file of a user: what is wrong with one is told by file, row and id."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from onlytext import OnlytextError, Patterns, Text, clean
from onlytext._patternfile import read_patterns
from onlytext._patterns import Pattern, read_catalogue, whole_catalogue
from onlytext._signed import digest_of
from onlytext.errors import PatternError

if TYPE_CHECKING:
    from pathlib import Path

BAKER = """\
language = "xx"

[[pattern]]
id = "baker"
hint = "baker says"
regex = "the baker says:"
scope = "label"
why = "A label before the text."
seen = "Our own bakery."
must_match = ["⟦The baker says:⟧\\nBread.", "⟦the baker says:⟧\\nCake."]
must_spare = ["As the baker says, so be it.", "baker says no", "A baker says yes."]
"""
ROW = BAKER.split("\n\n", 1)[1]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "baker.toml"


def faults_of(file: Path, content: str) -> list[str]:
    """What is told of a file of this content, without the file's name before each."""
    file.write_text(content, encoding="utf-8")
    with pytest.raises(PatternError) as caught:
        read_patterns(file)
    lines = str(caught.value).split("\n")
    assert all(line.startswith(str(file)) for line in lines)
    return [line.removeprefix(str(file)).lstrip(": ") for line in lines]


def test_a_sound_pattern_takes_its_label_from_a_reply(file: Path) -> None:
    file.write_text(BAKER, encoding="utf-8")
    reply = "The baker says:\nBread is warm."
    assert clean(reply, Text()).text == reply
    cleaned = clean(reply, Text(), patterns=Patterns.load(file))
    assert cleaned.text == "Bread is warm."
    [removal] = cleaned.removals
    assert (removal.text, removal.reason) == ("The baker says:\n", "validator language")
    assert removal.pattern == "xx/baker"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            'regex = "the baker says:"',
            'regex = ".*"',
            "xx/baker: the regex matches an empty line: make it say more",
        ),
        (
            'regex = "the baker says:"',
            'regex = "note|the baker"',
            "xx/baker: the regex matches the single word 'Note': make it say more",
        ),
        (
            '"⟦The baker says:⟧\\nBread.", ',
            "",
            "xx/baker: a pattern carries its proof: 2 must_match and 3 must_spare at least",
        ),
        (
            ', "A baker says yes."',
            "",
            "xx/baker: a pattern carries its proof: 2 must_match and 3 must_spare at least",
        ),
        (
            "⟦The baker says:⟧",
            "The baker says:",
            "xx/baker: put ⟦ and ⟧ round what goes from 'The baker says:\\nBread.'",
        ),
        (
            "⟦The baker says:⟧",
            "⟦The baker says:",
            "xx/baker: put ⟦ and ⟧ round what goes from '⟦The baker says:\\nBread.'",
        ),
        (
            "baker says no",
            "the cook says no",
            "xx/baker: the hint 'baker says' is not in the example 'the cook says no'",
        ),
        (
            'scope = "label"',
            'scope = "lable"',
            (
                "[[pattern]] 1 (baker) scope: write one of label, head, tail, line, end-of-line, "
                "not 'lable'"
            ),
        ),
        (
            'id = "baker"',
            'id = "Baker!"',
            (
                "[[pattern]] 1 (Baker!) id: write small letters and digits, in words joined by -, "
                "not 'Baker!'"
            ),
        ),
        ('id = "baker"', "id = 1", "[[pattern]] 1 (1) id: write a string in quotes, not 1"),
        ('id = "baker"\n', "", "[[pattern]] 1 id is missing: write it"),
        (
            'why = "A label before the text."',
            'why = ""',
            "[[pattern]] 1 (baker) why: write something, not ''",
        ),
        (
            'why = "A label before the text."',
            'why = "A label."\nzzz = "May"',
            (
                "[[pattern]] 1 (baker) has no key zzz: the keys are id, hint, regex, scope, why, "
                "seen, must_match, must_spare, format"
            ),
        ),
        ('language = "xx"', "", "the file language is missing: write it"),
        (
            'language = "xx"',
            'language = "xx"\nauthor = "me"',
            "the file has no key author: the keys are language, pattern",
        ),
    ],
)
def test_a_fault_is_told_with_what_to_mend(file: Path, old: str, new: str, fault: str) -> None:
    assert old in BAKER
    assert faults_of(file, BAKER.replace(old, new, 1)) == [fault]


def test_a_slip_of_a_key_is_told_with_the_key_that_is_meant(file: Path) -> None:
    assert faults_of(file, BAKER.replace("hint =", "hnt =")) == [
        "[[pattern]] 1 (baker) hint is missing: write it",
        "[[pattern]] 1 (baker) has no key hnt: write hint",
    ]


def test_a_row_that_is_no_table_is_told_by_its_place(file: Path) -> None:
    [fault] = faults_of(file, 'language = "xx"\npattern = [1]\n')
    assert fault.startswith("[[pattern]] 1 ")
    assert fault.endswith("write a table, not 1")


def test_a_list_of_patterns_that_is_no_list_is_told_of_the_file(file: Path) -> None:
    assert faults_of(file, 'language = "xx"\npattern = 1\n') == [
        "the file pattern: write a list in square brackets, not 1"
    ]


def test_a_regex_that_is_not_re2_syntax_is_told_with_the_reason(file: Path) -> None:
    [fault] = faults_of(file, BAKER.replace('"the baker says:"', "'the (baker says:'"))
    assert fault.startswith("xx/baker: the regex is not RE2 syntax: missing )")


def test_an_id_that_stands_twice_is_told_once(file: Path) -> None:
    assert faults_of(file, f"{BAKER}\n{ROW}") == [
        "xx/baker: this id stands twice: give one of them another"
    ]


def test_every_fault_of_a_file_is_told_at_once(file: Path) -> None:
    broken = BAKER.replace('"the baker says:"', '".*"').replace("baker says no", "never")
    assert len(faults_of(file, broken)) == 2


def test_a_file_that_is_no_toml_or_not_there_is_told_by_its_name(file: Path) -> None:
    assert faults_of(file, "x = [") == ["1:6: not valid TOML: Invalid value"]
    file.unlink()
    with pytest.raises(PatternError, match="there is no such file") as caught:
        read_patterns(file)
    assert str(file) in str(caught.value)


def test_two_files_may_not_use_one_id(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    for each in (file, other):
        each.write_text(BAKER, encoding="utf-8")
    with pytest.raises(OnlytextError) as caught:
        Patterns.load(file, other)
    assert str(caught.value) == (
        "the pattern id 'xx/baker' is taken already: give yours another id"
    )


# ---------------------------------------------------------------- compiled patterns


def pattern(name: str, regex: str) -> Pattern:
    return Pattern(f"xx/{name}", "", regex, "label", "", "", (), ())


def test_two_regexes_that_are_sound_only_side_by_side_are_refused() -> None:
    with pytest.raises(PatternError, match=r"^xx/left: "):
        Patterns([pattern("left", "bread("), pattern("right", ")butter")]).match_line("breadbutter")


def test_without_patterns_no_line_matches_one() -> None:
    assert Patterns([]).match_line("Here is the corrected text:") == ()


def test_the_span_of_a_pattern_is_told_in_characters() -> None:
    known = Patterns([pattern("says", "le four dit:")])
    [row] = known.rows
    line = "été"
    assert known.span(row, "** le four dit:") == (0, 15)
    assert known.span(row, line) == (0, 3)


def test_a_line_end_is_told_from_where_its_own_words_begin() -> None:
    row = Pattern("xx/end", "", r"\(gone\)", "end-of-line", "", "", (), ())
    assert Patterns([row]).span(row, "Été (gone)") == (4, 10)


def test_a_catalogue_may_have_patterns_without_signals_and_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "patterns"
    folder.mkdir()
    (folder / "README.md").write_text("not a table", encoding="utf-8")
    (folder / "xx.toml").write_text(BAKER, encoding="utf-8")

    def here(_: str) -> Path:
        return tmp_path

    monkeypatch.setattr("importlib.resources.files", here)
    found = whole_catalogue()
    assert [row.id for row in found.rows] == ["xx/baker"]
    assert found.signals == ()


def test_signals_without_patterns_are_a_catalogue_too() -> None:
    rows, signals = read_catalogue('language = "xx"\n[signals]\nedit = ["cut"]\n')
    assert rows == []
    assert signals is not None
    assert dict(signals.words)["edit"] == ("cut",)
    assert signals.common == frozenset()


def signed(row: Pattern) -> str:
    return json.dumps({"pattern": row.id, "digest": digest_of(row)}) + "\n"


def test_a_signed_file_loads_until_one_of_its_patterns_is_edited(file: Path) -> None:
    file.write_text(BAKER, encoding="utf-8")
    (row,) = read_patterns(file)
    file.with_name("baker.signed.jsonl").write_text(signed(row), encoding="utf-8")
    assert Patterns.load(file).rows[-1] == row
    file.write_text(BAKER.replace("the baker says:", "a baker says:", 1), encoding="utf-8")
    with pytest.raises(PatternError, match="xx/baker: it was edited since its audit") as caught:
        Patterns.load(file)
    assert "--sign" in str(caught.value)
    assert Patterns.load(file, unsigned=True).rows[-1].regex == "a baker says:"


@pytest.mark.parametrize("content", ["{", '{"pattern": "x"}', "[]", "1"])
def test_signatures_that_are_none_are_told(file: Path, content: str) -> None:
    file.write_text(BAKER, encoding="utf-8")
    file.with_name("baker.signed.jsonl").write_text(content, encoding="utf-8")
    with pytest.raises(PatternError, match="holds no signatures that can be read"):
        Patterns.load(file)
