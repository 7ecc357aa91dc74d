"""What is wrapped round a whole answer, and what only looks like it."""

from __future__ import annotations

import pytest

from onlytext import NoContent, Sections, Text, clean

LOAF = Sections("[COVER]", "[CAPTION]")
BREAD = "Bread is warm."


def account(reply: str, draft: str | None = None) -> tuple[str, list[tuple[str, str]]]:
    """The text of a reply, and what went from it, with the reasons."""
    cleaned = clean(reply, Text(), draft=draft)
    return cleaned.text, [(removal.text, removal.reason) for removal in cleaned.removals]


@pytest.mark.parametrize(
    "block",
    [
        "<think>Short.</think>",
        "<thinking>Short.</thinking>",
        '<reasoning effort="low">Short.</reasoning>',
        "[THINK]Short.[/THINK]",
        "◁think▷Short.◁/think▷",
        "<|begin_of_thought|>Short.<|end_of_thought|>",
        "<think>One <think>in another.</think> Short.</think>",
        "<think>Opened twice.\n<think>\nClosed once.</think>",
        "<think>One.</think>\n<think>Two.</think>",
        "\n  <think>After blanks.</think>",
        "<think>",
    ],
)
def test_a_reasoning_block_at_the_beginning_goes_in_any_spelling(block: str) -> None:
    if block == "<think>":
        with pytest.raises(NoContent, match=r"^the reply holds only reasoning$"):
            clean(f"{block}\n{BREAD}", Text())
    else:
        text, gone = account(f"{block}\n{BREAD}")
        assert text == BREAD
        assert {reason for _, reason in gone} == {"reasoning block"}


def test_reasoning_whose_opening_tag_was_lost_goes_up_to_the_closing_one() -> None:
    reply = f"Two lines, so it fits.</think>\n{BREAD}"
    gone = [("Two lines, so it fits.</think>\n", "reasoning before a closing tag")]
    assert account(reply) == (BREAD, gone)


def test_a_whole_block_does_not_hide_a_lone_closing_tag_after_it() -> None:
    reply = f"Hm.\n<think>One.</think>\nTwo.</think>\n{BREAD}"
    gone = [("Hm.\n<think>One.</think>\nTwo.</think>\n", "reasoning before a closing tag")]
    assert account(reply) == (BREAD, gone)


def test_a_block_on_lines_of_its_own_goes_from_the_middle() -> None:
    reply = f"{BREAD}\n<think>\nAnd now?\n</think>\nButter melts."
    text, gone = account(reply)
    assert text.split() == ["Bread", "is", "warm.", "Butter", "melts."]
    assert gone == [("<think>\nAnd now?\n</think>", "reasoning block")]


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param("Close it with </think> as bakers do.", id="closing tag in a sentence"),
        pytest.param(f"Write `</think>` last.\n{BREAD}", id="closing tag in code"),
        pytest.param(f"```\n</think>\n```\n{BREAD}", id="closing tag in a fence"),
        pytest.param(f"{BREAD}\n```\n<think>So?</think>\n```\nButter.", id="block in a fence"),
        pytest.param(f"{BREAD} <think>So?</think>\nButter.", id="block after words"),
        pytest.param(f"{BREAD}\n<think>So?</think> Butter.", id="block before words"),
        pytest.param("Say <think>so</think> here.\nhm</think>\nBread", id="tags in sentences"),
    ],
)
def test_a_tag_in_a_sentence_or_in_code_is_content(reply: str) -> None:
    assert account(reply) == (reply, [])


def test_a_tag_that_stands_in_the_draft_is_content() -> None:
    reply = f"<think>Short.</think>\n{BREAD}"
    assert account(reply, draft=reply) == (reply, [])


@pytest.mark.parametrize(
    ("reply", "text", "gone"),
    [
        pytest.param(
            f"analysisThe user wants bread.assistantfinal{BREAD}",
            BREAD,
            [("analysisThe user wants bread.assistantfinal", "channel tokens")],
            id="channels without their signs",
        ),
        pytest.param(
            f"<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>{BREAD}<|return|>",
            BREAD,
            [
                (
                    "<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>",
                    "channel tokens",
                ),
                ("<|return|>", "template tokens and what follows them"),
            ],
            id="the last channel",
        ),
        pytest.param(
            f"<|im_start|>assistant\n{BREAD}<|im_end|>\n<|im_start|>user\nMore",
            BREAD,
            [
                ("<|im_start|>assistant\n", "channel tokens"),
                (
                    "<|im_end|>\n<|im_start|>user\nMore",
                    "template tokens and what follows them",
                ),
            ],
            id="a turn and the next one",
        ),
    ],
)
def test_the_tokens_of_a_chat_template_go(
    reply: str, text: str, gone: list[tuple[str, str]]
) -> None:
    assert account(reply) == (text, gone)


def test_a_token_in_code_or_in_the_draft_is_content() -> None:
    code = "Write `<|im_end|>` at the end of the recipe."
    assert account(code) == (code, [])
    recipe = "Sift <s>flour</s> and salt."
    assert account(recipe, draft=recipe) == (recipe, [])


@pytest.mark.parametrize(
    ("reply", "gone"),
    [
        (
            f"Here it is.\n<answer>\n{BREAD}\n</answer>\nEnjoy.",
            [
                ("Here it is.\n<answer>\n", "wrapper tag and what comes before it"),
                ("\n</answer>\nEnjoy.", "wrapper tag and what follows it"),
            ],
        ),
        (
            f"<corrected_text>{BREAD}",
            [("<corrected_text>", "wrapper tag and what comes before it")],
        ),
        (
            f"<answer>Old.</answer>\n<ANSWER>{BREAD}</answer>",
            [
                ("<answer>Old.</answer>\n<ANSWER>", "wrapper tag and what comes before it"),
                ("</answer>", "wrapper tag and what follows it"),
            ],
        ),
    ],
)
def test_only_what_stands_in_the_last_tag_that_calls_it_the_answer_is_kept(
    reply: str, gone: list[tuple[str, str]]
) -> None:
    assert account(reply) == (BREAD, gone)


def test_an_empty_wrapper_tag_and_one_of_the_draft_stay() -> None:
    assert account("<answer></answer>") == ("<answer></answer>", [])
    quiz = "<answer>Bread</answer>"
    assert account(quiz, draft=quiz) == (quiz, [])


def test_reasoning_that_was_never_closed_hides_no_whole_answer_in_sections() -> None:
    cleaned = clean("<think>Two lines fit.\n[COVER]\nBread\n[CAPTION]\nButter", LOAF)
    assert cleaned.text == "[COVER]\nBread\n[CAPTION]\nButter"
    assert cleaned.removals[0].text == "<think>Two lines fit.\n"


def test_reasoning_that_was_never_closed_makes_no_answer_of_one_section() -> None:
    with pytest.raises(NoContent, match=r"^the reply has no section with content$") as caught:
        clean("<think>Two lines fit.\n[COVER]\nBread", LOAF)
    assert caught.value.evidence == ("[COVER]",)


def test_a_block_inside_a_section_goes() -> None:
    cleaned = clean("[COVER]\nBread\n<think>\nShort?\n</think>\n[CAPTION]\nButter", LOAF)
    assert [section.body for section in cleaned.sections] == ["Bread", "Butter"]
    assert [removal.reason for removal in cleaned.removals] == ["reasoning block"]
