"""`onlytext audit`: what patterns, and the whole cleaner, would take from real content."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from onlytext.cli.audited import Outcome, audit_as_json, print_audit, show_progress
from onlytext.cli.exits import FAULT, ends_plainly, say
from onlytext.cli.judging import judge, write_cases
from onlytext.cli.outputs import make_console, write_json
from onlytext.errors import OnlytextError

if TYPE_CHECKING:
    from collections.abc import Callable

    from onlytext._patterns import Pattern, Patterns
    from onlytext.audit import Audit, Judged, Passage, Signature

EXAMPLES: Final = r"""
[bold]Examples[/bold]
  onlytext audit --corpus articles/ --corpus posts.jsonl
  onlytext audit --pattern en/here-is-the-corrected-text --corpus articles/
  onlytext audit --patterns mine.toml --corpus articles/ --sign
  onlytext audit --patterns mine.toml --corpus articles/ --judge --by ada

[bold]Content[/bold] is what must not change: texts that people wrote. A corpus is a file or
a folder: .txt and .md files, and .jsonl, .csv and .parquet files with a text in
each row (--column). A row may tell its language in a column lang.
"""
CODES: Final = (
    "Exit codes: 0 sound · 1 something is hit or not well made · 2 wrong usage or a bad file"
)
_VERDICTS: Final = Path("onlytext-verdicts.jsonl")


@ends_plainly
def command(
    corpus: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH",
            show_default=False,
            help="A file or folder of content; several may be given.",
        ),
    ] = None,
    patterns: Annotated[
        list[Path] | None,
        typer.Option(
            "--patterns",
            metavar="FILE",
            show_default=False,
            help="Pattern files to audit; without any, the built-in catalogue.",
        ),
    ] = None,
    languages: Annotated[
        str | None,
        typer.Option(
            metavar="CODES", show_default=False, help="Only patterns of these languages: en,fr."
        ),
    ] = None,
    pattern: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID", show_default=False, help="Only this pattern, and quickly: en/my-pattern."
        ),
    ] = None,
    column: Annotated[
        str, typer.Option(metavar="NAME", help="The column of a data file that holds the text.")
    ] = "text",
    verdicts: Annotated[
        Path, typer.Option(metavar="FILE", help="Where verdicts on hits are kept.")
    ] = _VERDICTS,
    by: Annotated[
        str, typer.Option("--by", metavar="NAME", help="Who judges.", envvar="USER")
    ] = "somebody",
    *,
    to_cases: Annotated[
        Path | None,
        typer.Option(
            "--to-cases",
            metavar="FOLDER",
            show_default=False,
            help="Turn hits judged harmful into cases and must_spare rows there.",
        ),
    ] = None,
    judging: Annotated[
        bool, typer.Option("--judge", metavar="", help="Ask, hit by hit, whether it does harm.")
    ] = False,
    sign: Annotated[
        bool,
        typer.Option("--sign", metavar="", help="Sign the patterns that hit nothing."),
    ] = False,
    show_all: Annotated[
        bool, typer.Option("--all", metavar="", help="Show each pattern, not only languages.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print all figures and hits, for a program.")
    ] = False,
) -> None:
    """Run patterns and the whole cleaner over real content: nothing there may change.

    Each pattern is checked and proved first. Then every line of the content that a
    pattern matches is a hit, and every text that the cleaner changes a fault. Ends
    with 1 where there is any, unless a person judged the hit harmless.
    """
    from onlytext.audit import corpus_files

    known, judged, homes = _patterns(patterns)
    judged = _chosen(judged, languages, pattern)
    faults = _faults(judged, known)
    files = corpus_files(corpus or [])
    with show_progress(files, quiet=as_json) as step:
        found = _run(files, known, judged, column=column, whole=not pattern, step=step)
    outcome = Outcome(found, faults, _judged(verdicts), by=by, verdicts=verdicts)
    if judging:
        judge(outcome)
    if to_cases is not None:
        write_cases(outcome, to_cases)
    if as_json:
        write_json(audit_as_json(outcome))
    else:
        print_audit(make_console(), outcome, every=show_all)
    if sign:
        _sign(outcome, homes)
    if not outcome.sound:
        raise typer.Exit(FAULT)


def _patterns(
    files: list[Path] | None,
) -> tuple[Patterns, tuple[Pattern, ...], dict[str, Path]]:
    """All patterns that the cleaner runs with, those to judge, and where each of these is signed."""
    from onlytext._patternfile import read_patterns
    from onlytext._patterns import Patterns, whole_catalogue
    from onlytext.audit import catalogue_signatures, signature_file

    base = whole_catalogue()
    if not files:
        home = catalogue_signatures()
        return base, base.rows, dict.fromkeys((row.id for row in base.rows), home)
    homes: dict[str, Path] = {}
    rows: list[Pattern] = []
    for file in files:
        for row in read_patterns(file):
            if row.id in homes or any(row.id == one.id for one in base.rows):
                raise OnlytextError(f"{file}: the id {row.id} is taken already: choose another")
            homes[row.id] = signature_file(file)
            rows.append(row)
    return Patterns((*base.rows, *rows), base.signals), tuple(rows), homes


def _chosen(
    rows: tuple[Pattern, ...], languages: str | None, ids: list[str] | None
) -> tuple[Pattern, ...]:
    from difflib import get_close_matches

    names = [row.id for row in rows]
    for name in ids or ():
        if name not in names:
            near = get_close_matches(name, names, n=1)
            raise OnlytextError(
                f"there is no pattern {name}" + (f": did you mean {near[0]}?" if near else "")
            )
    spoken = {row.id.partition("/")[0] for row in rows}
    wanted = {code.strip() for code in languages.split(",")} if languages else spoken
    if missing := sorted(wanted - spoken):
        raise OnlytextError(
            f"there is no pattern of the language {missing[0]}: there are {', '.join(sorted(spoken))}"
        )
    return tuple(
        row for row in rows if row.id.partition("/")[0] in wanted and (not ids or row.id in ids)
    )


def _faults(rows: tuple[Pattern, ...], known: Patterns) -> list[str]:
    from onlytext.audit import lint, prove

    return [*lint(rows, known), *(fault for row in rows for fault in prove(row, known))]


def _run(
    files: list[Path],
    known: Patterns,
    judged: tuple[Pattern, ...],
    *,
    column: str,
    whole: bool,
    step: Callable[[Passage], None],
) -> Audit:
    from onlytext.audit import audit, fingerprint, read_corpus

    return audit(
        read_corpus(files, column=column),
        known,
        only=judged,
        corpus=fingerprint(files),
        whole=whole,
        step=step,
    )


def _judged(file: Path) -> Judged:
    from onlytext.audit import Judged, read_verdicts

    return Judged(read_verdicts(file))


def _sign(outcome: Outcome, homes: dict[str, Path]) -> None:
    """Sign each pattern that is sound and met content, in the file beside its own."""
    from onlytext.audit import add_signatures

    if not outcome.found.texts:
        raise OnlytextError(
            "nothing to sign: name content that the patterns were run over, --corpus"
        )
    by_file: dict[Path, list[Signature]] = {}
    for signature in outcome.signatures():
        by_file.setdefault(homes[signature.pattern], []).append(signature)
    for file, signatures in by_file.items():
        new = add_signatures(file, signatures)
        say(f"{file}: signed {len(signatures)}, {new} of them now")
