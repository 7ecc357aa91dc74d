"""A run as one page that needs nothing else: figures, plots, and each item with its removals."""

from __future__ import annotations

import os
import tempfile
import tomllib
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, cast

from onlytext.errors import OnlytextError
from onlytext.review._entry import entry_of
from onlytext.review._figures import Figures
from onlytext.review._page import Head, Packed, page_of

if TYPE_CHECKING:
    from collections.abc import Generator

    from onlytext.journal import Journal, Run

_DRAFT_FIELD: Final = "draft"


def find_run(journal: Journal, *, job: str | None = None, run: str | None = None) -> Run:
    """The run of that id, or the last one: of all, or of the job of that name."""
    runs = journal.reader.runs()
    if not runs:
        raise OnlytextError(f"{journal.where} holds no run yet: `onlytext run` makes one")
    wanted = [one for one in runs if run in (None, one.id) and job in (None, one.job)]
    if wanted:
        return wanted[-1]
    if run is not None and run not in {one.id for one in runs}:
        last = ", ".join(one.id for one in runs[-5:])
        raise OnlytextError(f"{journal.where} has no run {run!r}; its last ones are {last}")
    jobs = ", ".join(repr(name) for name in dict.fromkeys(one.job for one in runs))
    raise OnlytextError(f"{journal.where} has no such run of a job {job!r}; its jobs are {jobs}")


def write_report(journal: Journal, run: Run, out: Path, *, language: str = "en") -> Figures:
    """Write the page of a run and give back its figures; `language` is that of the page."""
    figures, packed = Figures(), Packed()
    field = _draft_field(run)
    for told in journal.reader.every_told(run.id):
        entry = entry_of(told, language=run.language, draft_field=field)
        figures.count(entry)
        packed.add(entry)
    head = Head(run=run, counts=journal.figures.counts(run.id), figures=figures)
    with _written(out) as file:
        for part in page_of(head, packed, language=language):
            file.write(part)
    return figures


def _draft_field(run: Run) -> str:
    """The field of a brief that holds the draft, where the job generates none."""
    try:
        job: object = tomllib.loads(run.job_text).get("job")
    except tomllib.TOMLDecodeError:
        return _DRAFT_FIELD
    table = cast("dict[str, object]", job) if isinstance(job, dict) else {}
    return str(table.get("draft", _DRAFT_FIELD))


@contextmanager
def _written(out: Path) -> Generator[IO[str]]:
    """A file that takes the place of `out` once it is whole."""
    handle, name = tempfile.mkstemp(dir=out.absolute().parent, prefix=f".{out.name}.")
    made = Path(name)
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:  # noqa: PTH123 - a handle
            yield file
        made.chmod(0o666 & ~_mask())
        made.replace(out)
    finally:
        made.unlink(missing_ok=True)


def _mask() -> int:
    """Which rights this process gives to nobody."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
