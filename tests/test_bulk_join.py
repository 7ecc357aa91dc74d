"""Parquet footers: read, changed and written again without losing what is not known."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet as pq
from tests.bulk_rows import rows

from onlytext.bulk._join import join_tables
from onlytext.bulk._thrift import Struct, Value, read_struct, write_struct

if TYPE_CHECKING:
    from pathlib import Path

INTEGERS = st.builds(Value, st.just(6), st.integers(-(2**63), 2**63 - 1))
SIMPLE = st.one_of(
    INTEGERS,
    st.builds(Value, st.just(8), st.binary(max_size=300)),
    st.builds(Value, st.just(7), st.binary(min_size=8, max_size=8)),
    st.builds(Value, st.just(3), st.binary(min_size=1, max_size=1)),
)
FLAGS = st.booleans().map(lambda flag: Value(1 if flag else 2, flag))
NUMBERS = st.integers(1, 400)


def structs_of(values: st.SearchStrategy[Value]) -> st.SearchStrategy[Struct]:
    lists = st.lists(INTEGERS, max_size=40).map(lambda items: Value(9, [*items], 6))
    return st.dictionaries(NUMBERS, st.one_of(values, FLAGS, lists), max_size=6)


def nested(values: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    return structs_of(values).map(lambda struct: Value(12, struct))


@given(structs_of(st.recursive(SIMPLE, nested, max_leaves=12)))
def test_what_is_written_is_read_again(struct: Struct) -> None:
    assert read_struct(write_struct(struct)) == struct


def test_a_footer_comes_out_as_it_went_in(tmp_path: Path) -> None:
    table = pa.Table.from_pylist(rows(30))
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=4)
    data = (tmp_path / "a.parquet").read_bytes()
    length = int.from_bytes(data[-8:-4], "little")
    footer = data[-8 - length : -8]
    assert write_struct(read_struct(footer)) == footer


@pytest.mark.parametrize("data", [b"\x15", b"\x1b\x00", b"\x18\x7f"])
def test_a_footer_that_is_damaged_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="footer"):
        read_struct(data)


def test_tables_are_joined_with_their_row_groups_and_their_indexes(tmp_path: Path) -> None:
    some = [rows(9), rows(5), [], rows(20)]
    schema = pa.Table.from_pylist(rows(9)).schema
    parts = [tmp_path / f"{number}.parquet" for number in range(len(some))]
    for part, row in zip(parts, some, strict=True):
        pq.write_table(pa.Table.from_pylist(row, schema=schema), part, row_group_size=6)
    out = io.BytesIO()
    assert join_tables(parts, out) == 34
    made = pq.read_table(io.BytesIO(out.getvalue()))
    assert made.to_pylist() == [row for part in some for row in part]
    assert pq.ParquetFile(io.BytesIO(out.getvalue())).metadata.num_row_groups == 7
