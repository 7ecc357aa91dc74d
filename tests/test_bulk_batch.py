from __future__ import annotations

import pickle
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bulk_rows import (
    BREAD,
    CLEAN,
    LEAKING,
    NOTHING,
    OWN_PATTERN,
    PLAIN,
    SECTIONED,
    rows,
    text_of,
)

from onlytext import Refused, Text, clean
from onlytext.bulk import BulkError, batch_schema, clean_batch
from onlytext.bulk import _verdict as verdicts
from onlytext.bulk._verdict import row_cleaner

if TYPE_CHECKING:
    from pathlib import Path

STRINGS = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]


def batch_of(replies: list[str | None], kind: pa.DataType | None = None) -> pa.RecordBatch:
    return pa.record_batch(
        {
            "n": pa.array(range(len(replies))),
            "reply": pa.array(replies, pa.string()).cast(kind or pa.string()),
        }
    )


def test_every_other_column_is_as_it_was_and_the_new_ones_follow() -> None:
    table = pa.Table.from_pylist(rows())
    made = clean_batch(table, PLAIN)
    assert made.select(table.schema.names).equals(table)
    assert made.schema.names[4:] == ["text", "outcome", "cause", "why", "removals", "doubts"]
    assert made.schema.equals(batch_schema(table.schema, PLAIN))


def test_each_text_is_what_clean_gives() -> None:
    some = rows()
    made = clean_batch(pa.Table.from_pylist(some), PLAIN).to_pylist()
    assert [row["text"] for row in made] == [text_of(row) for row in some]
    assert [row["outcome"] for row in made[:9]] == [
        "untouched", "untouched", "untouched", "cleaned", "untouched", "untouched", "untouched",
        "refused", "cleaned",
    ]  # fmt: skip


def test_what_was_removed_is_there_with_its_place_its_reason_and_its_pattern() -> None:
    cleaned = clean(LEAKING, PLAIN)
    (row,) = clean_batch(batch_of([LEAKING]), PLAIN).to_pylist()
    assert row["removals"] == [
        {
            "start": one.start,
            "end": one.end,
            "text": one.text,
            "reason": one.reason,
            "pattern": one.pattern,
        }
        for one in cleaned.removals
    ]
    assert row["doubts"] == []


def test_a_doubt_is_told_of_a_row_that_came_out_as_it_was() -> None:
    (row,) = clean_batch(batch_of(["[TITLE]\nBread"]), BREAD).to_pylist()
    assert row["outcome"] == "untouched"
    assert row["text"] == "[TITLE]\nBread"
    (doubt,) = row["doubts"]
    assert "[STEP" in doubt["reason"]


def test_a_refused_row_stays_without_a_text_and_says_why() -> None:
    (row,) = clean_batch(batch_of([NOTHING]), PLAIN).to_pylist()
    assert (row["outcome"], row["cause"], row["text"]) == ("refused", "no content", None)
    assert row["removals"] is row["doubts"] is None
    assert row["why"]


def test_a_missing_reply_is_refused_and_an_empty_one_too() -> None:
    first, second = clean_batch(batch_of([None, ""]), PLAIN).to_pylist()
    assert (first["outcome"], first["cause"]) == ("refused", "no reply")
    assert (second["outcome"], second["cause"]) == ("refused", "no content")


def test_sections_are_a_list_of_their_own() -> None:
    first, second = clean_batch(batch_of([SECTIONED, "no sections"]), BREAD).to_pylist()
    assert first["sections"] == [
        {"marker": "[TITLE]", "body": "Bread"},
        {"marker": "[STEP 1]", "body": "Knead it."},
    ]
    assert second["sections"] is None


@pytest.mark.parametrize("kind", STRINGS, ids=str)
def test_every_type_of_strings_can_be_cleaned_and_the_text_has_it_too(kind: pa.DataType) -> None:
    batch = batch_of([CLEAN, None, LEAKING], kind)
    made = clean_batch(batch.slice(1), PLAIN)
    wanted = pa.string() if kind == STRINGS[-1] else kind
    assert made.column("text").type == wanted
    assert made.column("text").to_pylist() == [None, CLEAN]
    assert clean_batch(batch.slice(0, 1), PLAIN).column("text").to_pylist() == [CLEAN]
    assert clean_batch(batch.slice(0, 1), PLAIN).column("text").type == wanted


def test_the_text_of_a_batch_without_a_leak_is_the_very_column_of_the_replies() -> None:
    batch = batch_of([CLEAN] * 4)
    made = clean_batch(batch, PLAIN)
    ours, theirs = made.column("text").buffers(), batch.column("reply").buffers()
    assert [one.address for one in ours if one] == [one.address for one in theirs if one]


def test_an_empty_batch_and_an_empty_table_have_the_new_columns_too() -> None:
    for empty in (batch_of([]), pa.table({"reply": pa.array([], pa.string())})):
        made = clean_batch(empty, PLAIN)
        assert made.num_rows == 0
        assert made.schema.names[-1] == "doubts"


def test_a_column_of_nulls_is_a_column_without_replies() -> None:
    made = clean_batch(pa.table({"reply": pa.nulls(2)}), PLAIN)
    assert made.column("cause").to_pylist() == ["no reply", "no reply"]


def test_drafts_and_prompts_are_used_where_they_are_named() -> None:
    draft = "Bread is warm.\nIt is baked at six."
    reply = "Bread is warm.\nIt is baked at six.\nI kept both lines as they were."
    table = pa.table({"reply": [reply], "draft": [draft], "prompt": ["Check it."]})
    made = clean_batch(table, PLAIN, draft_column="draft", prompt_column="prompt").to_pylist()
    assert made[0]["text"] == clean(reply, PLAIN, draft=draft, prompt="Check it.").text


def test_bytes_that_are_no_utf_8_are_told_row_by_row_and_kept() -> None:
    bad = pa.array([CLEAN.encode(), b"caf\xe9 " * 60], pa.binary())
    kind = pa.string()
    column = pa.Array.from_buffers(kind, 2, bad.buffers())
    batch = pa.record_batch({"reply": column, "draft": column})
    made = clean_batch(batch, PLAIN)
    assert made.column("outcome").to_pylist() == ["untouched", "refused"]
    assert made.column("cause").to_pylist() == [None, "not UTF-8"]
    assert made.column("reply").equals(column)
    assert (
        clean_batch(batch, PLAIN, draft_column="draft").column("cause").to_pylist()[1]
        == "not UTF-8"
    )


def test_a_reply_that_is_absurdly_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "LONGEST_REPLY", 1000)
    (row,) = clean_batch(batch_of([CLEAN * 20]), PLAIN).to_pylist()
    assert (row["outcome"], row["cause"]) == ("refused", "too long")


def test_a_fault_of_the_cleaner_costs_one_row_and_not_the_batch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(reply: str, *_: object, **__: object) -> None:
        raise RecursionError(reply[:3])

    monkeypatch.setattr(verdicts, "clean", fail)
    made = clean_batch(batch_of([CLEAN, LEAKING]), PLAIN)
    assert made.column("outcome").to_pylist() == ["untouched", "refused"]
    assert made.column("cause").to_pylist() == [None, "fault"]
    assert "RecursionError" in str(made.column("why").to_pylist()[1])


def test_a_column_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(BulkError, match=r"no column 'answer'; the columns are 'n', 'reply'"):
        clean_batch(batch_of([CLEAN]), PLAIN, column="answer")
    with pytest.raises(BulkError, match="no column 'draft'"):
        clean_batch(batch_of([CLEAN]), PLAIN, draft_column="draft")


def test_a_column_without_strings_is_refused() -> None:
    with pytest.raises(BulkError, match=r"'n' can't be cleaned: its type is int64"):
        clean_batch(batch_of([CLEAN]), PLAIN, column="n")


def test_a_name_that_is_taken_asks_for_a_prefix_and_a_prefix_helps() -> None:
    table = pa.table({"reply": [CLEAN], "text": ["mine"]})
    with pytest.raises(BulkError, match="--prefix clean_"):
        clean_batch(table, PLAIN)
    made = clean_batch(table, PLAIN, prefix="clean_")
    assert made.schema.names[2] == "clean_text"
    assert made.column("text").to_pylist() == ["mine"]


def test_pattern_files_are_read_where_the_batch_is_cleaned(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN_PATTERN, encoding="utf-8")
    reply = f"This is the loaf robot:\n{CLEAN}"
    call = partial(clean_batch, format=PLAIN, patterns=[str(file)])
    made = pickle.loads(pickle.dumps(call))(batch_of([reply]))  # noqa: S301 - our own
    assert made.column("removals").to_pylist()[0][0]["pattern"] == "mine/loaf-robot"


# ------------------------------------------------------------------- the short way for clear rows

LINES = st.sampled_from(
    ["Bread is warm.", "```", "~~~", "Here is the corrected text:", "<think>", "</think>", "", "\u200b",
     "Note: it rests.", "- one", "\u2028", "\ufeff", "I checked it.", "🍞", "    "]
)  # fmt: skip


@given(st.lists(LINES, min_size=25, max_size=40).map("\n".join))
def test_a_reply_that_passes_for_clear_is_one_that_clean_leaves_alone(reply: str) -> None:
    cleaner = row_cleaner(PLAIN, None)
    if cleaner.is_clear(reply.encode()):
        made = clean(reply, PLAIN)
        assert (made.text, made.removals, made.doubts) == (reply, (), ())


@given(st.lists(st.lists(LINES, max_size=9).map("\n".join), max_size=5))
def test_a_batch_gives_what_clean_gives_for_each_reply(replies: list[str]) -> None:
    made = clean_batch(batch_of(list(replies)), PLAIN)
    for reply, row in zip(replies, made.to_pylist(), strict=True):
        try:
            text = clean(reply, PLAIN).text
        except Refused:
            text = None
        assert row["text"] == text


def test_nothing_is_told_without_a_look_where_a_word_may_close_the_text() -> None:
    assert row_cleaner(PLAIN, None).can_screen
    assert not row_cleaner(Text(end="[END]"), None).can_screen
    assert not row_cleaner(BREAD, None).can_screen
