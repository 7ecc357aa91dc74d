"""What calls of one run cost, at the prices of its mode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from onlytext.errors import OnlytextError
from onlytext.pipeline._prices import cost_of
from onlytext.providers import Usage

if TYPE_CHECKING:
    from onlytext.pipeline._job import Job
    from onlytext.providers import Request

# No tokenizer makes more tokens of a text than this many for a byte, as prose goes.
_TOKENS_A_BYTE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Pricing:
    """The prices of live calls, or of those in a batch."""

    batch: bool = False

    def cost(self, provider: str, model: str, usage: Usage | None) -> float | None:
        """US dollars of a call; none where a price is not known. Who says nothing took nothing."""
        if usage is None:
            return 0.0
        return cost_of(model, usage, provider=provider, batch=self.batch)

    def most(self, provider: str, request: Request) -> float | None:
        """What a call costs if its reply is as long as it may be."""
        texts = [request.system, *(message.content for message in request.messages)]
        size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
        # Written to a cache a token costs most.
        usage = Usage(cache_write=round(size * _TOKENS_A_BYTE), output=request.max_tokens)
        return cost_of(request.model, usage, provider=provider, batch=self.batch)


def check_prices(job: Job, limit: float | None) -> None:
    """Raise where a spending limit is set, and what a model costs is not known."""
    if limit is None:
        return
    passes = [job.generate, job.validator if job.validate != "never" else None]
    for choice in (one.model for one in passes if one is not None):
        if cost_of(choice.model, Usage(), provider=choice.provider) is None:
            raise OnlytextError(
                f"a spending limit needs prices, and that of {choice.model!r} "
                f"({choice.provider}) is not known: leave the limit out"
            )
