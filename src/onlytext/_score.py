"""How well the cleaner does on cases: the figures, kept apart where one could hide another."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from onlytext._clean import clean
from onlytext.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from onlytext._cases import Case, Kind
    from onlytext._patterns import Patterns
    from onlytext._reply import Clean

Verdict = Literal["right", "refused", "wrong"]


@dataclass(frozen=True, slots=True)
class Result:
    """What the cleaner made of one case: a cleaned text or a refusal, and whether that is right."""

    case: Case
    verdict: Verdict
    answer: Clean | Refused

    @property
    def doubted(self) -> bool:
        """Whether the cleaner told that something may be wrong with the text that it returned."""
        return not isinstance(self.answer, Refused) and bool(self.answer.doubts)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many cases came out how.

    `wrong` are the silent ones: a text was returned, and it is not the true one. `doubted` counts
    those of them that carried a doubt. Where the reply holds no content a refusal is `right`.
    """

    right: int = 0
    refused: int = 0
    wrong: int = 0
    doubted: int = 0

    @property
    def cases(self) -> int:
        """All of them."""
        return self.right + self.refused + self.wrong


@dataclass(frozen=True, slots=True)
class Score:
    """The results of many cases. Leak, harm and missing content are never blended."""

    results: tuple[Result, ...]

    @property
    def leaking(self) -> Tally:
        """Replies that hold content and commentary."""
        return self._tally("leaking")

    @property
    def no_leak(self) -> Tally:
        """Replies that are nothing but content; a wrong one is harm."""
        return self._tally("no leak")

    @property
    def no_content(self) -> Tally:
        """Replies that hold no content; a wrong one is a text made out of commentary."""
        return self._tally("no content")

    @property
    def failures(self) -> tuple[Result, ...]:
        """All that is not right, the silently wrong ones first."""
        rank = {"wrong": 0, "refused": 1}
        missed = (result for result in self.results if result.verdict != "right")
        return tuple(sorted(missed, key=lambda result: rank[result.verdict]))

    def by_file(self) -> Mapping[str, Score]:
        """A score for each case file, in the order in which they came."""
        return self._group((result.case.file, result) for result in self.results)

    def by_language(self) -> Mapping[str, Score]:
        """A score for each language of the content, the one with the most cases first."""
        groups = self._group((result.case.lang, result) for result in self.results)
        return dict(sorted(groups.items(), key=lambda group: (-len(group[1].results), group[0])))

    def by_leak(self) -> Mapping[str, Tally]:
        """A tally for each kind of leak, the most frequent first; a case may count in several."""
        groups = self._group(
            (leak, result) for result in self.results for leak in result.case.leaks
        )
        tallies = {leak: score.leaking for leak, score in groups.items() if score.leaking.cases}
        return dict(sorted(tallies.items(), key=lambda item: (-item[1].cases, item[0])))

    def _tally(self, kind: Kind) -> Tally:
        results = [result for result in self.results if result.case.kind == kind]
        verdicts = [result.verdict for result in results]
        return Tally(
            right=verdicts.count("right"),
            refused=verdicts.count("refused"),
            wrong=verdicts.count("wrong"),
            doubted=sum(result.verdict == "wrong" and result.doubted for result in results),
        )

    @staticmethod
    def _group(pairs: Iterable[tuple[str, Result]]) -> dict[str, Score]:
        groups: defaultdict[str, list[Result]] = defaultdict(list)
        for name, result in pairs:
            groups[name].append(result)
        return {name: Score(tuple(results)) for name, results in groups.items()}


def score(
    cases: Iterable[Case],
    *,
    draft: bool = True,
    prompt: bool = True,
    patterns: Patterns | None = None,
) -> Score:
    """The score of the cleaner on the cases, with or without their drafts and prompts."""
    return Score(
        tuple(judge(case, draft=draft, prompt=prompt, patterns=patterns) for case in cases)
    )


def judge(
    case: Case, *, draft: bool = True, prompt: bool = True, patterns: Patterns | None = None
) -> Result:
    """What the cleaner makes of one case, held against its true text."""
    try:
        cleaned = clean(
            case.reply,
            case.format,
            draft=case.draft if draft else None,
            prompt=case.prompt if prompt else None,
            finished=case.finished,
            patterns=patterns,
        )
    except Refused as refusal:
        return Result(case, "right" if case.gold is None else "refused", refusal)
    return Result(case, "right" if case.accepts(cleaned) else "wrong", cleaned)


def percent(part: int, whole: int) -> str:
    """The share with one decimal; 100.0 only for all and 0.0 only for none.

    >>> percent(1999, 2000), percent(2000, 2000), percent(1, 5000), percent(0, 0)
    ('99.9 %', '100.0 %', '0.1 %', '-')
    """
    if not whole:
        return "-"
    tenths = min(max(round(1000 * part / whole), part > 0), 1000 - (part < whole))
    return f"{tenths / 10:.1f} %"
