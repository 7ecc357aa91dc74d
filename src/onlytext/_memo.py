"""What was looked up once, word by word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")
# Past so many different words each new one is looked up each time, and so is a very long one.
_MOST: Final = 50_000
_LONGEST: Final = 64


class Memo(dict[str, _T]):
    """What a function gives for a word, asked for once.

    >>> sizes = Memo(len)
    >>> sizes["bread"], sizes
    (5, {'bread': 5})
    """

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[str], _T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, word: str) -> _T:
        value = self._make(word)
        if len(self) < _MOST and len(word) <= _LONGEST:
            self[word] = value
        return value
