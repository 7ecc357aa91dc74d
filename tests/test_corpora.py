"""Real prose that nobody wrote as a reply: not a character of it may change.

The corpora are for measuring only and are no part of the project: where they are missing, these
tests are skipped. `ONLYTEXT_CORPORA` names another folder.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from onlytext import Refused, Sections, Text, clean

CORPORA = Path(os.environ.get("ONLYTEXT_CORPORA", Path(__file__).parents[2] / "shared" / "corpora"))
FILES = sorted(CORPORA.glob("*/*.jsonl"))
FORMAT = Sections("[TITLE]", "[BODY]", "[END NOTE]")

# What is refused without a draft, not changed.
REFUSED = frozenset[str]()

pytestmark = pytest.mark.corpora


def replies(text: str) -> list[tuple[str, Sections | Text]]:
    return [
        (text, Text()),
        (f"[TITLE]\nA title\n\n[BODY]\n{text}\n\n[END NOTE]\nThanks.", FORMAT),
        (f"[TITLE]\nA title\n\n[BODY]\nA body.\n\n[END NOTE]\n{text}", FORMAT),
    ]


def outcome(reply: str, format_: Sections | Text) -> str:
    try:
        return "kept" if clean(reply, format_).text == reply else "changed"
    except Refused:
        return "refused"


@pytest.mark.skipif(not FILES, reason="the corpora are not here")
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_lawful_text_is_changed_or_refused(path: Path) -> None:
    texts = [json.loads(row) for row in path.read_text("utf-8").split("\n") if row]
    assert texts
    failed = {
        (text["id"], outcome(*reply))
        for text in texts
        for reply in replies(text["text"])
        if outcome(*reply) != "kept" and (text["id"] not in REFUSED or outcome(*reply) == "changed")
    }
    assert failed == set()
