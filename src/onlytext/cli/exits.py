"""How a command ends: its exit code, and on stderr one clear paragraph instead of a traceback."""

from __future__ import annotations

import os
import sys
import traceback
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Final, ParamSpec

import typer

from onlytext.errors import OnlytextError, ParseError, Refused

if TYPE_CHECKING:
    from collections.abc import Callable

FAULT: Final = 1
USAGE: Final = 2
REFUSED: Final = 3

# Set to anything, it shows the traceback of a fault of onlytext itself.
_TRACEBACK: Final = "ONLYTEXT_TRACEBACK"

_Arguments = ParamSpec("_Arguments")


def ends_plainly(command: Callable[_Arguments, None]) -> Callable[_Arguments, None]:
    """The command, with every error turned into a paragraph on stderr and an exit code."""

    @wraps(command)
    def run(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> None:
        code = _run(lambda: command(*args, **kwargs))
        if code:
            raise typer.Exit(code)

    return run


def _run(command: Callable[[], None]) -> int:
    try:
        command()
        sys.stdout.flush()
    except (typer.Exit, typer.Abort, typer.BadParameter):
        raise
    except Refused as refusal:
        say(f"refused: {refusal.why}")
        say(f"to ask the model again: {refusal.retry}")
        return REFUSED
    except ParseError as error:
        say("the text was cleaned, but is no whole record:")
        for fault in error.faults:
            say(f"  {fault}")
        return REFUSED
    except OnlytextError as error:
        say(str(error))
        return USAGE
    except BrokenPipeError:  # whoever read our output (`| head`) has had enough: no error
        _leave_stdout()
    except OSError as error:
        _leave_stdout()
        say(f"can't write: {error.strerror or error}")
        return USAGE
    except Exception as error:  # noqa: BLE001 - a person at a terminal gets no traceback
        say(_own_fault(error))
        return FAULT
    return 0


def say(paragraph: str) -> None:
    """Write something for the person, apart from what a program reads."""
    for line in paragraph.split("\n"):
        typer.echo(f"onlytext: {line}", err=True)


def _leave_stdout() -> None:
    """Send what is left in the buffer nowhere; else Python tries it again at its end, and fails."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _own_fault(error: Exception) -> str:
    if os.environ.get(_TRACEBACK):
        traceback.print_exception(error)
    *_, last = traceback.extract_tb(error.__traceback__)
    return (
        f"a fault of onlytext itself: {type(error).__name__}: {error} "
        f"({Path(last.filename).name}, line {last.lineno}); "
        f"{_TRACEBACK}=1 shows where it comes from"
    )
