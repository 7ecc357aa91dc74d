from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import inspect
from tests import journal_rows as rows
from tests.journal_rows import NOON, ODD, RUN

from onlytext.journal import Batch, Cleaning, Counts, Fired, Journal, Share, StoredItem
from onlytext.journal._errors import masked
from onlytext.journal._schema import METADATA
from onlytext.journal._verbatim import from_stored, to_stored
from onlytext.providers import Usage

if TYPE_CHECKING:
    from tests.postgres import Server


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "run.journal.sqlite")
    server: Server = request.getfixturevalue("postgres")
    return server.fresh()


def test_what_is_stored_comes_back_as_it_was(where: str) -> None:
    async def go() -> None:
        async with Journal.open(where) as journal:
            await rows.begin(journal, 3)
            await journal.store_reply(rows.call(0))
            await journal.store_failure(rows.failure(0))
            await journal.store_failure(rows.failure(1))
            await journal.store_outcome(rows.outcome(0), [rows.cleaning(0)])
        with Journal.open(where, create=False) as again:
            reader = again.reader
            assert reader.runs() == [RUN]
            assert reader.items(RUN.id) == [rows.item(number) for number in range(3)]
            assert await again.replies(["item-0", "item-1", "nobody"]) == {
                "item-0": [rows.call(0)],
                "item-1": [],
                "nobody": [],
            }
            assert reader.calls(["call-0", "call-9"]) == {"call-0": rows.call(0)}
            assert reader.failures(["item-0", "item-2"]) == {
                "item-0": [rows.failure(0)],
                "item-2": [],
            }
            assert reader.cleanings(["call-0"]) == {"call-0": [rows.cleaning(0)]}
            first, second, third = reader.told(RUN.id)
            assert first.outcome == rows.outcome(0)
            assert (first.calls, first.cleanings) == ((rows.call(0),), (rows.cleaning(0),))
            assert (second.outcome, second.failures) == (None, (rows.failure(1),))
            assert (third.calls, third.failures) == ((), ())

    asyncio.run(go())


def test_the_first_reply_of_a_key_stays_and_the_last_outcome(where: str) -> None:
    async def go() -> None:
        async with Journal.open(where) as journal:
            await rows.begin(journal, 1)
            await asyncio.gather(
                *(journal.store_reply(replace(rows.call(0), text=text)) for text in "abc")
            )
            await journal.store_reply(replace(rows.call(0), text="d"))
            assert [one.text for one in (await journal.replies(["item-0"]))["item-0"]] == ["a"]

            failed = replace(rows.outcome(0), status="failed", final=False, cause="no reply")
            bare = replace(rows.cleaning(0), removals=(), doubts=(), outcome="untouched")
            together = [
                journal.store_outcome(failed, [rows.cleaning(0)]),
                journal.store_outcome(rows.outcome(0), [bare]),
            ]
            await asyncio.gather(*together)
            assert journal.reader.cleanings(["call-0"]) == {"call-0": [bare]}
            await journal.store_cleaning(rows.cleaning(0))
            await journal.store_cleaning(bare)
            assert journal.reader.cleanings(["call-0"]) == {"call-0": [bare]}
            key = {"job_digest": "job-a", "cleaning_digest": "clean-a"}
            assert await journal.outcomes_of(["item-0"], **key) == {
                "item-0": replace(rows.outcome(0), position=0)
            }

    asyncio.run(go())


def test_outcomes_come_in_the_order_of_the_run_page_by_page(where: str) -> None:
    async def go() -> None:
        async with Journal.open(where) as journal:
            await rows.fill(journal, 7)
            # Another run of the same job, with the items the other way round and one left out.
            await journal.store_run(replace(RUN, id="run-2", started=NOON + 1))
            turned = [replace(rows.item(6 - at), position=at) for at in range(6)]
            await journal.store_items("run-2", turned)
            for size in (1, 3, 7, 100):
                got = [one.item async for one in journal.outcomes("run-2", size=size)]
                assert got == [one.key for one in turned]
                assert got == [one.item for one in journal.reader.every_outcome("run-2", size=size)]
                assert got == [
                    one.item.key for one in journal.reader.every_told("run-2", size=size)
                ]
            assert [one async for one in journal.outcomes(RUN.id, cleaning_digest="new")] == []
            assert [run.id for run in journal.reader.runs()] == ["run-1", "run-2"]

    asyncio.run(go())


def test_figures_count_leaks_by_whatever_they_are_asked_for(where: str) -> None:
    async def go() -> None:
        async with Journal.open(where) as journal:
            await rows.fill(journal, 3)
            await journal.store_failure(rows.failure(0))
            refused = Cleaning(
                call="call-1", digest="clean-b", at=NOON + 9, outcome="refused", cause="two texts"
            )
            await journal.store_cleaning(refused)
            figures = journal.figures
            assert figures.counts(RUN.id) == Counts(
                items=3,
                outcomes={"ok": 3},
                flagged=3,
                replies=3,
                failures=1,
                usage=Usage(input=3, output=6, cache_read=9, cache_write=12, thinking=15),
                cost=0.75,
            )
            both = Share(label="", replies=3, leaking=2, refused=1, doubtful=2)
            system = journal.reader.calls(["call-0"])["call-0"].request.system
            assert system == "Return only the text."
            for by, label in (
                ("model", "model-a"),
                ("provider", "replay"),
                ("day", "2026-06-01"),
                ("language", "fr"),
                ("part", "generate"),
            ):
                assert figures.shares(by, run=RUN.id) == [replace(both, label=label)]  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
            [by_prompt] = figures.shares("prompt")
            assert replace(by_prompt, label="") == both
            assert figures.fired() == [
                Fired(reason="label", pattern="en/label", removals=2, replies=2)
            ]
            await journal.store_reply(replace(rows.call(0, "unpriced"), cost=None, language=None))
            assert figures.counts(RUN.id).cost is None
            await journal.store_failure(replace(rows.failure(1), cost=0.5))
            assert (figures.spent(RUN.job), figures.spent("another")) == (1.25, 0.0)
            assert figures.counts("nobody").items == 0

    asyncio.run(go())


def test_a_batch_comes_back_with_its_calls_and_its_state(where: str) -> None:
    async def go() -> None:
        async with Journal.open(where) as journal:
            sent = Batch(
                provider="p", id="b", state="sent", submitted=NOON, calls={"1": "c1", "2": "c2"}
            )
            await journal.store_batch(sent)
            await journal.store_batch(replace(sent, id="c", submitted=NOON + 1))
            await journal.store_batch_state(sent, "ended")
            assert await journal.batches(state="ended") == [replace(sent, state="ended")]
            assert [one.id for one in await journal.batches(provider="p")] == ["b", "c"]
            assert await journal.batches(provider="q") == []

    asyncio.run(go())


def test_a_claim_is_for_one_until_it_is_released_or_its_holder_is_gone(where: str) -> None:
    async def go() -> None:
        first, second = Journal.open(where), Journal.open(where)
        assert await first.claim(["a", "b"]) == {"a", "b"}
        assert await first.claim([]) == frozenset()
        assert await second.claim(["b", "c"]) == {"c"}
        assert await first.claim(["a", "c"]) == {"a"}
        await first.release(["b"])
        assert await second.claim(["b"]) == {"b"}
        await first.aclose()
        assert await second.claim(["a", "b", "c"]) == {"a", "b", "c"}
        await second.aclose()

    asyncio.run(go())


def test_the_tables_are_those_that_the_steps_make(where: str) -> None:
    journal = Journal.open(where)
    with journal.reader.engine.connect() as connection:
        found = inspect(connection)
        assert set(found.get_table_names()) == set(METADATA.tables)
        for table in METADATA.tables.values():
            made = {
                (column["name"], column["nullable"] and column["name"] not in table.primary_key)
                for column in found.get_columns(table.name)
            }
            assert {(column.name, bool(column.nullable)) for column in table.columns} == {
                (name, nullable and name not in table.primary_key.columns)
                for name, nullable in made
            }
            keys = found.get_pk_constraint(table.name)["constrained_columns"]
            assert keys == [column.name for column in table.primary_key]
    journal.close()


def test_many_keys_are_asked_for_at_once(where: str) -> None:
    async def go() -> None:
        async with Journal.open(where) as journal:
            await journal.store_run(RUN)
            many = [StoredItem(key=f"{n}", position=n, brief={}) for n in range(2500)]
            await journal.store_items(RUN.id, many)
            found = await journal.replies(item.key for item in many)
            assert len(found) == 2500
            assert len(await journal.claim(item.key for item in many)) == 2500

    asyncio.run(go())


@given(st.text(st.characters(categories=None) | st.sampled_from("\x00\x10\ud800\udc00")))
def test_any_text_is_stored_as_one_that_every_database_takes(text: str) -> None:
    stored = to_stored(text)
    assert from_stored(stored) == text
    assert "\x00" not in stored
    stored.encode()


@pytest.mark.parametrize(
    "told",
    [
        "401 for key sk-ant-api03-abcdefghijklmnop",
        "postgresql://me:hunter2secret@host/db is away",
        "connection to password=hunter2secret failed",
        "Bearer abcdefghijklmnopqrstuvwx",
    ],
)
def test_what_looks_like_a_secret_is_masked(told: str) -> None:
    shown = masked(told)
    assert "***" in shown
    assert "hunter2" not in shown
    assert "abcdefghijkl" not in shown


def test_a_key_in_an_error_or_a_job_is_not_stored(where: str) -> None:
    async def go() -> None:
        key = "sk-ant-api03-abcdefghijklmnop"
        async with Journal.open(where) as journal:
            await journal.store_run(replace(RUN, job_text=f"# {key}"))
            await journal.store_items(RUN.id, [rows.item(0)])
            await journal.store_failure(replace(rows.failure(0), message=f"no such key: {key}"))
            [run] = journal.reader.runs()
            assert run.job_text == "# ***"
            [failed] = journal.reader.failures(["item-0"])["item-0"]
            assert failed.message == "no such key: ***"

    asyncio.run(go())


def test_odd_texts_are_really_odd() -> None:
    assert to_stored(ODD) != ODD


def test_the_queries_of_the_reference_find_something(where: str) -> None:
    page = Path(__file__).parents[1] / "docs" / "reference" / "journal.md"
    queries = re.findall(r"^SELECT [^;]+;", page.read_text("utf-8"), re.MULTILINE)
    assert len(queries) >= 4

    async def go() -> None:
        async with Journal.open(where) as journal:
            await rows.fill(journal, 2)
            await journal.store_failure(rows.failure(0))
            with journal.reader.engine.connect() as connection:
                for query in queries:
                    asked = query.replace("'bread'", "'n1'")
                    assert connection.exec_driver_sql(asked).all(), asked

    asyncio.run(go())
