"""What a job did, in figures and samples: one tally a block, added up in the order of the rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from onlytext.bulk._verdict import Verdict

SAMPLES: Final = 5
"""How many samples of each kind are kept."""
_SHOWN: Final = 400
_AROUND: Final = 100


class Sample(NamedTuple):
    """A removal, a doubt or a refused reply, with what stands around it."""

    source: str
    row: int
    id: str
    before: str
    text: str
    after: str
    is_cut: bool
    """Whether the text goes on."""


class Finding(NamedTuple):
    """One row that leaks or can't be cleaned, for a check; `line` counts within the reply."""

    source: str
    row: int
    id: str
    line: int
    reason: str
    text: str


Kind = tuple[str, str]
"""A reason and the id of a pattern, which is empty where none decided."""


class TallyJson(TypedDict):
    """A tally as JSON has it."""

    rows_in: int
    rows_out: int
    rejects: int
    removed: int
    doubted: int
    outcomes: dict[str, int]
    causes: dict[str, int]
    removals: list[tuple[str, str, int]]
    doubts: dict[str, int]
    samples: dict[str, list[tuple[str, str, list[Sample]]]]


@dataclass(slots=True)
class Tally:
    """Rows by outcome, and removals, doubts and refusals by kind, each with some samples."""

    rows_in: int = 0
    rows_out: int = 0
    rejects: int = 0
    outcomes: Counter[str] = field(default_factory=Counter[str])
    causes: Counter[str] = field(default_factory=Counter[str])
    removals: Counter[Kind] = field(default_factory=Counter[Kind])
    removed: int = 0
    """Characters."""
    doubts: Counter[str] = field(default_factory=Counter[str])
    doubted: int = 0
    """Rows with a doubt."""
    samples: dict[str, dict[Kind, list[Sample]]] = field(
        default_factory=lambda: {"removal": {}, "doubt": {}, "refusal": {}}
    )
    findings: list[Finding] = field(default_factory=list[Finding])

    def add(self, other: Tally) -> None:
        """Add what a later block did; its findings are left out."""
        self.rows_in += other.rows_in
        self.rows_out += other.rows_out
        self.rejects += other.rejects
        self.removed += other.removed
        self.doubted += other.doubted
        self.outcomes.update(other.outcomes)
        self.causes.update(other.causes)
        self.removals.update(other.removals)
        self.doubts.update(other.doubts)
        for what, kinds in other.samples.items():
            for kind, samples in kinds.items():
                for sample in samples:
                    self._keep_new(what, kind, sample)

    def count(self, rows: int, verdicts: Mapping[int, Verdict]) -> None:
        """Count the outcomes of so many rows; those without a verdict came out as they were."""
        outcomes = Counter(verdict.outcome for verdict in verdicts.values())
        outcomes["untouched"] += rows - len(verdicts)
        self.outcomes.update({outcome: n for outcome, n in outcomes.items() if n})

    def note(self, place: Place, reply: str, verdict: Verdict) -> None:
        """Take down what one verdict tells of."""
        if verdict.cause is not None:
            self.causes[verdict.cause] += 1
            self._keep("refusal", (verdict.cause, ""), place, reply, 0, len(reply))
            self.findings.append(place.finding(reply, 0, f"refused: {verdict.why}", reply))
        for removal in verdict.removals:
            kind = (removal.reason, removal.pattern or "")
            self.removals[kind] += 1
            self.removed += removal.end - removal.start
            self._keep("removal", kind, place, reply, removal.start, removal.end)
            self.findings.append(place.finding(reply, removal.start, removal.reason, removal.text))
        for doubt in verdict.doubts:
            self.doubts[doubt.reason] += 1
            self._keep("doubt", (doubt.reason, ""), place, reply, doubt.start, doubt.end)
        self.doubted += bool(verdict.doubts)

    def _keep(self, what: str, kind: Kind, place: Place, reply: str, start: int, end: int) -> None:
        shown = min(end, start + _SHOWN)
        self._keep_new(
            what,
            kind,
            Sample(
                *place,
                before=reply[max(0, start - _AROUND) : start],
                text=reply[start:shown],
                after=reply[end : end + _AROUND],
                is_cut=shown < end,
            ),
        )

    def _keep_new(self, what: str, kind: Kind, sample: Sample) -> None:
        """Keep a sample, unless there are enough or one of the same text."""
        kept = self.samples[what].setdefault(kind, [])
        if len(kept) < SAMPLES and all(sample.text != one.text for one in kept):
            kept.append(sample)

    def to_json(self) -> TallyJson:
        """All of it but the findings, as JSON has it."""
        return {
            "rows_in": self.rows_in,
            "rows_out": self.rows_out,
            "rejects": self.rejects,
            "removed": self.removed,
            "doubted": self.doubted,
            "outcomes": dict(self.outcomes),
            "causes": dict(self.causes),
            "removals": [(*kind, count) for kind, count in self.removals.items()],
            "doubts": dict(self.doubts),
            "samples": {
                what: [(*kind, samples) for kind, samples in kinds.items()]
                for what, kinds in self.samples.items()
            },
        }

    @classmethod
    def from_json(cls, given: TallyJson) -> Tally:
        """The tally that `to_json` made this of."""
        return cls(
            rows_in=given["rows_in"],
            rows_out=given["rows_out"],
            rejects=given["rejects"],
            removed=given["removed"],
            doubted=given["doubted"],
            outcomes=Counter(given["outcomes"]),
            causes=Counter(given["causes"]),
            removals=Counter({(reason, name): count for reason, name, count in given["removals"]}),
            doubts=Counter(given["doubts"]),
            samples={
                what: {
                    (reason, name): [Sample(*one) for one in some] for reason, name, some in kinds
                }
                for what, kinds in given["samples"].items()
            },
        )


class Place(NamedTuple):
    """Where a row stands: its file, its number there, and its id, which may be empty.

    A file that is one reply has no rows: then the number is 0.
    """

    source: str
    row: int
    id: str

    def finding(self, reply: str, start: int, reason: str, text: str) -> Finding:
        """What a check says of a stretch of the reply in this row."""
        begun = start + len(text) - len(text.lstrip())
        return Finding(*self, reply.count("\n", 0, begun) + 1, reason, text[:_SHOWN])
