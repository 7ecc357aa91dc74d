from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.cli_runs import invoke, start

from onlytext import parse
from onlytext._clean import clean
from onlytext._wording import languages
from onlytext.pipeline import load_job, read_briefs
from onlytext.pipeline._prices import price_of
from onlytext.prompts import example_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("language", languages())
def test_the_example_is_a_job_that_works_with_its_briefs(tmp_path: Path, language: str) -> None:
    run = invoke(tmp_path, "init", str(tmp_path / "job"), "--language", language)
    assert run.code == 0, run.err
    job = load_job(tmp_path / "job" / "job.toml")
    briefs = read_briefs(tmp_path / "job" / "briefs.jsonl", needs=job.needs, id_field=job.id_field)
    assert briefs.check() >= 3
    assert job.language == language
    assert job.generate is not None
    assert price_of(job.generate.model.model) is not None
    for brief in briefs:
        (message,) = job.request_for_generation(brief.fields).messages
        assert "{" not in message.content
    cleaned = clean(example_of(job.sent_format, language=language), job.sent_format)
    parse(cleaned)
    assert job.failures(cleaned) == ()


def test_it_says_what_it_wrote_and_what_comes_next(tmp_path: Path) -> None:
    run = start(tmp_path, "init")
    assert run.code == 0
    assert run.out == "job.toml\nbriefs.jsonl\n"
    assert run.err == (
        "onlytext: next:\n"
        "onlytext:   onlytext prompt job.toml briefs.jsonl\n"
        "onlytext:   onlytext run job.toml briefs.jsonl -o records.jsonl\n"
    )
    assert load_job(tmp_path / "job.toml").language == "en"


@pytest.mark.parametrize("name", ["job.toml", "briefs.jsonl"])
def test_nothing_is_ever_overwritten(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine", encoding="utf-8")
    run = invoke(tmp_path, "init", str(tmp_path))
    assert run.code == 2
    assert "is there already, and is not overwritten" in run.err
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text("utf-8") == "mine"


def test_a_language_without_an_example_is_wrong_usage(tmp_path: Path) -> None:
    run = invoke(tmp_path, "init", str(tmp_path / "x"), "--language", "xx")
    assert run.code == 2
    assert not (tmp_path / "x").exists()


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX system")
def test_a_folder_that_can_not_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    run = invoke(tmp_path, "init", f"{tmp_path}/file/x")
    assert run.code == 2
    assert run.err.endswith("file/x can't be written in: Not a directory\n")
