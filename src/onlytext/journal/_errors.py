"""What can go wrong with a journal, told to a person, and never with a password in it."""

from __future__ import annotations

from typing import Final

from onlytext._regex import regex
from onlytext.errors import OnlytextError


class JournalError(OnlytextError):
    """A journal that can't be opened, read or written, and what to do about it."""


# What keys and tokens of the usual services look like. Nothing stands behind a repetition, so that a
# message of a hostile server costs no more than its length.
_KEY: Final = regex(
    r"\b(?:sk-[\w-]{16,}|[Bb]earer\s+[\w.~+/-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}"
    r"|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|hf_\w{20,}"
    r"|gsk_\w{20,}|eyJ[\w-]{20,}[\w.-]*)"
)
_PASSWORD: Final = regex(r"(?P<before>://[^/\s:@]*:)[^/\s]+@")
_SETTING: Final = regex(r"(?i)(?P<before>pass(?:word|wd)?\s*=\s*)[^\s&;]+")


def masked(text: str) -> str:
    """The text with `***` for whatever looks like a key, a token or a password."""
    told = _KEY.sub("***", text)
    told = _PASSWORD.sub(r"\g<before>***@", told)
    return _SETTING.sub(r"\g<before>***", told)
