"""Measures the speed of onlytext, next to other libraries: see measure.py, and `--help`."""

from __future__ import annotations

import sys
from pathlib import Path


def run() -> int:
    """Measures what the command line asks for."""
    # A script's own folder is where Python looks first; the package `bench` stands beside it.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)
    from bench.measure import main

    return main()


if __name__ == "__main__":
    sys.exit(run())
