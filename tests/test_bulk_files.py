from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet as pq
from tests.bulk_rows import (
    BREAD,
    CLEAN,
    LEAKING,
    NOTHING,
    PLAIN,
    SECTIONED,
    Row,
    rows,
    text_of,
    write_jsonl,
    write_parquet,
)

from onlytext import clean
from onlytext.bulk import BulkError, Finding, Progress, Wish, clean_files
from onlytext.errors import PatternError

if TYPE_CHECKING:
    from onlytext.bulk import Summary

ADDED = ["text", "outcome", "cause", "why", "removals", "doubts"]


def bulk(source: Path | str, output: Path, **wishes: Any) -> Summary:  # noqa: ANN401 - of any type
    wish = Wish(inputs=[str(source)], format=PLAIN, output=output, block_bytes=4000, **wishes)
    return clean_files(wish, workers=1)


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write_csv(path: Path, some: list[Row], delimiter: str = ",", line_end: str = "\n") -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator=line_end)
        writer.writerow(["id", "reply"])
        writer.writerows([row["id"], row["reply"]] for row in some)
    return path


def write(path: Path, some: list[Row]) -> Path:
    if path.suffix == ".csv":
        return write_csv(path, some)
    return write_jsonl(path, some) if path.suffix == ".jsonl" else write_parquet(path, some)


def assert_all_there(summary: Summary, count: int) -> None:
    assert summary.tally.rows_in == count
    assert summary.tally.rows_out + summary.tally.rejects == count
    assert summary.output is not None
    assert [file.name for file in summary.output.parent.iterdir() if "parts" in file.name] == []


# ------------------------------------------------------------------- the same form


def test_lines_of_json_keep_their_bytes_and_get_new_keys(tmp_path: Path) -> None:
    some = rows(60)
    source = write_jsonl(tmp_path / "in.jsonl", some)
    assert_all_there(bulk(source, tmp_path / "out.jsonl"), 60)
    old = source.read_bytes().splitlines()
    new = (tmp_path / "out.jsonl").read_bytes().splitlines()
    for row, before, after in zip(some, old, new, strict=True):
        assert after.startswith(before[:-1] + b',"text":')
        assert json.loads(after)["text"] == text_of(row)


def test_numbers_spaces_and_odd_keys_of_a_line_stay_as_they_are(tmp_path: Path) -> None:
    line = '{ "n": 1.0,"big":123456789012345678901234567890, "n":1e400, "x": NaN, "reply" : "Bread is warm." }'
    (tmp_path / "in.jsonl").write_text(f'{line}\r\n\n{{"reply":null}}', encoding="utf-8")
    summary = bulk(tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert_all_there(summary, 2)
    first, second = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    assert first.startswith(line[:-1] + ',"text":"Bread is warm."')
    assert json.loads(second)["cause"] == "no reply"


def test_half_a_surrogate_pair_crosses_lines_of_json(tmp_path: Path) -> None:
    reply = f"{LEAKING}\ud83c odd"
    (tmp_path / "in.jsonl").write_text(json.dumps({"reply": reply}) + "\n", encoding="utf-8")
    bulk(tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert lines_of(tmp_path / "out.jsonl")[0]["text"] == reply.removeprefix(
        LEAKING.removesuffix(CLEAN)
    )
    bulk(tmp_path / "in.jsonl", tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").column("text").to_pylist() == [f"{CLEAN}� odd"]


def test_parquet_keeps_every_column_its_type_the_codec_and_the_metadata(tmp_path: Path) -> None:
    table = pa.Table.from_pylist(rows(40))
    schema = pa.schema(
        [pa.field("id", pa.dictionary(pa.int32(), pa.string())), *list(table.schema)[1:]],
        metadata={b"made by": b"hand"},
    )
    table = table.cast(schema)
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=9, compression="gzip")
    assert_all_there(bulk(tmp_path / "in.parquet", tmp_path / "out.parquet"), 40)
    made = pq.read_table(tmp_path / "out.parquet")
    assert made.select(table.schema.names).equals(table)
    assert (made.schema.metadata or {})[b"made by"] == b"hand"
    assert made.column("text").to_pylist() == [text_of(row) for row in rows(40)]
    with pq.ParquetFile(tmp_path / "out.parquet") as file:
        assert file.metadata.num_row_groups > 1
        assert file.metadata.row_group(1).column(0).compression == "GZIP"


def test_a_csv_file_keeps_its_values_its_separator_and_its_line_ends(tmp_path: Path) -> None:
    odd = f'{CLEAN},\n"quoted"\n\n{CLEAN}'
    some: list[Row] = [*rows(30), {"id": '007 "a", b', "reply": odd}]
    for name, delimiter, line_end in (("in.csv", ",", "\r\n"), ("in.tsv", "\t", "\n")):
        source = write_csv(tmp_path / name, some, delimiter, line_end)
        output = tmp_path / f"out{source.suffix}"
        assert_all_there(bulk(source, output), 31)
        with output.open(encoding="utf-8", newline="") as file:
            made = list(csv.DictReader(file, delimiter=delimiter))
        assert [(row["id"], row["reply"]) for row in made] == [
            (row["id"], row["reply"]) for row in some
        ]
        assert [row["text"] or None for row in made] == [text_of(row) for row in some]
        assert json.loads(made[3]["removals"])[0]["reason"]
        assert output.read_bytes().split(b"\n")[0].endswith(b"\r") is (name == "in.csv")


@pytest.mark.parametrize("packing", ["gz", "zst"])
def test_compressed_lines_are_read_and_written(tmp_path: Path, packing: str) -> None:
    plain = write_jsonl(tmp_path / "in.jsonl", rows(40)).read_bytes()
    half = plain.index(b"\n", len(plain) // 2) + 1
    packed = tmp_path / f"in.jsonl.{packing}"
    if packing == "gz":
        packed.write_bytes(gzip.compress(plain[:half]) + gzip.compress(plain[half:]))
    else:
        tool = zstandard.ZstdCompressor()
        packed.write_bytes(tool.compress(plain[:half]) + tool.compress(plain[half:]))
    output = tmp_path / f"out.jsonl.{packing}"
    assert_all_there(bulk(packed, output), 40)
    bulk(tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    again = tmp_path / f"again.{packing}.jsonl"
    bulk(output, again, prefix="second_")
    made = [{key: row[key] for key in ("id", "text")} for row in lines_of(again)]
    assert made == [
        {key: row[key] for key in ("id", "text")} for row in lines_of(tmp_path / "out.jsonl")
    ]


# ------------------------------------------------------------------- another form


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize("source", ["jsonl", "csv", "parquet"])
def test_each_form_becomes_each_other_with_the_same_texts(
    tmp_path: Path, source: str, ending: str
) -> None:
    some = rows(25)
    file = write(tmp_path / f"in.{source}", some)
    output = tmp_path / f"out.{ending}"
    assert_all_there(bulk(file, output), 25)
    if ending == "parquet":
        made = pq.read_table(output).to_pylist()
    elif ending == "jsonl":
        made = lines_of(output)
    else:
        with output.open(encoding="utf-8", newline="") as opened:
            made = list(csv.DictReader(opened))
    assert [row["text"] or None for row in made] == [text_of(row) for row in some]
    assert [row["id"] for row in made] == [row["id"] for row in some]
    assert list(made[0])[-6:] == ADDED


def test_values_without_a_common_type_become_json_text_in_a_table(tmp_path: Path) -> None:
    odd: list[Row] = [
        {"reply": CLEAN, "a": 1, "b": {}, "c": {"x": 1}, "d": None, "e": 1, "h": 1},
        {"reply": CLEAN, "a": "one", "b": {}, "c": {"z": "2"}, "e": 2.5, "f": {"y": {}}},
        {"reply": CLEAN, "g": [1, "x"], "h": "later", "c": {"x": 2}, "k": ["\ud800"]},
    ] * 40
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in odd), "utf-8")
    bulk(tmp_path / "in.jsonl", tmp_path / "out.parquet")
    made = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert [row["a"] for row in made[:3]] == ["1", '"one"', None]
    assert made[1]["b"] == "{}"
    assert made[0]["c"] == {"x": 1, "z": None}
    assert (made[0]["e"], made[1]["f"], made[2]["g"]) == (1.0, '{"y":{}}', '[1,"x"]')
    assert (made[0]["h"], made[2]["h"], made[0]["d"]) == ("1", '"later"', None)
    assert json.loads(made[2]["k"]) == ["\ud800"]


def test_types_that_clash_only_far_apart_are_found_before_anything_is_written(
    tmp_path: Path,
) -> None:
    some: list[Row] = [{"reply": CLEAN, "n": 1 if n < 30 else "x"} for n in range(60)]
    bulk(write_jsonl(tmp_path / "in.jsonl", some), tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").column("n").to_pylist()[-1] == '"x"'


def test_numbers_that_fit_no_column_stop_the_job_with_a_way_out(tmp_path: Path) -> None:
    some: list[Row] = [{"reply": CLEAN, "n": 2**53 + 1 if n < 30 else 0.5} for n in range(60)]
    source = write_jsonl(tmp_path / "in.jsonl", some)
    with pytest.raises(BulkError, match="write JSON lines"):
        bulk(source, tmp_path / "out.parquet")
    assert list(tmp_path.iterdir()) == [source]


def test_replies_that_are_strings_only_here_and_there_stay_lines_of_json(tmp_path: Path) -> None:
    source = write_jsonl(tmp_path / "in.jsonl", [{"reply": CLEAN}, {"reply": 5}])
    with pytest.raises(BulkError, match="some values of 'reply' are strings"):
        bulk(source, tmp_path / "out.parquet")
    summary = bulk(source, tmp_path / "out.jsonl")
    assert summary.tally.causes == {"no reply": 1}
    assert lines_of(tmp_path / "out.jsonl")[1]["why"] == "the reply is no string, but int"


def test_dates_decimals_and_bytes_become_text_in_json_and_csv(tmp_path: Path) -> None:
    from datetime import UTC, datetime
    from decimal import Decimal

    table = pa.Table.from_pylist(
        [
            {
                "reply": CLEAN,
                "at": datetime(2026, 1, 2, tzinfo=UTC),
                "n": Decimal("1.50"),
                "b": b"\xff",
            }
        ]
    )
    pq.write_table(table, tmp_path / "in.parquet")
    bulk(tmp_path / "in.parquet", tmp_path / "out.jsonl")
    (row,) = lines_of(tmp_path / "out.jsonl")
    assert (row["at"], row["n"], row["b"]) == ("2026-01-02T00:00:00+00:00", "1.50", "/w==")
    bulk(tmp_path / "in.parquet", tmp_path / "out.csv")
    assert ",1.50,/w==," in (tmp_path / "out.csv").read_text("utf-8")


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize("source", ["jsonl", "csv", "parquet"])
def test_an_input_without_rows_gives_an_output_without_rows(
    tmp_path: Path, source: str, ending: str
) -> None:
    file = tmp_path / f"in.{source}"
    if source == "parquet":
        pq.write_table(pa.table({"reply": pa.array([], pa.string())}), file)
    else:
        file.write_text("reply\n" if source == "csv" else "", encoding="utf-8")
    if (source, ending) in {("jsonl", "csv"), ("jsonl", "parquet")}:
        with pytest.raises(BulkError, match="no column 'reply'"):
            bulk(file, tmp_path / f"out.{ending}")
        return
    assert_all_there(bulk(file, tmp_path / f"out.{ending}"), 0)
    if ending == "csv":
        assert (tmp_path / "out.csv").read_text("utf-8").strip() == ",".join(["reply", *ADDED])
    if ending == "parquet":
        assert pq.read_table(tmp_path / "out.parquet").schema.names == ["reply", *ADDED]


def test_sections_are_written_as_a_list_with_the_text(tmp_path: Path) -> None:
    source = write_jsonl(tmp_path / "in.jsonl", [{"reply": f"Fine.\n\n{SECTIONED}"}])
    clean_files(Wish(inputs=[str(source)], format=BREAD, output=tmp_path / "out.jsonl"), workers=1)
    (row,) = lines_of(tmp_path / "out.jsonl")
    assert row["sections"][1] == {"marker": "[STEP 1]", "body": "Knead it."}


def test_a_draft_and_a_prompt_are_taken_from_their_columns(tmp_path: Path) -> None:
    draft = "Bread is warm.\nIt is baked at six.\nOpen on Sundays."
    reply = f"I need to check this text.\n\n{draft}"
    text = clean(reply, PLAIN, draft=draft).text
    row: Row = {
        "reply": reply,
        "draft": draft,
        "p": 1,
    }
    source = write_jsonl(tmp_path / "in.jsonl", [row, row | {"draft": None}])
    options = {"draft_column": "draft", "prompt_column": "p", "id_column": "p"}
    bulk(source, tmp_path / "out.jsonl", **options)
    assert lines_of(tmp_path / "out.jsonl")[0]["text"] == text
    table = write_parquet(tmp_path / "in.parquet", [row | {"p": "x"}])
    bulk(table, tmp_path / "out.parquet", **options)
    assert pq.read_table(tmp_path / "out.parquet").column("text").to_pylist() == [text]


# ------------------------------------------------------------------- many files, folders, text


def test_files_of_a_folder_or_a_pattern_follow_each_other_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    (folder / "b").mkdir(parents=True)
    write_jsonl(folder / "b" / "2.jsonl", rows(3))
    write_jsonl(folder / "a.jsonl", [{"reply": CLEAN, "id": "first"}])
    (folder / ".hidden.jsonl").write_text("no", encoding="utf-8")
    for named in (folder, f"{folder}/**/*.jsonl"):
        output = tmp_path / "out.jsonl"
        output.unlink(missing_ok=True)
        assert_all_there(bulk(named, output), 4)
        assert [row["id"] for row in lines_of(output)] == ["first", "r0", "r1", "r2"]


def test_a_folder_of_texts_becomes_a_folder_of_texts_with_an_account(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.md").write_bytes(LEAKING.replace("\n", "\r\n").encode())
    (folder / "sub" / "b.txt").write_text(CLEAN, encoding="utf-8")
    (folder / "sub" / "c.txt").write_text(NOTHING, encoding="utf-8")
    (folder / "bad.md").write_bytes(b"caf\xe9")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    output = tmp_path / "out"
    output.mkdir()
    summary = bulk(folder, output)
    assert_all_there(summary, 4)
    assert (output / "a.md").read_bytes() == CLEAN.replace("\n", "\r\n").encode()
    assert (output / "sub" / "b.txt").read_text("utf-8") == CLEAN
    assert (output / "sub" / "c.txt.refused").read_text("utf-8") == NOTHING
    assert sorted(file.name for file in output.rglob("*.*")) == [
        "a.md", "b.txt", "c.txt.refused", "onlytext.jsonl",
    ]  # fmt: skip
    assert [row["outcome"] for row in lines_of(output / "onlytext.jsonl")] == [
        "cleaned", "untouched", "refused",
    ]  # fmt: skip
    (reject,) = lines_of(tmp_path / "out.rejects.jsonl")
    assert reject["file"].endswith("bad.md")
    with pytest.raises(BulkError, match="not empty"):
        bulk(folder, output)
    table = tmp_path / "out.parquet"
    bulk(folder, table)
    assert pq.read_table(table).column("text").to_pylist() == [
        CLEAN.replace("\n", "\r\n"),
        CLEAN,
        None,
    ]


def test_text_files_are_mended_in_place_and_each_is_kept(tmp_path: Path) -> None:
    bad, good, none = (tmp_path / name for name in ("bad.md", "good.md", "none.md"))
    bad.write_text(LEAKING, encoding="utf-8")
    bad.chmod(0o640)
    good.write_text(CLEAN, encoding="utf-8")
    none.write_text(NOTHING, encoding="utf-8")
    before = good.stat().st_mtime_ns
    wish = Wish(inputs=[str(tmp_path)], format=PLAIN, is_in_place=True)
    summary = clean_files(wish, workers=1)
    assert summary.tally.outcomes == {"cleaned": 1, "untouched": 1, "refused": 1}
    assert bad.read_text("utf-8") == CLEAN
    assert bad.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "bad.md.orig").read_text("utf-8") == LEAKING
    assert good.stat().st_mtime_ns == before
    assert none.read_text("utf-8") == NOTHING
    assert len(list(tmp_path.iterdir())) == 4
    again = clean_files(wish, workers=1)
    assert again.tally.outcomes == {"untouched": 2, "refused": 1}


def test_a_backup_is_never_written_over(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    wish = Wish(inputs=[str(file)], format=PLAIN, is_in_place=True)
    for reply in (LEAKING, f"<think>x</think>\n{CLEAN}", LEAKING):
        file.write_text(reply, encoding="utf-8")
        clean_files(wish, workers=1)
    assert (tmp_path / "a.md.orig").read_text("utf-8") == LEAKING
    assert (tmp_path / "a.md.orig.2").read_text("utf-8").startswith("<think>x")
    assert len(list(tmp_path.iterdir())) == 3


def test_a_file_in_place_is_whole_at_any_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.md"
    file.write_text(LEAKING, encoding="utf-8")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device", str(file))

    monkeypatch.setattr("onlytext.bulk._texts.os.fsync", fail)
    with pytest.raises(BulkError, match="No space left"):
        clean_files(Wish(inputs=[str(file)], format=PLAIN, is_in_place=True), workers=1)
    assert file.read_text("utf-8") == LEAKING
    assert list(tmp_path.iterdir()) == [file]


# ------------------------------------------------------------------- a check


def test_a_check_names_file_row_id_and_line_and_writes_nothing(tmp_path: Path) -> None:
    some = rows(9)
    for source in (
        write_jsonl(tmp_path / "in.jsonl", some),
        write_parquet(tmp_path / "in.parquet", some),
        write_csv(tmp_path / "in.csv", some),
    ):
        found: list[Finding] = []
        seen: list[Progress] = []
        wish = Wish(inputs=[str(source)], format=PLAIN, is_check=True, id_column="id")
        summary = clean_files(wish, workers=1, tell=found.append, watch=seen.append)
        assert [one.id for one in found] == ["r3", "r7", "r8"]
        assert {one.source for one in found} == {str(source)}
        assert found[0].text.startswith("<think>")
        assert "refused" in found[1].reason
        assert summary.tally.rows_out == 9
        assert summary.output is None
        assert seen[-1].rows == 9
        if source.suffix != ".csv":
            assert (
                [one.row for one in found] == [4, 8, 9] if source.suffix == ".jsonl" else [4, 8, 9]
            )
    assert len(list(tmp_path.iterdir())) == 3


def test_rows_of_a_csv_file_are_named_by_the_line_where_they_begin(tmp_path: Path) -> None:
    source = write_csv(tmp_path / "in.csv", rows(4))
    found: list[Finding] = []
    clean_files(
        Wish(inputs=[str(source)], format=PLAIN, is_check=True), workers=1, tell=found.append
    )
    assert found[0].row == 2 + 3 * 7
    assert source.read_text("utf-8").splitlines()[found[0].row - 1].startswith("r3,")


# ------------------------------------------------------------------- what can't work


@pytest.mark.parametrize(
    ("inputs", "wishes", "sentence"),
    [
        ([], {}, "name a file"),
        (["none.jsonl"], {}, "there is no such file"),
        (["no*.jsonl"], {}, "no file matches"),
        (["empty"], {}, "holds no file of replies"),
        (["in.jsonl", "in.parquet"], {}, "files of one kind"),
        (["in.jsonl"], {"column": "answer"}, "has no key 'answer'; it has 'id', 'reply'"),
        (["in.jsonl"], {"draft_column": "draft"}, "has no key 'draft'"),
        (["in.parquet"], {"column": "answer"}, "no column 'answer'; the columns are 'id', 'reply'"),
        (["in.parquet"], {"id_column": "name"}, "no column 'name'"),
        (["in.csv"], {"column": "answer"}, "no column 'answer'"),
        (["in.csv", "other.csv"], {}, "has other columns"),
        (["in.parquet", "other.parquet"], {}, "has other columns"),
        (["in.jsonl"], {"prefix": "", "column": "text"}, "a column 'text' already"),
        (["in.jsonl"], {"output": "in.jsonl"}, "is an input as well"),
        (["in.jsonl"], {"output": "other.csv"}, "--overwrite"),
        (["in.jsonl"], {"output": "nowhere/out.jsonl"}, "no such folder"),
        (["in.jsonl"], {"output": "empty"}, "is a folder, and the input is jsonl"),
        (["in.jsonl"], {"output": "out.xlsx"}, "name an output that ends in"),
        (["in.jsonl"], {"output": "out.gz"}, "what is packed in it"),
        (["in.jsonl"], {"output": None}, "say where to"),
        (["in.jsonl"], {"output": None, "is_in_place": True}, "only text files are mended"),
        (["a.md"], {"draft_column": "draft"}, "leave --draft-column out"),
        (["headless.csv"], {}, "begins with the names of its columns"),
        (["quoted.csv"], {}, "the header can't be read"),
    ],
)
def test_what_can_t_work_is_told_before_anything_is_begun(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    inputs: list[str],
    wishes: dict[str, Any],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    write_jsonl(
        Path("in.jsonl"),
        [{**rows(1)[0], **({"text": CLEAN} if wishes.get("column") == "text" else {})}],
    )
    write_parquet(Path("in.parquet"), rows(1))
    pq.write_table(pa.table({"reply": [CLEAN]}), "other.parquet")
    write_csv(Path("in.csv"), rows(1))
    Path("other.csv").write_text("reply\nx\n", encoding="utf-8")
    Path("headless.csv").write_text("\nx\n", encoding="utf-8")
    Path("quoted.csv").write_text('"reply\nx\n', encoding="utf-8")
    Path("a.md").write_text(CLEAN, encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    given: dict[str, Any] = {"output": "out.jsonl", **wishes}
    given["output"] = given["output"] and Path(given["output"])
    with pytest.raises(BulkError) as caught:
        clean_files(Wish(inputs=inputs, format=PLAIN, **given), workers=1)
    assert sentence in str(caught.value)
    assert sorted(tmp_path.rglob("*")) == before


def test_an_output_is_replaced_only_when_that_is_asked_for(tmp_path: Path) -> None:
    source = write_jsonl(tmp_path / "in.jsonl", rows(3))
    output = tmp_path / "out.jsonl"
    output.write_text("old", encoding="utf-8")
    output.with_name("out.jsonl.rejects.jsonl").write_text("old", encoding="utf-8")
    wish = Wish(inputs=[str(source)], format=PLAIN, output=output)
    clean_files(wish, workers=1, overwrite=True)
    assert len(lines_of(output)) == 3
    assert not output.with_name("out.jsonl.rejects.jsonl").exists()


def test_a_pattern_file_that_is_not_there_is_told_before_anything_is_begun(tmp_path: Path) -> None:
    source = write_jsonl(tmp_path / "in.jsonl", rows(3))
    with pytest.raises(PatternError, match="no such file"):
        bulk(source, tmp_path / "out.jsonl", patterns=(str(tmp_path / "none.toml"),))
    assert list(tmp_path.iterdir()) == [source]
