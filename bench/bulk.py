"""Files of stored replies: cleaned, over the time in which the same library copies the same file.

Each job runs in a process of its own, warm: the patterns are compiled before its clock starts.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench.documents import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROWS: Final = 20_000
LEAKS: Final = 0.05
SMALLEST, LARGEST = 1000, 4000


@dataclass(frozen=True, slots=True)
class Pass:
    """One job over one file."""

    name: str
    rows: int
    seconds: float
    """On the wall."""
    processor: float
    """Seconds of processor time, of all its processes."""
    memory: int
    """Bytes, the most of the largest of its processes."""
    ratio: float
    """Its time on the wall over that of the copy."""
    at_most: float | None = None

    @property
    def micros(self) -> float:
        """Microseconds a row."""
        return self.seconds * 1e6 / self.rows

    @property
    def within(self) -> bool | None:
        """Whether it costs no more than it should; None where nothing is asked for."""
        return None if self.at_most is None else self.ratio <= self.at_most


def replies(*, leaks: float = LEAKS) -> Iterator[tuple[str, str]]:
    """Replies of 1 to 4 KB in all languages, no two alike, each with its draft; some leak."""
    dice = random.Random(f"bulk {leaks}")  # noqa: S311 - the same in every run
    languages = list(words().values())
    while True:
        mine = dice.choice(languages)
        size, have = dice.randint(SMALLEST, LARGEST), 0
        ours: list[str] = []
        theirs: list[str] = []
        while have < size:
            sentences = [(dice.choice(mine["starts"]), dice.choice(mine["ends"])) for _ in range(3)]
            number = dice.randint(1, 99_999)
            line = mine["gap"].join(
                f"{start}{mine['join']}{end}{mine['stop']}" for start, end in sentences
            )
            ours.append(f"{line} {number}")
            theirs.append(ours[-1] if dice.random() < 0.9 else f"{line}{line}")  # noqa: PLR2004
            have += len(ours[-1].encode()) + 2
        reply, draft = "\n\n".join(ours), "\n\n".join(theirs)
        if dice.random() < leaks:
            before = "\n".join(mine["verdicts"])
            if dice.random() < 0.5:  # noqa: PLR2004 - every second one in a block of its own
                before = f"<think>\n{before}\n</think>"
            reply = f"{before}\n\n{mine['label']}\n\n{reply}\n\n" + "\n".join(mine["notes"])
        yield reply, draft


def measure_bulk(rows: int = ROWS) -> list[Pass]:
    """Every job, in one run."""
    found: list[Pass] = []
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("parquet", "jsonl"):
            leaking = _written(Path(folder), ending, rows, LEAKS)
            copy = _timed("copy", leaking)
            found.append(_passed(f"{ending}: copy", rows, copy, copy))
            for name, what, limit in (
                (f"{ending}: clean, 1 process", "clean 1", 2.5),
                (f"{ending}: clean, 2 processes", "clean 2", None),
            ):
                found.append(_passed(name, rows, _timed(what, leaking), copy, limit))
            some = max(rows // 10, 500)
            less = _written(Path(folder), f"draft.{ending}", some, LEAKS)
            found.append(
                _passed(
                    f"{ending}: clean, with drafts", some, _timed("draft 1", less), copy, rows=rows
                )
            )
            clear = _written(Path(folder), f"clear.{ending}", rows, 0.0)
            copy = _timed("copy", clear)
            found.append(_passed(f"{ending}: no leaks, copy", rows, copy, copy))
            found.append(
                _passed(
                    f"{ending}: no leaks, clean, 1 process",
                    rows,
                    _timed("clean 1", clear),
                    copy,
                    2.5,
                )
            )
    return found


Figures = dict[str, float]


def _passed(
    name: str,
    count: int,
    took: Figures,
    copy: Figures,
    at_most: float | None = None,
    *,
    rows: int | None = None,
) -> Pass:
    scale = (rows or count) / count
    return Pass(
        name,
        count,
        took["seconds"],
        took["processor"],
        int(took["memory"]),
        took["seconds"] * scale / copy["seconds"],
        at_most,
    )


def _written(folder: Path, ending: str, rows: int, leaks: float) -> Path:
    """A file of so many rows."""
    path = folder / f"in.{ending}"
    some = list(islice(replies(leaks=leaks), rows))
    if ending.endswith("parquet"):
        import pyarrow as pa
        from pyarrow import parquet as pq

        columns = {"id": list(range(rows)), "reply": [one for one, _ in some]}
        if "draft" in ending:
            columns["draft"] = [other for _, other in some]
        pq.write_table(pa.table(columns), path)
    else:
        with path.open("w", encoding="utf-8") as file:
            for number, (reply, draft) in enumerate(some):
                row = {"id": number, "reply": reply} | (
                    {"draft": draft} if "draft" in ending else {}
                )
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return path


def _timed(what: str, path: Path) -> Figures:
    """A job in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.bulk", *what.split(), str(path)],
        cwd=Path(__file__).parent.parent,
        stdout=subprocess.PIPE,
        check=True,
    )
    figures: Figures = json.loads(done.stdout)
    return figures


# ---------------------------------------------------------------- inside that process


def _job(what: list[str], path: Path, output: Path) -> Callable[[], object]:
    if what[0] == "copy":
        return lambda: _copy(path, output)
    from onlytext import Text, clean
    from onlytext.bulk import Wish, clean_files

    clean("Warm bread.", Text())
    draft = "draft" if what[0] == "draft" else None
    wish = Wish(inputs=[str(path)], format=Text(), output=output, draft_column=draft)
    return lambda: clean_files(wish, workers=int(what[1]))


def _copy(path: Path, output: Path) -> None:
    if path.suffix == ".parquet":
        from pyarrow import parquet as pq

        with pq.ParquetFile(path) as table, pq.ParquetWriter(output, table.schema_arrow) as writer:
            for batch in table.iter_batches(8000):
                writer.write_batch(batch)
        return
    import orjson

    with path.open("rb") as file, output.open("wb") as out:
        for line in file:
            out.write(orjson.dumps(orjson.loads(line), option=orjson.OPT_APPEND_NEWLINE))


def _inside(arguments: list[str]) -> None:
    *what, name = arguments
    path = Path(name)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        job = _job(what, path, Path(folder) / f"out{path.suffix}")
        before, started = _spent(), time.perf_counter()
        job()
        seconds, processor = time.perf_counter() - started, _spent() - before
    figures = {"seconds": seconds, "processor": processor, "memory": _most_memory()}
    sys.stdout.write(json.dumps(figures))


def _most_memory() -> float:
    """The most bytes that this process has held, or the largest of its own processes."""
    status = Path("/proc/self/status")
    mine = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if status.exists():
        # The other figure begins with that of the process that started this one.
        lines = status.read_text("ascii").splitlines()
        mine = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    return max(mine, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) * 1024


def _spent() -> float:
    usages = [resource.getrusage(kind) for kind in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


if __name__ == "__main__":
    _inside(sys.argv[1:])
