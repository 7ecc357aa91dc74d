from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
from tests.bulk_rows import CLEAN, LEAKING, NOTHING, OWN_PATTERN, rows, write_jsonl
from tests.cli_runs import Run, invoke, start

from onlytext.bulk import Progress, Summary, Tally, Wish
from onlytext.cli import bulkprogress

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXT = ("--format", "text.toml")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.toml").write_text('[format]\nkind = "text"\n', encoding="utf-8")
    write_jsonl(tmp_path / "in.jsonl", [row for row in rows(30) if row["reply"] != NOTHING])
    return tmp_path


def bulk(folder: Path, *arguments: str, colours: bool = False) -> Run:
    given = ("bulk", *arguments, *TEXT, "--workers", "1")
    run = (
        invoke(folder, *given, FORCE_COLOR="1", TERM="xterm") if colours else invoke(folder, *given)
    )
    return Run(run.code, run.out.replace(f"{folder}/", ""), run.err.replace(f"{folder}/", ""))


def test_rows_in_and_rows_out_are_printed_and_the_exit_code_is_0(folder: Path) -> None:
    run = bulk(folder, "in.jsonl", "-o", "out.jsonl")
    assert (run.code, run.err) == (0, "")
    table = dict(line.split(maxsplit=2)[:2] for line in run.out.splitlines()[2:4])
    assert table == {"untouched": "21", "cleaned": "6"}
    assert run.out.splitlines()[0].split() == ["rows", "in", "27"]
    assert run.out.splitlines()[1].split() == ["rows", "out", "27"]


def test_the_command_as_a_process_with_two_workers_gives_the_same_bytes(folder: Path) -> None:
    run = start(folder, "bulk", "in.jsonl", "-o", "two.jsonl", *TEXT, "--workers", "2")
    assert (run.code, run.err) == (0, "")
    bulk(folder, "in.jsonl", "-o", "one.jsonl")
    assert (folder / "one.jsonl").read_bytes() == (folder / "two.jsonl").read_bytes()


def test_rows_that_are_refused_have_an_exit_code(folder: Path) -> None:
    write_jsonl(folder / "in.jsonl", rows(30))
    run = bulk(folder, "in.jsonl", "-o", "out.jsonl")
    assert run.code == 3
    assert "refused (3 no content)" in run.out


def test_rows_that_are_malformed_have_another_and_are_told(folder: Path) -> None:
    with (folder / "in.jsonl").open("a", encoding="utf-8") as file:
        file.write("{broken\n")
    run = bulk(folder, "in.jsonl", "-o", "out.jsonl")
    assert run.code == 4
    first, second = run.err.splitlines()
    assert first.startswith("onlytext: in.jsonl:28: it is no JSON")
    assert second == "onlytext: what is malformed was put aside in out.jsonl.rejects.jsonl"


def test_a_check_prints_a_line_a_finding_and_ends_with_1(folder: Path) -> None:
    run = bulk(folder, "in.jsonl", "--check", "--id-column", "id")
    assert run.code == 1
    first = run.out.splitlines()[0]
    assert first == (
        'in.jsonl:4 (r3): line 1 of the reply: reasoning block: "<think> Two lines, fine. </think>"'
    )
    assert not list(folder.glob("*parts*"))


def test_a_check_of_texts_names_the_line_of_the_file(folder: Path) -> None:
    (folder / "docs").mkdir()
    (folder / "docs" / "a.md").write_text(LEAKING, encoding="utf-8")
    run = bulk(folder, "docs", "--check")
    assert run.code == 1
    assert run.out.startswith("docs/a.md:1: reasoning block: ")
    (folder / "docs" / "a.md").write_text(CLEAN, encoding="utf-8")
    run = bulk(folder, "docs", "--check")
    assert run.code == 0


def test_a_finding_can_t_steer_the_terminal(folder: Path) -> None:
    write_jsonl(folder / "in.jsonl", [{"reply": f"<think>\x1b[31m\u202e</think>\n{CLEAN}"}])
    run = bulk(folder, "in.jsonl", "--check")
    assert "␛[31m[U+202E]" in run.out
    assert "\x1b" not in run.out


def test_the_figures_and_the_findings_as_json(folder: Path) -> None:
    run = bulk(folder, "in.jsonl", "--check", "--json")
    figures = json.loads(run.out)
    assert figures["rows_in"] == figures["rows_out"] + figures["rejects"] == 27
    assert figures["outcomes"] == {"untouched": 21, "cleaned": 6}
    assert figures["removals"] == [{"reason": "reasoning block", "pattern": None, "count": 6}]
    assert figures["findings"][0]["row"] == 4
    run = bulk(folder, "in.jsonl", "-o", "out.jsonl", "--json")
    assert json.loads(run.out)["output"] == "out.jsonl"


def test_files_are_mended_in_place(folder: Path) -> None:
    (folder / "a.md").write_text(LEAKING, encoding="utf-8")
    run = bulk(folder, "a.md", "--in-place")
    assert run.code == 0
    assert (folder / "a.md").read_text("utf-8") == CLEAN


def test_patterns_of_one_s_own_are_used(folder: Path) -> None:
    (folder / "own.toml").write_text(OWN_PATTERN, encoding="utf-8")
    write_jsonl(folder / "in.jsonl", [{"reply": f"This is the loaf robot:\n{CLEAN}"}])
    run = bulk(folder, "in.jsonl", "-o", "out.jsonl", "--patterns", "own.toml", "--json")
    assert json.loads(run.out)["removals"][0]["pattern"] == "mine/loaf-robot"


@pytest.mark.parametrize("arguments", [(), ("--check", "--in-place"), ("-o", "x.csv", "--check")])
def test_one_of_the_three_has_to_be_chosen(folder: Path, arguments: tuple[str, ...]) -> None:
    run = bulk(folder, "in.jsonl", *arguments)
    assert run.code == 2
    assert "choose one of the three" in run.err


def test_a_mistake_is_told_in_a_sentence(folder: Path) -> None:
    run = bulk(folder, "in.jsonl", "-o", "out.jsonl", "--column", "answer")
    assert run.code == 2
    assert run.err.startswith("onlytext: in.jsonl, line 1 has no key 'answer'")


def test_what_has_to_be_installed_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onlytext.bulk", None)
    run = bulk(folder, "in.jsonl", "--check")
    assert run.code == 2
    assert 'pip install "onlytext[bulk]"' in run.err


def test_ctrl_c_ends_with_130(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("onlytext.bulk.clean_files", stop)
    run = bulk(folder, "in.jsonl", "--check")
    assert run.code == 130
    assert run.err == "onlytext: stopped: the same command goes on\n"


# ------------------------------------------------------------------- the page


def test_the_page_shows_samples_and_nothing_in_them_acts(folder: Path) -> None:
    evil = "<think>\x1b[31m<script>alert(1)</script>\u202e</think>\n"
    write_jsonl(
        folder / "in.jsonl",
        [
            {"id": "<b>", "reply": evil + CLEAN},
            {"id": "2", "reply": NOTHING},
            {"id": "3", "reply": None},
        ],
    )
    run = bulk(folder, "in.jsonl", "-o", "out.jsonl", "--report", "page.html", "--id-column", "id")
    assert run.code == 3
    page = (folder / "page.html").read_text("utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert '<b class="sign">␛</b>[31m' in page
    assert '<b class="sign">[U+202E]</b>' in page
    assert "in.jsonl, row 1 · &lt;b&gt;" in page
    assert "http" not in page.replace("http-equiv", "")
    assert page.count("<figure>") == 3


def test_the_page_tells_doubts_and_patterns_and_of_a_job_without_rows(folder: Path) -> None:
    (folder / "bread.toml").write_text(
        '[format]\nkind = "sections"\nmarkers = ["[TITLE]", "[STEP {n}]"]\n', encoding="utf-8"
    )
    (folder / "own.toml").write_text(OWN_PATTERN, encoding="utf-8")
    long = "We go on. " * 90
    write_jsonl(
        folder / "in.jsonl",
        [
            {"reply": "[TITLE]\nBread"},
            {"reply": f"<think>{long}</think>\n[TITLE]\nBread\n\n[STEP 1]\nBake"},
        ],
    )
    arguments = ("in.jsonl", "--check", "--format", "bread.toml", "--report", "page.html")
    assert invoke(folder, "bulk", *arguments, "--workers", "1").code == 1
    page = (folder / "page.html").read_text("utf-8")
    assert "Kept, but doubtful" in page
    assert '<b class="sign">…</b></del>' in page
    write_jsonl(folder / "in.jsonl", [{"reply": f"This is the loaf robot:\n{CLEAN}"}])
    bulk(folder, "in.jsonl", "--check", "--patterns", "own.toml", "--report", "page.html")
    assert "<code>mine/loaf-robot</code>" in (folder / "page.html").read_text("utf-8")
    (folder / "in.jsonl").write_text("", encoding="utf-8")
    bulk(folder, "in.jsonl", "--check", "--report", "page.html")
    assert "0 replies cleaned" in (folder / "page.html").read_text("utf-8")


def test_a_page_that_can_t_be_written_is_told(folder: Path) -> None:
    run = bulk(folder, "in.jsonl", "--check", "--report", "nowhere/page.html")
    assert run.code == 2
    assert "can't write nowhere/page.html" in run.err


# ------------------------------------------------------------------- how far it is


def watched(wish: Wish, watch: Callable[[Progress], None] = lambda _: None, **_: object) -> Summary:
    assert wish.is_check
    watch(Progress(0, 0, 100, 0))
    watch(Progress(20, 100, 100, 25))
    watch(Progress(10, 50, 100, 25))
    return Summary(Tally(), None, None, ())


def test_progress_is_a_line_now_and_then_where_there_is_no_terminal(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onlytext.bulk.clean_files", watched)
    assert bulk(folder, "in.jsonl", "--check").err == ""
    monkeypatch.setattr(bulkprogress, "_LINE_EVERY", -1.0)
    first, second = bulk(folder, "in.jsonl", "--check").err.splitlines()
    assert first == "onlytext: 0% · 0 rows · 0 rows/s"
    assert second.startswith("onlytext: 50% · 10 rows · ")
    assert second.endswith(" s left")


def test_progress_is_a_bar_on_a_terminal(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onlytext.bulk.clean_files", watched)
    run = bulk(folder, "in.jsonl", "--check", colours=True)
    assert "10 rows" in run.err
