"""The arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Reply = Annotated[
    Path,
    typer.Argument(
        metavar="REPLY", show_default=False, help="The model's reply: a file, or - for stdin."
    ),
]
Format = Annotated[
    Path,
    typer.Option(
        "--format",
        "-f",
        metavar="FILE",
        show_default=False,
        help="What the output must look like: a TOML file with a \\[format] table.",
    ),
]
Draft = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", show_default=False, help="The text that the model was asked to check."
    ),
]
Prompt = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", show_default=False, help="All that the model was sent: echoes of it go."
    ),
]
Patterns = Annotated[
    list[Path] | None,
    typer.Option(
        "--patterns",
        metavar="FILE",
        show_default=False,
        help="Patterns of your own, besides the built-in ones; may be given several times.",
    ),
]
CutOff = Annotated[
    bool,
    typer.Option(
        "--cut-off", metavar="", help="The provider stopped the reply at the token limit."
    ),
]
