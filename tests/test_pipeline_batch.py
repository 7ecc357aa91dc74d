"""Runs by batch, over real HTTP with the real SDK: half price, nothing handed in twice."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.loopback import Expired, Failure, Loopback, Reply
from tests.pipeline_runs import GOOD, MODEL, Scripted, hurry, make_job, run, stored, topics

from onlytext.errors import OnlytextError
from onlytext.journal import Batch, Journal
from onlytext.pipeline import Pipeline
from onlytext.providers import BatchState, ProviderError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence
    from pathlib import Path

    from tests.loopback import Seen, Turn

    from onlytext.pipeline import Job
    from onlytext.providers import Answer, Request

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-0123456789abcdef")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


REPLY = Reply(text=GOOD, input_tokens=1000, output_tokens=100)


def batch_job(server: Loopback, *, attempts: int = 3, spend: float | None = None) -> Job:
    return make_job(url=server.url, mode="batch", attempts=attempts, spend=spend)


def handed_in(server: Loopback) -> list[int]:
    """How many requests each batch had."""
    sent = [
        seen for seen in server.seen if seen.method == "POST" and seen.path.endswith("/batches")
    ]
    return [len(seen.body["requests"]) for seen in sent]  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


async def something_is_handed_in(server: Loopback) -> None:
    """Return once the server, which is another thread, has taken a batch."""
    async with asyncio.timeout(30):
        while not handed_in(server):  # noqa: ASYNC110 - another thread sets no event of this loop
            await asyncio.sleep(0.005)


async def test_both_passes_go_by_batch_at_half_the_price(journal: Path) -> None:
    with Loopback(REPLY) as server:
        ran = await run(batch_job(server), topics(20), journal)
    assert ran.statuses == ["ok"] * 20
    assert sum(handed_in(server)) == 40
    assert len(handed_in(server)) <= 6
    whole = 40 * (1000 * 0.10 + 100 * 0.50) / 1e6
    assert ran.pipeline.tally.cost == pytest.approx(whole / 2)
    assert all(outcome.cost == pytest.approx(whole / 40) for outcome in ran.outcomes)
    with Journal.open(journal) as opened:
        assert {batch.state for batch in opened.reader.batches()} == {"done"}


async def test_a_refused_reply_is_asked_for_again_in_another_batch(journal: Path) -> None:
    def script(seen: Seen) -> Turn:
        again = "could not be used" in seen.prompt
        return Reply(text=GOOD if again else "I checked the text and found no violation at all.")

    with Loopback(script) as server:
        ran = await run(replace(batch_job(server), validate="never"), topics(3), journal)
    assert ran.statuses == ["ok"] * 3
    assert handed_in(server) == [3, 3]


async def test_a_request_that_failed_or_ran_out_of_time_is_handed_in_again(journal: Path) -> None:
    first: Iterator[Turn] = iter([Failure(status=529), Expired(), REPLY])

    def script(_: Seen) -> Turn:
        return next(first, REPLY)

    with Loopback(script) as server:
        ran = await run(replace(batch_job(server), validate="never"), topics(3), journal)
    assert ran.statuses == ["ok"] * 3
    assert handed_in(server) == [3, 2]
    assert stored(journal)["failures"] == 2


async def test_a_request_that_fails_each_time_is_an_item_without_a_reply(journal: Path) -> None:
    with Loopback(Failure(status=529)) as server:
        job = replace(batch_job(server, attempts=2), validate="never")
        ran = await run(job, topics(2), journal)
    assert ran.statuses == ["failed"] * 2
    assert handed_in(server) == [2, 2]
    assert not any(outcome.final for outcome in ran.outcomes)


async def test_a_killed_process_finds_its_batch_again_and_hands_in_nothing_twice(
    journal: Path,
) -> None:
    with Loopback(REPLY, batch_polls=3) as server:
        job = batch_job(server)
        pipeline = Pipeline(job, journal=journal)
        hurry(pipeline)
        task = asyncio.create_task(anext(pipeline.run(topics(10))))
        await something_is_handed_in(server)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        ran = await run(job, topics(10), journal)
    assert ran.statuses == ["ok"] * 10
    assert sum(handed_in(server)) == 20


async def test_a_batch_whose_id_was_never_written_down_is_found_among_the_newest(
    journal: Path,
) -> None:
    with Loopback(REPLY) as server:
        job = replace(batch_job(server), validate="never")
        await run(job, topics(4), journal)
        with Journal.open(journal) as opened:
            [sending, sent] = sorted(opened.reader.batches(), key=lambda one: one.id, reverse=True)
            keys = dict(sent.calls)
            assert sending.state == "done"
        # The same calls in a journal that knows only that they were about to be handed in.
        other = journal.with_name("other.sqlite")
        with Journal.open(other) as opened:
            intent = Batch(
                provider="anthropic", id="sending-1", state="sending", submitted=1.0, calls=keys
            )
            await opened.store_batch(intent)
        ran = await run(job, topics(4), other)
    assert ran.statuses == ["ok"] * 4
    assert handed_in(server) == [4], "the batch was found, and no other was handed in"


async def test_a_batch_that_never_arrived_is_handed_in_again(journal: Path) -> None:
    with Loopback(REPLY) as server:
        with Journal.open(journal) as opened:
            intent = Batch(
                provider="anthropic",
                id="sending-1",
                state="sending",
                submitted=1.0,
                calls={"a" * 64: "a" * 64},
            )
            await opened.store_batch(intent)
        ran = await run(replace(batch_job(server), validate="never"), topics(2), journal)
    assert ran.statuses == ["ok"] * 2
    assert handed_in(server) == [2]


async def test_a_stop_leaves_batches_to_the_provider(journal: Path) -> None:
    with Loopback(REPLY, batch_polls=10_000) as server:
        job = batch_job(server)
        pipelines: list[Pipeline] = []
        task = asyncio.create_task(run(job, topics(5), journal, prepare=pipelines.append))
        await something_is_handed_in(server)
        assert pipelines[0].in_flight == 5
        pipelines[0].stop()
        ran = await task
    assert ran.stopped is not None
    assert ran.stopped.reason == "asked"
    assert ran.outcomes == []


async def test_a_spending_limit_holds_for_batches_too(journal: Path) -> None:
    with Loopback(REPLY) as server:
        job = batch_job(server, spend=0.002)
        ran = await run(job, topics(100), journal)
    assert ran.stopped is not None
    assert ran.stopped.reason == "spend"
    assert 0 < ran.pipeline.tally.cost <= 0.002


async def test_a_provider_without_batches_is_an_error_that_says_what_to_write(
    journal: Path,
) -> None:
    with pytest.raises(OnlytextError, match='mode = "live"'):
        await run(
            make_job(mode="batch"),
            topics(1),
            journal,
            providers={"anthropic": Scripted(lambda _: GOOD)},
        )


class Batches(Scripted):
    """Batches in this process, which fail as they are told."""

    def __init__(self, *, at_submit: list[ProviderError], at_state: list[ProviderError]) -> None:
        super().__init__(lambda _: GOOD)
        self.at_submit, self.at_state = at_submit, at_state
        self.taken: list[dict[str, Request]] = []
        self.takes_all_the_same = False

    async def submit(self, requests: Sequence[tuple[str, Request]]) -> str:
        error = self.at_submit.pop(0) if self.at_submit else None
        if error is None or self.takes_all_the_same:
            self.taken.append(dict(requests))
        if error is not None:
            raise error
        return f"batch-{len(self.taken)}"

    async def recent(self) -> list[tuple[str, int]]:
        taken = [(f"batch-{at}", len(one)) for at, one in enumerate(self.taken, start=1)]
        return taken[::-1]

    async def state(self, batch: str) -> BatchState:  # noqa: ARG002
        if self.at_state:
            raise self.at_state.pop(0)
        return BatchState(ended=True, done=1, in_all=1)

    async def results(self, batch: str) -> AsyncIterator[tuple[str, Answer | ProviderError]]:
        for key, request in self.taken[int(batch.rpartition("-")[2]) - 1].items():
            yield key, await self.complete(request, seconds=1)


def overloaded() -> ProviderError:
    return ProviderError("overloaded", fault="overloaded", again=True)


def timed_out() -> ProviderError:
    return ProviderError("no answer", fault="timeout", again=True)


def no_key() -> ProviderError:
    return ProviderError("no key", fault="authentication", again=False)


def once(job: Job | None = None) -> Job:
    return replace(job or make_job(mode="batch"), validate="never")


async def test_handing_in_and_looking_after_are_tried_again(journal: Path) -> None:
    provider = Batches(at_submit=[overloaded()], at_state=[overloaded(), overloaded()])
    ran = await run(once(), topics(3), journal, providers={"anthropic": provider})
    assert ran.statuses == ["ok"] * 3
    assert len(provider.taken) == 1


async def test_a_batch_that_was_taken_though_nobody_answered_is_not_handed_in_again(
    journal: Path,
) -> None:
    provider = Batches(at_submit=[timed_out()], at_state=[])
    provider.takes_all_the_same = True
    ran = await run(once(), topics(3), journal, providers={"anthropic": provider})
    assert ran.statuses == ["ok"] * 3
    assert len(provider.taken) == 1


async def test_a_batch_that_is_not_taken_leaves_its_items_for_the_next_run(journal: Path) -> None:
    provider = Batches(at_submit=[overloaded() for _ in range(3)], at_state=[])
    ran = await run(once(), topics(2), journal, providers={"anthropic": provider})
    assert ran.statuses == ["failed"] * 2
    assert "the batch was not taken: overloaded" in (ran.outcomes[0].cause or "")
    again = await run(once(), topics(2), journal, providers={"anthropic": provider})
    assert again.statuses == ["ok"] * 2


async def test_a_key_that_is_not_there_stops_the_run(journal: Path) -> None:
    provider = Batches(at_submit=[no_key()], at_state=[])
    ran = await run(once(), topics(2), journal, providers={"anthropic": provider})
    assert ran.stopped is not None
    assert ran.stopped.reason == "provider"


async def test_a_batch_that_cannot_be_looked_after_stops_the_run_and_is_found_again(
    journal: Path,
) -> None:
    provider = Batches(at_submit=[], at_state=[no_key()])
    ran = await run(once(), topics(2), journal, providers={"anthropic": provider})
    assert ran.stopped is not None
    assert "can't be fetched" in str(ran.stopped)
    again = await run(once(), topics(2), journal, providers={"anthropic": provider})
    assert again.statuses == ["ok"] * 2
    assert len(provider.taken) == 1


async def test_results_that_come_before_their_item_is_read_wait_for_it(journal: Path) -> None:
    provider = Batches(at_submit=[], at_state=[no_key()])
    await run(once(), topics(3), journal, providers={"anthropic": provider})

    async def late() -> AsyncIterator[dict[str, object]]:
        await asyncio.sleep(0.2)
        for brief in topics(3):
            yield brief

    pipeline = Pipeline(once(), journal=journal, providers={"anthropic": provider})
    hurry(pipeline)
    outcomes = [outcome async for outcome in pipeline.run(late())]
    assert [outcome.status for outcome in outcomes] == ["ok"] * 3
    assert len(provider.taken) == 1
    with Journal.open(journal) as opened:
        assert {batch.state for batch in opened.reader.batches()} == {"done"}


async def test_what_has_no_result_is_handed_in_again(journal: Path) -> None:
    class LosesOne(Batches):
        async def results(self, batch: str) -> AsyncIterator[tuple[str, Answer | ProviderError]]:
            async for key, came in super().results(batch):
                if len(self.taken) > 1 or key != min(self.taken[0]):
                    yield key, came

    provider = LosesOne(at_submit=[], at_state=[])
    ran = await run(once(), topics(3), journal, providers={"anthropic": provider})
    assert ran.statuses == ["ok"] * 3
    assert [len(one) for one in provider.taken] == [3, 1]


async def test_a_fault_of_the_journal_ends_the_run(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object) -> None:
        raise OnlytextError("the disk is full")

    monkeypatch.setattr(Journal, "store_batch", full)
    provider = Batches(at_submit=[], at_state=[])
    with pytest.raises(OnlytextError, match="the disk is full"):
        await run(once(), topics(2), journal, providers={"anthropic": provider})


async def test_models_have_their_names_in_batches_as_elsewhere(journal: Path) -> None:
    provider = Batches(at_submit=[], at_state=[])
    await run(once(), topics(1), journal, providers={"anthropic": provider})
    assert [request.model for request in provider.asked] == [MODEL]
