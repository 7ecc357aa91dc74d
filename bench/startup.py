"""What `import onlytext` adds to the start of an interpreter, and which modules take it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

BUDGET: Final = 0.060
"""Seconds that `import onlytext` may add."""

_BARE: Final = ""
_IMPORT: Final = "import onlytext; "
_FIRST: Final = "import onlytext; onlytext.clean('a', onlytext.Text()); "


class Module(NamedTuple):
    """A module and the milliseconds of its own code, without what it imports in turn."""

    name: str
    own: float


@dataclass(frozen=True, slots=True)
class Startup:
    """Seconds of processor time, medians over the runs."""

    bare: float
    imported: float
    """What `import onlytext` adds to a bare interpreter."""
    first: float
    """What the first reply adds to that: the catalogue of patterns is read and compiled then."""
    heaviest: tuple[Module, ...]

    @property
    def within(self) -> bool:
        """Whether the import is within its budget."""
        return self.imported <= BUDGET


def measure_startup(*, runs: int) -> Startup:
    """Starts interpreters in turn: bare ones, with the import, and with a first reply."""
    spent: dict[str, list[float]] = {_BARE: [], _IMPORT: [], _FIRST: []}
    for code in spent:
        _run(code)  # writes the compiled modules
    for _ in range(runs):
        for code, seconds in spent.items():
            seconds.append(_run(code))
    bare, imported, first = (median(spent[code]) for code in (_BARE, _IMPORT, _FIRST))
    return Startup(bare, imported - bare, first - imported, tuple(heaviest_modules()))


def heaviest_modules(count: int = 12) -> Sequence[Module]:
    """The modules whose own code takes longest, as `python -X importtime` tells them."""
    done = subprocess.run(
        [sys.executable, "-I", "-X", "importtime", "-c", _IMPORT],
        check=True,
        capture_output=True,
        text=True,
    )
    own: list[Module] = []
    started = False
    for line in done.stderr.splitlines():
        head, _, name = line.rpartition("|")
        figure = head.removeprefix("import time:").partition("|")[0].strip()
        # What a bare interpreter imports by itself comes first, and ends with `site`.
        if started and figure.isdigit():
            own.append(Module(name.strip(), int(figure) / 1000))
        started = started or name.strip() == "site"
    return sorted(own, key=lambda module: -module.own)[:count]


def _run(code: str) -> float:
    """The processor seconds of an interpreter from its start to the end of a line of code."""
    code += "import time; print(time.process_time())"
    command = [sys.executable, "-I", "-c", code]
    return float(subprocess.run(command, check=True, capture_output=True).stdout)
