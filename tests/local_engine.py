"""A stand-in for xllamacpp alone: the rest of the local provider runs as it is, over real HTTP."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

    from tests.loopback import Loopback


@dataclass
class Model:
    """Where the model is."""

    path: str = ""


@dataclass
class Threads:
    """How many threads compute."""

    n_threads: int = 0


@dataclass
class Params:
    """What the engine was told."""

    model: Model = field(default_factory=Model)
    cpuparams: Threads = field(default_factory=Threads)
    cpuparams_batch: Threads = field(default_factory=Threads)
    api_keys: list[str] = field(default_factory=list[str])
    hostnames: list[str] = field(default_factory=list[str])
    n_ctx: int = 0


@contextmanager
def engine(server: Loopback, *, load: float = 0) -> Generator[list[Params]]:
    """An engine that answers as the server does, and what it was told each time it started.

    It takes `load` seconds to start.
    """
    told: list[Params] = []

    class Server:
        def __init__(self, given: Params) -> None:
            told.append(given)
            time.sleep(load)
            if not Path(given.model.path).read_bytes().startswith(b"GGUF"):
                raise RuntimeError("Failed to init server, please check the input params.")
            self.listening_address = server.url

    module = ModuleType("xllamacpp")
    module.__spec__ = ModuleSpec("xllamacpp", None)
    vars(module).update(CommonParams=Params, Server=Server)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "xllamacpp", module)
        yield told
