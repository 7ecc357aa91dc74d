"""Patterns of commentary: data files in, frozen and compiled patterns out."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Self, cast, final, get_args

from onlytext._envelope import SHELL, SUSPECT
from onlytext._fold import fold
from onlytext._hints import HintIndex
from onlytext._quicktoml import quick_toml
from onlytext._regex import regex
from onlytext._signals import KINDS, Kind, Signals, WordIndex
from onlytext._signed import digest_of, signed_digests
from onlytext._tokens import bare_words
from onlytext._widen import is_closed, widen
from onlytext.errors import PatternError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from importlib.resources.abc import Traversable
    from os import PathLike
    from typing import Any, Protocol

    from re2 import Options

    class _Regexp(Protocol):
        """A compiled regex."""

        def search(self, text: bytes, pos: int = 0, /) -> Any: ...  # noqa: ANN401 - no types


Scope = Literal["label", "head", "tail", "line", "end-of-line"]
SCOPES: Final = get_args(Scope)
SIGNATURES: Final = "signed.jsonl"

DECORATION: Final = r"[ \t>*_#~\x{a0}\x{3000}`|•·–—-]{0,12}(?:\p{So}\x{fe0f}?[ ]?)?[*_`]{0,3}"
TRAIL: Final = r"[ \t*_~`\x{a0}\x{3000}]{0,8}"
_COUNT: Final = regex(r"\{\d+,\d*\}")
_WORD: Final = regex(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One audited regular expression for commentary, in one language, with its proof."""

    id: str
    hint: str
    regex: str
    scope: Scope
    why: str
    seen: str
    must_match: tuple[str, ...]
    must_spare: tuple[str, ...]
    format: tuple[str, ...] = ()
    """The markers of the sections that its examples are written in; empty for plain text."""


def _options() -> Options:
    import re2

    options = re2.Options()
    options.max_mem = 256 << 20
    options.never_capture = True
    options.log_errors = False
    return options


def anchored(pattern: Pattern) -> str:
    """The regex as it meets a line: after its decoration, up to its end where the scope says so."""
    body = widen(pattern.regex)
    if pattern.scope == "end-of-line":
        return rf"(?:^|[^\pL\pN])({body}){TRAIL}$"
    if pattern.scope in ("label", "line"):
        return rf"^{DECORATION}(?:{body}){TRAIL}$"
    return rf"^{DECORATION}(?:{body})"


def _loose(rows: Sequence[Pattern]) -> list[str]:
    """Regexes that match whatever a pattern matches, and more: a quick no for most lines.

    Their gaps count nothing, so that an automaton for all of them at once stays small, and the
    decoration before them is written once.
    """
    bodies = {
        end: [
            _COUNT.sub("*", widen(row.regex)) for row in rows if (row.scope == "end-of-line") is end
        ]
        for end in (False, True)
    }
    loose: list[str] = []
    if bodies[False]:
        loose.append(rf"^{_COUNT.sub('*', DECORATION)}(?:{'|'.join(bodies[False])})")
    if bodies[True]:
        loose.append(rf"(?:^|[^\pL\pN])(?:{'|'.join(bodies[True])}){_COUNT.sub('*', TRAIL)}$")
    return loose


def _telling_part(hint: str) -> str:
    """The longest word of a hint, as folded text has it."""
    return max(_WORD.findall(fold(hint)), key=len, default="")


def _compiled(rows: Sequence[Pattern], *, never_capture: bool = True) -> _Regexp:
    """One regex for what any of these patterns matches."""
    if len(rows) > 1:
        for row in rows:
            # By itself it is refused, though beside others it may look sound.
            if not is_closed(row.regex):
                _compiled([row])
    import re2

    options = _options()
    options.never_capture = never_capture
    try:
        return re2.compile("(?i)" + "|".join(map(anchored, rows)), options)
    except re2.error as error:
        raise PatternError(f"{', '.join(row.id for row in rows)}: {error}") from error


@final
class Patterns:
    """Patterns and signals, compiled once: the built-in ones, or a user's own on top of them."""

    __slots__ = (
        "_common",
        "_everywhere",
        "_gate",
        "_groups",
        "_hints",
        "_rows",
        "_signals",
        "_single",
        "_speakers",
        "_words",
    )

    def __init__(self, rows: Iterable[Pattern], signals: Iterable[Signals] = ()) -> None:
        self._rows = tuple(rows)
        self._signals = tuple(signals)
        self._single: dict[str, _Regexp] = {}
        self._groups: dict[str, _Regexp] = {}
        self._hints = HintIndex([_telling_part(row.hint) for row in self._rows])
        self._common = {one.language: one.common for one in self._signals}
        speakers: dict[str, list[str]] = {}
        for language, words in self._common.items():
            for item in words:
                speakers.setdefault(item, []).append(language)
        self._speakers = {item: tuple(languages) for item, languages in speakers.items()}
        self._everywhere = frozenset(self._speakers)
        self._compile()

    @classmethod
    def load(cls, *paths: str | PathLike[str], unsigned: bool = False) -> Self:
        """A user's own pattern files on top of the built-in catalogue.

        Where a file has signatures beside it (`onlytext audit --sign`), a pattern that was edited
        since is refused, unless `unsigned` says that it is to be loaded all the same. Raises
        `PatternError` with every fault of the first file that has any.
        """
        from onlytext._patternfile import read_patterns, refuse_unsigned

        base = builtin()
        added: list[Pattern] = []
        for path in paths:
            some = read_patterns(path)
            if not unsigned:
                refuse_unsigned(path, some)
            added += some
        taken = {row.id for row in base.rows}
        for pattern in added:
            if pattern.id in taken:
                raise PatternError(
                    f"the pattern id {pattern.id!r} is taken already: give yours another id"
                )
            taken.add(pattern.id)
        return cls((*base.rows, *added), base.signals)

    @property
    def rows(self) -> tuple[Pattern, ...]:
        """The patterns, in the order of their files."""
        return self._rows

    @property
    def signals(self) -> tuple[Signals, ...]:
        """The signals, one entry a language."""
        return self._signals

    @property
    def common(self) -> dict[str, frozenset[str]]:
        """The commonest function words of each language, folded."""
        return self._common

    @property
    def everywhere(self) -> frozenset[str]:
        """The commonest function words of all languages together."""
        return self._everywhere

    def languages_in(self, words: Iterable[str]) -> Counter[str]:
        """How many of these words are among the commonest of each language."""
        speakers = self._speakers
        spoken = [speakers[item] for item in words if item in speakers]
        return Counter(itertools.chain.from_iterable(spoken))

    def _compile(self) -> None:
        import re2

        regexes = [*_loose(self._rows), SHELL, SUSPECT]
        self._gate = re2.compile("(?mi)" + "|".join(regexes), _options())
        self._words: WordIndex | None = None

    def gate(self, data: bytes, start: int = 0) -> int:
        """The byte offset of the first line from `start` that some pattern may match, or -1."""
        match = self._gate.search(data, start)
        return -1 if match is None else match.start()

    def quiet(self, lines: Sequence[str]) -> list[str]:
        """Those of some lines that no pattern can match, looked through in one go."""
        data = "\n".join(lines).encode("utf-8", "surrogatepass")
        loud: set[int] = set()
        at = index = 0
        while (found := self._gate.search(data, at)) is not None:
            # A match that begins with a line's end is one of the next line.
            spot = found.start() + data.startswith(b"\n", found.start())
            index += data.count(b"\n", at, spot)
            loud.add(index)
            at = data.find(b"\n", spot) + 1
            if not at:
                break
            index += 1
        return [line for place, line in enumerate(lines) if place not in loud]

    def match_line(self, line: str, folded: str | None = None) -> tuple[Pattern, ...]:
        """The patterns that match one line; `folded` is the line folded, where that is known."""
        data = line.encode("utf-8", "surrogatepass")
        if not self._rows or self._gate.search(data) is None:
            return ()
        found: list[int] = []
        for hint in self._hints.hints_in(bare_words(fold(line) if folded is None else folded)):
            places = self._hints.places(hint)
            if len(places) > 1 and self._any(hint, places).search(data) is None:
                continue
            found += [place for place in places if self._one(self._rows[place]).search(data)]
        return tuple([self._rows[place] for place in sorted(found)])

    def _any(self, hint: str, places: Iterable[int]) -> _Regexp:
        """The regexes of the patterns with the same hint, as one."""
        group = self._groups.get(hint)
        if group is None:
            group = self._groups[hint] = _compiled([self._rows[place] for place in places])
        return group

    def _one(self, row: Pattern) -> _Regexp:
        """A pattern's own regex, compiled when a line first asks for it."""
        single = self._single.get(row.id)
        if single is None:
            # What stands before a line end's own words is matched, too: their group says where.
            single = _compiled([row], never_capture=row.scope != "end-of-line")
            self._single[row.id] = single
        return single

    def match_signals(self, folded: str) -> dict[str, dict[Kind, int]]:
        """How many signals of each kind are in a folded text, for each language that has any."""
        return self._index().count(folded)

    def kinds_of_signals(self, folded: str) -> set[tuple[str, Kind]]:
        """Of which kinds there is a signal in a folded text, each with its language."""
        return self._index().kinds_in(folded)

    def _index(self) -> WordIndex:
        """The signals word by word, put in order when a line is first weighed."""
        if self._words is None:
            self._words = WordIndex(self._signals)
        return self._words

    def span(self, pattern: Pattern, line: str) -> tuple[int, int]:
        """Where a pattern that matches the line stands in it, in characters."""
        data = line.encode("utf-8", "surrogatepass")
        match = self._one(pattern).search(data)
        if match is None:
            return 0, len(line)
        start = match.start(1) if pattern.scope == "end-of-line" else match.start()
        return (
            len(data[:start].decode("utf-8", "surrogatepass")),
            len(data[: match.end()].decode("utf-8", "surrogatepass")),
        )


def read_catalogue(data: str) -> tuple[list[Pattern], Signals | None]:
    """The patterns and the signals of one file of the built-in catalogue."""
    table = cast("dict[str, Any] | None", quick_toml(data))
    if table is None:
        import tomllib

        table = tomllib.loads(data)
    language = table["language"]
    rows = [
        Pattern(
            id=f"{language}/{row['id']}",
            hint=row["hint"],
            regex=row["regex"],
            scope=row["scope"],
            why=row["why"],
            seen=row["seen"],
            must_match=tuple(row["must_match"]),
            must_spare=tuple(row["must_spare"]),
            format=tuple(row.get("format", ())),
        )
        for row in table.get("pattern", ())
    ]
    words = table.get("signals")
    if words is None:
        return rows, None
    common = frozenset(fold(item) for item in words.get("common", ()))
    return rows, Signals(
        language, tuple((kind, tuple(words.get(kind, ()))) for kind in KINDS), common
    )


def _folder() -> Traversable:
    from importlib import resources

    return resources.files("onlytext") / "patterns"


def whole_catalogue() -> Patterns:
    """The built-in catalogue with the patterns that nobody signed, for those who prove and sign."""
    rows: list[Pattern] = []
    signals: list[Signals] = []
    for entry in sorted(_folder().iterdir(), key=lambda one: one.name):
        if entry.name.endswith(".toml"):
            some, words = read_catalogue(entry.read_text("utf-8"))
            rows += some
            if words is not None:
                signals.append(words)
    return Patterns(rows, signals)


@functools.cache
def builtin() -> Patterns:
    """The built-in catalogue: every pattern whose audit is signed, all languages together."""
    whole = whole_catalogue()
    signed = signed_digests((_folder() / SIGNATURES).read_text("utf-8"))
    rows = [row for row in whole.rows if digest_of(row) in signed]
    return whole if len(rows) == len(whole.rows) else Patterns(rows, whole.signals)
