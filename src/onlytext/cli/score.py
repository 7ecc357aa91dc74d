"""`onlytext score`: how well the cleaner does on cases whose true text is known."""

from pathlib import Path
from typing import Annotated, Final

import typer

from onlytext._cases import read_cases
from onlytext._score import score
from onlytext.cli import options
from onlytext.cli.cleaning import load_patterns
from onlytext.cli.exits import ends_plainly
from onlytext.cli.failures import failures_as_json, print_failures
from onlytext.cli.figures import figures_as_json, print_figures
from onlytext.cli.outputs import make_console, write_json

EXAMPLES: Final = r"""
[bold]Examples[/bold]
  onlytext score cases.jsonl
  onlytext score cases.jsonl more.jsonl --failures | less
  onlytext score cases.jsonl --no-draft --json

[bold]A case[/bold] is one JSON object on a line (here on five, to be read):
  {"id": "bread-1", "lang": "en", "leaks": \["label"],
   "format": {"kind": "text"},
   "draft": "Our bread is the best.",
   "raw":   "Corrected text:\nOur bread is baked daily.",
   "gold":  "Our bread is baked daily."}

"raw" is the reply, "gold" its true text: null where it holds none, and for
sections a list of pairs, \[\["\[COVER]", "..."], ...]. "leaks" is \[] for a reply
that is nothing but text.
"""


@ends_plainly
def command(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="CASES...", show_default=False, help="Case files (JSON lines)."),
    ],
    patterns: options.Patterns = None,
    *,
    no_draft: Annotated[
        bool, typer.Option("--no-draft", metavar="", help="Clean each reply without its draft.")
    ] = False,
    no_prompt: Annotated[
        bool, typer.Option("--no-prompt", metavar="", help="Clean each reply without its prompt.")
    ] = False,
    failures: Annotated[
        bool,
        typer.Option(
            "--failures", metavar="", help="Show each case that is not right, with a diff."
        ),
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option("--json", metavar="", help="Print all figures and failures, for a program."),
    ] = False,
) -> None:
    """Score the cleaner on a file of cases: right, refused, silently wrong, harm.

    Harm is counted apart, on replies that are nothing but text. It has to be 0.
    """
    cases = [case for file in files for case in read_cases(file)]
    result = score(
        cases, draft=not no_draft, prompt=not no_prompt, patterns=load_patterns(patterns)
    )
    if as_json:
        write_json({**figures_as_json(result), "failures": failures_as_json(result)})
        return
    console = make_console()
    if failures:
        print_failures(console, result)
    print_figures(console, result, how=_given(draft=not no_draft, prompt=not no_prompt))


def _given(*, draft: bool, prompt: bool) -> str:
    given = [name for name, is_given in (("drafts", draft), ("prompts", prompt)) if is_given]
    return f"with their {' and '.join(given)}" if given else "each reply by itself"
