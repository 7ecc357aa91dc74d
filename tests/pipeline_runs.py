"""Whole runs as tests need them: a job, a scripted server or a scripted provider, and the end of it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tests.roads import FORMAT

from onlytext.journal import Journal
from onlytext.pipeline import Generate, Job, JobLimits, ModelChoice, Pipeline, Stopped, Validator
from onlytext.pipeline._backoff import Backoff
from onlytext.providers import Answer, ProviderError, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from onlytext.pipeline import Outcome
    from onlytext.pipeline._job import Mode, Validate
    from onlytext.providers import Provider, Request

GOOD = "[TITLE]\nBread\n\n[BODY]\nBaked every day.\n[END]"
TEXT = "[TITLE]\nBread\n\n[BODY]\nBaked every day."
MODEL = "claude-haiku-5-5"


def make_job(  # noqa: PLR0913 - what tests change about it
    *,
    provider: str = "anthropic",
    url: str | None = None,
    validate: Validate = "always",
    attempts: int = 3,
    seconds: float = 20.0,
    in_flight: int = 4,
    spend: float | None = None,
    mode: Mode = "live",
    id_field: str | None = None,
    model: str = MODEL,
) -> Job:
    """A job that writes about bread and checks it."""
    choice = ModelChoice(model=model, provider=provider, max_tokens=300)
    return Job(
        name="bread",
        format=FORMAT,
        generate=Generate(prompt="A text on {topic}.", model=choice),
        validate=validate,
        validator=Validator(rules=("At most 6 words in [BODY].",), model=choice),
        id_field=id_field,
        limits=JobLimits(in_flight=in_flight, seconds=seconds, attempts=attempts, spend=spend),
        mode=mode,
        providers={} if url is None else {provider: {"base_url": url}},
    )


def topics(count: int) -> list[dict[str, object]]:
    """So many briefs, each another."""
    return [{"topic": f"bread-{number:05d}"} for number in range(count)]


@dataclass(slots=True, kw_only=True)
class Ran:
    """What a run gave, and how it ended."""

    outcomes: list[Outcome]
    stopped: Stopped | None
    pipeline: Pipeline

    @property
    def statuses(self) -> list[str]:
        """How the items ended, in the order of their briefs."""
        ordered = sorted(self.outcomes, key=lambda outcome: outcome.position)
        return [outcome.status for outcome in ordered]


async def run(
    job: Job,
    briefs: Iterable[Mapping[str, object]],
    journal: Path | str,
    *,
    providers: Mapping[str, Provider] | None = None,
    strict: bool = False,
    prepare: Callable[[Pipeline], None] | None = None,
) -> Ran:
    """Run a job to its end, within a minute."""
    pipeline = Pipeline(job, journal=journal, providers=providers, strict=strict)
    hurry(pipeline)
    if prepare is not None:
        prepare(pipeline)
    outcomes: list[Outcome] = []
    stopped = None
    async with asyncio.timeout(60):
        try:
            async with aclosing(pipeline.run(briefs)) as results:
                outcomes.extend([outcome async for outcome in results])
        except Stopped as error:
            stopped = error
    return Ran(outcomes=outcomes, stopped=stopped, pipeline=pipeline)


def hurry(pipeline: Pipeline) -> None:
    """Make a run wait for hundredths of seconds where it would for seconds."""
    pipeline._pace = replace(pipeline._pace, quiet=0.02, first=0.01, longest=0.05)
    pipeline._backoff = Backoff(first=0.01, longest=0.05)


def stored(journal: Path | str) -> dict[str, int]:
    """How much of each kind the journal's last run has."""
    with Journal.open(journal) as opened:
        runs = opened.reader.runs()
        counts = opened.figures.counts(runs[-1].id)
        return {
            "runs": len(runs),
            "items": counts.items,
            "replies": counts.replies,
            "failures": counts.failures,
            **{f"{status}": number for status, number in counts.outcomes.items()},
        }


@dataclass(slots=True)
class Scripted:
    """A provider in this process: a function says what comes of a request."""

    answer: Callable[[Request], Answer | ProviderError | str]
    name: str = "anthropic"
    asked: list[Request] = field(default_factory=list["Request"])
    closed: bool = False
    pause: float = 0.0

    async def complete(self, request: Request, *, seconds: float) -> Answer:  # noqa: ARG002
        self.asked.append(request)
        await asyncio.sleep(self.pause)
        came = self.answer(request)
        if isinstance(came, ProviderError):
            raise came
        if isinstance(came, str):
            return Answer(text=came, stop="end", usage=Usage(input=100, output=50))
        return came

    async def aclose(self) -> None:
        self.closed = True
