from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from tests.cli_runs import NOTHING, REPLY, TEXT, invoke, start, write_files

from onlytext.cli.failures import diff

if TYPE_CHECKING:
    from pathlib import Path

SECTIONS = {"kind": "sections", "markers": ["[TITLE]", "[STEP {n}]"]}
GOLD = [["[TITLE]", "Bread"], ["[STEP 1]", "Knead the dough."], ["[STEP 2]", "Let it rest."]]
OTHER = [["[TITLE]", "Cake"], *GOLD[1:]]


def case(name: str, raw: str, gold: object, *leaks: str, lang: str = "en") -> dict[str, object]:
    return {
        "id": name,
        "lang": lang,
        "format": SECTIONS,
        "raw": raw,
        "gold": gold,
        "leaks": leaks,
        "draft": TEXT,
        "note": f"the note of {name}",
    }


RIGHT = [
    case("leak-1", REPLY, GOLD, "before"),
    case("clean-1", TEXT, GOLD),
    case("empty-1", NOTHING, None, "no_content"),
]
MISSED = [
    case("leak-2", REPLY, OTHER, "before", "label", lang="fr"),
    case("leak-3", NOTHING, GOLD, "before", lang="fr"),
    case("clean-2", TEXT, OTHER, lang="fr"),
    case("empty-2", TEXT, None, "no_content", lang="fr"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_files(tmp_path)
    for name, cases in (("right", RIGHT), ("missed", MISSED)):
        lines = [json.dumps(one) for one in cases]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def rows(out: str) -> list[str]:
    return [" ".join(line.split()) for line in out.splitlines() if line.strip()]


# ------------------------------------------------------------------- the tables


def test_the_figures_come_as_tables(folder: Path) -> None:
    run = start(folder, "score", "right.jsonl", "missed.jsonl")
    assert (run.code, run.err) == (0, "")
    found = rows(run.out)
    assert found[0] == "7 cases, with their drafts and prompts"
    assert "that leak 3 1 33.3 % 1 33.3 % 1 33.3 % 0" in found
    assert "without a leak 2 1 50.0 % 0 0.0 % 1 50.0 % 0" in found
    assert "without content 2 1 50.0 % 0 0.0 % 1 50.0 % 0" in found
    assert "fr 2 0 0.0 % ▒▒▒▒▒××××× 1 1 1 of 1 0 of 1" in found
    assert "en 1 1 100.0 % ██████████ 0 0 0 of 1 1 of 1" in found
    assert "before 3 1 33.3 % ████▒▒▒××× 1 1 0" in found
    assert "label 1 0 0.0 % ×××××××××× 0 1 0" in found


def test_several_files_are_told_apart(folder: Path) -> None:
    found = rows(invoke(folder, "score", "right.jsonl", "missed.jsonl").out)
    assert "right 1 1 100.0 % ██████████ 0 0 0 of 1 1 of 1" in found
    assert "missed 2 0 0.0 % ▒▒▒▒▒××××× 1 1 1 of 1 0 of 1" in found


def test_one_file_needs_no_table_of_its_own(folder: Path) -> None:
    assert "file" not in [
        row.split()[0] for row in rows(invoke(folder, "score", "right.jsonl").out)
    ]


def test_files_of_the_same_name_go_by_their_whole_paths(folder: Path) -> None:
    (folder / "old").mkdir()
    lines = [json.dumps(one | {"id": f"old-{one['id']}"}) for one in RIGHT]
    (folder / "old" / "right.jsonl").write_text("\n".join(lines), encoding="utf-8")
    run = start(folder, "score", "right.jsonl", "old/right.jsonl", COLUMNS="100")
    names = [row.split()[0] for row in rows(run.out)]
    assert {"right.jsonl", "old/right.jsonl"} <= set(names)


def test_without_a_leaking_case_there_is_no_table_of_leaks(folder: Path) -> None:
    (folder / "clean.jsonl").write_text(json.dumps(RIGHT[1]), encoding="utf-8")
    run = invoke(folder, "score", "clean.jsonl")
    assert run.code == 0
    assert "kind of leak" not in run.out
    assert "en 0 0 - 0 0 0 of 1 -" in rows(run.out)


def test_the_tables_fit_a_screen_of_80_columns(folder: Path) -> None:
    out = invoke(folder, "score", "right.jsonl", "missed.jsonl").out
    assert max(len(line) for line in out.splitlines()) <= 80


def test_harm_stands_out_in_colour(folder: Path) -> None:
    run = invoke(folder, "score", "missed.jsonl", FORCE_COLOR="1", TERM="xterm")
    assert re.search("\x1b\\[1;31m *1 of 1\x1b\\[0m", run.out)
    assert "\x1b" not in invoke(folder, "score", "missed.jsonl").out


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--no-draft"], "3 cases, with their prompts"),
        (["--no-prompt"], "3 cases, with their drafts"),
        (["--no-draft", "--no-prompt"], "3 cases, each reply by itself"),
    ],
)
def test_what_the_cleaner_was_not_given_is_told(
    folder: Path, options: list[str], told: str
) -> None:
    run = invoke(folder, "score", "right.jsonl", *options)
    assert run.code == 0
    assert run.out.splitlines()[0] == told


# ------------------------------------------------------------------- failures


def test_each_failure_is_shown_with_its_reply_and_a_diff(folder: Path) -> None:
    out = invoke(folder, "score", "missed.jsonl", "--failures").out
    start_of_next = out.index("wrong clean-2")
    first = out[:start_of_next]
    assert "wrong leak-2 · fr · before, label · " in first
    assert "missed.jsonl:1\nthe note of leak-2\n" in first
    assert f"THE REPLY\n[-{REPLY.splitlines()[0]}-]\n" in first
    assert "  [TITLE]\n- Cake\n+ Bread\n  [STEP 1]\n  Knead the dough.\n" in first


def test_a_refused_reply_is_shown_with_its_true_text(folder: Path) -> None:
    out = invoke(folder, "score", "missed.jsonl", "--failures").out
    last = out[out.index("refused leak-3") :]
    assert NOTHING.split()[0] in last
    assert "\nREFUSED: " in last
    assert "THE TRUE TEXT\n  [TITLE]\n  Bread\n  [STEP 1]\n" in last


def test_a_text_out_of_nothing_is_shown_as_it_came_out(folder: Path) -> None:
    out = invoke(folder, "score", "missed.jsonl", "--failures").out
    assert "wrong empty-2 · fr · no_content · " in out
    assert "WHAT CAME OUT, where nothing should have\n  [TITLE]\n  Bread\n" in out


def test_the_figures_come_after_the_failures(folder: Path) -> None:
    out = invoke(folder, "score", "missed.jsonl", "--failures").out
    assert out.index("refused leak-3") < out.index("4 cases, with their drafts")


def test_a_plain_text_is_shown_line_by_line(folder: Path) -> None:
    text = {**case("text-1", "One.\nTwo.", "One.\nThree."), "format": {"kind": "text"}, "note": ""}
    del text["draft"]
    (folder / "text.jsonl").write_text(json.dumps(text), encoding="utf-8")
    out = invoke(folder, "score", "text.jsonl", "--failures").out
    assert "  One.\n- Three.\n+ Two.\n" in out


def test_half_a_surrogate_pair_in_a_case_breaks_nothing(folder: Path) -> None:
    odd = case("odd-1", TEXT.replace("Bread", "Bread \ud83d"), OTHER)
    (folder / "odd.jsonl").write_text(json.dumps(odd), encoding="utf-8")
    run = start(folder, "score", "odd.jsonl", "--failures")
    assert (run.code, run.err) == (0, "")
    assert "Bread \\ud83d" in run.out
    run = start(folder, "score", "odd.jsonl", "--json")
    assert json.loads(run.out)["failures"][0]["result"]["reply"] == odd["raw"]


def test_a_diff_tells_what_was_lost_and_what_was_left_in() -> None:
    assert list(diff("One  two\n\nThree\nFour", "Zero\nOne two\nThree\n")) == [
        ("+", "Zero"),
        (" ", "One two"),
        (" ", "Three"),
        ("-", "Four"),
    ]


# ------------------------------------------------------------------- for programs


def test_all_figures_come_as_json(folder: Path) -> None:
    run = start(folder, "score", "right.jsonl", "missed.jsonl", "--json")
    assert run.code == 0
    found = json.loads(run.out)
    assert found["cases"] == 7
    assert found["leaking"] == {
        "cases": 3,
        "right": 1,
        "refused": 1,
        "wrong": 1,
        "wrong_with_doubt": 0,
    }
    assert (found["no_leak"]["wrong"], found["no_content"]["right"]) == (1, 1)
    assert found["by_language"]["en"]["leaking"]["right"] == 1
    assert found["by_leak"]["label"]["wrong"] == 1
    assert [bare_name(file) for file in found["by_file"]] == ["right.jsonl", "missed.jsonl"]


def bare_name(file: str) -> str:
    return file.replace("\\", "/").rpartition("/")[2]


def test_the_failures_come_as_json_with_the_whole_account(folder: Path) -> None:
    run = invoke(folder, "score", "missed.jsonl", "--json")
    wrong, harm, invented, refused = json.loads(run.out)["failures"]
    assert [one["id"] for one in (wrong, harm, invented, refused)] == [
        "leak-2",
        "clean-2",
        "empty-2",
        "leak-3",
    ]
    assert (wrong["verdict"], wrong["kind"], wrong["lang"]) == ("wrong", "leaking", "fr")
    assert (wrong["gold"], wrong["leaks"], wrong["line"]) == (OTHER, ["before", "label"], 1)
    assert wrong["result"]["text"] == TEXT
    assert harm["kind"] == "no leak"
    assert invented["gold"] is None
    assert refused["result"]["cause"] == "no content"


def test_the_true_text_of_a_plain_text_is_a_string_in_json_too(folder: Path) -> None:
    text = {**case("text-1", "One.", "Two."), "format": {"kind": "text"}, "draft": None}
    (folder / "text.jsonl").write_text(json.dumps(text), encoding="utf-8")
    found = json.loads(invoke(folder, "score", "text.jsonl", "--json").out)
    assert found["failures"][0]["gold"] == "Two."


# ------------------------------------------------------------------- what may be wrong


def test_every_broken_line_of_a_case_file_is_told(folder: Path) -> None:
    (folder / "broken.jsonl").write_text('{"id": "a"\n[]\n', encoding="utf-8")
    run = start(folder, "score", "broken.jsonl")
    assert (run.code, run.out) == (2, "")
    assert run.err.splitlines() == [
        "onlytext: broken.jsonl:1: not JSON: Expecting ',' delimiter at column 11",
        "onlytext: broken.jsonl:2: not a case: write one JSON object, {...}, on the line",
    ]


def test_a_missing_case_file_is_named(folder: Path) -> None:
    run = invoke(folder, "score", "gone.jsonl")
    assert (run.code, run.err) == (2, "onlytext: gone.jsonl: there is no such file\n")
