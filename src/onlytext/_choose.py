"""Chooses the run that is the answer, and lays later corrections over it."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext._commentary import QUOTE_SIGN, quoted
from onlytext._compare import Passage, likeness, words
from onlytext._fold import fold
from onlytext._inside import TALKS, bare_of
from onlytext._lines import FENCE, split_lines
from onlytext._markers import Key
from onlytext._regex import regex
from onlytext._sentences import label_of
from onlytext.errors import Ambiguous

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from onlytext._commentary import Judge
    from onlytext._runs import Order, Part, Run

_SAMPLE: Final = 2000
_PLACEHOLDER: Final = regex(r"\(.{1,80}\)|\[.{1,80}\]|（.{1,40}）|…|\.{3}")
FULL: Final = 0.6
_MOST: Final = 0.6
_SHORTER: Final = 0.4
_OTHER: Final = 0.25
_EVIDENCE: Final = 200
# A part of a section that shares so much with the draft's is one of its halves.
_SHARE: Final = 0.4
# A line that shares less than this with the draft's section says something else.
_STRANGE: Final = 0.5
_TICK: Final = regex("[✓✔✅☑✗✘❌✖❎]")
# With so many verdicts among its sections a run is a list of them.
_VERDICTS: Final = 0.5
# What a line says that announces the answer, and how long one is that names the draft.
_ANSWERS: Final = frozenset({"edit", "verdict", "announce", "pause", "again", "pattern"})
_FEW: Final = 5
# How much a line after the last section says where the sections hold verdicts.
_CLOSING: Final = 0.9
# No model gives its sections this often: where a reply seems to, only the last ones are looked at.
_MOST_RUNS: Final = 100
_MOST_PARTS: Final = 100


class Scored(NamedTuple):
    """A run, and what speaks for it."""

    run: Run
    coverage: float
    """How many of the expected sections it has, 0 to 1."""
    quality: float
    """How like the draft its sections are, 0 to 1."""
    verdicts: float
    """How many of its sections are verdicts instead of content, 0 to 1."""
    same: bool
    """Whether it is the draft, word for word."""


class Chosen(NamedTuple):
    """A section that was chosen: one part, or several that belong together."""

    key: Key
    parts: tuple[Part, ...]
    restart: bool
    again: bool = False
    """Whether it was sent once more after the others."""


class Court:
    """Scores the runs of one reply."""

    def __init__(
        self,
        work: str,
        judge: Judge,
        draft: Mapping[Key, Passage],
        required: frozenset[Key],
        order: Order,
    ) -> None:
        self._work = work
        self._judge = judge
        self._draft = draft
        self._required = required
        self._order = order
        self._bags: dict[tuple[int, int], Counter[str]] = {}

    def bag(self, part: Part) -> Counter[str]:
        """The words of a part's body."""
        span = (part.start, part.end)
        if span not in self._bags:
            self._bags[span] = Counter(words(fold(self._work[part.start : part.end])))
        return self._bags[span]

    def empty(self, part: Part) -> bool:
        """Whether nothing stands under a part's marker."""
        return not self._work[part.start : part.end].strip()

    def _is_unchanged(self, part: Part) -> bool:
        known = self._draft.get(part.key)
        return known is not None and self._work[part.start : part.end].strip() == known.body.strip()

    def is_verdict(self, part: Part) -> bool:
        """Whether a part's body speaks of the section instead of being it."""
        if self._is_unchanged(part):
            return False
        text = self._work[part.start : min(part.end, part.start + _SAMPLE)]
        lines = [
            line
            for line in split_lines(text, 0, len(text))
            if not FENCE.match(text[line.start : line.end])
        ]
        if not lines:
            return True
        held = self._draft.get(part.key)
        first = text[lines[0].start : lines[0].end]
        folded = fold(first)
        if held is not None:
            if held.has(folded):
                return False
            if self._ticks(first, held) or self._goes_on(part, first, held):
                return True
            bare = bare_of(first, held, self._judge)
            if bare != first:
                first, folded = bare, fold(bare)
            if self._quotes_first(first):
                return True
            if held.kinship(folded, self._judge.common) >= 0.85 and not TALKS.search(first):
                return False
            weight = self._judge.weigh(first, held.body)
            kin = held.kinship(folded, self._judge.common)
            if kin >= 0.6:
                return weight.score >= 2.4 and likeness(Counter(words(folded)), held.bag) < 0.8
            score = weight.score - (
                1.2 if "another language" in weight.reasons and len(weight.reasons) == 1 else 0.0
            )
            return score >= (0.85 if folded.count(" ") < 6 else 1.5)
        weight = self._judge.weigh(first)
        short = len(words(folded)) <= 12
        return weight.score >= (1.7 if short else 2.6)

    @staticmethod
    def _ticks(line: str, held: Passage) -> bool:
        """Whether a line begins with a tick or a cross, and the draft has none there."""
        return _TICK.match(line) is not None and _TICK.search(held.body) is None

    def _goes_on(self, part: Part, line: str, held: Passage) -> bool:
        """Whether the marker is the subject of its line: small letters where the draft has a capital."""
        body = held.body.strip()
        return (
            part.mark.place == "inline"
            and line.strip()[:1].islower()
            and body[:1].isupper()
            and held.kinship(fold(line), self._judge.common) < _STRANGE
        )

    def _quotes_first(self, line: str) -> bool:
        """Whether a line quotes the draft and then speaks about it."""
        if not QUOTE_SIGN.search(line[:6]):
            return False
        found = quoted(line)
        if not found or not self._judge.holds(found[0]) or self._judge.is_saying(found[0]):
            return False
        at = fold(line).find(found[0])
        rest = words(fold(line)[at + len(found[0]) :])
        return at <= 4 and len(rest) >= 1

    def score(self, run: Run, expected: frozenset[Key]) -> Scored:
        """What speaks for a run."""
        filled: dict[Key, list[Part]] = {}
        for part in run.parts:
            if not self.empty(part):
                filled.setdefault(part.key, []).append(part)
        coverage = (
            len(filled.keys() & expected) / len(expected) if expected else float(bool(filled))
        )
        likes: list[float] = []
        same = bool(filled)
        for key, parts in filled.items():
            held = self._draft.get(key)
            if held is not None:
                bag = Counter[str]()
                for part in parts:
                    bag.update(self.bag(part))
                alike = likeness(bag, held.bag)
                likes.append(alike)
                same = same and self._begins_with(parts, held)
        quality = sum(likes) / len(likes) if likes else 0.0
        bodies = [part for parts in filled.values() for part in parts]
        verdicts = sum(self.is_verdict(part) for part in bodies) / len(bodies) if bodies else 1.0
        return Scored(run, coverage, quality, verdicts, same and bool(likes) and coverage >= 0.99)

    def _begins_with(self, parts: Sequence[Part], held: Passage) -> bool:
        text = "\n".join(self._work[part.start : part.end] for part in parts)
        lines = [fold(text[line.start : line.end]) for line in split_lines(text, 0, len(text))]
        return tuple(lines[: len(held.lines)]) == held.lines

    def choose(self, runs: Sequence[Run]) -> list[Chosen] | None:
        """The sections of the answer, or none where no run holds content."""
        runs = [run for run in runs if not all(map(self.empty, run.parts))]
        if not runs:
            return None
        runs = runs[-_MOST_RUNS:]
        if len(runs) == 1 and len(runs[0].keys) == len(runs[0].parts):
            return self._only(runs[0])
        expected = frozenset(self._draft) or self._expected(runs)
        scored = [self.score(run, expected) for run in runs]
        base = self._base(scored)
        if base is None:
            return None
        place = next(index for index, one in enumerate(scored) if one is base)
        chosen = {
            key: parts
            if not all(map(self._is_placeholder, parts))
            else self._before(key, scored[:place], parts)
            for key, parts in self._grouped(base.run)
        }
        restarts = {runs[place].parts[-1].key} if place + 1 < len(runs) else set[Key]()
        again = set[Key]()
        for later in scored[place + 1 :]:
            if base.same is False and later.same:
                continue
            if self._judge.draft is None and self._is_aside(later.run):
                continue
            for key, parts in self._grouped(later.run):
                good = tuple(
                    part
                    for part in parts
                    if not self.empty(part)
                    and not self.is_verdict(part)
                    and not self._is_placeholder(part)
                    and not (later.verdicts > 0 and self._speaks_of_before(part))
                )
                if good and self._judge.draft is None and later.verdicts >= _VERDICTS:
                    raise self._ambiguous(
                        "sections come again among verdicts, and there is no draft to tell them apart",
                        later.run.parts,
                    )
                if good:
                    chosen[key] = good
                    again.add(key)
                    if later is not scored[-1]:
                        restarts.add(key)
        self._fill(chosen, scored[:place])
        keys = list(chosen)
        if not self._ascending(keys):
            keys.sort(key=self._order.sort_key)
        return [Chosen(key, chosen[key], key in restarts, key in again) for key in keys]

    def _fill(self, chosen: dict[Key, tuple[Part, ...]], earlier: Sequence[Scored]) -> None:
        """Add the sections of the draft that were given before and not sent again.

        Numbered ones may have become fewer on purpose.
        """
        for one in reversed(earlier):
            if one.verdicts > 0:
                continue
            for key, parts in self._grouped(one.run):
                if (
                    not key[1]
                    and key in self._draft
                    and key not in chosen
                    and not all(map(self.empty, parts))
                ):
                    chosen[key] = parts

    def _before(
        self, key: Key, earlier: Sequence[Scored], parts: tuple[Part, ...]
    ) -> tuple[Part, ...]:
        """The text that a placeholder points at: the same section of the run before."""
        for one in reversed(earlier):
            for other, some in self._grouped(one.run):
                if other == key and not any(map(self._is_placeholder, some)):
                    return some
        return parts

    def _only(self, run: Run) -> list[Chosen] | None:
        """The sections of the only run, unless most of them are verdicts."""
        filled = [part for part in run.parts if not self.empty(part)]
        content = 0
        for part in sorted(filled, key=self._is_unchanged, reverse=True):
            content += not self.is_verdict(part)
            if 2 * content >= len(filled):
                break
        else:
            if self._judge.draft is not None or not self._may_be_text(run, filled):
                return None
        return [Chosen(part.key, (part,), restart=False) for part in run.parts]

    def _may_be_text(self, run: Run, filled: Sequence[Part]) -> bool:
        """Whether bodies that read like verdicts may be a text about checking: nothing stands round them."""
        first, last = run.parts[0].mark.start, filled[-1]
        if any(char.isalnum() for char in self._work[:first]):
            return False
        lines = split_lines(self._work, last.start, last.end)
        closing = self._work[lines[-1].start : lines[-1].end]
        if len(lines) > 1 and self._judge.weigh(closing).score >= _CLOSING:
            return False
        openings = Counter(
            series[0]
            for part in filled
            if (series := words(fold(self._work[part.start : part.start + _EVIDENCE])))
        )
        return not any(
            2 * count > len(filled) and "verdict" in self._judge.weigh(item).reasons
            for item, count in openings.items()
        )

    def _is_placeholder(self, part: Part) -> bool:
        """Whether a body only points at the text that was given before: one pair of brackets, dots."""
        body = self._work[part.start : part.end].strip()
        return (
            _PLACEHOLDER.fullmatch(body) is not None
            and not self._is_unchanged(part)
            and not self._judge.holds(fold(body))
        )

    def _speaks_of_before(self, part: Part) -> bool:
        """Whether a body begins with a label that says how it was before."""
        label = label_of(self._work[part.start : part.end].strip().split("\n", 1)[0])
        return label is not None and "was" in self._judge.weigh(label).reasons

    def _ascending(self, keys: Sequence[Key]) -> bool:
        return all(
            self._order.follows(later, earlier) for earlier, later in itertools.pairwise(keys)
        )

    def _expected(self, runs: Sequence[Run]) -> frozenset[Key]:
        seen = frozenset(part.key for run in runs for part in run.parts)
        return frozenset(key for key in seen if key[1]) | self._required

    def _base(self, scored: Sequence[Scored]) -> Scored | None:
        content = [
            one for one in scored if one.verdicts < _VERDICTS and not self._says_the_same(one.run)
        ]
        if self._judge.draft is None:
            content = [one for one in content if not self._is_aside(one.run)] or content
        if not content:
            return None
        most = max(one.coverage for one in content)
        whole = [one for one in content if one.coverage >= FULL * most]
        firsts: dict[Key, Scored] = {}
        for one in whole:
            key = one.run.parts[0].key
            if key not in firsts or firsts[key].coverage < one.coverage:
                firsts[key] = one
        full = [
            one
            for one in whole
            if not any(self._begins_earlier(other, one) for other in firsts.values())
        ]
        best = max(one.quality for one in full)
        good = [one for one in full if one.quality >= 0.5 * best]
        fresh = [one for one in good if not one.same]
        pick = good[-1]
        if pick.same and fresh and scored.index(fresh[-1]) < scored.index(pick):
            return fresh[-1]
        if self._judge.draft is None and any(self._shrinks(one.run, pick.run) for one in good):
            raise self._ambiguous(
                "the reply gives its sections twice, and the later ones are much shorter",
                [one.run.parts[0] for one in good],
            )
        return pick

    def _is_aside(self, run: Run) -> bool:
        """Whether the line before a run says that it is the draft, or an offer, and not the answer."""
        before = self._work[: run.parts[0].mark.start].rstrip()
        line = before.rpartition("\n")[2]
        if not line.rstrip("*_ ").endswith((":", "：")):
            return False
        reasons = set(self._judge.weigh(line).reasons)
        if "ask" in reasons:
            return True
        return "rule" in reasons and reasons.isdisjoint(_ANSWERS) and len(words(fold(line))) <= _FEW

    def _says_the_same(self, run: Run) -> bool:
        """Whether one short body stands under most of the markers, as verdicts do and texts don't."""
        bodies = Counter(
            fold(self._work[part.start : part.end])
            for part in run.parts
            if part.end - part.start <= _SAMPLE and not self.empty(part)
        )
        return bool(bodies) and 1 < max(bodies.values()) >= _MOST * len(run.parts)

    def _shrinks(self, earlier: Run, later: Run) -> bool:
        """Whether most sections of the later run are far shorter than those that they replace."""
        first = {
            part.key: self._work[part.start : part.end].strip().partition("\n")[0]
            for part in earlier.parts
        }
        both = [part for part in later.parts if part.key in first]
        short = sum(
            len(self._work[part.start : part.end].strip()) < _SHORTER * len(first[part.key])
            for part in both
        )
        return 2 * short > len(both)

    def _ambiguous(self, why: str, parts: Sequence[Part]) -> Ambiguous:
        return Ambiguous(
            why,
            reply=self._work,
            evidence=tuple(
                self._work[part.mark.start : part.end].strip()[:_EVIDENCE] for part in parts
            ),
            retry="Return the whole text once, each marker a single time, and nothing else.",
        )

    def _begins_earlier(self, other: Scored, one: Scored) -> bool:
        mine, theirs = one.run.parts[0].key, other.run.parts[0].key
        return (
            mine != theirs and self._order.follows(mine, theirs) and other.coverage >= one.coverage
        )

    def _grouped(self, run: Run) -> list[tuple[Key, tuple[Part, ...]]]:
        """A run's sections; one whose marker comes several times in a row is joined or replaced."""
        groups: list[tuple[Key, list[Part]]] = []
        for part in run.parts:
            if groups and groups[-1][0] == part.key:
                groups[-1][1].append(part)
            else:
                groups.append((part.key, [part]))
        return [(key, self._joined(key, parts)) for key, parts in groups if parts]

    def _joined(self, key: Key, parts: list[Part]) -> tuple[Part, ...]:
        filled = [part for part in parts if not self.empty(part)]
        if len(filled) < 2:
            return tuple(filled or parts[-1:])
        filled = filled[-_MOST_PARTS:]
        kept = [filled[0]]
        for part in filled[1:]:
            if self._is_placeholder(part) or (
                self.is_verdict(part) and not self.is_verdict(kept[-1])
            ):
                continue
            if self._continues(key, kept, part):
                kept.append(part)
            else:
                kept = [part]
        return tuple(kept)

    def _breaks_off(self, part: Part, held: Passage | None) -> bool:
        """Whether a part ends in a remark that does not announce that it goes on."""
        lines = split_lines(self._work, part.start, part.end)
        if len(lines) < 2:
            return False
        text = self._work[lines[-1].start : lines[-1].end]
        folded = fold(text)
        if held is not None and held.kinship(folded, self._judge.common) >= 0.5:
            return False
        weight = self._judge.weigh(text)
        return (
            weight.score >= 1.2 or text.rstrip("*_ ").endswith((":", "："))
        ) and "again" not in weight.reasons

    def _continues(self, key: Key, before: Sequence[Part], part: Part) -> bool:
        """Whether a part goes on with the section instead of giving it again."""
        if self.is_verdict(part):
            return False
        held = self._draft.get(key)
        earlier = Counter[str]()
        for one in before:
            earlier.update(self.bag(one))
        later = self.bag(part)
        overlap = likeness(earlier, later)
        if part.mark.place != "remark" and self._breaks_off(before[-1], held):
            return (
                held is not None
                and overlap < _OTHER
                and likeness(earlier, held.bag) >= _SHARE
                and likeness(later, held.bag) >= _SHARE
                and likeness(earlier + later, held.bag) >= likeness(later, held.bag) + 0.1
            )
        if held is None:
            if self._judge.draft is None and part.mark.place != "remark" and overlap < _OTHER:
                raise self._ambiguous(
                    "a marker comes twice with different texts, and there is no draft to tell "
                    "whether they are one",
                    (*before, part),
                )
            return part.mark.place == "remark" and overlap < 0.4
        both = likeness(earlier + later, held.bag)
        alone = likeness(later, held.bag)
        if part.mark.place == "remark":
            return both >= alone - 0.05 and overlap < 0.6
        return both > alone + 0.1 and overlap < 0.5
