"""Cleans the strings inside a value: a dict, a list, a dataclass, a pydantic model."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Generic, TypeVar, cast

from onlytext._clean import clean
from onlytext._format import Text
from onlytext._reply import Doubt
from onlytext._shape import below, parts_of, with_parts
from onlytext.errors import OnlytextError, Refused

if TYPE_CHECKING:
    from onlytext._patterns import Patterns
    from onlytext._reply import Outcome, Removal

T = TypeVar("T")
_PLAIN: Final = Text()
_DEEPEST: Final = 100
_KINDS: Final = "a str, dict, list, tuple, set, dataclass or pydantic model"


@dataclass(frozen=True, slots=True)
class FieldRemoval:
    """What was dropped from the string at `path`, such as `slides[2].body`."""

    path: str
    removal: Removal


@dataclass(frozen=True, slots=True)
class FieldDoubt:
    """What may be wrong with the string at `path`, and was left as it is."""

    path: str
    doubt: Doubt


@dataclass(frozen=True, slots=True)
class CleanFields(Generic[T]):
    """A value of which every string holds only its text, with an account of what was dropped.

    Where nothing was, `value` is the very object that came, not a copy of it.
    """

    value: T
    outcome: Outcome
    removals: tuple[FieldRemoval, ...]
    doubts: tuple[FieldDoubt, ...]


def clean_fields(
    value: T,
    *,
    draft: object = None,
    prompt: str | None = None,
    patterns: Patterns | None = None,
) -> CleanFields[T]:
    """The value, each string in it cleaned as plain text, at any depth.

    It looks into dicts, lists, tuples, sets, dataclasses and pydantic models, and leaves keys,
    enum members, blank strings and everything else alone. `draft` is a value of the same shape,
    or of a part of it: each string is compared with its counterpart, in lists of equal length by
    its place.

    Raises `Refused` for a string that holds no text, its message beginning with the path, and
    `ParseError` where a model does not accept what is left of a string.
    """
    if not isinstance(value, str | int | float | None) and parts_of(value) is None:
        raise TypeError(f"clean_fields() takes {_KINDS}, not {type(value).__name__}")
    if draft is not None and isinstance(value, str) != isinstance(draft, str):
        raise TypeError(
            f"the draft of a {type(value).__name__} has its shape, and can't be a "
            f"{type(draft).__name__}; a text that the model was sent is the prompt"
        )
    sweep = _Sweep(prompt, patterns)
    cleaned = sweep.clean(value, draft, "")
    return CleanFields(
        cast("T", cleaned),
        "untouched" if cleaned is value else "cleaned",
        tuple(sweep.removals),
        tuple(sweep.doubts),
    )


class _Sweep:
    """One walk through a value, and what it found."""

    def __init__(self, prompt: str | None, patterns: Patterns | None) -> None:
        self.removals: list[FieldRemoval] = []
        self.doubts: list[FieldDoubt] = []
        self._prompt = prompt
        self._patterns = patterns
        self._around: list[int] = []

    def clean(self, value: object, draft: object, path: str) -> object:
        """The value itself where nothing in it changes, else one of the same shape."""
        if isinstance(value, str) and not isinstance(value, Enum):
            return self._clean_text(value, draft if isinstance(draft, str) else None, path)
        parts = parts_of(value)
        if parts is None:
            return value
        if id(value) in self._around:
            raise OnlytextError(f"{path} is a part of itself: clean a value that ends somewhere")
        if len(self._around) == _DEEPEST:
            raise OnlytextError(f"{path} lies more than {_DEEPEST} levels deep: clean it by itself")
        drafts = parts_of(draft) or {}
        if issubclass(type(value), list | tuple) and len(drafts) != len(parts):
            drafts = {}  # which of them belongs to which is anyone's guess
        self._around.append(id(value))
        changed: dict[object, object] = {}
        for step, part in parts.items():
            cleaned = self.clean(part, drafts.get(step), below(path, step))
            if cleaned is not part:
                changed[step] = cleaned
        self._around.pop()
        return with_parts(value, changed, path) if changed else value

    def _clean_text(self, text: str, draft: str | None, path: str) -> str:
        if not text.strip():
            if draft and draft.strip():
                missing = Doubt(0, 0, "", "the draft has a text here, and the reply has none")
                self.doubts.append(FieldDoubt(path, missing))
            return text
        try:
            cleaned = clean(text, _PLAIN, draft=draft, prompt=self._prompt, patterns=self._patterns)
        except Refused as refusal:
            raise _at(path, refusal) from refusal
        self.removals += [FieldRemoval(path, removal) for removal in cleaned.removals]
        self.doubts += [FieldDoubt(path, doubt) for doubt in cleaned.doubts]
        # What is left around a removal is blank lines, of no use in a field.
        return text if cleaned.text == text else cleaned.text.strip()


def _at(path: str, refusal: Refused) -> Refused:
    where = f"{path}: " if path else ""
    return type(refusal)(
        f"{where}{refusal.why}",
        reply=refusal.reply,
        evidence=refusal.evidence,
        retry=f"{where}{refusal.retry}",
    )
