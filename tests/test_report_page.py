"""The page of a report: what it says, what it draws, and that nothing in a log can do anything there."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from html.parser import HTMLParser
from typing import Any

import matplotlib as mpl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sabir
from sabir.logs.entries import Entry, Repeat, Unread, Usage
from sabir.report import SCALES, Price, Report, Scale, curves, page, plots, summary, words
from sabir.report.prices import defaults
from sabir.report.sheet import Sheet, settings, spread

HOSTILE = (
    "<script>document.title='owned'</script>",
    "</style><h1>owned</h1>",
    "</svg></figure><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)',
    "' autofocus onfocus='alert(1)",
    "\u202egnirts desrever\u2066",
    "W" * 5_000,
    "$\\frac{1}$ {{ 7 * 7 }} {% raw %} @0@",
    "עוזר",
    "n" + "\u0301" * 400,
    "http://evil.example/x.png",
    "javascript:alert(1)",
    "\x00\x1b[31m\ud800",
    "]]><!--",
)
"""Texts that want to be more than text."""

TAGS = {
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "header",
    "main",
    "footer",
    "section",
    "fieldset",
    "legend",
    "input",
    "label",
    "div",
    "figure",
    "figcaption",
    "svg",
    "g",
    "path",
    "use",
    "defs",
    "pattern",
    "clippath",
    "rect",
    "text",
    "h1",
    "h2",
    "h3",
    "p",
    "dl",
    "dt",
    "dd",
    "b",
    "span",
    "ul",
    "li",
    "table",
    "caption",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "bdi",
    "code",
}
ATTRIBUTES = {
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "class",
    "id",
    "for",
    "type",
    "checked",
    "tabindex",
    "role",
    "aria-label",
    "scope",
    "viewbox",
    "style",
    "d",
    "clip-path",
    "x",
    "y",
    "width",
    "height",
    "href",
    "patternunits",
    "transform",
}
"""All that a page is made of."""


@cache
def ordinary() -> dict[str, Any]:
    """A hundred calls as verbose JSON, which every format but few makes shorter, by two tokenizers and with a year ahead."""
    report = Report(["gpt-4o", "qwen3"])
    for number in range(100):
        text = sabir.translate(f"cancel(flight{number % 7})", "silp-ir").text
        report.add(Entry(text, "s1", "log", number, "desk", f"agent{number % 3}"))
    return summary(report, prices=defaults(), scale=SCALES["scale-up"], readers=2)


@cache
def losing() -> dict[str, Any]:
    """A tape, which every other format makes longer; a call that a tape cannot hold."""
    report = Report(["gpt-4o"])
    report.add(Entry("s4x9", "", "log", 1))
    report.add(Entry("cancel(flight)", "", "log", 2))
    return summary(report, prices=defaults(), scale=Scale(1, 1))


@cache
def hostile() -> dict[str, Any]:
    """Hostile texts at every place where a text of a log can stand."""
    report = Report(["gpt-4o"])
    for place, text in enumerate(HOSTILE):
        report.add(Entry("s4x9", text, text, place, text, HOSTILE[place - 1]))
        report.add(Unread(text, text, place, text))
        report.add(Repeat(text, text, text, place))
        report.formats[text] += 1
        report.repairs[text] += 1
    said = summary(report, prices={"gpt-4o": Price("gpt-4o", HOSTILE[0], 1, 2, HOSTILE[1])})
    said["tokenizers"] = [
        {**said["tokenizers"][0], "name": text, "vocabulary": text, "note": text} for text in HOSTILE[:3]
    ]
    return said


@cache
def shown(make: Callable[[], dict[str, Any]]) -> str:
    """Page of one of these."""
    return page.page(make())


class Tags(HTMLParser):
    """What a browser would see of a page: elements with their attributes, and the visible text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element."""
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Keep what is seen."""
        if self.found and self.found[-1][0] != "style":
            self.text += data


def visible(said: dict[str, Any]) -> str:
    """Text of a page, each run of blanks one blank."""
    return text_of(page.page(said))


def text_of(html: str) -> str:
    """The same of what is written already."""
    return " ".join(Tags(html).text.split())


def rows(html: str) -> list[list[str]]:
    """Cells of all tables of a page, row by row."""
    found = re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    return [re.findall(r"<t[hd][^>]*>(?:<bdi>)?([^<]*)", row) for row in found]


def parsed(svg: str) -> ET.Element:
    """A drawing as a tree."""
    return ET.fromstring(svg)  # noqa: S314  # our own drawing


def bars(svg: str) -> list[tuple[str, float, float]]:
    """Bars of a drawing from top to bottom: how they are filled, and from where to where they go."""
    found = []
    for path in parsed(svg).iter("path"):
        style = path.get("style", "")
        fill = (
            "hatch"
            if "fill: url" in style
            else "full"
            if "fill: var(--save)" in style
            else "empty"
            if "fill: var(--paper)" in style
            else ""
        )
        places = [float(number) for number in re.findall(r"-?[0-9.]+", path.attrib["d"])]
        if fill and path.attrib["d"].endswith("z") and len(places) >= 8:
            found.append((fill, min(places[0::2]), max(places[0::2])))
    return found


# --- how figures are said --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (words.number(None), "–"),
        (words.number(1234567), "1,234,567"),
        (words.number(-1234.56, 1), "−1,234.6"),
        (words.number(-0.04, 1), "0.0"),
        (words.share(None), "–"),
        (words.share(0.1234), "+12.3\u202f%"),
        (words.share(-2.627), "−262.7\u202f%"),
        (words.share(-0.0001), "0.0\u202f%"),
        (words.percent(None), "–"),
        (words.percent(7), "+7\u202f%"),
        (words.percent(-1300), "−1,300\u202f%"),
        (words.percent(0), "0\u202f%"),
        (words.part(0), "0\u202f%"),
        (words.part(0.001), "<1\u202f%"),
        (words.part(0.999), ">99\u202f%"),
        (words.part(1), "100\u202f%"),
        (words.part(0.5), "50\u202f%"),
        (words.money(None), "–"),
        (words.money(0), "$0.00"),
        (words.money(-141.864), "−$141.86"),
        (words.money(133_405.67), "$133,406"),
        (words.money(0.067775), "$0.0678"),
        (words.money(0.0012341), "$0.001234"),
        (words.money(1e-9), "under $0.000001"),
        (words.plural(1, "text"), "1 text"),
        (words.plural(1000, "text"), "1,000 texts"),
        (words.plural(2, "entry", "entries"), "2 entries"),
    ],
)
def test_figures_are_said_with_sign_and_unit(said: str, wanted: str) -> None:
    """Separators, a real minus, a plus on what is saved, no minus on nothing, and no part that is there said to be none."""
    assert said == wanted


@pytest.mark.parametrize(
    ("text", "most", "wanted"),
    [
        ("agent", 5, "agent"),
        ("agents", 5, "agen…"),
        ("a\u202eb", 20, "a\\u202eb"),
        ("a\x00", 20, "a\\u0000"),
        ("\ud800", 20, "\\ud800"),
        ("手配係", 6, "手配係"),
        ("手配係", 5, "手配…"),
        ("手配係", 4, "手…"),
        ("ก" + "\u0e49" * 5, 20, "ก" + "\u0e49" * 4 + "\\u0e49"),
        ("", 5, ""),
    ],
)
def test_a_text_from_a_log_is_shortened_to_columns(text: str, most: int, wanted: str) -> None:
    """Signs that are not seen come as escapes, wide ones take two columns, marks pile up no higher than writing has it."""
    assert words.shorten(text, most) == wanted


@given(st.text(), st.integers(2, 40))
def test_no_text_outgrows_its_place(text: str, most: int) -> None:
    """Whatever stands in a log, so many columns are enough, and it can be encoded."""
    said = words.shorten(text, most)
    said.encode()
    assert len(said) <= most
    assert said == words.shorten(said, most)


# --- the result ------------------------------------------------------------------------------------------


def test_the_first_sentences_say_the_result() -> None:
    """What is held, the cheapest format that keeps all, how much, and when its primer is earned, by the figures of the summary."""
    said = ordinary()
    best = min(
        (form for form in said["tokenizers"][0]["forms"] if form["lossless"] and not form["refused"]),
        key=lambda form: form["tokens"]["total"],
    )
    assert best["saved"] > 0
    sentences = words.result(said)
    assert sentences[:3] == [
        "100 texts hold 100 messages.",
        f"The cheapest format that keeps them all is {best['form']}: {100 * best['saved']:.1f}\u202f% fewer tokens than now (gpt-4o).",
        f"Its primer of {best['primer']} tokens is earned after {best['break_even']} messages.",
    ]
    assert sentences[0] + " " + sentences[1] in Tags(shown(ordinary)).text


def test_that_nothing_is_saved_is_said_as_plainly() -> None:
    """With the format that comes nearest, and by how much it loses."""
    said = losing()
    forms = {form["form"]: form for form in said["tokenizers"][0]["forms"]}
    best = words.cheapest(said["tokenizers"][0])
    assert best is not None
    assert best["saved"] < 0
    assert best["tokens"]["total"] == min(
        form["tokens"]["total"] for form in forms.values() if form["lossless"] and not form["refused"]
    )
    assert words.result(said) == [
        "2 texts hold 2 messages.",
        f"Nothing is saved: {best['form']}, the cheapest format that keeps them all, takes {-100 * best['saved']:.1f}\u202f% more tokens than now (gpt-4o).",
    ]
    assert "never" in text_of(shown(losing))


def _changed(said: dict[str, Any], form: str, **fields: Any) -> dict[str, Any]:
    """The summary with other figures of one form of the first tokenizer."""
    found = deepcopy(said)
    for item in found["tokenizers"][0]["forms"]:
        if item["form"] == form:
            item.update(fields)
    return found


def test_other_results() -> None:
    """The same number of tokens, a format that saves where it can be used, no format that keeps all, no text, no message, no tokenizer."""
    report = Report(["gpt-4o"])
    report.add_text("s4x9")
    same = summary(report, prices={})
    assert words.result(same)[:2] == [
        "1 text holds 1 message.",
        "Nothing is saved: ait, the cheapest format that keeps them all, takes as many tokens as now (gpt-4o).",
    ]
    partly = _changed(losing(), "ait", saved=0.5)
    assert words.result(partly)[-1] == "ait holds 1 of them only, and saves 50.0\u202f% there."
    none = deepcopy(losing())
    for form in none["tokenizers"][0]["forms"]:
        form["refused"] = 1
    assert words.result(none)[:2] == ["2 texts hold 2 messages.", "No format keeps them all."]
    assert "No format keeps them all." in visible(none)
    assert words.result(summary(Report([]), prices={})) == ["The log holds no text."]
    prose = Report(["gpt-4o"])
    prose.add_text("only prose")
    assert words.result(summary(prose, prices={})) == [
        "1 text holds no message of a format that is known here, so there is nothing to save."
    ]
    uncounted = Report([])
    uncounted.add_text("s4x9")
    assert words.result(summary(uncounted, prices={})) == [
        "1 text holds 1 message.",
        "No tokenizer is installed, so tokens are not counted.",
    ]


def test_formats_that_keep_all_come_first() -> None:
    """The cheapest first; then those that refuse some, then the baseline."""
    names = [form["form"] for form in words.ordered(losing()["tokenizers"][0]["forms"])]
    assert names[-2:] == ["ait", "minified JSON"]
    totals = [form["tokens"]["total"] for form in words.ordered(losing()["tokenizers"][0]["forms"])[:-2]]
    assert totals == sorted(totals)


def test_shares_of_messages_that_lose_stay_and_save() -> None:
    """By the classes of their savings; of no message there are none."""
    assert words.shares({"saved_classes": [(-50, 1), (-1, 1), (0, 1), (30, 1)]}) == (0.5, 0.25, 0.25)
    assert words.shares({"saved_classes": []}) == (0, 0, 0)


# --- drawings --------------------------------------------------------------------------------------------


@given(st.lists(st.floats(0, 100), max_size=8), st.floats(1, 10))
def test_labels_keep_apart(places: list[float], gap: float) -> None:
    """At least a line between two, in the same order, between the bounds; and what has room stays where it is."""
    found = spread(places, gap, 0, 100)
    order = sorted(range(len(places)), key=lambda index: places[index])
    for above, below in itertools.pairwise(order):
        assert found[below] - found[above] >= gap - 1e-6
    assert all(-1e-6 <= place <= 100 + 1e-6 for place in found)
    if all(places[below] - places[above] >= gap for above, below in itertools.pairwise(order)):
        assert found == pytest.approx(places)


def test_labels_in_the_way_part_evenly() -> None:
    """Two at one place go up and down by half a line; at the bounds they give way to one side."""
    assert spread([50, 50], 10, 0, 100) == [45, 55]
    assert spread([0, 0], 10, 0, 100) == [0, 10]
    assert spread([100, 99], 10, 0, 100) == [100, 90]


def test_a_drawing_belongs_to_its_page() -> None:
    """It has no colours, fonts, names or addresses of its own; ids are there for what points to them and differ between drawings."""
    item = losing()["tokenizers"][0]
    with settings():
        one, other = plots.tokens(item, "a"), plots.tokens(item, "b")
        assert plots.tokens(item, "a") == one
    for foreign in ("http", "#0000", "font-family", "<style", "metadata", "DejaVu", "<script"):
        assert foreign not in one
    ids = set(re.findall(r'id="([^"]+)"', one))
    assert ids == set(re.findall(r"url\(#([^)]+)\)", one)) | set(re.findall(r'href="#([^"]+)"', one))
    assert ids
    assert not ids & set(re.findall(r'id="([^"]+)"', other))


def test_the_users_own_settings_change_no_drawing() -> None:
    """Nor are they changed."""
    item = losing()["tokenizers"][0]
    with settings():
        wanted = plots.tokens(item, "a")
    with mpl.rc_context({"hatch.linewidth": 9, "svg.fonttype": "path", "lines.linewidth": 9, "savefig.dpi": 7}):
        before = dict(mpl.rcParams)
        with settings():
            assert plots.tokens(item, "a") == wanted
        assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("text", HOSTILE)
def test_a_label_is_a_text(text: str) -> None:
    """No markup, no formula, no place of another label; what cannot be seen is written out."""
    with settings():
        sheet = Sheet(50, "k")
        sheet.text(1, 20, text)
        sheet.text(1, 40, "@0@")
        svg = sheet.svg(text)
    root = parsed(svg)
    assert [element.text for element in root.iter("text")] == [words.shorten(text, 60), "@0@"]
    assert root.attrib["aria-label"] == words.shorten(text, 4_000)
    assert {element.tag for element in root.iter()} <= {"svg", "g", "path", "text", "defs"}


def test_losses_go_left_of_zero_and_are_hatched() -> None:
    """By hand: 10 tokens now; 5 in one format, 20 in another, 10 in a third. Bars on the right are as long as what they say."""
    forms = [form for form in deepcopy(losing())["tokenizers"][0]["forms"] if form["form"] in {"slip", "eap", "lingua"}]
    for form, total in zip(forms, (5, 20, 10), strict=True):
        form.update(held=1, refused=0, tokens={"total": total}, tokens_now=10, saved=(10 - total) / 10)
    with settings():
        svg = plots.tokens({"now": {"total": 10}, "forms": forms}, "k")
    found = bars(svg)
    left = [bar for bar in found if bar[1] < 100]
    right = [bar for bar in found if bar[1] > 100]
    # In order: as they are, 5, 10, 20 tokens; 20 fill the half.
    assert [(fill, round(high - low)) for fill, low, high in left] == [
        ("empty", 78),
        ("full", 39),
        ("empty", 78),
        ("hatch", 156),
    ]
    (full, zero, end), (empty, *_), (hatch, start, back) = right
    assert (full, empty, hatch) == ("full", "empty", "hatch")
    assert zero == pytest.approx(back, abs=0.1)
    assert (end - zero) * 2 == pytest.approx(back - start, abs=0.1)
    assert all(text in svg for text in ("+50.0\u202f%", "0.0\u202f%", "−100.0\u202f%"))


def test_messages_stand_in_classes_of_half_a_doubling() -> None:
    """By hand: the same; 1.4 times and 1.5 times; twice; a little less, half, and nearly nothing."""
    assert plots._bins([(0, 3)]) == {0: 3}
    assert plots._bins([(-40, 1), (-1, 1), (-50, 1), (-100, 1)]) == {-1: 2, -2: 1, -3: 1}
    assert plots._bins([(1, 1), (29, 1), (30, 1), (50, 1)]) == {1: 2, 2: 1, 3: 1}
    assert plots._bins([(100, 1)]) == {17: 1}


def test_the_distribution_has_losses_left_of_the_same() -> None:
    """Hatched bars end where the empty one begins, full ones begin where it ends; their heights are the messages."""
    form = {**losing()["tokenizers"][0]["forms"][0], "saved_classes": [(-100, 2), (0, 4), (50, 1)]}
    with settings():
        svg = plots.distribution({"forms": [form]}, "k")
    assert [fill for fill, *_ in bars(svg)] == ["hatch", "empty", "full"]
    hatch, empty, full = bars(svg)
    assert hatch[2] <= empty[1] < empty[2] <= full[1]
    assert "29\u202f% lose · 57\u202f% same · 14\u202f% save" in svg
    assert [name for name in ("4×", "2×", "same", "1/2", "1/4") if f">{name}<" in svg] == ["2×", "same", "1/2"]


def test_wide_distributions_have_room_for_their_scale() -> None:
    """A message that takes a million times the tokens leaves at most a dozen labels below."""
    form = {**losing()["tokenizers"][0]["forms"][0], "saved_classes": [(-100_000_000, 1), (99, 1)]}
    with settings():
        svg = plots.distribution({"forms": [form]}, "k")
    assert len(re.findall(r">(?:[0-9]+×|1/[0-9]+|same)<", svg)) <= 12


def test_a_curve_crosses_zero_at_break_even() -> None:
    """By hand: 20 tokens now, 10 saved, a primer of 1,000: earned after 100 messages, in the middle of four powers of ten."""
    form = {"form": "slip", "lossless": True, "held": 2, "refused": 0, "primer": 1000, "break_even": 100}
    form |= {"saved": 0.5, "tokens": {"total": 20}, "tokens_now": 40}
    with settings():
        svg = curves.earning({"forms": [form]}, "k")
    root = parsed(svg)
    [ring] = root.iter("use")
    x, y = float(ring.attrib["x"]), float(ring.attrib["y"])
    curve = next(
        path
        for path in root.iter("path")
        if "stroke: var(--save)" in path.get("style", "")
        and "fill: none" in path.get("style", "")
        and "clip-path" in path.attrib
    )
    places = [float(number) for number in re.findall(r"-?[0-9.]+", curve.attrib["d"])]
    (before, high), (after, low) = next(
        (one, other)
        for one, other in itertools.pairwise(zip(places[0::2], places[1::2], strict=True))
        if one[1] >= y >= other[1]
    )
    assert before + (after - before) * (high - y) / (high - low) == pytest.approx(x, abs=0.5)
    assert "slip: 100" in svg
    texts = {element.text: float(element.attrib["x"]) for element in root.iter("text")}
    assert texts["100"] == pytest.approx(x, abs=0.1)


def test_a_long_way_to_break_even_has_fewer_labels() -> None:
    """By hand: a million messages need seven powers of ten, of which every other is labelled."""
    form = {"form": "slip", "lossless": True, "held": 1, "refused": 0, "primer": 1_000_000, "break_even": 1_000_000}
    form |= {"saved": 0.1, "tokens": {"total": 9}, "tokens_now": 10}
    with settings():
        svg = curves.earning({"forms": [form]}, "k")
    texts = [element.text for element in parsed(svg).iter("text")]
    assert [text for text in texts if re.fullmatch(r"[0-9,]+M?", text or "")] == ["1", "100", "10,000", "1M"]


def test_what_never_pays_is_drawn_and_said() -> None:
    """A curve that stays below zero is labelled so; what lies below the frame is counted there and named beside it."""
    forms = losing()["tokenizers"][0]["forms"]
    with settings():
        svg = curves.earning({"forms": forms}, "k")
    below = [form["form"] for form in words.ordered(forms) if form["primer"] and form["saved"] <= -1]
    above = [form["form"] for form in forms if form["primer"] and form["saved"] > -1]
    assert below
    assert f"{words.plural(len(below), 'format')} below −100\u202f%" in svg
    assert all(f">{name}: never<" in svg for name in above)
    assert f"more than twice the tokens even without a primer: {', '.join(below)}." in text_of(shown(losing))


@pytest.mark.parametrize(
    ("power", "wanted"), [(0, "1"), (3, "1,000"), (5, "100,000"), (6, "1M"), (8, "100M"), (9, "1G"), (13, "10T")]
)
def test_powers_of_ten_are_short(power: int, wanted: str) -> None:
    """As on an axis."""
    assert curves._power(power) == wanted


# --- the page --------------------------------------------------------------------------------------------


def test_all_figures_are_in_tables() -> None:
    """Each form's tokens, savings, money and break-even, as in the summary."""
    said = ordinary()
    found = rows(shown(ordinary))
    for item in said["tokenizers"]:
        for form in item["forms"]:
            name = form["form"] + ("" if form["lossless"] else " (baseline)")
            spread_of = form["tokens"]
            assert [
                name,
                words.number(form["held"]),
                words.number(spread_of["total"]),
                words.share(form["saved"]),
                words.number(spread_of["mean"], 1),
                words.number(spread_of["median"]),
                words.number(spread_of["p95"]),
            ] in found
            each = (form["tokens_now"] - spread_of["total"]) / form["held"] if form["held"] else None
            assert [
                name,
                words.money(form["cost"]),
                words.number(form["primer"]),
                words.number(each, 1),
                words.even(form),
            ] in found
            if form["year"] and item["price"]:
                year = form["year"]
                saved = ("+" if year["saved"] > 0 else "") + words.money(year["saved"])
                assert [name, words.money(year["now"]), words.money(year["cost"]), saved] in found
            elif form["year"]:
                year = form["year"]
                then = year["tokens"] + year["primer_tokens"]
                saved = words.number(year["now_tokens"] - then) + " tokens"
                assert [
                    name,
                    words.number(year["now_tokens"]),
                    words.number(then),
                    ("" if saved[0] in "−0" else "+") + saved,
                ] in found
    for pair in said["pairs"]:
        part = words.share((pair["tokens"] - pair["best"]) / pair["tokens"])
        assert [
            pair["sender"],
            pair["receiver"],
            str(pair["messages"]),
            words.number(pair["tokens"]),
            words.number(pair["best"]),
            part,
        ] in found


def test_a_page_names_what_it_was_made_with() -> None:
    """Tokenizers with vocabulary and hash, prices with their dates, scale, readers, notes and definitions."""
    said = ordinary()
    text = text_of(shown(ordinary))
    for item in said["tokenizers"]:
        assert f"Vocabulary {item['vocabulary']}, sha256 {item['sha256']}" in text
    assert f"Note: {said['tokenizers'][1]['note']}" in text
    assert "Price of gpt-4o: $2.50 a million tokens read, $10.00 written (list price of 2026-06)" in text
    assert "No price is known; give one with --price" in text
    assert "365 days of 5,000 messages a day" in text
    assert "read by 2 agents" in text
    for term in ("As they are, now", "Saved", "Cost", "Primer", "Break-even", "Agent pair", "A year"):
        assert f"{term}" in text
    assert f"sabir {sabir.__version__}" in text
    report = Report(["gpt-4o"])
    report.add_text("s4x9")
    assert "$0.075 a million tokens read, $0.30 written (your price)" in visible(
        summary(report, prices={"gpt-4o": Price("gpt-4o", "m", 0.075, 0.3, "yours")})
    )


def test_what_was_not_counted_is_named() -> None:
    """Repeats by kind with what they are, unread pieces with reason and place, usage that the log states."""
    report = Report(["gpt-4o"])
    report.add(Repeat("resent history", "abc", "log", 3))
    report.add(Repeat("resent history", "de", "log", 4))
    for line in range(8):
        report.add(Unread("no JSON", "log.jsonl", line, "{oops"))
    report.add(Entry("s4x9", "s1", "log", 1, usage=Usage(12_345, 67)))
    said = summary(report, prices={})
    text = visible(said)
    assert ["resent history", "a request repeats the conversation so far", "2", "5"] in rows(page.page(said))
    assert "8 × no JSON log.jsonl:0 {oops log.jsonl:1 {oops" in text
    assert "and others like these" in text
    assert "12,345 tokens read and 67 written" in text
    assert "of 1 session" in text
    clean = text_of(shown(losing))
    assert "Everything in the log could be read." in clean
    assert "No text stands in the log a second time." in clean
    assert "and others like these" not in clean
    assert "18 characters" in clean  # of both texts together


def test_bounds_are_said() -> None:
    """Sessions that are only a lower bound, pairs that are counted together, sides that have no name, pairs that are not all."""
    said = deepcopy(losing())
    said["sessions"] = 1_000_000
    said["pairs"] = [
        {"sender": "(others)", "receiver": "(others)", "messages": 1, "tokens": 10, "best": 5},
        {"sender": "-", "receiver": "-", "messages": 1, "tokens": 10, "best": 10},
        {"sender": "-", "receiver": "desk", "messages": 1, "tokens": 20, "best": 10},
    ]
    said["messages"] = 5
    text = visible(said)
    assert "of at least 1,000,000 sessions" in text
    assert "Pairs beyond the first 10,000 are counted together." in text
    for name in ("all further pairs", "neither is named", "? → desk", "(not named)"):
        assert name in text
    assert "These pairs, with 3 of the 5 messages, together: 40 tokens now, 25 at best (gpt-4o), saved +37.5 %." in text
    said["messages"] = 3
    assert "All together: 40 tokens now" in visible(said)


def test_formats_that_refuse_are_said_to() -> None:
    """Some messages, or all of them."""
    assert "ait can hold 1 of the 2 messages; it is compared on those alone." in text_of(shown(losing))
    report = Report(["gpt-4o"])
    report.add_text("cancel(flight)")
    assert "ait can hold none of the messages." in visible(summary(report, prices={}))


@pytest.mark.parametrize("tokenizers", [["gpt-4o"], []])
@pytest.mark.parametrize("texts", [[], ["only prose"], ["s4x9"]])
def test_there_is_always_a_page(tokenizers: list[str], texts: list[str]) -> None:
    """Of nothing, of prose, without a tokenizer; plots only where something was counted."""
    report = Report(tokenizers)
    for text in texts:
        report.add_text(text)
    found = Tags(page.page(summary(report, prices={}, scale=SCALES["startup"])))
    drawn = [attributes for tag, attributes in found.found if tag == "svg"]
    assert len(drawn) == (5 if tokenizers and texts == ["s4x9"] else 0)
    assert all(attributes["role"] == "img" and attributes["aria-label"] for attributes in drawn)


@pytest.mark.parametrize("said", [ordinary, losing, hostile], ids=["ordinary", "losing", "hostile"])
def test_a_page_loads_nothing_and_runs_nothing(said: Callable[[], dict[str, Any]]) -> None:
    """No script, no handler, no address but into itself; ids are unique and labels point to them; all is encoded."""
    text = shown(said)
    text.encode()
    found = Tags(text).found
    assert {tag for tag, _ in found} <= TAGS
    assert {name for _, attributes in found for name in attributes} <= ATTRIBUTES
    assert all((attributes.get("href") or "#").startswith("#") for _, attributes in found)
    css = re.findall(r"url\(([^)]*)\)", text)
    assert all(address.startswith("#") for address in css)
    assert "@import" not in text
    policy = next(attributes for tag, attributes in found if tag == "meta" and "http-equiv" in attributes)
    assert str(policy["content"]).startswith("default-src 'none'; style-src 'unsafe-inline'")
    ids = [attributes["id"] for _, attributes in found if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {attributes["for"] for tag, attributes in found if tag == "label"} <= set(ids)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_shown_as_texts(text: str) -> None:
    """Each stands on the page as what it is, shortened, its invisible signs written out."""
    seen = Tags(shown(hostile)).text
    assert words.shorten(text, 60) in seen
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00\x1b]", seen)


def test_a_page_is_the_same_every_time() -> None:
    """In another process, too, with other hashes."""
    code = "import json, sys; from sabir.report.page import page; sys.stdout.buffer.write(page(json.load(sys.stdin)).encode())"
    data = json.dumps(losing())
    wanted = page.page(json.loads(data))
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=data.encode(),
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert done.stdout.decode() == wanted


def test_without_the_page_the_report_loads_no_plots() -> None:
    """The libraries of the page are loaded by the page alone."""
    code = "import sys, sabir.report, sabir.cli.report; print([name for name in ('matplotlib', 'jinja2', 'numpy') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"
