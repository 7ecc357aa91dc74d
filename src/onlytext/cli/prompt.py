"""`onlytext prompt`: what a job will send, to be read before anything is paid for."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import typer

from onlytext.cli.exits import ends_plainly
from onlytext.cli.outputs import write_json, write_text
from onlytext.cli.requests import brief_at, requests_for, shown

EXAMPLES: Final = r"""
[bold]Examples[/bold]
  onlytext prompt job.toml briefs.jsonl
  onlytext prompt job.toml briefs.jsonl --row 3
  onlytext prompt job.toml --json

Without briefs, and for a draft that no model has written yet, the fields and
the draft are shown by their names.
"""


@ends_plainly
def command(
    job_file: Annotated[
        Path, typer.Argument(metavar="JOB", show_default=False, help="The job: a TOML file.")
    ],
    briefs_file: Annotated[
        Path | None,
        typer.Argument(
            metavar="BRIEFS", show_default=False, help="The briefs: .jsonl, .csv or .parquet."
        ),
    ] = None,
    row: Annotated[int, typer.Option(min=1, metavar="N", help="Which of the briefs.")] = 1,
    *,
    as_json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print the requests, for a program.")
    ] = False,
) -> None:
    """Print what a job sends for one brief, both passes, word for word.

    Nothing is sent and nothing is paid for.
    """
    from onlytext.pipeline import load_job  # pydantic is slow to import

    job = load_job(job_file)
    brief = None if briefs_file is None else brief_at(job, briefs_file, row)
    requests = requests_for(job, brief)
    if as_json:
        write_json({name: asdict(request) for name, request in requests.items()})
    else:
        write_text("\n".join(shown(name, request) for name, request in requests.items()))
