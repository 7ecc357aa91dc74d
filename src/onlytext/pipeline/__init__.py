"""Two passes over many items: generate, clean, validate, clean again, parse."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from onlytext.pipeline._outcome import Outcome
from onlytext.pipeline._prompttext import prompt_text
from onlytext.pipeline._records import RecordsError, write_records
from onlytext.pipeline._requests import BriefError
from onlytext.pipeline._stop import Stopped

if TYPE_CHECKING:
    from onlytext.pipeline._pipeline import Pipeline

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
    "Outcome",
    "Pipeline",
    "RecordsError",
    "Stopped",
    "Validator",
    "load_job",
    "prompt_text",
    "read_briefs",
    "run_checks",
    "write_records",
]


def __getattr__(name: str) -> object:
    """`Pipeline` only when it is asked for: it needs SQLAlchemy, and a job or a prompt does not."""
    if name == "Pipeline":
        from onlytext.pipeline._pipeline import Pipeline

        return Pipeline
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
