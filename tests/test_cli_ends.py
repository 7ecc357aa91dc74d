"""How commands end: help, exit codes, errors in words, pipes and terminals."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer
from tests.cli_runs import REPLY, TEXT, invoke, start, write_files

from onlytext.cli.exits import ends_plainly
from onlytext.errors import FormatError, ParseError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FULL = Path("/dev/full")

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX system")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_files(tmp_path)
    return tmp_path


# ------------------------------------------------------------------- help


def test_without_a_command_there_is_help(folder: Path) -> None:
    run = start(folder)
    assert run.code == 2
    assert "clean" in run.out + run.err


@pytest.mark.parametrize("command", ["clean", "parse", "score"])
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_the_help_of_each_command_has_an_example_and_the_exit_codes(
    folder: Path, command: str, flag: str
) -> None:
    run = invoke(folder, command, flag)
    assert run.code == 0
    assert f"  onlytext {command} " in run.out
    assert "Exit codes: 0 done · 2 wrong usage or a bad file · 3 refused" in run.out


def test_the_help_shows_a_format_file_as_it_has_to_be_written(folder: Path) -> None:
    out = invoke(folder, "clean", "--help").out
    assert "   [format] " in out
    assert 'markers = ["[COVER]", "[SLIDE {n}]", "[CAPTION]"]' in out


def test_the_version_is_told(folder: Path) -> None:
    run = invoke(folder, "--version")
    assert run.code == 0
    assert run.out.startswith("onlytext 0.")


def test_an_unknown_command_is_wrong_usage(folder: Path) -> None:
    run = invoke(folder, "clear")
    assert run.code == 2
    assert "clear" in run.err


def test_the_shell_can_complete_commands(folder: Path) -> None:
    run = start(
        folder,
        _ONLYTEXT_COMPLETE="complete_bash",
        COMP_WORDS="onlytext sc",
        COMP_CWORD="1",
    )
    assert run.out.strip() == "score"


# ------------------------------------------------------------------- errors


def fails(error: Exception) -> Callable[[], None]:
    def command() -> None:
        raise error

    return ends_plainly(command)


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (FormatError("one\ntwo"), 2, "onlytext: one\nonlytext: two\n"),
        (
            ParseError(("no [A]", "no [B]")),
            3,
            (
                "onlytext: the text was cleaned, but is no whole record:\n"
                "onlytext:   no [A]\nonlytext:   no [B]\n"
            ),
        ),
    ],
)
def test_an_error_is_told_line_by_line(
    capsys: pytest.CaptureFixture[str], error: Exception, code: int, told: str
) -> None:
    with pytest.raises(typer.Exit) as caught:
        fails(error)()
    assert caught.value.exit_code == code
    assert capsys.readouterr().err == told


def test_a_fault_of_our_own_is_told_with_its_place_and_without_a_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(typer.Exit) as caught:
        fails(ZeroDivisionError("division by zero"))()
    assert caught.value.exit_code == 1
    told = capsys.readouterr().err
    assert told.startswith(
        "onlytext: a fault of onlytext itself: ZeroDivisionError: division by zero "
        "(test_cli_ends.py, line "
    )
    assert "Traceback" not in told


def test_the_traceback_of_a_fault_can_be_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONLYTEXT_TRACEBACK", "1")
    with pytest.raises(typer.Exit):
        fails(ZeroDivisionError())()
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("error", [typer.Exit(4), typer.BadParameter("no"), typer.Abort()])
def test_what_typer_itself_raises_is_left_to_typer(error: Exception) -> None:
    with pytest.raises(type(error)) as caught:
        fails(error)()
    assert caught.value is error


# ------------------------------------------------------------------- pipes and terminals


@posix
def test_a_reader_that_has_had_enough_is_no_error(folder: Path) -> None:
    (folder / "long.txt").write_text(TEXT + "\nStir.\nBake." * 100_000, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "onlytext", "clean", "long.txt", "--format", "format.toml"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.skipif(not FULL.exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize("how", [[], ["--json"], ["--explain"]])
def test_a_full_disk_is_told(folder: Path, how: list[str]) -> None:
    with FULL.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "onlytext", "clean", "reply.txt", "-f", "format.toml", *how],
            cwd=folder,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"onlytext: can't write: No space left on device\n"


def on_terminal(
    folder: Path,
    *arguments: str,
    stdin: bytes | None = None,
    environment: Mapping[str, str] | None = None,
) -> str:
    """What `onlytext` writes where standard output, and input if not given, is a terminal."""
    master, slave = os.openpty()
    plain = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    with subprocess.Popen(
        [sys.executable, "-m", "onlytext", *arguments],
        cwd=folder,
        stdin=slave if stdin is not None else subprocess.DEVNULL,
        stdout=slave,
        stderr=slave,
        env=plain | {"TERM": "xterm-256color", "COLUMNS": "80"} | dict(environment or {}),
    ):
        os.close(slave)
        if stdin is not None:
            os.write(master, stdin)
        shown = b""
        while True:
            try:
                some = os.read(master, 1 << 16)
            except OSError:  # how Linux says that the other end was closed
                break
            if not some:
                break
            shown += some
    os.close(master)
    return shown.decode().replace("\r\n", "\n")


@posix
def test_on_a_terminal_the_text_ends_its_line(folder: Path) -> None:
    assert on_terminal(folder, "clean", "reply.txt", "-f", "format.toml") == f"{TEXT}\n"


@posix
def test_on_a_terminal_what_was_dropped_is_struck_through_in_red(folder: Path) -> None:
    shown = on_terminal(folder, "clean", "reply.txt", "-f", "format.toml", "--explain")
    assert f"\x1b[9;31m{REPLY.splitlines()[0]}\x1b[0m" in shown
    assert "[-" not in shown


@posix
@pytest.mark.parametrize("unwanted", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_without_colours_gets_marks(folder: Path, unwanted: dict[str, str]) -> None:
    arguments = ("clean", "reply.txt", "-f", "format.toml", "--explain")
    shown = on_terminal(folder, *arguments, environment=unwanted)
    assert "\x1b" not in shown
    assert f"[-{REPLY.splitlines()[0]}-]" in shown


@posix
def test_who_is_to_type_the_reply_is_told_so(folder: Path) -> None:
    typed = f"{TEXT}\n".encode() + b"\x04"
    shown = on_terminal(folder, "clean", "-", "-f", "format.toml", stdin=typed)
    assert "onlytext: reading from the terminal; end with Ctrl-D" in shown
    assert shown.endswith(f"{TEXT}\n")


# ------------------------------------------------------------------- what is loaded


@pytest.mark.parametrize(
    ("arguments", "code", "spared"),
    [
        (["clean", "reply.txt", "-f", "format.toml"], 0, ["rich"]),
        (["--version"], 0, ["rich", "pydantic"]),
    ],
)
def test_a_command_loads_only_what_it_needs(
    folder: Path, arguments: list[str], code: int, spared: list[str]
) -> None:
    script = (
        "import atexit, sys\n"
        "from onlytext.cli import main\n"
        f"atexit.register(lambda: print([m for m in {spared} if m in sys.modules], flush=True))\n"
        f"sys.argv = ['onlytext', *{arguments}]\n"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, check=False, text=True
    )
    assert done.returncode == code
    assert done.stdout.endswith("[]\n")
