"""Faults over real HTTP, with the real SDKs: nothing is lost, nothing comes twice, each end is right."""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.loopback import Failure, HangUp, Loopback, Reply, Verbatim, message_events
from tests.pipeline_runs import GOOD, TEXT, make_job, run, stored, topics

from onlytext.journal import Journal

if TYPE_CHECKING:
    from pathlib import Path

    from tests.loopback import Seen, Turn

    from onlytext.pipeline import Job

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-0123456789abcdef")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def job_at(server: Loopback, provider: str, *, seconds: float = 20.0, attempts: int = 3) -> Job:
    url = server.url if provider == "anthropic" else server.chat_url
    return make_job(
        provider=provider, url=url, validate="never", seconds=seconds, attempts=attempts
    )


GOOD_REPLY = Reply(text=GOOD)
PROVIDERS = ["anthropic", "openai"]

# What comes first for one of four items; what the journal calls it; whether it may pass.
PASSING: dict[str, tuple[Turn, str]] = {
    **{f"status {code}": (Failure(status=code), "server") for code in (408, 409, 500, 502, 504)},
    "status 429": (Failure(status=429, headers={"retry-after": "0.01"}), "rate_limited"),
    "status 503": (Failure(status=503), "overloaded"),
    "status 529": (Failure(status=529), "overloaded"),
    "no answer": (HangUp(), "connection"),
    "half a header": (HangUp(in_header=True), "connection"),
}
LASTING = {code: Failure(status=code) for code in (400, 404, 413, 422)}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("name", PASSING)
async def test_a_fault_that_passes_costs_one_item_one_more_attempt(
    name: str, provider: str, journal: Path
) -> None:
    turn, fault = PASSING[name]
    met: list[int] = []

    def script(seen: Seen) -> Turn:
        if "bread-00002" in seen.prompt and not met:
            met.append(seen.number)
            return turn
        return GOOD_REPLY

    with Loopback(script) as server:
        ran = await run(job_at(server, provider), topics(4), journal)
        asked = len(server.seen)
    assert ran.statuses == ["ok"] * 4
    assert [outcome.text for outcome in ran.outcomes] == [TEXT] * 4
    assert asked == 5
    assert (stored(journal)["replies"], stored(journal)["failures"]) == (4, 1)
    assert dict(ran.pipeline.tally.retries) == {fault: 1}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("status", LASTING)
async def test_a_request_at_fault_is_one_item_that_failed(
    status: int, provider: str, journal: Path
) -> None:
    def script(seen: Seen) -> Turn:
        return LASTING[status] if "bread-00002" in seen.prompt else GOOD_REPLY

    with Loopback(script) as server:
        ran = await run(job_at(server, provider), topics(4), journal)
        asked = len(server.seen)
    assert ran.statuses == ["ok", "ok", "failed", "ok"]
    assert asked == 4, "asking again is no use"


@pytest.mark.parametrize("status", [401, 403])
async def test_a_key_that_is_not_let_in_stops_the_run(status: int, journal: Path) -> None:
    with Loopback(Failure(status=status)) as server:
        ran = await run(job_at(server, "anthropic"), topics(30), journal)
        assert len(server.seen) <= 4
    assert ran.outcomes == []
    assert ran.stopped is not None
    assert ran.stopped.reason == "provider"


@pytest.mark.parametrize("at", range(len(message_events(GOOD_REPLY, "a-model", "id")) - 1))
@pytest.mark.parametrize("how", ["ended", "dropped"])
async def test_a_stream_that_breaks_off_after_any_event_is_no_reply(
    how: str, at: int, journal: Path
) -> None:
    cut = Reply(text=GOOD, cut_after=at, cut="ended" if how == "ended" else "dropped")
    with Loopback([cut, GOOD_REPLY]) as server:
        ran = await run(job_at(server, "anthropic"), topics(1), journal)
    assert ran.statuses == ["ok"]
    assert ran.outcomes[0].text == TEXT
    assert stored(journal)["failures"] == 1


async def test_an_error_in_the_midst_of_a_stream_is_no_reply(journal: Path) -> None:
    with Loopback([Reply(text=GOOD, error_after=2), GOOD_REPLY]) as server:
        ran = await run(job_at(server, "anthropic"), topics(1), journal)
    assert ran.statuses == ["ok"]
    assert dict(ran.pipeline.tally.retries) == {"overloaded": 1}


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_body_that_is_no_json_is_named_and_nothing_of_it_is_taken(
    provider: str, journal: Path
) -> None:
    page = Verbatim(body=b"<html>Welcome to the hotel network</html>", kind="text/html")
    with Loopback(page) as server:
        ran = await run(job_at(server, provider, attempts=2), topics(1), journal)
    assert ran.statuses == ["failed"]
    assert ran.outcomes[0].cause is not None
    assert "hotel" not in (ran.outcomes[0].text or "")
    assert stored(journal)["replies"] == 0


async def test_slow_headers_end_at_our_own_deadline(journal: Path) -> None:
    slow = Reply(text=GOOD, header_pause=1.0)
    with Loopback([slow, GOOD_REPLY]) as server:
        began = time.monotonic()
        ran = await run(job_at(server, "anthropic", seconds=1.0), topics(1), journal)
    assert ran.statuses == ["ok"]
    assert dict(ran.pipeline.tally.retries) == {"timeout": 1}
    assert time.monotonic() - began < 20


async def test_a_server_that_asks_for_hours_is_not_obeyed(journal: Path) -> None:
    hours = Failure(status=429, headers={"retry-after": "40000"})
    with Loopback([hours, GOOD_REPLY]) as server:
        ran = await run(job_at(server, "anthropic", seconds=0.8), topics(1), journal)
    assert ran.outcomes
    assert stored(journal)["failures"] >= 1


async def test_a_reply_of_5_mb_is_kept_whole_and_read(journal: Path) -> None:
    body = "Bread is baked every day, and it is warm. " * 120_000
    huge = Reply(text=f"[TITLE]\nBread\n\n[BODY]\n{body}\n[END]", piece=1 << 16)
    with Loopback(huge) as server:
        ran = await run(job_at(server, "anthropic", seconds=50), topics(1), journal)
    [outcome] = ran.outcomes
    assert outcome.status == "ok"
    with Journal.open(journal) as opened:
        [[call]] = opened.reader.replies([outcome.key]).values()
    assert call.text == huge.text
    assert outcome.text is not None
    assert len(outcome.text) > 5_000_000


async def test_a_server_that_goes_away_and_comes_back_loses_nothing(journal: Path) -> None:
    away = threading.Event()
    prompts: Counter[str] = Counter()

    def script(seen: Seen) -> Turn:
        if seen.number == 20:
            away.set()
            threading.Timer(0.4, away.clear).start()
        if away.is_set():
            return HangUp()
        prompts[seen.prompt] += 1
        return GOOD_REPLY

    with Loopback(script) as server:
        job = make_job(url=server.url, attempts=40)
        ran = await run(job, topics(40), journal)
    assert ran.statuses == ["ok"] * 40
    assert set(prompts.values()) == {1, 40}, "each draft was paid for once; all drafts are equal"
    assert stored(journal)["replies"] == 80


async def test_a_server_that_stays_away_ends_the_run_which_goes_on_later(journal: Path) -> None:
    with Loopback(lambda seen: GOOD_REPLY if seen.number <= 10 else HangUp()) as server:
        job = make_job(url=server.url, attempts=2)
        ran = await run(job, topics(60), journal)
        assert ran.stopped is not None
        assert ran.stopped.reason == "provider"
    with Loopback(GOOD_REPLY) as server:
        back = replace(job, providers={"anthropic": {"base_url": server.url}})
        again = await run(back, topics(60), journal)
    assert again.statuses == ["ok"] * 60
    assert stored(journal)["replies"] == 120
