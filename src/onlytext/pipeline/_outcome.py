"""What became of one item of a job."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from onlytext._reply import Doubt
    from onlytext.pipeline._items import Item
    from onlytext.pipeline._road import Arrival

Status = Literal["ok", "kept_draft", "failed"]
STATUSES: Final[tuple[Status, ...]] = ("ok", "kept_draft", "failed")

Pass = Literal["generate", "validate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one item: a text that can be used as it is, the draft, or nothing.

    `ok`: the text went through all that the job asks for. `kept_draft`: the text is the draft,
    for the reason that `cause` names. `failed`: there is no text, likewise. `flagged` says that
    somebody should look: the draft was kept, or there are doubts about the text. `validated` says
    that the text is what the validator returned. `final` is false where only the provider's
    failure to answer decided: the same command, run again, tries such an item again. `cost` (in
    US dollars, none where a price is not known) and `seconds` are those of the calls made in this
    run; an item that was done before cost nothing.
    """

    key: str
    position: int
    id: str | None
    brief: Mapping[str, object]
    status: Status
    cause: str | None = None
    text: str | None = None
    record: Mapping[str, str | list[str]] | None = None
    doubts: tuple[Doubt, ...] = ()
    validated: bool = False
    final: bool = True
    calls: tuple[str, ...] = ()
    cost: float | None = 0.0
    seconds: float = 0.0

    @property
    def flagged(self) -> bool:
        """Whether a person should look at it."""
        return self.status == "kept_draft" or bool(self.doubts)


def made_outcome(
    item: Item, arrival: Arrival, *, cost: float | None = 0.0, seconds: float = 0.0
) -> Outcome:
    """An item's outcome from where its road ended."""
    usable = arrival.usable
    return Outcome(
        key=item.key,
        position=item.position,
        id=item.id,
        brief=item.brief,
        status=arrival.status,
        cause=arrival.cause,
        text=None if usable is None else usable.cleaned.text,
        record=None if usable is None else usable.record.to_dict(),
        doubts=arrival.doubts,
        validated=arrival.validated,
        final=arrival.final,
        calls=tuple(reading.key for reading in arrival.readings),
        cost=cost,
        seconds=seconds,
    )
