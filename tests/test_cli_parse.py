from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.cli_runs import NOTHING, TEXT, invoke, start, write_files

if TYPE_CHECKING:
    from pathlib import Path

RECORD = {"[TITLE]": "Bread", "[STEP {n}]": ["Knead the dough.", "Let it rest."]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_files(tmp_path, gap=TEXT.replace("[STEP 2]", "[STEP 3]").replace("Bread", ""))
    return tmp_path


def test_the_record_comes_out_as_json(folder: Path) -> None:
    run = start(folder, "parse", "reply.txt", "--format", "format.toml")
    assert (run.code, run.err) == (0, "")
    assert json.loads(run.out) == RECORD


def test_a_plain_text_is_a_record_too(folder: Path) -> None:
    (folder / "text.toml").write_text('[format]\nkind = "text"\n', encoding="utf-8")
    run = invoke(folder, "parse", "-", "--format", "text.toml", stdin=b"Our bread is baked daily.")
    assert json.loads(run.out) == {"text": "Our bread is baked daily."}


def test_the_whole_account_has_the_record_in_it(folder: Path) -> None:
    run = invoke(folder, "parse", "reply.txt", "--format", "format.toml", "--json")
    account = json.loads(run.out)
    assert account["record"] == RECORD
    assert account["faults"] == []
    assert account["text"] == TEXT
    assert len(account["removals"]) == 1


def test_all_faults_of_a_record_are_told_at_once(folder: Path) -> None:
    run = invoke(folder, "parse", "gap.txt", "--format", "format.toml")
    assert (run.code, run.out) == (3, "")
    assert "onlytext: the text was cleaned, but is no whole record:" in run.err
    assert "[TITLE]" in run.err
    assert "[STEP 2]" in run.err


def test_the_faults_of_a_record_are_in_the_account(folder: Path) -> None:
    run = invoke(folder, "parse", "gap.txt", "--format", "format.toml", "--json")
    assert run.code == 3
    account = json.loads(run.out)
    assert account["record"] is None
    assert len(account["faults"]) == 2
    assert account["reply"].startswith("[TITLE]")


def test_a_refused_reply_is_no_record(folder: Path) -> None:
    run = invoke(folder, "parse", "nothing.txt", "--format", "format.toml")
    assert (run.code, run.out) == (3, "")
    assert run.err.startswith("onlytext: refused: ")


def test_the_account_of_a_refusal_is_json(folder: Path) -> None:
    run = invoke(folder, "parse", "nothing.txt", "--format", "format.toml", "--json")
    assert run.code == 3
    assert json.loads(run.out)["reply"] == NOTHING
