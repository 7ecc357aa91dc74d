"""Jobs that end badly: killed, stopped, out of room, with files that are damaged or odd."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet as pq
from tests.bulk_kills import run
from tests.bulk_rows import CLEAN, LEAKING, PLAIN, rows, text_of, write_jsonl, write_parquet

from onlytext.bulk import BulkError, Wish, clean_files

if TYPE_CHECKING:
    from collections.abc import Callable

    from onlytext.bulk import Progress, Summary

ROOT = Path(__file__).parent.parent
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="kills and forks as POSIX has them")


def bulk(source: Path, output: Path, workers: int = 1, block: int = 3000) -> Summary:
    wish = Wish(inputs=[str(source)], format=PLAIN, output=output, block_bytes=block)
    return clean_files(wish, workers=workers)


def start(*arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.bulk_kills", *map(str, arguments)],
        cwd=ROOT,
        env=uncovered(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def uncovered() -> dict[str, str]:
    """What is killed, or has no room, while it writes figures of coverage leaves a broken file."""
    return {name: value for name, value in os.environ.items() if "COVERAGE" not in name}


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def rejects_of(output: Path) -> list[dict[str, Any]]:
    lines = output.with_name(f"{output.name}.rejects.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


# ------------------------------------------------------------------- the end of the process


@POSIX
@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_job_that_is_killed_ten_times_gives_the_bytes_of_one_that_was_not(
    tmp_path: Path, ending: str
) -> None:
    some = rows(200)
    write = write_jsonl if ending == "jsonl" else write_parquet
    source, whole = write(tmp_path / f"in.{ending}", some), tmp_path / f"whole.{ending}"
    if ending == "jsonl":
        with source.open("ab") as file:
            file.write(b"{broken\n")
    bulk(source, whole)
    output = tmp_path / f"out.{ending}"
    done, _ = start(source, output, "kill", 10).communicate(timeout=100)
    assert int(done) == 10
    assert output.read_bytes() == whole.read_bytes()
    assert not any("parts" in name for name in names(tmp_path))
    texts = (
        [json.loads(line)["text"] for line in output.read_bytes().splitlines()]
        if ending == "jsonl"
        else pq.read_table(output).column("text").to_pylist()
    )
    assert texts == [text_of(row) for row in some]


@POSIX
def test_workers_end_with_a_parent_that_is_killed_and_the_next_run_goes_on(tmp_path: Path) -> None:
    some = rows(800)
    source, output = write_jsonl(tmp_path / "in.jsonl", some), tmp_path / "out.jsonl"
    job = start(source, output, 2)
    parts = tmp_path / "out.jsonl.onlytext-parts"
    wait_for(lambda: len(list(parts.glob("*.json"))) > 3)
    os.kill(job.pid, signal.SIGKILL)
    job.communicate(timeout=20)  # the workers hold its pipes open for as long as they live
    done = {file: file.stat().st_mtime_ns for file in parts.glob("*.json")}
    assert not output.exists()
    seen: list[int] = []
    wish = Wish(inputs=[str(source)], format=PLAIN, output=output, block_bytes=3000)
    clean_files(wish, workers=1, watch=lambda at: seen.append(at.resumed))
    assert len(done) > 3
    assert seen[-1] > 0
    bulk(source, tmp_path / "whole.jsonl", workers=2)
    assert output.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


@POSIX
def test_ctrl_c_leaves_a_job_that_can_go_on(tmp_path: Path) -> None:
    source, output = write_jsonl(tmp_path / "in.jsonl", rows(3000)), tmp_path / "out.jsonl"
    (tmp_path / "text.toml").write_text('[format]\nkind = "text"\n', encoding="utf-8")
    command = [sys.executable, "-m", "onlytext", "bulk", source.name, "-o", output.name]
    job = subprocess.Popen(
        [*command, "--format", "text.toml", "--workers", "2"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    parts = tmp_path / "out.jsonl.onlytext-parts"
    wait_for((parts / "lock").exists)
    time.sleep(0.3)
    os.killpg(job.pid, signal.SIGINT)
    _, said = job.communicate(timeout=60)
    assert job.returncode == 130
    assert said.decode() == "onlytext: stopped; what is done is kept: the same command goes on\n"
    assert not output.exists()


def wait_for(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_two_runs_do_not_work_on_one_output(tmp_path: Path) -> None:
    source = write_jsonl(tmp_path / "in.jsonl", rows(9))
    parts = tmp_path / "out.jsonl.onlytext-parts"
    parts.mkdir()
    import fcntl

    with (parts / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(BulkError, match="another run works"):
            bulk(source, tmp_path / "out.jsonl")


def test_parts_of_another_job_are_not_taken_for_this_one_s(tmp_path: Path) -> None:
    source, output = write_jsonl(tmp_path / "in.jsonl", rows(40)), tmp_path / "out.jsonl"

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    wish = Wish(inputs=[str(source)], format=PLAIN, output=output, block_bytes=3000)
    with pytest.raises(KeyboardInterrupt):
        clean_files(wish, workers=1, watch=stop)
    parts = tmp_path / "out.jsonl.onlytext-parts"
    (parts / "files").mkdir()
    assert (parts / "000000.json").exists()
    write_jsonl(source, rows(41))
    bulk(source, output)
    assert len(output.read_text("utf-8").splitlines()) == 41


def test_a_part_that_is_not_what_was_written_is_made_again(tmp_path: Path) -> None:
    source, output = write_jsonl(tmp_path / "in.jsonl", rows(40)), tmp_path / "out.jsonl"
    parts = tmp_path / "out.jsonl.onlytext-parts"
    calls = 0

    def stop(*_: object) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt

    wish = Wish(inputs=[str(source)], format=PLAIN, output=output, block_bytes=3000)
    with pytest.raises(KeyboardInterrupt):
        clean_files(wish, workers=1, watch=stop)
    (parts / "000001.data").write_bytes(b"cut off")
    (parts / "000002.data").unlink()
    bulk(source, tmp_path / "whole.jsonl")
    clean_files(wish, workers=1)
    assert output.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_a_part_that_is_spoiled_during_the_job_is_told_before_there_is_an_output(
    tmp_path: Path,
) -> None:
    source, output = write_jsonl(tmp_path / "in.jsonl", rows(40)), tmp_path / "out.jsonl"
    parts = tmp_path / "out.jsonl.onlytext-parts"
    wish = Wish(inputs=[str(source)], format=PLAIN, output=output, block_bytes=3000)

    def spoil(_: Progress) -> None:
        (parts / "000000.data").write_bytes(b"")

    with pytest.raises(BulkError, match="run the same command again"):
        clean_files(wish, workers=1, watch=spoil)
    assert not output.exists()
    clean_files(wish, workers=1)
    assert len(output.read_text("utf-8").splitlines()) == 40


# ------------------------------------------------------------------- a disk that is full


@POSIX
@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_disk_that_fills_is_told_and_the_job_goes_on_when_there_is_room(
    tmp_path: Path, ending: str
) -> None:
    source, output = write_jsonl(tmp_path / "in.jsonl", rows(200)), tmp_path / f"out.{ending}"
    script = (
        "import resource, sys; from tests.bulk_kills import run\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        f"run({str(source)!r}, {str(output)!r})"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=uncovered(),
        capture_output=True,
        check=False,
        timeout=60,
    )
    (last,) = [line for line in done.stderr.decode().splitlines() if "BulkError: can't" in line]
    assert "File too large" in last
    assert "run the same command again" in last
    assert not output.exists()
    run(str(source), str(output))
    bulk(source, tmp_path / f"whole.{ending}")
    assert output.read_bytes() == (tmp_path / f"whole.{ending}").read_bytes()


def test_a_folder_that_can_t_be_written_is_told(tmp_path: Path) -> None:
    source = write_jsonl(tmp_path / "in.jsonl", rows(3))
    (tmp_path / "out.jsonl.onlytext-parts").write_text("a file in the way", encoding="utf-8")
    with pytest.raises(BulkError, match="can't write"):
        bulk(source, tmp_path / "out.jsonl")


# ------------------------------------------------------------------- lines that are none


def test_malformed_lines_are_put_aside_with_their_place_and_why(tmp_path: Path) -> None:
    good = json.dumps({"reply": CLEAN}).encode()
    lines = [
        good,
        b"{broken",
        b'{"reply": "caf\xe9"}',
        b"[1]",
        b"",
        json.dumps({"reply": CLEAN, "text": "mine"}).encode(),
        b"[" * 2000,
        good,
    ]
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_bytes(b"\n".join(lines))
    summary = bulk(source, output)
    assert (summary.tally.rows_in, summary.tally.rows_out, summary.tally.rejects) == (7, 2, 5)
    rejects = rejects_of(output)
    assert [row["line"] for row in rejects] == [2, 3, 4, 6, 7]
    assert rejects[0]["row"] == "{broken\n"
    assert rejects[1]["why"] == "byte 0xE9 is not UTF-8"
    assert rejects[1]["base64"]
    assert "no JSON object" in rejects[2]["why"]
    assert "'text' already" in rejects[3]["why"]
    assert summary.told[0].startswith(f"{source}:2: it is no JSON")
    assert summary.rejects == tmp_path / "out.jsonl.rejects.jsonl"


def test_a_line_that_is_far_too_long_is_put_aside_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onlytext.bulk._lines.LONGEST_ROW", 100_000)
    good = json.dumps({"reply": CLEAN})
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(f"{good}\n{'x' * 3_000_000}\n{good}\n{'y' * 200_000}", encoding="utf-8")
    summary = bulk(source, output)
    assert (summary.tally.rows_in, summary.tally.rows_out) == (4, 2)
    first, second = rejects_of(output)
    assert (first["line"], first["offset"], first["size"]) == (2, len(good) + 1, 3_000_001)
    assert (second["line"], second["size"]) == (4, 200_000)


def test_a_reply_of_twenty_megabytes_is_kept_with_its_outcome(tmp_path: Path) -> None:
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps({"reply": "Bread is warm. " * 1_400_000}) + "\n", "utf-8")
    bulk(source, output)
    row = json.loads(output.read_bytes())
    assert (row["outcome"], row["cause"]) == ("refused", "too long")
    assert len(row["reply"]) == 21_000_000


def test_records_of_csv_that_are_broken_are_put_aside_and_no_line_is_lost(tmp_path: Path) -> None:
    body = [
        "id,reply,n",
        'a,"Bread, warm\nand good",1',
        "b,too few",
        'c,"he said "hi", and left\nme, you",2',
        "d,plain,3",
        "",
        'e,"tail, that is open',
        'f,"closed",4',
        "g,caf\udce9,5",
        "h,fine,6",
        'i,"open to the end',
        "j,fine,7",
    ]
    source, output = tmp_path / "in.csv", tmp_path / "out.jsonl"
    data = ("\n".join(body) + "\n").encode("utf-8", "surrogateescape")
    source.write_bytes(data)
    summary = bulk(source, output)
    made = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert [row["id"] for row in made] == ["a", "d", "f", "h", "j"]
    assert made[0]["reply"] == "Bread, warm\nand good"
    rejects = rejects_of(output)
    assert [row["line"] for row in rejects] == [4, 5, 6, 9, 11, 13]
    assert "2 fields, and the header has 3" in rejects[0]["why"]
    assert "a quote is not closed" in rejects[1]["why"]
    assert "follows a broken quote" in rejects[2]["why"]
    assert rejects[4]["why"] == "byte 0xE9 is not UTF-8"
    assert summary.tally.rows_in == 11
    assert sum(len(row.get("row", "")) for row in rejects) + len(b"g,caf\xe9,5\n") + sum(
        len(line) + 1 for line in (body[0], body[1], body[4], body[5], body[7], body[9], body[11])
    ) == len(data)


def test_a_record_that_is_far_too_long_is_put_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onlytext.bulk._records.LONGEST_ROW", 5000)
    source, output = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text('id,reply\na,"' + "Bread\n" * 2000 + '"\nb,fine\n', encoding="utf-8")
    bulk(source, output)
    assert output.read_text("utf-8").splitlines()[-1].startswith("b,fine,fine,")


# ------------------------------------------------------------------- files that are damaged


def test_files_that_are_cut_off_or_something_else_are_told_by_name(tmp_path: Path) -> None:
    whole = write_parquet(tmp_path / "whole.parquet", rows(50)).read_bytes()
    plain = write_jsonl(tmp_path / "whole.jsonl", rows(400)).read_bytes()
    damaged = bytearray(whole)
    damaged[60:160] = b"\xff" * 100
    for name, data, sentence in (
        ("cut.parquet", whole[:-100], "can't be read as Parquet"),
        ("text.parquet", b"no table", "can't be read as Parquet"),
        ("damaged.parquet", bytes(damaged), "can't be read as Parquet"),
        ("cut.jsonl.gz", gzip.compress(plain)[:-9], "can't be unpacked"),
        ("text.jsonl.gz", plain, "can't be unpacked"),
        ("cut.jsonl.zst", zstandard.compress(plain)[:-9], "can't be unpacked"),
        ("text.jsonl.zst", plain, "can't be unpacked"),
        ("wide.jsonl", '{"reply": "x"}'.encode("utf-16"), "looks like UTF-16"),
    ):
        source = tmp_path / name
        source.write_bytes(data)
        with pytest.raises(BulkError, match=sentence) as caught:
            bulk(source, tmp_path / "out.jsonl")
        assert name in str(caught.value)
        assert not (tmp_path / "out.jsonl").exists()


def test_a_byte_order_mark_is_no_part_of_the_first_row(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text('\ufeff{"reply": "Bread is warm."}\n', encoding="utf-8")
    assert bulk(source, tmp_path / "out.jsonl").tally.rejects == 0


def test_strings_that_are_no_utf_8_stay_in_parquet_and_are_told_elsewhere(tmp_path: Path) -> None:
    bad = pa.array([CLEAN.encode(), b"caf\xe9", LEAKING.encode()], pa.binary())
    column = pa.Array.from_buffers(pa.string(), 3, bad.buffers())
    source = tmp_path / "in.parquet"
    pq.write_table(pa.table({"id": column, "reply": column}), source)
    wish = Wish(inputs=[str(source)], format=PLAIN, output=tmp_path / "out.parquet", id_column="id")
    summary = clean_files(wish, workers=1)
    assert summary.tally.causes == {"not UTF-8": 1}
    made = pq.read_table(tmp_path / "out.parquet")
    assert made.column("text").to_pylist() == [CLEAN, None, CLEAN]
    for name in ("out.jsonl", "out.csv"):
        with pytest.raises(BulkError, match="write Parquet, which keeps them"):
            bulk(source, tmp_path / name)


def test_a_row_that_is_lost_is_a_fault_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(*_: object) -> bytes:
        return b""

    monkeypatch.setattr("onlytext.bulk._jsonl.LineWriter.write", lose)
    with pytest.raises(BulkError, match=r"of 3 rows .* 0 came out"):
        bulk(write_jsonl(tmp_path / "in.jsonl", rows(3)), tmp_path / "out.jsonl")


def test_a_worker_that_is_ended_from_outside_is_told() -> None:
    from onlytext.bulk._block import Block
    from onlytext.bulk._pool import run_blocks

    with pytest.raises(BulkError, match="ended from outside"):
        list(run_blocks(end_it, [(0, Block("", 1, 0, b"", 0))], workers=2))


def end_it(*_: object) -> None:
    os._exit(7)


def test_rows_that_get_lost_when_parts_are_joined_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(*_: object) -> int:
        return 2

    monkeypatch.setattr("onlytext.bulk._run.join_tables", lose)
    with pytest.raises(BulkError, match="2 of 3 rows"):
        bulk(write_jsonl(tmp_path / "in.jsonl", rows(3)), tmp_path / "out.parquet")
    assert not (tmp_path / "out.parquet").exists()


def test_a_block_of_nothing_but_malformed_lines_is_no_row_group(tmp_path: Path) -> None:
    source, output = tmp_path / "in.jsonl", tmp_path / "out.parquet"
    good = json.dumps({"reply": CLEAN})
    source.write_text("\n".join([*["{broken"] * 2000, good, *["{broken"] * 2000]), "utf-8")
    summary = bulk(source, output)
    assert (summary.tally.rows_out, summary.tally.rejects) == (1, 4000)
    assert pq.read_table(output).column("text").to_pylist() == [CLEAN]
    with pq.ParquetFile(output) as file:
        assert file.metadata.num_row_groups == 1


def test_a_file_that_can_t_be_opened_is_told(tmp_path: Path) -> None:
    from onlytext.bulk._lines import opened

    with pytest.raises(BulkError, match="can't be read"), opened(tmp_path):
        pass
