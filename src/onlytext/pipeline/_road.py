"""The road of one item: draft, checks, validation, checks again. No network, no journal, no clock.

What asks a model for a reply is passed in: over the network now, by batch, or from the journal.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from onlytext._reply import Doubt
from onlytext.errors import OnlytextError
from onlytext.pipeline._prompttext import prompt_text
from onlytext.pipeline._requests import BriefError
from onlytext.pipeline._verdict import Fault, Usable, carried

if TYPE_CHECKING:
    from collections.abc import Mapping

    from onlytext.pipeline._job import Job
    from onlytext.pipeline._outcome import Pass, Status
    from onlytext.pipeline._verdict import Reader, Reply
    from onlytext.providers import Request

_LONG: Final = 200_000
_OTHER_DRAFT: Final = "the validator was shown another draft than the one that is cleaned out now"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A reply that an item needs: in which pass, asked for the first (0) or the second time (1)."""

    part: Pass
    ask: int
    request: Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A reply, under the key of its call; `draft` is the text that it was asked about.

    Only a reply from an earlier run can be about another draft than the one at hand.
    """

    key: str
    reply: Reply
    draft: str | None = None


class Unanswered(OnlytextError):
    """No reply could be had for a step: the provider failed, in the words of this error.

    `cost` is what the attempts cost all the same.
    """

    def __init__(self, why: str, *, cost: float | None = 0.0) -> None:
        super().__init__(why)
        self.cost = cost


class Asker(Protocol):
    """Where an item's replies come from."""

    async def ask(self, step: Step) -> Answered:
        """The reply, stored before it is given; raises `Unanswered`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was made of one call's reply."""

    key: str
    part: Pass
    result: Usable | Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """Where an item's road ended."""

    status: Status
    cause: str | None = None
    usable: Usable | None = None
    doubts: tuple[Doubt, ...] = ()
    validated: bool = False
    final: bool = True
    readings: tuple[Reading, ...] = ()


@dataclass(slots=True)
class Road:
    """One item's way through the passes of its job."""

    job: Job
    reader: Reader
    asker: Asker
    brief: Mapping[str, object]
    readings: list[Reading] = field(default_factory=list[Reading])
    _stale: tuple[Doubt, ...] = ()

    async def walk(self) -> Arrival:
        """The item's end: a text, the draft, or the cause why there is none."""
        try:
            draft = await self._draft()
        except BriefError as error:
            return self._arrive("failed", cause=f"the brief can't be used: {error}")
        except Unanswered as error:
            return self._arrive("failed", cause=f"no reply: {error}", final=False)
        if isinstance(draft, Fault):
            return self._arrive("failed", cause=draft.cause)
        return await self._onward(draft)

    async def _onward(self, draft: Usable) -> Arrival:
        """The end of an item that has a draft: at the worst it is kept."""
        if not self._is_validated(draft):
            if draft.broken:
                return self._keep(draft, f"the draft breaks rules: {draft.complaint}")
            return self._arrive("ok", usable=draft, doubts=draft.doubts)
        try:
            text = await self._validated(draft)
        except Unanswered as error:
            return self._keep(draft, f"no reply of the validator: {error}", final=False)
        if isinstance(text, Fault):
            return self._keep(draft, text.cause)
        doubts = (*text.doubts, *carried(draft, text.cleaned.text), *self._stale)
        return self._arrive("ok", usable=text, doubts=doubts, validated=True)

    def _is_validated(self, draft: Usable) -> bool:
        wanted = self.job.validate
        return wanted == "always" or (wanted == "when_failing" and bool(draft.broken))

    async def _draft(self) -> Usable | Fault:
        if self.job.generate is None:
            return self._given()
        return await self._ask_twice(
            "generate", self.job.request_for_generation(self.brief), draft=None
        )

    def _given(self) -> Usable | Fault:
        given = self.job.draft_of(self.brief)
        if not given.strip():
            cause = f"the brief has no text in its field {self.job.draft_field}"
            return Fault(kind="empty", cause=cause, sentence="", again=False)
        read = self.reader.read_given(given)
        if isinstance(read, Usable):
            return read
        cause = f"the draft of the brief can't be used: {read.cause}"
        return Fault(kind=read.kind, cause=cause, sentence="", again=False)

    async def _validated(self, draft: Usable) -> Usable | Fault:
        request = self.job.request_for_validation(draft.cleaned.text)
        return await self._ask_twice("validate", request, draft=draft)

    async def _ask_twice(
        self, part: Pass, request: Request, *, draft: Usable | None
    ) -> Usable | Fault:
        """The text of the reply, or of a second one, asked for with the first one's fault."""
        first = await self.asker.ask(Step(part=part, ask=0, request=request))
        read = await self._read(part, first, request, draft)
        if isinstance(read, Usable) or not read.again:
            return read
        again = self.job.request_again(request, first.reply.text, read.sentence)
        second = await self.asker.ask(Step(part=part, ask=1, request=again))
        return await self._read(part, second, again, draft)

    async def _read(
        self, part: Pass, answered: Answered, request: Request, draft: Usable | None
    ) -> Usable | Fault:
        """The one way from a reply to a text: through `clean`, with all that is known of it."""
        if draft is None:
            job = partial(self.reader.read, answered.reply, prompt=prompt_text(request))
        else:
            seen = self._seen(answered, draft)
            prompt = prompt_text(request)
            job = partial(self.reader.read_rewrite, answered.reply, draft=seen, prompt=prompt)
        if len(answered.reply.text) < _LONG:
            result = job()
        else:  # seconds of work: calls in flight must not miss their deadlines for it
            result = await asyncio.to_thread(job)
        self.readings.append(Reading(key=answered.key, part=part, result=result))
        return result

    def _seen(self, answered: Answered, draft: Usable) -> Usable:
        """The draft that the model was shown, which an old reply may have another one of."""
        if answered.draft is None or answered.draft == draft.cleaned.text:
            return draft
        read = self.reader.read_given(answered.draft)
        if isinstance(read, Fault):
            return draft
        self._stale = (Doubt(0, 0, "", _OTHER_DRAFT),)
        return read

    def _keep(self, draft: Usable, cause: str, *, final: bool = True) -> Arrival:
        return self._arrive(
            "kept_draft", cause=cause, usable=draft, doubts=draft.doubts, final=final
        )

    def _arrive(
        self,
        status: Status,
        *,
        cause: str | None = None,
        usable: Usable | None = None,
        doubts: tuple[Doubt, ...] = (),
        validated: bool = False,
        final: bool = True,
    ) -> Arrival:
        return Arrival(
            status=status,
            cause=cause,
            usable=usable,
            doubts=doubts,
            validated=validated,
            final=final,
            readings=tuple(self.readings),
        )
