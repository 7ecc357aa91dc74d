"""`onlytext bulk`: files of stored replies, cleaned row by row, with no row lost."""

from __future__ import annotations

import os
from pathlib import Path  # noqa: TC003 - typer reads it
from typing import TYPE_CHECKING, Annotated, Final

import typer

from onlytext.cli import options  # noqa: TC001 - typer reads it
from onlytext.cli.cleaning import snippet
from onlytext.cli.exits import ends_plainly, say
from onlytext.cli.outputs import make_console, write_json, write_text
from onlytext.errors import OnlytextError

if TYPE_CHECKING:
    from onlytext.bulk import Finding, Summary, Wish

EXAMPLES: Final = r"""
[bold]Examples[/bold]
  onlytext bulk replies.jsonl -o clean.jsonl --format text.toml
  onlytext bulk 'runs/*.parquet' -o clean.parquet --format carousel.toml --column answer
  onlytext bulk docs/ --check --format text.toml
  onlytext bulk docs/ --in-place --format text.toml

The output has every column of the input, and after them text, outcome, cause,
why, removals and doubts. A run that was stopped goes on where it was.
"""
CODES: Final = (
    "Exit codes: 0 done · 1 --check found something · 2 wrong usage or a bad file · 3 some rows were "
    "refused: they are in the output · 4 some were malformed: they were put aside · 130 stopped"
)

FOUND: Final = 1
REFUSED: Final = 3
REJECTED: Final = 4
STOPPED: Final = 130

_NEEDS: Final = (
    'onlytext bulk needs more than the cleaner does: pip install "onlytext[bulk]" ({} is missing)'
)


@ends_plainly
def command(
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="IN...",
            show_default=False,
            help="Files (.jsonl, .csv, .parquet, the first two also .gz and .zst; any other is "
            "text), folders of them, or patterns in quotes.",
        ),
    ],
    format_file: options.Format,
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="OUT", show_default=False, help="Where to write."),
    ] = None,
    column: Annotated[
        str, typer.Option(metavar="NAME", help="The column, or key, of the reply.")
    ] = "reply",
    draft_column: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            show_default=False,
            help="The column of the text that was to be checked.",
        ),
    ] = None,
    prompt_column: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", show_default=False, help="The column of all that the model was sent."
        ),
    ] = None,
    id_column: Annotated[
        str | None,
        typer.Option(metavar="NAME", show_default=False, help="The column that names a row."),
    ] = None,
    patterns: options.Patterns = None,
    prefix: Annotated[
        str, typer.Option(metavar="WORD", help="Stands before the names of the new columns.")
    ] = "",
    workers: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", show_default=False, help="Processes; one a core."),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            show_default=False,
            help="Write a page with samples of what was removed.",
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check", metavar="", help="Change nothing; name each row that leaks, end 1."
        ),
    ] = False,
    in_place: Annotated[
        bool,
        typer.Option("--in-place", metavar="", help="Mend text files, and keep a backup of each."),
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", metavar="", help="Replace OUT if it is there.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print the figures for a program.")
    ] = False,
) -> None:
    """Clean files of stored replies, and account for every row.

    No row is lost: rows in are rows out and rows put aside as malformed, which is
    checked. The same files give the same output, with any number of workers.
    """
    if [output is not None, check, in_place].count(True) != 1:
        raise typer.BadParameter(
            "choose one of the three", param_hint="'-o' / '--check' / '--in-place'"
        )
    try:
        from onlytext.bulk import Wish
    except ModuleNotFoundError as error:
        raise OnlytextError(_NEEDS.format(error.name)) from error
    from onlytext._formatfile import load_format  # it needs pydantic, which is slow to import

    wish = Wish(
        inputs=inputs,
        format=load_format(format_file),
        output=output,
        is_check=check,
        is_in_place=in_place,
        column=column,
        draft_column=draft_column,
        prompt_column=prompt_column,
        id_column=id_column,
        patterns=tuple(map(str, patterns or ())),
        prefix=prefix,
    )
    findings: list[Finding] = []
    summary = _run(wish, workers, findings, overwrite=overwrite, as_json=as_json)
    if report is not None:
        _write_report(report, summary, wish)
    if as_json:
        write_json(_as_json(summary, findings))
    else:
        _tell(summary)
    code = _code(summary, check=check)
    if code:
        raise typer.Exit(code)


def _run(
    wish: Wish,
    workers: int | None,
    findings: list[Finding],
    *,
    overwrite: bool,
    as_json: bool,
) -> Summary:
    from onlytext.bulk import clean_files
    from onlytext.cli.bulkprogress import shown_progress

    try:
        with shown_progress() as watch:
            return clean_files(
                wish,
                workers=workers,
                overwrite=overwrite,
                watch=watch,
                tell=findings.append if as_json else _tell_finding,
            )
    except KeyboardInterrupt:
        kept = "" if wish.output is None else "; what is done is kept"
        say(f"stopped{kept}: the same command goes on")
        raise typer.Exit(STOPPED) from None


def _tell_finding(finding: Finding) -> None:
    """One line a finding, on standard output: that is what a check is for."""
    from onlytext.bulk import visible

    name = f" ({visible(finding.id)})" if finding.id else ""
    place = f"{finding.row}{name}: line {finding.line} of the reply"
    write_text(
        f"{visible(finding.source)}:{place if finding.row else finding.line}: {finding.reason}: "
        f"{visible(snippet(finding.text))}\n"
    )


def _code(summary: Summary, *, check: bool) -> int:
    tally = summary.tally
    if check and tally.outcomes["cleaned"] + tally.outcomes["refused"]:
        return FOUND
    if tally.rejects:
        return REJECTED
    return REFUSED if tally.outcomes["refused"] else 0


def _write_report(report: Path, summary: Summary, wish: Wish) -> None:
    from onlytext.bulk import report_page

    where = "" if wish.output is None else f" → {wish.output}"
    page = report_page(summary.tally, f"{', '.join(wish.inputs)}{where}")
    new = report.with_name(f".{report.name}.{os.getpid()}")
    try:
        new.write_text(page, encoding="utf-8", errors="backslashreplace")
        new.replace(report)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise OnlytextError(f"can't write {report}: {error.strerror or error}") from error


def _tell(summary: Summary) -> None:
    """The figures as a table, and where to look for what went wrong."""
    from rich.table import Table

    from onlytext.bulk import figures

    table = Table(box=None, show_header=False, pad_edge=False)
    for justify in ("left", "right", "right"):
        table.add_column(justify=justify, no_wrap=True)
    for figure in figures(summary.tally):
        table.add_row(figure.name, figure.value, figure.share)
    make_console().print(table)
    for line in summary.told:
        say(line)
    if summary.rejects is not None:
        say(f"what is malformed was put aside in {summary.rejects}")


def _as_json(summary: Summary, findings: list[Finding]) -> dict[str, object]:
    given = summary.tally.to_json()
    return {
        "rows_in": given["rows_in"],
        "rows_out": given["rows_out"],
        "rejects": given["rejects"],
        "outcomes": given["outcomes"],
        "causes": given["causes"],
        "removals": [
            {"reason": reason, "pattern": pattern or None, "count": count}
            for reason, pattern, count in given["removals"]
        ],
        "characters_removed": given["removed"],
        "rows_with_a_doubt": given["doubted"],
        "output": None if summary.output is None else str(summary.output),
        "rejects_file": None if summary.rejects is None else str(summary.rejects),
        "findings": [finding._asdict() for finding in findings],
    }
