"""What a server says in its headers: how long to wait, and what is left of its limits."""

from __future__ import annotations

import math
import re
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

from onlytext.providers._protocol import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

# Chat Completions write times as 1h2m3.5s or 250ms.
_PARTS: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)", re.ASCII)
_SECONDS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_KINDS: Final = ("requests", "tokens", "input-tokens", "output-tokens")
# A longer word is no number and no time that a server means.
_LONGEST: Final = 64


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that the server asks to wait; None where it says nothing that makes sense.

    Nothing is taken off a wait of days: what is too long is for the caller to say.

    >>> retry_after({"retry-after": "12"}), retry_after({"retry-after-ms": "250"})
    (12.0, 0.25)
    >>> retry_after({"retry-after": "-1"}), retry_after({"retry-after": "soon"})
    (None, None)
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    said = headers.get("retry-after")
    seconds = _number(said)
    return _until(said, parse=parsedate_to_datetime) if seconds is None else seconds


def limits(headers: Mapping[str, str]) -> Limits | None:
    """What is left of the server's limits, as the Messages API and Chat Completions write it.

    >>> limits({"x-ratelimit-limit-requests": "50", "x-ratelimit-remaining-requests": "5",
    ...     "x-ratelimit-reset-requests": "1m2s"})
    Limits(requests_left=0.1, tokens_left=None, reset_seconds=62.0)
    """
    shares = dict(_shares(headers))
    if not shares:
        return None
    tokens = [share for kind, share in shares.items() if kind != "requests"]
    tightest = min(shares, key=lambda kind: shares[kind])
    reset = _said(headers, tightest, "reset")
    until = _until(reset, parse=datetime.fromisoformat)
    return Limits(
        requests_left=shares.get("requests"),
        tokens_left=min(tokens, default=None),
        reset_seconds=_duration(reset) if until is None else until,
    )


def _shares(headers: Mapping[str, str]) -> Iterator[tuple[str, float]]:
    for kind in _KINDS:
        limit = _number(_said(headers, kind, "limit"))
        left = _number(_said(headers, kind, "remaining"))
        if limit and left is not None:
            yield kind, min(left / limit, 1.0)


def _said(headers: Mapping[str, str], kind: str, what: str) -> str | None:
    ours = headers.get(f"anthropic-ratelimit-{kind}-{what}")
    return headers.get(f"x-ratelimit-{what}-{kind}") if ours is None else ours


def _number(said: str | None) -> float | None:
    if said is None or len(said) > _LONGEST:
        return None
    try:
        number = float(said)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _until(said: str | None, *, parse: Callable[[str], datetime]) -> float | None:
    if said is None or len(said) > _LONGEST:
        return None
    try:
        when = parse(said)
        if when.tzinfo is None:
            when = when.replace(tzinfo=UTC)
        return max(0.0, when.timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def _duration(said: str | None) -> float | None:
    if said is None or len(said) > _LONGEST:
        return None
    seconds = _number(said)
    if seconds is not None:
        return seconds
    parts: list[tuple[str, str]] = _PARTS.findall(said)
    if not parts or "".join(number + unit for number, unit in parts) != said:
        return None
    return sum(float(number) * _SECONDS[unit] for number, unit in parts)
