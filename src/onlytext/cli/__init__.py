"""The command `onlytext`: one small module for each of its commands."""

from __future__ import annotations

import inspect
import io
import sys
from typing import Annotated, Final

import typer

from onlytext.cli import audit, bulk, clean, init, parse, prompt, reclean, report, run, score

_CODES: Final = "Exit codes: 0 done · 2 wrong usage or a bad file · 3 refused"

app = typer.Typer(
    name="onlytext",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _module in (clean, parse, score, audit, bulk, init, prompt, run, reclean, report):
    # \b keeps the lines of a paragraph as they are, in every version of typer.
    _examples = _module.EXAMPLES.strip().replace("\n\n", "\n\n\b\n")
    app.command(
        _module.__name__.rpartition(".")[2],
        help=f"{inspect.getdoc(_module.command)}\n\n\b\n{_examples}",
        epilog=getattr(_module, "CODES", _CODES),
    )(_module.command)


def _print_version(*, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"onlytext {version('onlytext')}")
        raise typer.Exit


@app.callback(epilog=_CODES)
def _about(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            metavar="",
            callback=_print_version,
            is_eager=True,
            help="Print the version.",
        ),
    ] = False,
) -> None:
    """Only the text: takes reasoning, verdicts and remarks out of LLM replies."""


def main() -> None:
    """Run the command with the arguments that the shell gave."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(
                encoding=None if stream.isatty() else "utf-8", errors="backslashreplace"
            )
    app(prog_name="onlytext")
