"""What has to stay an error for type checkers, proved by mypy and by pyright."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
CALLS = sorted((ROOT / "tests" / "typing").glob("*.py"))
MYPY = re.compile(r"  # type: ignore\[(.*?)\]")
PYRIGHT = re.compile(r"  # pyright: ignore\[(.*?)\]")

Found = set[tuple[str, int, str]]
"""File, line and rule of each error."""


def expected(comment: re.Pattern[str]) -> Found:
    """The errors that a checker is told to pass over."""
    return {
        (file.name, number, rule)
        for file in CALLS
        for number, line in enumerate(file.read_text().splitlines(), start=1)
        for rules in comment.findall(line)
        for rule in rules.split(", ")
    }


def bare(folder: Path) -> list[str]:
    """Copies of the files without a word to any checker."""
    copies: list[str] = []
    for file in CALLS:
        copy = folder / file.name
        copy.write_text(PYRIGHT.sub("", MYPY.sub("", file.read_text())))
        copies.append(str(copy))
    return copies


def mypy(files: list[str], cache: Path) -> Found:
    told = run(
        "mypy", "--config-file=pyproject.toml", f"--cache-dir={cache}", "--output=json", *files
    )
    rows = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    errors = [row for row in rows if row["severity"] == "error"]
    return {(Path(row["file"]).name, row["line"], row["code"]) for row in errors}


def pyright(files: list[str]) -> Found:
    told = json.loads(run("pyright", "--outputjson", *files))
    return {
        (Path(row["file"]).name, row["range"]["start"]["line"] + 1, row["rule"])
        for row in told["generalDiagnostics"]
    }


def run(checker: str, *arguments: str) -> str:
    ended = subprocess.run(
        [sys.executable, "-m", checker, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode <= 1, ended.stdout + ended.stderr
    return ended.stdout


def test_mypy_finds_every_wrong_call_and_nothing_else(tmp_path: Path) -> None:
    # A cache of its own: another mypy may be at work on the project's.
    assert mypy(bare(tmp_path), ROOT / ".mypy_cache" / "typing") == expected(MYPY)


def test_pyright_finds_every_wrong_call_and_nothing_else(tmp_path: Path) -> None:
    assert pyright(bare(tmp_path)) == expected(PYRIGHT)


def test_the_calls_that_matter_most_are_among_the_wrong_ones() -> None:
    lines = {(file, line) for comment in (MYPY, PYRIGHT) for file, line, _ in expected(comment)}
    wrong = [
        line.strip()
        for number, line in enumerate(
            (ROOT / "tests" / "typing" / "refused.py").read_text().splitlines(), start=1
        )
        if ("refused.py", number) in lines
    ]
    for call in ("parse(reply) ", "parse(cleaned.text) ", "class Mine(Clean):", "Clean("):
        assert any(line.startswith(call) for line in wrong), call
