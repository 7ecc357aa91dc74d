"""The page itself: the items packed for its script, and the templates filled."""

from __future__ import annotations

import base64
import hashlib
import json
import time
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from onlytext.review._entry import as_json, name_of, shown
from onlytext.review._figures import quantile
from onlytext.review._plots import bars_of_counts, bars_of_rates, columns_of, line_of
from onlytext.review._words import words_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from onlytext.journal import Counts, Run
    from onlytext.review._entry import Entry
    from onlytext.review._figures import Figures
    from onlytext.review._words import Words

_CHUNK: Final = 100
# So many reasons have a colour of their own; the others share one.
_SHADES: Final = 6
# Inside of <script> these could end it or begin a comment.
_UNSAFE: Final = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
_STATUSES: Final = ("ok", "kept_draft", "failed", "open")


def packed_json(value: object) -> str:
    r"""The value as JSON that can stand inside of a script element.

    >>> packed_json("</script>")
    '"\\u003c/script\\u003e"'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(_UNSAFE)


@dataclass(slots=True)
class Packed:
    """The items as the page carries them: a short row for each, and all of them in chunks."""

    rows: list[list[object]] = field(default_factory=list[list[object]])
    chunks: list[str] = field(default_factory=list[str])
    _waiting: list[dict[str, object]] = field(default_factory=list[dict[str, object]])

    def add(self, entry: Entry) -> None:
        """Pack one more item."""
        leaks = entry.leaks
        reasons = {leak.reason for leak in leaks}
        if any(reply.is_refused for reply in entry.replies):
            reasons.add("")
        self.rows.append(
            [
                entry.told.item.position + 1,
                name_of(entry),
                _STATUSES.index(entry.status),
                sorted(reasons),
                sorted({leak.pattern for leak in leaks if leak.pattern}),
                entry.language,
                int(bool(entry.doubts)),
            ]
        )
        self._waiting.append(as_json(entry))
        if len(self._waiting) == _CHUNK:
            self.close()

    def close(self) -> None:
        """Pack what is still waiting."""
        if self._waiting:
            self.chunks.append(packed_json(self._waiting))
            self._waiting = []


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What stands above the items."""

    run: Run
    counts: Counts
    figures: Figures


def page_of(head: Head, packed: Packed, *, language: str) -> Iterator[str]:
    """The page in parts, in the language of that code."""
    packed.close()
    words = words_in(language)
    style, script = _asset("page.css"), _asset("page.js")
    told = {key[3:]: text for key, text in words.items() if key.startswith("js_")}
    shades = _shades(head.figures)
    data = {"rows": packed.rows, "words": told, "shades": shades, "chunk": _CHUNK}
    template = _environment().get_template("report.html")
    return template.generate(
        lang=language,
        w=words,
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - likewise
        policy=_policy(style, script),
        data=Markup(packed_json(data)),  # noqa: S704 - made safe for a script element
        chunks=map(Markup, packed.chunks),
        statuses=_STATUSES,
        **_above(head, words, shades),
    )


def _above(head: Head, words: Words, shades: dict[str, str]) -> dict[str, object]:
    run, counts, figures = head.run, head.counts, head.figures
    ranked = figures.reasons.most_common()
    if figures.refused:
        ranked.append(("", figures.refused))
        ranked.sort(key=lambda pair: -pair[1])
    kinds = [(reason or words["refused_leak"], count) for reason, count in ranked]
    over_time = figures.over_time()
    seconds = figures.seconds
    usage = counts.usage
    return {
        "run": run,
        "job": shown(run.job),
        "started": _when(run.started),
        "took": _span((run.finished or run.started) - run.started) if run.finished else None,
        "counts": counts,
        "figures": figures,
        "leaks": figures.leaks,
        "tokens_in": usage.input + usage.cache_read + usage.cache_write,
        "cost": None if counts.cost is None else _dollars(counts.cost),
        "kinds": bars_of_counts(kinds, [shades[reason] for reason, _ in ranked]),
        "by_language": bars_of_rates(figures.by_language()),
        "over_time": line_of([rate for _, rate in over_time]) if over_time else None,
        "ends": _ends(over_time[0][0], figures.last) if over_time else ("", ""),
        "latency": columns_of(seconds) if seconds else None,
        "median": f"{quantile(seconds, 0.5):.3g} s",
        "slow": f"{quantile(seconds, 0.95):.3g} s",
        "reasons": ranked,
        "patterns": figures.patterns.most_common(),
        "languages": figures.item_languages.most_common(),
    }


def _shades(figures: Figures) -> dict[str, str]:
    """The colour of each reason, by its name in the style sheet; the frequent ones have their own."""
    names = [reason for reason, _ in figures.reasons.most_common()]
    found = {name: f"s{min(index, _SHADES)}" for index, name in enumerate(names)}
    return found | {"": "none"}


def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("onlytext.review"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _asset(name: str) -> str:
    return resources.files("onlytext.review").joinpath("templates", name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    """What the page may do: apply this very style, run this very script, and nothing else."""
    digests = [
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for text in (style, script)
    ]
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'"
    )


def _when(clock: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(clock))


def _ends(first: float, last: float) -> tuple[str, str]:
    """Two times as short as tells them apart."""
    days = [time.strftime("%Y-%m-%d", time.gmtime(one)) for one in (first, last)]
    form = "%Y-%m-%d %H:%M" if days[0] != days[1] else "%H:%M:%S"
    return time.strftime(form, time.gmtime(first)), time.strftime(form, time.gmtime(last))


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{seconds:.1f} s"


def _dollars(amount: float) -> str:
    return f"${amount:,.2f}" if amount >= 1 or not amount else f"${amount:.3g}"
