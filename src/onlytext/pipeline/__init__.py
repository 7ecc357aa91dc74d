"""Two passes over many items: generate, clean, validate, clean again, parse."""

from __future__ import annotations

from onlytext.pipeline._briefs import Brief, Briefs, BriefsError, read_briefs
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
from onlytext.pipeline._prompttext import prompt_text
from onlytext.pipeline._records import RecordsError, write_records
from onlytext.pipeline._requests import BriefError

__all__ = [
    "Brief",
    "BriefError",
    "Briefs",
    "BriefsError",
    "Check",
    "Failure",
    "Generate",
    "Job",
    "JobError",
    "JobLimits",
    "ModelChoice",
    "RecordsError",
    "Validator",
    "load_job",
    "prompt_text",
    "read_briefs",
    "run_checks",
    "write_records",
]
