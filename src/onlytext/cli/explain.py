"""A reply as a person reads it: what was dropped struck through, and each reason with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from onlytext.cli.outputs import has_colours, make_console, write_text
from onlytext.cli.stretches import stretches_of, stretches_of_refusal, told_doubts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import Console

    from onlytext._reply import Clean
    from onlytext.cli.stretches import Fate, Stretch
    from onlytext.errors import Refused


class _Look(NamedTuple):
    style: str
    opening: str
    closing: str
    legend: str


_LOOKS: Final[dict[Fate, _Look]] = {
    "kept": _Look("", "", "", ""),
    "removed": _Look("red strike", "[-", "-]", "dropped"),
    "put": _Look("green", "[+", "+]", "put in its place"),
    "doubted": _Look("black on yellow", "[?", "?]", "kept, but doubtful"),
    "evidence": _Look("black on yellow", "[!", "!]", "why it was refused"),
}
_NOTE: Final = "cyan italic"
_HEAD: Final = "bold"

# Control characters would steer the terminal instead of being seen on it.
_VISIBLE: Final = {code: 0x2400 + code for code in range(32) if chr(code) not in "\n\t"} | {
    0x7F: 0x2421,
    ord("\r"): None,
}
# A dropped stretch of nothing but blanks can be seen only so.
_BLANKS: Final = str.maketrans({" ": "·", "\n": "⏎", "\t": "⇥"})

Span = tuple[str, str]
"""A text and its style."""


def print_explanation(cleaned: Clean) -> None:
    """Print the reply of a cleaned text with what was dropped from it, and why."""
    console = make_console()
    colours = has_colours(console)
    fates: set[Fate] = {stretch.fate for stretch in stretches_of(cleaned)}
    head = [(f"{summary(cleaned)}\n", _HEAD), *_legend(fates, colours=colours), ("\n", "")]
    print_spans(console, [*head, *marked_clean(cleaned, colours=colours)])


def print_refusal(refusal: Refused) -> None:
    """Print the reply that was refused with the evidence in it."""
    console = make_console()
    colours = has_colours(console)
    fates: set[Fate] = {stretch.fate for stretch in stretches_of_refusal(refusal)}
    head = [(f"refused: {refusal.why}\n", _HEAD), *_legend(fates, colours=colours), ("\n", "")]
    print_spans(console, [*head, *marked_refusal(refusal, colours=colours)])


def marked_clean(cleaned: Clean, *, colours: bool) -> Iterator[Span]:
    """The reply with what was dropped from it; marks in letters where there are no colours."""
    yield from _marked(stretches_of(cleaned), colours=colours)
    for doubt in told_doubts(cleaned):
        yield f"? {doubt.reason}\n", _NOTE


def marked_refusal(refusal: Refused, *, colours: bool) -> Iterator[Span]:
    """The reply with the evidence for its refusal; likewise."""
    yield from _marked(stretches_of_refusal(refusal), colours=colours)


def print_spans(console: Console, spans: Iterable[Span]) -> None:
    """Print styled text as it is: the terminal wraps its lines, and nothing is cut."""
    if not has_colours(console):
        write_text("".join(text for text, _ in spans))
        return
    from rich.text import Text

    console.print(Text.assemble(*spans), soft_wrap=True, end="")


def summary(cleaned: Clean) -> str:
    """The outcome in a few words."""
    if cleaned.outcome == "untouched" and not cleaned.doubts:
        return "untouched: nothing was dropped"
    kept = len(cleaned.reply) - sum(len(removal.text) for removal in cleaned.removals)
    counts = [(len(cleaned.removals), "removal"), (len(cleaned.doubts), "doubt")]
    return f"{cleaned.outcome}: " + ", ".join(
        [
            *(f"{count} {name}{'' if count == 1 else 's'}" for count, name in counts),
            f"{kept} of {len(cleaned.reply)} characters kept",
        ]
    )


def _legend(fates: set[Fate], *, colours: bool) -> Iterator[Span]:
    shown: list[Fate] = [fate for fate in _LOOKS if fate in fates and fate != "kept"]
    for number, fate in enumerate(shown):
        yield ("   " if number else ""), ""
        yield from _mark(fate, _LOOKS[fate].legend, colours=colours)
    if shown:
        yield "\n", ""


def tell_controls(text: str) -> str:
    """The text with its control characters as signs, so that a terminal does not obey them."""
    return text.translate(_VISIBLE)


def _marked(stretches: list[Stretch], *, colours: bool) -> Iterator[Span]:
    last = ""
    for stretch in stretches:
        for span in _shown(stretch, colours=colours):
            last = span[0] or last
            yield span
    if not last.endswith("\n"):
        yield "\n", ""


def _shown(stretch: Stretch, *, colours: bool) -> Iterator[Span]:
    text = tell_controls(stretch.text)
    if stretch.fate == "removed" and not text.strip():
        text = text.translate(_BLANKS)
    # Blank lines round it stay outside of the marks, so that the reason stands next to the words.
    core = text.strip("\n")
    before = text[: len(text) - len(text.lstrip("\n"))]
    after = text[len(before) + len(core) :]
    yield before, ""
    yield from _mark(stretch.fate, core, colours=colours)
    if stretch.why:
        yield (f"\n    ↳ {stretch.why}" if stretch.whole else f" ‹{stretch.why}›"), _NOTE
    yield after, ""


def _mark(fate: Fate, text: str, *, colours: bool) -> Iterator[Span]:
    look = _LOOKS[fate]
    if text:
        yield (text if colours else f"{look.opening}{text}{look.closing}"), look.style
