"""The server as a process of its own, with one fixed answer; its first line says where it is."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from demo.loopback import Loopback, Reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from demo.loopback import Seen


def main() -> None:
    """Serve until the process is ended, by Ctrl-C or a signal."""
    parser = argparse.ArgumentParser(prog="python -m demo.loopback", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0: one that is free")
    parser.add_argument("--text", default="[TITLE]\nA day out", help="the reply to every request")
    parser.add_argument("--file", type=Path, help="a file that holds the reply")
    parser.add_argument(
        "--replies",
        type=Path,
        help="JSONL with rows {when, text}: the first row whose `when` stands in the prompt",
    )
    parser.add_argument("--seconds", type=float, default=0, help="the answer time")
    given = parser.parse_args()
    text = given.file.read_text(encoding="utf-8") if given.file else given.text
    fixed = Reply(text=text, wait=given.seconds)
    script = _by_prompt(given.replies, fixed) if given.replies else fixed
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(Loopback(script, port=given.port, keep=False)))


def _by_prompt(file: Path, otherwise: Reply) -> Callable[[Seen], Reply]:
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    replies = [(row["when"], Reply(text=row["text"], wait=otherwise.wait)) for row in rows]

    def script(seen: Seen) -> Reply:
        return next((reply for when, reply in replies if when in seen.prompt), otherwise)

    return script


async def _serve(server: Loopback) -> None:
    await server.serve(lambda: print(server.url, flush=True))


if __name__ == "__main__":
    main()
