"""What an audit finds in content, and what it says of patterns that are not sound."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlytext import OnlytextError
from onlytext._cases import read_cases
from onlytext._patterns import Pattern, Patterns, builtin
from onlytext.audit import (
    Hit,
    Judged,
    Passage,
    Signature,
    Verdict,
    add_signatures,
    add_verdict,
    audit,
    corpus_files,
    digest_of,
    fingerprint,
    lint,
    prove,
    read_corpus,
    read_signatures,
    read_verdicts,
    signature_file,
    spare_cases,
    spare_rows,
    unsigned,
    upper_bound,
)
from onlytext.errors import PatternError

if TYPE_CHECKING:
    from pathlib import Path

ROBOT = Pattern(
    id="mine/robot",
    hint="zorgon speaking",
    regex=r"zorgon speaking, the \w{1,20} robot:",
    scope="label",
    why="The model names itself.",
    seen="Our own test kitchen.",
    must_match=(
        "⟦Zorgon speaking, the loaf robot:⟧\nFresh bread, every day.",
        "⟦Zorgon speaking, the cake robot:⟧\nOpen on Sundays.",
    ),
    must_spare=(
        "Zorgon speaking on the radio, we ate the cake.",
        "I heard Zorgon speaking, the loaf in hand.",
        "Is that Zorgon speaking? It is the bread that is warm.",
    ),
)
# As loose as a first draft of a pattern usually is.
LOOSE = replace(ROBOT, id="mine/loose", regex="zorgon speaking.{0,80}", scope="line")
CLEAN = [
    Passage("a.txt", 1, "Warm bread.\n\nZorgon speaking of bread, as ever.\n\nOpen.", "mine"),
    Passage("b.jsonl", 7, "Un pain chaud.", "fr"),
]


def known(*rows: Pattern) -> Patterns:
    return Patterns((*builtin().rows, *rows), builtin().signals)


# ---------------------------------------------------------------- the figures


@pytest.mark.parametrize(
    ("hits", "seen", "bound"),
    [(0, 54_000, 5.548e-5), (0, 100, 0.02951), (1, 100, 0.04656), (5, 50, 0.1992), (3, 3, 1.0)],
)
def test_the_bound_is_the_one_that_statisticians_print(hits: int, seen: int, bound: float) -> None:
    assert upper_bound(hits, seen) == pytest.approx(bound, rel=2e-3)


@given(st.integers(0, 40), st.integers(1, 3000))
def test_a_bound_is_above_the_rate_and_falls_with_what_was_seen(hits: int, more: int) -> None:
    seen = hits + more
    assert hits / seen < upper_bound(hits, seen) <= 1
    assert upper_bound(hits, seen + 1) < upper_bound(hits, seen)
    assert upper_bound(hits, seen, level=0.99) > upper_bound(hits, seen)


def test_nothing_seen_bounds_nothing() -> None:
    assert upper_bound(0, 0) == 1.0


@pytest.mark.parametrize(("hits", "seen", "level"), [(3, 2, 0.95), (-1, 2, 0.95), (0, 2, 1.0)])
def test_figures_that_can_not_be_are_refused(hits: int, seen: int, level: float) -> None:
    with pytest.raises(ValueError, match=r"can't be|between 0 and 1"):
        upper_bound(hits, seen, level=level)


# ---------------------------------------------------------------- the run


def test_a_line_of_content_that_a_pattern_matches_is_a_hit_with_its_place() -> None:
    found = audit(CLEAN, known(LOOSE), only=[LOOSE])
    assert found.hits == (
        Hit(
            pattern="mine/loose",
            file="a.txt",
            row=3,
            line="Zorgon speaking of bread, as ever.",
            start=0,
            end=34,
        ),
    )
    assert not found.sound
    assert found.texts == 2
    assert found.paragraphs == 4
    assert found.characters == {"mine": len(CLEAN[0].text), "fr": len(CLEAN[1].text)}
    assert found.tallies[0].with_hint == 1


def test_the_whole_cleaner_is_seen_to_change_a_text_wherever_it_stands() -> None:
    found = audit(CLEAN, known(LOOSE), only=[LOOSE])
    assert {change.place for change in found.changes} == {"reply", "section", "last section"}
    taken = [change for change in found.changes if not change.refused]
    assert {change.pattern for change in taken} == {"mine/loose"}
    assert "Zorgon speaking" in found.changes[0].gone


def test_a_narrow_pattern_is_sound() -> None:
    found = audit(CLEAN, known(ROBOT))
    assert found.sound
    tally = next(one for one in found.tallies if one.pattern is ROBOT)
    assert tally.hits == []
    assert tally.with_hint == 1
    assert found.bound(tally) == upper_bound(0, 4)


def test_paragraphs_are_tried_as_first_and_as_last_ones() -> None:
    inside = Passage("a.txt", 1, "One.\n\nZorgon speaking, all of it.\n\nTwo.\n\nThree.\n\nFour.")
    head = replace(ROBOT, id="mine/head", regex="zorgon speaking.{0,80}", scope="head")
    places = {change.place for change in audit([inside], known(head)).changes}
    assert places == {"paragraphs"}


def test_a_text_that_the_cleaner_refuses_is_told_with_the_reason() -> None:
    found = audit([Passage("a.txt", 1, "Here is the corrected text:")], builtin())
    assert [change.refused for change in found.changes if change.place == "reply"] != [""]


def test_one_pattern_alone_is_run_quickly_and_the_cleaner_only_where_it_hits() -> None:
    refused = Passage("a.txt", 1, "Here is the corrected text:")
    assert audit([refused], known(ROBOT), only=[ROBOT], whole=False).sound


def test_each_text_is_one_step() -> None:
    steps: list[Passage] = []
    audit(CLEAN, known(ROBOT), only=[ROBOT], step=steps.append)
    assert steps == CLEAN


def test_a_fenced_block_stays_one_paragraph() -> None:
    text = "One.\n\n```\na\n\nb\n```\n\nTwo."
    assert Passage("a.txt", 1, text).paragraphs == ["One.", "```\na\n\nb\n```", "Two."]


# ---------------------------------------------------------------- lint and proof


def test_a_sound_pattern_has_no_fault() -> None:
    assert list(lint([ROBOT], known(ROBOT))) == []
    assert list(prove(ROBOT, known(ROBOT))) == []


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (replace(ROBOT, regex="(zorgon"), "not RE2 syntax"),
        (replace(ROBOT, regex="(?:zorgon speaking.{0,20})?"), "matches an empty line"),
        (
            replace(ROBOT, regex="zorgon speaking.{0,30}|nous"),
            "the regex takes the bare line 'nous'",
        ),
        (replace(ROBOT, regex=r"zorgon \w{1,20}, the \w{1,20} robot:"), "'speaking' of the hint"),
        (
            replace(ROBOT, regex="zorgon speaking, not that one"),
            "matches no line of what is marked",
        ),
    ],
)
def test_a_pattern_that_is_not_well_made_is_told(row: Pattern, fault: str) -> None:
    catalogue = Patterns(builtin().rows, builtin().signals)
    if "RE2" not in fault and "empty" not in fault:
        catalogue = known(row)
    told = list(lint([row], catalogue))
    assert any(fault in one for one in told), told
    assert all(one.startswith("mine/robot: ") for one in told)


def test_a_catalogue_out_of_order_or_with_the_same_twice_is_told() -> None:
    twin = replace(ROBOT, id="mine/android")
    told = list(lint([ROBOT, twin], known(ROBOT, twin)))
    assert "mine/android: it says the same as mine/robot: keep one of them" in told
    assert any("put it before mine/robot" in one for one in told)


def test_a_pattern_that_none_of_its_examples_needs_is_told() -> None:
    wider = replace(
        ROBOT, id="mine/a-wider-one", regex=r"zorgon speaking, the \w{1,20} robot:.{0,9}"
    )
    told = list(lint([wider, ROBOT], known(wider, ROBOT)))
    assert any("none of its examples needs it" in one for one in told)


def test_a_pattern_whose_examples_are_refused_is_told_by_its_proof() -> None:
    refused = replace(ROBOT, must_match=("⟦Zorgon speaking, the x robot:⟧",) * 2)
    assert list(lint([refused], known(refused))) == []
    assert len(list(prove(refused, known(refused)))) == 2


def test_a_proof_that_does_not_hold_is_told_with_what_happens() -> None:
    wrong = replace(
        ROBOT,
        must_match=(
            "Zorgon speaking, ⟦the loaf robot:⟧\nFresh.",
            "⟦Zorgon speaking, the x robot:⟧",
        ),
        must_spare=(
            "Zorgon speaking, the loaf robot:\nFresh bread.",
            "Zorgon speaking, the x robot:",
        ),
    )
    told = list(prove(wrong, known(wrong)))
    assert len(told) == 4
    assert "something else goes" in told[0]
    assert "a must_match is refused" in told[1]
    assert "a must_spare is changed" in told[2]
    assert "a must_spare is refused" in told[3]


# ---------------------------------------------------------------- content


def test_content_is_read_from_files_of_every_kind_and_from_folders(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.md").write_text("Bread.", "utf-8")
    (tmp_path / "empty.txt").write_text(" \n", "utf-8")
    (tmp_path / "b.jsonl").write_text('{"text": "Pain.", "lang": "fr"}\n{"text": " "}\n', "utf-8")
    (tmp_path / "c.csv").write_text("text,language\nPan.,es\n", "utf-8")
    (tmp_path / "left.alone").write_text("x", "utf-8")
    files = corpus_files([tmp_path])
    assert [(one.text, one.language) for one in read_corpus(files)] == [
        ("Pain.", "fr"),
        ("Pan.", "es"),
        ("Bread.", None),
    ]


def test_the_fingerprint_is_of_the_contents(tmp_path: Path) -> None:
    one, two = tmp_path / "a.txt", tmp_path / "b.txt"
    one.write_text("Bread.", "utf-8")
    two.write_text("Butter.", "utf-8")
    before = fingerprint([one, two])
    assert before == fingerprint([two, one])
    two.write_text("Jam.", "utf-8")
    assert before != fingerprint([one, two])


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("missing.txt", None, "there is no such file or folder"),
        ("a.doc", "x", "content is read from"),
        ("a.jsonl", '{"body": "x"}\n', "there is no text in the column 'text': the row has body"),
        ("a.jsonl", '{"text": 1}\n', "name the right one with --column"),
        ("a.jsonl", "{broken\n", "a.jsonl:1"),
    ],
)
def test_content_that_can_not_be_read_is_told_with_its_place(
    tmp_path: Path, name: str, content: str | None, said: str
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(OnlytextError, match=said.replace("(", r"\(")):
        list(read_corpus(corpus_files([tmp_path / name])))


def test_a_folder_without_content_is_told(tmp_path: Path) -> None:
    with pytest.raises(OnlytextError, match="holds no text"):
        corpus_files([tmp_path])


# ---------------------------------------------------------------- signatures


def signature(row: Pattern, corpus: str = "c0") -> Signature:
    return Signature(
        pattern=row.id,
        digest=digest_of(row),
        corpus=corpus,
        texts=2,
        paragraphs=4,
        with_hint=1,
        judged=0,
        date="2026-01-02",
    )


def test_a_signature_lapses_when_the_pattern_is_edited(tmp_path: Path) -> None:
    file = signature_file(tmp_path / "mine.toml")
    assert file.name == "mine.signed.jsonl"
    assert unsigned([ROBOT], file) == (ROBOT,)
    assert add_signatures(file, [signature(ROBOT)]) == 1
    assert unsigned([ROBOT, LOOSE], file) == (LOOSE,)
    assert unsigned([replace(ROBOT, regex="zorgon speaking, robot:")], file) != ()
    assert unsigned([replace(ROBOT, why="Another reason.")], file) == ()


def test_signatures_are_only_ever_added(tmp_path: Path) -> None:
    file = tmp_path / "mine.signed.jsonl"
    add_signatures(file, [signature(ROBOT)])
    assert add_signatures(file, [signature(ROBOT), signature(LOOSE)]) == 1
    assert add_signatures(file, [signature(ROBOT, corpus="c1")]) == 1
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [(row["pattern"], row["corpus"]) for row in rows] == [
        ("mine/robot", "c0"),
        ("mine/loose", "c0"),
        ("mine/robot", "c1"),
    ]
    assert read_signatures(file)[digest_of(ROBOT)].corpus == "c1"


def test_a_broken_file_of_signatures_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.signed.jsonl"
    file.write_text("\n{}\n", "utf-8")
    with pytest.raises(PatternError, match=r"signed\.jsonl:2: this line is no signature"):
        read_signatures(file)
    file.write_bytes(b"\xff")
    with pytest.raises(PatternError, match="can't be read"):
        read_signatures(file)
    with pytest.raises(PatternError, match="stay unsigned"):
        add_signatures(tmp_path / "no" / "such" / "folder.jsonl", [signature(ROBOT)])


# ---------------------------------------------------------------- verdicts


def verdict(hit: Hit, *, harmful: bool) -> Verdict:
    return Verdict(
        pattern=hit.pattern,
        digest=digest_of(LOOSE),
        line=hit.line,
        file=hit.file,
        row=hit.row,
        judgement="harmful" if harmful else "harmless",
        by="ada",
        when="2026-01-02T03:04:05+00:00",
        why="A sentence of the text.",
    )


def test_the_last_verdict_on_a_hit_counts(tmp_path: Path) -> None:
    (hit,) = audit(CLEAN, known(LOOSE), only=[LOOSE]).hits
    file = tmp_path / "verdicts.jsonl"
    assert read_verdicts(file) == []
    add_verdict(file, verdict(hit, harmful=True))
    add_verdict(file, verdict(hit, harmful=False))
    judged = Judged(read_verdicts(file))
    said = judged.of(hit, digest_of(LOOSE))
    assert said is not None
    assert said.judgement == "harmless"
    assert said.by == "ada"
    assert judged.of(hit, digest_of(ROBOT)) is None
    judged.add(verdict(hit, harmful=True))
    again = judged.of(hit, digest_of(LOOSE))
    assert again is not None
    assert again.judgement == "harmful"


@pytest.mark.parametrize(
    "line",
    [
        '{"pattern": "x"}',
        "{",
        '{"judgement": "so-so"}',
        '{"judgement": "harmful", "row": "1"}',
        "[]",
    ],
)
def test_a_broken_file_of_verdicts_is_told_with_its_line(tmp_path: Path, line: str) -> None:
    file = tmp_path / "verdicts.jsonl"
    file.write_text(f"\n{line}\n", "utf-8")
    with pytest.raises(OnlytextError, match=r"verdicts\.jsonl:2: this line is no verdict"):
        read_verdicts(file)


def test_verdicts_that_can_not_be_read_or_written_are_told(tmp_path: Path) -> None:
    (hit,) = audit(CLEAN, known(LOOSE), only=[LOOSE]).hits
    with pytest.raises(OnlytextError, match="can't be read"):
        read_verdicts(tmp_path)
    with pytest.raises(OnlytextError, match="can't be written"):
        add_verdict(tmp_path / "no" / "folder.jsonl", verdict(hit, harmful=True))


def test_harmful_hits_become_cases_that_must_come_out_untouched(tmp_path: Path) -> None:
    (hit,) = audit(CLEAN, known(LOOSE), only=[LOOSE]).hits
    file = tmp_path / "cases.jsonl"
    rows = spare_cases([(LOOSE, hit), (LOOSE, hit)])
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (case,) = read_cases(file)
    assert case.gold == case.reply == hit.line
    assert case.leaks == ()


def test_harmful_hits_become_rows_that_a_pattern_must_spare() -> None:
    import tomllib

    told = spare_rows([(LOOSE, 'Say "Zorgon".'), (LOOSE, 'Say "Zorgon".'), (LOOSE, "Ça va.")])
    assert tomllib.loads(told) == {"must_spare": ['Say "Zorgon".', "Ça va."]}
    assert told.startswith("# mine/loose\n")
