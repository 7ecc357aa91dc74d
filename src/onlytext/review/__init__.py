"""Pages that show a run: each reply with what was dropped of it, in its place, and why."""

from __future__ import annotations

from importlib.util import find_spec

from onlytext.errors import OnlytextError

if find_spec("jinja2") is None:  # pragma: no cover - it is there where the tests run
    raise OnlytextError("a report needs Jinja: pip install 'onlytext[review]'")

from onlytext.review._report import find_run, write_report

__all__ = ["find_run", "write_report"]
