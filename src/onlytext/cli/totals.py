"""What a run came to: tables for a person, JSON for a program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from onlytext.cli.progress import count_of, dollars, short
from onlytext.pipeline._outcome import STATUSES
from onlytext.pipeline._prices import prices_date

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rich.console import Console
    from rich.table import Table

    from onlytext.pipeline._tally import Ranked, Tally

_MEANINGS: Final = {
    "ok": "a text that went through all that the job asks for",
    "kept_draft": "the draft was kept; the column cause says why",
    "failed": "no text; the column cause says why",
}
_MOST: Final = 12


def print_totals(console: Console, tally: Tally, *, seconds: float) -> None:
    """Print what became of the items, what leaked, and which items were the dearest and slowest."""
    console.print(_outcomes(tally), "")
    console.print(_line(tally, seconds))
    for title, counts in (
        ("what leaked", tally.leaks),
        ("replies of no use", tally.faults),
        ("doubts", tally.doubts),
        ("tried again", tally.retries),
    ):
        if counts:
            console.print("", _counts(title, {str(name): count for name, count in counts.items()}))
    if tally.dearest:
        console.print("", _ranking("dearest items", tally.dearest, dollars))
    if tally.slowest:
        console.print("", _ranking("slowest items", tally.slowest, "{:.1f} s".format))


def totals_as_json(tally: Tally, *, seconds: float) -> dict[str, object]:
    """The same for a program. Costs are null where a price is not known."""
    return {
        "items": tally.done,
        "outcomes": {status: tally.items[status] for status in STATUSES},
        "flagged": tally.flagged,
        "validated": tally.validated,
        "from_earlier_runs": tally.before,
        "calls": tally.calls,
        "replies_used_again": tally.reused,
        "retries": dict(tally.retries),
        "tokens": {"input": tally.input, "output": tally.output, "cache_read": tally.cached},
        "cost_usd": None if tally.unpriced else round(tally.cost, 6),
        "prices_of": prices_date(),
        "models_without_price": sorted(tally.unpriced),
        "replies": tally.replies,
        "leaking": tally.leaking,
        "leaks": dict(tally.leaks.most_common()),
        "faults": dict(tally.faults.most_common()),
        "doubts": dict(tally.doubts.most_common()),
        "dearest": [_as_json(one, "usd") for one in sorted(tally.dearest, reverse=True)],
        "slowest": [_as_json(one, "seconds") for one in sorted(tally.slowest, reverse=True)],
        "seconds": round(seconds, 3),
    }


def _line(tally: Tally, seconds: float) -> str:
    """Calls, tokens, cost, leaks and time, in one or two sentences."""
    tokens = f"{short(tally.input)} tokens in, {short(tally.output)} out"
    parts = [f"{count_of(tally.calls, 'call')} in {_time(seconds)}, {tokens}"]
    if tally.unpriced:
        parts.append(f"cost not known ({', '.join(sorted(tally.unpriced))} has no price here)")
    elif tally.calls:
        parts.append(f"{dollars(tally.cost)} at the prices of {prices_date()}")
    if tally.reused or tally.before:
        parts.append(
            f"{count_of(tally.before, 'item')} and {tally.reused:,} more replies "
            f"came from the journal"
        )
    rate = tally.leak_rate
    if rate is not None:
        parts.append(
            f"{tally.leaking:,} of {tally.replies:,} replies ({rate:.1%}) held more than the text"
        )
    return "\n".join(parts)


def _outcomes(tally: Tally) -> Table:
    table = _table("outcome", "items")
    table.add_column("")
    for status in STATUSES:
        table.add_row(status, f"{tally.items[status]:,}", _MEANINGS[status])
    table.add_row(
        "in all", f"{tally.done:,}", f"{tally.flagged:,} of them flagged, to be looked at"
    )
    return table


def _counts(title: str, counts: Mapping[str, int]) -> Table:
    table = _table(title, "times")
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    for name, count in ordered[:_MOST]:
        table.add_row(name, f"{count:,}")
    if len(ordered) > _MOST:
        rest = sum(count for _, count in ordered[_MOST:])
        table.add_row(f"{len(ordered) - _MOST} more kinds", f"{rest:,}")
    return table


def _ranking(title: str, ranked: Sequence[Ranked], told: Callable[[float], str]) -> Table:
    table = _table(title, "")
    for one in sorted(ranked, reverse=True):
        name = f"row {one.position + 1}" + (f" ({one.id})" if one.id is not None else "")
        table.add_row(name, told(one.amount))
    return table


def _table(name: str, figure: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(name)
    table.add_column(figure, justify="right")
    return table


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{seconds:.1f} s"


def _as_json(ranked: Ranked, unit: str) -> dict[str, object]:
    return {"row": ranked.position + 1, "id": ranked.id, unit: round(ranked.amount, 6)}
