"""What calls cost, and what a run is likely to cost before there is one."""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, final

from onlytext._regex import regex
from onlytext.providers import Usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from onlytext.pipeline._job import Job
    from onlytext.providers import Request

_MILLION: Final = 1_000_000
# An alias and its dated version cost the same: claude-haiku-4-5-20251001.
_DATED: Final = regex(r"-\d{8}$")
# These answer from this machine, for nothing.
_FREE: Final = frozenset({"local", "replay"})
# Characters that one token holds, as a rule of thumb: Latin letters; scripts without blanks, in
# which a character is about a token; and all other letters.
_LATIN: Final = 3.6
_OTHER: Final = 2.0
_DENSE: Final = regex(r"[\u1100-\u11ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")
_DRAFT: Final = 600
"""Tokens of a draft that nobody has seen yet."""
_FEW: Final = 8
"""Tokens that a call has beside its texts."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars for a million tokens of one model; none where a figure is not certain."""

    input: float
    output: float
    cache_write: float
    cache_read: float | None = None
    up_to_input: int | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a run is likely to need: calls, tokens in, tokens out, US dollars.

    `output` supposes replies as long as their drafts, without thinking; `most` is the cost if each
    reply is as long as `max_tokens` allows. Costs are none where a price is not known.
    """

    calls: int
    input: int
    output: int
    cost: float | None
    most: float | None


def prices_date() -> str:
    """The day on which the prices were written down."""
    return str(_table()["date"])


def price_of(model: str) -> Price | None:
    """The price of a model; none where it is not known."""
    table = _table()
    row: Mapping[str, Any] | None = table["model"].get(_DATED.sub("", model))
    if row is None:
        return None
    return Price(cache_write=row["input"] * table["cache_write"], **row)


def cost_of(
    model: str, usage: Usage, *, provider: str = "anthropic", batch: bool = False
) -> float | None:
    """What a call cost in US dollars; none rather than a figure that may be wrong.

    Models of the providers `local` and `replay` cost nothing. `batch` is half the price.
    """
    if provider in _FREE:
        return 0.0
    price = price_of(model)
    if price is None or (usage.cache_read and price.cache_read is None):
        return None
    read = usage.input + usage.cache_read + usage.cache_write
    if price.up_to_input is not None and read > price.up_to_input:
        return None
    dollars = (
        usage.input * price.input
        + usage.output * price.output
        + usage.cache_read * (price.cache_read or 0.0)
        + usage.cache_write * price.cache_write
    ) / _MILLION
    return dollars * _table()["batch"] if batch else dollars


def estimate_tokens(text: str) -> int:
    """About how many tokens a text has, by a rule of thumb: off by a third is nothing unusual.

    Latin letters, digits and signs count 3.6 to a token, Chinese, Japanese and Korean characters
    one each, all other characters two to a token.
    """
    if text.isascii():
        return round(len(text) / _LATIN)
    dense = len(_DENSE.findall(text))
    latin = sum(char < "\u0250" or "\u2000" <= char < "\u2070" for char in text)
    return round(latin / _LATIN + dense + (len(text) - latin - dense) / _OTHER)


def request_tokens(request: Request) -> int:
    """About how many tokens go out with a request."""
    texts = [request.system, *(message.content for message in request.messages)]
    return sum(map(estimate_tokens, texts)) + _FEW


def estimate_run(job: Job, briefs: Iterable[Mapping[str, object]], rows: int) -> Estimate:
    """What a run of so many briefs needs, as far as a few of them tell.

    A draft that is not there yet is supposed to be as long as half of `max_tokens`, 600 tokens at
    most. With `validate = "when_failing"` each draft is counted as one that fails.
    """
    few = list(briefs)
    sums = [_Sum(job, brief) for brief in few]
    share = rows / max(len(few), 1)
    costs, mosts = [one.cost for one in sums], [one.most for one in sums]
    return Estimate(
        calls=round(sum(one.calls for one in sums) * share),
        input=round(sum(one.input for one in sums) * share),
        output=round(sum(one.output for one in sums) * share),
        cost=_total(costs, share),
        most=_total(mosts, share),
    )


class _Sum:
    """The calls of one brief, summed up."""

    def __init__(self, job: Job, brief: Mapping[str, object]) -> None:
        self.calls = self.input = self.output = 0
        self.cost: float | None = 0.0
        self.most: float | None = 0.0
        self._batch = job.mode == "batch"
        if job.generate is None:
            draft = job.draft_of(brief)
        else:
            expected = min(_DRAFT, job.generate.model.max_tokens // 2)
            draft = "x" * round(_LATIN * expected)
            request = job.request_for_generation(brief)
            self._add(request, job.generate.model.provider, expected)
        if job.validate != "never" and job.validator is not None:
            request = job.request_for_validation(draft)
            self._add(request, job.validator.model.provider, estimate_tokens(draft))

    def _add(self, request: Request, provider: str, output: int) -> None:
        read = request_tokens(request)
        self.calls += 1
        self.input += read
        self.output += output
        self.cost = _plus(self.cost, self._cost(request, provider, read, output))
        self.most = _plus(self.most, self._cost(request, provider, read, request.max_tokens))

    def _cost(self, request: Request, provider: str, read: int, output: int) -> float | None:
        usage = Usage(input=read, output=output)
        return cost_of(request.model, usage, provider=provider, batch=self._batch)


def _plus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other


def _total(costs: list[float | None], share: float) -> float | None:
    known = [one for one in costs if one is not None]
    return sum(known) * share if len(known) == len(costs) else None


@functools.cache
def _table() -> dict[str, Any]:
    file = resources.files("onlytext.pipeline") / "prices.toml"
    return tomllib.loads(file.read_text("utf-8"))
