"""One job: what every worker has to know to clean its blocks, and nothing that changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from onlytext.bulk._columns import Columns
from onlytext.bulk._verdict import row_cleaner

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

    from onlytext._format import Sections, Text
    from onlytext.bulk._sources import Kind
    from onlytext.bulk._verdict import RowCleaner

Packing = Literal["", "gz", "zst"]
Target = Literal["jsonl", "csv", "parquet", "text", "in place", "check"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """How each row is cleaned, and in which form it is written; the same for all blocks of a job."""

    format: Sections | Text
    source: Kind
    target: Target
    column: str
    draft_column: str | None = None
    prompt_column: str | None = None
    id_column: str | None = None
    patterns: tuple[str, ...] = ()
    prefix: str = ""
    schema: pa.Schema | None = None
    """The columns of the input; None for JSON lines that stay JSON lines."""
    as_json: frozenset[str] = frozenset()
    """Columns of JSON lines whose values have no common type: they are kept as JSON text."""
    delimiter: str = ","
    line_end: str = "\n"
    """How the lines of a CSV file that is written end."""
    codec: str = "zstd"
    """How a Parquet file that is written is compressed."""
    packing: Packing = ""
    folder: Path | None = None
    """Where text files are written."""
    backup: str = ".orig"
    """What the name of a text file's backup ends with."""

    @property
    def columns(self) -> Columns:
        """The columns that are added."""
        return Columns.of(self.format, self.prefix)

    def cleaner(self) -> RowCleaner:
        """The cleaner of this job, in this process."""
        return row_cleaner(self.format, self.patterns or None)
