"""`onlytext clean`: the text of a reply, or the account of what was dropped from it."""

from typing import Annotated, Final

import typer

from onlytext.cli import options
from onlytext.cli.account import account_of, account_of_refusal
from onlytext.cli.cleaning import clean_files, tell_doubts
from onlytext.cli.exits import ends_plainly
from onlytext.cli.explain import print_explanation, print_refusal
from onlytext.cli.outputs import write_json, write_text
from onlytext.errors import Refused

EXAMPLES: Final = r"""
[bold]Examples[/bold]
  onlytext clean reply.txt --format carousel.toml --draft draft.txt > text.txt
  onlytext clean reply.txt --format carousel.toml --explain
  my-model "..." | onlytext clean - --format carousel.toml --json

[bold]A format file[/bold], here carousel.toml
  \[format]
  kind = "sections"        # or "text", for plain text without markers
  markers = \["\[COVER]", "\[SLIDE {n}]", "\[CAPTION]"]
"""


@ends_plainly
def command(
    reply: options.Reply,
    format_file: options.Format,
    draft: options.Draft = None,
    prompt: options.Prompt = None,
    patterns: options.Patterns = None,
    *,
    cut_off: options.CutOff = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", metavar="", help="Show the reply, what was dropped from it, and why."
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print the whole account, for a program.")
    ] = False,
) -> None:
    """Print the text of a model's reply, and nothing but the text.

    Reasoning, verdicts, labels and remarks are dropped. What looks like one, but
    was kept, is told on stderr as a doubt. A reply without any text is refused.
    With the draft that the model was given, all this is much surer.
    """
    if explain and as_json:
        raise typer.BadParameter("choose one of the two", param_hint="'--explain' / '--json'")
    try:
        cleaned = clean_files(
            reply, format_file, draft=draft, prompt=prompt, patterns=patterns, cut_off=cut_off
        )
    except Refused as refusal:
        if as_json:
            write_json(account_of_refusal(refusal))
        elif explain:
            print_refusal(refusal)
        raise
    if as_json:
        write_json(account_of(cleaned))
    elif explain:
        print_explanation(cleaned)
    else:
        write_text(cleaned.text)
        tell_doubts(cleaned)
