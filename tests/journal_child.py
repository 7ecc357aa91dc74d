"""A process that stores replies and says which are stored, until somebody kills it."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace

from tests import journal_rows as rows

from onlytext.journal import Journal


async def go(where: str, name: str) -> None:
    journal = Journal.open(where)
    await rows.begin(journal, 1)
    await journal.claim([f"claim-{name}"])
    sys.stdout.write("ready\n")
    sys.stdout.flush()

    async def store(lane: int) -> None:
        for number in range(10_000):
            key = f"{name}-{lane}-{number}"
            await journal.store_reply(replace(rows.call(0, key), text=key * 50))
            await journal.store_outcome(rows.outcome(0), [replace(rows.cleaning(0), call=key)])
            sys.stdout.write(f"{key}\n")
            sys.stdout.flush()

    await asyncio.gather(*(store(lane) for lane in range(8)))


if __name__ == "__main__":
    asyncio.run(go(sys.argv[1], sys.argv[2]))
