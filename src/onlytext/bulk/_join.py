"""Parquet files put into one without unpacking them: their row groups are copied as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from onlytext.bulk._thrift import Struct, Value, read_struct, write_struct

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import BinaryIO

_MAGIC: Final = b"PAR1"
_COPY: Final = 1 << 22

# The fields of the footer by their numbers in the format's own description (parquet.thrift).
_ROWS, _GROUPS = 3, 4
_GROUP_COLUMNS, _GROUP_ROWS, _GROUP_OFFSET, _GROUP_ORDINAL = 1, 3, 5, 7
_CHUNK_OFFSETS, _CHUNK_META = (2, 4, 6), 3
_META_OFFSETS = (9, 10, 11, 14)


def join_tables(parts: Sequence[Path], out: BinaryIO) -> int:
    """Write the row groups of all parts, which have one schema, as one file; how many rows it has."""
    out.write(_MAGIC)
    footer: Struct = {}
    groups: list[Value] = []
    rows = 0
    for part in parts:
        with part.open("rb") as file:
            footer, size = _footer(file)
            moved = out.tell() - len(_MAGIC)
            _copy(file, out, size - len(_MAGIC))
        for group in cast("list[Value]", footer[_GROUPS].value):
            fields = cast("Struct", group.value)
            if not fields[_GROUP_ROWS].value:
                continue
            rows += cast("int", fields[_GROUP_ROWS].value)
            _move(fields, moved, len(groups))
            groups.append(group)
    footer[_ROWS].value = rows
    footer[_GROUPS].value = groups
    data = write_struct(footer)
    out.write(data + len(data).to_bytes(4, "little") + _MAGIC)
    return rows


def _footer(file: BinaryIO) -> tuple[Struct, int]:
    """The footer of a Parquet file, and where it begins; the file is left at its first row group."""
    end = file.seek(-8, 2)
    length = int.from_bytes(file.read(4), "little")
    file.seek(end - length)
    footer = read_struct(file.read(length))
    file.seek(len(_MAGIC))
    return footer, end - length


def _copy(file: BinaryIO, out: BinaryIO, size: int) -> None:
    while size:
        chunk = file.read(min(size, _COPY))
        out.write(chunk)
        size -= len(chunk)


def _move(group: Struct, moved: int, ordinal: int) -> None:
    """Let the offsets of a row group say where it stands now."""
    _shift(group, (_GROUP_OFFSET,), moved)
    if _GROUP_ORDINAL in group:
        group[_GROUP_ORDINAL].value = ordinal
    for chunk in cast("list[Value]", group[_GROUP_COLUMNS].value):
        fields = cast("Struct", chunk.value)
        _shift(fields, _CHUNK_OFFSETS, moved)
        _shift(cast("Struct", fields[_CHUNK_META].value), _META_OFFSETS, moved)


def _shift(struct: Struct, numbers: tuple[int, ...], moved: int) -> None:
    for number in numbers:
        if number in struct and struct[number].value:
            struct[number].value = cast("int", struct[number].value) + moved
