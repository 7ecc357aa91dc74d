from __future__ import annotations

import ast
import inspect
import json
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Final, get_args

import pytest
from tests.doc_pages import PAGES, ROOT, alike, blocks_of, commands_of, run_page
from tests.readme_figures import CASES, shown, table

import onlytext
from onlytext import Clean, Record, Refused, clean, errors, parse
from onlytext._cases import read_cases
from onlytext._formatfile import load_format
from onlytext._patternfile import read_patterns
from onlytext._patterns import Pattern, Scope
from onlytext._reply import Outcome
from onlytext._signals import KINDS
from onlytext.cli import exits, run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OTHERS: Final = tuple(ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"))
REFERENCE: Final = ROOT / "docs" / "reference"
# What is shown only, and what tests of their own look at.
SHOWN: Final = {"diff", "mermaid", "text", "sh"}
RUN: Final = {"python", "console"}
FILES: Final = {"toml", "jsonl", "text"}
_HEADING: Final = re.compile(r"^#{1,6} (.*)$", re.MULTILINE)
_LINK: Final = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
_CELL: Final = re.compile(r"^\| (.*?) \|", re.MULTILINE)
_NAME: Final = re.compile(r"`([^`]+)`")

each_page = pytest.mark.parametrize(
    "page", PAGES, ids=lambda page: str(page.relative_to(ROOT).with_suffix(""))
)


# ---------------------------------------------------------------- examples


@pytest.mark.skipif(shutil.which("bash") is None, reason="the examples are for a POSIX shell")
@each_page
def test_every_example_runs_and_prints_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    for ran in run_page(page.read_text("utf-8"), tmp_path):
        shown = "" if ran.shown is None else ran.shown.body
        assert ran.is_as_shown, f"line {ran.block.line}: {ran.printed!r} instead of {shown!r}"


@each_page
def test_every_block_is_of_a_kind_that_is_looked_at(page: Path) -> None:
    for block in blocks_of(page.read_text("utf-8")):
        is_file = len(block.words) == 2 and block.language in FILES
        is_signature = block.words == ("python", "signature")
        known = len(block.words) == 1 and block.language in SHOWN | RUN
        assert is_file or is_signature or known, f"{page.name}:{block.line}: {block.words}"


@each_page
def test_every_file_that_is_shown_can_be_read(page: Path, tmp_path: Path) -> None:
    for block in blocks_of(page.read_text("utf-8")):
        if len(block.words) < 2 or block.language == "python":
            continue
        file = tmp_path / block.words[1]
        file.write_text(block.body, encoding="utf-8")
        if block.language == "jsonl":
            assert read_cases(file)
        if block.language == "toml" and "format" in tomllib.loads(block.body):
            if file.stem != "wrong":
                load_format(file)
        elif block.language == "toml":
            assert read_patterns(file)


@cache
def usage() -> str:
    """What `onlytext --help` prints."""
    command = [sys.executable, "-m", "onlytext", "--help"]
    return subprocess.run(command, capture_output=True, check=True).stdout.decode()


@each_page
def test_every_command_for_setting_up_is_one_that_there_is(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for block in blocks_of(page.read_text("utf-8")):
        if block.words != ("sh",):
            continue
        for line in block.body.splitlines():
            command, word, *_ = [*line.split(), ""]
            if command == "make":
                assert f"\n{word}:" in makefile, line
            elif command == "onlytext":
                assert word in usage(), line
            else:
                assert command in {"pip", "python3", "source"}, line


def test_the_readme_shows_a_reply_of_the_demo_word_for_word() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    (diff,) = [block for block in blocks_of(text) if block.language == "diff"]
    folder = ROOT / "demo" / "replies" / "en-findings"
    lines = diff.body.splitlines()
    assert "\n".join(line[2:] for line in lines) == (folder / "reply.txt").read_text("utf-8")
    kept = [line[2:] for line in lines if line.startswith("  ")]
    assert "\n".join(kept).split() == (folder / "expected.txt").read_text("utf-8").split()


def test_the_readme_says_how_to_see_it_and_how_to_test_it() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert "\nmake demo " in text
    assert "\nmake test " in text


@pytest.mark.skipif(not CASES.is_dir(), reason="the cases are not here")
def test_the_figures_in_the_readme_are_true() -> None:
    assert shown() == table(), "python -m tests.readme_figures writes them again"


def test_the_examples_are_run_by_what_would_see_a_difference(tmp_path: Path) -> None:
    page = "```python\nprint(2)\n```\n\n```text\n3\n```\n\n```console\n$ echo 4\n5\n```\n"
    assert [ran.is_as_shown for ran in run_page(page, tmp_path)] == [False, False]
    page = "```python\nprint(2)\n```\n"
    assert [ran.is_as_shown for ran in run_page(page, tmp_path / "b")] == [False]
    assert alike("a\n…\nd", "a\nb\nc\nd")
    assert not alike("a\n…\nd", "a\nb\nc")
    assert commands_of("$ a \\\n  b\nout\n$ c\n") == ["a \\\n  b", "c"]


# ---------------------------------------------------------------- links


def slug(heading: str) -> str:
    """The anchor of a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.replace("`", "").strip().lower())
    return kept.replace(" ", "-")


@pytest.mark.parametrize("page", [*PAGES, *OTHERS], ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in _LINK.findall(text):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        if anchor:
            assert anchor in map(slug, _HEADING.findall(target.read_text("utf-8"))), link


def test_the_index_leads_to_every_page() -> None:
    index = ROOT / "docs" / "index.md"
    linked = {
        (index.parent / link.partition("#")[0]).resolve()
        for link in _LINK.findall(index.read_text("utf-8"))
    }
    assert {page for page in PAGES if page not in (index, ROOT / "README.md")} <= linked


# ---------------------------------------------------------------- the reference


def entries() -> dict[str, str]:
    """What the page of the interface says of each name."""
    text = (REFERENCE / "api.md").read_text("utf-8")
    parts = re.split(r"^### `(\w+)`.*$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


ENTRIES: Final = entries()


def public(name: str) -> object:
    """What stands behind a public name."""
    return getattr(onlytext, name, None) or getattr(errors, name)


def signatures(name: str) -> Iterator[tuple[str, ast.arguments]]:
    """Each function whose signature an entry gives, and its arguments."""
    (block,) = [one for one in blocks_of(ENTRIES[name]) if one.words == ("python", "signature")]
    for node in ast.walk(ast.parse(block.body)):
        if isinstance(node, ast.FunctionDef):
            yield node.name, node.args


def told(arguments: ast.arguments) -> list[tuple[str, str, str]]:
    """The arguments as a page gives them: name, kind and default."""
    rows: list[tuple[str, str, str]] = []
    plain = arguments.args
    defaults = [None] * (len(plain) - len(arguments.defaults)) + [*arguments.defaults]
    for argument, default in zip(plain, defaults, strict=True):
        rows.append((argument.arg, "plain", ast.unparse(default) if default else ""))
    if arguments.vararg:
        rows.append((arguments.vararg.arg, "many", ""))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        rows.append((argument.arg, "keyword", ast.unparse(default) if default else ""))
    return [row for row in rows if row[0] not in ("self", "cls")]


def true(function: object) -> list[tuple[str, str, str]]:
    """The arguments as the code has them."""
    kinds = {
        "POSITIONAL_OR_KEYWORD": "plain",
        "VAR_POSITIONAL": "many",
        "KEYWORD_ONLY": "keyword",
    }
    assert callable(function)
    return [
        (
            one.name,
            kinds[one.kind.name],
            "" if one.default is inspect.Parameter.empty else repr(one.default),
        )
        for one in inspect.signature(function).parameters.values()
        if one.name != "self"
    ]


def cells(text: str) -> set[str]:
    """The names in the first column of the tables of a text."""
    return {name.partition("(")[0] for cell in _CELL.findall(text) for name in _NAME.findall(cell)}


def test_the_reference_has_every_public_name_and_no_other() -> None:
    assert set(ENTRIES) == {*onlytext.__all__, *errors.__all__}


@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_the_reference_gives_every_signature_as_it_is(name: str) -> None:
    for function, arguments in signatures(name):
        thing = public(name)
        if function in {name, "__init__"}:
            assert told(arguments) == true(thing)
        else:
            assert told(arguments) == true(getattr(thing, function))


@pytest.mark.parametrize("name", ["clean", "clean_fields", "parse", "Sections", "Text", "Marker"])
def test_what_can_be_called_has_its_signature_in_the_reference(name: str) -> None:
    assert list(signatures(name))


def attributes(kind: type, inherited: type = object) -> set[str]:
    """The public attributes of a class beyond those that it inherits."""
    names = {*dir(kind), *getattr(kind, "__annotations__", ())}
    return {name for name in names if not name.startswith("_")} - set(dir(inherited))


@pytest.mark.parametrize("name", ["Sections", "Text", "Marker", "Removal", "Doubt", "Clean"])
def test_the_reference_has_every_attribute_of_a_class(name: str) -> None:
    kind = public(name)
    assert isinstance(kind, type)
    assert cells(ENTRIES[name]) == attributes(kind) - {"from_model"}


def test_the_reference_has_every_attribute_of_a_record_and_of_an_error() -> None:
    mapping = Record.__mro__[1]
    assert cells(ENTRIES["Record"]) == attributes(Record, mapping)
    refusal = Refused("why", reply="", evidence=(), retry="")
    assert cells(ENTRIES["Refused"]) == set(vars(refusal))
    assert cells(ENTRIES["ParseError"]) == set(vars(errors.ParseError(("a fault",))))


def test_the_reference_has_the_fields_of_a_pattern() -> None:
    (row,) = [line for line in ENTRIES["Patterns"].splitlines() if line.startswith("| `rows`")]
    assert _NAME.findall(row)[1:] == [field.name for field in fields(Pattern)]


def test_the_reference_of_the_format_file_has_every_key() -> None:
    from onlytext._formatfile import _FormatTable, _SectionTable

    text = (REFERENCE / "format-file.md").read_text("utf-8")
    _, first, second = re.split(r"^## `.*$", text, flags=re.MULTILINE)
    assert cells(first) == set(_FormatTable.model_fields)
    assert cells(second.partition("\n## ")[0]) == set(_SectionTable.model_fields)


def test_the_reference_of_the_pattern_file_has_every_key_kind_and_scope() -> None:
    from onlytext._patternfile import _File, _Row

    text = (REFERENCE / "pattern-file.md").read_text("utf-8")
    parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    assert cells(sections["The file"]) == set(_File.model_fields)
    assert cells(sections["`[[pattern]]`"]) == set(_Row.model_fields)
    assert cells(sections["The built-in files"]) == set(KINDS)
    scopes = cells((ROOT / "docs" / "how-to" / "own-patterns.md").read_text("utf-8"))
    assert scopes == set(get_args(Scope))


def test_the_reference_of_the_case_file_has_every_key(tmp_path: Path) -> None:
    text = (REFERENCE / "case-file.md").read_text("utf-8")
    keys = cells(text)
    (block,) = [one for one in blocks_of(text) if one.language == "jsonl"]
    case = json.loads(block.body.splitlines()[0])
    assert set(case) <= keys
    file = tmp_path / "cases.jsonl"
    needed = {line.split("`")[1] for line in text.splitlines() if " | needed: " in line}
    for key in keys:
        file.write_text(json.dumps({**case, key: 17}), encoding="utf-8")
        with pytest.raises(errors.OnlytextError, match=f'"{key}"'):
            read_cases(file)
        left = {name: value for name, value in case.items() if name != key}
        file.write_text(json.dumps(left), encoding="utf-8")
        if key in needed:
            with pytest.raises(errors.OnlytextError, match=f'"{key}" (is missing|must be)'):
                read_cases(file)
        else:
            assert read_cases(file)


def test_the_reference_of_exit_codes_has_every_code() -> None:
    text = (REFERENCE / "exit-codes.md").read_text("utf-8")
    assert set(_CELL.findall(text)) == {
        "code",
        "---:",
        *map(str, (0, exits.FAULT, exits.USAGE, exits.REFUSED)),
        *map(str, (run.SOME_FAILED, run.STOPPED, run.INTERRUPTED)),
    }


def test_the_keys_of_the_account_are_those_of_the_command() -> None:
    from onlytext.cli.account import account_of, account_of_refusal

    text = (ROOT / "docs" / "how-to" / "command-line.md").read_text("utf-8")
    cleaned = clean("Bread.", onlytext.Text())
    refusal = Refused("why", reply="", evidence=(), retry="")
    expected = {*account_of(cleaned), *account_of_refusal(refusal), "record", "faults"}
    assert cells(text) == expected


def test_every_reason_of_the_demo_is_explained() -> None:
    from demo.run import clean_example, read_examples

    text = (ROOT / "docs" / "explanation" / "how-it-decides.md").read_text("utf-8")
    explained = {name.rstrip(" …") for name in cells(text)}
    for example in read_examples():
        answer = clean_example(example).answer
        for removal in answer.removals if isinstance(answer, Clean) else ():
            assert removal.reason.partition(": ")[0].rstrip(":") in {
                name.rstrip(":") for name in explained
            }


def test_the_outcomes_have_the_names_that_the_pages_give_them() -> None:
    words = (ROOT / "docs" / "explanation" / "words.md").read_text("utf-8")
    for outcome in get_args(Outcome):
        assert f"`{outcome}`" in words
    assert parse(clean("Bread.", onlytext.Text())).text == "Bread."
