"""A text that stands in a reply twice, the first version before a remark and the last one after it."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext._commentary import quoted
from onlytext._compare import likeness, words
from onlytext._fold import fold
from onlytext._regex import regex
from onlytext.errors import Ambiguous

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onlytext._commentary import Judge
    from onlytext._inside import Row

# Code is full of lines that are alike.
_FENCES: Final = ("```", "~~~")
_LISTED: Final = regex(r"\s*(?:[-*+•]\s|#{1,6}\s|\|)")
_ALIKE: Final = 0.6
_FEWEST: Final = 5
_SAYS: Final = 1.1
_LEADS: Final = 0.4
_SURE: Final = 2.3
_QUOTED: Final = 2
# So many paragraphs are compared with each other, the last ones.
_MOST: Final = 40
_MOST_HEADS: Final = 2


class Versions(NamedTuple):
    """Where the last version stands in the rows, and whether what stands before it says that it is one."""

    first: int
    last: int
    sure: bool


class _Group(NamedTuple):
    first: int
    last: int
    bag: Counter[str]
    text: str


def last_version(work: str, rows: Sequence[Row], judge: Judge) -> Versions | None:
    """The last version of a text, where an earlier one and a remark stand before it."""
    if any(work.startswith(_FENCES, row.line.start) for row in rows):
        return None
    groups = _groups(work, rows)[-_MOST:]
    twins = _twins(groups)
    if not twins:
        return None
    for later in range(len(groups) - 1, 1, -1):
        earlier = twins.get(later)
        if earlier is None:
            continue
        for place in range(later - 1, earlier, -1):
            if place in twins or _has_twin(twins, place):
                continue
            if _speaks(groups, place, groups[earlier], judge):
                return _laid_out(groups, twins, place, judge)
    return None


def paragraphs_of(work: str, rows: Sequence[Row]) -> list[tuple[int, int]]:
    """The first and the last row of each paragraph."""
    starts = [
        index
        for index in range(1, len(rows))
        if work.count("\n", rows[index - 1].line.end, rows[index].line.start) > 1
    ]
    return [
        (first, stop - 1)
        for first, stop in itertools.pairwise([0, *starts, len(rows)])
        if first < stop
    ]


def _groups(work: str, rows: Sequence[Row]) -> list[_Group]:
    """The paragraphs of a reply; its lines, where no blank line stands between any."""
    bounds = paragraphs_of(work, rows)
    if len(bounds) == 1:
        bounds = [(index, index) for index in range(len(rows))]
    texts = [work[rows[first].line.start : rows[last].line.end] for first, last in bounds]
    return [
        _Group(first, last, Counter(words(fold(text))), text)
        for (first, last), text in zip(bounds, texts, strict=True)
    ]


def _twins(groups: Sequence[_Group]) -> dict[int, int]:
    """For each paragraph the earlier one that it gives again, where one does."""
    twins: dict[int, int] = {}
    for later in range(2, len(groups)):
        mine = groups[later].bag
        if mine.total() < _FEWEST:
            continue
        for earlier in range(later - 2, -1, -1):
            theirs = groups[earlier].bag
            if theirs.total() >= _FEWEST and likeness(mine, theirs) >= _ALIKE:
                twins[later] = earlier
                break
    return twins


def _has_twin(twins: dict[int, int], place: int) -> bool:
    return place in twins.values()


def _speaks(groups: Sequence[_Group], place: int, earlier: _Group, judge: Judge) -> bool:
    """Whether a paragraph says something about a version that stands before it."""
    group = groups[place]
    weight = judge.weigh(group.text)
    return (
        weight.score >= _SAYS
        or ("ends in a colon" in weight.reasons and weight.score >= _LEADS)
        or _quotes(group, earlier)
    )


def _quotes(group: _Group, earlier: _Group) -> bool:
    """Whether a remark has words of the version in quotation marks."""
    text = fold(earlier.text)
    return any(len(one) >= _QUOTED and one in text for one in quoted(group.text.replace("`", " ")))


def _laid_out(
    groups: Sequence[_Group], twins: dict[int, int], remark: int, judge: Judge
) -> Versions | None:
    """The version after a remark, where the reply is two versions and what is said of them."""
    after = [later for later in twins if later > remark and twins[later] < remark]
    begin, first = min(twins[later] for later in after), remark + 1
    size = max(max(after) - first, remark - 1 - begin)
    stop = min(first + size, len(groups) - 1)
    while remark - 1 > begin and not _has_twin(twins, remark - 1):
        remark -= 1
    said = groups[remark:first]
    if likeness(_sum(groups[begin:remark]), _sum(groups[first : stop + 1])) < _ALIKE:
        return None
    ends = (groups[remark - 1], groups[stop])
    if any(one.text.rstrip().endswith((":", "：")) for one in ends) or any(
        _LISTED.match(one.text) or "{" in one.text for one in (*said, *ends)
    ):
        return None
    if not all(_talks(one, judge) for one in groups[stop + 1 :]):
        return None
    text = groups[begin]
    heads = groups[:begin]
    if len(heads) > _MOST_HEADS and not all(_talks(one, judge) for one in heads):
        return None
    sure = any(judge.weigh(one.text).score >= _SURE or _quotes(one, text) for one in said)
    return Versions(groups[first].first, groups[stop].last, sure)


def _talks(group: _Group, judge: Judge) -> bool:
    return judge.weigh(group.text).score >= _SAYS


def _sum(groups: Sequence[_Group]) -> Counter[str]:
    total = Counter[str]()
    for one in groups:
        total.update(one.bag)
    return total


def twice(work: str, rows: Sequence[Row], versions: Versions) -> Ambiguous:
    """The refusal of a reply that gives its text twice, where nothing says that the first is no part of it."""
    return Ambiguous(
        "the reply gives its text twice, and no draft tells whether the first one is part of it",
        reply=work,
        evidence=tuple(
            work[line.start : line.end].strip()
            for line in (rows[0].line, rows[versions.first].line)
        ),
        retry="Return the text once, and nothing else.",
    )
