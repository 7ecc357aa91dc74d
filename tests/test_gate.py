"""The gate holds, and it is a gate: it can't be opened by mistake."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests import gate
from tests.gate import (
    MODES,
    Figures,
    Floor,
    faults,
    figures_of,
    floor_of,
    read_floors,
    tightened,
)

from onlytext import NoContent, Text
from onlytext._cases import Case
from onlytext._score import Result, Score

if TYPE_CHECKING:
    from pathlib import Path

    from onlytext._score import Verdict

HELD, LOWERED = read_floors()


def floor(counts: dict[str, int], *, harm: tuple[str, ...] = (), cases: str = "c0") -> Floor:
    return Floor(cases, dict.fromkeys(MODES, Figures(counts, harm)))


@pytest.mark.parametrize("file", gate.case_files(), ids=lambda file: file.name)
def test_no_figure_is_worse_than_it_was(file: Path) -> None:
    assert list(faults(file.name, floor_of(file), HELD.get(file.name))) == []


def test_every_lowered_floor_has_its_reason() -> None:
    assert all(row["why"].strip() and row["what"].strip() for row in LOWERED)


def test_a_figure_that_is_worse_is_told_by_group_and_mode() -> None:
    told = list(faults("a", floor({"language en: wrong": 3}), floor({"language en: wrong": 2})))
    assert told == [f"a, {mode}, language en: wrong: 3, and it was 2" for mode in MODES]


def test_one_group_does_not_pay_for_another() -> None:
    now = floor({"language en: wrong": 1, "language fr: wrong": 4})
    held = floor({"language en: wrong": 4, "language fr: wrong": 3})
    assert len(list(faults("a", now, held))) == len(MODES)


def results(*verdicts: tuple[str, Verdict]) -> Score:
    """A case of each language, with what became of it."""
    refusal = NoContent("x", reply="x", evidence=(), retry="x")
    return Score(
        tuple(
            Result(Case(lang, lang, Text(), "x", "x", leaks=("label",)), verdict, refusal)
            for lang, verdict in verdicts
        )
    )


def test_a_wrong_answer_may_become_a_refusal_and_a_right_one_may_not() -> None:
    wrong, refused = (figures_of(results(("en", one))) for one in ("wrong", "refused"))
    right = figures_of(results(("en", "right")))
    assert right.counts == {}

    def told(now: Figures, held: Figures) -> list[str]:
        return list(
            faults("a", Floor("", dict.fromkeys(MODES, now)), Floor("", dict.fromkeys(MODES, held)))
        )

    assert told(refused, wrong) == []
    assert told(right, wrong) == []
    assert len(told(wrong, refused)) == 2 * len(MODES)
    assert len(told(refused, right)) == 2 * len(MODES)


def test_harm_is_told_by_its_case() -> None:
    assert f"a, {MODES[0]}: x-1 is a lawful text, and it is changed" in list(
        faults("a", floor({}, harm=("x-1",)), floor({}))
    )


def test_other_cases_than_those_held_are_told() -> None:
    assert list(faults("a", floor({}, cases="c1"), floor({}))) == [
        "a: the cases are not those that the floors are of"
    ]
    assert list(faults("a", floor({}), None)) == ["a: nothing is held of this file yet"]


def test_tightening_takes_the_better_figure_and_never_the_worse() -> None:
    held = floor({"language en: wrong": 2, "language fr: wrong": 1})
    now = floor({"language en: wrong": 1, "language fr: wrong": 5, "language es: wrong": 1})
    taken = tightened(now, held, lower=False)
    assert taken.modes["with draft"].counts == {"language en: wrong": 1, "language fr: wrong": 1}
    assert len(list(faults("a", now, taken))) == 2 * len(MODES)


def test_lowering_takes_the_worse_figure_but_never_harm() -> None:
    now = floor({"language fr: wrong": 5}, harm=("x-1", "x-2"))
    taken = tightened(now, floor({}, harm=("x-2",)), lower=True)
    assert taken.modes["with draft"].counts == {"language fr: wrong": 5}
    assert taken.modes["with draft"].harm == ("x-2",)
    assert list(faults("a", now, taken)) != []


def case(name: str, raw: str, gold: str, *leaks: str) -> dict[str, object]:
    return {
        "id": name,
        "lang": "en",
        "format": {"kind": "text"},
        "rules": [],
        "draft": "Warm bread.",
        "raw": raw,
        "gold": gold,
        "leaks": list(leaks),
    }


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(gate, "FLOORS", tmp_path / "floors.json")
    monkeypatch.setattr(gate, "CASES", tmp_path)
    for name in ("read_floors", "write_floors", "case_files"):
        monkeypatch.setattr(getattr(gate, name), "__defaults__", (tmp_path / "floors.json",))
    monkeypatch.setattr(gate.case_files, "__defaults__", (tmp_path,))
    write_cases(tmp_path, case("a", "Warm bread.", "Warm bread."))
    return tmp_path


def write_cases(folder: Path, *rows: dict[str, object]) -> None:
    (folder / "few.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def test_the_command_takes_over_better_figures_and_asks_a_reason_for_worse_ones(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate.main([]) == 1
    assert "nothing is held of this file yet" in capsys.readouterr().out
    assert gate.main(["--tighten"]) == 0
    assert gate.main([]) == 0
    # A reply that no cleaner takes for what this case calls right.
    write_cases(
        folder, case("a", "Warm bread.", "Warm bread."), case("b", "Cold.", "Old.", "label")
    )
    assert gate.main(["--tighten"]) == 1
    assert gate.main([]) == 1
    assert gate.main(["--lower", "A case that is out of reach."]) == 0
    assert gate.main([]) == 0
    table = json.loads((folder / "floors.json").read_text("utf-8"))
    (row,) = table["lowered"]
    assert row["why"] == "A case that is out of reach."
    assert "language en: not right: 1, and it was 0" in row["what"]


def test_the_command_never_takes_over_harm(folder: Path) -> None:
    assert gate.main(["--tighten"]) == 0
    write_cases(folder, case("a", "Warm bread.", "Another."))
    assert gate.main(["--lower", "It would be easier."]) == 1
    assert gate.main([]) == 1
