"""Asks a person about hits, and turns what was said into cases and `must_spare` rows."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Final

import typer

from onlytext.cli.exits import say
from onlytext.cli.explain import tell_controls as visible
from onlytext.errors import OnlytextError

if TYPE_CHECKING:
    from pathlib import Path

    from onlytext.audit import Hit, Tally, Verdict
    from onlytext.cli.audited import Outcome

_ASKED: Final = "[c]ontent: harmful  [h]armless  [s]kip  [q]uit"


def judge(outcome: Outcome) -> None:
    """Ask about each hit that nobody judged yet; each answer is kept as soon as it is given."""
    from onlytext.audit import add_verdict, digest_of

    asked = [
        (tally, hit)
        for tally, hit in outcome.open_hits
        if outcome.judged.of(hit, digest_of(tally.pattern)) is None
    ]
    for number, (tally, hit) in enumerate(asked, 1):
        typer.echo(f"\n{number} of {len(asked)}: {hit.pattern} hits {hit.file}:{hit.row}")
        typer.echo(f"  {visible(hit.line[: hit.start])}⟦{visible(hit.line[hit.start : hit.end])}⟧")
        answer = typer.prompt(_ASKED, default="s", show_default=False).strip().lower()[:1]
        if answer == "q":
            return
        if answer not in ("c", "h"):
            continue
        why = typer.prompt("why").strip()
        verdict = _verdict(tally, hit, harmless=answer == "h", by=outcome.by, why=why)
        add_verdict(outcome.verdicts, verdict)
        outcome.judged.add(verdict)


def _verdict(tally: Tally, hit: Hit, *, harmless: bool, by: str, why: str) -> Verdict:
    from onlytext.audit import Verdict, digest_of

    return Verdict(
        pattern=hit.pattern,
        digest=digest_of(tally.pattern),
        line=hit.line,
        file=hit.file,
        row=hit.row,
        judgement="harmless" if harmless else "harmful",
        by=by,
        when=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        why=why,
    )


def write_cases(outcome: Outcome, folder: Path) -> None:
    """Write what was judged harmful as cases and as `must_spare` rows, ready to be taken over."""
    from onlytext.audit import digest_of, spare_cases, spare_rows

    harmful = [
        (tally.pattern, hit)
        for tally, hit in outcome.open_hits
        if outcome.judged.of(hit, digest_of(tally.pattern)) is not None
    ]
    cases = spare_cases(harmful)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "audit-cases.jsonl").write_text(
            "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases), "utf-8"
        )
        (folder / "must-spare.toml").write_text(
            spare_rows((pattern, hit.line) for pattern, hit in harmful), "utf-8"
        )
    except OSError as error:
        raise OnlytextError(f"{folder} can't be written: {error.strerror or error}") from error
    say(f"{folder}: {len(cases)} in audit-cases.jsonl, and their rows in must-spare.toml")
