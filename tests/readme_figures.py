"""The figures in the README: `python -m tests.readme_figures` takes them again and writes them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from onlytext._cases import read_cases
from onlytext._score import percent, score

if TYPE_CHECKING:
    from collections.abc import Iterator

    from onlytext._score import Score

ROOT: Final = Path(__file__).parent.parent
README: Final = ROOT / "README.md"
CASES: Final = ROOT / "tests" / "cases"
SETS: Final = (
    ("written by hand", ("dev.jsonl",)),
    ("written by hand, harder", ("dev2.jsonl",)),
    ("written by hand, later", ("own-1.jsonl", "own-2.jsonl")),
    ("of two small models", ("real.jsonl",)),
)
_HEAD: Final = """\
| cases | given | that leak | right | refused | wrong | harm | without a text: refused |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
"""
_TABLE: Final = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- end of figures -->)", re.DOTALL)


def table() -> str:
    """The table as it has to stand in the README."""
    return _HEAD + "".join(f"| {' | '.join(row)} |\n" for row in _rows())


def shown() -> str:
    """The table as it stands there."""
    (found,) = _TABLE.findall(README.read_text("utf-8"))
    return str(found)


def _rows() -> Iterator[tuple[str, ...]]:
    for name, files in SETS:
        cases = [case for file in files for case in read_cases(CASES / file)]
        given = "draft and prompt" if any(case.prompt for case in cases) else "draft"
        yield _row(name, given, score(cases))
        yield _row("", "nothing", score(cases, draft=False, prompt=False))


def _row(name: str, given: str, result: Score) -> tuple[str, ...]:
    leaking, clean, empty = result.leaking, result.no_leak, result.no_content
    return (
        name,
        given,
        str(leaking.cases),
        f"{leaking.right} ({percent(leaking.right, leaking.cases)})",
        str(leaking.refused),
        f"{leaking.wrong} ({percent(leaking.wrong, leaking.cases)})",
        f"{clean.wrong} of {clean.cases}",
        f"{empty.right} of {empty.cases}",
    )


if __name__ == "__main__":
    text = README.read_text("utf-8")
    fresh = table()
    README.write_text(_TABLE.sub(lambda _: fresh, text), encoding="utf-8")
    print(fresh)  # noqa: T201
