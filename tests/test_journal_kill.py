from __future__ import annotations

import asyncio
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

import pytest
from tests import journal_rows as rows
from tests.postgres import WHY_NOT, programs, server

from onlytext.journal import Journal, JournalError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

_ROOT = Path(__file__).parents[1]


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "run.journal.sqlite")
        return
    if programs() is None:
        pytest.skip(WHY_NOT)
    with server(durable=True) as running:
        yield running.fresh()


@contextmanager
def _child(where: str, name: str) -> Generator[IO[str]]:
    """A process that stores, and what it says; it is killed at the end."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.journal_child", where, name],
        stdout=subprocess.PIPE,
        text=True,
        cwd=_ROOT,
    ) as child:
        assert child.stdout is not None
        try:
            yield child.stdout
        finally:
            child.kill()


def test_what_was_said_to_be_stored_is_there_after_kill_9(where: str) -> None:
    chance = random.Random(7)  # noqa: S311 - it picks a moment
    said: set[str] = set()
    for turn in range(2):
        # Two at once, on one journal; the second is killed first, while the other one stores.
        with _child(where, f"{turn}a") as first, _child(where, f"{turn}b") as second:
            for lines in (first, second):
                assert lines.readline() == "ready\n"
            for lines in (first, second):
                said |= {lines.readline().strip() for _ in range(chance.randint(1, 20))}
            time.sleep(chance.uniform(0, 0.05))
    assert len(said) > 4

    async def look() -> None:
        async with Journal.open(where) as journal:
            found = journal.reader.calls(said)
            assert {key: call.text for key, call in found.items()} == {k: k * 50 for k in said}
            cleanings = journal.reader.cleanings(said)
            assert {len(one) for one in cleanings.values()} == {1}
            assert all(len(one[0].removals) == 2 for one in cleanings.values())
            # The claims of the dead are free.
            claims = [f"claim-{turn}{name}" for turn in range(2) for name in "ab"]
            deadline = time.monotonic() + 10
            mine: frozenset[str] = frozenset()
            while len(mine) < len(claims) and time.monotonic() < deadline:
                mine = await journal.claim(claims)
            assert mine == set(claims)

    asyncio.run(look())
    if "://" not in where:
        with sqlite3.connect(where) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.close()


def test_a_server_that_went_away_is_used_again_when_it_is_back() -> None:
    if programs() is None:
        pytest.skip(WHY_NOT)

    async def go() -> None:
        with server() as running:
            where = running.fresh()
            async with Journal.open(where) as journal:
                await rows.begin(journal, 3)
                await journal.store_reply(rows.call(0))
                assert await journal.claim(["a"]) == {"a"}
                running.stop(crash=True)
                with pytest.raises(JournalError):
                    await journal.store_reply(rows.call(1))
                with pytest.raises(JournalError):
                    await journal.replies(["item-0"])
                running.start()
                await journal.store_reply(rows.call(2))
                assert set(journal.reader.calls(["call-0", "call-1", "call-2"])) == {
                    "call-0",
                    "call-2",
                }
                assert await journal.claim(["a"]) == {"a"}
                async with Journal.open(where) as other:
                    assert await other.claim(["a"]) == frozenset()
            async with Journal.open(where) as late:
                running.stop(crash=True)
                with pytest.raises(JournalError):
                    await late.store_reply(rows.call(0))

    asyncio.run(go())


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "small"
    folder.mkdir()
    mount, umount = shutil.which("mount"), shutil.which("umount")
    if os.getuid() != 0 or mount is None or umount is None:
        pytest.skip("only root can mount a disk of 1 MB")
    options = ["-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if subprocess.run([mount, *options], check=False, capture_output=True).returncode != 0:
        pytest.skip("no disk of 1 MB can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run([umount, str(folder)], check=True)


def test_a_full_disk_is_one_clear_error_and_what_was_stored_stays(small_disk: Path) -> None:
    async def go() -> None:
        where = small_disk / "run.journal.sqlite"
        stored: list[str] = []
        (small_disk / "other").write_bytes(b"x" * 300_000)
        async with Journal.open(where) as journal:
            await rows.begin(journal, 1)

            async def go_on() -> None:
                for number in range(1000):
                    key = f"call-{number}"
                    await journal.store_reply(replace(rows.call(0, key), text=key * 500))
                    stored.append(key)

            with pytest.raises(JournalError) as raised:
                await go_on()
            assert "full" in str(raised.value)
            assert "make room" in str(raised.value)
            assert str(where) in str(raised.value)
            assert set(journal.reader.calls(stored)) == set(stored)
            # With room again, the same journal goes on.
            (small_disk / "other").unlink()
            await journal.store_reply(rows.call(0, "after"))
        async with Journal.open(where) as again:
            assert set(again.reader.calls([*stored, "after"])) == {*stored, "after"}

    asyncio.run(go())
