"""The items of a run: a brief each, with a key that stays the same from run to run."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from onlytext.errors import OnlytextError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from onlytext.pipeline._job import Job


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One brief, where it stands among the others, and its key in the journal."""

    key: str
    position: int
    id: str | None
    brief: Mapping[str, object]


class Numbering:
    """Gives each brief its key: by its id, or by what is in it and how often that came before.

    So the key of a brief without an id stays when others are added or taken out, save others that
    are equal to it.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._seen: dict[bytes, int] = {}
        self._position = 0

    def item(self, brief: Mapping[str, object]) -> Item:
        """The item of the next brief. Raises `OnlytextError` where its id came before."""
        name = self._job.id_of(brief)
        what = f"id:{name}" if name is not None else f"brief:{canonical(brief)}"
        mark = hashlib.sha256(what.encode("utf-8", "surrogatepass")).digest()
        before = self._seen.get(mark, 0)
        position = self._position
        if name is not None and before:
            raise OnlytextError(
                f"two briefs have the id {name!r}: the {_nth(before)} and the {_nth(position + 1)}; "
                f"give each its own, or take the id column out of the job"
            )
        self._seen[mark] = position + 1 if name is not None else before + 1
        self._position += 1
        key = hashlib.sha256(mark + str(0 if name is not None else before).encode()).hexdigest()
        return Item(key=key, position=position, id=name, brief=brief)


def canonical(brief: Mapping[str, object]) -> str:
    """A brief as JSON, the same for equal briefs whatever the order of their fields."""
    return json.dumps(brief, ensure_ascii=False, sort_keys=True, default=str)


def _nth(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"
