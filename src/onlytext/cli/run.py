"""`onlytext run`: a job over a file of briefs, through both passes, into records."""

import asyncio
import time
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from onlytext.cli.exits import ends_plainly, say
from onlytext.cli.outputs import make_console, write_json, write_text
from onlytext.cli.progress import count_of, dollars, short
from onlytext.cli.requests import requests_for, shown

if TYPE_CHECKING:
    from onlytext.cli.running import Ended, Wish
    from onlytext.pipeline import Briefs, Job

EXAMPLES: Final = r"""
[bold]Examples[/bold]
  onlytext run job.toml briefs.jsonl -o texts.jsonl --dry-run
  onlytext run job.toml briefs.jsonl -o texts.jsonl
  onlytext run job.toml briefs.csv -o texts.parquet --limit 20 --spend 2.50

Every reply is kept in a journal (here texts.jsonl.journal.sqlite) before it
is used. However a run ends, the same command goes on from there, and no
reply is paid for twice.
"""
CODES: Final = (
    "Exit codes: 0 done · 2 wrong usage or a bad file · 3 done, and some items failed · "
    "4 stopped before the end: by the spending limit, the provider or the disk · 130 Ctrl-C"
)

SOME_FAILED: Final = 3
STOPPED: Final = 4
INTERRUPTED: Final = 130

_RESUME: Final = "the same command goes on from here: what is in the journal is not paid for again"
# So many briefs tell what a run will take.
_SAMPLE: Final = 100


@ends_plainly
def command(  # noqa: PLR0917 - each option of a command is an argument of its function
    job_file: Annotated[
        Path, typer.Argument(metavar="JOB", show_default=False, help="The job: a TOML file.")
    ],
    briefs_file: Annotated[
        Path,
        typer.Argument(
            metavar="BRIEFS", show_default=False, help="The briefs: .jsonl, .csv or .parquet."
        ),
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
    journal: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            show_default=False,
            help="The journal: a file, or postgresql://… Default: OUT.journal.sqlite.",
        ),
    ] = None,
    in_flight: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", show_default=False, help="Calls at once, instead of the job's."
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", show_default=False, help="Only the first N briefs."),
    ] = None,
    spend: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            metavar="USD",
            show_default=False,
            help="Stop before all runs of the job have cost more, instead of the job's limit.",
        ),
    ] = None,
    order: Annotated[
        Literal["input", "finished"],
        typer.Option(metavar="input|finished", help="The order of the records."),
    ] = "input",
    *,
    strict: Annotated[
        bool, typer.Option("--strict", metavar="", help="Treat a doubtful reply as a refused one.")
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", metavar="", help="Show the first prompts and an estimate; send nothing."
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print the summary for a program.")
    ] = False,
) -> None:
    """Run a job over its briefs: generate, clean, validate, clean, parse, write.

    An item ends as ok, as kept_draft (the validator gave nothing usable, so its
    draft stands) or as failed. The records say which, and why.
    """
    from onlytext.pipeline import load_job, read_briefs  # pydantic is slow to import
    from onlytext.pipeline._records import check_output

    job = load_job(job_file)
    if spend is not None:
        job = replace(job, limits=replace(job.limits, spend=spend))
    check_output(out)
    briefs = read_briefs(briefs_file, needs=job.needs, id_field=job.id_field)
    items = briefs.check()
    items = items if limit is None else min(items, limit)
    if dry_run:
        _foretell(job, briefs, items, as_json=as_json)
        return
    from onlytext.cli.running import Wish

    wish = Wish(
        job=job,
        briefs=briefs,
        items=items,
        out=out,
        journal=f"{out}.journal.sqlite" if journal is None else journal,
        in_flight=in_flight,
        strict=strict,
        order=order,
    )
    _run(wish, as_json=as_json)


def _run(wish: "Wish", *, as_json: bool) -> None:
    from onlytext.cli.running import run_job
    from onlytext.journal import JournalError
    from onlytext.pipeline import RecordsError

    began = time.perf_counter()
    try:
        ended = asyncio.run(run_job(wish))
    except (asyncio.CancelledError, KeyboardInterrupt):
        say(f"stopped at once\n{_RESUME}")
        raise typer.Exit(INTERRUPTED) from None
    except (JournalError, RecordsError) as error:
        say(f"{error}\n{_RESUME}")
        raise typer.Exit(STOPPED) from None
    _tell(wish, ended, seconds=time.perf_counter() - began, as_json=as_json)
    if ended.stopped is not None:
        raise typer.Exit(INTERRUPTED if ended.stopped.reason == "asked" else STOPPED)
    if ended.tally.items["failed"]:
        raise typer.Exit(SOME_FAILED)


def _tell(wish: "Wish", ended: "Ended", *, seconds: float, as_json: bool) -> None:
    from onlytext.cli.totals import print_totals, totals_as_json

    if as_json:
        write_json(
            {
                **totals_as_json(ended.tally, seconds=seconds),
                "stopped": None if ended.stopped is None else ended.stopped.reason,
                "why": None if ended.stopped is None else str(ended.stopped),
                "records": ended.written,
                "out": str(wish.out),
                "journal": ended.journal,
                "run": ended.run,
            }
        )
    else:
        print_totals(make_console(), ended.tally, seconds=seconds)
    if ended.stopped is not None:
        done = f"{ended.tally.done - ended.waiting:,} of {wish.items:,} items are done"
        say(f"stopped: {ended.stopped}\n{done}; {wish.out} was not written\n{_RESUME}")
    elif not as_json:
        write_text(f"\n{ended.written:,} records in {wish.out}, journal in {ended.journal}\n")
    if ended.waiting:
        told = count_of(ended.waiting, "item")
        say(f"{told} without an answer; the same command tries again")


def _foretell(job: "Job", briefs: "Briefs", items: int, *, as_json: bool) -> None:
    """Show what a run would send first, and about what it would cost."""
    from onlytext.pipeline._prices import estimate_run, prices_date

    some = [brief.fields for brief in islice(briefs, _SAMPLE)]
    guess = estimate_run(job, some, items)
    if as_json:
        write_json({"items": items, **asdict(guess), "prices_of": prices_date()})
        return
    parts = [shown(name, request) for name, request in requests_for(job, some[0]).items()]
    told = [
        f"{count_of(items, 'item')}, {count_of(guess.calls, 'call')} if none is asked for again",
        f"about {short(guess.input)} tokens in, {short(guess.output)} out (estimated)",
    ]
    if guess.cost is None or guess.most is None:
        told.append("cost not known: a model has no price here")
    else:
        told.append(
            f"about {dollars(guess.cost)}, at most {dollars(guess.most)} if every reply is as long "
            f"as max_tokens allows, at the prices of {prices_date()}"
        )
    write_text("\n".join([*parts, *told]) + "\n\nNothing was sent.\n")
