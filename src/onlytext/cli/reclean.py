"""`onlytext reclean`: stored replies cleaned again by today's rules, without a call."""

import asyncio
import difflib
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from onlytext.cli.exits import ends_plainly
from onlytext.cli.explain import tell_controls
from onlytext.cli.outputs import make_console, write_json, write_text
from onlytext.cli.progress import count_of

if TYPE_CHECKING:
    from onlytext.pipeline import Job
    from onlytext.pipeline._reclean import Recleaned
    from onlytext.pipeline._tally import Tally

EXAMPLES: Final = r"""
[bold]Examples[/bold]
  onlytext reclean texts.jsonl.journal.sqlite job.toml -o texts.jsonl
  onlytext reclean postgresql://…/journal job.toml -o texts.parquet --json

After a change of the cleaning rules, of the job's patterns or checks, or of
onlytext itself. No model is asked: where a second reply would be needed, the
item says so, and onlytext run asks for it.
"""
CODES: Final = "Exit codes: 0 done · 2 wrong usage or a bad file · 3 done, and some items failed"

_SHOWN: Final = 10
SOME_FAILED: Final = 3


@ends_plainly
def command(
    journal: Annotated[
        str,
        typer.Argument(
            metavar="JOURNAL", show_default=False, help="The journal: a file, or postgresql://…"
        ),
    ],
    job_file: Annotated[
        Path, typer.Argument(metavar="JOB", show_default=False, help="The job: a TOML file.")
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="OUT",
            show_default=False,
            help="Where the records go: .jsonl or .parquet.",
        ),
    ],
    *,
    strict: Annotated[
        bool, typer.Option("--strict", metavar="", help="Treat a doubtful reply as a refused one.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print what changed for a program.")
    ] = False,
) -> None:
    """Clean the replies of a job's last run again, write its records, show what changed."""
    from onlytext.pipeline import load_job  # pydantic is slow to import
    from onlytext.pipeline._records import check_output

    job = load_job(job_file)
    check_output(out)
    began = time.perf_counter()
    changed, tally = asyncio.run(_reclean(job, journal, out, strict=strict))
    if as_json:
        from onlytext.cli.totals import totals_as_json

        totals = totals_as_json(tally, seconds=time.perf_counter() - began)
        write_json({**totals, "changed": [_as_json(one) for one in changed], "out": str(out)})
    else:
        _tell(changed, tally, out, seconds=time.perf_counter() - began)
    if tally.items["failed"]:
        raise typer.Exit(SOME_FAILED)


async def _reclean(
    job: "Job", where: str, out: Path, *, strict: bool
) -> "tuple[list[Recleaned], Tally]":
    from onlytext.journal import Journal
    from onlytext.pipeline._export import write_outcomes
    from onlytext.pipeline._reclean import ledger_for, reclean, run_of_job
    from onlytext.pipeline._tally import Tally

    tally, changed = Tally(format=job.sent_format), list["Recleaned"]()
    async with await asyncio.to_thread(Journal.open, where, create=False) as journal:
        before = await asyncio.to_thread(run_of_job, journal, job)
        ledger = ledger_for(job, journal, strict=strict)
        await ledger.begin()
        async for one in reclean(job, journal, ledger, before, strict=strict):
            tally.count_outcome(one.after, one.readings)
            if one.changed:
                changed.append(one)
        await ledger.end("finished")
        await asyncio.to_thread(write_outcomes, out, journal, ledger.run)
    return changed, tally


def _tell(changed: "list[Recleaned]", tally: "Tally", out: Path, *, seconds: float) -> None:
    from onlytext.cli.totals import print_totals

    for one in changed[:_SHOWN]:
        write_text(f"{_head(one)}\n{_diff(one)}\n")
    if len(changed) > _SHOWN:
        write_text(f"and {len(changed) - _SHOWN:,} more; --json has them all\n\n")
    print_totals(make_console(), tally, seconds=seconds)
    verb = "has" if len(changed) == 1 else "have"
    write_text(
        f"\n{len(changed):,} of {count_of(tally.done, 'item')} {verb} changed; "
        f"the records are in {out}\n"
    )


def _head(one: "Recleaned") -> str:
    name = f" ({one.after.id})" if one.after.id is not None else ""
    before = "not there" if one.before is None else one.before.status
    cause = f": {one.after.cause}" if one.after.cause is not None else ""
    return f"row {one.after.position + 1}{name}: {before} → {one.after.status}{cause}"


def _diff(one: "Recleaned") -> str:
    old = "" if one.before is None else one.before.text or ""
    new = one.after.text or ""
    lines = difflib.unified_diff(old.split("\n"), new.split("\n"), lineterm="", n=1)
    return "\n".join(tell_controls(f"  {line}") for line in lines if line[:3] not in ("---", "+++"))


def _as_json(one: "Recleaned") -> dict[str, object]:
    return {
        "row": one.after.position + 1,
        "id": one.after.id,
        "before": None if one.before is None else one.before.status,
        "after": one.after.status,
        "cause": one.after.cause,
        "text_before": None if one.before is None else one.before.text,
        "text": one.after.text,
    }
