"""The tables of a job file: their keys, types and defaults, and what each of them says."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class JobTable(_Table):
    """The table `[job]`."""

    name: Annotated[str, Field(description="what the job is called in reports")]
    language: Annotated[
        str | None,
        Field(
            description='the language of the texts: a code such as `"fr"` or `"pt-BR"`, or a name; '
            "the prompts are in English, French or Spanish, others in English with the language named"
        ),
    ] = None
    validate_: Annotated[
        Literal["always", "when_failing", "never"],
        Field(
            alias="validate",
            description="when a draft goes to the validator: each one, only those that break a "
            "`[[check]]`, or none",
        ),
    ] = "always"
    mode: Annotated[
        Literal["live", "batch"],
        Field(
            description='`"batch"` sends both passes through the provider\'s batches: for less, and later'
        ),
    ] = "live"
    id: Annotated[
        str | None, Field(description="the column of the briefs that tells one from another")
    ] = None
    draft: Annotated[
        str | None,
        Field(
            description='only without `[generate]`: the column that holds the draft; `"draft"` if left out'
        ),
    ] = None
    patterns: Annotated[
        list[str],
        Field(description="files with patterns of your own, named as seen from the job file"),
    ] = []


class _ModelKeys(_Table):
    provider: Annotated[str | None, Field(description='who answers; `"anthropic"` if left out')] = (
        None
    )
    max_tokens: Annotated[
        int | None,
        Field(description="tokens of a reply at most, its thinking included; 8192 if left out"),
    ] = None
    effort: Annotated[
        str | None,
        Field(description='how hard the model thinks, where it can: such as `"low"` or `"medium"`'),
    ] = None
    temperature: Annotated[
        float | None,
        Field(description="0 to 2, for models that take one; current Claude models take none"),
    ] = None


class GenerateTable(_ModelKeys):
    """The table `[generate]`. Without it the briefs hold drafts."""

    prompt: Annotated[
        str,
        Field(
            description="what is to be written; `{name}` is the brief's column of this name, "
            "`{{` and `}}` are braces"
        ),
    ]
    model: Annotated[str, Field(description="the model that writes")]


class ValidatorTable(_ModelKeys):
    """The table `[validator]`. Keys of the model that are left out are those of `[generate]`."""

    rules: Annotated[
        list[str], Field(description="what the validator checks and mends, a sentence each")
    ]
    model: Annotated[
        str | None, Field(description="the model that checks; needed without `[generate]`")
    ] = None


class CheckTable(_Table):
    """A table `[[check]]`: rules that code checks, free of charge."""

    sections: Annotated[
        list[str],
        Field(description="the markers it is about, as `[format]` has them; all if left out"),
    ] = []
    min_words: Annotated[int | None, Field(description="at least so many words in each")] = None
    max_words: Annotated[int | None, Field(description="at most so many words in each")] = None
    min_characters: Annotated[int | None, Field(description="at least so many characters")] = None
    max_characters: Annotated[int | None, Field(description="at most so many characters")] = None
    forbidden: Annotated[
        list[str],
        Field(description="words or phrases that may not come; case and accents do not count"),
    ] = []
    must_match: Annotated[
        str | None, Field(description="a regex (RE2) that has to match somewhere in each")
    ] = None
    must_not_match: Annotated[
        str | None, Field(description="a regex (RE2) that may match nowhere")
    ] = None
    required: Annotated[bool, Field(description="whether each named marker has to be there")] = (
        False
    )
    min_sections: Annotated[int | None, Field(description="at least so many sections")] = None
    max_sections: Annotated[int | None, Field(description="at most so many sections")] = None
    message: Annotated[
        str | None,
        Field(
            description="what a failure is told as, to people and to the model, instead of our own sentence"
        ),
    ] = None


class HardeningTable(_Table):
    """The table `[hardening]`: how the prompts ask for the text alone."""

    level: Annotated[
        Literal["plain", "hardened"],
        Field(description='`"plain"` asks in a sentence or two, to measure what the rest is worth'),
    ] = "hardened"
    sentinel: Annotated[
        bool, Field(description="whether a last line such as `[END]` is asked for")
    ] = True
    notes: Annotated[
        bool,
        Field(
            description="whether remarks may stand below a marker; they can make leaks more frequent"
        ),
    ] = False
    example: Annotated[bool, Field(description="whether the prompts show the form once")] = True


class LimitsTable(_Table):
    """The table `[limits]`."""

    in_flight: Annotated[int, Field(description="calls at once, at most")] = 8
    seconds: Annotated[float, Field(description="how long one call may take in all")] = 600.0
    attempts: Annotated[
        int, Field(description="how often a call is tried where the provider fails")
    ] = 5
    spend: Annotated[
        float | None, Field(description="US dollars after which a run stops; it can be resumed")
    ] = None


class JobFile(_Table):
    """A job file."""

    job: JobTable
    format: dict[str, object] = {}
    generate: GenerateTable | None = None
    validator: ValidatorTable | None = None
    check: list[CheckTable] = []
    hardening: HardeningTable = HardeningTable()
    limits: LimitsTable = LimitsTable()
    provider: dict[str, dict[str, str | int | float | bool]] = {}


TABLES: Final[dict[str, type[BaseModel]]] = {
    "[job]": JobTable,
    "[generate]": GenerateTable,
    "[validator]": ValidatorTable,
    "[[check]]": CheckTable,
    "[hardening]": HardeningTable,
    "[limits]": LimitsTable,
}
"""The tables in the order of the reference, beside `[format]` and `[provider.NAME]`."""
