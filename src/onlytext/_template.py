"""A text with `{fields}` in it, filled in without ever evaluating what it is filled with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from collections.abc import Callable


@final
@dataclass(frozen=True, slots=True)
class Template:
    """A text in parts: each odd one is the name of a field. `{{` and `}}` stand for single braces.

    >>> Template.read("Write about {topic} in {{braces}}.").fill({"topic": "bread"}.__getitem__)
    'Write about bread in {braces}.'
    """

    parts: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> Template:
        """The template of a text. Raises `ValueError` that says which brace is wrong, and where."""
        parts, plain, at = list[str](), "", 0
        while at < len(text):
            char = text[at]
            if char in "{}" and text[at : at + 2] == char * 2:
                plain += char
                at += 2
            elif char == "{":
                stop = text.find("}", at)
                name = text[at + 1 : stop] if stop > 0 else ""
                if not name.strip() or "{" in name or "\n" in name:
                    raise ValueError(f"{_place(text, at)}: write {{name}}, or {{{{ for a brace")
                parts += [plain, name.strip()]
                plain, at = "", stop + 1
            elif char == "}":
                raise ValueError(f"{_place(text, at)}: write }}}} for a brace")
            else:
                stop = min(_find(text, "{", at), _find(text, "}", at))
                plain += text[at:stop]
                at = stop
        return cls((*parts, plain))

    @property
    def fields(self) -> tuple[str, ...]:
        """The names in it, each once, in the order in which they come."""
        return tuple(dict.fromkeys(self.parts[1::2]))

    def fill(self, value_of: Callable[[str], str]) -> str:
        """The text with what `value_of` says for each name; braces in a value mean nothing."""
        filled = [part if at % 2 == 0 else value_of(part) for at, part in enumerate(self.parts)]
        return "".join(filled)


def _find(text: str, sign: str, start: int) -> int:
    found = text.find(sign, start)
    return len(text) if found < 0 else found


def _place(text: str, at: int) -> str:
    line = text.count("\n", 0, at) + 1
    shown = text[at:].split("\n", maxsplit=1)[0][:20]
    return f"the brace in line {line} at {shown!r} is no field"
