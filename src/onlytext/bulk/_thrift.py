"""Thrift's compact form, as the footer of a Parquet file is written in: read, changed, written.

A struct becomes a dict of its fields by number, each with its type, so that what is not known here
is written again as it was. The form is described in the Thrift project's `thrift-compact-protocol`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_TRUE, _FALSE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 8, 9, 10, 12
_WIDTHS: Final = {1: 1, 2: 1, 3: 1, 7: 8, 13: 16}
"""The bytes of a value of a type that has a fixed width; in a list, true and false are bytes."""
_INTEGERS: Final = (4, 5, 6)
"""Of 16, 32 and 64 bits; they are written alike."""
_LONG: Final = 15
"""A list that has so many items or more says how many in a number of its own."""


@dataclass(slots=True)
class Value:
    """A value and its type."""

    kind: int
    value: int | bool | bytes | list[Value] | Struct
    item: int = 0
    """For a list, the type of its items."""


Struct = dict[int, Value]


def read_struct(data: bytes) -> Struct:
    """The struct at the start of the data."""
    return _Reader(data).struct()


def write_struct(struct: Struct) -> bytes:
    """The bytes of a struct."""
    out = bytearray()
    _write_struct(struct, out)
    return bytes(out)


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def struct(self) -> Struct:
        fields: Struct = {}
        number = 0
        while head := self._byte():
            step, kind = head >> 4, head & 15
            number = number + step if step else _unzigzag(self._varint())
            fields[number] = (
                Value(kind, kind == _TRUE) if kind in (_TRUE, _FALSE) else self._value(kind)
            )
        return fields

    def _value(self, kind: int) -> Value:
        if kind in _INTEGERS:
            return Value(kind, _unzigzag(self._varint()))
        if kind in _WIDTHS:
            return Value(kind, self._take(_WIDTHS[kind]))
        if kind == _BINARY:
            return Value(kind, self._take(self._varint()))
        if kind == _STRUCT:
            return Value(kind, self.struct())
        if kind in (_LIST, _SET):
            return self._list(kind)
        # The footer of a Parquet file has no maps.
        raise ValueError(f"there is no type {kind} in a footer")

    def _list(self, kind: int) -> Value:
        head = self._byte()
        size, item = head >> 4, head & 15
        if size == _LONG:
            size = self._varint()
        return Value(kind, [self._value(item) for _ in range(size)], item)

    def _byte(self) -> int:
        return self._take(1)[0]

    def _take(self, count: int) -> bytes:
        start, self._place = self._place, self._place + count
        if self._place > len(self._data):
            raise ValueError("the footer ends too early")
        return self._data[start : self._place]

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:  # noqa: PLR2004 - the last one
                return value


def _write_struct(struct: Struct, out: bytearray) -> None:
    before = 0
    for number, value in sorted(struct.items()):
        kind = value.kind
        step = number - before
        if 0 < step <= 15:  # noqa: PLR2004 - four bits
            out.append(step << 4 | kind)
        else:
            out.append(kind)
            _write_varint(_zigzag(number), out)
        before = number
        if kind not in (_TRUE, _FALSE):
            _write_value(value, out)
    out.append(0)


def _write_value(value: Value, out: bytearray) -> None:
    match value.value:
        case bytes() as data:
            if value.kind == _BINARY:
                _write_varint(len(data), out)
            out += data
        case int() as number:
            _write_varint(_zigzag(number), out)
        case dict() as struct:
            _write_struct(struct, out)
        case items:
            out.append(min(len(items), _LONG) << 4 | value.item)
            if len(items) >= _LONG:
                _write_varint(len(items), out)
            for one in items:
                _write_value(one, out)


def _write_varint(value: int, out: bytearray) -> None:
    while value >= 0x80:  # noqa: PLR2004 - seven bits a byte
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def _zigzag(value: int) -> int:
    return value << 1 if value >= 0 else (-value << 1) - 1


def _unzigzag(value: int) -> int:
    return value >> 1 if not value & 1 else -(value + 1 >> 1)
