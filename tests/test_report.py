"""The report: its figures, its plots, what it shows of a reply, and that nothing in it acts."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from importlib import resources
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli_runs import invoke
from tests.journal_rows import NOON, RUN, call
from tests.report_pages import (
    CHROMIUM,
    DRAFT,
    HOSTILE,
    LEAK,
    TEXT,
    Wanted,
    leaking,
    make_journal,
    opened,
    report_of,
    usual,
)

from onlytext.journal import Cleaning, Journal, Run, StoredDoubt, StoredItem, StoredRemoval
from onlytext.review._differences import differences
from onlytext.review._entry import shown
from onlytext.review._figures import quantile
from onlytext.review._interval import wilson
from onlytext.review._marked import kept_of, stretches_of
from onlytext.review._page import packed_json
from onlytext.review._plots import columns_of
from onlytext.review._words import languages, words_in

if TYPE_CHECKING:
    from pathlib import Path

in_chromium = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
# A browser that is open holds handles which Python names when it collects them.
quietly = pytest.mark.filterwarnings("ignore::ResourceWarning")
_DATA: Final = re.compile(r'<script type="application/json"[^>]*>(.*?)</script>', re.DOTALL)
_COLOUR: Final = re.compile(r"--([\w-]+): (#[0-9a-f]{6});")


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_journal(tmp_path_factory.mktemp("journal") / "run.sqlite", usual())


@pytest.fixture(scope="module")
def page(journal: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("page") / "report.html"
    report_of(journal, out)
    return out


# ---------------------------------------------------------------- figures


@pytest.mark.parametrize(
    ("hits", "seen", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (1, 10, 0.0179, 0.4042), (0, 0, 0.0, 1.0)],
)
def test_the_interval_is_that_of_the_published_tables(
    hits: int, seen: int, low: float, high: float
) -> None:
    assert wilson(hits, seen) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 500), st.integers(0, 500))
def test_the_interval_holds_the_rate_and_lies_in_0_to_1(hits: int, more: int) -> None:
    low, high = wilson(hits, hits + more)
    rate = hits / (hits + more) if hits + more else 0.5
    assert 0 <= low <= rate <= high <= 1


def test_more_hits_than_looks_are_refused() -> None:
    with pytest.raises(ValueError, match="3 hits in 2"):
        wilson(3, 2)


def test_the_figures_are_those_of_the_journal(journal: Path, tmp_path: Path) -> None:
    figures = report_of(journal, tmp_path / "report.html")

    assert figures.items == {"ok": 5, "kept_draft": 1, "failed": 1}
    assert figures.leaks == (3, 14)  # two that thought aloud, one without any text
    assert figures.reasons == {"outside of the text": 1, "label": 1}
    assert figures.patterns == {"en/here-is": 1}
    assert figures.refused == 1
    assert dict(figures.by_language()) == {"fr": (3, 10), "ar": (0, 2), "ja": (0, 2)}
    html = (tmp_path / "report.html").read_text("utf-8")
    assert "3 of 14 replies held more than the text; 95 % interval 7.6% to 47.6%" in html
    assert ">$0.014<" in html
    assert "1,400 in, 280 out" in html
    assert "1 min 30 s" in html


def test_a_run_without_a_reply_has_a_page(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    report_of(make_journal(tmp_path / "run.sqlite", []), out)

    assert "0 of 0" not in out.read_text("utf-8")


def test_an_item_that_is_not_done_is_named_by_its_brief_and_counts_in_no_rate(
    tmp_path: Path,
) -> None:
    run = replace(RUN, language=None, job_text="no = = toml", finished=NOON + 4_000)
    brief = {"lang": "nl", "topic": "brood"}
    with Journal.open(tmp_path / "run.sqlite") as journal:
        asyncio.run(store_open(journal, run, StoredItem(key="item-0", position=0, brief=brief)))
    figures = report_of(tmp_path / "run.sqlite", tmp_path / "r.html")

    assert figures.items == {"open": 1}
    assert figures.leaks == (0, 0)
    assert figures.item_languages == {"nl": 1}
    html = (tmp_path / "r.html").read_text("utf-8")
    assert '[1,"nl",3,[],[],"nl",0]' in html
    assert "1 h 6 min" in html


async def store_open(journal: Journal, run: Run, item: StoredItem) -> None:
    await journal.store_run(run)
    await journal.store_items(run.id, [item])
    await journal.store_reply(replace(call(0), language=None))


def test_neighbours_that_went_for_one_reason_are_one_stretch() -> None:
    made = cleaning(*(StoredRemoval(start=n, end=n + 1, reason="label") for n in (0, 1, 2)))
    assert [one.text for one in stretches_of("abcd", made)] == ["abc", "d"]


def test_a_quantile_is_one_of_the_values() -> None:
    assert quantile([], 0.5) == 0
    assert quantile([1.0, 2.0, 3.0, 9.0], 0.95) == 9


def test_every_reply_stands_in_a_column_even_where_none_took_any_time() -> None:
    assert len([one for one in columns_of([0.0, 0.0]).columns if one.height]) == 1


# ---------------------------------------------------------------- a reply in stretches


def cleaning(*removals: StoredRemoval, doubts: tuple[StoredDoubt, ...] = ()) -> Cleaning:
    return Cleaning(
        call="c", digest="d", at=0.0, outcome="cleaned", removals=removals, doubts=doubts
    )


@st.composite
def cleanings(draw: st.DrawFn) -> tuple[str, Cleaning]:
    reply = draw(st.text(max_size=60))
    places = st.tuples(st.integers(0, 70), st.integers(0, 70)).map(sorted)
    cuts, doubts = draw(st.lists(places, max_size=4)), draw(st.lists(places, max_size=4))
    return reply, cleaning(
        *(StoredRemoval(start=a, end=b, reason="r", leak=bool(a % 2)) for a, b in cuts),
        doubts=tuple(StoredDoubt(start=a, end=b, reason="d") for a, b in doubts),
    )


@given(cleanings())
def test_the_stretches_are_the_reply_from_its_start_to_its_end(given: tuple[str, Cleaning]) -> None:
    reply, made = given
    assert "".join(one.text for one in stretches_of(reply, made)) == reply


def test_a_reply_is_kept_dropped_and_doubted_in_its_place() -> None:
    made = cleaning(
        StoredRemoval(start=0, end=3, reason="label", pattern="en/label"),
        StoredRemoval(start=9, end=12, reason="end sentinel", leak=False),
        doubts=(StoredDoubt(start=5, end=7, reason="odd"),),
    )

    assert [tuple(one) for one in stretches_of("abcdefghijkl", made)] == [
        ("removed", "abc", "label", "en/label"),
        ("kept", "de", "", ""),
        ("doubted", "fg", "odd", ""),
        ("kept", "hi", "", ""),
        ("lawful", "jkl", "end sentinel", ""),
    ]
    assert kept_of("abcdefghijkl", made.removals) == "defghi"


def test_a_line_of_five_megabytes_is_shown_by_its_ends_and_the_number_of_what_is_left_out() -> None:
    stretches = stretches_of("x" * 5_000_000, None)

    assert [one.fate for one in stretches] == ["kept", "gap", "kept"]
    assert len(stretches[0].text) + int(stretches[1].text) + len(stretches[2].text) == 5_000_000
    assert sum(len(one.text) for one in stretches) < 10_000


def test_thousands_of_removals_end_in_a_gap() -> None:
    cuts = [StoredRemoval(start=2 * n, end=2 * n + 1, reason="r") for n in range(5_000)]
    stretches = stretches_of("ab" * 5_000, cleaning(*cuts))

    assert len(stretches) == 401
    assert stretches[-1].fate == "gap"
    assert int(stretches[-1].text) == 10_000 - 400


# ---------------------------------------------------------------- word by word


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_difference_holds_both_texts_whole(before: str, after: str) -> None:
    parts = differences(before, after) or []
    assert "".join(one.text for one in parts if one.side != "after") == before
    assert "".join(one.text for one in parts if one.side != "before") == after


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        (DRAFT, TEXT, [("before", "fresh ")]),
        ("a big red door", "a wide blue door", [("before", "big red"), ("after", "wide blue")]),
        ("今日は良い天気", "今日も天気", [("before", "は良い"), ("after", "も")]),
        ("l’été froid", "l’été chaud", [("before", "froid"), ("after", "chaud")]),
        ("same", "same", []),
    ],
)
def test_a_difference_is_in_words(before: str, after: str, changed: list[tuple[str, str]]) -> None:
    parts = differences(before, after) or []
    assert [tuple(one) for one in parts if one.side != "both"] == changed


def test_texts_that_are_too_long_for_it_are_not_compared() -> None:
    assert differences("a " * 20_000, "b") is None


# ---------------------------------------------------------------- hostile texts


@given(st.text())
def test_nothing_in_a_script_element_can_end_it_or_begin_a_comment(text: str) -> None:
    packed = packed_json([text + "</script><!--"])
    assert not set("<>&") & set(packed)
    assert json.loads(packed) == [text + "</script><!--"]


@given(st.text(st.characters(categories=("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "L"))))
def test_what_is_shown_holds_no_character_that_acts(text: str) -> None:
    left = shown(text).replace("\ue000", "").replace("\ue001", "")
    acting = left.translate(dict.fromkeys(map(ord, "\n\t\u200c\u200d")))
    assert acting.isprintable() or not any(sign in acting for sign in "\x1b\x00\u202e\u2066")
    left.encode()


def test_a_hostile_reply_stands_in_the_file_as_data_only(page: Path) -> None:
    html = page.read_text("utf-8")
    assert "window.hit" in html
    assert not re.search(
        r"<img|<b>|<a |\x1b|\x00|\u202e|\u2066", html.split("<script>")[0].split("</noscript>")[1]
    )
    assert html.count("<script") == len(_DATA.findall(html)) + 1
    assert "unsafe" not in html


# ---------------------------------------------------------------- the command


def test_the_command_writes_the_page_of_the_last_run(journal: Path, tmp_path: Path) -> None:
    ran = invoke(tmp_path, "report", str(journal), "-o", str(tmp_path / "r.html"))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("7 items of run run-1 in ")
    assert [one.name for one in tmp_path.iterdir()] == ["r.html"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--job", "shop", "--run", "run-1"), ""),
        (("--job", "bread"), "no such run of a job 'bread'; its jobs are 'shop'"),
        (("--run", "run-9"), "has no run 'run-9'; its last ones are run-1"),
        (("--language", "xx"), "write one of en"),
    ],
)
def test_a_run_that_is_not_there_is_told_with_those_that_are(
    journal: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    ran = invoke(tmp_path, "report", str(journal), "-o", str(tmp_path / "r.html"), *arguments)
    assert said in " ".join(ran.err.replace("│", "").split())
    assert ran.code == (2 if said else 0)


def test_a_journal_that_is_not_there_or_is_empty_is_told(tmp_path: Path) -> None:
    out = str(tmp_path / "r.html")
    assert "there is no journal" in invoke(tmp_path, "report", "no.sqlite", "-o", out).err
    with Journal.open(tmp_path / "empty.sqlite"):
        pass
    ran = invoke(tmp_path, "report", str(tmp_path / "empty.sqlite"), "-o", out)
    assert "holds no run yet" in ran.err
    assert ran.code == 2


def test_without_its_extra_the_command_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['jinja2'] = None; from onlytext.cli import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", code, "report", "run.sqlite", "-o", str(tmp_path / "r.html")],
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 2
    assert ran.stderr == "onlytext: a report needs Jinja: pip install 'onlytext[review]'\n"


def test_a_page_is_not_written_over_a_journal(journal: Path, tmp_path: Path) -> None:
    ran = invoke(tmp_path, "report", str(journal), "-o", str(journal))
    assert ran.code == 2
    assert journal.read_bytes().startswith(b"SQLite")


# ---------------------------------------------------------------- words and colours


def test_every_language_says_the_same_things() -> None:
    english = words_in("en")
    fields = {key: sorted(re.findall(r"\{\w+\}", text)) for key, text in english.items()}
    for language in languages():
        words = words_in(language)
        assert {key: sorted(re.findall(r"\{\w+\}", text)) for key, text in words.items()} == fields
        assert all(text.strip() for text in words.values())


def test_every_word_of_the_files_is_said_somewhere() -> None:
    folder = resources.files("onlytext.review")
    template = (folder / "templates" / "report.html").read_text("utf-8")
    script = (folder / "templates" / "page.js").read_text("utf-8")
    code = (folder / "_page.py").read_text("utf-8")
    for key in tomllib.loads((folder / "words" / "en.toml").read_text("utf-8")):
        stem = re.sub(r"^(js_)?(state|status|outcome)_\w+$", r"\2_", key).removeprefix("js_")
        assert stem in template + script + code or stem in {"generate", "validate"}, key


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_every_text_stands_out_from_its_ground(theme: int) -> None:
    css = (resources.files("onlytext.review") / "templates" / "page.css").read_text("utf-8")
    of_theme = css.split("@media (prefers-color-scheme: dark)")[theme].split("* {")[0]
    colours = dict(_COLOUR.findall(of_theme))
    marked = ["doubt", "new", *(f"s{number}" for number in range(7))]
    pairs = [(name, f"{name}-ground") for name in marked]
    plain = ["ink", "soft", "accent", "sign", "old", "ok", "warn", "bad", "calm"]
    pairs += [(name, ground) for name in plain for ground in ("card", "ground")]
    low = {pair: _contrast(colours[pair[0]], colours[pair[1]]) for pair in pairs}
    assert {pair: found for pair, found in low.items() if found < 4.5} == {}
    assert _contrast(colours["edge"], colours["card"]) >= 3  # the edges of what can be operated


# ---------------------------------------------------------------- in a browser


@in_chromium
@quietly
def test_the_page_filters_searches_and_links_without_a_request_or_an_error(page: Path) -> None:
    with opened(page) as seen:
        names = ["bread", "rolls", "cake", "<b>pie</b>", "خبز", "パン", "none"]
        assert seen.shown() == names
        for field, value, expected in (
            ("status", "1", ["<b>pie</b>"]),
            ("reason", "any", ["bread", "rolls", "none"]),
            ("reason", "=label", ["rolls"]),
            ("reason", "=", ["none"]),
            ("reason", "none", ["cake", "<b>pie</b>", "خبز", "パン"]),
            ("pattern", "en/here-is", ["rolls"]),
            ("language", "ja", ["パン"]),
        ):
            seen.page.select_option(f"select[name={field}]", value)
            assert seen.shown() == expected
            seen.page.click("button[type=reset]")
        seen.page.check("input[name=doubt]")
        assert seen.shown() == ["cake"]
        seen.page.click("button[type=reset]")
        seen.page.fill("input[name=search]", "I NEED to check")
        assert seen.shown() == ["bread", "rolls"]
        assert seen.page.inner_text("#count") == "2 of 7 items"
        seen.page.evaluate("location.hash = '#item-7'")
        assert seen.shown() == names
        assert (seen.page.locator("#item-7").bounding_box() or {"y": 9999})["y"] < 900
        assert seen.said == []
        assert seen.asked == [page.as_uri()]


@in_chromium
@quietly
def test_what_was_dropped_doubted_and_changed_is_marked_in_its_place(page: Path) -> None:
    with opened(page) as seen:
        first = seen.page.locator("#item-1")
        cut = first.locator("del.cut")
        assert cut.evaluate_all("all => all.map((one) => one.lastChild.data)") == [LEAK.strip()]
        assert "line-through" in cut.first.evaluate("(one) => getComputedStyle(one).textDecoration")
        assert first.locator(".label").inner_text() == "outside of the text"
        assert first.locator("del.old").all_inner_texts() == ["fresh "]
        doubt = seen.page.locator("#item-3 mark")
        assert doubt.evaluate("(one) => one.lastChild.data") == TEXT[24:36]
        assert seen.page.locator("#item-1 .record dd").first.inner_text() == "Bread"
        assert seen.page.locator("#item-7 .pass").first.inner_text().count("no text in it") == 1


@in_chromium
@quietly
def test_a_hostile_reply_is_shown_and_does_nothing(page: Path) -> None:
    with opened(page) as seen:
        item = seen.page.locator("#item-4")
        told = item.locator(".text").first.inner_text()
        assert "</script><script>window.hit = 1</script><img src=x" in told
        assert "␛[31m␀[U+202E]dlrow[U+2066] [U+D800]" in told
        assert item.locator("img, a[href^=javascript], script").count() == 0
        assert seen.page.evaluate("window.hit") is None
        assert seen.page.evaluate("document.title").endswith("what was dropped, and why")
        assert len(seen.asked) == 1


@in_chromium
@quietly
def test_a_page_of_many_items_holds_few_at_a_time_and_finds_each_by_its_link(
    tmp_path: Path,
) -> None:
    many = [leaking(f"n{number}") for number in range(250)]
    many.append(Wanted(name="long", reply="y" * 5_000_000, text=HOSTILE))
    out = tmp_path / "many.html"
    report_of(make_journal(tmp_path / "run.sqlite", many), out)
    assert out.stat().st_size < 1_000_000

    with opened(out, width=375, scheme="dark") as seen:
        assert 0 < len(seen.shown()) < 100
        seen.page.evaluate("location.hash = '#item-251'")
        assert seen.shown()[-1] == "long"
        assert "4,995,000 characters are not shown" in seen.page.inner_text("#item-251")
        long = seen.page.get_by_role("group", name="Reply").first
        long.focus()  # it scrolls by itself, so the keyboard must reach it
        assert long.evaluate("(one) => one === document.activeElement")
        widths = seen.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert widths[0] <= widths[1]
        assert len(seen.shown()) < 100
        assert seen.said == []


@in_chromium
@quietly
def test_the_page_can_be_used_by_keyboard_alone(page: Path) -> None:
    with opened(page) as seen:
        seen.page.keyboard.press("Tab")
        assert seen.page.evaluate("document.activeElement.className") == "skip"
        seen.page.keyboard.press("Enter")
        seen.page.keyboard.press("Tab")
        assert seen.page.evaluate("document.activeElement.name") == "search"
        seen.page.keyboard.type("cake")
        assert seen.shown() == ["cake"]
        unnamed = "all => all.filter((one) => one.labels?.length === 0 && !one.innerText).length"
        assert seen.page.locator("input, select, button").evaluate_all(unnamed) == 0
