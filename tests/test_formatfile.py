"""A format that is written in a TOML file, and what is said about one that is not right."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings
from tests.format_strategies import formats

from onlytext._format import Marker, Sections, Text
from onlytext._formatfile import load_format
from onlytext.errors import FormatError

if TYPE_CHECKING:
    from pathlib import Path


def load(folder: Path, text: str) -> Sections | Text:
    file = folder / "format.toml"
    file.write_bytes(text.encode())
    return load_format(file)


def faults(folder: Path, text: str) -> list[str]:
    with pytest.raises(FormatError) as caught:
        load(folder, text)
    start = f"{folder / 'format.toml'}"
    said = str(caught.value).split("\n")
    assert all(line.startswith(start) for line in said)
    return [line.removeprefix(start).removeprefix(": ") for line in said]


def written(made: Sections | Text, *, short: bool) -> str:
    """The format as a person would write it in a file."""
    kind = "sections" if isinstance(made, Sections) else "text"
    lines = ["[format]", f'kind = "{kind}"']
    for key, value in (("start", made.start), ("end", made.end), ("notes", made.notes)):
        if value is not None:
            lines.append(f"{key} = {quoted(value)}")
    if isinstance(made, Sections) and short:
        lines.append(f"markers = [{', '.join(quoted(m.template) for m in made.markers)}]")
    elif isinstance(made, Sections):
        for marker in made.markers:
            lines += ["[[format.section]]", f"marker = {quoted(marker.template)}"]
            lines += [f"{key} = {n}" for key in ("min", "max") if (n := getattr(marker, key))]
            lines += ["optional = true"] if marker.optional else []
            lines.append(f"aliases = [{', '.join(map(quoted, marker.aliases))}]")
    return "\n".join(lines)


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


# ---------------------------------------------------------------- what is read


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=formats())
@example(made=Sections("[COVER]", Marker("[SLIDE {n}]", min=2, max=9, aliases=("[DIAPO {n}]",))))
@example(made=Text(start="[TEXT]", end="[END]", notes="[NOTES]"))
def test_a_format_that_was_written_into_a_file_is_read_from_it(
    tmp_path: Path, made: Sections | Text
) -> None:
    assert load(tmp_path, written(made, short=False)) == made


def test_the_short_form_lists_the_markers(tmp_path: Path) -> None:
    made = Sections("[COVER]", "[SLIDE {n}]", "[CAPTION]", end="[END]", notes="[NOTES]")
    assert load(tmp_path, written(made, short=True)) == made


def test_other_tables_do_not_matter_so_that_a_job_file_is_a_format_file(tmp_path: Path) -> None:
    text = 'name = "job"\n[format]\nkind = "text"\n[model]\nname = "x"\n[format_of_old]\nkind = 3'
    assert load(tmp_path, text) == Text()


def test_windows_line_ends_and_a_byte_order_mark_do_not_matter(tmp_path: Path) -> None:
    assert load(tmp_path, '\ufeff[format]\r\nkind = "text"\r\nend = "[END]"\r\n') == Text(
        end="[END]"
    )


def test_the_path_may_be_a_string(tmp_path: Path) -> None:
    (tmp_path / "f.toml").write_text('[format]\nkind = "text"')
    assert load_format(str(tmp_path / "f.toml")) == Text()


# ---------------------------------------------------------------- what can't be read


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[format]\nkind 3", ":2:6: not valid TOML: Expected '=' after a key in a key/value pair"),
        ('[format]\nkind = "text', ":2:13: not valid TOML: "),
        ("[format]\nkind =\n", ":2:7: not valid TOML: Invalid value"),
        ("a = " + "[" * 100_000, "it is nested too deeply for a format"),
        ("a = " + "9" * 5000, "not a TOML file that can be read: Exceeds the limit"),
    ],
    ids=["no sign", "open quote", "no value", "nested", "long number"],
)
def test_a_file_that_is_not_toml_is_told_with_its_place(
    tmp_path: Path, text: str, said: str
) -> None:
    [fault] = faults(tmp_path, text)
    assert fault.startswith(said)


def test_an_open_end_of_the_file_is_told_with_its_place(tmp_path: Path) -> None:
    [fault] = faults(tmp_path, '[format]\nmarkers = ["[A]",\n  "[B]"')
    assert fault.startswith(":3:8: not valid TOML: Unclosed array")


def test_a_file_that_is_not_utf8_is_told_with_the_byte(tmp_path: Path) -> None:
    file = tmp_path / "format.toml"
    file.write_bytes('[format]\nkind = "é"'.encode("latin-1"))
    with pytest.raises(FormatError, match=r"format\.toml is not UTF-8: byte 0xE9 at offset 17"):
        load_format(file)


def test_a_missing_file_and_a_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="there is no such file"):
        load_format(tmp_path / "no.toml")
    with pytest.raises(FormatError, match="is a folder"):
        load_format(tmp_path)


# ---------------------------------------------------------------- what is not right in it


@pytest.mark.parametrize("text", ["", "[other]", "format = 3", "[[format]]"])
def test_a_file_without_a_format_table_is_told(tmp_path: Path, text: str) -> None:
    [fault] = faults(tmp_path, text)
    assert fault.startswith("there is no table [format]: write [format] on a line of its own")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('markers = ["[A]"]', '[format] kind is missing: write kind = "sections" or kind = "tex'),
        ('kind = "sektions"', '[format] kind: write "sections" or "text", not \'sektions\''),
        ("kind = 3", '[format] kind: write "sections" or "text", not 3'),
        (
            'kind = "sections"\nmarker = ["[A]"]',
            "[format] has no key marker: write markers",
        ),
        (
            'kind = "text"\ncolour = "red"',
            "[format] has no key colour: the keys are kind, markers, section, start, end, notes",
        ),
        (
            'kind = "sections"\nmarkers = "[A]"',
            "[format] markers: write a list in square brackets, not '[A]'",
        ),
        (
            'kind = "sections"\nmarkers = ["[A]", 3]',
            "[format] markers, item 2: write a string in quotes, not 3",
        ),
        ('kind = "text"\nend = 3', "[format] end: write a string in quotes, not 3"),
        ('kind = "sections"\nsection = [3]', "[[format.section]] 1: write a table, not 3"),
        (
            'kind = "sections"\n[format.section]\nmarker = "[A]"',
            "[format] section: write a list in square brackets, not {'marker': '[A]'}",
        ),
        (
            'kind = "sections"\n[[format.section]]\nmarker = "[A]"\n[[format.section]]\nmin = 2',
            "[[format.section]] 2 marker is missing: name the marker",
        ),
        (
            'kind = "sections"\n[[format.section]]\nmarker = "[A]"\noptinal = true',
            "[[format.section]] 1 has no key optinal: write optional",
        ),
        (
            'kind = "sections"\n[[format.section]]\nmarker = "[A]"\noptional = "yes"',
            "[[format.section]] 1 optional: write true or false, not 'yes'",
        ),
        (
            'kind = "sections"\n[[format.section]]\nmarker = "[A {n}]"\nmin = 2.5',
            "[[format.section]] 1 min: write a whole number, not 2.5",
        ),
        (
            'kind = "sections"\n[[format.section]]\nmarker = "[A]"\naliases = ["[B]", 3]',
            "[[format.section]] 1 aliases, item 2: write a string in quotes, not 3",
        ),
        (
            'kind = "sections"\nmarkers = ["[A]"]\n[[format.section]]\nmarker = "[A]"',
            "[format] has markers and [[format.section]]: write one of them",
        ),
        ('kind = "sections"', '[format] markers: there are none: write markers = ["[TITLE]", "['),
        ('kind = "sections"\nmarkers = []', "[format] markers: there are none"),
        (
            'kind = "text"\nmarkers = ["[A]"]',
            '[format] markers: plain text has none: take it out, or write kind = "sections"',
        ),
        (
            'kind = "text"\n[[format.section]]\nmarker = "[A]"',
            "[format] section: plain text has none",
        ),
        (
            'kind = "sections"\nmarkers = ["[A]", ""]',
            "[format] markers, item 2: marker '' is empty",
        ),
        (
            'kind = "sections"\n[[format.section]]\nmarker = "[A]"\nmin = 2',
            "[[format.section]] 1: marker '[A]' has min=2 and no {n}",
        ),
        ('kind = "text"\nend = ""', "[format]: end '' is empty"),
        (
            'kind = "sections"\nmarkers = ["[A]", "[a]"]',
            "[format]: marker '[A]' and marker '[a]' can't be told apart",
        ),
    ],
)
def test_a_fault_is_told_with_its_table_its_key_and_what_to_write(
    tmp_path: Path, lines: str, said: str
) -> None:
    [fault] = faults(tmp_path, f"[format]\n{lines}")
    assert fault.startswith(said)


def test_all_faults_of_a_table_are_told_at_once(tmp_path: Path) -> None:
    text = """
        [format]
        knid = "sections"
        markers = ["[A]", 3]
        end = 3
        [[format.section]]
        marker = 3
        min = "2"
    """
    assert [fault.split(": ")[0] for fault in faults(tmp_path, text)] == [
        "[format] has markers and [[format.section]]",
        "[format] kind is missing",
        "[format] markers, item 2",
        "[[format.section]] 1 marker",
        "[[format.section]] 1 min",
        "[format] end",
        "[format] has no key knid",
    ]


def test_all_faults_of_the_markers_are_told_at_once(tmp_path: Path) -> None:
    text = '[format]\nkind = "sections"\nmarkers = ["", "[A {n} {n}]", "[B]", "[b]"]\nend = ""'
    assert [fault.split(": ")[0] for fault in faults(tmp_path, text)] == [
        "[format] markers, item 1",
        "[format] markers, item 2",
        "[format]",
    ]
