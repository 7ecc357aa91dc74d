"""The cases: what a careful person would keep of each reply, and what the cleaner keeps of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from onlytext._cases import Case, read_cases
from onlytext._score import judge

HERE = Path(__file__).parent / "cases"
FILES = sorted(path.name for path in HERE.glob("*.jsonl") if path.name != "traps.jsonl")

# What is not right yet, with the draft. Nothing may join them, and one that comes right has to go.
MISSED = frozenset(
    {
        "es-informe-017",
        "h-en-028",
        "h-en-031",
        "h-en-034",
        "h-en-042",
        "h-en-045",
        "h-en-046",
        "h-en-058",
        "h-fr-022",
        "h-fr-030",
        "h-es-005",
        "h-es-022",
        "h-de-004",
        "h-pt-001",
        "h-pt-002",
        "h-it-002",
        "h-pl-002",
        "h-ru-005",
        "h-tr-003",
        "h-ja-004",
        "h-ja-007",
        "real-es-car-22-F-t9-1b5",
    }
)

# Lawful text that goes with its draft: each has a rule that asks for what reads like a remark (a word
# count in brackets, a note on the revision), and the rules are not the cleaner's to know.
ASKED_FOR = frozenset(
    {
        "h-en-033",
        "h-en-056",
        "h-fr-002",
        "h-es-034",
        "h-de-005",
        "h-nl-006",
    }
)


@cache
def cases_of(file: str) -> tuple[Case, ...]:
    return read_cases(HERE / file)


ALL = [pytest.param(case, id=case.id) for file in FILES for case in cases_of(file)]


@pytest.mark.parametrize("case", ALL)
def test_a_case_is_right_with_its_draft(case: Case) -> None:
    verdict = judge(case).verdict
    if case.id in MISSED | ASKED_FOR:
        assert verdict != "right", f"{case.id} has come right: take it out"
    else:
        assert verdict == "right"


@pytest.mark.parametrize("case", ALL)
def test_without_a_draft_no_lawful_text_is_changed(case: Case) -> None:
    if case.kind == "no leak":
        assert judge(case, draft=False).verdict != "wrong"


def test_what_is_missed_is_in_the_files() -> None:
    assert {case.id for file in FILES for case in cases_of(file)} >= MISSED | ASKED_FOR


def test_nothing_that_is_missed_is_harm() -> None:
    missed = [case for file in FILES for case in cases_of(file) if case.id in MISSED]
    harmed = [case for case in missed if case.kind == "no leak"]
    assert {judge(case).verdict for case in harmed} <= {"refused"}
