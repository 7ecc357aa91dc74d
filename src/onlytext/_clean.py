"""The one road from a reply to only the text: envelope, markers, choice, inside."""

from __future__ import annotations

from onlytext._commentary import Judge, echoes_of
from onlytext._compare import passage
from onlytext._doubts import doubts_of
from onlytext._envelope import strip_shell
from onlytext._fold import fold
from onlytext._format import Sections, Text
from onlytext._lines import even_ends
from onlytext._markers import matcher
from onlytext._patterns import Patterns, builtin
from onlytext._plain import clean_plain
from onlytext._reply import Clean, make_clean
from onlytext._sectioned import NO_DRAFT, clean_sections, read_draft
from onlytext._spans import Body, Made, assemble, compose, removals_of, without
from onlytext._untouched import untouched
from onlytext.errors import Ambiguous, NoContent, Refused

_MOST_ROUNDS = 4
_FORMATS = (Sections, Text)


def clean(
    reply: str,
    format: Sections | Text,
    *,
    draft: str | None = None,
    prompt: str | None = None,
    finished: bool = True,
    patterns: Patterns | None = None,
) -> Clean:
    r"""Only the text of a reply, with an account of everything that was dropped.

    `draft` is the text that the model was asked to check: what stands in it is content, and a line
    without a counterpart in it goes when it looks like commentary. Without one only structure and
    audited patterns decide. `prompt` is all that the model was sent; its lines are echoes where
    they come back, those of the draft aside. `finished=False` says that the provider stopped at
    the token limit. `patterns` are `Patterns.load(...)`, the built-in ones with yours.

    Raises `NoContent` where nothing usable is in the reply, `Ambiguous` where two texts could be
    meant; both are `Refused`. Costs time linear in the reply.

    >>> from onlytext import Sections
    >>> reply = "Let me check. Two words, fine.\n\n**[COVER]**\nWarm bread\n\n[CAPTION]\nFrom seven."
    >>> cleaned = clean(reply, Sections("[COVER]", "[CAPTION]"))
    >>> cleaned.text
    '[COVER]\nWarm bread\n\n[CAPTION]\nFrom seven.'
    >>> cleaned.removals[0].text
    'Let me check. Two words, fine.\n\n'
    """
    if (
        type(reply) is not str
        or type(format) not in _FORMATS
        or prompt is not None
        or patterns is not None
        or draft is not None
    ):
        _check(reply, format, draft, prompt, patterns)
    known = patterns if patterns is not None else builtin()
    if draft is None and finished:
        clear = untouched(reply, format, known)
        if clear is not None:
            return clear
    road = _Road(format, draft, prompt, known)
    try:
        made = _settle(reply, road)
    except Refused as refused:
        refused.reply = reply
        raise
    removals = removals_of(reply, made.pieces, made.drops)
    doubts = doubts_of(reply, made, format, road.draft, finished=finished)
    return make_clean(reply, format, made.text, made.pieces, made.cuts, removals, doubts)


def _settle(reply: str, road: _Road) -> Made:
    """The text that does not change when it is cleaned again."""
    made = road.once(reply)
    text = reply
    for _ in range(_MOST_ROUNDS):
        if made.settled or made.text == text:
            return made
        text = made.text
        again = road.once(text)
        if again.text != text:
            made = compose(made, again)
    raise Ambiguous(
        "the reply changes each time it is cleaned",
        reply=reply,
        evidence=(text[:200],),
        retry="Return the text once, and nothing else.",
    )


class _Road:
    """What stays the same when one reply is cleaned, and cleaned again."""

    def __init__(
        self,
        format: Sections | Text,
        draft: str | None,
        prompt: str | None,
        patterns: Patterns,
    ) -> None:
        even = even_ends(draft) if draft is not None else None
        self.format = format
        self.matcher = matcher(format)
        self.held = passage(even) if even is not None and even.strip() else None
        self.draft = (
            read_draft(even, self.matcher)
            if self.held is not None and even is not None
            else NO_DRAFT
        )
        markers = format.markers if isinstance(format, Sections) else ()
        self.judge = Judge(
            patterns,
            names=self.matcher.names if markers else [],
            markers=[
                one.template
                for one in markers
                if not one.numbered and not one.template[-1:].isalnum()
            ],
            draft=self.held,
            echoes=_echoes(prompt, even) if self.held is not None else frozenset(),
            asked=even_ends(prompt) if prompt is not None and self.held is None else "",
        )

    def once(self, reply: str) -> Made:
        """One pass over a reply."""
        work = even_ends(reply)
        shell = strip_shell(work, self.held.body if self.held is not None else "")
        if isinstance(self.format, Sections):
            found = clean_sections(work, self.format, self.matcher, self.draft, self.judge, shell)
        else:
            found = clean_plain(work, self.matcher, self.held, self.judge, shell)
        if shell.drops:
            bodies = tuple(
                Body(one.canonical, one.mark, tuple(without(one.spans, shell.drops)))
                for one in found.bodies
            )
            found = found._replace(bodies=bodies, drops=(*shell.drops, *found.drops))
        made = assemble(reply, work, found)
        if not any(made.text[cut.start : cut.end].strip() for cut in made.cuts) and (
            made.cuts or not made.text.strip()
        ):
            raise NoContent(
                "nothing is left of the reply",
                reply=reply,
                evidence=(reply[:200],),
                retry="Return the text itself, whole, and nothing else.",
            )
        return made


def _echoes(prompt: str | None, draft: str | None) -> frozenset[str]:
    if prompt is None:
        return frozenset()
    own = frozenset(fold(line) for line in draft.split("\n")) if draft else frozenset[str]()
    return echoes_of(even_ends(prompt), own)


def _check(reply: object, format: object, draft: object, prompt: object, patterns: object) -> None:
    if not isinstance(reply, str):
        kind = type(reply).__name__
        hint = (
            ": decode it first"
            if isinstance(reply, bytes | bytearray)
            else ": write clean(reply, format)"
        )
        raise TypeError(f"the reply is a str, not {kind}{hint}")
    if not isinstance(format, Sections | Text):
        raise TypeError(
            f"the format is Sections(...) or Text(), not {type(format).__name__}: "
            'write clean(reply, Sections("[TITLE]", "[BODY]"))'
        )
    for name, value in (("draft", draft), ("prompt", prompt)):
        if value is not None and not isinstance(value, str):
            raise TypeError(f"the {name} is a str or None, not {type(value).__name__}")
    if patterns is not None and not isinstance(patterns, Patterns):
        raise TypeError(f"patterns is Patterns.load(...) or None, not {type(patterns).__name__}")
