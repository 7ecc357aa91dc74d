r"""A server on 127.0.0.1 that speaks the Messages API and Chat Completions over real HTTP.

What it answers is scripted: a reply, or a fault of any kind. The demo, the benchmarks and the
tests talk to it with the real SDKs; it stands here, and needs only the standard library, so that
the demo depends on no test.

    from demo.loopback import Failure, Loopback, Reply

    with Loopback([Failure(status=529), Reply(text="[TITLE]\nA day out")]) as server:
        ...  # base_url=server.url
    print(len(server.seen))

As a process of its own, with one fixed answer: `python -m demo.loopback --help`.
"""

from __future__ import annotations

from demo.loopback._batches import Expired
from demo.loopback._chat import chat_chunks
from demo.loopback._messages import message_events
from demo.loopback._script import Failure, HangUp, Reply, Script, Seen, Turn, Verbatim
from demo.loopback._server import Loopback

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
