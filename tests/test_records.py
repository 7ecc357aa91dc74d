from __future__ import annotations

import errno
import gzip
import importlib
import json
import os
import sys
from typing import IO, TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onlytext.pipeline import RecordsError, read_briefs, write_records
from onlytext.pipeline._records import check_output

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

parquet: Any = importlib.import_module("pyarrow.parquet")

ROWS: Final[list[dict[str, object]]] = [
    {"id": "b", "text": "é\u2028", "record": {"[A]": ["x"]}, "share": 1, "ok": True, "n": 1},
    {"id": "a", "text": None, "record": None, "share": 0.5, "ok": False, "n": None},
]


def read_parquet(file: Path) -> list[dict[str, Any]]:
    return parquet.read_table(file).to_pylist()  # type: ignore[no-any-return]


def left(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_records_are_lines_of_json_in_their_order(tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    assert write_records(file, ROWS) == 2
    lines = file.read_bytes().decode().split("\n")
    assert [json.loads(line) for line in lines[:-1]] == ROWS
    assert "é" in lines[0]
    assert left(tmp_path) == ["out.jsonl"]


def test_packed_records_are_the_same_each_time(tmp_path: Path) -> None:
    one, other = tmp_path / "a.jsonl.gz", tmp_path / "b.ndjson.gz"
    write_records(one, ROWS)
    write_records(other, iter(ROWS))
    assert one.read_bytes() == other.read_bytes()
    assert [json.loads(line) for line in gzip.decompress(one.read_bytes()).splitlines()] == ROWS


def test_records_of_parquet_have_columns(tmp_path: Path) -> None:
    file = tmp_path / "out.parquet"
    assert write_records(file, ROWS) == 2
    assert read_parquet(file) == [
        {**ROWS[0], "record": '{"[A]": ["x"]}', "share": 1.0},
        ROWS[1],
    ]


def test_columns_may_be_given(tmp_path: Path) -> None:
    file = tmp_path / "out.parquet"
    columns: Any = {"id": "text", "n": "number", "more": "json", "gone": "flag"}
    write_records(file, [{"id": 3, "n": 1, "more": "x\ud800"}, {"id": "\ud800"}], columns=columns)
    assert read_parquet(file) == [
        {"id": "3", "n": 1.0, "more": '"x\\ud800"', "gone": None},
        {"id": "\\ud800", "n": None, "more": None, "gone": None},
    ]
    write_records(file, [], columns=columns)
    assert read_parquet(file) == []


def test_columns_that_hold_several_things_are_json(tmp_path: Path) -> None:
    file = tmp_path / "out.parquet"
    write_records(file, [{"a": 1, "b": None}, {"a": "x", "b": None}, {"a": True}])
    assert [row["a"] for row in read_parquet(file)] == ["1", '"x"', "true"]


def test_many_records_are_written_window_by_window(tmp_path: Path) -> None:
    file = tmp_path / "out.parquet"
    assert write_records(file, ({"n": n, "t": str(n)} for n in range(5001))) == 5001
    assert [row["n"] for row in read_parquet(file)] == list(range(5001))


@pytest.mark.parametrize(
    ("late", "told"),
    [
        ({"n": 1, "new": 2}, "record 2001 has a column 'new' that none of the first ones has"),
        ({"n": "x"}, "record 2001, column 'n': 'x' does not fit the rows before it"),
        ({"n": True}, "record 2001, column 'n': True does not fit"),
    ],
)
def test_a_late_row_that_does_not_fit_is_told_and_leaves_no_file(
    tmp_path: Path, late: dict[str, object], told: str
) -> None:
    rows = [{"n": n} for n in range(2000)]
    with pytest.raises(RecordsError, match=told):
        write_records(tmp_path / "out.parquet", [*rows, late])
    assert left(tmp_path) == []


def test_half_a_character_becomes_an_escape(tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    write_records(file, [{"a": "\ud83d"}])
    assert file.read_bytes() == b'{"a": "\\ud83d"}\n'


@settings(max_examples=40)
@given(st.lists(st.dictionaries(st.text(), st.text() | st.integers() | st.booleans(), min_size=1)))
def test_what_is_written_can_be_read_as_briefs(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]]
) -> None:
    file = tmp_path_factory.mktemp("records") / "out.jsonl"
    assert write_records(file, rows) == len(rows)
    assert [dict(brief.fields) for brief in read_briefs(file)] == rows


# ---------------------------------------------------------------- whole, or not at all


def broken() -> Iterator[dict[str, object]]:
    yield {"a": 1}
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.parquet"])
def test_a_full_disk_leaves_the_older_file_as_it_was(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(b"older")
    with pytest.raises(RecordsError, match="can't be written: No space left on device"):
        write_records(file, broken())
    assert file.read_bytes() == b"older"
    assert left(tmp_path) == [name]


def test_nobody_sees_half_a_file(tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    file.write_bytes(b"older")
    seen: list[bytes] = []

    def rows() -> Iterator[dict[str, object]]:
        for n in range(3):
            seen.append(file.read_bytes())
            yield {"n": n}

    write_records(file, rows())
    assert set(seen) == {b"older"}


def test_what_is_written_reaches_the_disk_before_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    sync = os.fsync

    def fsync(handle: int | IO[Any]) -> None:
        done.append("synced" if (tmp_path / "out.jsonl").exists() else "synced before")
        sync(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    write_records(tmp_path / "out.jsonl", ROWS)
    assert done == ["synced before", "synced"]


def test_where_nothing_can_be_written_is_told_beforehand(tmp_path: Path) -> None:
    check_output(tmp_path / "out.jsonl")
    check_output(tmp_path / "out.parquet")
    (tmp_path / "d.jsonl").mkdir()
    with pytest.raises(RecordsError, match="is a folder"):
        check_output(tmp_path / "d.jsonl")
    with pytest.raises(RecordsError, match="there is no folder"):
        check_output(tmp_path / "no" / "out.jsonl")
    with pytest.raises(RecordsError, match="how to write it can't be told"):
        check_output(tmp_path / "out.csv")
    with pytest.raises(RecordsError, match="can't be written: No such file"):
        write_records(tmp_path / "no" / "out.jsonl", ROWS)


def test_a_folder_that_is_not_ones_own_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, mode: int) -> bool:  # noqa: ARG001
        return False

    monkeypatch.setattr(os, "access", refuse)
    with pytest.raises(RecordsError, match="is not yours to write in"):
        check_output(tmp_path / "out.jsonl")


def test_without_pyarrow_parquet_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(RecordsError, match=r"pip install 'onlytext\[bulk\]'"):
        check_output(tmp_path / "out.parquet")
