"""One item of a run as the page shows it: its replies, its draft, its record."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext._visible import runs
from onlytext.review._differences import differences
from onlytext.review._marked import kept_of, shortened, stretches_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from onlytext.journal import Call, Cleaning, Told
    from onlytext.review._differences import Part
    from onlytext.review._marked import Stretch

# Where a job has no language of its own, its briefs may name one for each item.
_LANGUAGE_FIELDS: Final = ("language", "lang")
_LANGUAGE: Final = re.compile(r"[^\W\d_][\w .()'’-]{1,39}")
_NAME: Final = 80
# What stands for the number in the name of sections of which there are several.
_NUMBER: Final = "{n}"
# No text has these once its hidden characters are signs, so they can stand round each sign.
_SIGN_FROM, _SIGN_TO = "\ue000", "\ue001"


class Leak(NamedTuple):
    """A kind of leak: a reason, and the pattern's id where one decided."""

    reason: str
    pattern: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A reply, what became of it, and how it differs from the draft that was to be checked.

    `is_refused`: the reply came whole, and no text could be told apart in it.
    """

    call: Call
    outcome: str
    cause: str | None
    stretches: Sequence[Stretch]
    leaks: frozenset[Leak]
    doubts: tuple[str, ...]
    is_refused: bool
    draft: str | None
    changes: Sequence[Part] | None

    @property
    def is_leaking(self) -> bool:
        """Whether it held more than the text."""
        return bool(self.leaks) or self.is_refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An item with all that a person looks at."""

    told: Told
    status: str
    cause: str | None
    language: str
    replies: tuple[Seen, ...]
    doubts: tuple[str, ...]

    @property
    def leaks(self) -> frozenset[Leak]:
        """All kinds of leak in its replies."""
        return frozenset[Leak]().union(*(reply.leaks for reply in self.replies))


def entry_of(told: Told, *, language: str | None, draft_field: str) -> Entry:
    """What the page shows of an item; `language` is the job's."""
    cleanings = {one.call: one for one in told.cleanings}
    given = told.item.brief.get(draft_field)
    draft = given if isinstance(given, str) else None
    replies: list[Seen] = []
    for call in told.calls:
        cleaning = cleanings.get(call.key)
        replies.append(_seen(call, cleaning, draft if call.part == "validate" else None))
        if call.part == "generate" and cleaning is not None and cleaning.outcome != "refused":
            draft = kept_of(call.text, cleaning.removals)
    outcome = told.outcome
    doubts = [one.reason for one in outcome.doubts] if outcome is not None else []
    doubts += [reason for reply in replies for reason in reply.doubts]
    return Entry(
        told=told,
        status="open" if outcome is None else outcome.status,
        cause=None if outcome is None else outcome.cause,
        language=_language(told, language),
        replies=tuple(replies),
        doubts=tuple(dict.fromkeys(doubts)),
    )


def _seen(call: Call, cleaning: Cleaning | None, draft: str | None) -> Seen:
    removals = () if cleaning is None else cleaning.removals
    outcome = "open" if cleaning is None else cleaning.outcome
    kept = kept_of(call.text, removals)
    is_compared = draft is not None and outcome not in {"open", "refused"}
    return Seen(
        call=call,
        outcome=outcome,
        cause=None if cleaning is None else cleaning.cause,
        stretches=stretches_of(call.text, cleaning),
        leaks=frozenset(Leak(one.reason, one.pattern or "") for one in removals if one.leak),
        doubts=() if cleaning is None else tuple(one.reason for one in cleaning.doubts),
        is_refused=outcome == "refused"
        and bool(call.text.strip())
        and call.stop in {"end", "stop_sequence"},
        draft=draft,
        changes=differences(draft, kept) if draft is not None and is_compared else None,
    )


def _language(told: Told, language: str | None) -> str:
    known = next((call.language for call in told.calls if call.language), language)
    if known:
        return known
    named = (told.item.brief.get(field) for field in _LANGUAGE_FIELDS)
    return next((name for name in named if isinstance(name, str) and _LANGUAGE.fullmatch(name)), "")


# ---------------------------------------------------------------- for the page


def shown(text: str) -> str:
    r"""The text with a sign for each character that must not act, between two marks for the page.

    >>> shown("a\x1bb")
    'a\ue000␛\ue001b'
    """
    if text.isascii() and text.isprintable():
        return text
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(
        f"{_SIGN_FROM}{run.text}{_SIGN_TO}" if run.is_sign else run.text for run in runs(text)
    )


def name_of(entry: Entry) -> str:
    """What the item is called: its id, or else the first words of its brief."""
    item = entry.told.item
    if item.id is not None:
        return shown(item.id[:_NAME])
    first = next((value for value in item.brief.values() if isinstance(value, str)), "")
    return shown(" ".join(first.split())[:_NAME])


def as_json(entry: Entry) -> dict[str, object]:
    """The item as the page's script reads it."""
    outcome = entry.told.outcome
    record = None if outcome is None else outcome.record
    return {
        "cause": shown(entry.cause or ""),
        "replies": [_reply_as_json(reply) for reply in entry.replies],
        "record": _fields(record) if record else [],
        "text": _short(outcome.text) if outcome is not None and outcome.text and not record else "",
        "brief": _fields(entry.told.item.brief),
        "doubts": [shown(reason) for reason in entry.doubts],
        "failures": [
            [one.fault, round(one.seconds, 2), shown(one.message[:400])]
            for one in entry.told.failures
        ],
    }


def _reply_as_json(reply: Seen) -> dict[str, object]:
    call, changes = reply.call, reply.changes
    return {
        "part": call.part,
        "ask": call.ask,
        "model": shown(call.answered_by or call.request.model),
        "stop": call.stop,
        "seconds": round(call.seconds, 2),
        "outcome": reply.outcome,
        "cause": shown(reply.cause or ""),
        "marks": [
            [one.fate, shown(one.text), one.reason, one.pattern]
            if one.reason
            else [one.fate, shown(one.text)]
            for one in reply.stretches
        ],
        "draft": None if reply.draft is None else _draft(reply.draft, changes),
        "compared": changes is not None,
    }


def _draft(draft: str, changes: Sequence[Part] | None) -> list[list[str]]:
    if changes is None:
        return [["both", _short(draft)]]
    return [[part.side, shown(part.text)] for part in changes]


def _short(text: str) -> str:
    return "".join(
        f"{_SIGN_FROM}… {part.text} …{_SIGN_TO}" if part.fate == "gap" else shown(part.text)
        for part in shortened(text)
    )


def _fields(table: Mapping[str, object]) -> list[list[str]]:
    """The fields of a record or brief, a field with several values as so many, in their order."""
    found: list[list[str]] = []
    for name, value in table.items():
        values: list[object] = list(value) if isinstance(value, list | tuple) else [value]  # pyright: ignore[reportUnknownArgumentType]
        for number, one in enumerate(values, 1):
            text = one if isinstance(one, str) else json.dumps(one, ensure_ascii=False)
            found.append([shown(name.replace(_NUMBER, str(number))), _short(text)])
    return found
