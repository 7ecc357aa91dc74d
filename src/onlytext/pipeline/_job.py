"""A job: what is asked of the model for each brief, and what its answer has to keep."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, final

from onlytext._patterns import Patterns
from onlytext._wording import LANGUAGE
from onlytext.errors import OnlytextError
from onlytext.pipeline import _requests as requests
from onlytext.pipeline._checks import run_checks
from onlytext.pipeline._digests import cleaning_digest, job_digest
from onlytext.pipeline._requests import template_of
from onlytext.pipeline._secrets import secret_faults
from onlytext.prompts import Hardening, sent_format

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from onlytext._format import Sections, Text
    from onlytext._reply import Clean
    from onlytext.pipeline._checks import Check, Failure
    from onlytext.providers import Request

Validate = Literal["always", "when_failing", "never"]
Mode = Literal["live", "batch"]
Providers: TypeAlias = "Mapping[str, Mapping[str, str | int | float | bool]]"

_MOST_IN_FLIGHT: Final = 10_000


class JobError(OnlytextError, ValueError):
    """A job that can't work; `faults` holds them all, each as a key and a sentence."""

    def __init__(self, faults: tuple[tuple[str, str], ...], *, file: str | None = None) -> None:
        before = f"{file}: " if file else ""
        super().__init__(
            "\n".join(f"{before}{f'{key}: ' if key else ''}{said}" for key, said in faults)
        )
        self.faults = faults


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """Which model answers, and how long and how hard it may think about it.

    `max_tokens` counts the reply with its thinking. What is none is left out of the call, so that
    the provider's own default holds.
    """

    model: str
    provider: str = "anthropic"
    max_tokens: int = 8192
    effort: str | None = None
    temperature: float | None = None

    def faults(self) -> Iterator[tuple[str, str]]:
        """What is wrong with it: the key, and a sentence."""
        if not self.model.strip():
            yield "model", "it is empty: name a model"
        if not self.provider.strip():
            yield "provider", 'it is empty: write "anthropic" or another provider\'s name'
        if self.max_tokens < 1:
            yield "max_tokens", f"write a number from 1 up, not {self.max_tokens}"
        if self.temperature is not None and not 0 <= self.temperature <= 2:  # noqa: PLR2004
            yield "temperature", f"write a number from 0 to 2, not {self.temperature}"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Generate:
    """The first pass: a prompt with `{fields}` of the brief, and the model that answers it."""

    prompt: str
    model: ModelChoice


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Validator:
    """The second pass: the rules that the draft is held against, and the model that does it."""

    rules: tuple[str, ...]
    model: ModelChoice


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class JobLimits:
    """How much of everything: calls at once, seconds for one call, tries of one call, US dollars."""

    in_flight: int = 8
    seconds: float = 600.0
    attempts: int = 5
    spend: float | None = None

    def faults(self) -> Iterator[tuple[str, str]]:
        """What is wrong with it: the key, and a sentence."""
        if not 1 <= self.in_flight <= _MOST_IN_FLIGHT:
            yield "in_flight", f"write a number from 1 to {_MOST_IN_FLIGHT}, not {self.in_flight}"
        if not 0 < self.seconds <= 86_400:  # noqa: PLR2004 - a day
            yield "seconds", f"write a number above 0 and up to 86400, not {self.seconds}"
        if not 1 <= self.attempts <= 100:  # noqa: PLR2004
            yield "attempts", f"write a number from 1 to 100, not {self.attempts}"
        if self.spend is not None and not self.spend > 0:
            yield "spend", f"write an amount above 0 in US dollars, not {self.spend}"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """All that a run needs to know beside its briefs. Raises `JobError` with every fault at once.

    Without `generate` the briefs hold drafts, in the column `draft_field`. `validate` says when
    the second pass is paid for: for each draft, only for one that breaks a check, or never.
    `id_field` names the column that tells one brief from another, `patterns` the files with the
    user's own patterns, `providers` what a provider is to be told, without any secret. `source`
    is the text of the file that the job was read from, and plays no part in it.
    """

    name: str
    format: Sections | Text
    language: str | None = None
    generate: Generate | None = None
    draft_field: str | None = None
    id_field: str | None = None
    validate: Validate = "always"
    validator: Validator | None = None
    checks: tuple[Check, ...] = ()
    hardening: Hardening = field(default_factory=Hardening)
    limits: JobLimits = field(default_factory=JobLimits)
    mode: Mode = "live"
    patterns: tuple[Path, ...] = ()
    providers: Providers = field(
        default_factory=dict[str, "Mapping[str, str | int | float | bool]"]
    )
    source: str = field(default="", repr=False, compare=False)
    sent_format: Sections | Text = field(init=False, repr=False, compare=False)
    """What the prompts ask for and replies are cleaned with: `format`, with its end sentinel."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        if self.generate is None and self.draft_field is None:
            put(self, "draft_field", "draft")
        faults = tuple(self._faults())
        if faults:
            raise JobError(faults)
        sent = sent_format(self.format, language=self.language, hardening=self.hardening)
        put(self, "sent_format", sent)

    @property
    def needs(self) -> tuple[str, ...]:
        """The columns that each brief has to have."""
        own = (self.id_field,) if self.id_field is not None else ()
        if self.generate is None:
            return tuple(dict.fromkeys((*own, self.draft_field or "draft")))
        return tuple(dict.fromkeys((*own, *template_of(self.generate.prompt).fields)))

    @property
    def digest(self) -> str:
        """What tells this job from another: a change of it makes every stored outcome stale.

        It covers all that is sent or that decides about a text: format, prompts as they are built,
        models, rules, checks. It leaves out the name, limits, mode, providers' options, and what
        `cleaning_digest` covers.
        """
        return job_digest(self)

    @property
    def cleaning_digest(self) -> str:
        """What replies are cleaned with: a change of it means cleaning stored replies again.

        It covers the format, the user's pattern files, the built-in catalogue and the version of
        onlytext. Reads these files each time.
        """
        return cleaning_digest(self)

    def request_for_generation(self, brief: Mapping[str, object]) -> Request:
        """What is sent for a brief, byte for byte the same each time.

        Raises `BriefError` where the brief lacks a field of the prompt.
        """
        return requests.generation(self, brief)

    def request_for_validation(self, draft: str) -> Request:
        """What is sent to have a draft checked, byte for byte the same each time."""
        return requests.validation(self, draft)

    def request_again(self, request: Request, reply: str, sentence: str) -> Request:  # noqa: ARG002
        """The same question once more, with the sentence that says why the reply was of no use.

        The reply itself is left out: a model that sees its own remarks repeats them.
        """
        return requests.again(self, request, sentence)

    def draft_of(self, brief: Mapping[str, object]) -> str:
        """The draft that a brief holds, where the job does not generate any."""
        return requests.draft_of(self, brief)

    def id_of(self, brief: Mapping[str, object]) -> str | None:
        """What the brief is called in the job's id column; none where the job names no column."""
        return None if self.id_field is None else requests.text_of(brief, self.id_field)

    def failures(self, cleaned: Clean) -> tuple[Failure, ...]:
        """Every code rule that a text breaks."""
        return run_checks(self.checks, cleaned)

    def load_patterns(self) -> Patterns | None:
        """The built-in patterns with the user's own; none where the job names no file."""
        return Patterns.load(*self.patterns) if self.patterns else None

    def _faults(self) -> Iterator[tuple[str, str]]:
        if not self.name.strip():
            yield "[job] name", "it is empty: give the job a name"
        if self.language is not None and LANGUAGE.fullmatch(self.language) is None:
            yield "[job] language", f'write a code such as "fr" or a name, not {self.language!r}'
        yield from self._pass_faults()
        if self.generate is not None:
            yield from _prompt_faults(self.generate.prompt)
            yield from _under("[generate]", self.generate.model.faults())
        if self.validator is not None:
            for number, rule in enumerate(self.validator.rules, start=1):
                if not rule.strip():
                    yield f"[validator] rules, item {number}", "it is empty: take it out"
            yield from _under("[validator]", self.validator.model.faults())
        for number, check in enumerate(self.checks, start=1):
            yield from _under(f"[[check]] {number}", check.faults(self.format))
        yield from _under("[limits]", self.limits.faults())
        for name, options in self.providers.items():
            yield from _under(f"[provider.{name}]", secret_faults(options, name))

    def _pass_faults(self) -> Iterator[tuple[str, str]]:
        if self.validate != "never" and self.validator is None:
            yield "[validator]", 'it is missing: write its rules, or validate = "never" in [job]'
        if self.validator is not None and self.validate != "never" and not self.validator.rules:
            yield "[validator] rules", 'there are none: write them, or validate = "never" in [job]'
        if self.validate == "when_failing" and not self.checks:
            yield "[job] validate", '"when_failing" needs a [[check]] that can fail: write one'
        if self.generate is not None and self.draft_field is not None:
            yield "[job] draft", "a job that generates its drafts reads none: take one of them out"
        if self.generate is None and self.validate == "never":
            yield "[job] validate", 'with "never" and no [generate] there is nothing to ask a model'


def load_job(path: str | os.PathLike[str]) -> Job:
    """The job that a TOML file describes.

    Raises `JobError` with every fault at once, each with the file, the table and the key.
    """
    from onlytext.pipeline._jobfile import read_job  # it needs pydantic, which is slow to import

    return read_job(path)


def _under(table: str, faults: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for key, said in faults:
        yield f"{table} {key}".strip(), said


def _prompt_faults(prompt: str) -> Iterator[tuple[str, str]]:
    if not prompt.strip():
        yield "[generate] prompt", "it is empty: say what is to be written"
    try:
        template_of(prompt)
    except ValueError as error:
        yield "[generate] prompt", str(error)
