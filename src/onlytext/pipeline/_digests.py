"""Digests by which a stored outcome is known to be of the same job, or of the same cleaning."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from importlib import resources
from importlib.metadata import version
from typing import TYPE_CHECKING

from onlytext.errors import PatternError
from onlytext.prompts import generation_prompt, validation_prompt

if TYPE_CHECKING:
    from pathlib import Path

    from onlytext.pipeline._job import Job


def job_digest(job: Job) -> str:
    """A sha256 over all that is sent, and over what decides about a text beside its cleaning."""
    return _digest(
        {
            "format": repr(job.format),
            "generate": None if job.generate is None else asdict(job.generate),
            "draft": job.draft_field,
            "id": job.id_field,
            "validate": job.validate,
            "validator": None if job.validator is None else asdict(job.validator),
            "checks": [asdict(check) for check in job.checks],
            "language": job.language,
            "hardening": asdict(job.hardening),
            "prompts": _prompts(job),
        }
    )


def cleaning_digest(job: Job) -> str:
    """A sha256 over all that replies are cleaned with."""
    folder = resources.files("onlytext") / "patterns"
    entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
    return _digest(
        {
            "format": repr(job.sent_format),
            "catalogue": {
                entry.name: hashlib.sha256(entry.read_bytes()).hexdigest()
                for entry in entries
                if entry.name.endswith(".toml")
            },
            "patterns": [_pattern_file(path) for path in job.patterns],
            "onlytext": version("onlytext"),
        }
    )


def _prompts(job: Job) -> list[str]:
    """What both prompts say around a text, so that new wording makes a new job."""
    made: list[str] = []
    if job.generate is not None:
        prompt = generation_prompt(
            job.sent_format, task="", language=job.language, hardening=job.hardening
        )
        made += [prompt.system, prompt.user]
    if job.validator is not None:
        prompt = validation_prompt(
            job.sent_format,
            rules=job.validator.rules,
            draft="",
            language=job.language,
            hardening=job.hardening,
        )
        made += [prompt.system, prompt.user]
    return made


def _pattern_file(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise PatternError(f"{path} can't be read: {error.strerror or error}") from error


def _digest(value: object) -> str:
    data = json.dumps(value, sort_keys=True, ensure_ascii=True).encode()
    return hashlib.sha256(data).hexdigest()
