"""Keys and passwords in a job: they are refused, and never repeated in an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from onlytext._regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_NAMES: Final = frozenset(
    {
        "key",
        "apikey",
        "token",
        "secret",
        "password",
        "passwd",
        "passphrase",
        "bearer",
        "authorization",
        "credential",
        "credentials",
    }
)
_ENDINGS: Final = (
    "apikey",
    "authtoken",
    "accesstoken",
    "bearertoken",
    "secret",
    "secretkey",
    "accesskey",
    "privatekey",
    "password",
    "passwd",
)
# What keys and tokens of the usual services look like, wherever they stand in a text.
_KEY: Final = regex(
    r"(?<![\w-])(?:"
    r"sk-[\w-]{16,}|[Bb]earer\s+[\w.~+/-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}"
    r"|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|hf_\w{20,}|gsk_\w{20,}|r8_\w{20,}"
    r"|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*"
    r")|-----BEGIN [A-Z ]*PRIVATE KEY-----|://[^/\s:@]*:[^/\s:@]+@"
)
# An option of a provider that is one long word of letters and digits.
_RANDOM: Final = regex(r"(?=\S*[A-Za-z])(?=\S*\d)[A-Za-z0-9_+=-]{32,}")
_SAID: Final = (
    "a key, password or token has no place in a job file: take it out, and put it in the "
    "environment variable ({where})"
)
_KNOWN: Final = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}


def secret_faults(
    options: Mapping[str, object], provider: str | None = None
) -> Iterator[tuple[str, str]]:
    """Each key of a table that is called like a secret or whose value looks like one."""
    where = _KNOWN.get(provider or "", "the one that the provider's page names")
    for key, value in options.items():
        if _is_called(key) or (
            isinstance(value, str)
            and (_looks(value) or (provider is not None and _RANDOM.fullmatch(value) is not None))
        ):
            yield key, _SAID.format(where=where)


def _is_called(key: str) -> bool:
    plain = "".join(char for char in key.casefold() if char.isalnum())
    return plain in _NAMES or plain.endswith(_ENDINGS)


def _looks(value: str) -> bool:
    return _KEY.search(value) is not None
