"""A cleaned text by its markers, and what it lacks of its format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn, final

from onlytext._format import Sections

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from onlytext._format import Marker
    from onlytext._reply import Clean, Section

TEXT: Final = "text"
"""The one key of a record of plain text."""


@final
class Record(Mapping[str, str | list[str]]):
    """The bodies of a cleaned text by the markers of its format.

    `record["[COVER]"]` is a str, `record["[SLIDE {n}]"]` a list in the order of the numbers; an
    optional section that is missing has no key. `one` and `many` give the same with the type that
    is meant. `text` is the whole text, trimmed, and `sections` are its sections as they came;
    plain text has no sections and the one key "text".
    """

    __slots__ = ("_values", "sections", "text")

    text: str
    sections: tuple[Section, ...]
    _values: Mapping[str, str | tuple[str, ...]]

    def __init__(
        self,
        values: Mapping[str, str | Sequence[str]],
        *,
        text: str,
        sections: tuple[Section, ...] = (),
    ) -> None:
        kept = {
            key: value if isinstance(value, str) else tuple(value) for key, value in values.items()
        }
        object.__setattr__(self, "_values", kept)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "sections", sections)

    def __getitem__(self, marker: str) -> str | list[str]:
        try:
            value = self._values[marker]
        except KeyError:
            raise KeyError(self._why_not(marker)) from None
        return value if isinstance(value, str) else list(value)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, marker: object) -> bool:
        return marker in self._values

    def one(self, marker: str) -> str:
        """The body of a section that comes once."""
        value = self[marker]
        if isinstance(value, str):
            return value
        raise TypeError(f"{marker} may come more than once: write record.many({marker!r})")

    def many(self, marker: str) -> list[str]:
        """The bodies of the sections of a numbered marker, in the order of their numbers."""
        value = self[marker]
        if isinstance(value, list):
            return value
        raise TypeError(f"{marker} comes once: write record.one({marker!r})")

    def to_dict(self) -> dict[str, str | list[str]]:
        """A plain dict of it, ready for JSON."""
        return dict(self.items())

    def _why_not(self, marker: object) -> str:
        named = ", ".join(map(repr, self._values)) or "nothing"
        return f"{marker!r} is not in this record; it has {named}"

    def __repr__(self) -> str:
        return f"<Record {self.to_dict()!r}>"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Record does not change; {name} can't be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Record does not change; {name} can't be deleted")

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self._values, self.text, self.sections)


def _again(
    values: Mapping[str, str | Sequence[str]], text: str, sections: tuple[Section, ...]
) -> Record:
    return Record(values, text=text, sections=sections)


class Gathered(NamedTuple):
    """A record, and every fault of it against the format."""

    record: Record
    faults: tuple[str, ...]


def gather(cleaned: Clean) -> Gathered:
    """The record of a cleaned text, and a sentence for each thing that its format misses in it."""
    text = cleaned.text.strip()
    if not isinstance(cleaned.format, Sections):
        return Gathered(Record({TEXT: text}, text=text), () if text else ("the text is empty",))
    sections = cleaned.sections
    found, faults = _by_template(sections, cleaned.format.markers)
    values: dict[str, str | list[str]] = {}
    for marker in cleaned.format.markers:
        numbered = sorted(found[marker.template], key=itemgetter(0))
        faults += _faults(marker, numbered)
        if numbered:
            bodies = [body for _, body in numbered]
            values[marker.template] = bodies if marker.numbered else bodies[0]
    return Gathered(Record(values, text=text, sections=sections), tuple(faults))


def _by_template(
    sections: tuple[Section, ...], markers: tuple[Marker, ...]
) -> tuple[dict[str, list[tuple[int, str]]], list[str]]:
    """The number and body of each section by its template; a fault for a section that has none."""
    found: dict[str, list[tuple[int, str]]] = {marker.template: [] for marker in markers}
    numbered = [marker for marker in markers if marker.numbered]
    faults: list[str] = []
    for section in sections:
        if section.marker in found:
            found[section.marker].append((0, section.body))
            continue
        for marker in numbered:
            number = marker.number_in(section.marker)
            if number is not None:
                found[marker.template].append((number, section.body))
                break
        else:
            faults.append(f"{section.marker} is not a marker of the format")
    return found, faults


def _faults(marker: Marker, bodies: list[tuple[int, str]]) -> Iterator[str]:
    """What is wrong with the sections of a marker, given as number and body, sorted."""
    if not bodies and not marker.optional:
        least = marker.min or 1
        yield _missing(marker, 1, least) if marker.numbered else f"{marker.template} is missing"
    if not bodies:
        return
    numbers = [number for number, _ in bodies]
    distinct = list(dict.fromkeys(numbers))
    if len(distinct) < len(numbers):
        for number, count in Counter(numbers).items():
            if count > 1:
                yield f"{marker.at(number)} comes {count} times"
    if marker.numbered:
        yield from _count_faults(marker, distinct)
    for number, body in bodies:
        if not body and not marker.optional:
            yield f"{marker.at(number)} is empty"


def _count_faults(marker: Marker, numbers: list[int]) -> Iterator[str]:
    due = min(1, numbers[0])
    for number in numbers:
        if number > due:
            yield _missing(marker, due, number - 1)
        due = number + 1
    count = len(numbers)
    if marker.min is not None and count < marker.min:
        yield f"there are {count} of {marker.template}, fewer than {marker.min}"
    if marker.max is not None and count > marker.max:
        yield f"there are {count} of {marker.template}, more than {marker.max}"


def _missing(marker: Marker, first: int, last: int) -> str:
    if first == last:
        return f"{marker.at(first)} is missing"
    return f"{marker.at(first)} to {marker.at(last)} are missing"
