"""Which wordings of patterns were audited: an edited pattern is another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from pathlib import Path

    from onlytext._patterns import Pattern

_SUFFIX: Final = ".signed.jsonl"


def signature_file(patterns: Path) -> Path:
    """Where the signatures of a pattern file stand: beside it, `mine.toml` → `mine.signed.jsonl`."""
    return patterns.with_name(patterns.name.removesuffix(".toml") + _SUFFIX)


def digest_of(pattern: Pattern) -> str:
    """What changes when a pattern would decide anything otherwise; its proof and reasons don't count."""
    import hashlib

    told = f"{pattern.id}\0{pattern.hint}\0{pattern.regex}\0{pattern.scope}"
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def signed_digests(signatures: str) -> frozenset[str]:
    """The digests in a file of signatures. Raises `ValueError` or `KeyError` where it is none."""
    import json

    return frozenset(
        cast("dict[str, str]", json.loads(line))["digest"]
        for line in signatures.split("\n")
        if line.strip()
    )
