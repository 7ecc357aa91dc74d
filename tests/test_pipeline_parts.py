"""The runner's small parts: flow of jobs, back-off, spending limit, stop sign, keys of items."""

from __future__ import annotations

import asyncio
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import pytest

from onlytext import Text
from onlytext.errors import OnlytextError
from onlytext.pipeline._backoff import Backoff
from onlytext.pipeline._flow import Flow
from onlytext.pipeline._items import Numbering
from onlytext.pipeline._job import Job, ModelChoice, Validator
from onlytext.pipeline._purse import Purse
from onlytext.pipeline._session import _at_once
from onlytext.pipeline._stop import Stopped, StopSign

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from onlytext.providers import Answer, Request

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


# ---------------------------------------------------------------- the flow of jobs


class Gauge:
    """Jobs that say how many of them there are at once."""

    def __init__(self) -> None:
        self.made = 0
        self.now = 0
        self.most = 0
        self.ended: list[int] = []

    async def job(self, number: int, *, seconds: float = 0.0) -> int:
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(seconds)
        finally:
            self.now -= 1
            self.ended.append(number)
        return number

    async def jobs(self, count: int) -> AsyncIterator[Callable[[], Awaitable[int]]]:
        for number in range(count):
            self.made += 1
            yield partial(self.job, number)


async def test_every_job_has_its_result_and_no_more_than_asked_are_under_way() -> None:
    gauge = Gauge()
    results = [result async for result in Flow(gauge.jobs(50), most=4).results()]
    assert sorted(results) == list(range(50))
    assert gauge.most == 4


async def test_no_jobs_are_made_for_results_that_nobody_has_taken() -> None:
    gauge = Gauge()
    results = Flow(gauge.jobs(1000), most=4).results()
    await anext(results)
    for _ in range(50):
        await asyncio.sleep(0)
    assert gauge.made <= 1 + 4 + 1
    await results.aclose()


async def test_results_come_as_they_are_ready() -> None:
    gauge = Gauge()

    async def jobs() -> AsyncIterator[Callable[[], Awaitable[int]]]:
        yield partial(gauge.job, 1, seconds=0.05)
        yield partial(gauge.job, 2)

    assert [result async for result in Flow(jobs(), most=2).results()] == [2, 1]


async def test_a_job_that_fails_ends_the_flow_and_those_beside_it() -> None:
    gauge = Gauge()

    async def fails() -> int:
        await asyncio.sleep(0)
        raise ZeroDivisionError

    async def jobs() -> AsyncIterator[Callable[[], Awaitable[int]]]:
        yield partial(gauge.job, 1, seconds=60)
        yield fails

    with pytest.raises(ZeroDivisionError):
        await anext(Flow(jobs(), most=2).results())
    assert gauge.now == 0


async def test_what_makes_the_jobs_may_fail_as_well() -> None:
    async def jobs() -> AsyncIterator[Callable[[], Awaitable[int]]]:
        yield partial(Gauge().job, 1, seconds=60)
        raise ZeroDivisionError

    results = Flow(jobs(), most=2).results()
    with pytest.raises(ZeroDivisionError):
        await anext(results)


async def test_a_job_that_cancels_itself_is_told_and_not_waited_for() -> None:
    async def cancelled() -> int:
        raise asyncio.CancelledError

    async def jobs() -> AsyncIterator[Callable[[], Awaitable[int]]]:
        yield cancelled

    async with asyncio.timeout(5):
        with pytest.raises(asyncio.CancelledError):
            await anext(Flow(jobs(), most=2).results())


# ---------------------------------------------------------------- back-off


@pytest.mark.parametrize(
    ("attempt", "retry_after", "least", "most"),
    [
        (1, None, 0.5, 1.0),
        (2, None, 1.0, 2.0),
        (4, None, 4.0, 8.0),
        (99, None, 10.0, 20.0),
        (1, 7.0, 7.0, 7.0),
        (1, 0.1, 0.5, 1.0),
        (1, 86_400.0, 60.0, 60.0),
    ],
)
def test_waits_double_are_drawn_at_random_and_heed_the_server_up_to_the_deadline(
    attempt: int, retry_after: float | None, least: float, most: float
) -> None:
    backoff = Backoff(first=1.0, longest=20.0, random=Random(7))  # noqa: S311 - a drawn wait is no secret
    waits = [backoff.seconds(attempt, retry_after=retry_after, deadline=60.0) for _ in range(200)]
    assert all(least <= wait <= most for wait in waits)
    assert (len(set(waits)) > 100) == (least != most)


# ---------------------------------------------------------------- stop sign and purse


async def test_a_stop_sign_ends_a_wait_and_keeps_its_first_reason() -> None:
    sign = StopSign()
    sign.heed()
    await sign.sleep(0.001)
    waiting = asyncio.create_task(sign.sleep(600))
    await asyncio.sleep(0)
    sign.put_up("enough", reason="spend")
    sign.put_up("for another reason", reason="asked")
    with pytest.raises(Stopped, match="enough") as stopped:
        await waiting
    assert stopped.value.reason == "spend"
    with pytest.raises(Stopped, match="enough"):
        sign.heed()


async def test_without_a_limit_nothing_is_set_aside() -> None:
    sign = StopSign()
    purse = Purse(None, sign)
    async with purse.room_for(1e9):
        pass
    assert purse.set_aside("call", None)
    assert sign.stopped is None


async def test_with_a_limit_a_call_whose_price_is_not_known_is_not_made() -> None:
    purse = Purse(1.0, StopSign())
    with pytest.raises(Stopped, match="price of the next call is not known"):
        await purse.room_for(None).__aenter__()


async def test_the_limit_is_never_passed_whatever_the_calls_cost() -> None:
    sign = StopSign()
    purse = Purse(1.0, sign)
    made = 0

    async def call() -> None:
        nonlocal made
        async with purse.room_for(0.3):
            await asyncio.sleep(0)
            purse.pay(0.25)
            made += 1

    ends = await asyncio.gather(*(call() for _ in range(20)), return_exceptions=True)
    assert made == 3
    assert purse.spent == 0.75
    assert sum(isinstance(end, Stopped) for end in ends) == 17
    assert sign.stopped is not None
    assert sign.stopped.reason == "spend"
    assert "limit of 1 USD" in str(sign.stopped)


async def test_what_earlier_runs_spent_counts() -> None:
    sign = StopSign()
    with pytest.raises(Stopped, match="spending limit"):
        async with Purse(1.0, sign, spent=0.95).room_for(0.1):
            pytest.fail("there was no room")


async def test_a_call_waits_for_what_another_one_may_give_back() -> None:
    purse = Purse(1.0, StopSign())
    order: list[str] = []

    async def second() -> None:
        async with purse.room_for(0.6):
            order.append("second")

    async with purse.room_for(0.6):
        waiting = asyncio.create_task(second())
        await asyncio.sleep(0.01)
        order.append("first")
        purse.pay(0.1)
    await waiting
    assert order == ["first", "second"]


# ---------------------------------------------------------------- keys of items


def job(id_field: str | None = None) -> Job:
    model = ModelChoice(model="a-model")
    return Job(
        name="bread",
        format=Text(),
        id_field=id_field,
        validator=Validator(rules=("Be brief.",), model=model),
    )


def test_a_brief_has_the_same_key_in_every_run_and_wherever_it_stands() -> None:
    briefs: list[dict[str, object]] = [{"draft": "a", "n": 1}, {"draft": "b"}, {"draft": "c"}]
    first = Numbering(job())
    keys = [first.item(brief).key for brief in briefs]
    second = Numbering(job())
    turned = [second.item(dict(reversed(brief.items()))).key for brief in reversed(briefs)]
    assert keys == turned[::-1]
    assert len(set(keys)) == 3


def test_equal_briefs_are_items_of_their_own() -> None:
    numbering = Numbering(job())
    items = [numbering.item({"draft": "a"}) for _ in range(3)]
    assert len({item.key for item in items}) == 3
    assert [item.position for item in items] == [0, 1, 2]


def test_an_id_makes_the_key_whatever_else_changes() -> None:
    one = Numbering(job("sku")).item({"sku": "b-1", "draft": "a"})
    other = Numbering(job("sku")).item({"sku": "b-1", "draft": "b"})
    assert one.key == other.key
    assert one.id == "b-1"
    assert one.key != Numbering(job()).item({"sku": "b-1", "draft": "a"}).key


def test_two_briefs_with_one_id_are_an_error_that_names_both() -> None:
    numbering = Numbering(job("sku"))
    numbering.item({"sku": "b-0", "draft": "a"})
    numbering.item({"sku": "b-1", "draft": "a"})
    with pytest.raises(OnlytextError, match="'b-1': the 2nd and the 3rd"):
        numbering.item({"sku": "b-1", "draft": "c"})


# ---------------------------------------------------------------- calls at once


class OneByOne:
    """A provider that answers one call after the other."""

    name = "slow"
    at_once = 1

    async def complete(self, request: Request, *, seconds: float) -> Answer:
        raise NotImplementedError

    async def aclose(self) -> None: ...


class AllAtOnce(OneByOne):
    name = "quick"
    at_once = 99


def test_a_provider_that_takes_few_calls_at_once_gets_no_more() -> None:
    assert _at_once({"slow": OneByOne()}, 8) == 1
    assert _at_once({"quick": AllAtOnce()}, 8) == 8
    assert _at_once({"quick": AllAtOnce(), "slow": OneByOne()}, 8) == 1
    assert _at_once({}, 8) == 8
