"""What an output must look like: sections under markers in order, or plain text."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple, cast, final

from onlytext._spelling import NUMBER, Named, confusions, spelling_faults
from onlytext.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

# More is no number that anyone gives to a section, and int() refuses to read very long ones.
_MOST_DIGITS: Final = 9


@final
@dataclass(frozen=True, slots=True, repr=False)
class Marker:
    """One marker, with how often it may come and how else it may be spelled.

    `{n}` in the template is a number from 1 up; every other brace is a brace. An optional marker
    may be missing; `min` and `max` say how many numbered ones there are to be when there are any.
    Blanks around a template or an alias do not count.
    """

    template: str
    _: KW_ONLY
    optional: bool = False
    min: int | None = None
    max: int | None = None
    aliases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "template", _string(self.template, "a marker").strip())
        object.__setattr__(self, "aliases", _strings(self.aliases))
        _flag(self.optional)
        faults = [
            *spelling_faults(self.template, "marker"),
            *_count_faults(self),
            *(fault for alias in self.aliases for fault in _alias_faults(alias, self)),
        ]
        _raise(faults)

    @property
    def numbered(self) -> bool:
        """Whether it has a number in it, and so may come more than once."""
        return NUMBER in self.template

    @property
    def spellings(self) -> tuple[str, ...]:
        """The template and its aliases."""
        return (self.template, *self.aliases)

    def at(self, number: int) -> str:
        """The marker with its number, as it stands in a text.

        >>> Marker("[SLIDE {n}]").at(2)
        '[SLIDE 2]'
        """
        return self.template.replace(NUMBER, str(number))

    def number_in(self, spelled: str) -> int | None:
        """The number in a marker of this template, as it stands in a text; None for any other.

        >>> Marker("[SLIDE {n}]").number_in("[SLIDE 2]")
        2
        """
        before, number, after = self.template.partition(NUMBER)
        digits = spelled[len(before) : len(spelled) - len(after)]
        framed = spelled.startswith(before) and spelled.endswith(after)
        if number and framed and digits.isdecimal() and len(digits) <= _MOST_DIGITS:
            return int(digits)
        return None

    def __repr__(self) -> str:
        named = {
            "optional": self.optional or None,
            "min": self.min,
            "max": self.max,
            "aliases": self.aliases or None,
        }
        return _call("Marker", [repr(self.template)], named)


@final
@dataclass(frozen=True, slots=True, init=False, repr=False)
class Sections:
    """An output of sections, each under its marker, in the order in which the markers are given.

    `start`, `end` and `notes` are lawful and never content: a word that comes before the first
    marker, one that closes the text, and one under which the model may put its remarks.

    >>> Sections("[COVER]", "[SLIDE {n}]", Marker("[CAPTION]", optional=True), end="[END]")
    Sections('[COVER]', '[SLIDE {n}]', Marker('[CAPTION]', optional=True), end='[END]')
    """

    markers: tuple[Marker, ...]
    start: str | None
    end: str | None
    notes: str | None
    _compiled: object = field(repr=False, compare=False)

    def __init__(
        self,
        *markers: str | Marker,
        start: str | None = None,
        end: str | None = None,
        notes: str | None = None,
    ) -> None:
        faults: list[str] = []
        made: list[Marker] = []
        for marker in markers:
            try:
                made.append(_marker(marker))
            except FormatError as error:
                faults.append(str(error))
        if not markers:
            faults.append(
                'a format of sections needs a marker: write Sections("[TITLE]", "[BODY]")'
            )
        channels = _channels(start, end, notes)
        faults += _channel_faults(channels)
        faults += _confusions(tuple(made), channels)
        _raise(faults)
        object.__setattr__(self, "markers", tuple(made))
        object.__setattr__(self, "start", channels.start)
        object.__setattr__(self, "end", channels.end)
        object.__setattr__(self, "notes", channels.notes)
        object.__setattr__(self, "_compiled", None)

    @classmethod
    def from_model(
        cls,
        model: type,
        *,
        start: str | None = None,
        end: str | None = None,
        notes: str | None = None,
    ) -> Sections:
        """The format of a dataclass or pydantic model whose fields name their markers.

        A field says `cover: Annotated[str, Marker("[COVER]")]`, and for numbered sections
        `slides: Annotated[list[str], Marker("[SLIDE {n}]")]`; one that has a default or may be
        None is optional. The order of the fields is the order of the sections.
        """
        from onlytext._model import markers_of  # it imports Marker from here

        return cls(*markers_of(model), start=start, end=end, notes=notes)

    def __repr__(self) -> str:
        plain = [
            repr(marker.template if marker == Marker(marker.template) else marker)
            for marker in self.markers
        ]
        return _call("Sections", plain, {"start": self.start, "end": self.end, "notes": self.notes})

    def __reduce__(self) -> tuple[Callable[[], Sections], tuple[()]]:
        # What was compiled for a format can't be pickled, and is made again where it is needed.
        channels = {"start": self.start, "end": self.end, "notes": self.notes}
        return partial(Sections, *self.markers, **channels), ()


@final
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Text:
    """An output of plain text.

    `start`, `end` and `notes` are lawful and never content: a word that comes before the text,
    one that closes it, and one under which the model may put its remarks.
    """

    start: str | None = None
    end: str | None = None
    notes: str | None = None
    _compiled: object = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        channels = _channels(self.start, self.end, self.notes)
        _raise([*_channel_faults(channels), *_confusions((), channels)])
        object.__setattr__(self, "start", channels.start)
        object.__setattr__(self, "end", channels.end)
        object.__setattr__(self, "notes", channels.notes)

    def __repr__(self) -> str:
        return _call("Text", [], {"start": self.start, "end": self.end, "notes": self.notes})

    def __reduce__(self) -> tuple[Callable[[], Text], tuple[()]]:
        return partial(Text, start=self.start, end=self.end, notes=self.notes), ()


class _Channels(NamedTuple):
    start: str | None
    end: str | None
    notes: str | None


def _raise(faults: list[str]) -> None:
    if faults:
        raise FormatError("; ".join(faults))


def _call(name: str, plain: list[str], named: Mapping[str, object]) -> str:
    words = [f"{key}={value!r}" for key, value in named.items() if value is not None]
    return f"{name}({', '.join([*plain, *words])})"


# ---------------------------------------------------------------- what type a thing is


def _string(value: object, what: str) -> str:
    if isinstance(value, str):
        return value
    kind = type(value)
    hint = ": write Sections(*markers)" if issubclass(kind, list | tuple) else ""
    raise TypeError(f"{what} is a str, not {kind.__name__}{hint}")


def _strings(value: object) -> tuple[str, ...]:
    if not issubclass(type(value), list | tuple):
        raise TypeError(f"aliases is a tuple of strings: write aliases=({value!r},)")
    items = cast("tuple[object, ...]", value)
    return tuple(_string(item, "an alias").strip() for item in items)


def _flag(value: object) -> None:
    if not isinstance(value, bool):
        raise TypeError(f"optional is True or False, not {value!r}")


def _marker(value: object) -> Marker:
    return value if isinstance(value, Marker) else Marker(_string(value, "a marker"))


def _channels(start: object, end: object, notes: object) -> _Channels:
    return _Channels(
        None if start is None else _string(start, "start").strip(),
        None if end is None else _string(end, "end").strip(),
        None if notes is None else _string(notes, "notes").strip(),
    )


# ---------------------------------------------------------------- what is wrong with one


def _alias_faults(alias: str, marker: Marker) -> Iterator[str]:
    yield from spelling_faults(alias, "alias")
    if (NUMBER in alias) != marker.numbered:
        mend = "write {n} in it too" if marker.numbered else "take {n} out of it"
        yield f"alias {alias!r} of {marker.template!r} is not numbered alike: {mend}"


def _count_faults(marker: Marker) -> Iterator[str]:
    named = f"marker {marker.template!r}"
    for key, count in (("min", marker.min), ("max", marker.max)):
        if count is None:
            continue
        _whole(count, key)
        if count < 1:
            yield f"{named} has {key}={count}: write a number from 1 up, or optional=True"
        if not marker.numbered:
            yield f"{named} has {key}={count} and no {{n}}: it comes once; leave {key} out"
    if marker.min is not None and marker.max is not None and marker.min > marker.max:
        yield f"{named} has min={marker.min} above max={marker.max}: exchange them"


def _whole(value: object, key: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{key} is a whole number, not {value!r}")


def _channel_faults(channels: _Channels) -> Iterator[str]:
    for what, spelling in zip(channels._fields, channels, strict=True):
        if spelling is None:
            continue
        yield from spelling_faults(spelling, what)
        if NUMBER in spelling:
            yield f"{what} {spelling!r} has {{n}} in it: it comes once; take {{n}} out"


def _confusions(markers: tuple[Marker, ...], channels: _Channels) -> Iterator[str]:
    named = [
        Named(owner, "marker" if place == 0 else "alias", spelling)
        for owner, marker in enumerate(markers)
        for place, spelling in enumerate(marker.spellings)
    ]
    named += [
        Named(len(markers) + place, channels._fields[place], spelling)
        for place, spelling in enumerate(channels)
        if spelling is not None
    ]
    return confusions(named)
