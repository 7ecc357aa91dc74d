"""Stored replies for the tests of bulk work: clean ones, some that leak, one that is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import pyarrow as pa
from pyarrow import parquet as pq

from onlytext import Sections, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

PLAIN: Final = Text()
BREAD: Final = Sections("[TITLE]", "[STEP {n}]")
CLEAN: Final = "The dough rests under a damp cloth until the oven is warm.\n" * 6
LEAKING: Final = f"<think>\nTwo lines, fine.\n</think>\n{CLEAN}"
NOTHING: Final = "<think>\nThere is no text to correct."
SECTIONED: Final = "[TITLE]\nBread\n\n[STEP 1]\nKnead it."
OWN_PATTERN: Final = """
language = "mine"

[[pattern]]
id = "loaf-robot"
hint = "the loaf robot"
regex = "this is the loaf robot[.!:]?"
scope = "label"
why = "The model names itself; no product of ours is called so."
seen = "Our own test kitchen, spring."
must_match = [
  "⟦This is the loaf robot:⟧\\nBread is warm at six.",
  "⟦**This is the loaf robot.**⟧\\n\\nOpen on Sundays.",
]
must_spare = [
  "This is the loaf robot of the museum in Lyon.",
  "They asked: is this the loaf robot?",
  "I asked the loaf robot for rye.",
]
"""

Row = dict[str, object]


def rows(count: int = 20) -> list[Row]:
    """Rows with ids and another column: each fifth leaks, and the seventh of each ten is refused."""
    return [
        {"id": f"r{n}", "reply": _reply(n), "score": n / 2, "tags": ["a", "b"][: n % 3]}
        for n in range(count)
    ]


def _reply(n: int) -> str:
    if n % 10 == 7:
        return NOTHING
    return f"{LEAKING if n % 5 == 3 else CLEAN}Row {n} is done – “déjà” 🍞."


def text_of(row: Mapping[str, object]) -> str | None:
    """The text that has to come out of a row."""
    reply = row["reply"]
    assert isinstance(reply, str)
    return None if reply == NOTHING else reply.removeprefix(LEAKING.removesuffix(CLEAN))


def write_jsonl(path: Path, some: Iterable[Mapping[str, object]]) -> Path:
    """The rows as JSON lines."""
    lines = (json.dumps(row, ensure_ascii=False) for row in some)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def write_parquet(path: Path, some: list[Row], *, group: int = 7) -> Path:
    """The rows as Parquet, in several row groups."""
    pq.write_table(pa.Table.from_pylist(some), path, row_group_size=group)
    return path
