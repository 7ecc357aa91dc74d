from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import pytest
from tests.cli_runs import invoke, start

from onlytext.pipeline import load_job

if TYPE_CHECKING:
    from pathlib import Path

JOB: Final = """
[job]
name = "bread"
id = "id"
[format]
kind = "text"
[generate]
prompt = "Write about {topic}."
model = "writer"
effort = "low"
temperature = 0.5
[validator]
rules = ["At most 20 words."]
"""
BRIEFS: Final = '{"id": 1, "topic": "bread"}\n{"id": 2, "topic": "butter"}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "job.toml").write_text(JOB, encoding="utf-8")
    (tmp_path / "briefs.jsonl").write_text(BRIEFS, encoding="utf-8")
    drafts = JOB.partition("[generate]")[0] + '[validator]\nrules = ["Short."]\nmodel = "v"\n'
    (tmp_path / "drafts.toml").write_text(drafts, encoding="utf-8")
    plain = JOB.replace('id = "id"', 'validate = "never"') + '[hardening]\nlevel = "plain"\n'
    (tmp_path / "plain.toml").write_text(plain, encoding="utf-8")
    (tmp_path / "given.csv").write_text("id,draft\n1,Warm bread.\n", encoding="utf-8")
    return tmp_path


def test_both_passes_are_shown_word_for_word(folder: Path) -> None:
    run = start(folder, "prompt", "job.toml", "briefs.jsonl")
    assert (run.code, run.err) == (0, "")
    job = load_job(folder / "job.toml")
    first = job.request_for_generation({"topic": "bread"})
    second = job.request_for_validation("{draft}")
    told = "writer, at most 8192 tokens, effort low, temperature 0.5\n"
    for name, request in (("generate", first), ("validate", second)):
        assert f"{name}: {told}" in run.out
        assert request.system in run.out
        assert request.messages[0].content in run.out


def test_a_row_can_be_chosen(folder: Path) -> None:
    assert "about butter." in invoke(folder, "prompt", "job.toml", "briefs.jsonl", "--row", "2").out
    run = invoke(folder, "prompt", "job.toml", "briefs.jsonl", "--row", "3")
    assert run.code == 2
    assert "briefs.jsonl has no row 3: its last one is 2" in run.err
    assert invoke(folder, "prompt", "job.toml", "briefs.jsonl", "--row", "0").code == 2


def test_without_briefs_the_fields_are_shown_by_their_names(folder: Path) -> None:
    run = invoke(folder, "prompt", "job.toml")
    assert run.code == 0
    assert "Write about {topic}." in run.out


def test_a_job_that_starts_from_drafts_shows_the_draft(folder: Path) -> None:
    run = invoke(folder, "prompt", "drafts.toml", "given.csv")
    assert run.code == 0
    assert "generate" not in run.out
    assert ">\nWarm bread.\n</draft-" in run.out
    assert ">\n{draft}\n</draft-" in invoke(folder, "prompt", "drafts.toml").out


def test_a_pass_that_is_never_paid_for_is_not_shown(folder: Path) -> None:
    run = invoke(folder, "prompt", "plain.toml", "briefs.jsonl")
    assert run.code == 0
    assert "validate" not in run.out
    assert "── system" not in run.out


def test_a_program_gets_the_requests(folder: Path) -> None:
    run = invoke(folder, "prompt", "job.toml", "briefs.jsonl", "--json")
    shown = json.loads(run.out)
    assert list(shown) == ["generate", "validate"]
    assert shown["generate"]["messages"] == [{"role": "user", "content": "Write about bread."}]
    assert shown["validate"]["effort"] == "low"


def test_faults_of_the_job_or_its_briefs_are_told(folder: Path) -> None:
    (folder / "job.toml").write_text(JOB.replace('"bread"', "3"), encoding="utf-8")
    run = invoke(folder, "prompt", "job.toml")
    assert run.code == 2
    assert "[job] name: write a string in quotes, not 3" in run.err
    (folder / "job.toml").write_text(JOB, encoding="utf-8")
    (folder / "briefs.jsonl").write_text('{"id": 1}\n', encoding="utf-8")
    run = invoke(folder, "prompt", "job.toml", "briefs.jsonl")
    assert run.code == 2
    assert "briefs.jsonl:1: there is no 'topic'; the row has id" in run.err


@pytest.mark.parametrize("command", ["init", "prompt"])
def test_the_help_has_an_example(folder: Path, command: str) -> None:
    run = invoke(folder, command, "--help")
    assert run.code == 0
    assert f"  onlytext {command}" in run.out
    assert "Exit codes: 0 done" in run.out
