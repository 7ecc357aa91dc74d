"""Lines and paragraphs of a reply, as offsets."""

from __future__ import annotations

from typing import Final, NamedTuple

from onlytext._regex import regex

# Every one of these ends a line in some model's or editor's output. Each is one character, and so
# is what replaces it: offsets into the work copy are offsets into the reply.
_ENDS: Final = str.maketrans(dict.fromkeys("\r\x0b\x0c\x85\u2028\u2029", "\n"))


FENCE: Final = regex(r"^\s*(?:>\s*)?(`{3,}|~{3,})\s{0,80}([\w+#.-]*)\s*$")


_SIGN: Final = regex(r"\S")
# A line that is longer is kept or goes as a whole: what is said inside of it is not looked for.
LONG: Final = 2000


class Line(NamedTuple):
    """One line: `text[start:end]` without its end."""

    start: int
    end: int


def even_ends(reply: str) -> str:
    r"""The reply with every kind of line end as `\n`, character by character."""
    if reply.isascii():
        return (
            reply.translate(_ENDS) if "\r" in reply or "\x0b" in reply or "\x0c" in reply else reply
        )
    return (
        reply.translate(_ENDS)
        if any(end in reply for end in "\r\x0b\x0c\x85\u2028\u2029")
        else reply
    )


def line_end(text: str, start: int) -> int:
    """Where the line ends that an offset stands in."""
    stop = text.find("\n", start)
    return len(text) if stop < 0 else stop


def first_sign(work: str, start: int, end: int) -> int:
    """Where the first character between two offsets stands that is not blank; `end` if none does."""
    found = _SIGN.search(work, start, end)
    return end if found is None else found.start()


def split_lines(work: str, start: int, end: int) -> list[Line]:
    """The lines that are not blank between two offsets of a work copy."""
    stretch = work[start:end]
    if "\n\n\n\n" in stretch:
        return _split_blank(work, start, end)
    lines: list[Line] = []
    for text in stretch.split("\n"):
        stop = start + len(text)
        if text and not text.isspace():
            lines.append(Line(start, stop))
        start = stop + 1
    return lines


def _split_blank(work: str, start: int, end: int) -> list[Line]:
    """The same, where there may be thousands of blank lines one after the other."""
    lines: list[Line] = []
    while start < end:
        stop = work.find("\n", start, end)
        if stop < 0:
            stop = end
        if work[start:stop].strip():
            lines.append(Line(start, stop))
            start = stop + 1
            continue
        sign = first_sign(work, stop, end)
        if sign == end:
            break
        start = work.rfind("\n", stop, sign) + 1
    return lines
