"""What people say of hits: harmless or harmful, with who, when and why."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal, cast, get_args

from onlytext.errors import OnlytextError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from onlytext._patterns import Pattern
    from onlytext.audit._run import Hit

Judgement = Literal["harmless", "harmful"]
"""`harmless`: the line is commentary after all, or its loss would hurt nobody. `harmful`: content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a person said of one hit; it holds for the pattern in just this wording (`digest`)."""

    pattern: str
    digest: str
    line: str
    file: str
    row: int
    judgement: Judgement
    by: str
    when: str
    why: str


def read_verdicts(file: Path) -> list[Verdict]:
    """The verdicts of a file, the oldest first; none where there is no file.

    Raises `OnlytextError` with file and line where a line is no verdict.
    """
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise OnlytextError(f"{file} can't be read: {error}") from error
    found: list[Verdict] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found.append(_verdict(cast("dict[str, object]", json.loads(line))))
        except (ValueError, KeyError, TypeError) as error:
            raise OnlytextError(
                f"{file}:{number}: this line is no verdict ({error!r}): take it out"
            ) from error
    return found


def _verdict(row: dict[str, object]) -> Verdict:
    judgement = row["judgement"]
    if judgement not in get_args(Judgement):
        raise ValueError(f"judgement is one of {', '.join(get_args(Judgement))}")
    number = row["row"]
    if not isinstance(number, int):
        raise TypeError("row is a whole number")
    words = {name: str(row[name]) for name in ("pattern", "digest", "line", "file")}
    told = {name: str(row[name]) for name in ("by", "when", "why")}
    return Verdict(**words, **told, row=number, judgement=cast("Judgement", judgement))


def add_verdict(file: Path, verdict: Verdict) -> None:
    """Write a verdict to the end of the file; it is on the disk when this returns."""
    try:
        with file.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(json.dumps(asdict(verdict), ensure_ascii=False) + "\n")
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise OnlytextError(f"{file} can't be written: {error.strerror or error}") from error


class Judged:
    """The last word on each hit."""

    def __init__(self, verdicts: Iterable[Verdict]) -> None:
        self._last = {(one.digest, one.line): one for one in verdicts}

    def add(self, verdict: Verdict) -> None:
        """Take one more verdict; it is the last word now."""
        self._last[verdict.digest, verdict.line] = verdict

    def of(self, hit: Hit, digest: str) -> Verdict | None:
        """What was said last of such a line under such a pattern."""
        return self._last.get((digest, hit.line))


def spare_rows(harmful: Iterable[tuple[Pattern, str]]) -> str:
    """`must_spare` rows for pattern files, in TOML, one block a pattern."""
    blocks: dict[str, list[str]] = {}
    for pattern, line in harmful:
        rows = blocks.setdefault(pattern.id, [])
        # JSON's strings are TOML's basic strings, save for characters beyond the first plane.
        row = f"  {json.dumps(line, ensure_ascii=False)},"
        if row not in rows:
            rows.append(row)
    return "\n".join(
        f"# {name}\nmust_spare = [\n" + "\n".join(rows) + "\n]\n" for name, rows in blocks.items()
    )


def spare_cases(harmful: Iterable[tuple[Pattern, Hit]]) -> list[dict[str, object]]:
    """Cases without a leak, in the form of a case file: each line has to come out untouched."""
    cases: dict[str, dict[str, object]] = {}
    for pattern, hit in harmful:
        name = hashlib.sha256(f"{pattern.id}\0{hit.line}".encode("utf-8", "surrogatepass"))
        key = f"audit-{name.hexdigest()[:12]}"
        cases[key] = {
            "id": key,
            "lang": pattern.id.partition("/")[0],
            "format": {"kind": "text"},
            "rules": [],
            "draft": hit.line,
            "raw": hit.line,
            "gold": hit.line,
            "leaks": [],
            "note": f"content that {pattern.id} matches",
        }
    return list(cases.values())
