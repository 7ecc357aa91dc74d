"""What one reply is worth: a whole text that keeps the rules, or a fault with its name.

Everything here is decided from what stands in the reply. What a model says about its own work
("all rules are met") counts for nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from onlytext._clean import clean
from onlytext._format import Sections, Text
from onlytext._parse import parse
from onlytext.errors import ParseError, Refused
from onlytext.pipeline._checks import run_checks

if TYPE_CHECKING:
    from onlytext._patterns import Patterns
    from onlytext._record import Record
    from onlytext._reply import Clean, Doubt
    from onlytext.pipeline._checks import Check, Failure
    from onlytext.providers import Stop

FaultKind = Literal[
    "declined",  # the provider or the model would not answer
    "empty",  # nothing came
    "only_thinking",  # something came, but all of it in the thinking channel
    "cut_off",  # the token limit or the context's end came before the text's end
    "refused",  # clean() found no text, or more than one
    "not_whole",  # a section that the format or the draft has is missing
    "copied",  # a section holds the example of the prompt
    "doubtful",  # a doubt, where doubts are refusals
    "unchanged",  # the draft came back as it was, though it breaks the rules
    "breaks_rules",  # the text breaks a rule that code can check
]

_WHOLE: Final = "Return the whole text once more, with every section, and nothing else."
_CORRECT: Final = "Correct this, and return the whole text and nothing else."
_BRIEFLY: Final = "Return the text itself straight away, without thinking about it at length."
# What clean() calls the removal of the word that closes a text.
_END_CAME: Final = "end sentinel"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usable:
    """A reply that holds a whole text."""

    cleaned: Clean
    record: Record
    doubts: tuple[Doubt, ...]
    broken: tuple[Failure, ...] = ()

    @property
    def complaint(self) -> str:
        """The code rules that the text breaks, in a sentence for each."""
        return " ".join(failure.sentence for failure in self.broken)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A reply that can't be used: why, what to tell the model, and whether to ask it at all.

    `cleaned` is what was kept of it, where cleaning was not what failed; `evidence` is what made
    `clean` refuse it.
    """

    kind: FaultKind
    cause: str
    sentence: str
    again: bool = True
    cleaned: Clean | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back of one call, as the journal has it."""

    text: str
    stop: Stop
    thinking: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How the replies of one job are read. The one place of the pipeline that calls `clean`.

    `format` is what the prompts ask for, `given_format` what the job declares; `example` are the
    bodies of the example in the prompts.
    """

    format: Sections | Text
    given_format: Sections | Text
    patterns: Patterns | None
    strict: bool
    checks: tuple[Check, ...] = ()
    example: frozenset[str] = frozenset()

    def read(
        self, reply: Reply, *, draft: Usable | None = None, prompt: str | None = None
    ) -> Usable | Fault:
        """The text of a reply, or what is wrong with it; with a draft, what it lacks of that too."""
        if reply.stop == "refusal":
            detail = f": {reply.detail}" if reply.detail else ""
            return Fault(
                kind="declined",
                cause=f"the provider declined to answer{detail}",
                sentence="",
                again=False,
            )
        if not reply.text.strip():
            return _nothing(reply)
        finished = reply.stop in {"end", "stop_sequence"}
        try:
            cleaned = clean(
                reply.text,
                _expected(self.format, reply.stop),
                draft=None if draft is None else draft.cleaned.text,
                prompt=prompt,
                finished=finished,
                patterns=self.patterns,
            )
        except Refused as refused:
            return _refused(refused, reply, finished=finished)
        return self._whole(cleaned, reply, draft, finished=finished)

    def read_given(self, text: str) -> Usable | Fault:
        """The text of a draft that came with the brief: nobody can be asked for another.

        It need not have the closing word that prompts ask for, but one that it has goes.
        """
        end = self.format.end
        closed = end is not None and end in text
        try:
            cleaned = clean(
                text, self.format if closed else self.given_format, patterns=self.patterns
            )
        except Refused as refused:
            return Fault(kind="refused", cause=refused.why, sentence="", again=False)
        return self._whole(cleaned, Reply(text=text, stop="end"), None, finished=True)

    def read_rewrite(self, reply: Reply, *, draft: Usable, prompt: str) -> Usable | Fault:
        """A validator's text, if it is whole next to its draft and keeps the code rules."""
        read = self.read(reply, draft=draft, prompt=prompt)
        if isinstance(read, Fault) or not read.broken:
            return read
        if read.cleaned.text.strip() == draft.cleaned.text.strip():
            return Fault(
                kind="unchanged",
                cause=f"the text came back unchanged, though rules are broken: {read.complaint}",
                sentence=f"You returned the text unchanged, but it breaks rules: {read.complaint} "
                f"{_CORRECT}",
                cleaned=read.cleaned,
            )
        return Fault(
            kind="breaks_rules",
            cause=f"the rewritten text breaks rules: {read.complaint}",
            sentence=f"Your text breaks rules: {read.complaint} {_CORRECT}",
            cleaned=read.cleaned,
        )

    def _whole(
        self, cleaned: Clean, reply: Reply, draft: Usable | None, *, finished: bool
    ) -> Usable | Fault:
        if not finished and not _end_came(cleaned):
            return Fault(
                kind="cut_off",
                cause=f"the reply was cut off: {_why_cut(reply)}",
                sentence=_BRIEFLY,
                cleaned=cleaned,
            )
        try:
            record = parse(cleaned)
        except ParseError as error:
            return _not_whole(error.faults, cleaned)
        lost = [] if draft is None else _lost(draft, cleaned)
        if lost:
            return _not_whole(tuple(f"the section {marker} is lost" for marker in lost), cleaned)
        copied = [] if self.example.isdisjoint(_bodies(cleaned)) else self._copied(cleaned, draft)
        if copied:
            told = f"{', '.join(copied)} only repeats the example"
            return Fault(
                kind="copied",
                cause=f"copied: {told}",
                sentence=f"In your text {told}. {_WHOLE}",
                cleaned=cleaned,
            )
        if self.strict and cleaned.doubts:
            told = "; ".join(dict.fromkeys(doubt.reason for doubt in cleaned.doubts))
            return Fault(
                kind="doubtful", cause=f"doubtful: {told}", sentence=_WHOLE, cleaned=cleaned
            )
        broken = run_checks(self.checks, cleaned)
        return Usable(cleaned=cleaned, record=record, doubts=cleaned.doubts, broken=broken)

    def _copied(self, cleaned: Clean, draft: Usable | None) -> list[str]:
        """The sections that hold nothing but the example of the prompt, unless the draft had it so."""
        own = frozenset[str]() if draft is None else frozenset(_bodies(draft.cleaned))
        taken = self.example - own
        if isinstance(self.format, Text):
            return ["the text"] if not taken.isdisjoint(_bodies(cleaned)) else []
        return [one.marker for one in cleaned.sections if one.body in taken]


def _bodies(cleaned: Clean) -> list[str]:
    """The bodies of the sections, or the whole of a plain text."""
    return [one.body for one in cleaned.sections] or [cleaned.text.strip()]


def carried(draft: Usable, text: str) -> tuple[Doubt, ...]:
    """The doubts about a draft that hold for the text made of it: what they are about is still there."""
    return tuple(
        doubt for doubt in draft.doubts if doubt.text.strip() and doubt.text.strip() in text
    )


def _expected(format: Sections | Text, stop: Stop) -> Sections | Text:
    """The format without its closing word where the provider stopped at it, and kept it back."""
    if stop != "stop_sequence" or format.end is None:
        return format
    if isinstance(format, Sections):
        return Sections(*format.markers, start=format.start, notes=format.notes)
    return Text(start=format.start, notes=format.notes)


def _nothing(reply: Reply) -> Fault:
    if reply.stop not in {"end", "stop_sequence"}:
        what = "only thinking came" if reply.thinking.strip() else "nothing came"
        return Fault(kind="cut_off", cause=f"{what}: {_why_cut(reply)}", sentence=_BRIEFLY)
    if reply.thinking.strip():
        return Fault(
            kind="only_thinking", cause="only thinking came, and no text", sentence=_BRIEFLY
        )
    return Fault(kind="empty", cause="the reply is empty", sentence=_WHOLE)


def _refused(refused: Refused, reply: Reply, *, finished: bool) -> Fault:
    if finished:
        return Fault(kind="refused", cause=refused.why, sentence=refused.retry)
    return Fault(
        kind="cut_off",
        cause=f"the reply was cut off: {_why_cut(reply)}; {refused.why}",
        sentence=refused.retry,
    )


def _why_cut(reply: Reply) -> str:
    if reply.stop == "max_tokens":
        return "it reached max_tokens"
    return f"the provider ended it early ({reply.detail or reply.stop})"


def _not_whole(faults: tuple[str, ...], cleaned: Clean) -> Fault:
    told = "; ".join(faults)
    return Fault(
        kind="not_whole",
        cause=f"no whole text: {told}",
        sentence=f"Your text is not whole: {told}. {_WHOLE}",
        cleaned=cleaned,
    )


def _lost(draft: Usable, cleaned: Clean) -> list[str]:
    """The draft's sections that are missing; none where there were to be fewer."""
    if any(failure.rule == "max_sections" for failure in draft.broken):
        return []
    have = {section.marker for section in cleaned.sections}
    return [one.marker for one in draft.cleaned.sections if one.marker not in have]


def _end_came(cleaned: Clean) -> bool:
    """Whether the closing word stands where the kept text ends, and not only in talk about it."""
    if any(_END_CAME in removal.reason for removal in cleaned.removals):
        return True
    end = cleaned.format.end
    stop = max((piece.end for piece in cleaned.pieces), default=0)
    return end is not None and cleaned.reply[stop:].lstrip().startswith(end)
