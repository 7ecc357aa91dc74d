"""Records out of the journal: one row for each item, whole and in the order that is asked for."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext.pipeline._records import write_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from onlytext.journal import Journal, Run, StoredOutcome
    from onlytext.pipeline._records import Column

COLUMNS: Final[dict[str, Column]] = {
    "row": "whole",
    "id": "text",
    "outcome": "text",
    "text": "text",
    "record": "json",
    "validated": "flag",
    "flagged": "flag",
    "doubts": "json",
    "cause": "text",
}
_PAGE: Final = 500


class Place(NamedTuple):
    """Which item comes next in the output."""

    key: str
    position: int
    id: str | None


def write_outcomes(
    path: Path, journal: Journal, run: Run, *, order: Iterable[Place] | None = None
) -> int:
    """Write a row for each item of a run that has an outcome, and say how many there were.

    They come in the order of the briefs, or in the one that is given.
    """
    places = _in_order(journal, run) if order is None else iter(order)
    return write_records(path, _rows(journal, run, places), columns=COLUMNS)


def _in_order(journal: Journal, run: Run) -> Iterator[Place]:
    after = -1
    while page := journal.reader.items(run.id, after=after, size=_PAGE):
        yield from (Place(item.key, item.position, item.id) for item in page)
        after = page[-1].position


def _rows(journal: Journal, run: Run, places: Iterator[Place]) -> Iterator[dict[str, object]]:
    while page := list(islice(places, _PAGE)):
        found = journal.reader.outcomes_of(
            [place.key for place in page],
            job_digest=run.job_digest,
            cleaning_digest=run.cleaning_digest,
        )
        for place in page:
            if place.key in found:
                yield row_of(place, found[place.key])


def row_of(place: Place, outcome: StoredOutcome) -> dict[str, object]:
    """An item's row, with the columns of `COLUMNS`."""
    return {
        "row": place.position + 1,
        "id": place.id,
        "outcome": outcome.status,
        "text": outcome.text,
        "record": None if outcome.record is None else dict(outcome.record),
        "validated": outcome.validated,
        "flagged": outcome.flagged,
        "doubts": list(dict.fromkeys(doubt.reason for doubt in outcome.doubts)),
        "cause": outcome.cause,
    }
