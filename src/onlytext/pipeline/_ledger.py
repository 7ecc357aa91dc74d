"""A run's side of the journal: what it knows of an item, and what it is given to keep."""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
import time
from dataclasses import dataclass, field, fields, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from onlytext._reply import Doubt
from onlytext.journal import (
    Call,
    Cleaning,
    Failure,
    Journal,
    Run,
    StoredDoubt,
    StoredItem,
    StoredOutcome,
    StoredRemoval,
)
from onlytext.pipeline._outcome import Outcome
from onlytext.pipeline._tally import is_leak
from onlytext.pipeline._verdict import Reply, Usable
from onlytext.providers import Message, Request, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from onlytext.journal._rows import RunState
    from onlytext.pipeline._items import Item
    from onlytext.pipeline._job import Job
    from onlytext.pipeline._road import Reading, Step
    from onlytext.providers import Answer, ProviderError

_NO_USAGE: Final = Usage()
# All of a request, whatever it comes to have.
_FIELDS: Final = tuple(sorted(one.name for one in fields(Request)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What the journal has of an item: its outcome under the same job, and its replies by key.

    `ours` is false while another run, one that lives, is working on it.
    """

    outcome: Outcome | None = None
    replies: Mapping[str, Reply] = field(default_factory=dict[str, Reply])
    ours: bool = True


def call_key(item: str, step: Step, provider: str) -> str:
    """What tells one call from another: equal calls for the same item have the same key."""
    parts_sent = [(name, getattr(step.request, name)) for name in _FIELDS]
    sent = json.dumps(parts_sent, default=_turn).encode()
    parts = (item, step.part, str(step.ask), provider, hashlib.sha256(sent).hexdigest())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _turn(message: object) -> list[str]:
    """A turn of the conversation as JSON has it."""
    if not isinstance(message, Message):
        raise TypeError(f"a request holds messages, not {type(message).__name__}")
    return [message.role, message.content]


class Ledger:
    """The journal as one run of one job sees it."""

    def __init__(self, journal: Journal, job: Job, *, strict: bool, clock: float) -> None:
        self.journal = journal
        self._job = job
        cleaning = job.cleaning_digest
        self.run = Run(
            id=f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(clock))}-{secrets.token_hex(4)}",
            started=clock,
            job=job.name,
            job_digest=job.digest,
            cleaning_digest=f"{cleaning}-strict" if strict else cleaning,
            job_text=job.source,
            language=job.language,
            version=version("onlytext"),
        )

    async def begin(self) -> None:
        """Write down that the run has begun."""
        await self.journal.store_run(self.run)

    async def end(self, state: RunState) -> None:
        """Write down how the run ended."""
        await self.journal.store_run(replace(self.run, finished=time.time(), state=state))

    async def spent(self) -> float:
        """What earlier runs of the job have cost."""
        return await asyncio.to_thread(self.journal.figures.spent, self._job.name)

    async def look_up(self, items: Sequence[Item]) -> list[Known]:
        """What is known of each of these items, which are kept as those of this run."""
        keys = [item.key for item in items]
        stored = [
            StoredItem(key=item.key, position=item.position, brief=item.brief, id=item.id)
            for item in items
        ]
        _, ours = await asyncio.gather(
            self.journal.store_items(self.run.id, stored), self.journal.claim(keys)
        )
        outcomes = await self.journal.outcomes_of(
            keys, job_digest=self.run.job_digest, cleaning_digest=self.run.cleaning_digest
        )
        done = {key: outcome for key, outcome in outcomes.items() if outcome.final}
        open_keys = [key for key in keys if key not in done]
        replies = await self.journal.replies(open_keys) if open_keys else {}
        return [
            Known(
                outcome=outcome_of(item, done[item.key]) if item.key in done else None,
                replies={call.key: reply_of(call) for call in replies.get(item.key, ())},
                ours=item.key in ours,
            )
            for item in items
        ]

    async def keep_answer(  # noqa: PLR0913 - all that is known of a call
        self,
        item: str,
        step: Step,
        key: str,
        provider: str,
        answer: Answer,
        *,
        began: float,
        seconds: float,
        cost: float | None,
    ) -> None:
        """Keep a reply as it came; it is on disk when this returns."""
        await self.journal.store_reply(
            Call(
                key=key,
                item=item,
                part=step.part,
                ask=step.ask,
                provider=provider,
                request=step.request,
                text=answer.text,
                stop=answer.stop,
                began=began,
                seconds=seconds,
                thinking=answer.thinking,
                detail=answer.detail,
                answered_by=answer.model,
                request_id=answer.request_id,
                usage=answer.usage,
                cost=cost,
                language=self._job.language,
                run=self.run.id,
            )
        )

    async def keep_failure(  # noqa: PLR0913 - likewise
        self,
        item: str,
        step: Step,
        key: str,
        provider: str,
        error: ProviderError,
        *,
        attempt: int,
        began: float,
        seconds: float,
        cost: float | None,
    ) -> None:
        """Keep an attempt that brought no reply, with what of one had come."""
        await self.journal.store_failure(
            Failure(
                call=key,
                attempt=attempt,
                item=item,
                part=step.part,
                ask=step.ask,
                provider=provider,
                model=step.request.model,
                fault=error.fault,
                message=str(error),
                began=began,
                seconds=seconds,
                status=error.status,
                partial=error.partial,
                request_id=error.request_id,
                usage=error.usage or _NO_USAGE,
                cost=cost,
                run=self.run.id,
            )
        )

    async def keep_outcome(self, outcome: Outcome, readings: Sequence[Reading]) -> None:
        """Keep what became of an item, and what was made of each of its replies."""
        now = time.time()
        await self.journal.store_outcome(
            StoredOutcome(
                item=outcome.key,
                job_digest=self.run.job_digest,
                cleaning_digest=self.run.cleaning_digest,
                at=now,
                status=outcome.status,
                cause=outcome.cause,
                text=outcome.text,
                record=outcome.record,
                doubts=tuple(map(_stored_doubt, outcome.doubts)),
                flagged=outcome.flagged,
                validated=outcome.validated,
                final=outcome.final,
                calls=outcome.calls,
                cost=outcome.cost,
                seconds=outcome.seconds,
                run=self.run.id,
            ),
            [self._cleaning(reading, now) for reading in readings],
        )

    def _cleaning(self, reading: Reading, at: float) -> Cleaning:
        result = reading.result
        cleaned = result.cleaned
        return Cleaning(
            call=reading.key,
            digest=self.run.cleaning_digest,
            at=at,
            outcome="refused" if cleaned is None else cleaned.outcome,
            cause=None if isinstance(result, Usable) else result.cause,
            removals=tuple(
                StoredRemoval(
                    start=one.start,
                    end=one.end,
                    reason=one.reason,
                    pattern=one.pattern,
                    leak=is_leak(one, self._job.sent_format),
                )
                for one in (() if cleaned is None else cleaned.removals)
            ),
            doubts=tuple(map(_stored_doubt, () if cleaned is None else cleaned.doubts)),
        )


def reply_of(call: Call) -> Reply:
    """A stored reply as the road reads it."""
    return Reply(text=call.text, stop=call.stop, thinking=call.thinking, detail=call.detail)


def outcome_of(item: Item, stored: StoredOutcome) -> Outcome:
    """An outcome that was come to before."""
    return Outcome(
        key=item.key,
        position=item.position,
        id=item.id,
        brief=item.brief,
        status=stored.status,
        cause=stored.cause,
        text=stored.text,
        record=stored.record,
        doubts=tuple(Doubt(one.start, one.end, one.text, one.reason) for one in stored.doubts),
        validated=stored.validated,
        final=stored.final,
        calls=stored.calls,
    )


def _stored_doubt(doubt: Doubt) -> StoredDoubt:
    return StoredDoubt(start=doubt.start, end=doubt.end, reason=doubt.reason, text=doubt.text)
