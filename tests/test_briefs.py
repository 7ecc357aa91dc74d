from __future__ import annotations

import gzip
import importlib
import json
import re
import sys
import tracemalloc
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlytext._rows import Row, RowFault, rows_of
from onlytext.pipeline import BriefsError, read_briefs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

arrow: Any = importlib.import_module("pyarrow")
parquet: Any = importlib.import_module("pyarrow.parquet")


def write(folder: Path, name: str, content: str | bytes) -> Path:
    file = folder / name
    data = content.encode() if isinstance(content, str) else content
    file.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return file


def fields(file: Path, **needs: Any) -> list[dict[str, object]]:  # noqa: ANN401 - options
    return [dict(brief.fields) for brief in read_briefs(file, **needs)]


def faults(file: Path, needs: Sequence[str] = (), id_field: str | None = None) -> list[str]:
    with pytest.raises(BriefsError) as caught:
        read_briefs(file, needs=needs, id_field=id_field).check()
    return [fault.removeprefix(str(file)) for fault in caught.value.faults]


# ---------------------------------------------------------------- what is read


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "a.jsonl.gz", "A.JSONL"])
def test_a_line_of_json_is_a_brief(tmp_path: Path, name: str) -> None:
    file = write(tmp_path, name, '\ufeff{"id": 1, "topic": "é\u2028"}\r\n\n{"id": 2}')
    assert fields(file) == [{"id": 1, "topic": "é\u2028"}, {"id": 2}]
    assert read_briefs(file).check() == 2
    first, second = read_briefs(file)
    assert (first.row, first.place, second.row, second.place) == (1, f"{file}:1", 2, f"{file}:3")


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_a_row_of_csv_is_a_brief(tmp_path: Path, name: str) -> None:
    text = '\ufeffid, topic\n1,"bread, ""warm""\nand fresh"\n\n,,\n2,é\n'.replace(",,\n", ",\n")
    file = write(tmp_path, name, text)
    assert fields(file) == [
        {"id": "1", "topic": 'bread, "warm"\nand fresh'},
        {"id": "2", "topic": "é"},
    ]
    assert [brief.place for brief in read_briefs(file)] == [f"{file}:2", f"{file}:6"]


def test_a_row_of_parquet_is_a_brief(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    rows = [
        {
            "id": 1,
            "day": date(2026, 1, 2),
            "at": datetime(2026, 1, 2, 3, 4, tzinfo=UTC),
            "price": Decimal("1.50"),
            "share": float("nan"),
            "tags": ["a", None],
            "more": {"x": 0.5},
        },
        {"id": 2, "day": None},
    ]
    parquet.write_table(arrow.Table.from_pylist(rows), file)
    first, second = fields(file)
    assert first == {
        "id": 1,
        "day": "2026-01-02",
        "at": "2026-01-02T03:04:00+00:00",
        "price": "1.50",
        "share": None,
        "tags": ["a", None],
        "more": {"x": 0.5},
    }
    assert second["day"] is None
    assert [brief.place for brief in read_briefs(file)] == [f"{file}, row 1", f"{file}, row 2"]
    json.dumps([first, second])


def test_briefs_come_in_windows(tmp_path: Path) -> None:
    file = write(tmp_path, "a.jsonl", '{"a": 1}\n' * 5)
    assert [len(window) for window in read_briefs(file).windows(2)] == [2, 2, 1]


@given(st.lists(st.dictionaries(st.text(), st.text() | st.integers() | st.none(), min_size=1)))
def test_what_was_written_as_json_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]]
) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    file = write(tmp_path_factory.mktemp("briefs"), "a.jsonl", text)
    assert fields(file) == rows


def test_a_long_file_is_never_held_whole(tmp_path: Path) -> None:
    file = write(tmp_path, "a.jsonl", '{"topic": "' + "x" * 500 + '"}\n')
    file.write_bytes(file.read_bytes() * 20_000)  # 10 MB
    tracemalloc.start()
    assert sum(len(window) for window in read_briefs(file).windows(100)) == 20_000
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2_000_000


# ---------------------------------------------------------------- what is wrong


def test_all_broken_rows_are_told_at_once(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "a.jsonl",
        b'{"a": 1}\n{"a": \n[1]\n\xff\n{"a": NaN}\n{"a": "\\ud800"}\n'
        + b"[" * 100_000
        + b'\n{"a": '
        + b"[" * 60
        + b"]" * 60
        + b"}\n"
        + b'{"a": '
        + b"9" * 5000
        + b"}\n",
    )
    assert faults(file) == [
        ":2: not JSON: Expecting value at column 1",
        ":3: not a brief: write one JSON object, {...}, on the line",
        ":4: not UTF-8: byte 0xFF at offset 0 of the line; save it as UTF-8",
        ":5: not JSON that can be used: NaN is no number in JSON: write null",
        ":6: half a character in it (a lone surrogate such as \\ud83d): mend it",
        ":7: nested too deeply for a brief",
        ":8: nested too deeply for a brief",
        (
            ":9: not JSON that can be used: Exceeds the limit (4300 digits) for integer string "
            "conversion: value has 5000 digits; use sys.set_int_max_str_digits() to increase the limit"
        ),
    ]


def test_more_faults_than_a_person_mends_are_cut_short(tmp_path: Path) -> None:
    file = write(tmp_path, "a.jsonl", "x\n" * 1000)
    with pytest.raises(BriefsError, match="there may be more") as caught:
        read_briefs(file).check()
    assert len(caught.value.faults) == 20


def test_rows_that_lack_what_the_job_needs_are_told(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "a.jsonl",
        '{"id": 1, "topic": "x"}\n{"id": [1], "topic": " "}\n{"topic": null}\n{}\n',
    )
    assert faults(file, ("id", "topic"), "id") == [
        ":2: 'id' is to be a name or a number, not [1]",
        ":2: 'topic' is empty",
        ":3: there is no 'id'; the row has topic",
        ":3: 'topic' is empty",
        ":4: there is no 'id'; the row has nothing",
        ":4: there is no 'topic'; the row has nothing",
    ]


def test_going_through_faulty_briefs_stops_at_the_first_fault(tmp_path: Path) -> None:
    file = write(tmp_path, "a.jsonl", '{"a": 1}\nx\n{"a": 2}\n')
    rows = iter(read_briefs(file))
    assert next(rows).fields == {"a": 1}
    with pytest.raises(BriefsError, match=r"a\.jsonl:2: not JSON"):
        next(rows)


def test_broken_rows_of_csv_are_told(tmp_path: Path) -> None:
    file = write(tmp_path, "a.csv", b'id,topic\n1\n2,\xe9\n3,a,b\n4,x\n5,"open\n6,y\n')
    assert faults(file) == [
        ":2: 1 columns, and the first row names 2: quote commas",
        ":3: not UTF-8: byte 0xE9 at offset 2 of the line; save it as UTF-8",
        ":4: 3 columns, and the first row names 2: quote commas",
        ":6: a quotation mark is opened here and never closed",
    ]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("id,,topic\n", ":1: column 2 has no name: name each column"),
        ("id,id\n", ":1: two columns are called 'id': rename one"),
        ("id\n" + "x" * 140_000 + "\n", ":2: a field of more than 131,072 characters"),
        ('id\n"a"b\n', ":2: not CSV: "),
        ("", ": there is no brief in it"),
        ("id\n", ": there is no brief in it"),
    ],
)
def test_a_csv_file_that_can_not_be_used_is_told(tmp_path: Path, content: str, told: str) -> None:
    (fault,) = faults(write(tmp_path, "a.csv", content))
    assert fault.startswith(told)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.jsonl", "é".encode("utf-16"), "is not UTF-8: it looks like UTF-16; save it as UTF-8"),
        ("a.csv", "é".encode("utf-16"), "is not UTF-8: it looks like UTF-16"),
        ("a.json", "{}", "what is in it can't be told: give it a name in .jsonl"),
        ("a.parquet.gz", "{}", "what is in it can't be told"),
        ("a", "{}", "what is in it can't be told"),
        ("a.parquet", "{}", "is no Parquet file that can be read"),
    ],
)
def test_a_file_that_can_not_be_used_is_told(
    tmp_path: Path, name: str, content: str | bytes, told: str
) -> None:
    (fault,) = faults(write(tmp_path, name, content))
    assert told in fault


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert faults(tmp_path / "a.jsonl") == [": there is no such file"]
    assert faults(tmp_path / "a.parquet") == [": there is no such file"]
    (tmp_path / "b.csv").mkdir()
    assert faults(tmp_path / "b.csv") == [" is a folder; name a file in it"]
    loop = tmp_path / "c.jsonl"
    loop.symlink_to(loop)
    (told,) = faults(loop)
    assert "can't be read: " in told


@pytest.mark.parametrize("harm", [b"", b"no gzip"])
def test_a_broken_gzip_file_is_told(tmp_path: Path, harm: bytes) -> None:
    file = tmp_path / "a.jsonl.gz"
    file.write_bytes(harm or gzip.compress(b'{"a": 1}\n' * 5000)[:60])
    assert "is no whole gzip file" in faults(file)[-1]
    whole = bytearray(gzip.compress(b'{"a": 1}\n' * 5000))
    whole[30:40] = b"\x00" * 10
    file.write_bytes(whole)
    assert "is no whole gzip file" in faults(file)[-1]


def test_a_column_of_bytes_is_told(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    parquet.write_table(arrow.Table.from_pylist([{"a": b"x"}, {"a": b"y"}]), file)
    assert faults(file) == [
        ", row 1: a value that is no text and no number: bytes",
        ", row 2: a value that is no text and no number: bytes",
    ]


def test_without_pyarrow_parquet_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    told = re.escape("pip install 'onlytext[bulk]'")
    with pytest.raises(BriefsError, match=told):
        read_briefs(tmp_path / "a.parquet").check()


def test_a_row_or_its_fault_says_its_line(tmp_path: Path) -> None:
    file = write(tmp_path, "a.jsonl", '{"a": 1}\nx\n')
    assert list(rows_of(file)) == [
        Row(1, {"a": 1}),
        RowFault(2, "not JSON: Expecting value at column 1"),
    ]
