from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.cli_runs import invoke, start, write_files

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "Our bread is baked daily.\nIt is warm at six."
REPLY = f"Zorgon speaking, the loaf robot:\n\n{TEXT}"
PATTERN = r"""
language = "mine"

[[pattern]]
id = "robot"
hint = "zorgon speaking"
regex = 'zorgon speaking, the \w+ robot:'
scope = "label"
why = "The model names itself."
seen = "Our own test kitchen."
must_match = [
  "⟦Zorgon speaking, the loaf robot:⟧\nFresh bread, every day.",
  "⟦Zorgon speaking, the cake robot:⟧\nOpen on Sundays.",
]
must_spare = [
  "Zorgon speaking on the radio, we ate the cake.",
  "I heard Zorgon speaking, the loaf in hand.",
  "Is that Zorgon speaking? It is the bread that is warm.",
]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_files(tmp_path, robot=REPLY)
    (tmp_path / "text.toml").write_text('[format]\nkind = "text"\n', encoding="utf-8")
    (tmp_path / "mine.toml").write_text(PATTERN, encoding="utf-8")
    return tmp_path


def test_patterns_of_your_own_are_used_besides_the_built_in_ones(folder: Path) -> None:
    arguments = ("clean", "robot.txt", "--format", "text.toml")
    assert start(folder, *arguments).out == REPLY
    assert start(folder, *arguments, "--patterns", "mine.toml").out == TEXT


def test_the_account_names_the_pattern(folder: Path) -> None:
    arguments = ("clean", "robot.txt", "--format", "text.toml", "--patterns", "mine.toml")
    (removal,) = json.loads(invoke(folder, *arguments, "--json").out)["removals"]
    assert removal["pattern"] == "mine/robot"
    assert " · mine/robot\n" in invoke(folder, *arguments, "--explain").out


def test_a_score_may_be_taken_with_patterns_of_your_own(folder: Path) -> None:
    case = {"id": "a", "lang": "en", "format": {"kind": "text"}, "leaks": ["label"]}
    line = json.dumps({**case, "raw": REPLY, "gold": TEXT})
    (folder / "cases.jsonl").write_text(line, encoding="utf-8")
    before = json.loads(invoke(folder, "score", "cases.jsonl", "--json").out)
    assert before["leaking"]["wrong"] == 1
    arguments = ("score", "cases.jsonl", "--patterns", "mine.toml", "--json")
    assert json.loads(invoke(folder, *arguments).out)["leaking"]["right"] == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("robot:'", "(robot:'"),  # a bracket that is never closed
        (r"zorgon speaking, the \w+ robot:'", "(?:zorgon speaking)?'"),  # matches nothing at all
        ("hint =", "hnt ="),
        ("[[pattern]]", "[[pattern]"),
    ],
)
def test_a_pattern_that_is_not_sound_is_told_with_its_file(
    folder: Path, old: str, new: str
) -> None:
    (folder / "mine.toml").write_text(PATTERN.replace(old, new), encoding="utf-8")
    arguments = ("clean", "robot.txt", "--format", "text.toml", "--patterns", "mine.toml")
    run = invoke(folder, *arguments)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("onlytext: ")
    assert "mine.toml" in run.err
