"""A drawing that stands inside a page: matplotlib's SVG without what belongs to a file of its own.

matplotlib draws, since it has hatches and line styles as well as colours, and its SVG is static: nothing is loaded and
no script runs. Colours become CSS variables of the page, so one drawing serves light, dark and print. Texts are put
into the finished drawing: no text of a log meets matplotlib's markup or needs a font of its, and all are escaped.
"""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET  # what is parsed is our own drawing
from contextlib import AbstractContextManager
from typing import Final, Literal

import matplotlib.style
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from sabir.report.words import shorten

WIDTH: Final = 340
"""Units of every drawing: pixels on a narrow screen, so that texts keep their size there."""
SMALL: Final = 11
"""Size of texts, in the same units."""
MAX_LABEL: Final = 60
"""Characters of any label; the table beside the drawing has the rest."""
MAX_SPOKEN: Final = 4_000
"""Characters of what a drawing is called."""

INK: Final = "#000001"
MUTED: Final = "#000002"
GRID: Final = "#000003"
SAVE: Final = "#000004"
LOSS: Final = "#000005"
PAPER: Final = "#000006"
_VARIABLES: Final = {
    INK: "var(--ink)",
    MUTED: "var(--muted)",
    GRID: "var(--grid)",
    SAVE: "var(--save)",
    LOSS: "var(--loss)",
    PAPER: "var(--paper)",
}

Align = Literal["left", "center", "right"]
_ANCHORS: Final[dict[Align, str]] = {"left": "start", "center": "middle", "right": "end"}
_SETTINGS: Final = {
    "svg.fonttype": "none",
    "font.family": ["DejaVu Sans"],  # comes with matplotlib, so nothing is looked for; the page's own font replaces it
    "hatch.linewidth": 1.2,
    "text.parse_math": False,
}
_NAMESPACE: Final = re.compile(r"^\{[^}]*\}")
_place = re.compile(r"@([0-9]+)@").fullmatch


def settings() -> AbstractContextManager[None]:
    """What drawings are made in, whatever the user's own settings of matplotlib are."""
    return matplotlib.style.context(["default", _SETTINGS])


class Sheet:
    """A drawing of `WIDTH` by ``height`` units, measured from the upper left.

    Args:
        height: in units.
        key: makes the drawing's ids differ from those of all others on the page, and the same every time.
    """

    def __init__(self, height: float, key: str) -> None:
        self.height: Final = height
        self._key = key
        self._texts: list[tuple[str, str]] = []
        self.figure: Final = Figure(figsize=(WIDTH / 72, height / 72))
        FigureCanvasSVG(self.figure)

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Axes without a frame or ticks, at a place in units."""
        found = self.figure.add_axes(
            (left / WIDTH, 1 - (top + height) / self.height, width / WIDTH, height / self.height)
        )
        found.set_frame_on(False)
        found.set_xticks([])
        found.set_yticks([])
        found.patch.set_visible(False)
        return found

    def text(
        self, left: float, top: float, text: str, *, align: Align = "left", color: str = INK, bold: bool = False
    ) -> None:
        """A line of text, whose base is at a place in units."""
        style = f"font-size: {SMALL}px; fill: {_VARIABLES[color]}; text-anchor: {_ANCHORS[align]}" + (
            "; font-weight: 700" if bold else ""
        )
        self._texts.append((shorten(text, MAX_LABEL), style))
        self.figure.text(left / WIDTH, 1 - top / self.height, f"@{len(self._texts) - 1}@", ha=align, va="baseline")

    def svg(self, label: str) -> Markup:
        """The drawing for a page; ``label`` says in words what it shows."""
        out = io.BytesIO()
        with matplotlib.rc_context({"svg.hashsalt": self._key}):
            self.figure.savefig(
                out, format="svg", transparent=True, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type"))
            )
        root = ET.fromstring(out.getvalue())  # noqa: S314  # our own drawing
        self._tidy(root)
        root.attrib = {
            "viewBox": root.attrib["viewBox"],
            "role": "img",
            "aria-label": shorten(label, MAX_SPOKEN),
            "class": "plot",
        }
        return Markup(ET.tostring(root, encoding="unicode"))  # noqa: S704  # ElementTree escapes each text and attribute

    def _tidy(self, root: ET.Element) -> None:
        used = {found for element in root.iter() for found in _references(element)}
        for element in root.iter():
            element.tag = _NAMESPACE.sub("", element.tag)
            element.attrib = {_NAMESPACE.sub("", name): value for name, value in element.attrib.items()}
            if element.get("id", "") not in used:
                element.attrib.pop("id", None)
            _dress(element)
            for child in [child for child in element if child.tag.endswith(("}style", "}metadata"))]:
                element.remove(child)
            found = _place(element.text or "")
            element.text, style = self._texts[int(found[1])] if found else (None, element.get("style"))
            if style:
                element.set("style", style)
            element.tail = None


def _references(element: ET.Element) -> list[str]:
    """Ids that an element points to."""
    return [
        found
        for value in element.attrib.values()
        for found in re.findall(r"^#(\w+)$|url\(#(\w+)\)", value)
        for found in found
        if found
    ]


def _dress(element: ET.Element) -> None:
    """Give an element the page's colours, and round what is finer than a pixel's hundredth."""
    style = element.get("style", "")
    if (fill := element.attrib.pop("fill", None)) is not None:
        style += f"; fill: {fill}"
    style = re.sub(r"#[0-9a-f]{6}", lambda found: _VARIABLES.get(found[0], found[0]), style)
    if style:
        element.set("style", style.strip("; "))
    if "d" in element.attrib:
        element.set("d", " ".join(_rounded(element.attrib["d"]).split()))
    if element.get("transform", "").startswith("rotate(-0 "):
        del element.attrib["transform"]


def _rounded(path: str) -> str:
    return re.sub(r"-?[0-9]+\.[0-9]+", lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), path)


def spread(places: list[float], gap: float, low: float, high: float) -> list[float]:
    """Move places apart to ``gap`` at least, each as little as may be, between two bounds as far as they have room; their order stays."""
    order = sorted(range(len(places)), key=lambda index: places[index])
    groups: list[list[int]] = []
    starts: list[float] = []
    for index in order:
        group = [index]
        start = _start(group, places, gap, low, high)
        while groups and start < starts[-1] + gap * len(groups[-1]):
            group = groups.pop() + group
            starts.pop()
            start = _start(group, places, gap, low, high)
        groups.append(group)
        starts.append(start)
    found = list(places)
    for group, start in zip(groups, starts, strict=True):
        for step, index in enumerate(group):
            found[index] = start + gap * step
    return found


def _start(group: list[int], places: list[float], gap: float, low: float, high: float) -> float:
    """Where a group that keeps together begins, so that it stands about its own middle."""
    tall = gap * (len(group) - 1)
    middle = sum(places[index] for index in group) / len(group)
    return max(low, min(middle - tall / 2, high - tall))
