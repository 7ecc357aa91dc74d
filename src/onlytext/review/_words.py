"""What the page says, read from `words/*.toml`, one file for each language."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

Words = dict[str, str]


def languages() -> tuple[str, ...]:
    """The codes of the languages that the page can be in."""
    folder = resources.files("onlytext.review") / "words"
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir()))


def words_in(language: str) -> Words:
    """All that the page says in one of the languages, by key."""
    file = resources.files("onlytext.review") / "words" / f"{language}.toml"
    table: Mapping[str, object] = tomllib.loads(file.read_text("utf-8"))
    return {key: str(value) for key, value in table.items()}
