"""What patterns alone take from a reply without a draft: each where its scope lets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from onlytext import NoContent, Patterns, Sections, Text, clean
from onlytext._patterns import Pattern

if TYPE_CHECKING:
    from onlytext._patterns import Scope


def pattern(name: str, regex: str, scope: Scope) -> Pattern:
    return Pattern(f"xx/{name}", "", regex, scope, "", "", (), ())


# A language of our own, so that nothing else decides.
KNOWN = Patterns(
    [
        pattern("label", "brod sagt:", "label"),
        pattern("head", "brod prüft", "head"),
        pattern("tail", "brod fragt", "tail"),
        pattern("line", "brod nickt", "line"),
        pattern("end", r"\(brod zählt\)", "end-of-line"),
    ]
)


def account(reply: str) -> tuple[str, list[tuple[str, str | None]]]:
    """The text, and what went with the pattern that decided."""
    cleaned = clean(reply, Text(), patterns=KNOWN)
    return cleaned.text, [(removal.text, removal.pattern) for removal in cleaned.removals]


@pytest.mark.parametrize(
    ("reply", "text", "gone"),
    [
        pytest.param(
            "Brod sagt:\n\nWarm bread.", "Warm bread.", [("Brod sagt:\n\n", "xx/label")], id="label"
        ),
        pytest.param(
            "Brod sagt:\nBrod sagt:\nWarm bread.",
            "Warm bread.",
            [("Brod sagt:\nBrod sagt:\n", "xx/label")],
            id="two labels",
        ),
        pytest.param(
            "Brod prüft es,\nnoch.\n\nBrod sagt:\nWarm bread.",
            "Warm bread.",
            [("Brod prüft es,\nnoch.\n\n", "xx/head"), ("Brod sagt:\n", "xx/label")],
            id="a paragraph and a label",
        ),
        pytest.param(
            "Brod nickt\nBrod sagt:\nWarm bread.",
            "Warm bread.",
            [("Brod nickt\n", "xx/line"), ("Brod sagt:\n", "xx/label")],
            id="a line before a label",
        ),
        pytest.param(
            "Warm bread.\n\nBrod fragt dies\nund das.",
            "Warm bread.",
            [("\n\nBrod fragt dies\nund das.", "xx/tail")],
            id="a closing paragraph",
        ),
        pytest.param(
            "Warm bread.\nSalt.\nBrod fragt dies.",
            "Warm bread.\nSalt.",
            [("\nBrod fragt dies.", "xx/tail")],
            id="a closing line",
        ),
        pytest.param(
            "Warm bread.\n\nBrod fragt dies.\nBrod nickt",
            "Warm bread.",
            [("\n\nBrod fragt dies.\n", "xx/tail"), ("Brod nickt", "xx/line")],
            id="a line after a closing one",
        ),
        pytest.param(
            "Warm bread.\nBrod nickt\nSalt.",
            "Warm bread.\nSalt.",
            [("Brod nickt\n", "xx/line")],
            id="a line in the middle",
        ),
        pytest.param(
            "Warm bread. (Brod zählt)\nSalt.",
            "Warm bread.\nSalt.",
            [(" (Brod zählt)", "xx/end")],
            id="the end of a line",
        ),
    ],
)
def test_a_pattern_takes_what_its_scope_lets_it(
    reply: str, text: str, gone: list[tuple[str, str]]
) -> None:
    assert account(reply) == (text, gone)


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param("Warm bread.\nBrod sagt:\nSalt.", id="a label in the middle"),
        pytest.param("Warm bread.\n\nBrod prüft es.\n\nSalt.", id="a head in the middle"),
        pytest.param("Warm bread.\n\nBrod fragt dies.\n\nSalt.", id="a tail in the middle"),
        pytest.param("# Bread\nBrod prüft es.\nSalt.", id="a head that would leave a title alone"),
        pytest.param("(Brod zählt)\nSalt.", id="nothing before a line end"),
        pytest.param("Warm bread.\n```\nBrod nickt\n```\nSalt.", id="a line in a fence"),
        pytest.param("Warm bread.\n```\nSalt (Brod zählt)\n```\nMilk.", id="a line end in a fence"),
    ],
)
def test_a_pattern_takes_nothing_where_its_scope_ends(reply: str) -> None:
    assert account(reply) == (reply, [])


def test_a_fence_that_was_never_closed_hides_nothing() -> None:
    text, _ = account("Warm bread.\n```\nBrod nickt\nSalt.")
    assert text == "Warm bread.\n```\nSalt."


@pytest.mark.parametrize(
    ("front", "behind"),
    [("# Bread", "\n"), ("## Bread", "\n"), ("---\ntitle: Bread\n---", "\n")],
)
def test_a_label_may_hide_behind_a_title_or_front_matter(front: str, behind: str) -> None:
    text, gone = account(f"{front}\nBrod sagt:\n{behind}Warm bread.")
    assert text.startswith(f"{front}\n")
    assert "Brod" not in text
    assert [name for _, name in gone] == ["xx/label"]


def test_front_matter_that_never_ends_is_none() -> None:
    reply = "---\ntitle: Bread\nBrod sagt:\nWarm bread."
    assert account(reply) == (reply, [])


@pytest.mark.parametrize(
    "reply",
    [
        "Brod nickt",
        "Brod nickt\nBrod nickt",
        "Brod prüft es.\nUnd wie.\n\nBrod sagt:",
        "Brod nickt\n\nBrod fragt dies.",
    ],
)
def test_a_reply_of_commentary_alone_is_no_text(reply: str) -> None:
    with pytest.raises(NoContent, match=r"^the reply holds only commentary$") as caught:
        clean(reply, Text(), patterns=KNOWN)
    assert caught.value.evidence == tuple(line for line in reply.split("\n") if line)


def test_a_section_that_would_lose_every_line_keeps_them() -> None:
    cleaned = clean(
        "[COVER]\nBrod nickt\n[CAPTION]\nSalt.\n[TAGS]\n#bread",
        Sections("[COVER]", "[CAPTION]", "[TAGS]"),
        patterns=KNOWN,
    )
    assert [section.body for section in cleaned.sections] == ["Brod nickt", "Salt.", "#bread"]
    [doubt] = cleaned.doubts
    assert (doubt.text, doubt.reason) == ("Brod nickt", "may be commentary: pattern")


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("```text\nWarm bread.\n```", "Warm bread."),
        ("```markdown\nWarm bread.", "Warm bread."),
        ("Brod sagt:\n```\nWarm bread.\n```", "Warm bread."),
        ("~~~txt\nWarm bread.\n~~~", "Warm bread."),
    ],
)
def test_a_fence_round_a_text_goes(reply: str, text: str) -> None:
    cleaned = clean(reply, Text(), patterns=KNOWN)
    assert cleaned.text == text
    assert "fence round the whole" in {removal.reason for removal in cleaned.removals}


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param("```", id="a fence alone"),
        pytest.param("```python\nbread()\n```", id="code"),
        pytest.param("```\nbread()\n```", id="a fence that nothing announced"),
        pytest.param("```text\nBread\n```\nand\n```\nsalt\n```", id="two fences"),
        pytest.param("```text\nBread\n```\nand salt", id="a fence before more"),
    ],
)
def test_a_fence_that_may_be_content_stays(reply: str) -> None:
    assert account(reply) == (reply, [])


def test_the_fence_round_all_sections_goes() -> None:
    loaf = Sections("[COVER]", "[CAPTION]")
    cleaned = clean("```\n[COVER]\nBread\n[CAPTION]\nSalt\n```", loaf, patterns=KNOWN)
    assert cleaned.text == "[COVER]\nBread\n[CAPTION]\nSalt"
    assert cleaned.removals[-1].reason == "fence round the whole"
    inner = "[COVER]\n```\nBread\n```\n[CAPTION]\nSalt"
    assert clean(inner, loaf, patterns=KNOWN).text == inner


def test_sections_that_are_quoted_lose_their_quotation_signs() -> None:
    loaf = Sections("[COVER]", "[CAPTION]")
    cleaned = clean("> [COVER]\n> Bread\n> [CAPTION]\n>Salt", loaf, patterns=KNOWN)
    assert cleaned.text == "[COVER]\nBread\n[CAPTION]\nSalt"
    partly = clean("> [COVER]\n> Bread\nand salt\n> [CAPTION]\n> Salt", loaf, patterns=KNOWN)
    assert partly.sections[0].body == "> Bread\nand salt"
