from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import inspect
from sqlalchemy.exc import DBAPIError
from tests import journal_rows as rows

from onlytext.journal import Journal, JournalError
from onlytext.journal._place import Place
from onlytext.journal._schema import steps
from onlytext.journal._writer import Work, Writer

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from onlytext.journal._writer import Asked


def test_stores_that_wait_together_share_a_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups: list[int] = []
    commit = Writer._commit

    def counted(self: Writer, group: list[Work]) -> list[Asked]:
        groups.append(len(group))
        return commit(self, group)

    async def go() -> None:
        async with Journal.open(tmp_path / "j.sqlite") as journal:
            await rows.begin(journal, 100)
            monkeypatch.setattr(Writer, "_commit", counted)
            await asyncio.gather(*(journal.store_reply(rows.call(n)) for n in range(100)))

    asyncio.run(go())
    assert sum(groups) == 100
    assert len(groups) < 50


def test_a_store_that_is_cancelled_is_carried_out_all_the_same(tmp_path: Path) -> None:
    async def go() -> None:
        async with Journal.open(tmp_path / "j.sqlite") as journal:
            await rows.begin(journal, 1)
            stores = [
                asyncio.create_task(journal.store_reply(rows.call(0, f"c{n}"))) for n in range(20)
            ]
            await asyncio.sleep(0)
            for store in stores[:10]:
                store.cancel()
            ended = await asyncio.gather(*stores, return_exceptions=True)
            assert sum(isinstance(end, asyncio.CancelledError) for end in ended) == 10
        with Journal.open(tmp_path / "j.sqlite") as again:
            assert len(again.reader.calls(f"c{n}" for n in range(20))) == 20

    asyncio.run(go())


def test_what_was_handed_in_is_stored_though_its_loop_is_gone(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j.sqlite")
    asyncio.run(rows.begin(journal, 1))
    held = threading.Event()

    def wait(_: Connection) -> Asked:
        held.wait(10)
        return frozenset()

    async def go() -> None:
        journal._writer.hand_in(Work(ask=wait))
        store = asyncio.create_task(journal.store_reply(rows.call(0)))
        await asyncio.sleep(0)
        store.cancel()

    asyncio.run(go())
    held.set()
    journal.close()
    with Journal.open(tmp_path / "j.sqlite") as again:
        assert set(again.reader.calls(["call-0"])) == {"call-0"}


def test_a_row_that_can_t_be_stored_is_its_own_error_and_no_one_else_s(tmp_path: Path) -> None:
    async def go() -> None:
        async with Journal.open(tmp_path / "j.sqlite") as journal:
            await rows.begin(journal, 2)
            ended = await asyncio.gather(
                journal.store_reply(rows.call(0)),
                journal.store_reply(rows.call(7)),  # of an item that was never stored
                journal.store_reply(rows.call(1)),
                return_exceptions=True,
            )
            assert ended[0] is None
            assert ended[2] is None
            assert isinstance(ended[1], JournalError)
            assert "can't take this in" in str(ended[1])
            assert set(journal.reader.calls(["call-0", "call-1", "call-7"])) == {
                "call-0",
                "call-1",
            }

    asyncio.run(go())


def test_a_fault_of_our_own_reaches_the_one_who_waits_for_it(tmp_path: Path) -> None:
    def broken(_: Connection) -> Asked:
        raise ZeroDivisionError

    async def go() -> None:
        async with Journal.open(tmp_path / "j.sqlite") as journal:
            await rows.begin(journal, 1)
            both = [journal._writer.done(Work(ask=broken)), journal.store_reply(rows.call(0))]
            ended = await asyncio.gather(*both, return_exceptions=True)
            assert isinstance(ended[0], ZeroDivisionError)
            assert ended[1] is None

    asyncio.run(go())


def test_a_closed_journal_takes_nothing_more(tmp_path: Path) -> None:
    async def go() -> None:
        journal = Journal.open(tmp_path / "j.sqlite")
        await journal.claim(["a"])
        await journal.aclose()
        await journal.aclose()
        with pytest.raises(JournalError, match="is closed"):
            await journal.store_run(rows.RUN)

    asyncio.run(go())
    assert [path.name for path in tmp_path.iterdir()] == ["j.sqlite"]


def test_a_database_that_another_program_holds_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onlytext.journal._place._BUSY_SECONDS", 0.2)

    async def go() -> None:
        async with Journal.open(tmp_path / "j.sqlite") as journal:
            await rows.begin(journal, 1)
            other = sqlite3.connect(tmp_path / "j.sqlite", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            stores = [journal.store_reply(rows.call(0, f"c{n}")) for n in range(3)]
            ended = await asyncio.gather(*stores, return_exceptions=True)
            assert all(isinstance(end, JournalError) for end in ended)
            assert "another program holds it" in str(ended[0])
            assert journal.reader.items(rows.RUN.id) == [rows.item(0)]
            other.execute("ROLLBACK")
            other.close()
            await journal.store_reply(rows.call(0))

    asyncio.run(go())


def test_two_transactions_that_get_in_each_other_s_way_are_tried_again(tmp_path: Path) -> None:
    class Deadlock(Exception):
        sqlstate = "40P01"

    tries: list[int] = []

    def clash(_: Connection) -> Asked:
        tries.append(1)
        if len(tries) < 3:
            raise DBAPIError("UPDATE", None, Deadlock())
        return frozenset({"done"})

    def always(_: Connection) -> Asked:
        raise DBAPIError("UPDATE", None, Deadlock())

    async def go() -> None:
        async with Journal.open(tmp_path / "j.sqlite") as journal:
            assert await journal._writer.done(Work(ask=clash)) == {"done"}
            with pytest.raises(JournalError):
                await journal._writer.done(Work(ask=always))

    asyncio.run(go())


def test_a_journal_that_nobody_closes_still_stores_and_ends(tmp_path: Path) -> None:
    where = tmp_path / "j.sqlite"
    code = (
        "import asyncio, sys\n"
        "from onlytext.journal import Journal\n"
        "from tests import journal_rows as rows\n"
        "async def go():\n"
        "    journal = Journal.open(sys.argv[1])\n"
        "    await rows.begin(journal, 1)\n"
        "    asyncio.create_task(journal.store_reply(rows.call(0)))\n"
        "    await asyncio.sleep(0)\n"
        "asyncio.run(go())\n"
    )
    subprocess.run(
        [sys.executable, "-c", code, str(where)],
        check=True,
        timeout=30,
        cwd=Path(__file__).parents[1],
    )
    with Journal.open(where) as journal:
        assert set(journal.reader.calls(["call-0"])) == {"call-0"}


def test_a_file_that_may_not_be_made_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no such folder"):
        Journal.open(tmp_path / "no" / "j.sqlite")
    with pytest.raises(JournalError, match="there is no journal"):
        Journal.open(tmp_path / "j.sqlite", create=False)
    with pytest.raises(JournalError, match="can't be opened"):
        Journal.open(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_something_else_stays_as_it_is(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a database at all\n" * 100)
    with pytest.raises(JournalError, match="is damaged, or no journal"):
        Journal.open(text)
    assert text.read_text().startswith("not a database")

    other = tmp_path / "other.sqlite"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE mine (a)")
    connection.close()
    before = other.read_bytes()
    with pytest.raises(JournalError, match="is no journal of onlytext"):
        Journal.open(other)
    assert other.read_bytes() == before

    empty = tmp_path / "empty"
    empty.touch()
    with pytest.raises(JournalError, match="there is no journal"):
        Journal.open(empty, create=False)


def test_a_newer_schema_is_a_clear_error(tmp_path: Path) -> None:
    Journal.open(tmp_path / "j.sqlite").close()
    connection = sqlite3.connect(tmp_path / "j.sqlite")
    connection.execute("UPDATE onlytext_journal SET version = 99")
    connection.commit()
    connection.close()
    with pytest.raises(JournalError, match=r"newer onlytext \(its schema is 99"):
        Journal.open(tmp_path / "j.sqlite")


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("sqlite://", "name a file"),
        (":memory:", "name a file"),
        ("mysql://me:secret@host/db", "not in 'mysql'"),
        ("postgresql://me:se/cr@et@", "no database URL|can't be opened"),
        ("://me:secret@host", "no database URL"),
        ("postgresql://me:secret@127.0.0.1:9/db", "can't be opened"),
        ("postgresql://me@127.0.0.1:9/db?password=secret", "can't be opened"),
    ],
)
def test_an_address_that_can_t_be_used_is_told_without_its_password(where: str, told: str) -> None:
    with pytest.raises(JournalError, match=told) as raised:
        Journal.open(where)
    assert "secret" not in str(raised.value)
    assert "se/cr" not in str(raised.value)


def test_a_journal_says_where_it_is_without_a_password(tmp_path: Path) -> None:
    place = Place("postgresql://me:secret@host/db?sslpassword=other")
    assert str(place).startswith("postgresql+psycopg://me:***@host/db")
    assert "secret" not in str(place)
    assert "other" not in str(place)
    with Journal.open(f"sqlite:///{tmp_path}/j.sqlite") as journal:
        assert journal.where == f"{tmp_path}/j.sqlite"


def test_psycopg_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(JournalError, match=r"pip install 'onlytext\[postgres\]'"):
        Place("postgresql://me@host/db")


def test_more_than_fits_into_a_commit_goes_into_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onlytext.journal._writer._GROUP", 3)

    async def go() -> None:
        async with Journal.open(tmp_path / "j.sqlite") as journal:
            await rows.begin(journal, 10)
            await asyncio.gather(*(journal.store_reply(rows.call(n)) for n in range(10)))
            assert len(journal.reader.calls(f"call-{n}" for n in range(10))) == 10

    asyncio.run(go())


def test_a_folder_in_which_no_file_can_be_made_is_a_clear_error(tmp_path: Path) -> None:
    async def go() -> None:
        async with Journal.open(tmp_path / "j.sqlite") as journal:
            # Where the file is to be that says that this journal is in use, there is a folder.
            os.mkdir(tmp_path / f"j.sqlite.run-{journal._holder.name}.lock")  # noqa: PTH102 - an async function
            with pytest.raises(JournalError, match="can't take this in"):
                await journal.claim(["a"])

    asyncio.run(go())


def test_many_processes_can_make_one_journal_at_once(tmp_path: Path) -> None:
    where = tmp_path / "j.sqlite"
    go = threading.Barrier(8)
    errors: list[JournalError] = []

    def make() -> None:
        go.wait()
        try:
            Journal.open(where).close()
        except JournalError as error:  # pragma: no cover - it is what must not happen
            errors.append(error)

    makers = [threading.Thread(target=make) for _ in range(8)]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join()
    assert errors == []


def test_a_claim_whose_holder_left_no_trace_is_free(tmp_path: Path) -> None:
    async def go() -> None:
        first, second = (Journal.open(tmp_path / "j.sqlite") for _ in range(2))
        await first.claim(["a"])
        os.unlink(tmp_path / f"j.sqlite.run-{first._holder.name}.lock")  # noqa: PTH108 - an async function
        assert await second.claim(["a"]) == {"a"}
        await first.aclose()
        assert await second.claim(["a"]) == {"a"}
        await second.aclose()

    asyncio.run(go())


def test_an_older_journal_is_brought_up_to_date_and_keeps_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = tmp_path / "j.sqlite"

    async def go() -> None:
        async with Journal.open(where) as journal:
            await rows.fill(journal, 1)

    asyncio.run(go())
    made = steps()
    newer = [*made, "-- a step of a later day\nCREATE TABLE later (\n    a TEXT\n);\n"]
    monkeypatch.setattr("onlytext.journal._schema.steps", lambda: newer)
    for _ in range(2):
        with Journal.open(where) as journal:
            assert journal.reader.calls(["call-0"]) == {"call-0": rows.call(0)}
            with journal.reader.engine.connect() as connection:
                assert connection.exec_driver_sql("SELECT count(*) FROM later").scalar() == 0

    broken = [*newer, "CREATE TABLE last (a TEXT); NO SQL;"]
    monkeypatch.setattr("onlytext.journal._schema.steps", lambda: broken)
    with pytest.raises(JournalError, match="can't be opened"):
        Journal.open(where)
    # All of a step or nothing of it.
    monkeypatch.setattr("onlytext.journal._schema.steps", lambda: newer)
    with Journal.open(where) as journal, journal.reader.engine.connect() as connection:
        assert "last" not in inspect(connection).get_table_names()
