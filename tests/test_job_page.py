from __future__ import annotations

from tests.job_page import PAGE, page, table

from onlytext.pipeline._jobtables import TABLES


def test_the_reference_of_the_job_file_is_made_from_its_tables() -> None:
    text = PAGE.read_text("utf-8")
    assert text == page(text), "python -m tests.job_page writes it again"
    for name, model in TABLES.items():
        assert f"## `{name}`\n" in text
        assert table(model) in text


def test_a_page_that_lacks_a_key_would_be_seen() -> None:
    text = PAGE.read_text("utf-8")
    row = next(line for line in text.splitlines() if line.startswith("| `max_words`"))
    assert page(text.replace(f"{row}\n", "")) == text
