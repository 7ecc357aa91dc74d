"""Weighs how much a stretch of a reply looks like commentary."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext._compare import words
from onlytext._fold import fold, fold_lines
from onlytext._lines import LONG
from onlytext._regex import regex
from onlytext._sentences import split_sentences
from onlytext._widen import spell_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from onlytext._compare import Passage
    from onlytext._inside import Known
    from onlytext._patterns import Pattern, Patterns
    from onlytext._signals import Kind

_CHECK: Final = regex("[✓✔✅☑✗✘❌✖❎🆗👍⚠]")
_QUOTED: Final = regex(
    r"“([^“”\n]{1,300})”|«[ \xa0\u202f]?([^«»\n]{1,300}?)[ \xa0\u202f]?»|»([^«»\n]{1,300})«|„([^„“”\"\n]{1,300})[“”\"]"
    r"|\"([^\"\n]{1,300})\"|(?<!\w)'([^'\n]{2,300})'(?!\w)|‘([^‘’\n]{1,300})’|「([^「」\n]{1,300})」|『([^『』\n]{1,300})』"
    r"|`([^`\n]{1,200})`|”([^”\n]{1,300})”"
)
TALKS_ARROW: Final = regex("→|->|=>|⇒|➜|←|<-")
QUOTE_SIGN: Final = regex("[\"'“”«»„‘’「『`]")
_WRAPS: Final = (
    regex(r"^[-*•]?\s*\(.*\)[.。]?$|^[-*•]?\s*（.*）[.。]?$", re.DOTALL),
    regex(r"^\[.*\][.。]?$|^【.*】$|^\{.*\}$", re.DOTALL),
    regex(r"^\*[^*\s].*[^*\s]\*$|^_[^_\s].*[^_\s]_$", re.DOTALL),
    regex(r"^-- .* --$|^/\*.*\*/$|^//\s", re.DOTALL),
    regex(r"^<[^<>\s][^<>]*\s[^<>]*>$|^/[^/\s][^/]*\s[^/]*/$", re.DOTALL),
)
# What each of these begins with.
_WRAPPED: Final = "-*•(（[【{_/<"
_COMMENT: Final = regex(r"^<!--.*-->$", re.DOTALL)
_ARROW_FIRST: Final = regex(r"^\W{0,3}(?:→|->|=>|⇒|➜|➡|<--|<-|←|※)")
_ARROW: Final = regex(r"→|->|=>|⇒|➜|➡|←|<--")
_NUMBERS: Final = regex(r"\d+")
_FEWEST_COUNTED: Final = 3
_COUNTED: Final = regex(
    r"(?:[^\W\d_]+[,:]? ?\(?\d{1,3}\)?[,;.: ]+){4}|\(\d{1,3}\)[^()\n]{1,40}\(\d{1,3}\)[^()\n]{1,40}\(\d{1,3}\)"
)
_SWAP: Final = regex(
    r"^\W{0,6}[\"“«„‘'「][^\n]{1,120}[\"”»“’'」]\W{0,3}(?:→|->|=>|➜)\W{0,3}[\"“«„‘'「]"
)

# A shorter string may stand inside a longer word by chance.
_SHORT: Final = 8
_SAMPLE: Final = 1000
# Fewer lines than this are looked at one by one.
_TOGETHER: Final = 3
_FEW: Final = 500
_SHORT_HAN: Final = 16
_FEWEST_FOREIGN: Final = 3
# Whether a line is in another language is asked only where the answer can decide.
_MATTERS: Final = 0.3
_DECIDED: Final = 1.75
_KIN_ENOUGH: Final = 0.4
# Words that a paragraph of content may collect, one in each of its sentences.
_LOOSE: Final[frozenset[Kind]] = frozenset({"edit", "verdict", "self", "was", "again", "pause"})
_LONG: Final = 20
_LEAST_SPREAD: Final = 1.0
_BESIDE: Final = 0.3
_WEIGHTS: Final[dict[Kind, float]] = {
    "edit": 1.0,
    "verdict": 0.9,
    "rule": 0.9,
    "unit": 1.2,
    "was": 0.6,
    "again": 0.4,
    "self": 0.4,
    "pause": 0.7,
    "announce": 0.7,
    "ask": 0.9,
    "place": 0.4,
}


_EDGES: Final = " .:;*_#>-–—•()[]0123456789\"'"
_PART: Final = regex(r"[:(–—\"«“.]| - ")


def echoes_of(prompt: str, own: frozenset[str]) -> frozenset[str]:
    """The lines and sentences of a prompt that are long enough to know again, folded, without the draft's."""
    found: set[str] = set()
    for line in prompt.split("\n"):
        folded = fold(line)
        if folded in own:
            continue
        pieces = [folded, *(fold(line[one.start : one.end]) for one in split_sentences(line))]
        found.update(
            bare
            for piece in pieces
            if len(bare := piece.strip(_EDGES)) >= 8
            and (bare.startswith("<") or len(bare.split()) >= 2)
        )
    return frozenset(found)


class Weight(NamedTuple):
    """How much a stretch looks like commentary, and on what grounds."""

    score: float
    reasons: tuple[str, ...]
    pattern: Pattern | None = None


class Judge:
    """What is known when the commentary of one reply is weighed."""

    def __init__(
        self,
        patterns: Patterns,
        *,
        names: Sequence[str],
        markers: Sequence[str],
        draft: Passage | None,
        echoes: frozenset[str] = frozenset(),
        asked: str = "",
    ) -> None:
        self.patterns = patterns
        self.draft = draft
        self.common = patterns.everywhere
        self._echoes = echoes
        self.asked = asked
        self._markers = [fold(marker) for marker in markers]
        self._names = [name.strip() for name in names if len(name.strip()) >= 3]
        self._holds: dict[str, bool] = {}
        self.parts: dict[tuple[str, int], tuple[tuple[int, int, str], ...]] = {}
        self._matches: dict[str, tuple[Pattern, ...]] = {}
        self.rows: dict[tuple[str, int], Known] = {}
        self._folds: dict[str, str] = {}
        self._seen: dict[tuple[str, str | None, bool], Weight] = {}

    @functools.cached_property
    def _body(self) -> str:
        return self.draft.body if self.draft is not None else ""

    @functools.cached_property
    def _held(self) -> str:
        return self.draft.folded if self.draft is not None else ""

    @functools.cached_property
    def _held_words(self) -> str:
        return spell_words(self._held)

    @functools.cached_property
    def _sayings(self) -> frozenset[str]:
        return frozenset(quoted(self._body))

    @functools.cached_property
    def _usual(self) -> set[tuple[str, Kind]]:
        return self.patterns.kinds_of_signals(self._held)

    @functools.cached_property
    def _places(self) -> re.Pattern[str] | None:
        return _places(self._names)

    @functools.cached_property
    def _scripts(self) -> tuple[str | None, frozenset[str]]:
        counts = _counts(self._body)
        return _most(counts), frozenset(_lawful(counts))

    @functools.cached_property
    def _checked(self) -> bool:
        return bool(_CHECK.search(self._body))

    @functools.cached_property
    def _arrowed(self) -> bool:
        return bool(_ARROW.search(self._body))

    @functools.cached_property
    def shows_arrows(self) -> bool:
        """Whether the draft itself has arrows of any kind in it."""
        return TALKS_ARROW.search(self._body) is not None

    @functools.cached_property
    def fenced(self) -> bool:
        """Whether the draft has a code fence in it."""
        return "```" in self._body or "~~~" in self._body

    @functools.cached_property
    def language(self) -> str | None:
        """The language of the content, where it is known."""
        if self.draft is None:
            return None
        ranked = self.patterns.languages_in(words(fold(self._body[:_FEW]))).most_common(2)
        if (
            not ranked
            or ranked[0][1] < 2
            or (len(ranked) > 1 and ranked[0][1] < 1.3 * ranked[1][1])
        ):
            return None
        return ranked[0][0]

    def holds(self, folded: str) -> bool:
        """Whether the draft has this folded string in it."""
        known = self._holds.get(folded)
        if known is None:
            if len(folded) < _SHORT:
                spelled = spell_words(folded)
                known = not spelled.isspace() and spelled in self._held_words
            else:
                known = folded in self._held
            self._holds[folded] = known
        return known

    def look_over(self, lines: Iterable[str]) -> None:
        """Does together, and so quicker, what would be done with each line when it is asked for."""
        fresh = [line for line in dict.fromkeys(lines) if line not in self._folds]
        if len(fresh) < _TOGETHER:
            return
        self._folds.update(zip(fresh, fold_lines(fresh), strict=True))
        self._matches.update(dict.fromkeys(self.patterns.quiet(fresh), ()))

    def folded(self, text: str) -> str:
        """A line or a body folded, once."""
        known = self._folds.get(text)
        if known is None:
            known = self._folds[text] = fold(text)
        return known

    def match_line(self, line: str, folded: str | None = None) -> tuple[Pattern, ...]:
        """The patterns that match one line, looked for once."""
        known = self._matches.get(line)
        if known is None:
            known = self._matches[line] = self.patterns.match_line(line, folded)
        return known

    def is_saying(self, folded: str) -> bool:
        """Whether the draft itself has this string in quotation marks."""
        return folded in self._sayings

    def is_echo(self, folded: str) -> bool:
        """Whether a folded line stands in the prompt, outside the draft."""
        if not self._echoes:
            return False
        bare = folded.strip(_EDGES)
        if bare in self._echoes:
            return True
        return any(
            bare[: found.start()].rstrip(_EDGES) in self._echoes
            for found in _PART.finditer(bare, 0, LONG)
        )

    def weigh(
        self, text: str, body: str | None = None, kin: float = 0.0, folded: str | None = None
    ) -> Weight:
        """The weight of one line or paragraph; `body` is the content that stands beside it.

        A line that is `kin` to the draft is not weighed by words that the draft uses as well.
        `folded` is the line folded, where that is known.
        """
        key = (text, body, kin >= _KIN_ENOUGH)
        known = self._seen.get(key)
        if known is None:
            if folded is None:
                folded = self.folded(text)
            known = self._seen[key] = self._weighed(text.strip(), folded, body, kin)
        return known

    def _weighed(self, stripped: str, folded: str, body: str | None, kin: float) -> Weight:
        if not folded:
            return Weight(0.0, ())
        reasons: list[str] = []
        score = 0.0
        found = [
            one
            for one in self.match_line(stripped, folded)
            if one.scope != "end-of-line" or self.patterns.span(one, stripped)[0] == 0
        ]
        if found:
            score += 3.0
            reasons.append("pattern")
        if self.is_echo(folded):
            score += 4.0
            reasons.append("stands in the prompt")
        points, kinds = self._kinds(folded, kin)
        if points > _LEAST_SPREAD and kinds <= _LOOSE and folded.count(" ") >= _LONG:
            points = min(points, _BESIDE + self._best_of_sentences(stripped, kin))
        score += points
        reasons += sorted(kinds)
        for points, reason in self._shapes(stripped, folded, body):
            score += points
            reasons.append(reason)
        if _MATTERS <= score < _DECIDED and self._foreign(stripped, folded):
            score += 1.2
            reasons.append("another language")
        return Weight(score, tuple(reasons), found[0] if found else None)

    def _kinds(self, folded: str, kin: float) -> tuple[float, frozenset[Kind]]:
        """The signals in the one language that speaks most clearly; a second one of a kind adds a little."""
        most = 0.0
        best: frozenset[Kind] = frozenset()
        found = self.patterns.match_signals(folded)
        if found and kin >= _KIN_ENOUGH:
            found = {
                language: self._unusual(language, counts) for language, counts in found.items()
            }
        for counts in found.values():
            score = sum(_WEIGHTS[kind] * (1 + 0.3 * min(2, n - 1)) for kind, n in counts.items())
            if score > most:
                most, best = score, frozenset(counts)
        return most, best

    def _unusual(self, language: str, counts: dict[Kind, int]) -> dict[Kind, int]:
        """The counts of the kinds of signals that the draft does not have."""
        usual = self._usual
        return {kind: count for kind, count in counts.items() if (language, kind) not in usual}

    def _best_of_sentences(self, text: str, kin: float) -> float:
        """The most that one sentence of a paragraph says by its words."""
        sentences = split_sentences(text)
        return max(self._kinds(fold(text[one.start : one.end]), kin)[0] for one in sentences)

    def _shapes(self, text: str, folded: str, body: str | None) -> list[tuple[float, str]]:
        rows: list[tuple[float, str]] = []
        if not text.isascii() and _CHECK.search(text) and not self._checked:
            rows.append((1.3, "check mark"))
        if any(marker in folded for marker in self._markers):
            rows.append((1.8, "names a marker"))
        elif (
            any(name in folded for name in self._names)
            and self._places is not None
            and self._places.search(folded)
        ):
            rows.append((1.0, "names a section"))
        near = text[:LONG]
        if len(_NUMBERS.findall(near)) >= _FEWEST_COUNTED and _COUNTED.search(near):
            rows.append((2.2, "counts word by word"))
        quotes = quoted(near) if QUOTE_SIGN.search(near) else []
        quotes = [quote for quote in quotes if quote not in self._sayings]
        known = [quote for quote in quotes if self.holds(quote)]
        if known:
            rows.append((1.2, "quotes the draft"))
            if body is not None and any(quote not in self.folded(body) for quote in known):
                rows.append((0.6, "quotes what is gone"))
        elif quotes and body is not None and any(quote in self.folded(body) for quote in quotes):
            rows.append((0.8, "quotes the text"))
        if _COMMENT.match(text):
            rows.append((2.5, "comment"))
        elif text[0] in _WRAPPED and any(wrap.match(text) for wrap in _WRAPS):
            rows.append((0.8, "set apart"))
        if _ARROW_FIRST.match(text):
            rows.append((1.0, "arrow"))
        if _SWAP.match(text):
            rows.append((1.2, "one for the other"))
        elif _ARROW.search(text) and not self._arrowed:
            rows.append((0.6, "arrow"))
        if text.rstrip("*_ ").endswith((":", "：")):
            rows.append((0.4, "ends in a colon"))
        return rows

    def _foreign(self, text: str, folded: str) -> bool:
        """Whether a line is in another language or script than the draft."""
        if self.draft is None:
            return False
        theirs, lawful = self._scripts
        mine = "latin" if text.isascii() else _most(_counts(text))
        if mine and theirs and mine != theirs:
            if (mine, theirs) == ("han", "kana") and len(folded) < _SHORT_HAN:
                return False
            return mine not in lawful
        if self.language is None:
            return False
        bag = words(folded)
        if len(bag) < _FEWEST_FOREIGN:
            return False
        counts = self.patterns.languages_in(set(bag))
        if not counts:
            return False
        best = max(counts, key=lambda name: counts[name])
        return (
            best != self.language
            and counts[best] >= _FEWEST_FOREIGN
            and counts[best] >= 2 * counts[self.language] + 1
        )


def quoted(text: str) -> list[str]:
    """What stands in quotation marks of any kind, folded."""
    return [fold(found.group(found.lastindex or 0)) for found in _QUOTED.finditer(text)]


def without_quotes(text: str, known: Callable[[str], bool]) -> str:
    """The text without the quotations that are known."""
    return _QUOTED.sub(
        lambda found: " " if known(fold(found.group()[1:-1])) else found.group(), text
    )


def _places(names: Sequence[str]) -> re.Pattern[str] | None:
    """A regex for a section's name in a sentence: with a number, or as the format spells it."""
    parts = [re.escape(name) for name in names]
    if not parts:
        return None
    return re.compile(
        r"(?<!\w)(?:"
        + "|".join(sorted(parts, key=len, reverse=True))
        + r")(?:s|es|en|n|e|i|er)?(?!\w)"
    )


_NO_LETTERS: Final = bytes(code for code in range(0x80) if not chr(code).isalpha())
_ACCENTED: Final = regex(r"[\u00c0-\u024f]")
_CJK_SIGNS: Final = regex(r"[\u3000-\u303f]")
_PAST_HANGUL: Final = regex(r"[\ud7b0-\ud7ff]")
# The script of the 256 letters that share the higher byte of their code, by its first letter.
_BLOCKS: Final = bytes(
    ord("h" if 0x34 <= high <= 0x9F else "g" if 0xAC <= high <= 0xD7 else " ")
    for high in range(0x100)
)


def _counts(text: str) -> dict[str, int]:
    """How many letters of each script a text begins with; Japanese counts as one."""
    if text.isascii():
        return {"latin": len(text)}
    sample = text[:_SAMPLE]
    high = sample.encode("utf-16-le", "surrogatepass")[1::2]
    blocks = high.translate(_BLOCKS)
    counts = {
        "kana": high.count(b"\x30"),
        "han": blocks.count(b"h"),
        "hangul": blocks.count(b"g"),
        "cyrillic": high.count(b"\x04"),
        "arabic": high.count(b"\x06"),
        "latin": len(sample.encode("ascii", "ignore").translate(None, _NO_LETTERS)),
    }
    counts["latin"] += len(_ACCENTED.findall(sample))
    if counts["kana"]:
        counts["kana"] -= len(_CJK_SIGNS.findall(sample))
    if counts["hangul"]:
        counts["hangul"] -= len(_PAST_HANGUL.findall(sample))
    if counts["kana"] > 0.1 * counts["han"]:
        counts["kana"] += counts.pop("han")
    return counts


def script_of(text: str) -> str | None:
    """The script that most letters of a text are in; Japanese counts as one."""
    return "latin" if text.isascii() else _most(_counts(text))


def _most(counts: dict[str, int]) -> str | None:
    """The script that most letters of a text are in."""
    weighted = {
        name: 2 * count if name in ("kana", "han", "hangul") else count
        for name, count in counts.items()
    }
    name, count = max(weighted.items(), key=lambda row: row[1])
    return name if count >= 4 else None


def _lawful(counts: dict[str, int]) -> set[str]:
    """The scripts that a good part of a text is in."""
    total = sum(counts.values()) or 1
    return {name for name, count in counts.items() if count / total > 0.15}
