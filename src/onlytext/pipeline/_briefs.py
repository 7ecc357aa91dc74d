"""The briefs of a run: rows of a JSONL, CSV or Parquet file, read a window at a time."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, final

from onlytext._rows import RowFault, RowsError, rows_of
from onlytext.errors import OnlytextError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence

_FAULTS_TOLD: Final = 20
_WINDOW: Final = 1000


class BriefsError(OnlytextError, ValueError):
    """A file of briefs that can't be used; `faults` are sentences, each with its file and row."""

    def __init__(self, faults: tuple[str, ...], *, more: bool = False) -> None:
        told = [*faults, "there may be more: these are the first ones"] if more else faults
        super().__init__("\n".join(told))
        self.faults = faults


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """One row of a file: its number from 1 up, where it stands (`briefs.jsonl:3`), its columns."""

    row: int
    place: str
    fields: Mapping[str, object]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Briefs:
    """A file of briefs, which can be gone through as often as needed and is never held whole.

    `needs` are the columns that each row has to fill, `id_field` one of them that is a name.
    """

    file: Path
    needs: tuple[str, ...] = ()
    id_field: str | None = None

    def check(self) -> int:
        """How many briefs there are, once every row was looked at: before anything is paid for.

        Raises `BriefsError` with the faults of all rows, up to the first twenty.
        """
        faults: list[str] = []
        count = 0
        for found in self._found():
            if isinstance(found, Brief):
                count += 1
                continue
            faults.append(found)
            if len(faults) > _FAULTS_TOLD:
                break
        if faults:
            raise BriefsError(tuple(faults[:_FAULTS_TOLD]), more=len(faults) > _FAULTS_TOLD)
        if not count:
            raise BriefsError((f"{self.file}: there is no brief in it",))
        return count

    def __iter__(self) -> Iterator[Brief]:
        """The briefs in the order of the file. Raises `BriefsError` at the first faulty row."""
        for found in self._found():
            if isinstance(found, str):
                raise BriefsError((found,))
            yield found

    def windows(self, size: int = _WINDOW) -> Iterator[tuple[Brief, ...]]:
        """The briefs, so many at a time."""
        rows = iter(self)
        while window := tuple(itertools.islice(rows, size)):
            yield window

    def _found(self) -> Iterator[Brief | str]:
        """Each row as a brief, or what is wrong with it."""
        number = 0
        try:
            for row in rows_of(self.file):
                number += 1
                place = f"{self.file}:{row.line}" if row.line else f"{self.file}, row {number}"
                if isinstance(row, RowFault):
                    yield f"{place}: {row.said}"
                    continue
                faults = _missing(row.fields, self.needs, self.id_field)
                yield from (f"{place}: {fault}" for fault in faults)
                if not faults:
                    yield Brief(row=number, place=place, fields=row.fields)
        except RowsError as error:
            yield str(error)


def read_briefs(
    path: str | os.PathLike[str], *, needs: Sequence[str] = (), id_field: str | None = None
) -> Briefs:
    """The briefs of a file whose name ends in .jsonl, .csv or .parquet; the first two also in .gz."""
    return Briefs(file=Path(path), needs=tuple(needs), id_field=id_field)


def _missing(fields: Mapping[str, object], needs: Sequence[str], id_field: str | None) -> list[str]:
    faults: list[str] = []
    for name in needs:
        value = fields.get(name)
        if name not in fields:
            faults.append(f"there is no {name!r}; the row has {', '.join(fields) or 'nothing'}")
        elif value is None or (isinstance(value, str) and not value.strip()):
            faults.append(f"{name!r} is empty")
        elif name == id_field and not isinstance(value, str | int):
            faults.append(f"{name!r} is to be a name or a number, not {value!r}")
    return faults
