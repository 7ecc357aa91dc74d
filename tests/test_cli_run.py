"""`onlytext run` and `onlytext reclean`, over real HTTP with the real SDK."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, cast

import pytest
from tests.cli_runs import Run, invoke
from tests.loopback import Failure, Loopback, Reply
from tests.pipeline_runs import GOOD, TEXT

from onlytext.journal import Journal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.loopback import Script, Seen, Turn

KEY = "sk-test-0123456789abcdef"
JOB = """
[job]
name = "bread"
id = "sku"
{job}
[format]
kind = "sections"
markers = ["[TITLE]", "[BODY]"]

[generate]
prompt = "A text on {{topic}}."
model = "claude-haiku-5-5"
max_tokens = 300

[validator]
rules = ["At most 6 words in [BODY]."]
model = "claude-haiku-5-5"
max_tokens = 300

[limits]
attempts = 2
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a job and six briefs, and a key in the environment."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "job.toml").write_text(JOB.format(job=""))
    rows = [{"sku": f"b-{number}", "topic": f"bread {number}"} for number in range(6)]
    (tmp_path / "briefs.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return tmp_path


def go(folder: Path, script: Script, *arguments: str) -> Run:
    with Loopback(script) as server:
        return against(folder, server, *arguments)


def against(folder: Path, server: Loopback, *arguments: str) -> Run:
    return invoke(
        folder,
        *("run", "job.toml", "briefs.jsonl", "-o", "out.jsonl", *arguments),
        ANTHROPIC_BASE_URL=server.url,
    )


def records(folder: Path) -> list[Mapping[str, object]]:
    lines = (folder / "out.jsonl").read_text().splitlines()
    return [cast("Mapping[str, object]", json.loads(line)) for line in lines]


def leaks_once(seen: Seen) -> Turn:
    if "</draft-" in seen.prompt and "</fields" not in seen.prompt:
        return Reply(text=f"I checked the rules. Here is the corrected text:\n\n{GOOD}")
    return Reply(text=GOOD, input_tokens=200, output_tokens=40)


def test_a_run_writes_a_record_for_each_brief_and_says_what_it_came_to(folder: Path) -> None:
    done = go(folder, leaks_once)
    assert done.code == 0, done.err
    assert records(folder) == [
        {
            "row": number + 1,
            "id": f"b-{number}",
            "outcome": "ok",
            "text": TEXT,
            "record": {"[TITLE]": "Bread", "[BODY]": "Baked every day."},
            "validated": True,
            "flagged": False,
            "doubts": [],
            "cause": None,
        }
        for number in range(6)
    ]
    assert re.search(r"ok +6 ", done.out)
    assert "12 calls" in done.out
    assert "6 of 12 replies (50.0%) held more than the text" in done.out
    assert "6 records in out.jsonl, journal in out.jsonl.journal.sqlite" in done.out
    assert "dearest items" in done.out
    assert KEY not in (folder / "out.jsonl.journal.sqlite").read_bytes().decode("latin-1")


def test_the_same_command_again_makes_no_call(folder: Path) -> None:
    with Loopback(leaks_once) as server:
        against(folder, server)
        again = against(folder, server, "--json")
        assert len(server.seen) == 12
    said = json.loads(again.out)
    assert (said["calls"], said["from_earlier_runs"], said["records"]) == (0, 6, 6)


def test_an_item_that_failed_is_told_by_the_exit_code_and_tried_again_next_time(
    folder: Path,
) -> None:
    def script(seen: Seen) -> Turn:
        return Failure(status=529) if "bread 3" in seen.prompt else Reply(text=GOOD)

    done = go(folder, script, "--json")
    assert done.code == 3
    assert json.loads(done.out)["outcomes"] == {"ok": 5, "kept_draft": 0, "failed": 1}
    assert "1 item without an answer; the same command tries again" in done.err
    assert "tried 2 times" in str(records(folder)[3]["cause"])
    assert records(folder)[3]["text"] is None
    assert go(folder, Reply(text=GOOD)).code == 0
    assert [record["outcome"] for record in records(folder)] == ["ok"] * 6


def test_a_wrong_key_stops_the_run_at_once_and_writes_nothing(folder: Path) -> None:
    done = go(folder, Failure(status=401))
    assert done.code == 4
    assert "401" in done.err
    assert "0 of 6 items are done; out.jsonl was not written" in done.err
    assert "the same command goes on from here" in done.err
    assert KEY not in done.err + done.out
    assert not (folder / "out.jsonl").exists()


def test_a_spending_limit_stops_the_run_and_more_money_ends_it(folder: Path) -> None:
    with Loopback(Reply(text=GOOD, input_tokens=2000, output_tokens=200)) as server:
        stopped = against(folder, server, "--spend", "0.0015", "--in-flight", "2")
        assert stopped.code == 4, stopped.err
        assert "the spending limit of 0.0015 USD" in stopped.err
        assert 0 < len(server.seen) < 12
        assert against(folder, server, "--spend", "1").code == 0
        assert len(server.seen) == 12


def test_a_dry_run_shows_the_prompts_and_an_estimate_and_sends_nothing(folder: Path) -> None:
    with Loopback(Reply(text=GOOD)) as server:
        done = against(folder, server, "--dry-run")
        told = against(folder, server, "--dry-run", "--json", "--limit", "2")
        assert server.seen == []
    assert done.code == 0
    assert "A text on bread 0." in done.out
    assert "6 items, 12 calls if none is asked for again" in done.out
    assert "Nothing was sent." in done.out
    assert json.loads(told.out)["calls"] == 4
    assert not (folder / "out.jsonl.journal.sqlite").exists()


def test_a_dry_run_shows_no_cost_for_a_model_without_a_price(folder: Path) -> None:
    job = (folder / "job.toml").read_text().replace("claude-haiku-5-5", "my-own-model")
    (folder / "job.toml").write_text(job)
    assert "cost not known" in go(folder, Reply(text=GOOD), "--dry-run").out
    done = go(folder, Reply(text=GOOD))
    assert "cost not known (my-own-model has no price here)" in done.out


def test_records_may_come_in_the_order_in_which_items_were_finished(folder: Path) -> None:
    def script(seen: Seen) -> Turn:
        return Reply(text=GOOD, wait=0.5 if "bread 0" in seen.prompt else 0)

    go(folder, script, "--order", "finished")
    assert sorted(cast("int", record["row"]) for record in records(folder)) == [1, 2, 3, 4, 5, 6]
    assert records(folder)[-1]["row"] == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--order", "backwards"), "backwards"),
        (("--spend", "0"), "above 0"),
    ],
)
def test_wrong_usage_is_told_before_anything_is_sent(
    folder: Path, arguments: tuple[str, ...], told: str
) -> None:
    with Loopback(Reply(text=GOOD)) as server:
        done = against(folder, server, *arguments)
        assert server.seen == []
    assert done.code == 2
    assert told in done.err


def test_a_brief_that_lacks_a_field_is_told_before_anything_is_sent(folder: Path) -> None:
    (folder / "briefs.jsonl").write_text('{"sku": "b-0", "topic": "x"}\n{"sku": "b-1"}\n')
    with Loopback(Reply(text=GOOD)) as server:
        done = against(folder, server)
        assert server.seen == []
    assert done.code == 2
    assert "briefs.jsonl:2" in done.err


def test_strict_treats_doubts_as_refusals(folder: Path) -> None:
    no_end = Reply(text=TEXT)
    assert go(folder, no_end, "--strict").code == 3
    assert {record["outcome"] for record in records(folder)} == {"failed"}
    assert go(folder, no_end).code == 0
    assert all(record["flagged"] for record in records(folder))


def start_process(folder: Path, server: Loopback) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "onlytext", "run", "job.toml", "briefs.jsonl", "-o", "out.jsonl"],
        cwd=folder,
        env=os.environ | {"ANTHROPIC_BASE_URL": server.url},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_until_asked(server: Loopback) -> None:
    deadline = time.monotonic() + 40
    while not server.seen and time.monotonic() < deadline:
        time.sleep(0.01)
    assert server.seen


def test_ctrl_c_lets_calls_under_way_end_and_says_how_to_go_on(folder: Path) -> None:
    with Loopback(Reply(text=GOOD, wait=1.0)) as server:
        process = start_process(folder, server)
        wait_until_asked(server)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        asked = len(server.seen)
    assert process.returncode == 130, err
    assert "Ctrl-C once more stops at once" in err
    assert "the same command goes on from here" in err
    with Journal.open(folder / "out.jsonl.journal.sqlite") as journal:
        keys = [item.key for item in journal.reader.items(journal.reader.runs()[-1].id)]
        assert sum(map(len, journal.reader.replies(keys).values())) == asked
    assert go(folder, Reply(text=GOOD)).code == 0
    assert len(records(folder)) == 6


def test_ctrl_c_twice_stops_at_once(folder: Path) -> None:
    with Loopback(Reply(text=GOOD, wait=20)) as server:
        process = start_process(folder, server)
        wait_until_asked(server)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert "stopped at once" in err


def test_a_full_disk_is_one_clear_error_and_the_run_can_go_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from onlytext.journal import JournalError

    kept = Journal.store_reply
    room = 5

    async def fills_up(self: Journal, call: object) -> None:
        nonlocal room
        room -= 1
        if room < 0:
            raise JournalError("out.jsonl.journal.sqlite can't be written: the disk is full")
        await kept(self, call)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(Journal, "store_reply", fills_up)
    full = go(folder, Reply(text=GOOD))
    assert full.code == 4
    assert "the disk is full" in full.err
    assert "the same command goes on from here" in full.err
    assert "Traceback" not in full.err
    monkeypatch.setattr(Journal, "store_reply", kept)
    assert go(folder, Reply(text=GOOD)).code == 0
    assert len(records(folder)) == 6


# ---------------------------------------------------------------- reclean


def reclean(folder: Path, *arguments: str) -> Run:
    return invoke(
        folder,
        *("reclean", "out.jsonl.journal.sqlite", "job.toml", "-o", "again.jsonl", *arguments),
    )


def test_reclean_changes_nothing_where_nothing_is_new(folder: Path) -> None:
    go(folder, leaks_once)
    done = reclean(folder)
    assert done.code == 0, done.err
    assert "0 of 6 items have changed" in done.out
    assert (folder / "again.jsonl").read_bytes() == (folder / "out.jsonl").read_bytes()


def test_reclean_shows_what_new_rules_change(folder: Path) -> None:
    go(folder, leaks_once)
    check = '\n[[check]]\nsections = ["[BODY]"]\nmax_words = 2\n'
    (folder / "job.toml").write_text((folder / "job.toml").read_text() + check)
    done = reclean(folder)
    assert done.code == 0
    assert "row 1 (b-0): ok → kept_draft: no reply of the validator: it is not in" in done.out
    assert "6 of 6 items have changed" in done.out
    again = json.loads(reclean(folder, "--json").out)
    assert (again["changed"], again["calls"]) == ([], 0), "what was cleaned last is what counts"


def test_reclean_tells_a_program_what_changed(folder: Path) -> None:
    go(folder, Reply(text=TEXT))
    said = json.loads(reclean(folder, "--strict", "--json").out)
    assert [(one["id"], one["before"], one["after"]) for one in said["changed"]] == [
        (f"b-{number}", "ok", "failed") for number in range(6)
    ]
    assert {(one["text_before"], one["text"]) for one in said["changed"]} == {(TEXT, None)}


def test_reclean_of_a_journal_without_the_job_is_an_error(folder: Path) -> None:
    go(folder, leaks_once)
    job = (folder / "job.toml").read_text().replace('"bread"', '"cake"')
    (folder / "job.toml").write_text(job)
    done = reclean(folder)
    assert done.code == 2
    assert "its jobs are: bread" in done.err


def test_reclean_makes_no_journal(folder: Path) -> None:
    done = reclean(folder)
    assert done.code == 2
    assert "there is no journal" in done.err
