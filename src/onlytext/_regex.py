"""Regexes of our own that are compiled when they are first used, so that an import stays quick."""

from __future__ import annotations

import re
from typing import cast

_METHODS = ("match", "search", "fullmatch", "finditer", "findall", "sub", "split")


class _Lazy:
    """Stands for a compiled regex, and becomes one at its first use."""

    def __init__(self, regex: str, flags: int) -> None:
        self.pattern = regex
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        made = re.compile(self.pattern, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(made, method))
        return getattr(made, name)


def regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    r"""The regex of Python's `re`, compiled when one of its methods is first asked for.

    >>> regex(r"\d+").sub("n", "slide 12")
    'slide n'
    """
    return cast("re.Pattern[str]", _Lazy(pattern, flags))
