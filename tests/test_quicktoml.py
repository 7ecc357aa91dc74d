"""The plainest TOML, read quickly, and what is left to a whole parser."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import onlytext
from onlytext._quicktoml import quick_toml

CATALOGUE = sorted((Path(onlytext.__file__).parent / "patterns").glob("*.toml"))


@pytest.mark.parametrize("file", CATALOGUE, ids=lambda file: file.stem)
def test_a_file_of_the_catalogue_is_read_as_a_whole_parser_reads_it(file: Path) -> None:
    text = file.read_text("utf-8")
    assert quick_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n",
        'a = "b"',
        "a = 'b\\n'\n",
        'a = "b\\n\\t\\"\\\\"\n',
        "a = '''\nb\n'c'\n'''\n",
        'a = """\nb "c" \\"\\"\\"\n"""\n',
        'a = []\nb = [ "c" ]\nd = [\n  "e",\n  \'f\', """g\n""",\n]\n',
        '# first\n\n[[row]]\na = "b"\n\n[[row]]\n# second\n[table]\na = "c"\n# last',
    ],
)
def test_strings_and_lists_of_them_are_read(text: str) -> None:
    assert quick_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "a = 1\n",
        "a = [1]\n",
        "a = { b = 'c' }\n",
        "a.b = 'c'\n",
        "a = 'b' # said beside it\n",
        "a = [\n  'b', # said beside it\n]\n",
        'a = "\\u00e9"\n',
        "a = 'b\n",
        "a = 'b'\na = 'c'\n",
        "[a]\n[a]\n",
        "a = 'b'\n[[a]]\n",
        "[[a]]\n[a]\n",
    ],
)
def test_what_is_more_than_that_is_left_to_a_whole_parser(text: str) -> None:
    assert quick_toml(text) is None
