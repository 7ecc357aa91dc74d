from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlytext import Text
from onlytext.pipeline import Generate, Job, ModelChoice, Validator
from onlytext.pipeline._prices import (
    cost_of,
    estimate_run,
    estimate_tokens,
    price_of,
    prices_date,
    request_tokens,
)
from onlytext.providers import Usage

MILLION: Final = 1_000_000
OPUS: Final = "claude-opus-5-5"


def job(**changes: Any) -> Job:  # noqa: ANN401 - whatever a job takes
    model = ModelChoice(model=OPUS, max_tokens=1000)
    given: dict[str, Any] = {
        "name": "x",
        "format": Text(),
        "generate": Generate(prompt="Write about {topic}.", model=model),
        "validator": Validator(rules=("Short.",), model=model),
    }
    return Job(**given | changes)


def test_the_prices_have_a_date() -> None:
    assert date.fromisoformat(prices_date()) > date(2026, 1, 1)


@pytest.mark.parametrize(
    ("usage", "dollars"),
    [
        (Usage(input=MILLION), 4.0),
        (Usage(output=MILLION), 20.0),
        (Usage(cache_read=MILLION), 0.2),
        (Usage(cache_write=MILLION), 5.0),
        (Usage(input=MILLION, output=MILLION, cache_read=MILLION, cache_write=MILLION), 29.2),
        (Usage(), 0.0),
    ],
)
def test_each_kind_of_token_has_its_price(usage: Usage, dollars: float) -> None:
    assert cost_of(OPUS, usage) == pytest.approx(dollars)
    assert cost_of(OPUS, usage, batch=True) == pytest.approx(dollars / 2)


def test_thinking_is_part_of_the_output() -> None:
    assert cost_of(OPUS, Usage(output=100, thinking=90)) == cost_of(OPUS, Usage(output=100))


def test_an_unknown_model_has_no_cost() -> None:
    assert price_of("claude-opus-9") is None
    assert cost_of("gpt-unknown", Usage(input=1)) is None


def test_a_dated_name_costs_what_its_alias_costs() -> None:
    usage = Usage(input=10, output=10)
    dated = cost_of("claude-haiku-4-5-20251001", usage)
    assert dated == cost_of("claude-haiku-4-5", usage) is not None
    assert cost_of("claude-haiku-4-5-1", usage) is None


def test_a_figure_that_is_not_certain_is_not_made_up() -> None:
    assert cost_of("claude-sonnet-5-5", Usage(input=MILLION)) == pytest.approx(2.0)
    assert cost_of("claude-sonnet-5-5", Usage(input=MILLION, cache_read=1)) is None


def test_beyond_the_length_that_a_price_holds_for_there_is_none() -> None:
    assert cost_of("claude-haiku-5-5", Usage(input=100_000)) == pytest.approx(0.01)
    assert cost_of("claude-haiku-5-5", Usage(input=99_999, cache_read=2)) is None


def test_what_runs_on_this_machine_costs_nothing() -> None:
    assert cost_of("any", Usage(input=MILLION), provider="local") == 0.0
    assert cost_of("any", Usage(input=MILLION), provider="replay") == 0.0
    assert cost_of("any", Usage(input=MILLION), provider="openai") is None


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        ("Bread is warm and smells of home.", 7, 11),
        ("Le pain est chaud et sent bon la maison, dès l’été.", 11, 18),
        ("每天新鲜出炉的面包", 9, 9),
        ("Хлеб тёплый и пахнет домом.", 10, 16),
    ],
)
def test_tokens_are_estimated_by_script(text: str, least: int, most: int) -> None:
    assert least <= estimate_tokens(text) <= most


@given(st.text(), st.text())
def test_a_longer_text_has_no_fewer_tokens(text: str, more: str) -> None:
    assert estimate_tokens(text + more) >= estimate_tokens(text)


def test_an_estimate_counts_both_passes_and_grows_with_the_rows() -> None:
    briefs = [{"topic": "bread"}, {"topic": "butter"}]
    two, twenty = estimate_run(job(), briefs, 2), estimate_run(job(), briefs, 20)
    assert (two.calls, twenty.calls) == (4, 40)
    assert twenty.input == pytest.approx(10 * two.input, abs=10)
    assert two.cost is not None
    assert two.most is not None
    assert twenty.cost == pytest.approx(10 * two.cost)
    assert two.cost < two.most
    sent = request_tokens(job().request_for_generation(briefs[0]))
    assert two.input > 2 * sent
    assert two.most == pytest.approx((two.input * 4 + 4 * 1000 * 20) / MILLION)


def test_an_estimate_of_a_batch_is_half() -> None:
    live, batch = (
        estimate_run(job(mode=mode), [{"topic": "bread"}], 1) for mode in ("live", "batch")
    )
    assert live.cost is not None
    assert live.most is not None
    assert batch.cost == pytest.approx(live.cost / 2)
    assert batch.most == pytest.approx(live.most / 2)
    assert replace(batch, cost=live.cost, most=live.most) == live


def test_an_estimate_knows_the_drafts_that_are_there() -> None:
    drafts = job(generate=None)
    draft = "Bread is warm. " * 50
    found = estimate_run(drafts, [{"draft": draft}], 1)
    assert (found.calls, found.output) == (1, estimate_tokens(draft))


def test_an_estimate_without_prices_has_no_cost() -> None:
    unknown = Generate(prompt="Write.", model=ModelChoice(model="x"))
    found = estimate_run(job(generate=unknown), [{}], 3)
    assert (found.calls, found.cost, found.most) == (6, None, None)


def test_an_estimate_of_a_job_that_never_validates_has_one_pass() -> None:
    assert estimate_run(job(validate="never"), [{"topic": "x"}], 1).calls == 1


def test_an_estimate_without_a_brief_is_nothing() -> None:
    assert estimate_run(job(), [], 5).calls == 0
