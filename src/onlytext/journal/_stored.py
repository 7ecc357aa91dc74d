"""From the dataclasses to rows of the tables, and back."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from onlytext.journal import _schema as tables
from onlytext.journal._errors import masked
from onlytext.journal._rows import (
    Batch,
    Call,
    Cleaning,
    Failure,
    Run,
    StoredDoubt,
    StoredItem,
    StoredOutcome,
    StoredRemoval,
)
from onlytext.journal._statements import Rows
from onlytext.journal._verbatim import to_json
from onlytext.providers import Message, Request, Usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import RowMapping

    from onlytext.journal._rows import CleaningOutcome, RunState, Status
    from onlytext.journal._statements import Row


def digest(text: str) -> str:
    """The key of a text in the table of texts."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def day(seconds: float) -> str:
    """The day, in UTC, of seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def cleaning_key(call: str, made_with: str) -> str:
    """The key of the cleaning of a call."""
    return digest(f"{call} {made_with}")[:32]


def run_rows(run: Run) -> Rows:
    """What a run is stored as."""
    rows = Rows()
    told = masked(run.job_text)
    rows.add(tables.TEXTS, {"digest": digest(told), "text": told})
    rows.add(
        tables.RUNS,
        {
            "id": run.id,
            "started": run.started,
            "finished": run.finished,
            "state": run.state,
            "job": run.job,
            "job_digest": run.job_digest,
            "cleaning_digest": run.cleaning_digest,
            "job_text": digest(told),
            "language": run.language,
            "version": run.version,
        },
    )
    return rows


def run_of(row: RowMapping) -> Run:
    """The run in a row that has the job's text with it."""
    return Run(
        id=row["id"],
        started=row["started"],
        finished=row["finished"],
        state=cast("RunState", row["state"]),
        job=row["job"],
        job_digest=row["job_digest"],
        cleaning_digest=row["cleaning_digest"],
        job_text=row["text"],
        language=row["language"],
        version=row["version"],
    )


def item_rows(run: str, items: Iterable[StoredItem]) -> Rows:
    """What the items of a run are stored as."""
    rows = Rows()
    for item in items:
        rows.add(tables.ITEMS, {"key": item.key, "id": item.id, "brief": to_json(item.brief)})
        rows.add(tables.RUN_ITEMS, {"run": run, "position": item.position, "item": item.key})
    return rows


def item_of(row: RowMapping) -> StoredItem:
    """The item in a row of a run."""
    return StoredItem(
        key=row["key"], position=row["position"], id=row["id"], brief=json.loads(row["brief"])
    )


def call_rows(call: Call) -> Rows:
    """What a reply is stored as, with its request."""
    request = asdict(call.request)
    system, messages = str(request.pop("system")), request.pop("messages")
    rows = Rows()
    rows.add(tables.TEXTS, {"digest": digest(system), "text": system})
    rows.add(
        tables.CALLS,
        {
            "key": call.key,
            "item": call.item,
            "part": call.part,
            "ask": call.ask,
            "run": call.run,
            "provider": call.provider,
            "model": call.request.model,
            "language": call.language,
            "system": digest(system),
            "messages": to_json(messages),
            "settings": to_json(
                {name: value for name, value in request.items() if value not in (None, ())}
            ),
            "began": call.began,
            "day": day(call.began),
            "seconds": call.seconds,
            "stop": call.stop,
            "text": call.text,
            "thinking": call.thinking,
            "detail": call.detail,
            "answered_by": call.answered_by,
            "request_id": call.request_id,
            **_tokens(call.usage),
            "cost": call.cost,
        },
    )
    return rows


def call_of(row: RowMapping, system: str) -> Call:
    """The reply in a row, with its request."""
    settings = json.loads(row["settings"])
    settings["stop"] = tuple(settings.get("stop", ()))
    messages = tuple(Message(one["role"], one["content"]) for one in json.loads(row["messages"]))
    return Call(
        key=row["key"],
        item=row["item"],
        part=row["part"],
        ask=row["ask"],
        provider=row["provider"],
        request=Request(system=system, messages=messages, **settings),
        text=row["text"],
        stop=row["stop"],
        began=row["began"],
        seconds=row["seconds"],
        thinking=row["thinking"],
        detail=row["detail"],
        answered_by=row["answered_by"],
        request_id=row["request_id"],
        usage=usage_of(row),
        cost=row["cost"],
        language=row["language"],
        run=row["run"],
    )


def failure_rows(failure: Failure) -> Rows:
    """What a failed attempt is stored as; a key in the message is masked."""
    rows = Rows()
    row = cast("Row", {name: getattr(failure, name) for name in failure.__slots__})
    del row["usage"]
    row |= {"message": masked(failure.message), **_tokens(failure.usage)}
    rows.add(tables.FAILURES, row)
    return rows


def failure_of(row: RowMapping) -> Failure:
    """The failed attempt in a row."""
    named = {name: row[name] for name in Failure.__slots__ if name != "usage"}
    return Failure(usage=usage_of(row), **named)


def cleaning_rows(cleaning: Cleaning) -> Rows:
    """What a cleaning is stored as, with its removals and doubts."""
    rows = Rows()
    key = cleaning_key(cleaning.call, cleaning.digest)
    rows.add(
        tables.CLEANINGS,
        {
            "key": key,
            "call": cleaning.call,
            "digest": cleaning.digest,
            "at": cleaning.at,
            "outcome": cleaning.outcome,
            "cause": cleaning.cause,
        },
    )
    for number, one in enumerate(cleaning.removals):
        span: Row = {"cleaning": key, "number": number, "first": one.start, "past": one.end}
        rest: Row = {"reason": one.reason, "pattern": one.pattern, "leak": one.leak}
        rows.add(tables.REMOVALS, {**span, **rest})
    for number, doubt in enumerate(cleaning.doubts):
        place: Row = {"cleaning": key, "number": number, "first": doubt.start, "past": doubt.end}
        rows.add(tables.DOUBTS, {**place, "reason": doubt.reason})
    return rows


def cleaning_of(
    row: RowMapping, removals: Sequence[RowMapping], doubts: Sequence[RowMapping]
) -> Cleaning:
    """The cleaning in a row and in those of its removals and doubts."""
    return Cleaning(
        call=row["call"],
        digest=row["digest"],
        at=row["at"],
        outcome=cast("CleaningOutcome", row["outcome"]),
        cause=row["cause"],
        removals=tuple(
            StoredRemoval(
                start=one["first"],
                end=one["past"],
                reason=one["reason"],
                pattern=one["pattern"],
                leak=one["leak"],
            )
            for one in removals
        ),
        doubts=tuple(
            StoredDoubt(start=one["first"], end=one["past"], reason=one["reason"]) for one in doubts
        ),
    )


def outcome_rows(outcome: StoredOutcome) -> Rows:
    """What an outcome is stored as."""
    rows = Rows()
    row = cast("Row", {name: getattr(outcome, name) for name in outcome.__slots__})
    del row["position"]
    row |= {
        "record": None if outcome.record is None else to_json(outcome.record),
        "doubts": to_json([asdict(doubt) for doubt in outcome.doubts]),
        "calls": to_json(outcome.calls),
    }
    rows.add(tables.OUTCOMES, row)
    return rows


def outcome_of(row: RowMapping, position: int = 0) -> StoredOutcome:
    """The outcome in a row."""
    return StoredOutcome(
        item=row["item"],
        job_digest=row["job_digest"],
        cleaning_digest=row["cleaning_digest"],
        run=row["run"],
        at=row["at"],
        status=cast("Status", row["status"]),
        cause=row["cause"],
        text=row["text"],
        record=None if row["record"] is None else json.loads(row["record"]),
        doubts=tuple(StoredDoubt(**doubt) for doubt in json.loads(row["doubts"])),
        flagged=row["flagged"],
        validated=row["validated"],
        final=row["final"],
        calls=tuple(json.loads(row["calls"])),
        cost=row["cost"],
        seconds=row["seconds"],
        position=position,
    )


def batch_rows(batch: Batch) -> Rows:
    """What a batch is stored as."""
    rows = Rows()
    rows.add(
        tables.BATCHES,
        {
            "provider": batch.provider,
            "id": batch.id,
            "run": batch.run,
            "state": batch.state,
            "submitted": batch.submitted,
        },
    )
    for request, call in batch.calls.items():
        rows.add(
            tables.BATCH_CALLS,
            {"provider": batch.provider, "batch": batch.id, "request": request, "call": call},
        )
    return rows


def batch_of(row: RowMapping, calls: Mapping[str, str]) -> Batch:
    """The batch in a row, with the keys of its calls."""
    return Batch(
        provider=row["provider"],
        id=row["id"],
        run=row["run"],
        state=row["state"],
        submitted=row["submitted"],
        calls=calls,
    )


def usage_of(row: RowMapping) -> Usage:
    """The tokens in a row."""
    return Usage(
        input=row["input_tokens"],
        output=row["output_tokens"],
        cache_read=row["cache_read_tokens"],
        cache_write=row["cache_write_tokens"],
        thinking=row["thinking_tokens"],
    )


def _tokens(usage: Usage) -> dict[str, int]:
    return {f"{name}_tokens": int(value) for name, value in asdict(usage).items()}
