"""Which providers there are, and one of them by its name."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Final, cast

from onlytext.providers._options import refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from onlytext.providers._protocol import MakesProvider, Provider

_GROUP: Final = "onlytext.providers"
_BUILT_IN: Final = ("anthropic", "local", "openai", "replay")


def provider_names() -> tuple[str, ...]:
    """The names that `make_provider` knows, sorted: the built-in ones and those of other packages.

    Another package adds one in the entry point group `onlytext.providers`, as a function that
    takes the options and returns the provider (`MakesProvider`). It can't take a built-in name.
    """
    return tuple(sorted({*_BUILT_IN, *_others()}))


def make_provider(
    name: str, options: Mapping[str, str | int | float | bool] | None = None
) -> Provider:
    """The provider of this name, made with the options of the job's `[provider.NAME]` table.

    Raises `ProviderError` for a name that there is not, a package that is not installed and an
    option that can't be. A missing key is the first call's error.
    """
    return _maker(name)({} if options is None else options)


def _maker(name: str) -> MakesProvider:
    if name in _BUILT_IN:
        return cast("MakesProvider", import_module(f"onlytext.providers.{name}").make)
    other = _others().get(name)
    if other is None:
        known = provider_names()
        near = get_close_matches(name, known, n=1)
        mend = f"write {near[0]}" if near else "write one of them"
        raise refused(
            f"there is no provider {name!r}: there are {', '.join(known)}; {mend}, or install "
            f"the package that brings it"
        )
    try:
        return cast("MakesProvider", other.load())
    except Exception as error:
        raise refused(
            f"the provider {name} of another package can't be loaded ({other.value}): "
            f"{type(error).__name__}: {error}"
        ) from error


def _others() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=_GROUP)}
