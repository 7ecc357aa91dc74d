"""What is wrapped round a whole answer: reasoning tags, channel tokens, fences, quotes, an end word."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext._lines import first_sign, line_end
from onlytext._regex import regex
from onlytext._spans import Drop

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES: Final = (
    r"(?:seed:|ant|ant:|antml:)?(?:think|thinking|thought|thoughts|reason|reasoning|reflection|analysis|"
    r"scratchpad|scratch_pad|inner_monologue|monologue|internal|deliberation|planning|"
    r"chain_of_thought|cot|begin_of_thought)"
)
_OPEN: Final = regex(
    rf"<(?P<a>{NAMES})(?:\s[^<>\n]{{0,80}})?>|\[(?P<b>THINK|THINKING|REASONING)\]|◁(?P<c>think)▷"
    rf"|<\|(?P<d>begin_of_thought|think|thinking)\|>",
    re.IGNORECASE,
)
_ANY: Final = regex(
    rf"(?P<close></(?:{NAMES})\s*>|\[/(?:THINK|THINKING|REASONING)\]|◁/think▷|<\|(?:end_of_thought|/think|/thinking)\|>)"
    rf"|(?P<open>{_OPEN.pattern.replace('?P<a>', '?:').replace('?P<b>', '?:').replace('?P<c>', '?:').replace('?P<d>', '?:')})",
    re.IGNORECASE,
)
_FINAL_CHANNEL: Final = regex(r"<\|channel\|>\s*final\s*<\|message\|>")
_TOKEN: Final = regex(
    r"<\|(?:im_start|im_end|start|end|return|eot_id|eom_id|end_of_text|endoftext|begin_of_text|assistant|user|system"
    r"|start_header_id|end_header_id|message|channel|end_of_turn|begin_of_solution|end_of_solution|END_OF_TURN_TOKEN|START_OF_TURN_TOKEN)\|>"
    r"|<(?:start_of_turn|end_of_turn)>|\[/?INST\]|</?s>|<\uff5c[^<>\n]{1,40}\uff5c>"
)
_LEADING_TOKENS: Final = regex(
    rf"(?:\s*(?:{_TOKEN.pattern})\s*(?:(?:assistant|model|final)\b[ \t]*)?)+", re.IGNORECASE
)


# What is left of the channel tokens of one family of models when a template eats the signs.
_GLUED: Final = "assistantfinal"


# Where none of these is in a reply nothing is wrapped round it; in RE2's syntax, for the gate.
SHELL: Final = rf"</?(?:{NAMES})\b|\[/?(?:THINK|REASONING)|◁/?think|<\||<\x{{ff5c}}|_of_turn>|\[/?INST\]|</?s>|^[ \t]*</?[a-z][a-z _-]*>|assistantfinal"


# Signs that validators like and texts hardly use: a reply with one of them is looked at closely.
SUSPECT: Final = r"[✓✔✅✗✘❌※←]|<!--|<--?[ ]|~~[^~\n]|[.!?](?-i:[A-Z])[^.!?\n]+:[ *_]*$"


class Shell(NamedTuple):
    """Where the answer stands inside what is wrapped round it."""

    start: int
    end: int
    drops: tuple[Drop, ...]
    thinking: bool = False
    """Whether a reasoning block was opened and never closed."""


def strip_shell(work: str, draft: str) -> Shell:
    """The answer without channel tokens and reasoning blocks."""
    start, end = 0, len(work)
    drops: list[Drop] = []
    if work.startswith("analysis") and _GLUED in work and _GLUED not in draft:
        start = work.rindex(_GLUED) + len(_GLUED)
        drops.append(Drop(0, start, "channel tokens"))
    if (
        "<|" in work
        or "<\uff5c" in work
        or "_of_turn>" in work
        or "INST]" in work
        or "</s>" in work
        or "<s>" in work
    ):
        start, end = _strip_tokens(work, start, draft, drops)
    thinking = False
    if _may_have_tags(work) and not (_may_have_tags(draft) and _ANY.search(draft)):
        start, thinking = _strip_reasoning(work, start, end, drops)
        drops += _inner_blocks(work, start, end)
    if "<" in work:
        start, end = _strip_wrapper(work, start, end, draft, drops)
    return Shell(start, end, tuple(drops), thinking)


_ANSWER: Final = regex(
    r"(?:^|\n)[ \t]*<(?P<name>(?:(?:corrected|final|revised|rewritten|cleaned|clean|output|answer|result|response|text|"
    r"reply|solution|content|fixed|edited|updated|version|article|document|carousel|texto|texte|respuesta|reponse|"
    r"salida|sortie|risposta|antwort|resposta|corregido|corrige|final)[ _-]?){1,4})>[ \t]*",
    re.IGNORECASE,
)


def _last(found: Iterator[re.Match[str]]) -> re.Match[str] | None:
    """The last match of several, if there is any."""
    held = deque(found, maxlen=1)
    return held[0] if held else None


def _strip_wrapper(
    work: str, start: int, end: int, draft: str, drops: list[Drop]
) -> tuple[int, int]:
    """The answer inside the last tag that says it is one."""
    opening = _last(_ANSWER.finditer(work, start, end))
    if opening is None or f"<{opening.group('name')}>".lower() in draft.lower():
        return start, end
    closing = f"</{opening.group('name')}>"
    at = work.lower().rfind(closing.lower(), opening.end(), end)
    stop = end if at < 0 else at
    if not work[opening.end() : stop].strip():
        return start, end
    drops.append(Drop(start, opening.end(), "wrapper tag and what comes before it"))
    if at >= 0:
        drops.append(Drop(at, end, "wrapper tag and what follows it"))
    return opening.end(), stop


def _strip_tokens(work: str, begin: int, draft: str, drops: list[Drop]) -> tuple[int, int]:
    start, end = begin, len(work)
    if _TOKEN.search(draft):
        return start, end
    final = _last(_FINAL_CHANNEL.finditer(work))
    if final is not None:
        start = final.end()
    else:
        leading = _LEADING_TOKENS.match(work)
        if leading is not None:
            start = leading.end()
    first = first_sign(work, start, len(work))
    for token in _TOKEN.finditer(work, start):
        line_start = work.rfind("\n", 0, token.start()) + 1
        if first < token.start() and work.find("`", line_start, token.start()) < 0:
            end = token.start()
            break
    if start > begin:
        drops.append(Drop(begin, start, "channel tokens"))
    if end < len(work):
        drops.append(Drop(end, len(work), "template tokens and what follows them"))
    return start, end


def _may_have_tags(text: str) -> bool:
    """Whether a text may hold a reasoning tag at all."""
    return (
        "<" in text
        or "[THINK" in text
        or "[/THINK" in text
        or "[REASON" in text
        or "[/REASON" in text
        or "◁" in text
    )


def _strip_reasoning(work: str, start: int, end: int, drops: list[Drop]) -> tuple[int, bool]:
    """Where the answer begins after its reasoning blocks, and whether one was left open."""
    while True:
        at = first_sign(work, start, end)
        opening = _OPEN.match(work, at, end)
        if opening is not None:
            closing = _matching_close(work, at, end)
            if closing is None:
                return start, True
            drops.append(Drop(start, closing, "reasoning block"))
            start = closing
            continue
        lone = _lone_close(work, start, end)
        if lone is None:
            return start, False
        drops.append(Drop(start, lone, "reasoning before a closing tag"))
        start = lone


def _inner_blocks(work: str, start: int, end: int) -> list[Drop]:
    """The reasoning blocks that stand on lines of their own after the beginning."""
    drops: list[Drop] = []
    at = last = start
    first = first_sign(work, start, end)
    fences = 0
    for tag in _OPEN.finditer(work, start, end):
        fences += work.count("```", last, tag.start())
        # Looked for from the last tag on: where no line ends since then, that tag stands before it.
        line_start = work.rfind("\n", last if last > start else 0, tag.start()) + 1
        before, last = last, tag.start()
        if tag.start() < at or fences % 2 or (before > start and not line_start):
            continue
        if work[line_start : tag.start()].strip() or tag.start() <= first:
            continue
        closing = _matching_close(work, tag.start(), end)
        if closing is None:
            break
        stop = work.find("\n", closing)
        if not work[closing : end if stop < 0 else stop].strip():
            drops.append(Drop(tag.start(), closing, "reasoning block"))
            at = closing
    return drops


def _matching_close(work: str, at: int, end: int) -> int | None:
    """The end of the tag that closes the block which opens at `at`; the first one if they don't add up."""
    depth = 0
    first: int | None = None
    for tag in _ANY.finditer(work, at, end):
        if tag.group("close"):
            depth -= 1
            first = first or tag.end()
            if depth <= 0:
                return tag.end()
        else:
            depth += 1
    return first


def _stands_alone(work: str, start: int, end: int) -> bool:
    """Whether a tag begins or ends its line, outside of code."""
    line_start = work.rfind("\n", 0, start) + 1
    before = work[line_start:start].strip()
    after = work[end : line_end(work, end)].strip()
    return not before or not after


def _lone_close(work: str, start: int, end: int) -> int | None:
    """The end of a closing tag without an opening one, where something follows it."""
    past = start
    for tag in _ANY.finditer(work, start, end):
        if tag.start() < past:
            continue
        if tag.group("open"):
            closing = _block_at(work, tag.start(), tag.end(), end)
            if closing is None:
                return None
            past = closing
            continue
        line_start = work.rfind("\n", 0, tag.start()) + 1
        before = work[line_start : tag.start()].strip()
        if first_sign(work, tag.end(), end) == end:
            return None
        if work.count("```", start, tag.start()) % 2 or "`" in before:
            return None
        after = work[tag.end() : line_end(work, tag.end())].strip()
        if not before or not after or before[-1:] in ".!?:。！？)…":
            return tag.end()
        return None
    return None


def _block_at(work: str, start: int, stop: int, end: int) -> int | None:
    """The end of the block whose opening tag begins a line, where something follows it."""
    if not _stands_alone(work, start, stop):
        return None
    closing = _matching_close(work, start, end)
    line_start = work.rfind("\n", 0, start) + 1
    if closing is None or work[line_start:start].strip() or first_sign(work, closing, end) == end:
        return None
    return closing
