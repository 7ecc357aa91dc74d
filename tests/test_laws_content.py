"""The laws about lawful text: what stands untouched, and what no language may touch."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

import pytest
import re2
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from onlytext import Refused, Sections, Text, clean
from onlytext._cases import read_cases
from onlytext._patterns import Pattern, Patterns, anchored, builtin

CASES: Final = Path(__file__).parent / "cases"

# ------------------------------------------------------------------ lawful texts, made at random

# Prose of many kinds without a word of a validator: names, figures, quotes, lists, several scripts.
LINES: Final = st.one_of(
    st.sampled_from(
        (
            "Warm bread from seven in the morning.",
            "Du pain chaud dès sept heures, et des croissants le dimanche.",
            "Pan recién hecho: tres hogazas por 9,50 €.",
            "Wir öffnen um sieben – kommt vorbei!",
            "Aberto de terça a sábado.",
            "Il forno di via Garibaldi 12",
            "Свежий хлеб каждое утро.",
            "毎朝7時に焼きたてのパンを。",
            "每天早上七点开门。",
            "매일 아침 갓 구운 빵.",
            "- flour, 500 g",
            "2. Knead for ten minutes",
            "“Which loaf is yours?” asked the baker.",
            "Tel. 01 23 45 67 89 (Mon–Fri)",
            "**Rye** and *spelt*",
            "> The oven is never cold.",
            "| loaf | price |",
            "#bread #sunday",
        )
    ),
    st.lists(
        st.text(st.characters(categories=("Ll", "Lo", "Nd"), exclude_characters="ªº"), min_size=2),
        min_size=2,
        max_size=9,
    ).map(" ".join),
)
PARAGRAPHS: Final = st.lists(LINES, min_size=1, max_size=4).map("\n".join)
BODIES: Final = st.lists(PARAGRAPHS, min_size=1, max_size=3).map("\n\n".join)
CAROUSEL: Final = Sections("[COVER]", "[SLIDE {n}]", "[CAPTION]")


@st.composite
def carousels(draw: st.DrawFn) -> str:
    slides = draw(st.lists(BODIES, min_size=1, max_size=4))
    parts = [f"[COVER]\n{draw(BODIES)}"]
    parts += [f"[SLIDE {number}]\n{body}" for number, body in enumerate(slides, 1)]
    parts.append(f"[CAPTION]\n{draw(BODIES)}")
    return "\n\n".join(parts)


TEXTS: Final = st.one_of(
    st.tuples(carousels(), st.just(CAROUSEL)), st.tuples(BODIES, st.just(Text()))
)

# ------------------------------------------------------------------ law 1


@given(TEXTS)
@example(("“Let me think,” said the fox.\nThen she slept.", Text()))
@example(("[COVER]\nNote: contains nuts.\n\n[SLIDE 1]\nDone!\n\n[CAPTION]\nOK", CAROUSEL))
def test_a_clean_reply_comes_out_as_it_was(text: tuple[str, Sections | Text]) -> None:
    reply, shape = text
    cleaned = clean(reply, shape)
    assert cleaned.text == reply
    assert cleaned.outcome == "untouched"
    assert cleaned.removals == ()


# What a validator says too: in the draft it is content, whatever it sounds like.
TALK: Final = st.sampled_from(
    (
        "I removed the word “warm”.",
        "Here is the corrected text:",
        "No violations found.",
        "(12 words ✓)",
        "Wait, slide 1 is too long. Again:",
        "Note : j'ai raccourci la phrase 2.",
        "Aquí tienes el texto corregido:",
        "Let me know if you'd like another version.",
        "修正しました。",
    )
)


@given(st.lists(LINES | TALK, min_size=1, max_size=8).map("\n".join))
@example("Here is the corrected text:\nWarm bread.")
def test_a_reply_that_is_its_draft_comes_out_as_it_was(reply: str) -> None:
    assert clean(reply, Text(), draft=reply).text == reply


@given(carousels(), TALK)
def test_sections_that_are_their_draft_come_out_as_they_were(reply: str, talk: str) -> None:
    spoken = reply.replace("\n\n[SLIDE 1]", f"\n{talk}\n\n[SLIDE 1]")
    assert clean(spoken, CAROUSEL, draft=spoken).text == spoken


# ------------------------------------------------------------------ law 5


@given(carousels(), TALK, TALK, st.data())
def test_a_line_of_the_draft_is_never_commentary(
    draft: str, before: str, inside: str, data: st.DataObject
) -> None:
    at = data.draw(st.sampled_from([i for i, sign in enumerate(draft) if sign == "\n"]))
    spoken = f"{draft[:at]}\n{inside}{draft[at:]}"
    reply = f"{before}\n\n{spoken}"
    cleaned = clean(reply, CAROUSEL, draft=spoken)
    kept = cleaned.text.split("\n")
    assert all(line in kept for line in spoken.split("\n"))


@given(st.lists(LINES | TALK, min_size=2, max_size=8, unique=True), TALK)
def test_a_line_of_a_plain_draft_is_never_commentary(lines: list[str], talk: str) -> None:
    assume(talk not in lines)
    draft = "\n".join(lines)
    reply = f"<think>{talk}</think>\n\n{draft}"
    assert clean(reply, Text(), draft=draft).text == draft


# ------------------------------------------------------------------ law 6

UNITS: Final = st.one_of(
    st.text(min_size=1, max_size=12),
    st.sampled_from(
        ("[", "\n", "a", "[COVER]\n", "<think>", "</think>\n", "(x ", "```\n", "> ", "\r")
    ),
)
REGEXES: Final = st.recursive(
    st.sampled_from(("a", "b", ".", r"\w", "[ab]", "x ")),
    lambda inner: st.one_of(
        inner.map(lambda one: f"(?:{one})+"),
        inner.map(lambda one: f"(?:{one})*"),
        st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
        st.tuples(inner, inner).map("".join),
    ),
    max_leaves=6,
)


@cache
def with_a_regex_of_a_user(regex: str) -> Patterns:
    row = Pattern("my/own", "a", f"a{regex}$", "line", "x", "x", (), ())
    return Patterns((*builtin().rows, row), builtin().signals)


def cost(reply: str, format: Sections | Text, patterns: Patterns | None = None) -> float:
    """Seconds of processor time, the lower of two."""
    spent: list[float] = []
    for _ in range(2):
        start = time.process_time()
        with suppress(Refused):
            clean(reply, format, patterns=patterns)
        spent.append(time.process_time() - start)
    return min(spent)


@pytest.mark.timing
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(UNITS, st.sampled_from((CAROUSEL, Text())))
@example("[[[[", CAROUSEL)
@example("\n", Text())
@example("a", Text())
def test_four_times_the_reply_costs_no_more_than_a_few_times_as_much(
    unit: str, format: Sections | Text
) -> None:
    few, many = ((unit * (size // len(unit) + 1))[:size] for size in (8_000, 32_000))
    cost(few[:500], format)
    # A quadratic cost would be sixteen times as much. Half a hundredth of a second is noise.
    assert cost(many, format) < 9 * cost(few, format) + 0.005


@pytest.mark.timing
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(REGEXES)
@example("(?:a+)+")
@example("(?:a|a)*")
def test_no_regex_of_a_user_makes_the_cost_more_than_linear(regex: str) -> None:
    row = Pattern("my/own", "a", f"a{regex}$", "line", "x", "x", (), ())
    compiled = re2.compile("(?i)" + anchored(row))
    spent: list[float] = []
    for size in (50_000, 200_000):
        line = b"a" * size + b"!"
        times: list[float] = []
        for _ in range(3):
            start = time.process_time()
            compiled.search(line)
            times.append(time.process_time() - start)
        spent.append(min(times))
    assert spent[1] < 9 * spent[0] + 0.005


def test_a_regex_that_would_explode_elsewhere_is_harmless_in_a_reply() -> None:
    patterns = with_a_regex_of_a_user("(?:a+)+")
    reply = "Warm bread.\n\n" + "a" * 100_000 + "!"
    assert clean(reply, Text(), patterns=patterns).text == reply


# ------------------------------------------------------------------ law 7

LANGUAGES: Final = sorted({one.language for one in builtin().signals})


@cache
def without(language: str) -> Patterns:
    """The catalogue without one language."""
    known = builtin()
    return Patterns(
        [row for row in known.rows if not row.id.startswith(f"{language}/")],
        [one for one in known.signals if one.language != language],
    )


def lawful() -> list[tuple[str, str, Sections | Text]]:
    """Legitimate texts: the right answers and the drafts of the cases, and the near misses."""
    found = [
        (case.lang, case.draft, case.format)
        for name in ("dev", "dev2", "own-1", "own-2")
        for case in read_cases(CASES / f"{name}.jsonl")
        if case.draft
    ]
    for row in builtin().rows:
        shape = Sections(*row.format) if row.format else Text()
        found += [(row.id.partition("/")[0], spared, shape) for spared in row.must_spare]
    return found


LAWFUL: Final = lawful()


def outcome(reply: str, format: Sections | Text, patterns: Patterns | None = None) -> str | None:
    """The text, or none where the reply is refused."""
    try:
        return clean(reply, format, patterns=patterns).text
    except Refused:
        return None


@settings(max_examples=300)
@given(st.sampled_from(LAWFUL), st.sampled_from(LANGUAGES))
def test_a_language_more_changes_nothing_on_the_texts_of_another(
    text: tuple[str, str, Sections | Text], language: str
) -> None:
    spoken, reply, shape = text
    assume(spoken != language)
    assert outcome(reply, shape) == outcome(reply, shape, without(language))


def test_there_are_lawful_texts_of_every_language_that_has_patterns() -> None:
    assert {spoken for spoken, _, _ in LAWFUL} >= {
        row.id.partition("/")[0] for row in builtin().rows
    }
