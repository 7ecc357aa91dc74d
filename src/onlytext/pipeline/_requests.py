"""What is sent to a model for one item: the same job and the same brief give equal requests."""

from __future__ import annotations

import functools
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from onlytext._fold import fold
from onlytext._format import Sections
from onlytext._regex import regex
from onlytext._template import Template
from onlytext.errors import OnlytextError
from onlytext.prompts import (
    again_prompt,
    generation_prompt,
    tag_for,
    validation_prompt,
)
from onlytext.providers import Message, Request

if TYPE_CHECKING:
    from collections.abc import Mapping

    from onlytext.pipeline._job import Job, ModelChoice
    from onlytext.prompts import Prompt

# A value that is longer, or has more than one line, stands between tags.
_SHORT: Final = 200
_LINE_ENDS: Final = regex(r"[\n\r\x0b\x0c\x85\u2028\u2029]")
_NO_NAME: Final = regex(r"[^\w-]+")


class BriefError(OnlytextError, ValueError):
    """A brief that the job's prompt can't be made from, with the field and what to do about it."""


def generation(job: Job, brief: Mapping[str, object]) -> Request:
    """The request of the first pass."""
    if job.generate is None:
        raise OnlytextError(f"the job {job.name!r} generates nothing: its briefs hold drafts")
    template = template_of(job.generate.prompt)
    values = {name: text_of(brief, name) for name in template.fields}
    if job.hardening.level == "hardened":
        values = _guarded(values, job)
    prompt = generation_prompt(
        job.sent_format,
        task=template.fill(values.__getitem__).strip(),
        language=job.language,
        hardening=job.hardening,
    )
    return _request(prompt, job.generate.model)


def validation(job: Job, draft: str) -> Request:
    """The request of the second pass."""
    if job.validator is None:
        raise OnlytextError(f"the job {job.name!r} has no validator")
    prompt = validation_prompt(
        job.sent_format,
        rules=job.validator.rules,
        draft=draft,
        language=job.language,
        hardening=job.hardening,
    )
    return _request(prompt, job.validator.model)


def again(job: Job, request: Request, sentence: str) -> Request:
    """A request with the reason why an earlier reply to it was of no use."""
    *before, last = request.messages
    told = again_prompt(last.content, sentence, language=job.language)
    return replace(request, messages=(*before, Message("user", told)))


def draft_of(job: Job, brief: Mapping[str, object]) -> str:
    """The draft in a brief."""
    return text_of(brief, job.draft_field or "draft")


def text_of(brief: Mapping[str, object], name: str) -> str:
    """A field of a brief as text; lists and tables as JSON. Raises `BriefError` where it has none."""
    value = brief.get(name)
    if value is None:
        there = ", ".join(map(str, brief)) or "none"
        what = f"the field {name!r} is empty" if name in brief else f"there is no field {name!r}"
        raise BriefError(
            f"{what}; its fields are {there} (write {{{{ }}}} for braces that are none)"
        )
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


@functools.lru_cache(64)
def template_of(prompt: str) -> Template:
    """The prompt with its fields, read once."""
    return Template.read(prompt)


def _guarded(values: Mapping[str, str], job: Job) -> dict[str, str]:
    """The values, those between tags that could be taken for more than a word or a phrase."""
    words = _spellings(job)
    return {
        name: _tagged(name, value) if _could_mislead(value, words) else value
        for name, value in values.items()
    }


def _could_mislead(value: str, words: frozenset[str]) -> bool:
    if len(value) > _SHORT or _LINE_ENDS.search(value) is not None or "<" in value:
        return True
    folded = fold(value)
    return any(word in folded for word in words)


def _tagged(name: str, value: str) -> str:
    tag = tag_for(_NO_NAME.sub("-", name).strip("-") or "field", value)
    return f"<{tag}>\n{value}\n</{tag}>"


def _spellings(job: Job) -> frozenset[str]:
    """What a value may not pass for: markers up to their number, and the words of the channels."""
    sent = job.sent_format
    found = [one for one in (sent.start, sent.end, sent.notes) if one is not None]
    if isinstance(sent, Sections):
        markers = (spelling for marker in sent.markers for spelling in marker.spellings)
        found += [spelling.partition("{n}")[0] for spelling in markers]
    return frozenset(folded for one in found if len(folded := fold(one)) > 1)


def _request(prompt: Prompt, choice: ModelChoice) -> Request:
    return Request(
        model=choice.model,
        system=prompt.system,
        messages=(Message("user", prompt.user),),
        max_tokens=choice.max_tokens,
        effort=choice.effort,
        temperature=choice.temperature,
    )
