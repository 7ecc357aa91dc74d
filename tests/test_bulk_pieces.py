"""Corners of bulk work that a whole job does not reach, or only in another process."""

from __future__ import annotations

import io
import multiprocessing
import os
import signal
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from pyarrow import parquet as pq
from tests.bulk_rows import CLEAN, PLAIN, rows, text_of, write_jsonl

from onlytext import Patterns
from onlytext._visible import visible
from onlytext.bulk import BulkError, Tally, Wish, clean_batch, clean_files
from onlytext.bulk import _pool as pool
from onlytext.bulk._block import Block
from onlytext.bulk._columns import sound
from onlytext.bulk._inference import _joined as joined
from onlytext.bulk._sources import find_sources
from onlytext.bulk._tables import codec_of, read_batches
from onlytext.bulk._texts import read_reply
from onlytext.bulk._thrift import Value, write_struct

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def test_a_slice_of_a_batch_crosses_to_another_process_without_the_rest() -> None:
    batch = pa.record_batch({"reply": [CLEAN] * 1000})
    block = Block("in", 1, 2, b"", 9, batch=batch.slice(5, 2))
    packed = block.packed()
    assert len(packed.data) < 3000
    assert packed.unpacked().to_pylist() == block.unpacked().to_pylist()
    assert packed.packed() is packed


def test_batches_far_above_the_size_are_cut_into_halves(tmp_path: Path) -> None:
    replies = ["x" * 20_000 if n > 900 else "x" for n in range(1000)]
    pq.write_table(pa.table({"reply": replies}), tmp_path / "in.parquet", use_dictionary=True)
    (source,) = find_sources([str(tmp_path / "in.parquet")])[1]
    blocks = list(read_batches(source, size=40_000))
    assert sum(block.rows for block in blocks) == 1000
    assert [block.first for block in blocks][:1] == [1]
    assert all(b.batch is not None and (b.batch.nbytes < 170_000 or b.rows == 1) for b in blocks)


def test_a_table_without_columns_has_a_codec_all_the_same(tmp_path: Path) -> None:
    pq.write_table(pa.table({}), tmp_path / "in.parquet")
    (source,) = find_sources([str(tmp_path / "in.parquet")])[1]
    assert codec_of(source) == "snappy"


def test_loaded_patterns_may_be_given_to_a_batch() -> None:
    made = clean_batch(pa.table({"reply": [CLEAN]}), PLAIN, patterns=Patterns.load())
    assert made.column("text").to_pylist() == [CLEAN]


def test_many_or_large_text_files_are_several_blocks_and_a_huge_one_is_put_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(7):
        (tmp_path / f"{number}.txt").write_text(CLEAN, encoding="utf-8")
    monkeypatch.setattr("onlytext.bulk._texts._MOST_FILES", 3)
    wish = Wish(inputs=[str(tmp_path)], format=PLAIN, is_check=True)
    seen: list[int] = []
    clean_files(wish, workers=1, watch=lambda at: seen.append(at.rows))
    assert seen == [3, 6, 7]
    monkeypatch.setattr("onlytext.bulk._texts.LONGEST_ROW", 10)
    summary = clean_files(wish, workers=1)
    assert summary.tally.rejects == 7
    assert "more than 10" in summary.told[0]


def test_a_text_file_that_vanishes_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(CLEAN, encoding="utf-8")
    (source,) = find_sources([str(tmp_path / "a.txt")])[1]
    source.path.unlink()
    found = read_reply(source)
    assert not isinstance(found, str)
    assert "no such file" in found.why.lower()


def test_a_name_that_can_t_be_one_is_told() -> None:
    for name in ("x" * 5000, "a\0b.jsonl"):
        with pytest.raises(BulkError, match=r"can't be read|no such file"):
            find_sources([name])


def test_two_workers_and_one_give_the_same_bytes(tmp_path: Path) -> None:
    source = write_jsonl(tmp_path / "in.jsonl", rows(60))
    outputs: list[bytes] = []
    for workers in (1, 2):
        output = tmp_path / f"out{workers}.parquet"
        wish = Wish(inputs=[str(source)], format=PLAIN, output=output, block_bytes=5000)
        clean_files(wish, workers=workers)
        outputs.append(output.read_bytes())
    assert outputs[0] == outputs[1]
    assert pq.read_table(io.BytesIO(outputs[0])).column("text").to_pylist() == [
        text_of(row) for row in rows(60)
    ]


def test_processors_are_counted_where_the_system_can_t_say_which(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert pool.processors() >= 1
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert pool.processors() == 1


def test_a_worker_leaves_ctrl_c_to_its_parent_and_ends_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended: list[int] = []

    class Parent:
        sentinel = 3

    def parent() -> Parent:
        return Parent()

    def wait(sentinels: Sequence[int]) -> None:
        assert sentinels == [3]

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(multiprocessing, "parent_process", parent)
    monkeypatch.setattr(pool, "wait", wait)
    monkeypatch.setattr(os, "_exit", ended.append)
    try:
        pool._begin().join()
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended == [1]


def test_a_tally_comes_back_from_json_as_it_was(tmp_path: Path) -> None:
    wish = Wish(
        inputs=[str(write_jsonl(tmp_path / "in.jsonl", rows(20)))], format=PLAIN, is_check=True
    )
    tally = clean_files(wish, workers=1).tally
    assert Tally.from_json(tally.to_json()) == tally


def test_ordinary_text_is_shown_as_it_is() -> None:
    assert visible("déjà 👩\u200d🍳\tא\n") == "déjà 👩\u200d🍳\tא\n"
    assert visible("a\x7f") == "a␡"


def test_a_field_far_from_the_last_one_has_its_number_written() -> None:
    assert write_struct({40: Value(6, 1)}) == b"\x06\x50\x02\x00"


def test_signs_that_can_t_be_shown_may_come_first_and_last() -> None:
    assert visible("\x00a\x00") == "␀a␀"


def test_letters_beyond_ascii_and_half_pairs_are_made_sound() -> None:
    assert sound("déjà 🍞") == "déjà 🍞"
    assert sound("\ud83c") == "�"


def test_types_that_can_t_be_joined_have_no_common_one() -> None:
    assert joined(pa.int64(), pa.string()) is None
    assert joined(pa.int64(), pa.float64()) == pa.float64()
