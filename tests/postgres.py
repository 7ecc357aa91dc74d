"""A real PostgreSQL for tests: made in a temporary folder, reached by a socket, gone afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from psycopg.sql import SQL, Identifier

if TYPE_CHECKING:
    from collections.abc import Generator

_URL = "postgresql://onlytext@/postgres"
WHY_NOT = (
    "PostgreSQL's programs are not installed (on Debian and Ubuntu: apt-get install postgresql)"
)


def programs() -> Path | None:
    """The folder with `initdb` and `postgres`, or none where PostgreSQL is not installed."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    versions = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4])
    )
    return versions[-1].parent if versions else None


class Server:
    """A server that runs; `fresh()` gives the URL of an empty place in it."""

    def __init__(self, folder: Path, bin_folder: Path, *, durable: bool) -> None:
        self.folder = folder
        self._bin = bin_folder
        self._durable = durable
        self._process: subprocess.Popen[bytes] | None = None
        self._made = 0

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        durable = [] if self._durable else ["-c", "fsync=off"]
        self._process = subprocess.Popen(
            [
                str(self._bin / "postgres"),
                *("-D", str(self.folder / "data"), "-k", str(self.folder)),
                *("-c", "listen_addresses=", "-c", "shared_buffers=16MB", "-c", "jit=off"),
                *("-c", "max_connections=40", "-c", "log_min_messages=fatal", *durable),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            user=_user(),
            group=_group(),
        )
        for _ in range(200):
            ready = subprocess.run(
                [str(self._bin / "pg_isready"), "-q", "-h", str(self.folder)], check=False
            )
            if ready.returncode == 0:
                return
            time.sleep(0.05)
        raise AssertionError("PostgreSQL did not start within 10 seconds")

    def stop(self, *, crash: bool = False) -> None:
        """Stop it: in order, or (`crash`) at once, so that it has to recover when it starts again."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT if crash else signal.SIGINT)
            self._process.wait(timeout=20)
            self._process = None

    def fresh(self) -> str:
        """The URL of an empty schema of the database: made at once, where a database takes a second."""
        self._made += 1
        name = f"journal_{self._made}"
        with psycopg.connect(f"{_URL}?host={self.folder}") as connection:
            connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(name)))
        return f"{_URL}?host={self.folder}&options=-csearch_path%3D{name}"


@contextmanager
def server(*, durable: bool = False) -> Generator[Server]:
    """A server of our own; not `durable`, it is quick, and forgets what the machine loses with its power."""
    found = programs()
    assert found is not None, WHY_NOT
    # A socket's path has to be short, so not in pytest's own folder.
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if os.getuid() == 0:
            os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
        subprocess.run(
            [
                str(found / "initdb"),
                *("-D", str(folder / "data"), "-U", "onlytext", "-A", "trust", "-N"),
                *("-E", "UTF8", "--locale=C"),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=folder,
            user=_user(),
            group=_group(),
        )
        running = Server(folder, found, durable=durable)
        running.start()
        try:
            yield running
        finally:
            # At once: what is in it goes anyway.
            running.stop(crash=True)


def _user() -> int | None:
    """PostgreSQL refuses to run as root; Debian's package brings the user postgres."""
    return pwd.getpwnam("postgres").pw_uid if os.getuid() == 0 else None


def _group() -> int | None:
    return pwd.getpwnam("postgres").pw_gid if os.getuid() == 0 else None
