"""The frame around every call of an SDK: our own deadline, and every error in our words."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from onlytext.providers._protocol import ProviderError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from onlytext.providers._faults import Call


@asynccontextmanager
async def deadline(
    call: Call, translate: Callable[[Exception, Call], ProviderError]
) -> AsyncGenerator[None, None]:
    """Whatever is inside ends within the seconds of the call, and fails with `ProviderError` only."""
    try:
        async with asyncio.timeout(call.seconds):
            yield
    except ProviderError:
        raise
    except Exception as error:  # noqa: BLE001 - an SDK may raise anything; ours comes of it
        raise translate(error, call) from call.cause(error)
