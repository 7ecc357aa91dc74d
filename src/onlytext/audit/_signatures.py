"""Which patterns were run over real content: an append-only file of signatures."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, cast

from onlytext._patterns import SIGNATURES
from onlytext._signed import digest_of
from onlytext.errors import PatternError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from onlytext._patterns import Pattern


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """That a pattern, in just this wording, hit nothing in a corpus.

    `digest` is the pattern's, `corpus` the fingerprint of what it was run over, with how many
    `texts`, `paragraphs`, and paragraphs of its language with the first word of its hint
    (`with_hint`); `judged` counts the hits that a person called harmless.
    """

    pattern: str
    digest: str
    corpus: str
    texts: int
    paragraphs: int
    with_hint: int
    judged: int
    date: str


def catalogue_signatures() -> Path:
    """Where the signatures of the built-in catalogue stand."""
    return Path(str(resources.files("onlytext") / "patterns" / SIGNATURES))


def read_signatures(file: Path) -> dict[str, Signature]:
    """The signatures of a file by digest, the last one of each; none where there is no file.

    Raises `PatternError` with file and line where a line is no signature.
    """
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise PatternError(f"{file} can't be read: {error}") from error
    found: dict[str, Signature] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = cast("dict[str, str]", json.loads(line))
            signature = Signature(
                pattern=str(row["pattern"]),
                digest=str(row["digest"]),
                corpus=str(row["corpus"]),
                texts=int(row["texts"]),
                paragraphs=int(row["paragraphs"]),
                with_hint=int(row["with_hint"]),
                judged=int(row["judged"]),
                date=str(row["date"]),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise PatternError(
                f"{file}:{number}: this line is no signature ({error!r}): take it out, and sign "
                "again with onlytext audit --sign"
            ) from error
        found[signature.digest] = signature
    return found


def add_signatures(file: Path, signatures: Iterable[Signature]) -> int:
    """Write signatures that the file does not hold yet to its end; how many those were.

    What stands there stays: the file tells when each wording of a pattern was audited.
    """
    held = read_signatures(file)
    new = [
        one for one in signatures if one.digest not in held or held[one.digest].corpus != one.corpus
    ]
    if new:
        lines = "".join(json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in new)
        try:
            with file.open("a", encoding="utf-8", newline="\n") as stream:
                stream.write(lines)
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise PatternError(
                f"{file} can't be written: {error.strerror or error}: the patterns stay unsigned"
            ) from error
    return len(new)


def unsigned(rows: Iterable[Pattern], file: Path) -> tuple[Pattern, ...]:
    """The patterns of which no signature holds, since they were never audited or edited later."""
    held = read_signatures(file)
    return tuple(row for row in rows if digest_of(row) not in held)
