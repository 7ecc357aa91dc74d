"""Runs the job of the demo with a real small model, in this process' own machine.

    python -m demo.live 10     so many of the briefs

`make demo-live` installs before what it needs: the engine and the model's weights.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from demo.shown import (
    JOB,
    ROOT,
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
from demo.weights import ALL, Weights

from onlytext.cli.progress import count_of

WEIGHTS: Final = ALL["0.5b"]
OUT: Final = ROOT / "build" / "demo-live" / "records.jsonl"
BRIEFS: Final = 10
_DONE: Final = (0, 3)
# As many cleanings as a person reads.
_MOST: Final = 5


def job_text(weights: Weights, file: Path) -> str:
    """The demo's job with another model: the same prompts, rules and checks."""
    text = (JOB / "job.toml").read_text("utf-8")
    for old, new in (
        (
            'model = "claude-haiku-5-5"\nmax_tokens = 2000\n',
            # A small model that goes round in circles is stopped early.
            f'provider = "local"\nmodel = "{weights.name}"\nmax_tokens = 400\ntemperature = 0\n',
        ),
        # One call at a time: the processor is the same for all.
        ("in_flight = 8\n", "in_flight = 1\n"),
    ):
        if text.count(old) != 1:
            raise ValueError(f"demo/job/job.toml does not hold {old!r} once")
        text = text.replace(old, new)
    return f"{text}\n[provider.local]\nfile = '{file}'\ncontext = 4096\n"


def run(out: Path, file: Path, *, briefs: int) -> int:
    """Run the job over the first briefs; the exit code of `onlytext run`."""
    job = out.parent / "job.toml"
    forget(out)
    job.write_text(job_text(WEIGHTS, file), encoding="utf-8")
    command = ["run", short(job), short(JOB / "briefs.jsonl"), "-o", short(out)]
    command += ["--limit", str(briefs)]
    show_command(wide_console(), command)
    return subprocess.run(  # noqa: S603 - our own command line
        [sys.executable, "-m", "onlytext", *command],
        cwd=ROOT,
        env=os.environ | {"NO_PROXY": "127.0.0.1"},
        check=False,
    ).returncode


def main(briefs: int = BRIEFS) -> int:
    """Run the job and show what the model left to clean; gives the exit code."""
    file = WEIGHTS.found()
    if file is None:
        print("The model's weights are not installed: make demo-live")
        return 2
    console = wide_console()
    console.print(
        f"{count_of(briefs, 'brief')} for {WEIGHTS.name}, a model of half a billion parameters that runs on "
        "this machine. It writes poorly, and French and Spanish worse than English: what counts "
        "here is what of its replies reaches a record. A brief takes about half a minute.\n"
    )
    code = run(OUT, file, briefs=briefs)
    if code not in _DONE:
        return code
    journal = Journal(Path(f"{OUT}.journal.sqlite"))
    console.print()
    show_exceptions(console, journal)
    console.print()
    show_head(console, "what was taken out")
    leaks = journal.leaking()
    for title, cleaning in leaks[:_MOST]:
        show_cleaning(console, title, WEIGHTS.name, cleaning)
    console.print(f"\n{len(leaks)} replies held more than the text." if leaks else "nothing")
    show_next(
        console,
        (
            ("The records, one a line:", short(OUT)),
            ("All that was sent and came back, an SQLite file:", f"{short(OUT)}.journal.sqlite"),
        ),
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else BRIEFS))
