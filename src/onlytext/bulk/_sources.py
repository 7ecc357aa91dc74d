"""The files of a job: what was named on the command line, as a list of one kind of files."""

from __future__ import annotations

import glob
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from onlytext.bulk.errors import BulkError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Kind = Literal["jsonl", "csv", "parquet", "text"]

_KINDS: Final[dict[str, Kind]] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_PACKED: Final = (".gz", ".zst")
# What a folder is searched for where it holds no file of the kinds above.
_TEXTS: Final = (".txt", ".md", ".markdown", ".mdx", ".rst", ".adoc", ".tex")


@dataclass(frozen=True, slots=True)
class Source:
    """One file of replies."""

    path: Path
    inside: str
    """Its name below the folder or pattern that was named, for an output that is a folder."""
    size: int
    changed: int
    """When it was last changed, in nanoseconds; with its size it tells one version from another."""

    @property
    def name(self) -> str:
        """What it is called in messages and in the output."""
        return str(self.path)


def kind_of(path: Path) -> Kind:
    """What a file holds, by its name; plain text where that says nothing else."""
    ends = [suffix.lower() for suffix in path.suffixes[-2:]]
    if ends and ends[-1] in _PACKED:
        kind = _KINDS.get(ends[-2]) if len(ends) > 1 else None
        if kind is None or kind == "parquet":
            raise BulkError(f"{path}: what is packed in it has to be named, as in replies.jsonl.gz")
        return kind
    return _KINDS.get(ends[-1], "text") if ends else "text"


def is_packed(path: Path) -> bool:
    """Whether its name says that it is compressed."""
    return path.suffix.lower() in _PACKED


def find_sources(named: Sequence[str]) -> tuple[Kind, list[Source]]:
    """The files that are named, by path, folder or glob, sorted, each once, all of one kind."""
    found: dict[Path, Source] = {}
    for name in named:
        try:
            for path, inside in _expand(name):
                found.setdefault(path.resolve(), _source(path, inside))
        except FileNotFoundError as error:
            raise BulkError(f"{name}: there is no such file") from error
        except (OSError, ValueError) as error:
            raise BulkError(f"{name[:200]!r} can't be read: {error}"[:400]) from error
    sources = sorted(found.values(), key=lambda source: source.path)
    kinds: dict[Kind, Path] = {kind_of(source.path): source.path for source in sources}
    if len(kinds) > 1:
        (one, first), (other, second), *_ = kinds.items()
        raise BulkError(
            f"{first} is {one} and {second} is {other}: a job takes files of one kind; name them "
            f"with a pattern, such as '{first.parent}/*{first.suffix}'"
        )
    return next(iter(kinds)), sources


def _expand(name: str) -> Iterator[tuple[Path, str]]:
    """The files that one name stands for, each with its name below it."""
    path = Path(name)
    if path.is_dir():
        yield from ((file, str(file.relative_to(path))) for file in _in_folder(path))
    elif path.exists() or not glob.has_magic(name):
        yield path, path.name
    else:
        files = [Path(file) for file in glob.glob(name, recursive=True)]  # noqa: PTH207 - ** and a root
        files = [file for file in files if file.is_file()]
        if not files:
            raise BulkError(f"no file matches {name!r}")
        root = _root(Path(name))
        yield from ((file, str(file.relative_to(root))) for file in files)


def _root(pattern: Path) -> Path:
    """The folder that a pattern begins with, before the first part that is a pattern itself."""
    return next(one for one in pattern.parents if not glob.has_magic(str(one)))


def _in_folder(folder: Path) -> list[Path]:
    """The files below a folder that can hold replies; hidden ones and hidden folders are passed."""
    files = [
        file
        for file in sorted(folder.rglob("*"))
        if file.is_file() and not any(p.startswith(".") for p in file.relative_to(folder).parts)
    ]
    tables = [file for file in files if _is_table(file)]
    chosen = tables or [file for file in files if file.suffix.lower() in _TEXTS]
    if not chosen:
        raise BulkError(
            f"{folder} holds no file of replies: they end in {_listed([*_KINDS, *_TEXTS])}; name "
            f"others with a pattern, such as '{folder}/**/*.html'"
        )
    return chosen


def _is_table(file: Path) -> bool:
    ends = [suffix.lower() for suffix in file.suffixes[-2:]]
    last = ends[-2:-1] if ends and ends[-1] in _PACKED else ends[-1:]
    return bool(last) and last[0] in _KINDS


def _listed(endings: Iterable[str]) -> str:
    *first, last = endings
    return f"{', '.join(first)} or {last}"


def _source(path: Path, inside: str) -> Source:
    status = path.stat()
    return Source(path, inside, status.st_size, status.st_mtime_ns)
