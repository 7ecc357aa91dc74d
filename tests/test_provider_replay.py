"""Recorded replies give the same answers again."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.loopback import Failure, Loopback, Reply
from tests.provider_runs import REQUEST, keys, provider_at

from onlytext.providers import Answer, Limits, ProviderError, Usage, make_provider
from onlytext.providers.replay import ReplayProvider, digest_of, read_recorded, recording

if TYPE_CHECKING:
    from pathlib import Path

    from tests.loopback import Turn

    from onlytext.providers import Provider, Request

OTHER = replace(REQUEST, model="another")


def _came(provider: Provider, *requests: Request) -> list[Answer | ProviderError]:
    async def one(request: Request) -> Answer | ProviderError:
        try:
            return await provider.complete(request, seconds=20)
        except ProviderError as error:
            return error

    async def work() -> list[Answer | ProviderError]:
        try:
            return [await one(request) for request in requests]
        finally:
            await provider.aclose()

    return asyncio.run(work())


def test_what_was_recorded_is_replayed_answers_and_errors_alike(tmp_path: Path) -> None:
    file = tmp_path / "recorded.jsonl"
    headers = {
        "anthropic-ratelimit-requests-limit": "4",
        "anthropic-ratelimit-requests-remaining": "1",
    }
    script: list[Turn] = [
        Reply(text="Une lampe\u2028été", thinking="hm", stop="max_tokens", cache_read=4),
        Failure(status=529, headers={"retry-after": "2", **headers}),
        Reply(text="half", cut_after=4),
        Reply(text="Two"),
    ]
    requests = [REQUEST, OTHER, OTHER, REQUEST]
    with keys(), Loopback(script) as server:
        live = _came(recording(provider_at("anthropic", server), file), *requests)
    again = _came(make_provider("replay", {"file": str(file)}), *requests)
    for first, second in zip(live, again, strict=True):
        if isinstance(first, ProviderError):
            assert isinstance(second, ProviderError)
            assert str(second) == str(first)
            assert vars(second) == vars(first)
        else:
            assert second == first
    assert isinstance(live[1], ProviderError)
    assert live[1].limits == Limits(requests_left=0.25)


def test_a_recording_goes_on_where_an_earlier_one_ended(tmp_path: Path) -> None:
    file = tmp_path / "recorded.jsonl"
    for text in ("One", "Two"):
        with keys(), Loopback(Reply(text=text)) as server:
            _came(recording(provider_at("anthropic", server), file), REQUEST)
    assert [row.request for row in read_recorded(file)] == [digest_of(REQUEST)] * 2
    texts = [
        came.text
        for came in _came(ReplayProvider(file), *[REQUEST] * 3)
        if isinstance(came, Answer)
    ]
    assert texts == ["One", "Two", "Two"]


def test_rows_without_a_digest_are_given_in_turn(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_text(
        '{"answer": {"text": "One", "stop": "end"}}\n\n'
        '{"answer": {"text": "Two", "stop": "refusal", "usage": {"output": 3}}}\n',
        encoding="utf-8",
    )
    one, two, none = _came(ReplayProvider(file), REQUEST, OTHER, REQUEST)
    assert one == Answer(text="One", stop="end")
    assert two == Answer(text="Two", stop="refusal", usage=Usage(output=3))
    assert isinstance(none, ProviderError)
    assert str(file) in str(none)
    assert digest_of(REQUEST)[:12] in str(none)


def test_every_part_of_a_request_tells_it_from_others() -> None:
    others = [
        replace(REQUEST, model="m"),
        replace(REQUEST, system=""),
        replace(REQUEST, messages=()),
        replace(REQUEST, max_tokens=1),
        replace(REQUEST, stop=("x",)),
        replace(REQUEST, effort="low"),
        replace(REQUEST, temperature=0.0),
        replace(REQUEST, grammar="g"),
    ]
    assert len({digest_of(request) for request in [REQUEST, *others]}) == 9
    assert digest_of(replace(REQUEST)) == digest_of(REQUEST)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{}", "a row holds an answer or an error"),
        ("[]", "2:"),
        ("no json", "2:"),
        ('{"answer": {"text": "A"}}', "answer.stop"),
        ('{"answer": {"text": "A", "stop": "done"}}', "answer.stop"),
    ],
)
def test_a_row_that_is_none_is_said_with_its_line(tmp_path: Path, line: str, told: str) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_text(f'{{"answer": {{"text": "A", "stop": "end"}}}}\n{line}\n', encoding="utf-8")
    with pytest.raises(ProviderError) as raised:
        ReplayProvider(file)
    assert f"{file}:2" in str(raised.value)
    assert told in str(raised.value)


def test_a_file_that_can_not_be_read_or_written_is_said(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(ProviderError, match="it is not UTF-8"):
        ReplayProvider(file)
    file.write_bytes(b"")
    with pytest.raises(ProviderError, match="can't be written"):
        recording(ReplayProvider(file), tmp_path)
