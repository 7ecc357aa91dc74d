"""`onlytext parse`: the record that a reply holds, as JSON."""

from typing import Annotated, Final

import typer

from onlytext._parse import parse
from onlytext.cli import options
from onlytext.cli.account import account_of, account_of_refusal
from onlytext.cli.cleaning import clean_files, tell_doubts
from onlytext.cli.exits import ends_plainly
from onlytext.cli.outputs import write_json
from onlytext.errors import ParseError, Refused

EXAMPLES: Final = r"""
[bold]Examples[/bold]
  onlytext parse reply.txt --format carousel.toml --draft draft.txt
  onlytext parse reply.txt --format carousel.toml | jq -r '."\[COVER]"'

The record has the texts by their markers, numbered ones as a list:
  {"\[COVER]": "...", "\[SLIDE {n}]": \["...", "..."], "\[CAPTION]": "..."}
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
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", metavar="", help='Print the whole account, the record under "record".'
        ),
    ] = False,
) -> None:
    """Clean a model's reply and print its record as JSON.

    A text that lacks what the format asks for is refused, with all its faults at once.
    """
    try:
        cleaned = clean_files(
            reply, format_file, draft=draft, prompt=prompt, patterns=patterns, cut_off=cut_off
        )
    except Refused as refusal:
        if as_json:
            write_json(account_of_refusal(refusal))
        raise
    try:
        record = parse(cleaned).to_dict()
    except ParseError as error:
        if as_json:
            write_json({"record": None, "faults": list(error.faults), **account_of(cleaned)})
        else:
            tell_doubts(cleaned)
        raise
    if as_json:
        write_json({"record": record, "faults": [], **account_of(cleaned)})
    else:
        write_json(record)
        tell_doubts(cleaned)
