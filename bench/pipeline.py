"""Measures the pipeline against a server on this machine that takes a fixed time for each answer.

    python -m bench.pipeline                         everything; some minutes
    python -m bench.pipeline --items 200 --memory 5000
    python -m bench.pipeline --curator PYTHON        with bespokelabs-curator in that environment

The same calls are made by a bare loop over the SDK, by `Pipeline` with its journal on disk, and
by curator, with the same number in flight; the server is a process of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from onlytext.providers import Answer, Request

_ROOT: Final = Path(__file__).resolve().parent.parent
_REPLY: Final = "[TITLE]\nBread\n\n[BODY]\nBaked every day, in the old oven behind the shop.\n[END]"
_KEY: Final = "sk-bench-0123456789abcdef"
_MODEL: Final = "claude-haiku-5-5"
_SHARE_ASKED: Final = 0.9
_MB_ASKED: Final = 300
_IMPORTS: Final = "onlytext.pipeline._pipeline", "anthropic", "openai"


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """How many calls a way made in a second, and the processor's seconds for one call."""

    way: str
    calls: int
    seconds: float
    cpu_ms_a_call: float

    @property
    def rate(self) -> float:
        """Calls in a second."""
        return self.calls / self.seconds


# ---------------------------------------------------------------- ways, each in its own process


async def _bare(url: str, calls: int, at_once: int) -> float:
    """The SDK and nothing else: a stream for each call, `at_once` of them."""
    from anthropic import AsyncAnthropic

    left = iter(range(calls))
    async with AsyncAnthropic(base_url=url, api_key=_KEY, max_retries=0) as client:

        async def worker() -> None:
            for number in left:
                async with client.messages.stream(
                    model=_MODEL,
                    max_tokens=300,
                    system="Write captions.",
                    messages=[{"role": "user", "content": f"One on bread {number}."}],
                ) as stream:
                    await stream.get_final_message()

        began = time.perf_counter()
        await asyncio.gather(*(worker() for _ in range(at_once)))
        return time.perf_counter() - began


async def _pipeline(url: str, calls: int, at_once: int, folder: str) -> float:
    """The pipeline with two passes, so half as many items as calls; with its journal on disk."""
    from onlytext import Sections, clean
    from onlytext.pipeline import Generate, Job, ModelChoice, Pipeline, Validator

    choice = ModelChoice(model=_MODEL, max_tokens=300)
    job = Job(
        name="bench",
        format=Sections("[TITLE]", "[BODY]"),
        generate=Generate(prompt="One on {topic}.", model=choice),
        validator=Validator(rules=("At most 20 words.",), model=choice),
        providers={"anthropic": {"base_url": url}},
    )
    clean(_REPLY, job.sent_format, draft=_REPLY)  # the patterns are read and compiled once
    pipeline = Pipeline(job, journal=Path(folder) / "journal.sqlite", in_flight=at_once)
    began = time.perf_counter()
    count = 0
    async for outcome in pipeline.run({"topic": f"bread {number}"} for number in range(calls // 2)):
        count += outcome.status == "ok"
    seconds = time.perf_counter() - began
    if count != calls // 2:
        raise SystemExit(f"{count} of {calls // 2} items are ok")
    return seconds


class _Words:
    """A tokenizer that counts words."""

    def encode(self, text: str, **_: object) -> list[str]:
        return text.split()


def _words(_: str) -> _Words:
    return _Words()


def _curator(url: str, calls: int, at_once: int, folder: str) -> float:
    """bespokelabs-curator's OpenAI backend: one prompt for each call, its own cache on disk.

    Its tokenizer is fetched from the network; a plain count of words stands in for it, which is
    quicker.
    """
    os.environ |= {
        "CURATOR_CACHE_DIR": folder,
        "TELEMETRY_ENABLED": "false",
        "CURATOR_DISABLE_RICH_DISPLAY": "1",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "OPENAI_API_KEY": _KEY,
    }
    tokenizer = import_module("tiktoken")
    for name in ("encoding_for_model", "get_encoding"):
        setattr(tokenizer, name, _words)
    curator = import_module("bespokelabs.curator")  # it is in an environment of its own
    model = curator.LLM(
        model_name="gpt-4o-mini",
        backend="openai",
        backend_params={
            "base_url": f"{url}/v1",
            "max_concurrent_requests": at_once,
            "max_requests_per_minute": 10_000_000,
            "max_tokens_per_minute": 10_000_000_000,
        },
    )
    began = time.perf_counter()
    model([f"One on bread {number}." for number in range(calls)])
    return time.perf_counter() - began


async def _memory(items: int, folder: str) -> float:
    """The most memory, in MB, of a run of so many briefs whose replies come at once."""
    from onlytext import Sections
    from onlytext.pipeline import Generate, Job, ModelChoice, Pipeline, Validator
    from onlytext.providers import Answer

    class AtOnce:
        name = "anthropic"

        async def complete(self, request: Request, *, seconds: float) -> Answer:  # noqa: ARG002
            await asyncio.sleep(0)
            return Answer(text=_REPLY, stop="end")

        async def aclose(self) -> None:
            pass

    choice = ModelChoice(model=_MODEL, max_tokens=300)
    job = Job(
        name="bench",
        format=Sections("[TITLE]", "[BODY]"),
        generate=Generate(prompt="One on {topic}: {about}", model=choice),
        validate="never",
        validator=Validator(rules=("At most 20 words.",), model=choice),
    )
    pipeline = Pipeline(
        job,
        journal=Path(folder) / "journal.sqlite",
        providers={"anthropic": AtOnce()},
        in_flight=64,
    )
    briefs: Iterator[dict[str, object]] = (
        {"topic": f"bread {number}", "about": "old ovens " * 20} for number in range(items)
    )
    count = 0
    async for _ in pipeline.run(briefs):
        count += 1
    if count != items:
        raise SystemExit(f"{count} of {items} items have an outcome")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# ---------------------------------------------------------------- the measurement


@contextmanager
def _server(seconds: float) -> Generator[str]:
    """The server, as a process of its own; its first line says where it is."""
    command = [sys.executable, "-m", "demo.loopback", "--seconds", str(seconds), "--text", _REPLY]
    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline() if process.stdout is not None else ""
            yield next(word for word in line.split() if word.startswith("http")).rstrip("/.,")
        finally:
            process.terminate()


def _measured(way: str, url: str, calls: int, at_once: int, python: str) -> Speed:
    """One way, in a process of its own; the time of its imports is left out."""
    with tempfile.TemporaryDirectory() as folder:
        command = [python, str(Path(__file__).resolve()), "--child", way, url]
        done = subprocess.run(
            [*command, str(calls), str(at_once), folder],
            cwd=_ROOT,
            env=os.environ | {"ANTHROPIC_API_KEY": _KEY, "PYTHONPATH": str(_ROOT)},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    figures = json.loads(done.stdout.strip().splitlines()[-1])
    return Speed(way=way, calls=calls, seconds=figures["seconds"], cpu_ms_a_call=figures["cpu_ms"])


def _child(way: str, url: str, calls: int, at_once: int, folder: str) -> None:
    for name in _IMPORTS:
        if find_spec(name.partition(".")[0]) is not None:
            import_module(name)
    if way == "memory":
        print(json.dumps({"seconds": asyncio.run(_memory(calls, folder)), "cpu_ms": 0.0}))
        return
    cpu = time.process_time()
    if way == "curator":
        seconds = _curator(url, calls, at_once, folder)
    elif way == "pipeline":
        seconds = asyncio.run(_pipeline(url, calls, at_once, folder))
    else:
        seconds = asyncio.run(_bare(url, calls, at_once))
    cpu_ms = (time.process_time() - cpu) * 1000 / calls
    print(json.dumps({"seconds": seconds, "cpu_ms": cpu_ms}))


def main() -> int:
    """Measure what the command line asks for; 1 where a target is missed."""
    if sys.argv[1:2] == ["--child"]:
        way, url, calls, at_once, folder = sys.argv[2:]
        _child(way, url, int(calls), int(at_once), folder)
        return 0
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--items", type=int, default=2000)
    parser.add_argument("--in-flight", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=0.5, help="the server's answer time")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--memory", type=int, default=100_000, help="briefs; 0 leaves it out")
    parser.add_argument("--curator", help="a Python that has bespokelabs-curator")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    ways = {"bare": sys.executable, "pipeline": sys.executable}
    if asked.curator:
        ways["curator"] = asked.curator
    best: dict[str, Speed] = {}
    with _server(asked.seconds) as url:
        for _ in range(asked.rounds):
            for way, python in ways.items():
                speed = _measured(way, url, asked.items * 2, asked.in_flight, python)
                print(f"{way:<9} {speed.rate:7.1f} calls/s  {speed.cpu_ms_a_call:5.1f} ms CPU/call")
                best[way] = max(best.get(way, speed), speed, key=lambda one: one.rate)
    share = best["pipeline"].rate / best["bare"].rate
    print(f"the pipeline reaches {share:.1%} of the bare loop (asked for: {_SHARE_ASKED:.0%})")
    missed = share < _SHARE_ASKED
    figures: dict[str, object] = {way: asdict(speed) for way, speed in best.items()}
    figures["share"] = share
    if asked.memory:
        megabytes = _measured("memory", "-", asked.memory, 64, sys.executable).seconds
        print(f"{asked.memory:,} briefs: {megabytes:.0f} MB at most (asked for: {_MB_ASKED})")
        missed = missed or megabytes > _MB_ASKED
        figures["megabytes"] = megabytes
    if asked.json is not None:
        asked.json.write_text(json.dumps(figures, indent=2))
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
