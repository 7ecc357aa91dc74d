"""What of a request comes back as an echo where it stands in a reply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from onlytext._regex import regex
from onlytext._sentences import split_sentences
from onlytext._wording import languages, wording_for

if TYPE_CHECKING:
    from onlytext.providers import Message, Request

_RULE: Final = regex(r"^(\d+\. )(.*)$")
_GOES_ON: Final = "   "
# From here on a rule may dictate words that the text has to have.
_DICTATES: Final = regex(r"[:：\"“”«»„「『]")
_DRAFT: Final = regex(r"^<draft-[0-9a-f]+>$", 8)  # re.MULTILINE


def prompt_text(request: Request) -> str:
    """All that the model was sent, as `clean(prompt=...)` takes it: save what a rule may dictate.

    "End with: Keep away from children." asks for a sentence that has to stay when it comes, so of
    each rule only the start is given, up to a colon, a quotation mark or the end of its first
    sentence. A reply that repeats the rule itself still begins like it.
    """
    parts = [_undictated(request.system), *map(_content, request.messages)]
    return "\n\n".join(part for part in parts if part)


def _content(message: Message) -> str:
    """A message, what stands in it before its draft without what that may dictate."""
    found = _DRAFT.search(message.content)
    starts = [found.start()] if found is not None else []
    for code in languages():
        label = "\n" + wording_for(code).say("plain.text") + "\n"
        at = message.content.find(label)
        starts += [at] if at >= 0 else []
    if not starts:
        return message.content
    start = min(starts)
    lines = _undictated(message.content[:start]).split("\n")
    head = [line if _RULE.match(line) else _first_sentence(line) for line in lines]
    return "\n".join(head) + message.content[start:]


def _undictated(text: str) -> str:
    lines: list[str] = []
    for line in text.split("\n"):
        rule = _RULE.match(line)
        if rule is not None:
            first = _first_sentence(rule[2])
            found = _DICTATES.search(first)
            lines.append(rule[1] + (first[: found.start()] if found is not None else first))
        elif not line.startswith(_GOES_ON):
            lines.append(line)
    return "\n".join(lines)


def _first_sentence(line: str) -> str:
    sentences = split_sentences(line)
    return line[: sentences[0].end] if sentences else line
