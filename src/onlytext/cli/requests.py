"""The requests of a job for one brief, as `onlytext prompt` and a dry run show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from onlytext.errors import OnlytextError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from onlytext.pipeline import Job
    from onlytext.providers import Request

_LINE: Final = "─" * 72
_NO_DRAFT: Final = "{draft}"


class _NoRowError(OnlytextError):
    """A row that the briefs do not have."""


def brief_at(job: Job, file: Path, row: int) -> Mapping[str, object]:
    """The brief in a row of a file."""
    from onlytext.pipeline import read_briefs

    number = 0
    for brief in read_briefs(file, needs=job.needs, id_field=job.id_field):
        number = brief.row
        if number == row:
            return brief.fields
    raise _NoRowError(f"{file} has no row {row}: its last one is {number}")


def requests_for(job: Job, brief: Mapping[str, object] | None) -> dict[str, Request]:
    """What is sent in each pass; without a brief its fields are shown by their names.

    A draft that no model has written yet is shown as `{draft}`.
    """
    fields = {name: f"{{{name}}}" for name in job.needs} if brief is None else brief
    found: dict[str, Request] = {}
    if job.generate is not None:
        found["generate"] = job.request_for_generation(fields)
    if job.validate != "never":
        draft = _NO_DRAFT if job.generate is not None else job.draft_of(fields)
        found["validate"] = job.request_for_validation(draft)
    return found


def shown(name: str, request: Request) -> str:
    """A request as it is sent, under headings of our own."""
    told = [request.model, f"at most {request.max_tokens} tokens"]
    told += [f"effort {request.effort}"] if request.effort is not None else []
    told += [f"temperature {request.temperature}"] if request.temperature is not None else []
    parts = [f"{_LINE}\n{name}: {', '.join(told)}\n{_LINE}"]
    if request.system:
        parts.append(f"── system {_LINE[10:]}\n{request.system}")
    parts += [
        f"── {one.role} {_LINE[len(one.role) + 4 :]}\n{one.content}" for one in request.messages
    ]
    return "\n".join(parts) + "\n"
