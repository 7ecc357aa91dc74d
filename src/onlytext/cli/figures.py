"""The figures of a score, as tables for a person and as JSON for a program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from onlytext._score import percent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from onlytext._score import Score, Tally

_BAR: Final = 10
_STYLES: Final = {"right": "green", "refused": "yellow", "wrong": "bold red"}
# Three characters, not only three colours, so that a bar can be read without colours too.
_BLOCKS: Final = {"right": "█", "refused": "▒", "wrong": "×"}

_LEGEND: Final = (
    ("right", "the true text came out, or a reply without content was refused"),
    ("refused", "an error instead of a text: safe, but the reply is lost"),
    ("wrong", "another text came out, silently; without a leak this is harm"),
    ("doubted", "those of the wrong ones that carried a doubt"),
)


def figures_as_json(score: Score) -> dict[str, object]:
    """All figures: of all cases, and by file, by language and by kind of leak."""
    return {
        **_score_as_json(score),
        "by_file": {name: _score_as_json(part) for name, part in score.by_file().items()},
        "by_language": {name: _score_as_json(part) for name, part in score.by_language().items()},
        "by_leak": {name: _tally_as_json(tally) for name, tally in score.by_leak().items()},
    }


def print_figures(console: Console, score: Score, *, how: str) -> None:
    """Print the figures of all cases, and then by file, by language and by kind of leak.

    `how` says what the cleaner was given besides each reply.
    """
    console.print(f"{len(score.results)} cases, {how}\n")
    console.print(_overview(score), "")
    for name, meaning in _LEGEND:
        console.print(f"[{_STYLES.get(name, 'none')}]{name:<8}[/] {meaning}", markup=True)
    files = score.by_file()
    if len(files) > 1:
        console.print("", _groups("file", _short_names(files)))
    console.print("", _groups("language", score.by_language()))
    leaks = score.by_leak()
    if leaks:
        console.print("", _leaks(leaks))


def _short_names(files: Mapping[str, Score]) -> Mapping[str, Score]:
    """The files by their bare names, where these tell them apart."""
    short = {Path(name).stem: score for name, score in files.items()}
    return short if len(short) == len(files) else files


def _overview(score: Score) -> Table:
    table = _table("replies", "cases", "right", "refused", "wrong", "doubted")
    for name, tally in (
        ("that leak", score.leaking),
        ("without a leak", score.no_leak),
        ("without content", score.no_content),
    ):
        table.add_row(
            name,
            str(tally.cases),
            _share(tally.right, tally, "right"),
            _share(tally.refused, tally, "refused"),
            _share(tally.wrong, tally, "wrong"),
            _count(tally.doubted),
        )
    return table


def _groups(what: str, groups: Mapping[str, Score]) -> Table:
    """One row a file or language: the leaking replies whole, of the others what went wrong."""
    table = _table(
        f"\n{what}",
        "leaking\ncases",
        "\nright",
        "\n",
        "\nrefused",
        "\nwrong",
        "no leak\nharm",
        "no content\nrefused",
    )
    for name, score in groups.items():
        clean, empty = score.no_leak, score.no_content
        table.add_row(
            *_row(name, score.leaking),
            _of(clean.wrong, clean.cases, "wrong" if clean.wrong else ""),
            _of(empty.right, empty.cases, "wrong" if empty.wrong else ""),
        )
    return table


def _leaks(tallies: Mapping[str, Tally]) -> Table:
    table = _table("kind of leak", "cases", "right", "", "refused", "wrong", "doubted")
    for name, tally in tallies.items():
        table.add_row(*_row(name, tally), _count(tally.doubted))
    return table


def _table(first: str, *others: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
        show_edge=False,
        header_style="bold",
    )
    table.add_column(first, overflow="fold")
    for name in others:
        table.add_column(name, justify="right" if name.strip() else "left", no_wrap=True)
    return table


def _row(name: str, tally: Tally) -> tuple[str | Text, ...]:
    return (
        name,
        str(tally.cases),
        _share(tally.right, tally, "right"),
        _bar(tally),
        _count(tally.refused, "refused"),
        _count(tally.wrong, "wrong"),
    )


def _share(part: int, tally: Tally, verdict: str) -> Text:
    return _styled(f"{part} {percent(part, tally.cases):>8}", verdict if part else "")


def _count(number: int, verdict: str = "") -> Text:
    return _styled(str(number), verdict if number else "")


def _of(part: int, whole: int, verdict: str) -> Text:
    return _styled(f"{part} of {whole}" if whole else "-", verdict)


def _bar(tally: Tally) -> Text:
    """The shares as blocks; each that is not zero has at least one."""
    from rich.text import Text

    bar = Text()
    for verdict, width in zip(_BLOCKS, _widths(tally), strict=True):
        bar.append(_BLOCKS[verdict] * width, _STYLES[verdict])
    return bar


def _widths(tally: Tally) -> list[int]:
    parts = [tally.right, tally.refused, tally.wrong]
    widths = [max(round(_BAR * part / max(tally.cases, 1)), int(part > 0)) for part in parts]
    if tally.cases:
        widths[parts.index(max(parts))] += _BAR - sum(widths)
    return widths


def _styled(text: str, verdict: str) -> Text:
    from rich.text import Text

    return Text(text, style=_STYLES.get(verdict, ""))


def _score_as_json(score: Score) -> dict[str, object]:
    return {
        "cases": len(score.results),
        "leaking": _tally_as_json(score.leaking),
        "no_leak": _tally_as_json(score.no_leak),
        "no_content": _tally_as_json(score.no_content),
    }


def _tally_as_json(tally: Tally) -> dict[str, int]:
    return {
        "cases": tally.cases,
        "right": tally.right,
        "refused": tally.refused,
        "wrong": tally.wrong,
        "wrong_with_doubt": tally.doubted,
    }
