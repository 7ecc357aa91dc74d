"""The names of the package that are imported when they are asked for."""

from __future__ import annotations

import pytest

import onlytext


@pytest.mark.parametrize("name", ["Record", "clean_fields", "parse"])
def test_a_name_that_comes_later_is_there_when_it_is_asked_for(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(vars(onlytext), name, raising=False)
    assert getattr(onlytext, name).__name__ == name
    assert name in vars(onlytext)


def test_every_public_name_is_listed() -> None:
    assert set(onlytext.__all__) <= set(dir(onlytext))
    assert all(hasattr(onlytext, name) for name in onlytext.__all__)


def test_a_name_that_is_not_there_is_told() -> None:
    with pytest.raises(AttributeError, match="module 'onlytext' has no attribute 'strip'"):
        _ = vars(onlytext)["__getattr__"]("strip")
