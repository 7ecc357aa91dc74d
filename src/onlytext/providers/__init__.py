"""Where replies come from: one module for each provider, behind one small protocol."""

from __future__ import annotations

from onlytext.providers._grammar import grammar_of
from onlytext.providers._make import make_provider, provider_names
from onlytext.providers._protocol import (
    Answer,
    BatchProvider,
    BatchState,
    Fault,
    Limits,
    MakesProvider,
    Message,
    Provider,
    ProviderError,
    Request,
    Stop,
    Usage,
)

__all__ = [
    "Answer",
    "BatchProvider",
    "BatchState",
    "Fault",
    "Limits",
    "MakesProvider",
    "Message",
    "Provider",
    "ProviderError",
    "Request",
    "Stop",
    "Usage",
    "grammar_of",
    "make_provider",
    "provider_names",
]
