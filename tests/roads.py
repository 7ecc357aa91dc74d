"""The cases of what becomes of an item, which several tests go through."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from onlytext import Marker, Sections
from onlytext.pipeline._checks import Check
from onlytext.pipeline._job import Generate, Job, ModelChoice, Validator
from onlytext.pipeline._verdict import Reply

if TYPE_CHECKING:
    from collections.abc import Mapping

    from onlytext.pipeline._job import Validate
    from onlytext.pipeline._outcome import Pass
    from onlytext.providers import Stop

_FILE = Path(__file__).parent / "cases" / "roads.toml"

FORMAT = Sections("[TITLE]", "[BODY]", Marker("[CAPTION]", optional=True))
NO_REPLY = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoadCase:
    """One item: what it starts from, what is replied, and what has to become of it."""

    name: str
    validate: Validate
    strict: bool
    draft: str | None
    replies: Mapping[Pass, tuple[Reply | None, ...]]
    status: str
    cause: str | None
    text: str | None
    validated: bool
    flagged: bool | None
    final: bool

    @property
    def job(self) -> Job:
        """The job that the item is of."""
        model = ModelChoice(model="a-model", max_tokens=500)
        return Job(
            name="bread",
            format=FORMAT,
            generate=None
            if self.draft is not None
            else Generate(prompt="On {topic}.", model=model),
            validate=self.validate,
            validator=Validator(rules=("At most 6 words in [BODY].",), model=model),
            checks=(Check(sections=("[BODY]",), max_words=6),),
        )

    @property
    def brief(self) -> dict[str, object]:
        """The item's brief."""
        return {"topic": "bread"} if self.draft is None else {"draft": self.draft}


def road_cases() -> list[RoadCase]:
    """All cases of the file."""
    read = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    texts = cast("dict[str, str]", read["replies"])
    return [_case(row, texts) for row in cast("list[dict[str, object]]", read["case"])]


def _case(row: Mapping[str, object], texts: Mapping[str, str]) -> RoadCase:
    known = {"name", "validate", "strict", "draft", "generate", "validator"} | {
        "status", "cause", "text", "validated", "flagged", "final"
    }  # fmt: skip
    assert set(row) <= known, row
    return RoadCase(
        name=str(row["name"]),
        validate=cast("Validate", row.get("validate", "always")),
        strict=bool(row.get("strict", False)),
        draft=texts[str(row["draft"])] if "draft" in row else None,
        replies={
            "generate": _replies(row.get("generate", []), texts),
            "validate": _replies(row.get("validator", []), texts),
        },
        status=str(row["status"]),
        cause=cast("str | None", row.get("cause")),
        text=texts[str(row["text"])] if "text" in row else None,
        validated=bool(row.get("validated", False)),
        flagged=cast("bool | None", row.get("flagged")),
        final=bool(row.get("final", True)),
    )


def _replies(rows: object, texts: Mapping[str, str]) -> tuple[Reply | None, ...]:
    return tuple(_reply(row, texts) for row in cast("list[str | dict[str, str]]", rows))


def _reply(row: str | dict[str, str], texts: Mapping[str, str]) -> Reply | None:
    if row == NO_REPLY:
        return None
    if isinstance(row, str):
        row = {"reply": row}
    return Reply(
        text=texts[row["reply"]],
        stop=cast("Stop", row.get("stop", "end")),
        thinking=row.get("thinking", ""),
        detail=row.get("detail", ""),
    )
