"""The options of a provider: read from the job's `[provider.NAME]` table, each with its type."""

from __future__ import annotations

import importlib.util
import os
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import urlsplit

from onlytext.providers._protocol import ProviderError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_T = TypeVar("_T", bound=str)
_WORDS: Final = {str: "a string in quotes", bool: "true or false", int: "a whole number"}


class Options:
    """The options of one provider; what is wrong with them is said with table and key."""

    def __init__(
        self,
        provider: str,
        given: Mapping[str, str | int | float | bool],
        *,
        known: Iterable[str],
    ) -> None:
        self._table = f"[provider.{provider}]"
        self._given = given
        names = sorted(known)
        for key in given:
            if key not in names:
                near = get_close_matches(key, names, n=1)
                mend = f"write {near[0]}" if near else f"the keys are {', '.join(names)}"
                raise self.fault(f"has no key {key}: {mend}")

    def fault(self, sentence: str) -> ProviderError:
        """The error that says what is wrong in this table."""
        return refused(f"{self._table} {sentence}")

    def text(self, key: str, default: str | None = None) -> str | None:
        """The string under a key."""
        return self._typed(key, str, default)

    def flag(self, key: str, *, default: bool) -> bool:
        """The true or false under a key."""
        return self._typed(key, bool, default) is True

    def number(self, key: str, default: int, *, least: int) -> int:
        """The whole number under a key."""
        number = self._typed(key, int, default)
        if number is None or isinstance(number, bool) or number < least:
            raise self.fault(f"{key}: write a whole number from {least} up, not {number!r}")
        return number

    def one_of(self, key: str, words: tuple[_T, ...], default: _T) -> _T:
        """The one of these words that stands under a key."""
        word = self.text(key, default)
        for known in words:
            if word == known:
                return known
        raise self.fault(f"{key}: write one of {', '.join(words)}, not {word!r}")

    def url(self, key: str) -> str | None:
        """The URL under a key, which may hold no name and password."""
        url = self.text(key)
        if url is None:
            return None
        try:
            parts = urlsplit(url)
        except ValueError as error:
            raise self.fault(f"{key}: {url!r} is no URL") from error
        if parts.username is not None or parts.password is not None:
            raise self.fault(f"{key}: a URL here holds no name and password: take them out of it")
        if parts.scheme not in {"http", "https"} or not parts.netloc:
            raise self.fault(f'{key}: write a URL like "http://127.0.0.1:8000/v1", not {url!r}')
        return url

    def _typed(self, key: str, kind: type[_Given], default: _Given | None) -> _Given | None:
        value = self._given.get(key, default)
        if value is None or isinstance(value, kind):
            return value
        raise self.fault(f"{key}: write {_WORDS[kind]}, not {value!r}")


_Given = TypeVar("_Given", str, bool, int)


def refused(message: str) -> ProviderError:
    """The error for what can't work, whatever the server says."""
    return ProviderError(message, fault="bad_request", again=False)


def need_package(package: str, *, provider: str, extra: str) -> None:
    """Raise a sentence that says what to install where the package is not there."""
    if importlib.util.find_spec(package) is None:
        raise refused(
            f"the provider {provider} needs the package {package}, which is not installed: "
            f"pip install 'onlytext[{extra}]'"
        )


def key_from(variable: str, *, provider: str) -> str | None:
    """The key in this variable of the environment; None where there is none.

    Blanks around it are dropped: a key that was read from a file often ends in a line end.
    """
    key = os.environ.get(variable, "").strip()
    if not key:
        return None
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise no_key(
            f"the key in {variable} for the provider {provider} has blanks or signs in it that no "
            f"key has: set it again"
        )
    return key


def no_key(message: str) -> ProviderError:
    """The error for a key that is missing or can't be one."""
    return ProviderError(message, fault="authentication", again=False)
