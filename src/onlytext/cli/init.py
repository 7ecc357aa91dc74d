"""`onlytext init`: an example job with its briefs, to be changed into one's own."""

from importlib import resources
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from onlytext.cli.exits import ends_plainly, say
from onlytext.cli.outputs import write_text
from onlytext.errors import OnlytextError

EXAMPLES: Final = r"""
[bold]Examples[/bold]
  onlytext init
  onlytext init my-job --language fr
"""

_FILES: Final = ("job.toml", "briefs.jsonl")


class _InitError(OnlytextError):
    """An example that can't be written where it was asked for."""


@ends_plainly
def command(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", show_default=False, help="Where to write; made if it is not there."
        ),
    ] = Path(),
    language: Annotated[
        Literal["en", "fr", "es"],
        typer.Option(help="The language of the example and of its comments."),
    ] = "en",
) -> None:
    """Write an example job, with comments, and briefs for it.

    Nothing is ever overwritten.
    """
    there = [name for name in _FILES if (folder / name).exists()]
    if there:
        raise _InitError(
            f"{folder / there[0]} is there already, and is not overwritten: "
            f"name another folder, as in onlytext init my-job"
        )
    source = resources.files("onlytext") / "examples" / language
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in _FILES:
            with (folder / name).open("xb") as file:
                file.write((source / name).read_bytes())
    except OSError as error:
        raise _InitError(f"{folder} can't be written in: {error.strerror or error}") from error
    job, briefs = (folder / name for name in _FILES)
    write_text(f"{job}\n{briefs}\n")
    say("next:")
    say(f"  onlytext prompt {job} {briefs}")
    say(f"  onlytext run {job} {briefs} -o {folder / 'records.jsonl'}")
