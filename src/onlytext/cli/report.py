"""`onlytext report`: a run as one page that can be mailed or kept."""

from pathlib import Path
from typing import Annotated

import typer

from onlytext.cli.exits import ends_plainly
from onlytext.cli.outputs import write_text
from onlytext.errors import OnlytextError

EXAMPLES = """
onlytext report records.jsonl.journal.sqlite -o report.html

onlytext report records.jsonl.journal.sqlite --job carousels -o report.html
"""

_NEEDS = "a report needs {}, which is not installed: pip install 'onlytext[review]'"


@ends_plainly
def command(
    journal: Annotated[
        str,
        typer.Argument(
            metavar="JOURNAL", show_default=False, help="The journal: a file, or postgresql://…"
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", metavar="OUT", show_default=False, help="Where the page goes: .html."
        ),
    ],
    job: Annotated[
        str | None,
        typer.Option(metavar="NAME", show_default=False, help="The last run of this job."),
    ] = None,
    run: Annotated[
        str | None,
        typer.Option(metavar="ID", show_default=False, help="This run, instead of the last one."),
    ] = None,
    language: Annotated[
        str, typer.Option(metavar="CODE", help="The language of the page: en, es or fr.")
    ] = "en",
) -> None:
    """Show a run as one page: its figures, and each reply with what was dropped, and why.

    The page is one file that needs nothing else: it asks no server for anything, and
    nothing that a model wrote can act in it.
    """
    try:
        from onlytext.journal import Journal
        from onlytext.review import find_run, write_report
        from onlytext.review._words import languages
    except ModuleNotFoundError as error:
        raise OnlytextError(_NEEDS.format(error.name)) from error

    if language not in languages():
        raise typer.BadParameter(f"write one of {', '.join(languages())}", param_hint="--language")
    if out.suffix.lower() not in {".html", ".htm"}:
        raise typer.BadParameter(
            "the page is HTML: write a name such as report.html", param_hint="-o"
        )
    with Journal.open(journal, create=False) as opened:
        wanted = find_run(opened, job=job, run=run)
        figures = write_report(opened, wanted, out, language=language)
    items = figures.items.total()
    write_text(f"{items:,} {'item' if items == 1 else 'items'} of run {wanted.id} in {out}\n")
