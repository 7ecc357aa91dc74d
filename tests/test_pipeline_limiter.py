"""How many calls are in flight: the limit falls where the server says so, and recovers."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from onlytext.pipeline._limiter import Lane, Limiter, Turn
from onlytext.providers import Limits

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Clock:
    """A time that passes when the test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def made(most: int = 8) -> tuple[Limiter, Lane, Clock]:
    clock = Clock()
    limiter = Limiter(most, longest=60.0, clock=clock)
    return limiter, limiter.lane("anthropic", "a-model"), clock


def turn_of(lane: Lane, clock: Clock) -> Turn:
    return Turn(lane, clock.now)


async def test_never_more_are_in_flight_than_were_asked_for() -> None:
    limiter, lane, _ = made(3)
    seen: list[int] = []

    async def call() -> None:
        async with limiter.turn(lane):
            seen.append(limiter.flying)
            await asyncio.sleep(0)

    await asyncio.gather(*(call() for _ in range(20)))
    assert len(seen) == 20
    assert max(seen) == 3
    assert limiter.flying == lane.flying == 0


async def test_lanes_share_the_places_of_the_run() -> None:
    limiter, one, _ = made(2)
    other = limiter.lane("openai", "b-model")
    assert other is limiter.lane("openai", "b-model")
    assert other is not one
    async with limiter.turn(one), limiter.turn(other):
        waiting = asyncio.create_task(enter_and_leave(limiter, other))
        await asyncio.sleep(0)
        assert not waiting.done()
    await waiting
    assert limiter.flying == 0


async def enter_and_leave(limiter: Limiter, lane: Lane) -> None:
    async with limiter.turn(lane):
        pass


async def test_who_waits_longest_goes_first() -> None:
    limiter, lane, _ = made(1)
    order: list[int] = []

    async def call(number: int) -> None:
        async with limiter.turn(lane):
            order.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(*(call(number) for number in range(5)))
    assert order == [0, 1, 2, 3, 4]


async def test_a_slow_lane_does_not_keep_another_ones_calls_back() -> None:
    limiter, slow, clock = made(4)
    quick = limiter.lane("openai", "b-model")
    slow.slowed(turn_of(slow, clock), retry_after=30.0)
    waiting = asyncio.create_task(enter_and_leave(limiter, slow))
    await asyncio.sleep(0)
    await enter_and_leave(limiter, quick)
    assert not waiting.done()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    limiter.close()


async def test_it_falls_to_half_once_for_all_calls_that_flew_together() -> None:
    _, lane, clock = made(8)
    together = [turn_of(lane, clock) for _ in range(5)]
    clock.now += 1
    for turn in together:
        lane.slowed(turn)
    assert lane.room() == 4
    clock.now += 1
    lane.slowed(turn_of(lane, clock))
    assert lane.room() == 2


async def test_it_never_falls_below_one() -> None:
    _, lane, clock = made(4)
    for _ in range(10):
        clock.now += 1
        lane.slowed(turn_of(lane, clock))
    assert lane.room() == 1


async def test_it_recovers_by_one_for_each_round_of_calls_that_went_well() -> None:
    _, lane, clock = made(8)
    lane.slowed(turn_of(lane, clock))
    assert lane.room() == 4
    successes = 0
    while lane.room() < 5:
        lane.succeeded()
        successes += 1
    assert 4 <= successes <= 5
    for _ in range(200):
        lane.succeeded()
    assert lane.room() == 8


async def test_nobody_goes_before_the_time_that_the_server_named() -> None:
    _, lane, clock = made(4)
    lane.slowed(turn_of(lane, clock), retry_after=20.0)
    assert lane.room() == 0
    clock.now += 19.9
    assert lane.room() == 0
    clock.now += 0.2
    assert lane.room() == 2


async def test_a_server_cannot_make_us_wait_for_hours() -> None:
    limiter, lane, clock = made(4)
    lane.slowed(turn_of(lane, clock), retry_after=4_000_000.0)
    clock.now += limiter.longest + 0.1
    assert lane.room() == 2


@pytest.mark.parametrize(
    ("limits", "room"),
    [
        (None, 10),
        (Limits(), 10),
        (Limits(requests_left=0.9, tokens_left=0.5), 10),
        (Limits(requests_left=0.9, tokens_left=0.1, reset_seconds=10.0), 5),
        (Limits(requests_left=0.02, reset_seconds=10.0), 1),
        (Limits(tokens_left=0.0, reset_seconds=10.0), 0),
        (Limits(tokens_left=0.0), 1),
    ],
)
async def test_it_falls_as_the_headers_say_that_a_limit_runs_out(
    limits: Limits | None, room: int
) -> None:
    limiter, lane, clock = made(10)
    lane.succeeded(limits)
    assert lane.room() == room
    clock.now += 61
    assert lane.room() == 10, "what a header said holds until the limit is reset"
    limiter.close()


async def test_headers_that_say_all_is_well_lift_what_others_set() -> None:
    limiter, lane, _ = made(10)
    lane.succeeded(Limits(requests_left=0.1, reset_seconds=50.0))
    assert lane.room() == 5
    lane.succeeded(Limits(requests_left=0.8, reset_seconds=50.0))
    assert lane.room() == 10
    limiter.close()


async def test_who_waits_for_a_reset_is_let_in_when_it_has_come() -> None:
    limiter = Limiter(2)
    lane = limiter.lane("anthropic", "a-model")
    lane.succeeded(Limits(tokens_left=0.1, reset_seconds=30.0))
    lane.slowed(Turn(lane, limiter.clock()), retry_after=0.03)
    before = limiter.clock()
    async with asyncio.timeout(5):
        await asyncio.gather(*(enter_and_leave(limiter, lane) for _ in range(3)))
    assert limiter.clock() - before >= 0.02
    limiter.close()


async def test_a_place_that_was_given_to_a_cancelled_call_is_given_back() -> None:
    limiter, lane, _ = made(1)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(limiter.turn(lane))
        given = asyncio.create_task(enter_and_leave(limiter, lane))
        waiting = asyncio.create_task(enter_and_leave(limiter, lane))
        await asyncio.sleep(0)
    given.cancel()  # its place was given when the stack closed, and it has not run since
    with pytest.raises(asyncio.CancelledError):
        await given
    await waiting
    assert limiter.flying == lane.flying == 0


async def test_a_cancelled_call_that_still_waits_gets_no_place() -> None:
    limiter, lane, _ = made(1)
    async with limiter.turn(lane):
        gone = asyncio.create_task(enter_and_leave(limiter, lane))
        await asyncio.sleep(0)
        gone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gone
    assert limiter.flying == 0
