"""Whole runs: each case of cases/roads.toml through the journal, resuming, limits, stopping."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.pipeline_runs import GOOD, TEXT, Scripted, make_job, run, stored, topics
from tests.roads import RoadCase, road_cases

from onlytext.errors import OnlytextError
from onlytext.journal import Journal
from onlytext.pipeline import Check, Pipeline
from onlytext.providers import Answer, Limits, ProviderError, Usage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from onlytext.providers import Request

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


OVERLOADED = ProviderError("overloaded", fault="overloaded", again=True, status=529)

Came = Answer | ProviderError | str


def as_script(case: RoadCase) -> Scripted:
    """The case's replies, as a provider gives them that knows the passes by their prompts."""
    given = {"generate": iter(case.replies["generate"]), "validate": iter(case.replies["validate"])}

    def answer(request: Request) -> Answer | ProviderError:
        part = "validate" if "</draft-" in request.messages[-1].content else "generate"
        reply = next(given[part])
        if reply is None:
            return ProviderError("too long", fault="bad_request", again=False, status=400)
        return Answer(
            text=reply.text, stop=reply.stop, thinking=reply.thinking, detail=reply.detail
        )

    return Scripted(answer)


@pytest.mark.parametrize("case", road_cases(), ids=lambda case: case.name)
async def test_each_case_of_the_road_comes_to_its_end_in_a_run_and_every_reply_is_kept(
    case: RoadCase, journal: Path
) -> None:
    provider = as_script(case)
    ran = await run(
        case.job, [case.brief], journal, providers={"anthropic": provider}, strict=case.strict
    )
    [outcome] = ran.outcomes
    assert ran.stopped is None
    assert outcome.status == case.status, outcome.cause
    assert outcome.text == case.text
    assert (outcome.validated, outcome.final) == (case.validated, case.final)
    assert case.cause is None or case.cause in (outcome.cause or "")
    given = [reply for replies in case.replies.values() for reply in replies]
    came = [reply for reply in given if reply is not None]
    kept = stored(journal)
    assert (kept["replies"], kept["failures"]) == (len(came), len(given) - len(came))
    # Once more: what is final is not asked for, and the rest of the replies is used again.
    again = await run(
        case.job,
        [case.brief],
        journal,
        providers={"anthropic": Scripted(lambda _: OVERLOADED)},
        strict=case.strict,
    )
    assert [(one.status, one.text) for one in again.outcomes] == [(case.status, case.text)]
    assert stored(journal)["replies"] == len(came)
    assert again.pipeline.tally.before == case.final
    if case.final:
        assert again.pipeline.tally.calls == 0


async def test_every_brief_has_one_outcome_and_calls_stay_within_the_limit(journal: Path) -> None:
    most = 0

    def answer(_: Request) -> str:
        nonlocal most
        most = max(most, pipelines[0].in_flight)
        return GOOD

    pipelines: list[Pipeline] = []
    provider = Scripted(answer, pause=0.001)
    ran = await run(
        make_job(in_flight=5),
        topics(60),
        journal,
        providers={"anthropic": provider},
        prepare=pipelines.append,
    )
    assert sorted(outcome.position for outcome in ran.outcomes) == list(range(60))
    assert all((outcome.status, outcome.text) == ("ok", TEXT) for outcome in ran.outcomes)
    assert len(provider.asked) == 120
    assert 1 < most <= 5
    assert pipelines[0].in_flight == 0
    assert not provider.closed, "who made it closes it"


async def test_validation_of_an_item_does_not_wait_for_other_drafts(journal: Path) -> None:
    slow = asyncio.Event()

    class OneIsSlow(Scripted):
        async def complete(self, request: Request, *, seconds: float) -> Answer:
            if "bread-00000" in request.messages[-1].content:
                await slow.wait()
            return await Scripted.complete(self, request, seconds=seconds)

    provider = OneIsSlow(lambda _: GOOD)
    pipeline = Pipeline(make_job(), journal=journal, providers={"anthropic": provider})
    seen: list[int] = []
    async with asyncio.timeout(30):
        async for outcome in pipeline.run(topics(5)):
            seen.append(outcome.position)
            if len(seen) == 4:
                slow.set()
    assert seen[-1] == 0
    assert sorted(seen[:4]) == [1, 2, 3, 4]


async def test_briefs_may_come_in_their_own_time(journal: Path) -> None:
    async def slowly() -> AsyncIterator[dict[str, object]]:
        for brief in topics(3):
            await asyncio.sleep(0.01)
            yield brief

    pipeline = Pipeline(
        make_job(validate="never"),
        journal=journal,
        providers={"anthropic": Scripted(lambda _: GOOD)},
    )
    assert len([outcome async for outcome in pipeline.run(slowly())]) == 3


async def test_a_reply_that_is_stored_is_used_and_never_paid_for_again(journal: Path) -> None:
    job = make_job()
    first = Scripted(lambda _: GOOD)
    await run(job, topics(4), journal, providers={"anthropic": first})
    second = Scripted(lambda _: GOOD)
    ran = await run(job, topics(6), journal, providers={"anthropic": second})
    assert len(ran.outcomes) == 6
    assert len(second.asked) == 4
    assert ran.pipeline.tally.before == 4


async def test_a_new_rule_makes_new_calls_only_where_it_is_read(journal: Path) -> None:
    job = make_job()
    await run(job, topics(3), journal, providers={"anthropic": Scripted(lambda _: GOOD)})
    assert job.validator is not None
    other = replace(job, validator=replace(job.validator, rules=("No adjectives.",)))
    provider = Scripted(lambda _: GOOD)
    await run(other, topics(3), journal, providers={"anthropic": provider})
    assert len(provider.asked) == 3, "the drafts are there, and are validated by the new rule"


async def test_a_new_check_is_made_of_stored_replies_without_a_call(journal: Path) -> None:
    job = make_job()
    await run(job, topics(2), journal, providers={"anthropic": Scripted(lambda _: GOOD)})
    checked = replace(job, checks=(Check(max_words=20),))
    provider = Scripted(lambda _: GOOD)
    ran = await run(checked, topics(2), journal, providers={"anthropic": provider})
    assert ran.statuses == ["ok", "ok"]
    assert provider.asked == []
    assert ran.pipeline.tally.reused == 4


# ---------------------------------------------------------------- faults


async def test_a_fault_that_may_pass_is_tried_again_and_each_attempt_is_kept(journal: Path) -> None:
    came: Iterator[Came] = iter([OVERLOADED, OVERLOADED, GOOD, GOOD])
    ran = await run(
        make_job(attempts=3),
        topics(1),
        journal,
        providers={"anthropic": Scripted(lambda _: next(came))},
    )
    assert ran.statuses == ["ok"]
    assert stored(journal)["failures"] == 2
    assert ran.pipeline.tally.retries == {"overloaded": 2}


async def test_attempts_are_counted_and_the_item_is_tried_again_in_the_next_run(
    journal: Path,
) -> None:
    job = make_job(attempts=2)
    ran = await run(
        job, topics(1), journal, providers={"anthropic": Scripted(lambda _: OVERLOADED)}
    )
    assert ran.statuses == ["failed"]
    assert ran.outcomes[0].cause == "no reply: overloaded (tried 2 times)"
    again = await run(job, topics(1), journal, providers={"anthropic": Scripted(lambda _: GOOD)})
    assert again.statuses == ["ok"]
    assert stored(journal)["failures"] == 2


async def test_a_stream_that_broke_off_is_no_reply_whatever_had_come(journal: Path) -> None:
    came: Iterator[Came] = iter(
        [Answer(text=TEXT, stop="cut", usage=Usage(input=10, output=5)), GOOD, GOOD]
    )
    ran = await run(
        make_job(), topics(1), journal, providers={"anthropic": Scripted(lambda _: next(came))}
    )
    assert ran.statuses == ["ok"]
    with Journal.open(journal) as opened:
        [failures] = opened.reader.failures([ran.outcomes[0].key]).values()
    assert [(one.fault, one.partial, one.usage.output) for one in failures] == [
        ("broken_stream", TEXT, 5)
    ]


async def test_a_provider_that_keeps_no_deadline_is_left_alone(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onlytext.pipeline._calls._GRACE", 0.01)
    ran = await run(
        make_job(attempts=1, seconds=0.02),
        topics(1),
        journal,
        providers={"anthropic": Scripted(lambda _: GOOD, pause=60)},
    )
    assert ran.statuses == ["failed"]
    assert "no answer within" in (ran.outcomes[0].cause or "")


@pytest.mark.parametrize("fault", ["authentication", "spend_limit"])
async def test_a_fault_that_every_item_would_meet_stops_the_run(fault: str, journal: Path) -> None:
    error = ProviderError("there is no key", fault=fault, again=False)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    provider = Scripted(lambda _: error)
    ran = await run(make_job(), topics(50), journal, providers={"anthropic": provider})
    assert ran.outcomes == []
    assert ran.stopped is not None
    assert (ran.stopped.reason, str(ran.stopped)) == ("provider", "there is no key")
    assert len(provider.asked) <= 4


async def test_requests_that_are_all_at_fault_stop_the_run(journal: Path) -> None:
    error = ProviderError("no such model", fault="bad_request", again=False, status=404)
    provider = Scripted(lambda _: error)
    ran = await run(make_job(), topics(50), journal, providers={"anthropic": provider})
    assert ran.stopped is not None
    assert "no such model" in str(ran.stopped)
    assert len(provider.asked) < 12


async def test_one_request_at_fault_among_good_ones_is_one_item_that_failed(journal: Path) -> None:
    def answer(request: Request) -> str | ProviderError:
        if "bread-00003" in request.messages[-1].content:
            return ProviderError("too long", fault="bad_request", again=False, status=413)
        return GOOD

    ran = await run(make_job(), topics(8), journal, providers={"anthropic": Scripted(answer)})
    assert ran.stopped is None
    assert ran.statuses == ["ok"] * 3 + ["failed"] + ["ok"] * 4


async def test_a_provider_that_is_away_stops_the_run_and_the_next_one_goes_on(
    journal: Path,
) -> None:
    gone = ProviderError("connection refused", fault="connection", again=True)
    job = make_job(attempts=2)
    calls = 0

    def answer(_: Request) -> str | ProviderError:
        nonlocal calls
        calls += 1
        return GOOD if calls <= 20 else gone

    ran = await run(job, topics(100), journal, providers={"anthropic": Scripted(answer)})
    assert ran.stopped is not None
    assert ran.stopped.reason == "provider"
    assert "connection refused" in str(ran.stopped)
    assert calls < 60
    again = await run(job, topics(100), journal, providers={"anthropic": Scripted(lambda _: GOOD)})
    assert again.statuses == ["ok"] * 100
    assert stored(journal)["replies"] == 200


async def test_it_falls_and_recovers_as_the_server_says(journal: Path) -> None:
    most_at_once: list[int] = []

    def answer(_: Request) -> Answer:
        most_at_once.append(pipelines[0].in_flight)
        limits = Limits(requests_left=0.05, reset_seconds=60) if len(most_at_once) > 20 else None
        return Answer(text=GOOD, stop="end", limits=limits)

    pipelines: list[Pipeline] = []
    await run(
        make_job(in_flight=8, validate="never"),
        topics(60),
        journal,
        providers={"anthropic": Scripted(answer, pause=0.002)},
        prepare=pipelines.append,
    )
    assert max(most_at_once[:20]) > 4
    assert max(most_at_once[-20:]) <= 2


# ---------------------------------------------------------------- limits and stopping


async def test_a_spending_limit_stops_the_run_and_is_not_passed_even_over_several_runs(
    journal: Path,
) -> None:
    # 100 tokens in and 50 out cost 0.000035 USD.
    job = make_job(spend=0.002)
    provider = Scripted(lambda _: GOOD)
    ran = await run(job, topics(100), journal, providers={"anthropic": provider})
    assert ran.stopped is not None
    assert ran.stopped.reason == "spend"
    assert 0.001 < ran.pipeline.tally.cost <= 0.002
    again = await run(job, topics(100), journal, providers={"anthropic": provider})
    assert again.stopped is not None
    assert again.pipeline.tally.calls <= 2
    raised = replace(job, limits=replace(job.limits, spend=1.0))
    whole = await run(raised, topics(100), journal, providers={"anthropic": provider})
    assert whole.statuses == ["ok"] * 100
    assert len(provider.asked) == 200


async def test_a_limit_without_a_price_is_an_error_before_anything_is_sent(journal: Path) -> None:
    provider = Scripted(lambda _: GOOD)
    job = make_job(spend=1.0, model="my-own-model")
    with pytest.raises(OnlytextError, match="'my-own-model'"):
        await run(job, topics(1), journal, providers={"anthropic": provider})
    assert provider.asked == []
    assert not list(journal.parent.iterdir())


async def test_stop_lets_calls_under_way_end_and_begins_no_other(journal: Path) -> None:
    provider = Scripted(lambda _: GOOD, pause=0.01)
    pipeline = Pipeline(make_job(), journal=journal, providers={"anthropic": provider})
    seen: list[str] = []

    async def watch() -> None:
        async for outcome in pipeline.run(topics(500)):
            seen.append(outcome.status)
            if len(seen) == 5:
                pipeline.stop()

    async with asyncio.timeout(30):
        with pytest.raises(OnlytextError, match="as you wished"):
            await watch()
    assert len(seen) < 40
    assert stored(journal)["replies"] == len(provider.asked), "no reply was lost"
    with Journal.open(journal) as opened:
        assert opened.reader.runs()[-1].state == "stopped"


async def test_who_stops_listening_ends_the_run_and_its_calls(journal: Path) -> None:
    provider = Scripted(lambda _: GOOD, pause=0.01)
    pipeline = Pipeline(make_job(), journal=journal, providers={"anthropic": provider})
    results = pipeline.run(topics(100))
    await anext(results)
    await results.aclose()
    asked = len(provider.asked)
    await asyncio.sleep(0.05)
    assert len(provider.asked) == asked
    assert pipeline.in_flight == 0


async def test_two_runs_at_once_do_not_pay_for_the_same_items(journal: Path) -> None:
    job = make_job()
    one, other = Scripted(lambda _: GOOD, pause=0.02), Scripted(lambda _: GOOD)
    first = Pipeline(job, journal=journal, providers={"anthropic": one}).run(topics(30))
    await anext(first)
    ran = await run(job, topics(30), journal, providers={"anthropic": other})
    assert ran.stopped is not None
    assert ran.stopped.reason == "busy"
    assert other.asked == []
    assert len([outcome async for outcome in first]) == 29


async def test_a_provider_of_the_jobs_own_is_made_and_closed_with_the_run(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Scripted(lambda _: GOOD)

    def make(*_: object) -> Scripted:
        return made

    monkeypatch.setattr("onlytext.pipeline._session.make_provider", make)
    ran = await run(make_job(), topics(1), journal)
    assert ran.statuses == ["ok"]
    assert made.closed


async def test_without_a_journal_there_is_one_named_for_the_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pipeline = Pipeline(make_job(), providers={"anthropic": Scripted(lambda _: GOOD)})
    assert len([outcome async for outcome in pipeline.run(topics(1))]) == 1
    assert (tmp_path / "bread.journal.sqlite").exists()
