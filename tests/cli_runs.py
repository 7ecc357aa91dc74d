"""The command line as tests call it: as a process of its own, or quickly inside of this one."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

from typer.testing import CliRunner

from onlytext.cli import app

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = """
[format]
kind = "sections"
markers = ["[TITLE]", "[STEP {n}]"]
"""
TEXT = "[TITLE]\nBread\n\n[STEP 1]\nKnead the dough.\n\n[STEP 2]\nLet it rest."
REPLY = f"I checked each step against the rules and shortened the second one.\n\n{TEXT}"
NOTHING = "I checked each step against the rules and found two violations."


class Run(NamedTuple):
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str


def write_files(folder: Path, **contents: str) -> None:
    """Write the format file, a reply that leaks, and others: `draft="..."` is draft.txt."""
    contents = {"reply": REPLY, "nothing": NOTHING} | contents
    for name, content in contents.items():
        (folder / f"{name}.txt").write_bytes(content.encode())
    (folder / "format.toml").write_text(FORMAT, encoding="utf-8")


def in_folder(folder: Path, arguments: tuple[str, ...]) -> list[str]:
    """The arguments, the names of files in the folder made into whole paths."""
    return [
        str(folder / argument) if (folder / argument).is_file() else argument
        for argument in arguments
    ]


def start(folder: Path, *arguments: str, stdin: bytes = b"", **environment: str) -> Run:
    """Run `onlytext` as a process in the folder."""
    done = subprocess.run(
        [sys.executable, "-m", "onlytext", *arguments],
        cwd=folder,
        input=stdin,
        env=os.environ | environment,
        capture_output=True,
        check=False,
        timeout=60,
    )
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode())


def invoke(folder: Path, *arguments: str, stdin: bytes = b"", **environment: str) -> Run:
    """Run `onlytext` inside of this process, with files named as in the folder."""
    done = CliRunner().invoke(
        app,
        in_folder(folder, arguments),
        input=stdin,
        prog_name="onlytext",
        env={"NO_COLOR": None, "FORCE_COLOR": None, "COLUMNS": "80"} | environment,
    )
    return Run(done.exit_code, done.stdout, done.stderr)
