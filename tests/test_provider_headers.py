"""What a server says in its headers: how long to wait, and what is left of its limits."""

from __future__ import annotations

import math
import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlytext.providers import Limits
from onlytext.providers._faults import Said, shown
from onlytext.providers._headers import limits, retry_after


@given(st.text() | st.floats().map(str) | st.datetimes().map(str))
def test_any_word_for_a_wait_gives_seconds_or_nothing(said: str) -> None:
    for name in ("retry-after", "retry-after-ms"):
        seconds = retry_after({name: said})
        assert seconds is None or (math.isfinite(seconds) and seconds >= 0)


def test_a_date_is_the_seconds_until_then() -> None:
    then = datetime.now(UTC) + timedelta(seconds=90)
    seconds = retry_after({"retry-after": then.strftime("%a, %d %b %Y %H:%M:%S GMT")})
    assert seconds is not None
    assert 80 < seconds <= 90
    # A date without a zone is one of UTC.
    plain = retry_after({"retry-after": then.strftime("%a, %d %b %Y %H:%M:%S -0000")})
    assert plain is not None
    assert 80 < plain <= 90


def test_milliseconds_are_believed_before_seconds() -> None:
    assert retry_after({"retry-after": "9", "retry-after-ms": "1500"}) == 1.5
    assert retry_after({"retry-after": "9", "retry-after-ms": "x"}) == 9.0


def test_without_a_word_there_are_no_limits() -> None:
    assert limits({}) is None
    assert limits({"anthropic-ratelimit-requests-limit": "50"}) is None
    assert (
        limits({"x-ratelimit-limit-requests": "0", "x-ratelimit-remaining-requests": "0"}) is None
    )


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("12", 12.0),
        ("20ms", 0.02),
        ("6m0s", 360.0),
        ("1h2m3.5s", 3723.5),
        ("later", None),
        ("5 s", None),
        ("1s" * 100, None),
        ("", None),
    ],
)
def test_a_reset_is_read_as_chat_completions_write_it(said: str, seconds: float | None) -> None:
    headers = {
        "x-ratelimit-limit-requests": "10",
        "x-ratelimit-remaining-requests": "1",
        "x-ratelimit-reset-requests": said,
    }
    assert limits(headers) == Limits(requests_left=0.1, reset_seconds=seconds)


def test_the_reset_is_that_of_the_tightest_limit_and_no_share_passes_one() -> None:
    soon = datetime.fromtimestamp(time.time() + 60, UTC).isoformat()
    headers = {
        "anthropic-ratelimit-requests-limit": "10",
        "anthropic-ratelimit-requests-remaining": "20",
        "anthropic-ratelimit-output-tokens-limit": "1000",
        "anthropic-ratelimit-output-tokens-remaining": "5",
        "anthropic-ratelimit-output-tokens-reset": soon,
        "anthropic-ratelimit-tokens-limit": "1000",
        "anthropic-ratelimit-tokens-remaining": "500",
    }
    found = limits(headers)
    assert found is not None
    assert (found.requests_left, found.tokens_left) == (1.0, 0.005)
    assert found.reset_seconds is not None
    assert 50 < found.reset_seconds <= 60


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (None, Said()),
        ("plain words", Said(message="plain words")),
        ({"error": "plain words"}, Said(message="plain words")),
        ({"error": {"type": 3, "message": ["x"], "code": 429}}, Said()),
        ({"message": "m", "type": "t", "code": "c"}, Said(type="t", code="c", message="m")),
        (
            {
                "type": "error",
                "error": {"type": "t", "message": "m", "details": {"error_code": "c"}},
            },
            Said(type="t", code="c", message="m"),
        ),
    ],
)
def test_an_error_is_read_whatever_its_shape(body: object, said: Said) -> None:
    assert Said.of(body) == said


def test_what_a_server_said_is_shown_short_on_one_line_and_without_keys() -> None:
    assert shown("a\n  b", None) == "a b"
    assert len(shown("x" * 10_000, None)) == 501
    assert shown("key=hunter2-hunter2", "hunter2-hunter2") == "key=[key]"
    assert "abcdef" not in shown("bad key sk-proj-abcdef123456", None)
