"""Inside a stretch of content: which lines and which parts of lines are commentary."""

from __future__ import annotations

import bisect
from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext._commentary import QUOTE_SIGN, TALKS_ARROW, quoted, without_quotes
from onlytext._compare import Passage, words
from onlytext._fold import fold
from onlytext._lines import FENCE, LONG, Line, split_lines
from onlytext._regex import regex
from onlytext._sentences import label_of, split_sentences
from onlytext._spans import Drop
from onlytext.errors import Ambiguous, NoContent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onlytext._commentary import Judge, Weight

RULE_LINE: Final = regex(r"^\s*(?:-{3,}|\*{3,}|_{3,}|(?:\* ){2,}\*|={3,}|–{3,}|—{1,3})\s*$")
_HEADING: Final = regex(r"^(?:#{1,6} .*|\*\*[^*]+\*\*|__[^_]+__)$")
KIN: Final = 0.6
SAME: Final = 0.85
SURE: Final = 3.0
LIKELY: Final = 1.75
APART: Final = 1.45
ASIDE: Final = 1.9
# So little of a line in the draft says that it is none of its lines in other words.
_ALIEN: Final = 0.35


# How many rule lines are asked for what comes after them, and how much of that is looked at.
_MOST_RULES: Final = 20
_REST: Final = 4 * LONG
_ENOUGH: Final = regex(r"(?:[^\W_][\W_]*){4}")
# What a remark in a line begins with: without one of these there is none.
_HANGS: Final = regex(r"[(\[{（【~→⇒➜←⇐※✓✔✅✗✘❌#–—<>/]")
# A bullet or a number before a quotation.
_LEAD: Final = 6
TALKS: Final = regex(r"[\"'“”«»„‘’「『`→⇒➜←✓✔✅✗✘❌:：<>]")


Known = tuple[str, float, bool, float, str, str | None, bool, bool, bool]
"""What is known of a line wherever it stands: a row without its first field."""


class Row(NamedTuple):
    """A line of the stretch, and what is known of it."""

    line: Line
    folded: str
    kin: float
    exact: bool
    weight: float
    reason: str
    pattern: str | None
    fence: bool
    rule: bool
    apart: bool = False

    def is_commentary(self, bar: float) -> bool:
        """Whether the line goes when the bar for commentary is this high."""
        if self.exact or self.fence or self.rule:
            return False
        if self.kin >= 0.85:
            return self.weight >= 4.5
        if self.kin >= KIN:
            return self.weight >= max(bar, SURE)
        return self.weight >= (min(bar, APART) if self.apart else bar)


# No model writes so many different lines that its draft does not have.
_MOST_ROWS: Final = 4000
# What a row says after its line and its folded text: it stands in the draft; nothing is known.
_EXACT: Final = (1.0, True, 0.0, "", None, False, False, False)
_UNKNOWN: Final = (0.0, False, 0.0, "", None, False, False, False)
# What a fence and a rule line begin with.
_FENCED: Final = "`~>"
_RULED: Final = "-*_=–—"


def bare_row(line: Line) -> Row:
    """A line of which nothing is known."""
    return Row(line, "", *_UNKNOWN)


def read_rows(work: str, start: int, end: int, held: Passage | None, judge: Judge) -> list[Row]:
    """The lines of a stretch, compared with the draft and weighed where they have no counterpart."""
    rows: list[Row] = []
    inside = False
    same = held.same if held is not None else _never
    lines = split_lines(work, start, end)
    texts = [work[line.start : line.end] for line in lines]
    judge.look_over(text for text in texts if same(text) is None)
    for line, text in zip(lines, texts, strict=True):
        folded = same(text)
        exact = folded is not None
        if folded is None:
            folded = judge.folded(text)
            exact = held is not None and held.has(folded)
        first = text[0] if text[0] > " " else text.lstrip()[0]
        if first in _FENCED or first in _RULED:
            fence = FENCE.match(text) is not None
            rule = RULE_LINE.match(text) is not None
        else:
            fence = rule = False
        if exact and not (fence or rule):
            rows.append(Row(line, folded, *_EXACT))
            continue
        if fence and judge.fenced:
            inside = not inside
        if exact or fence or rule or inside:
            rows.append(
                Row(
                    line,
                    folded,
                    float(exact or inside),
                    exact or (inside and judge.fenced),
                    0.0,
                    "",
                    None,
                    fence,
                    rule,
                )
            )
            continue
        key = (text, id(held))
        known = judge.rows.get(key)
        if known is None:
            if len(judge.rows) >= _MOST_ROWS:
                raise Ambiguous(
                    "the reply has thousands of lines that its draft does not have",
                    reply=work,
                    evidence=(text[:200],),
                    retry="Return only the text itself, whole, and nothing else.",
                )
            known = judge.rows[key] = _compared(text, folded, held, judge)
        rows.append(Row(line, *known))
    return rows


def _never(_: str) -> str | None:
    """Nothing stands in a draft that is not there."""
    return None


def _compared(text: str, folded: str, held: Passage | None, judge: Judge) -> Known:
    """A line that does not stand in the draft as it is, without the remarks that hang on it."""
    bare = bare_of(text, held, judge)
    plain = folded if bare is text else fold(bare)
    kin = 0.0
    if held is not None:
        kin = held.kinship(plain, judge.common)
        if kin < SAME:
            kin = max(kin, _best_sentence(bare, held, judge))
        elif not TALKS.search(text) and not judge.is_echo(folded):
            return (folded, kin, *_UNKNOWN[1:])
        if _is_swap(text, judge):
            kin, bare, plain = 0.0, text, folded
    known = judge.draft is not None and judge.draft.has(folded)
    weight = judge.weigh(bare, held.body if held is not None else None, kin, plain)
    if bare != text:
        whole = judge.weigh(text, folded=folded)
        if whole.pattern is not None and weight.pattern is None:
            weight = whole
    return (
        folded,
        max(kin, 0.9) if known else kin,
        known and held is None,
        weight.score,
        _reason(weight),
        weight.pattern.id if weight.pattern else None,
        False,
        False,
        "set apart" in weight.reasons and not text.strip().startswith("【"),
    )


def _is_swap(text: str, judge: Judge) -> bool:
    """Whether a line says what became of words of the draft: the words in quotes, an arrow."""
    found = QUOTE_SIGN.search(text[:_LEAD])
    arrow = TALKS_ARROW.search(text) if found is not None else None
    if found is None or arrow is None or judge.draft is None:
        return False
    if judge.shows_arrows:
        return False
    quotes = quoted(text[: min(arrow.start(), LONG)])
    return bool(quotes) and judge.holds(quotes[0]) and not judge.is_saying(quotes[0])


def bare_of(text: str, held: Passage | None, judge: Judge) -> str:
    """A line without bracketed remarks and what hangs on its end, unless nothing else is in it."""
    if held is None or len(text) > LONG or not _HANGS.search(text):
        return text
    left = text
    if _BRACKET.search(text):
        left = GROUP.sub(
            lambda found: found.group() if judge.holds(fold(found.group())) else " ", text
        )
    cut = tail_remark(left, judge)
    if cut is not None:
        left = left[:cut]
    return left if _ENOUGH.search(left) else text


def _best_sentence(text: str, held: Passage, judge: Judge) -> float:
    """How much of its best sentence stands in the draft, quotations of the draft left aside."""
    plain = text
    if len(text) <= LONG and QUOTE_SIGN.search(text):
        plain = without_quotes(
            text, lambda quote: judge.holds(quote) and not judge.is_saying(quote)
        )
    sentences = split_sentences(plain)
    if len(sentences) < 2:
        return 0.0
    best = 0.0
    for one in sentences:
        folded = fold(plain[one.start : one.end])
        if len(words(folded)) >= 4:
            best = max(best, held.kinship(folded, judge.common))
    return best if best >= 0.75 else 0.0


def _reason(weight: Weight) -> str:
    if weight.pattern is not None:
        return "validator language"
    if "stands in the prompt" in weight.reasons:
        return "echo of the prompt"
    return "not in the draft: " + ", ".join(weight.reasons[:4])


def drop_lines(
    work: str,
    rows: Sequence[Row],
    judge: Judge,
    *,
    bar: float = LIKELY,
    last: bool = False,
    restart: bool = False,
    lone: bool = False,
) -> list[Drop]:
    """The lines of a section's body that go.

    After the last line with a counterpart everything from the first commentary on goes, before the
    first one everything up to the last commentary; between them only the commentary itself.
    `restart` says that a section is sent again right after this body, `lone` that the body is one
    paragraph in the draft and that the reply speaks elsewhere: a paragraph more is a remark.
    """
    if not rows:
        return []
    kin = [
        index
        for index, row in enumerate(rows)
        if row.exact or (row.kin >= KIN and not row.is_commentary(bar))
    ]
    first, final = (kin[0], kin[-1]) if kin else (len(rows), -1)
    gone: set[int] = set()
    begin = _tail_start(work, rows, final, bar, judge)
    drags = [index for index in range(begin, len(rows)) if not rows[index].apart]
    spoken = next((index for index in drags if rows[index].is_commentary(bar)), len(rows))
    gone.update(
        index
        for index in range(begin, len(rows))
        if index >= spoken or rows[index].is_commentary(bar) or drags[:1] == [begin]
    )
    if first < len(rows):
        head = [index for index in range(first) if rows[index].is_commentary(bar)]
        if head:
            gone.update(range(head[-1] + 1))
    gone.update(index for index in range(first, final + 1) if rows[index].is_commentary(bar))
    if lone and (more := _one_more(work, rows, gone)) is not None:
        gone.update(range(more, len(rows)))
    if restart and not gone and len(rows) > 1:
        row = rows[-1]
        if not row.exact and row.kin < _ALIEN:
            gone.add(len(rows) - 1)
    if not last and judge.draft is not None:
        kept = [index for index in range(len(rows)) if index not in gone]
        if len(kept) > 1 and _leads_over(work, rows, kept[-1]):
            gone.add(kept[-1])
    _sweep(rows, gone)
    return [
        Drop(
            rows[index].line.start,
            rows[index].line.end,
            rows[index].reason or "belongs to the commentary round it",
            rows[index].pattern,
        )
        for index in sorted(gone)
    ]


def _tail_start(work: str, rows: Sequence[Row], final: int, bar: float, judge: Judge) -> int:
    """The first row of the commentary after the last row with a counterpart."""
    begin = len(rows)
    for index in range(final + 1, len(rows)):
        if rows[index].is_commentary(bar) or (
            judge.draft is not None
            and _opens_paragraph(work, rows, index)
            and _heavy(work, rows, index, bar, judge)
        ):
            begin = index
            break
    if judge.draft is not None:
        rules = [
            index
            for index in range(final + 1, min(begin, len(rows) - 1))
            if rows[index].rule and not rows[index].exact
        ]
        for index in rules[:_MOST_RULES]:
            start = rows[index + 1].line.start
            if judge.weigh(work[start : min(rows[-1].line.end, start + _REST)]).score >= 1.0:
                begin = index
                break
    while begin > max(final + 1, 1) and begin < len(rows) and _announces(work, rows[begin - 1]):
        begin -= 1
    return begin


def _one_more(work: str, rows: Sequence[Row], gone: set[int]) -> int | None:
    """The first row of a last paragraph that stands apart and has no counterpart at all."""
    index = len(rows) - 1
    while index > 0:
        row = rows[index]
        if row.exact or row.kin >= _ALIEN or row.fence or row.rule:
            return None
        if _opens_paragraph(work, rows, index):
            break
        index -= 1
    text = work[rows[index].line.start : rows[index].line.end]
    if index == 0 or index in gone or label_of(text) is not None:
        return None
    return index


def _leads_over(work: str, rows: Sequence[Row], index: int) -> bool:
    """Whether the last line of a section announces the next one."""
    row = rows[index]
    text = work[row.line.start : row.line.end].rstrip("*_ ")
    return (
        not row.exact
        and row.kin < _ALIEN
        and text.endswith((":", "："))
        and _opens_paragraph(work, rows, index)
    )


def _opens_paragraph(work: str, rows: Sequence[Row], index: int) -> bool:
    start = rows[index].line.start
    return start < 2 or not work[work.rfind("\n", 0, start - 1) + 1 : start].strip()


def _heavy(work: str, rows: Sequence[Row], index: int, bar: float, judge: Judge) -> bool:
    """Whether a whole paragraph is commentary, though none of its lines is by itself."""
    if rows[index].exact or rows[index].kin >= KIN or rows[index].fence:
        return False
    stop = index + 1
    while stop < len(rows) and not _opens_paragraph(work, rows, stop):
        if rows[stop].exact or rows[stop].kin >= KIN:
            return False
        stop += 1
    if stop == index + 1 and not rows[index].rule:
        return False
    return judge.weigh(work[rows[index].line.start : rows[stop - 1].line.end]).score >= bar


def _announces(work: str, row: Row) -> bool:
    """Whether a line leads over to what follows it: a rule, a heading, a label."""
    if row.exact or row.kin >= KIN:
        return False
    text = work[row.line.start : row.line.end].strip()
    return row.rule or text.rstrip("*_ ").endswith((":", "：")) or bool(_HEADING.match(text))


def _sweep(rows: Sequence[Row], gone: set[int]) -> None:
    """Drop the rule lines and fences that are left over at the edges of what goes."""
    kept = deque(index for index in range(len(rows)) if index not in gone)
    fences = deque(index for index in kept if rows[index].fence)
    while kept:
        for index in (kept[0], kept[-1]):
            row = rows[index]
            over = (row.rule and (index + 1 in gone or index - 1 in gone)) or (
                row.fence and _odd_fence(kept, fences)
            )
            if over and not row.exact:
                gone.add(index)
                for some in (kept, fences) if row.fence else (kept,):
                    if some[0] == index:
                        some.popleft()
                    else:
                        some.pop()
                break
        else:
            return


def _odd_fence(kept: Sequence[int], fences: Sequence[int]) -> bool:
    """Whether a fence at the edge has no partner inside, or its partner is the other edge."""
    return len(fences) % 2 == 1 or (
        fences[0] == kept[0] and fences[-1] == kept[-1] and len(fences) == 2
    )


def nothing(work: str, why: str, rows: Sequence[Row] = ()) -> NoContent:
    """The refusal of a reply without usable text, with its first lines as evidence."""
    evidence = tuple(work[row.line.start : row.line.end] for row in rows[:5])
    return NoContent(
        why, reply=work, evidence=evidence, retry="Return the text itself, whole, and nothing else."
    )


# ---------------------------------------------------------------- parts of a line

GROUP: Final = regex(
    r"[ \t\xa0]?(?:\*{1,2}|_)?(?:\({1,2}[^()\n]{1,300}\){1,2}|（[^（）\n]{1,300}）|\[{1,2}[^\[\]\n]{1,300}\]{1,2}|【[^【】\n]{1,300}】|\{[^{}\n]{1,300}\}"
    r"|(?<=[ \t\xa0])<[^<>@/\s][^<>@/\n]{0,200}[ \xa0][^<>@\n]{1,200}>|(?<=[ \t\xa0])/[^/\s][^/\n]{1,120}[^/\s]/(?![^\s.,;:!?]))(?:\*{1,2}|_)?"
)
SIGN: Final = regex(
    r"(?:(?<![ \t\xa0])[ \t\xa0]+|(?<=[。！？」』）])(?=※))(?P<sign>→|->|=>|⇒|➜|←|<--?|//|#|※|--|–|—|✓|✔|✅|✗|✘|❌|⇐)(?=[ \t\xa0]|[^\W\d_]|\d|$)[ \t\xa0]*"
)
# Without one of these there is no bracketed remark in a line, and no sign that a remark hangs on.
_BRACKET: Final = regex(r"[(（\[【{]|[ \t\xa0][</]\S")
_HOOK: Final = regex(r"[ \t\xa0][→=⇒➜←</#–—✓✔✅✗✘❌⇐-]|※")
_SIGN_POINTS: Final = {
    "←": 1.7,
    "<-": 1.7,
    "<--": 1.7,
    "⇐": 1.7,
    "※": 0.0,
    "→": 1.0,
    "->": 1.0,
    "//": 1.0,
    "#": 0.7,
}
_TABLE_ROW: Final = regex(r"^\s*\|.*\|\s*$")
_STRUCK: Final = regex(r"~~[^~\n]{1,200}~~[ \t\xa0]?")


def drop_parts(work: str, line: Line, held: Passage | None, judge: Judge) -> list[Drop]:
    """The parts of a kept line that go: bracketed remarks, remarks after an arrow, struck-out words."""
    if judge.draft is None or line.end - line.start > LONG or not may_hang(work, *line):
        return []
    text = work[line.start : line.end]
    key = (text, id(held))
    known = judge.parts.get(key)
    if known is None:
        known = judge.parts[key] = tuple(
            (drop.start, drop.end, drop.reason) for drop in _parts(text, held, judge)
        )
    at = line.start
    return [Drop(at + start, at + end, reason) for start, end, reason in known]


def _parts(text: str, held: Passage | None, judge: Judge) -> list[Drop]:
    """The parts of a line that go, as offsets into it."""
    drops: list[Drop] = []
    body = held.body if held is not None else ""
    raw = judge.draft.body if judge.draft is not None else ""
    if "~~" in text and "~~" not in raw:
        drops += [
            Drop(found.start(), found.end(), "struck out") for found in _STRUCK.finditer(text)
        ]
    tail = tail_remark(text, judge)
    limit = len(text)
    if tail is not None:
        limit = tail
        drops.append(Drop(tail, len(text), "remark at the end of the line"))
    for found in GROUP.finditer(text, 0, limit) if _BRACKET.search(text) else ():
        inner = fold(found.group().strip().strip("*_()[]（）【】{}<>/"))
        if not inner or judge.holds(inner):
            continue
        weight = judge.weigh(found.group().strip(), body)
        score = weight.score
        if "was" in weight.reasons and held is not None:
            rest = words(fold(text[: found.start()] + text[found.end() :]))
            if any(item in held.terms and item not in rest for item in words(inner)):
                score += 0.6
        if score >= APART and len(inner) > 1:
            drops.append(Drop(*group_span(text, found.start(), found.end()), "remark in brackets"))
    if drops and not _leaves_text(text, drops):
        return []
    return sorted(drops)


def asides_in(text: str, judge: Judge) -> list[str]:
    """The brackets and line ends of a line that look like remarks, where no draft can tell."""
    if len(text) > LONG or not _HANGS.search(text):
        return []
    found: list[str] = []
    if _BRACKET.search(text):
        found = [group.group().strip() for group in GROUP.finditer(text)]
        found = [one for one in found if judge.weigh(one).score >= ASIDE]
    cut = tail_remark(text, judge)
    if cut is not None:
        found.append(text[cut:].strip())
    return found


def group_span(text: str, start: int, end: int) -> tuple[int, int]:
    """A bracketed remark with the blank that set it off, on one side only."""
    if (start == 0 and end < len(text) and text[end] in " \t\xa0") or (
        text[start] not in " \t\xa0"
        and end < len(text)
        and text[end] == " "
        and (start == 0 or text[start - 1] == " ")
    ):
        end += 1
    return start, end


_LETTER: Final = regex(r"[^\W_]")
_NUMBER_END: Final = regex(r"[ \t\xa0]+[(\[（【]\d{1,4}(?:[/／]\d{1,4})?[)\]）】]$")


_BRACKET_ENDS: Final = ")]）】"


def drop_siblings(
    work: str, rows: Sequence[Row], drops: Sequence[Drop], judge: Judge
) -> list[Drop]:
    """What hangs on other lines in the very shape of a remark that went, or a bare number on most lines."""
    rows = [
        row
        for row in rows
        if not row.exact
        and row.line.end - row.line.start <= LONG
        and _HANGS.search(work, row.line.start, row.line.end)
    ]
    if not rows:
        return []
    found: list[Drop] = []
    signs, openers = set[str](), set[str]()
    for drop in drops:
        text = work[drop.start : drop.end].strip()
        sign = SIGN.match(" " + text)
        if sign is not None:
            signs.add(sign.group("sign"))
        elif text[:2] in ("((", "[[") or text[:1] in ("[", "{", "【", "<", "/"):
            openers.add(text[:2] if text[:2] in ("((", "[[") else text[:1])
    numbers = [
        row
        for row in rows
        if work[row.line.end - 1] in _BRACKET_ENDS and _bare_number(work, row, judge)
    ]
    series = (
        len(numbers) >= 2
        and 2 * len(numbers) >= len(rows)
        and (
            bool(drops)
            or any("/" in work[row.line.start : row.line.end].rpartition("(")[2] for row in numbers)
        )
    )
    if not (series or signs or openers):
        return []
    marked = {row.line.start for row in numbers}
    covered = _Cover(drops)
    for row in rows:
        if covered.holds(row.line.start):
            continue
        text = work[row.line.start : row.line.end]
        if series and row.line.start in marked:
            at = _NUMBER_END.search(text)
            found.append(
                Drop(
                    row.line.start + (at.start() if at else 0), row.line.end, "number on every line"
                )
            )
        for sign in reversed(list(SIGN.finditer(text))):
            tail = text[sign.start() :]
            if (
                sign.group("sign") in signs
                and len(tail) <= 60
                and text[: sign.start()].strip()
                and not judge.holds(fold(tail))
                and not _is_open(text[: sign.start()])
            ):
                found.append(
                    Drop(row.line.start + sign.start(), row.line.end, "remark like others")
                )
            break
        for group in GROUP.finditer(text):
            inner = group.group().strip()
            if any(inner.startswith(opener) for opener in openers) and not judge.holds(
                fold(inner.strip("()[]{}【】<>/"))
            ):
                start, end = group_span(text, group.start(), group.end())
                found.append(
                    Drop(row.line.start + start, row.line.start + end, "remark like others")
                )
    taken = {(drop.start, drop.end) for drop in drops}
    letter = _LETTER.search(work)
    return [
        drop
        for drop in found
        if (drop.start, drop.end) not in taken
        and letter is not None
        and letter.start() < drop.start
    ]


def may_hang(work: str, start: int, end: int) -> bool:
    """Whether a stretch holds anything that a remark in a line may begin with."""
    return _HANGS.search(work, start, end) is not None


class _Cover:
    """What some drops cover together."""

    def __init__(self, drops: Sequence[Drop]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for drop in sorted(drops):
            self._starts.append(drop.start)
            self._ends.append(max(drop.end, self._ends[-1] if self._ends else 0))

    def holds(self, spot: int) -> bool:
        """Whether one of them goes over a spot."""
        index = bisect.bisect_right(self._starts, spot) - 1
        return index >= 0 and spot < self._ends[index]


def _bare_number(work: str, row: Row, judge: Judge) -> bool:
    at = _NUMBER_END.search(work[row.line.start : row.line.end])
    return at is not None and not judge.holds(fold(at.group().strip().strip("()[]")))


def _leaves_text(text: str, drops: Sequence[Drop]) -> bool:
    left = text
    for drop in sorted(drops, reverse=True):
        left = left[: drop.start] + left[drop.end :]
    return any(char.isalnum() for char in left)


def tail_remark(text: str, judge: Judge) -> int | None:
    """Where the remarks that hang on the end of a line begin."""
    cut: int | None = None
    if not _HOOK.search(text) or _TABLE_ROW.match(text):
        return None
    for found in reversed(list(SIGN.finditer(text))):
        before = text[: found.start()]
        # What this sign stands before says more together with it.
        rest = text[found.start("sign") if found.group("sign") == "※" else found.end() : cut]
        if not before.strip() or _is_open(before) or judge.holds(fold(text[found.start() : cut])):
            break
        if _sign_score(found.group("sign"), rest, judge) < 1.6:
            break
        cut = found.start()
    return cut


def _is_open(before: str) -> bool:
    """Whether a bracket or a quotation that began before is still open."""
    pairs = (
        ("(", ")"),
        ("[", "]"),
        ("（", "）"),
        ("{", "}"),
        ("«", "»"),
        ("“", "”"),
        ("「", "」"),
    )
    return (
        any(before.count(one) > before.count(other) for one, other in pairs)
        or before.count('"') % 2 == 1
    )


def _sign_score(sign: str, rest: str, judge: Judge) -> float:
    score = judge.weigh(rest).score if rest.strip() else 0.0
    if sign in "✓✔✅✗✘❌":
        return score + (1.8 if rest.strip() else 0.8)
    if sign in ("--", "–", "—"):
        return score - 0.4
    return score + _SIGN_POINTS.get(sign, 0.5)
