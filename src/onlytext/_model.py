"""The fields of a dataclass or pydantic model, and the markers that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onlytext._format import Marker


def markers_of(model: type) -> tuple[Marker, ...]:
    """The markers that the fields of a model name, in their order."""
    raise NotImplementedError(model)
