"""Reads the plainest TOML quickly: tables of strings and of lists of strings."""

from __future__ import annotations

import re
from typing import Final

from onlytext._regex import regex

_STRING: Final = (
    r'"""[^"\\]*(?:(?:\\.|"{1,2}(?!"))[^"\\]*)*"""|"[^"\\\n]*(?:\\.[^"\\\n]*)*"(?!")'
    r"|'''[^']*(?:'{1,2}(?!')[^']*)*'''|'[^'\n]*'(?!')"
)
_GAP: Final = r"[ \n]*(?:\#[^\n]*\n[ \n]*)*"
_BLANK: Final = r"[ \n]*"
_ESCAPE: Final = regex(r"\\(.)")
_MEANT: Final = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
_ITEM: Final = regex(_STRING)
# A table's head, or a key with its string or its list of strings; each from the start of its line.
_ENTRY: Final = regex(
    rf"{_GAP}(?:\[\[(?P<rows>[a-z]+)\]\]|\[(?P<table>[a-z]+)\]"
    rf"|(?P<key>[a-z_]+) = (?:(?P<string>{_STRING})"
    rf"|\[(?P<list>{_BLANK}(?:(?:{_STRING}){_BLANK},{_BLANK})*(?:(?:{_STRING}){_BLANK})?)\]))[ ]*(?:\n|\Z)",
    re.MULTILINE,
)
_REST: Final = regex(rf"{_GAP}(?:\#[^\n]*)?\Z")


def quick_toml(text: str) -> dict[str, object] | None:
    r"""The table of a file that holds nothing else; none where there is more to it, or a fault.

    >>> quick_toml('[[pattern]]\nid = "a"\nseen = ["b", "c"]\n')
    {'pattern': [{'id': 'a', 'seen': ['b', 'c']}]}
    """
    try:
        return _read(text)
    except KeyError:  # an escape that is not among the plainest
        return None


def _read(text: str) -> dict[str, object] | None:
    top: dict[str, object] = {}
    listed: dict[str, list[object]] = {}
    table: dict[str, object] = top
    at = 0
    while (entry := _ENTRY.match(text, at)) is not None:
        at = entry.end()
        kind = entry.lastgroup
        if kind == "rows":
            name = entry["rows"]
            table = {}
            if name not in listed:
                if name in top:
                    return None
                top[name] = listed[name] = []
            listed[name].append(table)
            continue
        name = entry["table"] if kind == "table" else entry["key"]
        holder = top if kind == "table" else table
        if name in holder:
            return None
        if kind == "table":
            holder[name] = table = {}
        elif kind == "string":
            holder[name] = _plain(entry["string"])
        else:
            holder[name] = [_plain(item) for item in _ITEM.findall(entry["list"])]
    return top if _REST.match(text, at) is not None else None


def _plain(string: str) -> str:
    """What stands between the quotes."""
    size = 3 if string[:3] in ('"""', "'''") else 1
    plain = string[size:-size]
    if size > 1:
        plain = plain.removeprefix("\n")
    if string[0] == '"' and "\\" in plain:
        plain = _ESCAPE.sub(lambda found: _MEANT[found[1]], plain)
    return plain
