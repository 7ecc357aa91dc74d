from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.cli_runs import NOTHING, REPLY, TEXT, invoke, start, write_files

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_files(tmp_path)
    return tmp_path


# ------------------------------------------------------------------- the command as a process


def test_only_the_text_comes_out_and_nothing_else(folder: Path) -> None:
    run = start(folder, "clean", "reply.txt", "--format", "format.toml")
    assert (run.code, run.out, run.err) == (0, TEXT, "")


def test_a_reply_may_come_through_a_pipe(folder: Path) -> None:
    run = start(folder, "clean", "-", "--format", "format.toml", stdin=REPLY.encode())
    assert (run.code, run.out) == (0, TEXT)


def test_a_refusal_has_its_exit_code_and_a_sentence_for_the_model(folder: Path) -> None:
    run = start(folder, "clean", "nothing.txt", "--format", "format.toml")
    assert (run.code, run.out) == (3, "")
    first, second = run.err.splitlines()
    assert first.startswith("onlytext: refused: ")
    assert second.startswith("onlytext: to ask the model again: ")


def test_wrong_usage_has_its_exit_code(folder: Path) -> None:
    run = start(folder, "clean", "reply.txt")
    assert run.code == 2
    assert "--format" in run.err
    assert "Traceback" not in run.err


def test_a_clean_reply_comes_out_byte_for_byte(folder: Path) -> None:
    text = TEXT.replace("\n", "\r\n") + "\r\n"
    run = start(folder, "clean", "-", "--format", "format.toml", stdin=text.encode())
    assert (run.code, run.out) == (0, text)


def test_the_account_is_json_in_utf_8_whatever_the_terminal_speaks(folder: Path) -> None:
    reply = TEXT.replace("Bread", "Pão 🍞")
    arguments = ("clean", "-", "--format", "format.toml", "--json")
    run = start(folder, *arguments, stdin=reply.encode(), PYTHONIOENCODING="ascii")
    assert run.code == 0
    assert "Pão 🍞" in run.out
    assert json.loads(run.out)["text"] == reply


# ------------------------------------------------------------------- what may be asked for


def test_the_account_holds_all_that_clean_tells(folder: Path) -> None:
    run = invoke(folder, "clean", "reply.txt", "--format", "format.toml", "--json")
    assert run.code == 0
    account = json.loads(run.out)
    assert account["outcome"] == "cleaned"
    assert account["text"] == TEXT
    assert account["reply"] == REPLY
    assert account["sections"][1] == {"marker": "[STEP 1]", "body": "Knead the dough."}
    (removal,) = account["removals"]
    assert removal["text"] == REPLY[removal["start"] : removal["end"]]
    assert removal["text"].startswith("I checked")
    assert set(removal) == {"start", "end", "text", "reason", "pattern"}
    assert {"doubts", "pieces"} < set(account)


def test_the_explanation_shows_what_was_dropped_and_why(folder: Path) -> None:
    run = invoke(folder, "clean", "reply.txt", "--format", "format.toml", "--explain")
    assert run.code == 0
    head, legend, blank, dropped, reason = run.out.splitlines()[:5]
    assert head.startswith("cleaned: 1 removal")
    assert legend == "[-dropped-]"
    assert not blank
    assert dropped == f"[-{REPLY.splitlines()[0]}-]"
    assert reason.startswith("    ↳ ")
    assert run.out.endswith(f"\n\n{TEXT}\n")


def test_the_explanation_has_colours_instead_of_marks_where_there_are_colours(
    folder: Path,
) -> None:
    arguments = ("clean", "reply.txt", "--format", "format.toml", "--explain")
    run = invoke(folder, *arguments, FORCE_COLOR="1", TERM="xterm")
    assert f"\x1b[9;31m{REPLY.splitlines()[0]}\x1b[0m" in run.out
    assert "[-" not in run.out


def test_there_are_no_colours_for_those_who_want_none(folder: Path) -> None:
    arguments = ("clean", "reply.txt", "--format", "format.toml", "--explain")
    run = invoke(folder, *arguments, FORCE_COLOR="1", TERM="xterm", NO_COLOR="1")
    assert "\x1b" not in run.out
    assert "[-" in run.out


def test_a_line_longer_than_the_screen_is_not_cut(folder: Path) -> None:
    line = "Knead the dough. " * 30
    (folder / "long.txt").write_text(TEXT.replace("Knead the dough.", line), encoding="utf-8")
    arguments = ("clean", "long.txt", "--format", "format.toml", "--explain")
    assert line.strip() in invoke(folder, *arguments).out
    assert line.strip() in invoke(folder, *arguments, FORCE_COLOR="1", TERM="xterm").out


def test_the_explanation_of_a_clean_reply_is_short(folder: Path) -> None:
    arguments = ("clean", "-", "--format", "format.toml", "--explain")
    run = invoke(folder, *arguments, stdin=TEXT.encode())
    assert run.out == f"untouched: nothing was dropped\n\n{TEXT}\n"


def test_the_explanation_of_a_refusal_shows_the_reply(folder: Path) -> None:
    run = invoke(folder, "clean", "nothing.txt", "--format", "format.toml", "--explain")
    assert run.code == 3
    assert run.out.startswith("refused: ")
    assert "violations" in run.out
    assert "to ask the model again" in run.err


def test_the_account_of_a_refusal_is_json_too(folder: Path) -> None:
    run = invoke(folder, "clean", "nothing.txt", "--format", "format.toml", "--json")
    assert run.code == 3
    account = json.loads(run.out)
    assert account["outcome"] == "refused"
    assert account["cause"] == "no content"
    assert account["reply"] == NOTHING
    assert account["retry"] in run.err
    assert set(account) == {"outcome", "cause", "why", "evidence", "retry", "reply"}


def test_one_of_two_ways_to_see_the_account_has_to_be_chosen(folder: Path) -> None:
    arguments = ("clean", "reply.txt", "--format", "format.toml", "--json", "--explain")
    run = invoke(folder, *arguments)
    assert run.code == 2
    assert "choose one of the two" in run.err


def test_a_cut_off_reply_gives_what_is_whole_with_a_doubt(folder: Path) -> None:
    cut = TEXT.removesuffix(" it rest.")
    arguments = ("clean", "-", "--format", "format.toml")
    run = invoke(folder, *arguments, "--cut-off", stdin=cut.encode())
    assert (run.code, run.out) == (0, cut)
    assert run.err.startswith("onlytext: doubt, line ")


def test_a_draft_and_a_prompt_are_read_without_their_byte_order_mark(folder: Path) -> None:
    (folder / "draft.txt").write_text(f"\ufeff{TEXT}", encoding="utf-8")
    (folder / "prompt.txt").write_text(f"\ufeffShorten this:\n{TEXT}", encoding="utf-8")
    arguments = ("clean", "reply.txt", "--format", "format.toml")
    run = invoke(folder, *arguments, "--draft", "draft.txt", "--prompt", "prompt.txt")
    assert (run.code, run.out) == (0, TEXT)


def test_the_draft_is_compared_with(folder: Path) -> None:
    (folder / "draft.txt").write_text(f"{TEXT}\n\n[STEP 3]\nBake.", encoding="utf-8")
    arguments = ("clean", "reply.txt", "--format", "format.toml", "--draft", "draft.txt")
    run = invoke(folder, *arguments)
    assert (run.code, run.out) == (0, TEXT)
    assert "[STEP 3]" in run.err


# ------------------------------------------------------------------- what may be wrong


def test_standard_input_can_be_read_only_once(folder: Path) -> None:
    run = invoke(folder, "clean", "-", "--format", "format.toml", "--draft", "-")
    assert run.code == 2
    assert "can be read only once" in run.err


@pytest.mark.parametrize("which", ["--draft", "--prompt", "--format", "--patterns"])
def test_a_missing_file_is_named(folder: Path, which: str) -> None:
    options = {"--format": "format.toml", which: "gone.file"}
    arguments = [part for option in options.items() for part in option]
    run = invoke(folder, "clean", "reply.txt", *arguments)
    assert (run.code, run.out) == (2, "")
    assert "gone.file" in run.err
    assert run.err.startswith("onlytext: ")


def test_a_missing_reply_is_named(folder: Path) -> None:
    run = invoke(folder, "clean", "gone.txt", "--format", "format.toml")
    assert (run.code, run.err) == (2, "onlytext: gone.txt: there is no such file\n")


def test_a_folder_is_no_reply(folder: Path) -> None:
    run = invoke(folder, "clean", str(folder), "--format", "format.toml")
    assert (run.code, run.out) == (2, "")
    assert "is a folder" in run.err


def test_input_that_is_not_utf_8_is_told_with_its_place(folder: Path) -> None:
    run = invoke(folder, "clean", "-", "--format", "format.toml", stdin=b"caf\xe9")
    assert run.code == 2
    assert run.err == (
        "onlytext: standard input is not UTF-8: byte 0xE9 at offset 3 (line 1); save it as UTF-8\n"
    )


def test_a_format_file_with_a_typo_is_told_line_by_line(folder: Path) -> None:
    (folder / "typo.toml").write_text('[format]\nkind = "sections"\nmarker = []\nfoo = 1\n')
    run = invoke(folder, "clean", "reply.txt", "--format", "typo.toml")
    assert run.code == 2
    assert all(line.startswith("onlytext: ") for line in run.err.splitlines())
    assert "typo.toml" in run.err
    assert "markers" in run.err


def test_an_empty_reply_is_refused(folder: Path) -> None:
    run = invoke(folder, "clean", "-", "--format", "format.toml")
    assert (run.code, run.out) == (3, "")


def test_nul_bytes_are_text_like_any_other(folder: Path) -> None:
    text = TEXT.replace("Bread", "Bre\0ad")
    run = invoke(folder, "clean", "-", "--format", "format.toml", stdin=text.encode())
    assert (run.code, run.out) == (0, text)
