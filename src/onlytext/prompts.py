"""Layer 1: the prompts of both passes, made from a format, rules and a language.

They ask for the text alone in the way that leaks least: what stays the same from item to item
stands in `system`, before the text; what comes from outside stands last, between tags whose name
holds a code that does not occur in it, so that nothing in it can close them. Equal inputs give
equal prompts. Nothing here is trusted to work: every reply still goes through `clean()`.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, final

from onlytext._format import Marker, Sections, Text
from onlytext._spelling import Named, confusions
from onlytext._wording import Wording, language_name, wording_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CODE: Final = 8
_SHOWN: Final = 2
"""How many sections of a numbered marker an example has, where the format leaves it open."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Hardening:
    """How hard the prompts ask for the text alone.

    `plain` asks as most people would, in a sentence or two: it is there to be compared with.
    `sentinel` asks for a last line such as `[END]`, `notes` allows remarks below a marker of their
    own (measured: it can make leaks more frequent), `example` shows the form once.
    """

    level: Literal["plain", "hardened"] = "hardened"
    sentinel: bool = True
    notes: bool = False
    example: bool = True


HARDENED: Final = Hardening()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What is sent: `system` is the same for all items of a job, `user` differs."""

    system: str
    user: str


def sent_format(
    format: Sections | Text, *, language: str | None = None, hardening: Hardening = HARDENED
) -> Sections | Text:
    """The format that the prompts ask for: the declared one, with an end sentinel and a notes marker.

    They are added where the hardening asks for them and the format declares none; the reply to
    such a prompt is cleaned with this format.
    """
    if hardening.level == "plain":
        return format
    words = wording_for(language)
    end, notes = format.end, format.notes
    if hardening.sentinel and end is None:
        end = _free(words.list("end"), format, notes)
    if hardening.notes and notes is None:
        notes = _free(words.list("notes"), format, end)
    if (end, notes) == (format.end, format.notes):
        return format
    if isinstance(format, Text):
        return Text(start=format.start, end=end, notes=notes)
    return Sections(*format.markers, start=format.start, end=end, notes=notes)


def generation_prompt(
    format: Sections | Text,
    *,
    task: str,
    language: str | None = None,
    hardening: Hardening = HARDENED,
) -> Prompt:
    """The prompt that asks for a text; `format` is what `sent_format` gives.

    `task` stands as it is: what of it comes from outside is put between tags by the caller.
    """
    words = wording_for(language)
    if hardening.level == "plain":
        form = "\n".join(_plain_form(words, format, "generation_only"))
        return Prompt(system="", user=f"{task}\n\n{form}")
    return Prompt(system=_generation_system(format, language, hardening), user=task)


def validation_prompt(
    format: Sections | Text,
    *,
    rules: Sequence[str],
    draft: str,
    language: str | None = None,
    hardening: Hardening = HARDENED,
) -> Prompt:
    """The prompt that asks for a draft, corrected; `format` is what `sent_format` gives."""
    words = wording_for(language)
    if hardening.level == "plain":
        head = [words.say("plain.validation"), *_listed(rules), ""]
        tail = [*_plain_form(words, format, "validation_only"), "", words.say("plain.text"), draft]
        return Prompt(system="", user="\n".join([*head, *tail]))
    tag = tag_for("draft", draft)
    system = _validation_system(format, tuple(rules), language, hardening)
    return Prompt(system=system, user=f"<{tag}>\n{draft}\n</{tag}>")


def again_prompt(user: str, sentence: str, *, language: str | None = None) -> str:
    """The message with the reason why an earlier reply to it was of no use, before the text."""
    return f"{wording_for(language).say('again.frame', sentence=sentence)}\n\n{user}"


def tag_for(name: str, content: str) -> str:
    """A tag's name with a code that is made from the content and does not occur in it.

    >>> tag_for("draft", "Bread") == tag_for("draft", "Bread")
    True
    """
    return f"{name}-{_code(content, _CODE)}"


def _code(content: str, digits: int) -> str:
    """So many digits that the content decides on and does not hold."""
    data, folded = content.encode("utf-8", "surrogatepass"), content.casefold()
    codes = (hashlib.sha256(b"%d " % number + data).hexdigest() for number in itertools.count())
    return next(code[:digits] for code in codes if code[:digits] not in folded)


# ---------------------------------------------------------------- the constant part


@functools.lru_cache(32)
def _generation_system(format: Sections | Text, language: str | None, hardening: Hardening) -> str:
    words = wording_for(language)
    name = language_name(language)
    blocks = [
        [words.say("role.generation"), words.say("data.fields")],
        [words.say("language.write", language=name)] if name else [],
        [*_form(words, format, "exact_markers")],
        _example(words, format, "generation") if hardening.example else [],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


@functools.lru_cache(32)
def _validation_system(
    format: Sections | Text, rules: tuple[str, ...], language: str | None, hardening: Hardening
) -> str:
    words = wording_for(language)
    name = language_name(language)
    said = words.say("language.keep", language=name) if name else words.say("language.same")
    blocks = [
        [words.say("role.validation"), words.say("data.draft")],
        [words.say("rules.head"), *_listed(rules), words.say("rules.keep"), said],
        [*_form(words, format, "keep_markers")],
        _example(words, format, "validation") if hardening.example else [],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _listed(rules: Sequence[str]) -> Iterator[str]:
    for number, rule in enumerate(rules, start=1):
        yield f"{number}. " + rule.strip().replace("\n", "\n   ")


def _form(words: Wording, format: Sections | Text, about_markers: str) -> Iterator[str]:
    yield words.say("form.head")
    if format.start is not None:
        yield "- " + words.say("form.start", start=format.start)
    elif isinstance(format, Text):
        yield "- " + words.say("form.first_word")
    elif (first := _first(format)) is not None:
        yield "- " + words.say("form.first_marker", marker=first)
    if isinstance(format, Sections):
        yield "- " + words.say("form.markers")
        yield from (f"  - {_count(words, marker)}" for marker in format.markers)
        yield "- " + words.say(f"form.{about_markers}")
    if format.notes is not None:
        yield "- " + words.say("form.notes", notes=format.notes)
    yield "- " + words.say("form.only")
    if format.end is not None:
        yield "- " + words.say("form.end", end=format.end)
    elif isinstance(format, Text):
        yield "- " + words.say("form.last_word")


def _first(format: Sections) -> str | None:
    """The marker that every text of the format starts with; none where the first may be missing."""
    marker = format.markers[0]
    return None if marker.optional else marker.at(1)


def _count(words: Wording, marker: Marker) -> str:
    first, second = marker.at(1), marker.at(2)
    if not marker.numbered or marker.max == 1:
        return words.say("count.once_or_none" if marker.optional else "count.once", first=first)
    least, most = marker.min, marker.max
    if least is not None and least == most:
        said = words.say("count.exactly", first=first, last=marker.at(least), count=str(least))
    else:
        kind = "between" if least and most else "least" if least else "most" if most else "any"
        said = words.say(f"count.{kind}", first=first, second=second, min=str(least), max=str(most))
    return words.say("count.or_none", count=said) if marker.optional else said


# ---------------------------------------------------------------- the example


def example_of(
    format: Sections | Text, *, language: str | None = None, before: bool = False
) -> str:
    """A short text in the format; `before` gives it with the fault that the example's rule forbids."""
    return _example_text(wording_for(language), format, before=before)


def example_bodies(format: Sections | Text, *, language: str | None = None) -> frozenset[str]:
    """What stands in the example's sections, or its whole text: a model that returns it copied it."""
    words = wording_for(language)
    if isinstance(format, Text):
        return frozenset(_example_text(words, format, before=before) for before in (False, True))
    return frozenset((*words.list("example.bodies"), words.say("example.before")))


def _example(words: Wording, format: Sections | Text, kind: str) -> list[str]:
    reply = _whole(format, _example_text(words, format, before=False))
    if kind == "generation":
        return [words.say("example.generation"), reply]
    draft = _example_text(words, format, before=True)
    tag = tag_for("draft", draft)
    return [
        words.say("example.validation"),
        words.say("example.draft"),
        f"<{tag}>\n{draft}\n</{tag}>",
        words.say("example.reply"),
        reply,
    ]


def _example_text(words: Wording, format: Sections | Text, *, before: bool) -> str:
    bodies = [*words.list("example.bodies")]
    first = words.say("example.before") if before else bodies[0]
    if isinstance(format, Text):
        return f"{first} {bodies[1]}"
    markers = [name for marker in format.markers for name in _example_markers(marker)]
    texts = [first, *(bodies[at % len(bodies)] for at in range(1, len(markers)))]
    return "\n\n".join(f"{name}\n{text}" for name, text in zip(markers, texts, strict=True))


def _example_markers(marker: Marker) -> list[str]:
    if not marker.numbered:
        return [marker.at(1)]
    shown = max(marker.min or 1, min(_SHOWN, marker.max or _SHOWN))
    return [marker.at(number) for number in range(1, shown + 1)]


def _whole(format: Sections | Text, text: str) -> str:
    """The text as the reply has it, with the words that open and close it."""
    parts = [*([format.start] if format.start is not None else ()), text]
    parts += [format.end] if format.end is not None else []
    return "\n".join(parts)


# ---------------------------------------------------------------- the plain prompts


def _plain_form(words: Wording, format: Sections | Text, only: str) -> Iterator[str]:
    if isinstance(format, Sections):
        if only == "generation_only":
            yield words.say("plain.form")
            for marker in format.markers:
                yield from (f"{name}\n..." for name in _example_markers(marker))
        yield words.say(f"plain.{only}")
    else:
        yield words.say("plain.form_text" if only == "generation_only" else f"plain.{only}")
    channels = (("start", format.start), ("end", format.end), ("notes", format.notes))
    for key, spelling in channels:
        if spelling is not None:
            yield words.say(f"form.{key}", **{key: spelling})


def _free(candidates: tuple[str, ...], format: Sections | Text, other: str | None) -> str:
    """The first candidate that no marker of the format can be taken for."""
    markers = format.markers if isinstance(format, Sections) else ()
    taken = [spelling for marker in markers for spelling in marker.spellings]
    taken += [one for one in (format.start, format.end, format.notes, other) if one is not None]
    named = [Named(0, "marker", spelling) for spelling in taken]
    others = (f"[{'X' * length}]" for length in itertools.count(3))
    return next(
        candidate
        for candidate in itertools.chain(candidates, others)
        if all(not any(confusions([Named(1, "word", candidate), one])) for one in named)
    )
