"""The code rules of a job: what can be checked of a text free of charge."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast, final

import re2

from onlytext._format import Sections, Text
from onlytext.pipeline._words import Folded, count_characters, count_words, fold_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Protocol

    from onlytext._reply import Clean, Section

    class _Found(Protocol):
        """Where a regex matches."""

        def group(self) -> str | None: ...

    class _Regexp(Protocol):
        """A compiled regex."""

        def search(self, text: str, /) -> _Found | None: ...


_LEAST: Final = ("min_words", "min_characters", "min_sections")
_MOST: Final = ("max_words", "max_characters", "max_sections")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A code rule that a text breaks.

    `section` is its marker, or none where the text as a whole is meant; `found` and `limit` say
    what there is and what the rule asks for; `sentence` tells it to a person or to the model.
    """

    section: str | None
    rule: str
    found: str
    limit: str
    sentence: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Rules that code can check, for the sections whose markers are named, or for each section.

    A text without sections counts as one. `forbidden` are whole words or phrases; case, width and
    the accents of Latin letters do not count. `must_match` and `must_not_match` are regexes in
    RE2's syntax, looked for anywhere in a section. `required` says that each named marker has to
    be there, and `min_sections` and `max_sections` how many sections there are to be of those that
    are named. `message` stands for the sentence that a failure has otherwise.
    """

    sections: tuple[str, ...] = ()
    min_words: int | None = None
    max_words: int | None = None
    min_characters: int | None = None
    max_characters: int | None = None
    forbidden: tuple[str, ...] = ()
    must_match: str | None = None
    must_not_match: str | None = None
    required: bool = False
    min_sections: int | None = None
    max_sections: int | None = None
    message: str | None = None

    def faults(self, format: Sections | Text) -> Iterator[tuple[str, str]]:
        """What is wrong with the check itself: the key, and a sentence."""
        yield from self._section_faults(format)
        yield from self._number_faults()
        if any(not fold_word(word) for word in self.forbidden):
            yield "forbidden", "an empty word is in it: take it out"
        for key in ("must_match", "must_not_match"):
            fault = _regex_fault(getattr(self, key))
            if fault is not None:
                yield key, fault
        if not self._asks():
            yield "", "it checks nothing: write a rule, such as max_words = 25"

    def failures(self, cleaned: Clean) -> Iterator[Failure]:
        """Each rule that the text breaks, section by section."""
        if not isinstance(cleaned.format, Sections):
            yield from self._in_section(None, cleaned.text.strip())
            return
        meant = [one for one in cleaned.sections if self._means(one, cleaned.format)]
        yield from self._of_count(meant, cleaned.format)
        for section in meant:
            yield from self._in_section(section.marker, section.body)

    def _means(self, section: Section, format: Sections) -> bool:
        if not self.sections:
            return True
        named = [one for one in format.markers if one.template in self.sections]
        return any(
            section.marker == one.template or one.number_in(section.marker) is not None
            for one in named
        )

    def _of_count(self, meant: Sequence[Section], format: Sections) -> Iterator[Failure]:
        what = ", ".join(self.sections) or "all markers"
        count = len(meant)
        for key, word in (("min_sections", "at least"), ("max_sections", "at most")):
            limit = cast("int | None", getattr(self, key))
            if limit is not None and _breaks(key, count, limit):
                told = f"There are {_number(count, 'section')} of {what}, and {word} {limit} are asked for."
                yield self._failure(None, key, str(count), str(limit), told)
        if not self.required:
            return
        for marker in format.markers:
            if marker.template in self.sections and not any(
                one.marker == marker.template or marker.number_in(one.marker) is not None
                for one in meant
            ):
                told = f"The section {marker.template} is missing, and it is required."
                yield self._failure(marker.template, "required", "none", "one", told)

    def _in_section(self, marker: str | None, body: str) -> Iterator[Failure]:
        where = marker or "The text"
        counts = {"words": count_words, "characters": count_characters}
        for key in (*_LEAST[:2], *_MOST[:2]):
            limit = cast("int | None", getattr(self, key))
            bound, _, unit = key.partition("_")
            if limit is None or not _breaks(key, found := counts[unit](body), limit):
                continue
            word = "at least" if bound == "min" else "at most"
            told = f"{where} has {_number(found, unit[:-1])}, and {word} {limit} are asked for."
            yield self._failure(marker, key, str(found), str(limit), told)
        folded = Folded(fold_word(body)) if self.forbidden else Folded("")
        for word in self.forbidden:
            if folded.has(fold_word(word)):
                told = f'{where} has "{word}" in it, which is forbidden.'
                yield self._failure(marker, "forbidden", word, "none", told)
        yield from self._by_regex(marker, where, body)

    def _by_regex(self, marker: str | None, where: str, body: str) -> Iterator[Failure]:
        if self.must_match is not None and _regex(self.must_match).search(body) is None:
            told = f"{where} has nothing that matches {self.must_match}, and it has to."
            yield self._failure(marker, "must_match", "nothing", self.must_match, told)
        if self.must_not_match is not None:
            found = _regex(self.must_not_match).search(body)
            if found is not None:
                shown = found.group() or ""
                told = (
                    f'{where} has "{shown}" in it, which matches {self.must_not_match} and may not.'
                )
                yield self._failure(marker, "must_not_match", shown, self.must_not_match, told)

    def _failure(
        self, section: str | None, rule: str, found: str, limit: str, sentence: str
    ) -> Failure:
        if self.message is not None:
            sentence = f"{section}: {self.message}" if section else self.message
        return Failure(section=section, rule=rule, found=found, limit=limit, sentence=sentence)

    def _asks(self) -> bool:
        limits = (getattr(self, key) for key in (*_LEAST, *_MOST, "must_match", "must_not_match"))
        return any(one is not None for one in limits) or bool(self.forbidden) or self.required

    def _section_faults(self, format: Sections | Text) -> Iterator[tuple[str, str]]:
        known = [one.template for one in format.markers] if isinstance(format, Sections) else []
        for marker in self.sections:
            if marker not in known:
                there = f"the markers are {', '.join(known)}" if known else "plain text has none"
                yield "sections", f"there is no marker {marker!r} in the format: {there}"
        if self.required and not self.sections:
            yield "required", "name the markers that are required: sections = [...]"
        if not known:
            for key in ("required", "min_sections", "max_sections"):
                if getattr(self, key):
                    yield key, "plain text has no sections: take it out"

    def _number_faults(self) -> Iterator[tuple[str, str]]:
        for least, most in zip(_LEAST, _MOST, strict=True):
            low = cast("int | None", getattr(self, least))
            high = cast("int | None", getattr(self, most))
            for key, value in ((least, low), (most, high)):
                if value is not None and value < 0:
                    yield key, f"write a number from 0 up, not {value}"
            if low is not None and high is not None and low > high:
                yield least, f"{low} is above {most} = {high}: exchange them"


def run_checks(checks: Iterable[Check], cleaned: Clean) -> tuple[Failure, ...]:
    """Every code rule that a cleaned text breaks, in the order of the checks."""
    return tuple(failure for check in checks for failure in check.failures(cleaned))


def _breaks(key: str, found: int, limit: int) -> bool:
    return found < limit if key.startswith("min") else found > limit


def _number(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


@functools.lru_cache(256)
def _regex(pattern: str) -> _Regexp:
    options = re2.Options()
    options.log_errors = False
    return re2.compile(pattern, options)


def _regex_fault(pattern: str | None) -> str | None:
    if pattern is None:
        return None
    try:
        _regex(pattern)
    except re2.error as error:
        reason = error.args[0].decode() if isinstance(error.args[0], bytes) else error
        return f"not a regex in RE2's syntax: {reason}"
    return None
