"""The page of a report as Chromium shows it: offline, without errors, in every light, on a narrow screen, without colour.

Where there is no Chromium or no playwright the tests are skipped and say so, but on CI they fail.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import sabir
from sabir.logs.entries import Entry, Repeat, Unread
from sabir.report import SCALES, Report, summary
from sabir.report.page import page
from sabir.report.prices import defaults

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM: Final = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MISSING: Final = [
    *([] if CHROMIUM else ["chromium"]),
    *([] if importlib.util.find_spec("playwright") else ["playwright"]),
]
NARROW: Final = 360
"""Pixels of a small telephone."""
HOSTILE: Final = (
    "<script>document.title='owned'</script>",
    "</style></svg></title><script>document.title='owned'</script>",
    "<img src=http://evil.example/x.png onerror=document.title='owned'>",
    '" autofocus onfocus="document.title=1',
    "\u202egnirts desrever\u2066\u200b",
    "W" * 5_000,
    "ก" + "\u0e49" * 400,
    "ᄀ" * 300,
    "手配係" * 100,
    "עוזר קולי",
)


@cache
def ordinary() -> str:
    """Messages in several formats, some of which save and some lose, with a year ahead."""
    report = Report(["gpt-4o", "gpt-4"])
    for number in range(40):
        call = sabir.translate(f"cancel(flight{number % 7})", "silp-ir" if number % 3 else "slip").text
        report.add(Entry(call, f"s{number % 5}", "log", number, "desk", f"agent{number % 4}"))
        report.add(Entry("s4x9", f"s{number % 5}", "log", number, "guard", "desk"))
    report.add(Unread("no JSON", "log.jsonl", 7, "{oops"))
    report.add(Repeat("resent history", "abc", "log", 3))
    return page(summary(report, prices=defaults(), scale=SCALES["enterprise"]))


@cache
def hostile() -> str:
    """Hostile texts at every place where a text of a log can stand."""
    report = Report(["gpt-4o"])
    for place, text in enumerate(HOSTILE):
        report.add(Entry("s4x9", text, text, place, text, HOSTILE[place - 1]))
        report.add(Unread(text, text, place, text))
        report.add(Repeat(text, text, text, place))
        report.formats[text] += 1
        report.repairs[text] += 1
    said = summary(report, prices=defaults(), scale=SCALES["startup"])
    said["tokenizers"] = [
        {**said["tokenizers"][0], "name": text, "vocabulary": text, "note": text} for text in HOSTILE[::2]
    ]
    return page(said)


PAGES: Final = {"ordinary": ordinary, "hostile": hostile}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium without a screen; absent, a reason to skip, and on CI to fail."""
    if MISSING:
        reason = f"not installed: {', '.join(MISSING)}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield found
        found.close()


class Seen:
    """A page that was opened, with all that it complained about and asked for."""

    def __init__(self, view: Page) -> None:
        self.page = view
        self.errors: list[str] = []
        self.asked: list[str] = []
        view.on("console", lambda message: self.errors.append(message.text))
        view.on("pageerror", lambda error: self.errors.append(str(error)))
        view.on("dialog", lambda dialog: self.errors.append(dialog.message))
        view.on("request", lambda request: self.asked.append(request.url))

    def run(self, script: str) -> Any:
        """What a script that looks at the page finds."""
        return self.page.evaluate(script)


@pytest.fixture(params=PAGES)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A page as a file."""
    found = tmp_path / "report.html"
    found.write_text(PAGES[request.param](), "utf-8")
    return found


def opened(browser: Browser, file: Path, *, width: int = 1200, scheme: Any = "light") -> Seen:
    """The file in a browser that is offline."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True)
    context.route(re.compile("^(?!file:)"), lambda route: route.abort())
    seen = Seen(context.new_page())
    seen.page.goto(file.as_uri())
    return seen


# --- nothing but the page --------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [NARROW, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_asks_for_nothing_and_complains_of_nothing(
    browser: Browser, file: Path, width: int, scheme: str
) -> None:
    """One request, for itself; no error, no message, no dialog, no script; the title is its own."""
    seen = opened(browser, file, width=width, scheme=scheme)
    for name in seen.run("[...document.querySelectorAll('.tabs input')].map(input => input.id)"):
        seen.page.locator(f"label[for={name}]").click()
    assert seen.asked == [file.as_uri()]
    assert seen.errors == []
    assert seen.run("document.scripts.length") == 0
    assert seen.run("document.title").startswith("What the messages cost: ")
    assert seen.run("document.querySelectorAll('h1').length") == 1


@pytest.mark.parametrize("width", [320, NARROW, 700, 1200])
def test_no_page_is_wider_than_the_screen(browser: Browser, file: Path, width: int) -> None:
    """Nothing has to be scrolled sideways but a table in its own frame; nothing is cut at the page's edge."""
    seen = opened(browser, file, width=width)
    assert seen.run("document.documentElement.scrollWidth") <= width
    wide = seen.run(
        f"[...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll table, svg, .unread, .terms, header, label'))"
        f".filter(e => e.getBoundingClientRect().right > {width} + 0.5).map(e => e.outerHTML.slice(0, 80))"
    )
    assert wide == []


# --- plots -----------------------------------------------------------------------------------------------


def test_every_plot_is_seen_and_has_its_words_and_table(browser: Browser, file: Path) -> None:
    """By each tokenizer: as high as it is drawn, with bars or curves, named for those who cannot see it, and a table beside it."""
    seen = opened(browser, file)
    names = seen.run("[...document.querySelectorAll('.tabs input')].map(input => input.id)")
    for name in names:
        seen.page.locator(f"label[for={name}]").click()
        panels = seen.page.locator(".panel:visible")
        assert panels.count() == 1
        assert panels.locator("svg").count() == 4
    for plot in seen.page.locator("svg:visible").all():
        box = plot.bounding_box()
        assert box is not None
        assert box["width"] >= 300
        assert box["height"] >= 80
        assert plot.locator("path").count() > 3
        assert len(plot.get_attribute("aria-label") or "") > 20
        assert plot.locator("xpath=..").locator("figcaption table tbody tr").count() >= 1


@pytest.mark.parametrize("width", [NARROW, 1200])
def test_labels_can_be_read(browser: Browser, file: Path, width: int) -> None:
    """Letters of ten pixels at least, inside their drawing, and no two texts of one drawing over each other."""
    seen = opened(browser, file, width=width)
    sizes = seen.run(
        "[...document.querySelectorAll('svg')].filter(s => s.checkVisibility()).flatMap(s => [...s.querySelectorAll('text')]"
        ".map(t => parseFloat(getComputedStyle(t).fontSize) * s.getScreenCTM().a))"
    )
    assert sizes
    assert min(sizes) >= 10
    outside = seen.run(
        "[...document.querySelectorAll('svg')].filter(s => s.checkVisibility()).flatMap(s => { const b = s.getBoundingClientRect();"
        "return [...s.querySelectorAll('text')].filter(t => { const r = t.getBoundingClientRect();"
        "return r.left < b.left - 2 || r.right > b.right + 2 || r.top < b.top - 2 || r.bottom > b.bottom + 4 }).map(t => t.textContent) })"
    )
    assert outside == []
    over = seen.run(
        "[...document.querySelectorAll('svg')].filter(s => s.checkVisibility()).flatMap(s => { const all = [...s.querySelectorAll('text')]"
        ".map(t => [t.textContent, t.getBoundingClientRect()]); return all.flatMap(([a, r], i) => all.slice(i + 1)"
        ".filter(([, q]) => Math.min(r.right, q.right) - Math.max(r.left, q.left) > 1 && Math.min(r.bottom, q.bottom) - Math.max(r.top, q.top) > 5)"
        ".map(([b]) => a + ' / ' + b)) })"
    )
    assert over == []


# --- light, dark, without colour -------------------------------------------------------------------------


def grey(color: str) -> float:
    """Relative luminance of a colour as CSS computes it, which is all that is left of it without colour (WCAG 2)."""
    found = re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", color)
    assert found, color
    parts = [int(part) / 255 for part in found.groups()]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast of two colours, 1 to 21."""
    low, high = sorted((grey(one), grey(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_by_hand() -> None:
    """Black on white has the most there is; middle grey (#777) on white has 4.48."""
    assert contrast("rgb(0, 0, 0)", "rgb(255, 255, 255)") == pytest.approx(21)
    assert contrast("rgb(119, 119, 119)", "rgb(255, 255, 255)") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_texts_have_contrast_without_colour(browser: Browser, file: Path, scheme: str) -> None:
    """Each text, in drawings too, against what it stands on: 4.5 at least; bars and lines 3. Dark is dark."""
    seen = opened(browser, file, scheme=scheme)
    pairs = seen.run(
        "(() => { const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;"
        "if (c.startsWith('rgb(')) return c } }; const found = new Set(); for (const e of document.querySelectorAll('body *'))"
        "if ([...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) && e.checkVisibility()) { const s = getComputedStyle(e);"
        "found.add((e.ownerSVGElement ? s.fill : s.color) + '|' + behind(e)) } return [...found] })()"
    )
    assert len(pairs) >= 3
    for pair in pairs:
        assert contrast(*pair.split("|")) >= 4.5, pair
    paper = seen.run("getComputedStyle(document.body).backgroundColor")
    assert (grey(paper) < 0.1) == (scheme == "dark")
    strokes = seen.run(
        "[...new Set([...document.querySelectorAll('svg > g path')].filter(p => /--save|--loss|--muted|--ink/.test(p.getAttribute('style')))"
        ".map(p => getComputedStyle(p).stroke).filter(c => c !== 'none'))]"
    )
    assert len(strokes) >= 3
    for stroke in strokes:
        assert contrast(stroke, paper) >= 3, stroke


def test_savings_and_losses_differ_without_colour(browser: Browser, tmp_path: Path) -> None:
    """In greyscale a loss is stripes of light and dark, a saving all dark: pixels of one bar each tell so."""
    file = tmp_path / "report.html"
    file.write_text(ordinary(), "utf-8")
    seen = opened(browser, file)
    seen.page.add_style_tag(content="html { filter: grayscale(1) }")
    shades = {}
    for name, fill in (("loss", "url("), ("save", "--save")):
        bar = seen.run(
            f"(() => {{ const found = [...document.querySelectorAll('svg path')].filter(p => p.checkVisibility() && (p.getAttribute('style') || '').includes('fill: ' + ({fill!r} === 'url(' ? 'url(' : 'var(--save)')))"
            ".map(p => p.getBoundingClientRect()).filter(r => r.width > 30); const r = found[0];"
            "return [r.left + 4 + scrollX, r.top + 3 + scrollY, 24, r.height - 6] })()"
        )
        shades[name] = _shades(seen, *bar)
    assert max(shades["loss"]) - min(shades["loss"]) > 100
    assert max(shades["save"]) - min(shades["save"]) < 20


def _shades(seen: Seen, left: float, top: float, width: float, height: float) -> list[int]:
    """Grey levels of the pixels in a place of the page, read back through the browser's own decoder."""
    import base64

    picture = seen.page.screenshot(full_page=True, clip={"x": left, "y": top, "width": width, "height": height})
    other = seen.page.context.new_page()
    found: list[int] = other.evaluate(
        "async data => { const i = new Image(); i.src = 'data:image/png;base64,' + data; await i.decode();"
        "const c = document.createElement('canvas'); c.width = i.width; c.height = i.height; const g = c.getContext('2d');"
        "g.drawImage(i, 0, 0); return [...g.getImageData(0, 0, c.width, c.height).data].filter((_, n) => n % 4 === 0) }",
        base64.b64encode(picture).decode(),
    )
    return found


# --- without a mouse, on paper ---------------------------------------------------------------------------


def test_tokenizers_are_chosen_by_keyboard(browser: Browser, tmp_path: Path) -> None:
    """Tab and an arrow key show the next one."""
    file = tmp_path / "report.html"
    file.write_text(ordinary(), "utf-8")
    seen = opened(browser, file)
    seen.page.locator("#t0").focus()
    assert seen.page.locator(".panel:visible .with b").inner_text() == "gpt-4o"
    seen.page.keyboard.press("ArrowRight")
    assert seen.page.locator(".panel:visible .with b").inner_text() == "gpt-4"


def test_on_paper_all_tokenizers_are_shown_in_light(browser: Browser, tmp_path: Path) -> None:
    """Tabs cannot be clicked there, so all stand below each other; the page is light, whatever the screen was."""
    file = tmp_path / "report.html"
    file.write_text(ordinary(), "utf-8")
    seen = opened(browser, file, scheme="dark")
    seen.page.emulate_media(media="print")
    assert seen.page.locator(".panel:visible").count() == 2
    assert seen.page.locator(".tabs label:visible").count() == 0
    assert grey(seen.run("getComputedStyle(document.body).backgroundColor")) > 0.9


def test_on_paper_nothing_is_cut(browser: Browser, file: Path) -> None:
    """A sheet of A4 with margins of 15 mm has room for every table."""
    seen = opened(browser, file, width=680)
    seen.page.emulate_media(media="print")
    assert seen.run("document.documentElement.scrollWidth") <= 680
    wide = "[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth + 1).length"
    assert seen.run(wide) == 0
