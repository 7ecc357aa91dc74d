"""The scripted server that tests talk to over real HTTP; it stands in demo/, which needs it too."""

from __future__ import annotations

from demo.loopback import (
    Expired,
    Failure,
    HangUp,
    Loopback,
    Reply,
    Script,
    Seen,
    Turn,
    Verbatim,
    chat_chunks,
    message_events,
)

__all__ = [
    "Expired",
    "Failure",
    "HangUp",
    "Loopback",
    "Reply",
    "Script",
    "Seen",
    "Turn",
    "Verbatim",
    "chat_chunks",
    "message_events",
]
