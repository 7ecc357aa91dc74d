"""What the prompts say, read from `wording/*.toml`, one file for each language."""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Final, cast, final

from onlytext._regex import regex
from onlytext._template import Template

if TYPE_CHECKING:
    from collections.abc import Mapping

FALLBACK: Final = "en"
LANGUAGE: Final = regex(r"[^\W\d_][\w .()'’-]{1,39}")
"""What a language may be called: a code such as `fr` or `pt-BR`, or its name in English."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Wording:
    """The sentences of one language, by the names of their tables and keys."""

    name: str
    texts: Mapping[str, str]
    lists: Mapping[str, tuple[str, ...]]

    def say(self, key: str, **values: str) -> str:
        """The sentence under a key, with its fields filled in."""
        return Template.read(self.texts[key]).fill(values.__getitem__)

    def list(self, key: str) -> tuple[str, ...]:
        """The texts under a key that has several."""
        return self.lists[key]


@functools.cache
def languages() -> tuple[str, ...]:
    """The codes of the languages that have a file of their own."""
    folder = resources.files("onlytext") / "wording"
    names = sorted(entry.name for entry in folder.iterdir())
    return tuple(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def wording_for(language: str | None) -> Wording:
    """The sentences in the language, or in English where it has no file."""
    code = _code(language)
    return _read(code if code in languages_known() else FALLBACK)


def language_name(language: str | None) -> str | None:
    """What the prompts call the language; a name that has no code here stands as it is."""
    if language is None:
        return None
    code = _code(language)
    own = _read(code).name if code in languages_known() else None
    name = own or _read(FALLBACK).texts.get(f"languages.{code}")
    if name is None:
        return language
    return name if code == language.lower() else f"{name} ({language})"


@functools.cache
def languages_known() -> frozenset[str]:
    """`languages()`, read once."""
    return frozenset(languages())


def _code(language: str | None) -> str:
    """The part of a language's code that names the language: `fr` of `fr-CA`."""
    return (language or FALLBACK).replace("_", "-").partition("-")[0].lower()


@functools.cache
def _read(code: str) -> Wording:
    file = resources.files("onlytext") / "wording" / f"{code}.toml"
    table = tomllib.loads(file.read_text("utf-8"))
    texts: dict[str, str] = {}
    lists: dict[str, tuple[str, ...]] = {}
    for key, value in _flat(table):
        if isinstance(value, str):
            texts[key] = value
        else:
            lists[key] = tuple(cast("list[str]", value))
    return Wording(texts["name"], texts, lists)


def _flat(table: Mapping[str, object], above: str = "") -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            found += _flat(cast("dict[str, object]", value), f"{above}{key}.")
        else:
            found.append((above + key, value))
    return found
