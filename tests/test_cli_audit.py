"""`onlytext audit`, as a person runs it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.cli_runs import invoke, start
from tests.test_cli_patterns import PATTERN

from onlytext._cases import read_cases

if TYPE_CHECKING:
    from pathlib import Path

LOOSE = PATTERN.replace(r"zorgon speaking, the \w+ robot:", r"zorgon speaking, the \w+ .{0,40}")
HELD = "Zorgon speaking, the loaf rises. Bread is warm."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.toml").write_text(PATTERN, encoding="utf-8")
    (tmp_path / "loose.toml").write_text(LOOSE.replace('"label"', '"line"'), encoding="utf-8")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text(f"Our bread.\n\n{HELD}\n", encoding="utf-8")
    return tmp_path


def test_a_sound_pattern_is_signed_beside_its_file(folder: Path) -> None:
    arguments = (
        "audit",
        "--patterns",
        str(folder / "mine.toml"),
        "--corpus",
        str(folder / "texts"),
    )
    done = invoke(folder, *arguments, "--sign")
    assert done.code == 0, done
    assert "sound: 1 pattern without a hit, and no text changes" in done.out
    assert "signed 1, 1 of them now" in done.err
    (row,) = (folder / "mine.signed.jsonl").read_text("utf-8").splitlines()
    signed = json.loads(row)
    assert signed["pattern"] == "mine/robot"
    assert signed["texts"] == 1
    assert "0 of them now" in invoke(folder, *arguments, "--sign").err


def test_a_pattern_that_hits_content_is_told_with_file_and_line(folder: Path) -> None:
    done = invoke(
        folder,
        "audit",
        "--patterns",
        str(folder / "loose.toml"),
        "--corpus",
        str(folder / "texts"),
        "--sign",
    )
    assert done.code == 1
    assert f"mine/robot hits {folder}/texts/a.txt:3: ⟦Zorgon speaking" in done.out.replace(
        "\n", " "
    )
    assert "not sound: 1 hit in content" in done.out
    assert not (folder / "loose.signed.jsonl").exists()


def test_one_built_in_pattern_is_audited_by_its_id(folder: Path) -> None:
    done = invoke(
        folder, "audit", "--pattern", "en/word-count-within-the-limit", "--corpus", "texts"
    )
    assert done.code == 2
    done = invoke(
        folder,
        "audit",
        "--pattern",
        "en/word-count-within-the-limit",
        "--corpus",
        str(folder / "texts"),
    )
    assert done.code == 0, done
    assert "en" in done.out


def test_without_content_patterns_are_checked_and_proved_only(folder: Path) -> None:
    done = invoke(folder, "audit", "--patterns", str(folder / "mine.toml"))
    assert done.code == 0
    assert "well made and proved: 1 pattern;" in done.out
    done = invoke(folder, "audit", "--patterns", str(folder / "mine.toml"), "--sign")
    assert done.code == 2
    assert "nothing to sign" in done.err


def test_all_figures_can_be_had_as_json_and_pattern_by_pattern(folder: Path) -> None:
    arguments = (
        "audit",
        "--patterns",
        str(folder / "loose.toml"),
        "--corpus",
        str(folder / "texts"),
    )
    told = json.loads(invoke(folder, *arguments, "--json").out)
    assert told["sound"] is False
    assert told["texts"] == 1
    assert [(hit["row"], hit["open"]) for hit in told["hits"]] == [(3, True)]
    assert told["patterns"][0]["upper_bound"] > 0.5
    shown = invoke(folder, *arguments, "--all")
    assert "mine/robot" in shown.out.partition("hits")[2]


def test_what_a_person_calls_harmless_no_longer_fails(folder: Path) -> None:
    arguments = (
        "audit", "--patterns", str(folder / "loose.toml"), "--corpus", str(folder / "texts"),
        "--verdicts", str(folder / "verdicts.jsonl"), "--by", "ada",
    )  # fmt: skip
    answered = start(folder, *arguments, "--judge", stdin=b"x\n")
    assert answered.code == 1
    answered = start(folder, *arguments, "--judge", stdin=b"q\n")
    assert answered.code == 1
    assert not (folder / "verdicts.jsonl").exists()
    answered = start(folder, *arguments, "--judge", stdin=b"h\nA robot said it.\n")
    # The cleaner still takes it, which is told apart.
    assert "0 hits in content" in answered.out
    (row,) = (folder / "verdicts.jsonl").read_text("utf-8").splitlines()
    assert json.loads(row)["by"] == "ada"
    assert json.loads(row)["why"] == "A robot said it."
    assert "0 hits in content" in invoke(folder, *arguments).out


def test_what_a_person_calls_harmful_becomes_cases(folder: Path) -> None:
    arguments = (
        "audit", "--patterns", str(folder / "loose.toml"), "--corpus", str(folder / "texts"),
        "--verdicts", str(folder / "verdicts.jsonl"), "--to-cases", str(folder / "new"),
    )  # fmt: skip
    done = start(folder, *arguments, "--judge", stdin=b"c\nIt is prose.\n")
    assert done.code == 1
    assert "1 in audit-cases.jsonl" in done.err
    (case,) = read_cases(folder / "new" / "audit-cases.jsonl")
    assert case.reply == HELD
    assert HELD in (folder / "new" / "must-spare.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("--pattern", "en/word-count-within-the-limits"),
            "did you mean en/word-count-within-the-limit?",
        ),
        (("--pattern", "zz/nothing-like-it"), "there is no pattern zz/nothing-like-it"),
        (("--languages", "en,xx"), "there is no pattern of the language xx"),
        (("--patterns", "nowhere.toml"), "there is no such file"),
        (("--corpus", "nowhere"), "there is no such file or folder"),
    ],
)
def test_wrong_usage_is_told(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    # A pattern by its id keeps what is checked before small.
    narrow = () if "--patterns" in arguments else ("--patterns", str(folder / "mine.toml"))
    chosen = narrow if "--corpus" in arguments else ()
    done = invoke(folder, "audit", *chosen, *arguments)
    assert done.code == 2
    assert said in done.err.replace("\nonlytext: ", " ")


def test_an_id_that_is_taken_is_told(folder: Path) -> None:
    twice = ("--patterns", str(folder / "mine.toml"), "--patterns", str(folder / "loose.toml"))
    done = invoke(folder, "audit", *twice)
    assert done.code == 2
    assert "the id mine/robot is taken already" in done.err


def test_a_folder_that_can_not_be_written_is_told(folder: Path) -> None:
    done = invoke(
        folder,
        "audit",
        "--patterns",
        str(folder / "mine.toml"),
        "--to-cases",
        str(folder / "mine.toml"),
    )
    assert done.code == 2
    assert "can't be written" in done.err
