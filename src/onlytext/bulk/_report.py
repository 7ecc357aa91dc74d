"""A page on what a job did, with samples of each kind of removal: one file, no script, no network."""

from __future__ import annotations

from html import escape
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext._visible import runs, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from onlytext.bulk._tally import Kind, Sample, Tally

_OUTCOMES: Final = ("untouched", "cleaned", "refused")
_LEAD: Final = {
    "removal": ("What was removed", "Struck through is what is gone; the rest stood around it."),
    "doubt": ("Kept, but doubtful", "It may be commentary, and the evidence did not suffice."),
    "refusal": ("Refused", "These replies have no text in the output; the rows are there."),
}


def report_page(tally: Tally, about: str) -> str:
    """The page as HTML; `about` says in a line what was cleaned."""
    rows = tally.rows_in
    parts = {name: tally.outcomes[name] for name in _OUTCOMES} | {"rejected": tally.rejects}
    shares = ", ".join(f"{count:,} {name}" for name, count in parts.items() if count)
    page = Template(resources.files("onlytext.bulk").joinpath("report.html").read_text("utf-8"))
    return page.substitute(
        title=f"{rows:,} {'reply' if rows == 1 else 'replies'} cleaned",
        about=_shown(about),
        bar_label=escape(shares or "nothing"),
        bar="".join(
            f'<i class="{name}" style="flex:{count}" title="{count:,} {name}"></i>'
            for name, count in parts.items()
            if count
        ),
        figures="\n".join(
            f'<tr><th>{escape(line.name)}</th><td class="number">{line.value}</td>'
            f'<td class="number">{line.share}</td></tr>'
            for line in figures(tally)
        ),
        body="\n".join(part for what in _LEAD for part in _kinds(what, tally)),
    )


class Figure(NamedTuple):
    """A figure with its name and, where it is one of rows, their share."""

    name: str
    value: str
    share: str = ""


def figures(tally: Tally) -> list[Figure]:
    """The figures that are worth reading."""
    causes = ", ".join(f"{count:,} {cause}" for cause, count in tally.causes.most_common())
    shares = [(name, tally.outcomes[name]) for name in ("untouched", "cleaned")]
    shares.append((f"refused ({causes})" if causes else "refused", tally.outcomes["refused"]))
    shares += [("put aside as malformed", tally.rejects), ("with a doubt", tally.doubted)]
    return [
        Figure("rows in", f"{tally.rows_in:,}"),
        Figure("rows out", f"{tally.rows_out:,}"),
        *(
            Figure(name, f"{count:,}", f"{count / max(tally.rows_in, 1):.1%}")
            for name, count in shares
        ),
        Figure("removals", f"{tally.removals.total():,}"),
        Figure("characters removed", f"{tally.removed:,}"),
    ]


def _kinds(what: str, tally: Tally) -> Iterator[str]:
    """The samples of one sort, kind by kind, the most frequent first."""
    counts: Mapping[Kind, int] = {
        "removal": tally.removals,
        "doubt": {(reason, ""): count for reason, count in tally.doubts.items()},
        "refusal": {(cause, ""): count for cause, count in tally.causes.items()},
    }[what]
    if not counts:
        return
    head, lead = _LEAD[what]
    yield f"<h2>{head}</h2><p class=soft>{lead}</p>"
    for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        reason, pattern = kind
        by = f" · <code>{_shown(pattern)}</code>" if pattern else ""
        yield f'<h3>{_shown(reason)}{by} <span class="soft">× {count:,}</span></h3>'
        for sample in tally.samples[what].get(kind, ()):
            yield _figure(what, sample)


def _figure(what: str, sample: Sample) -> str:
    row = f", row {sample.row:,}" if sample.row else ""
    name = f" · {_shown(sample.id)}" if sample.id else ""
    tag = {"removal": "del", "doubt": "mark", "refusal": "span"}[what]
    more = '<b class="sign">…</b>' if sample.is_cut else ""
    return (
        f'<figure><p class="place">{_shown(sample.source)}{row}{name}</p>'
        f'<div class="text"><bdi>{_marked(sample.before)}<{tag}>{_marked(sample.text)}{more}</{tag}>'
        f"{_marked(sample.after)}</bdi></div></figure>"
    )


def _marked(text: str) -> str:
    """Text of a reply as HTML: nothing in it is markup, and nothing in it acts."""
    return "".join(
        f'<b class="sign">{escape(run.text)}</b>' if run.is_sign else escape(run.text)
        for run in runs(text)
    )


def _shown(text: str) -> str:
    return escape(visible(text))
