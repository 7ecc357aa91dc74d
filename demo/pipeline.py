"""Runs a whole job without a key and without network: 40 briefs, two passes, recorded replies.

    python -m demo.pipeline            the records go to build/demo
    python -m demo.pipeline FOLDER

The command is the real one, `onlytext run`, and the SDK is the real one; only the server is a
loopback on this machine, which answers with the replies of demo/job/replies.jsonl.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from demo.loopback import Loopback
from demo.recorded import BY_HAND, Recording, read_recording
from demo.shown import (
    JOB,
    ROOT,
    TOOL,
    forget,
    short,
    show_cleaning,
    show_command,
    show_exceptions,
    show_head,
    show_next,
    wide_console,
)
from demo.stored import Journal

if TYPE_CHECKING:
    from rich.console import Console

FOLDER: Final = ROOT / "build" / "demo"
# Replies of the second pass that show, each in another way, what checking a text leads to.
TELLING: Final = (
    "bread: it thinks aloud before the text",
    "plants: verdicts under the markers, and then the text under the same markers",
    "letters: it counts the words of each line",
    "soup: it begins, has second thoughts, and begins again",
    "visite: it argues in English, and the text is French",
)
# 3: done, and some items failed, which is what the demo shows.
_DONE: Final = (0, 3)


def main(folder: Path = FOLDER) -> int:
    """Run the job and show what came of it; gives the exit code."""
    out = folder / "records.jsonl"
    console = wide_console()
    recording = read_recording(JOB / "replies.jsonl")
    forget(out)
    command = ["run", short(JOB / "job.toml"), short(JOB / "briefs.jsonl"), "-o", short(out)]
    _introduce(console, recording)
    show_command(console, command)
    with Loopback(recording, keep=False) as server:
        code = subprocess.run(  # noqa: S603 - our own command line
            [sys.executable, "-m", "onlytext", *command],
            cwd=ROOT,
            env=_surroundings(server.url),
            check=False,
        ).returncode
    if code not in _DONE:
        return code
    journal = Journal(Path(f"{out}.journal.sqlite"))
    console.print()
    show_exceptions(console, journal)
    _show_cleanings(console, journal, recording)
    show_next(
        console,
        (
            ("The records, one a line:", short(out)),
            ("All that was sent and came back, an SQLite file:", f"{short(out)}.journal.sqlite"),
            ("What is sent, word for word:", f"{short(TOOL)} prompt {' '.join(command[1:3])}"),
            ("A job of your own:", "docs/tutorial-first-job.md"),
            ("The same job with a model that runs here (a download of 600 MB):", "make demo-live"),
            ("More leaking replies, one by one:", "make demo-clean"),
        ),
    )
    return 0


def _surroundings(url: str) -> dict[str, str]:
    """The environment, in which nothing can send the demo elsewhere or let it use a real key."""
    kept = {name: value for name, value in os.environ.items() if "ANTHROPIC" not in name}
    return kept | {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "none-is-needed",
        "NO_PROXY": "127.0.0.1",
    }


def _introduce(console: Console, recording: Recording) -> None:
    replies = [row for row in recording.rows if row.reply]
    real = sum(row.origin != BY_HAND for row in replies)
    console.print(
        "40 briefs in English, French and Spanish. For each one a first call writes a carousel, "
        "and a second call checks it against four rules and corrects it. Every reply is cleaned "
        "before anything reads it.\n\n"
        "No key and no network: a server on this machine plays recorded replies to the real SDK. "
        f"{real} of them came out of small models like this, {len(replies) - real} were written "
        "by hand, after leaks that were seen, and leak far more often than a good model does. On "
        "the way there are a 429, a 529 and a broken stream.\n"
    )


def _show_cleanings(console: Console, journal: Journal, recording: Recording) -> None:
    console.print()
    show_head(console, "what was taken out of five replies of the second pass")
    origins = {row.reply: row.origin for row in recording.rows}
    for title in TELLING:
        cleaning = journal.cleaning(title.partition(":")[0])
        show_cleaning(console, title, origins[cleaning.reply], cleaning)


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:2])))
