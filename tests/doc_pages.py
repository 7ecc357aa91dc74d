"""The pages of the documentation as tests run them: block by block, in a folder for each page.

What a block is, its first line says:

- `toml NAME`, `text NAME` and the like: a file, written into the folder;
- `python`: runs, after those above it on the page; what it prints stands in the `text` block below;
- `python signature`: a signature, held against the code; it does not run;
- `console`: commands behind `$`, run by bash, each followed by what it prints;
- `sh`: commands that set something up; they do not run here;
- `toml`, `json`, `diff` and others without a name: shown only.

In an output a line that is nothing but `…` stands for any lines. After a change of what the
examples print, `python -m tests.doc_pages` writes the pages again; a person reads what it wrote.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import types
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parent.parent
PAGES: Final = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
ANYTHING: Final = "…"
_FENCE: Final = re.compile(r"^```(.*)\n((?s:.*?))^```$", re.MULTILINE)
_END: Final = "\n<<end of command>>\n"


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page: the words after its fence, what stands in it, and where."""

    words: tuple[str, ...]
    body: str
    line: int
    start: int
    """The offset of its body in the page."""

    @property
    def language(self) -> str:
        """The first word, which tells what the block is; empty where there is none."""
        return self.words[0] if self.words else ""


@dataclass(frozen=True, slots=True)
class Ran:
    """A block that ran, the block that shows what it printed, if any, and what it did print."""

    block: Block
    shown: Block | None
    printed: str

    @property
    def is_as_shown(self) -> bool:
        """Whether it printed what the page shows."""
        return self.shown is not None and alike(self.shown.body, self.printed)


def blocks_of(text: str) -> list[Block]:
    """The fenced blocks of a page, from its top to its bottom."""
    return [
        Block(
            tuple(found[1].split()),
            found[2],
            text.count("\n", 0, found.start()) + 1,
            found.start(2),
        )
        for found in _FENCE.finditer(text)
    ]


def alike(shown: str, printed: str) -> bool:
    """Whether an output is as a page shows it; blanks at the ends of lines do not count."""
    parts = [line.rstrip() for line in shown.rstrip().split("\n")]
    pattern = "\n".join(
        r"(?:.*\n)*.*" if part.strip() == ANYTHING else re.escape(part) for part in parts
    )
    lines = "\n".join(line.rstrip() for line in printed.rstrip().split("\n"))
    return re.fullmatch(pattern, lines) is not None


def run_page(text: str, folder: Path) -> Iterator[Ran]:
    """Run a page's blocks in a folder; what each printed, where it printed or shows anything."""
    shutil.copytree(ROOT / "demo" / "replies", folder / "demo" / "replies")
    module = types.ModuleType("a_page_of_the_docs")
    sys.modules[module.__name__] = module
    blocks = blocks_of(text)
    for index, block in enumerate(blocks):
        if block.language == "console":
            yield Ran(block, block, _run_console(block.body, folder))
        elif block.words == ("python",):
            printed = _run_python(block, module, folder)
            shown = blocks[index + 1] if index + 1 < len(blocks) else block
            if shown.words == ("text",):
                yield Ran(block, shown, printed)
            elif printed:
                yield Ran(block, None, printed)
        elif len(block.words) == 2 and block.language != "python":
            (folder / block.words[1]).write_text(block.body, encoding="utf-8")


def _run_python(block: Block, module: types.ModuleType, folder: Path) -> str:
    code = compile("\n" * block.line + block.body, module.__name__, "exec", dont_inherit=True)
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out):
        exec(code, module.__dict__)  # noqa: S102 - our own documentation
    return out.getvalue()


def _run_console(body: str, folder: Path) -> str:
    """The block as it would stand on the page: each command, and below it what it printed."""
    commands = commands_of(body)
    script = "".join(
        f"{command}\n__code=$?; printf '{_END.encode('unicode_escape').decode()}'; (exit $__code)\n"
        for command in commands
    )
    done = subprocess.run(
        ["bash", "-c", script],  # noqa: S607 - the shell of the examples
        cwd=folder,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=300,
    )
    outputs = done.stdout.decode().split(_END)
    return "".join(
        f"$ {command}\n{output.rstrip()}\n" if output.strip() else f"$ {command}\n"
        for command, output in zip(commands, outputs, strict=False)
    )


def commands_of(body: str) -> list[str]:
    """The commands of a console block, those of several lines whole."""
    commands: list[str] = []
    goes_on = False
    for line in body.split("\n"):
        if goes_on:
            commands[-1] += f"\n{line}"
        elif line.startswith("$ "):
            commands.append(line[2:])
        else:
            continue
        goes_on = line.endswith("\\")
    return commands


def _environment() -> dict[str, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    plain = {key: value for key, value in os.environ.items() if key != "FORCE_COLOR"}
    return plain | {"PATH": path, "COLUMNS": "80", "PYTHONUTF8": "1"}


def _write(page: Path) -> None:
    """Write a page again, with what its examples print now."""
    text = page.read_text("utf-8")
    with TemporaryDirectory() as folder:
        rows = list(run_page(text, Path(folder)))
    for ran in reversed(rows):
        if ran.is_as_shown:
            continue
        place = f"{page.relative_to(ROOT)}:{ran.block.line}"
        if ran.shown is None:
            print(f"{place}: a text block is missing for {ran.printed!r}")  # noqa: T201
            continue
        start, old = ran.shown.start, ran.shown.body
        text = text[:start] + ran.printed.rstrip() + "\n" + text[start + len(old) :]
        print(f"{place}: written again")  # noqa: T201
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for one in PAGES:
        _write(one)
