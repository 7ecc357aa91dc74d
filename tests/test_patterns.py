"""Every built-in pattern is well-formed, and proved through the whole cleaner, all languages on."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import pytest
import re2

from onlytext import Sections, Text, _patterns, clean
from onlytext._patterns import SCOPES, SIGNATURES, Pattern, Patterns, builtin, whole_catalogue
from onlytext._signals import KINDS
from onlytext.audit._proof import mark, unmark

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable
    from pathlib import Path

REQUIRED: Final = frozenset(
    ("id", "hint", "regex", "scope", "why", "seen", "must_match", "must_spare")
)
WORDS: Final = ("id", "hint", "regex", "scope", "why", "seen")
OPEN, CLOSE = "⟦", "⟧"

Table = dict[str, object]


class Row(NamedTuple):
    """A row of a file, and which file it stands in."""

    language: str
    table: Table

    @property
    def name(self) -> str:
        return f"{self.language}/{self.table.get('id', '(no id)')}"

    def word(self, field: str) -> str:
        value = self.table.get(field)
        return value if isinstance(value, str) else ""

    def texts(self, field: str) -> list[str]:
        value = self.table.get(field)
        return (
            [str(item) for item in cast("list[object]", value)] if isinstance(value, list) else []
        )


class Example(NamedTuple):
    """One proof of a row: a reply that must lose what is marked, or must stay as it is."""

    row: Row
    number: int
    marked: str

    @property
    def name(self) -> str:
        return f"{self.row.name}-{self.number}"


def _files() -> list[Traversable]:
    folder = resources.files("onlytext") / "patterns"
    return sorted(
        (entry for entry in folder.iterdir() if entry.name.endswith(".toml")),
        key=lambda entry: entry.name,
    )


def _language(file: Traversable) -> str:
    return file.name.removesuffix(".toml")


def _read(file: Traversable) -> Table:
    return tomllib.loads(file.read_text("utf-8"))


def _rows() -> Iterator[Row]:
    for file in _files():
        try:
            table = _read(file)
        except tomllib.TOMLDecodeError:
            continue  # told by the test of the file itself
        rows = table.get("pattern", [])
        assert isinstance(rows, list)
        yield from (Row(_language(file), row) for row in cast("list[Table]", rows))


def _examples(field: str) -> list[Example]:
    return [
        Example(row, number, marked)
        for row in ROWS
        for number, marked in enumerate(row.texts(field), 1)
    ]


# A pattern is proved before anybody signs it.
WHOLE: Final = whole_catalogue()
FILES: Final = _files()
ROWS: Final = list(_rows())
MATCHES: Final = _examples("must_match")
SPARES: Final = _examples("must_spare")

each_file = pytest.mark.parametrize("file", FILES, ids=_language)
each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
each_match = pytest.mark.parametrize("example", MATCHES, ids=lambda example: example.name)
each_spare = pytest.mark.parametrize("example", SPARES, ids=lambda example: example.name)


# ---------------------------------------------------------------- the files


def test_there_are_pattern_files_to_prove() -> None:
    assert {"en", "es", "fr"} <= {_language(file) for file in FILES}


@each_file
def test_a_file_is_named_for_its_language_and_holds_signals_and_patterns_only(
    file: Traversable,
) -> None:
    table = _read(file)
    assert table.get("language") == _language(file)
    assert table.keys() <= {"language", "signals", "pattern"}


@each_file
def test_a_file_has_known_kinds_of_signals_with_no_word_twice(file: Traversable) -> None:
    signals = cast("Mapping[str, list[str]]", _read(file).get("signals", {}))
    assert signals.keys() <= {*KINDS, "common"}
    for kind, words in signals.items():
        assert all(word.strip() == word and word.strip("*") for word in words), kind
        assert sorted(set(words)) == sorted(words), kind


@each_file
def test_the_rows_of_a_file_are_sorted_by_an_id_of_their_own(file: Traversable) -> None:
    ids = [row.word("id") for row in ROWS if row.language == _language(file)]
    assert ids == sorted(set(ids))


def test_the_cleaner_knows_every_row_of_every_file() -> None:
    assert sorted(row.name for row in ROWS) == sorted(pattern.id for pattern in WHOLE.rows)


def test_every_pattern_was_audited_as_it_is_now() -> None:
    edited = sorted(row.id for row in WHOLE.rows if row not in builtin().rows)
    assert edited == [], "run onlytext audit --corpus YOUR_TEXTS --sign"


def test_a_pattern_that_was_edited_since_its_audit_is_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = resources.files("onlytext") / "patterns"
    for name in ("nl.toml", SIGNATURES):
        (tmp_path / name).write_text((source / name).read_text("utf-8"), "utf-8")
    monkeypatch.setattr(_patterns, "_folder", lambda: tmp_path)
    assert builtin.__wrapped__().rows == whole_catalogue().rows
    text = (tmp_path / "nl.toml").read_text("utf-8")
    first = next(row for row in ROWS if row.language == "nl")
    (tmp_path / "nl.toml").write_text(
        text.replace(first.word("regex"), first.word("regex") + "!?", 1), "utf-8"
    )
    loaded = {row.id for row in builtin.__wrapped__().rows}
    assert {row.id for row in whole_catalogue().rows} - loaded == {first.name}


# ---------------------------------------------------------------- the rows


@each_row
def test_a_row_has_its_fields_and_no_others(row: Row) -> None:
    assert row.table.keys() - {"format"} == REQUIRED
    assert all(row.word(field).strip() for field in WORDS)
    assert row.word("scope") in SCOPES
    assert re.fullmatch(r"[^\W_]+(?:-[^\W_]+)*", row.word("id"))
    assert row.word("id") == row.word("id").lower()


@each_row
def test_a_row_has_two_replies_to_clean_and_three_to_spare(row: Row) -> None:
    matches, spares = row.texts("must_match"), row.texts("must_spare")
    assert len(set(matches)) >= 2
    assert len(set(spares)) >= 3
    assert all(OPEN in marked and CLOSE in marked for marked in matches)
    assert not any(OPEN in text or CLOSE in text for text in spares)


@each_row
def test_a_hint_stands_in_every_example(row: Row) -> None:
    hint = row.word("hint")
    assert hint == hint.lower()
    for text in (*row.texts("must_match"), *row.texts("must_spare")):
        assert hint.casefold() in text.casefold()


@each_row
def test_a_regex_is_one_of_re2_and_needs_its_hint(row: Row) -> None:
    re2.compile(row.word("regex"))
    alone = Patterns([_pattern(row)])
    hint = re.compile(re.escape(row.word("hint")), re.IGNORECASE)
    for marked in row.texts("must_match"):
        without = hint.sub("\N{REPLACEMENT CHARACTER}", unmark(marked)[0])
        assert not any(alone.match_line(line) for line in without.split("\n"))


@each_row
def test_a_regex_matches_neither_nothing_nor_a_single_common_word(row: Row) -> None:
    alone = Patterns([_pattern(row)])
    lines = ["", " ", "\N{IDEOGRAPHIC SPACE}", "-", "**", "#", ">", "—", "✓", "1.", "...", ":"]
    lines += sorted({word for words in builtin().common.values() for word in words})
    taken = [line for line in lines if alone.match_line(line)]
    assert taken == []


# ---------------------------------------------------------------- the proof


@each_match
def test_what_is_marked_goes_and_nothing_else(example: Example) -> None:
    reply, marked = unmark(example.marked)
    cleaned = clean(reply, _format(example.row), patterns=WHOLE)
    gone = {place for removal in cleaned.removals for place in range(removal.start, removal.end)}
    printed = {place for place, char in enumerate(reply) if not char.isspace()}
    assert mark(reply, gone & printed) == mark(reply, marked & printed)


@each_match
def test_it_is_this_row_that_takes_what_is_marked(example: Example) -> None:
    reply, marked = unmark(example.marked)
    own = Patterns([_pattern(example.row)])
    start = 0
    taken = False
    for line in reply.split("\n"):
        inside = marked & set(range(start, start + len(line)))
        taken = taken or (bool(inside) and bool(own.match_line(line)))
        start += len(line) + 1
    assert taken


@each_spare
def test_a_near_miss_stays_as_it_is(example: Example) -> None:
    cleaned = clean(example.marked, _format(example.row), patterns=WHOLE)
    assert cleaned.text == example.marked
    assert cleaned.outcome == "untouched"


def _pattern(row: Row) -> Pattern:
    scope = next(scope for scope in SCOPES if scope == row.word("scope"))
    return Pattern(
        id=row.name,
        hint=row.word("hint"),
        regex=row.word("regex"),
        scope=scope,
        why=row.word("why"),
        seen=row.word("seen"),
        must_match=tuple(row.texts("must_match")),
        must_spare=tuple(row.texts("must_spare")),
    )


def _format(row: Row) -> Sections | Text:
    markers = row.texts("format")
    return Sections(*markers) if markers else Text()
