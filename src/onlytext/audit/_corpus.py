"""Real content, text by text, with the place of each."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from onlytext._regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ROWS: Final = frozenset((".jsonl", ".csv", ".parquet"))
_TEXTS: Final = frozenset((".txt", ".md", ".rst"))
_FENCE: Final = regex(r"(?m)^[^\S\n]*(?:```|~~~)")
_BLANK_LINE: Final = regex(r"\n[^\S\n]*\n\s*")


@dataclass(frozen=True, slots=True)
class Passage:
    """One text of real content: where it stands, its language where that is known, and itself.

    `row` counts from 1; in a text file it is the line on which the text begins.
    """

    file: str
    row: int
    text: str
    language: str | None = None

    @property
    def is_file(self) -> bool:
        """Whether the text is a whole text file, so that its lines are the file's lines."""
        return Path(self.file).suffix in _TEXTS

    @property
    def paragraphs(self) -> list[str]:
        """What blank lines part; a fenced block stays in one piece."""
        parts: list[str] = []
        fenced = False
        for part in _BLANK_LINE.split(self.text.strip("\n")):
            if fenced:
                parts[-1] += f"\n\n{part}"
            elif part.strip():
                parts.append(part)
            fenced ^= len(_FENCE.findall(part)) % 2 == 1
        return parts


def corpus_files(paths: Iterable[Path]) -> list[Path]:
    """The files of a corpus, sorted: those that are named, and those in folders that are named.

    Raises `OnlytextError` where one is missing, of no known kind, or where a folder holds none.
    """
    from onlytext.errors import OnlytextError

    known = _ROWS | _TEXTS
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = [
                one for one in sorted(path.rglob("*")) if one.suffix in known and one.is_file()
            ]
            if not inside:
                raise OnlytextError(
                    f"{path} holds no text: put {', '.join(sorted(known))} files in it"
                )
            found += inside
        elif not path.exists():
            raise OnlytextError(f"{path}: there is no such file or folder")
        elif path.suffix not in known:
            raise OnlytextError(f"{path}: content is read from {', '.join(sorted(known))} files")
        else:
            found.append(path)
    return found


def fingerprint(files: Iterable[Path]) -> str:
    """A name for just these contents, whatever their files are called."""
    digests: list[bytes] = []
    for file in files:
        with file.open("rb") as stream:
            digests.append(hashlib.file_digest(stream, "sha256").digest())
    return hashlib.sha256(b"".join(sorted(digests))).hexdigest()[:24]


def read_corpus(files: Iterable[Path], *, column: str = "text") -> Iterator[Passage]:
    """Each text of the files. A row's language is that of its column `lang` or `language`, if any.

    Raises `OnlytextError` with file and row where a row has no text in `column`.
    """
    for file in files:
        if file.suffix in _TEXTS:
            yield from _whole(file)
        else:
            yield from _column(file, column)


def _whole(file: Path) -> Iterator[Passage]:
    from onlytext._textfile import read_text

    text = read_text(file)
    if text.strip():
        yield Passage(str(file), 1, text)


def _column(file: Path, column: str) -> Iterator[Passage]:
    from onlytext._rows import RowFault, rows_of
    from onlytext.errors import OnlytextError

    for number, row in enumerate(rows_of(file), 1):
        place = f"{file}:{row.line}" if row.line else f"{file}, row {number}"
        if isinstance(row, RowFault):
            raise OnlytextError(f"{place}: {row.said}")
        text = row.fields.get(column)
        if not isinstance(text, str):
            raise OnlytextError(
                f"{place}: there is no text in the column {column!r}: the row has "
                f"{', '.join(row.fields) or 'nothing'}; name the right one with --column"
            )
        language = row.fields.get("lang", row.fields.get("language"))
        if text.strip():
            yield Passage(
                str(file), row.line or number, text, language if isinstance(language, str) else None
            )
