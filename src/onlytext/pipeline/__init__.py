"""Two passes over many items: generate, clean, validate, clean again, parse."""

from __future__ import annotations

from onlytext.pipeline._checks import Check, Failure, run_checks
from onlytext.pipeline._job import (
    Generate,
    Job,
    JobError,
    JobLimits,
    ModelChoice,
    Validator,
    load_job,
)
from onlytext.pipeline._requests import BriefError, prompt_text

__all__ = [
    "BriefError",
    "Check",
    "Failure",
    "Generate",
    "Job",
    "JobError",
    "JobLimits",
    "ModelChoice",
    "Validator",
    "load_job",
    "prompt_text",
    "run_checks",
]
