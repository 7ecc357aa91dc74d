"""What the journal holds, as its users see it: one dataclass for each kind of row."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from onlytext.providers import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from onlytext.providers import Fault, Request, Stop

Part = Literal["generate", "validate"]
Status = Literal["ok", "kept_draft", "failed"]
CleaningOutcome = Literal["untouched", "cleaned", "refused"]
RunState = Literal["running", "finished", "stopped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One start of a job. `job_text` is the job file; what looks like a key in it is masked."""

    id: str
    started: float
    job: str
    job_digest: str
    cleaning_digest: str
    job_text: str = ""
    language: str | None = None
    version: str = ""
    finished: float | None = None
    state: RunState = "running"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredItem:
    """A brief, its key, which is the same in every run, and where it stood in the run at hand."""

    key: str
    position: int
    brief: Mapping[str, object]
    id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A request that was answered, and the reply, verbatim. The first reply of a key stays.

    `ask` is 0 for the first time of asking and 1 when the model was asked again; `answered_by`
    is the model that the server named.
    """

    key: str
    item: str
    part: Part
    ask: int
    provider: str
    request: Request
    text: str
    stop: Stop
    began: float
    seconds: float
    thinking: str = ""
    detail: str = ""
    answered_by: str = ""
    request_id: str | None = None
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    language: str | None = None
    run: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An attempt that brought no reply. `call` is the key that the reply would have had."""

    call: str
    attempt: int
    item: str
    part: Part
    ask: int
    provider: str
    model: str
    fault: Fault
    message: str
    began: float
    seconds: float
    status: int | None = None
    partial: str = ""
    request_id: str | None = None
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    run: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRemoval:
    """A stretch `reply[start:end]` that was dropped, and why.

    `leak` is false for what was asked for and is no text: the closing word, blanks, notes.
    """

    start: int
    end: int
    reason: str
    pattern: str | None = None
    leak: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDoubt:
    """A stretch `reply[start:end]` that was kept and may be wrong."""

    start: int
    end: int
    reason: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaning:
    """What cleaning made of one reply. `digest` names all that it was cleaned with.

    The last cleaning of a reply with the same digest stays. The text of a doubt is not kept here:
    it stands in the reply.
    """

    call: str
    digest: str
    at: float
    outcome: CleaningOutcome
    cause: str | None = None
    removals: tuple[StoredRemoval, ...] = ()
    doubts: tuple[StoredDoubt, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredOutcome:
    """What became of an item of a job with given cleaning rules; the last one stays.

    `position` is where the item stood in the run that is read, and plays no part in storing.
    """

    item: str
    job_digest: str
    cleaning_digest: str
    at: float
    status: Status
    cause: str | None = None
    text: str | None = None
    record: Mapping[str, str | list[str]] | None = None
    doubts: tuple[StoredDoubt, ...] = ()
    flagged: bool = False
    validated: bool = False
    final: bool = True
    calls: tuple[str, ...] = ()
    cost: float | None = None
    seconds: float = 0.0
    run: str | None = None
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Many requests that were sent at once; `calls` gives the key of the call for each request id."""

    provider: str
    id: str
    state: str
    submitted: float
    calls: Mapping[str, str]
    run: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """All that the journal has of one item of a run: for a report."""

    item: StoredItem
    outcome: StoredOutcome | None
    calls: tuple[Call, ...]
    failures: tuple[Failure, ...]
    cleanings: tuple[Cleaning, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """A run in figures; `tokens` and `cost` are those of the replies that its outcomes stand on."""

    items: int
    outcomes: Mapping[str, int]
    flagged: int
    replies: int
    failures: int
    usage: Usage
    cost: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How many of the replies under one label had something removed, were refused, or are doubtful."""

    label: str
    replies: int
    leaking: int
    refused: int
    doubtful: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fired:
    """How often a pattern, or a reason without one, took something out: where, and of how many replies."""

    reason: str
    pattern: str | None
    removals: int
    replies: int
