"""Curves of break-even. They are read without colour: lines differ in their dashes, and each is labelled at its end."""

from __future__ import annotations

import math
from typing import Any, Final

from markupsafe import Markup
from matplotlib.axes import Axes

from sabir.report.sheet import GRID, INK, LOSS, MUTED, PAPER, SAVE, WIDTH, Sheet, spread
from sabir.report.words import even, ordered, percent, plural

_LEFT: Final = 46
_TOP: Final = 22
_WIDE: Final = WIDTH - _LEFT - 136
"""The rest is for the labels beside the lines."""
_TALL: Final = 250
_GAP: Final = 14
"""Between two lines of text."""
_DASHES: Final = (
    (0, ()),
    (0, (6, 2)),
    (0, (1, 1.5)),
    (0, (8, 2, 1.5, 2)),
    (0, (3, 1.5)),
    (0, (8, 2, 1.5, 2, 1.5, 2)),
    (0, (12, 3)),
    (0, (1, 4)),
)


def earning(item: dict[str, Any], key: str) -> Markup:
    """Part saved of all tokens so far, the primer included, over the messages sent; a curve for each format."""
    forms = [form for form in ordered(item["forms"]) if form["held"] and form["primer"] is not None]
    lasting = max(1, 1, *(form["break_even"] or 1 for form in forms))
    last = max(3, math.ceil(math.log10(lasting)) + 1)
    high = max(0.25, *(1.15 * form["saved"] for form in forms), 0.25)
    below = [form for form in forms if form["saved"] <= -1]
    sheet = Sheet(_TOP + _TALL + 44 + 16 * bool(below), key)
    axes = sheet.axes(_LEFT, _TOP, _WIDE, _TALL)
    axes.set_xlim(0, last)
    axes.set_ylim(-1, high)
    _frame(sheet, axes, last, high)
    seen = [form for form in forms if form["saved"] > -1]
    ends = []
    for form in seen:
        dash = _DASHES[forms.index(form) % len(_DASHES)]
        ends.append(_curve(axes, form, last, dash))
    heights = [_TOP + _TALL * (high - end) / (1 + high) for end in ends]
    for form, height, place in zip(seen, heights, spread(heights, _GAP, _TOP + 6, _TOP + _TALL), strict=True):
        sheet.text(_LEFT + _WIDE + 13, place + 4, f"{form['form']}: {even(form)}", bold=bool(form["break_even"]))
        _leader(sheet, _LEFT + _WIDE, height, place)
    if below:
        sheet.text(0, sheet.height - 4, f"{plural(len(below), 'format')} below −100\u202f%", color=MUTED)
    label = "; ".join(f"{form['form']}: {even(form)}" for form in forms)
    return sheet.svg(f"Curves: messages until the primer is earned. {label}.")


def _frame(sheet: Sheet, axes: Axes, last: int, high: float) -> None:
    sheet.text(0, 12, "saved so far, primer included", color=MUTED)
    sheet.text(_LEFT + _WIDE + 13, 12, "earned after", color=MUTED)
    for quarter in range(-4, 4):
        saved = quarter / 4
        if saved < high:
            axes.plot(
                [0, last], [saved, saved], color=GRID if quarter else INK, linewidth=1, zorder=0 if quarter else 0.5
            )
            sheet.text(_LEFT - 4, _TOP + _TALL * (high - saved) / (1 + high) + 4, percent(25 * quarter), align="right")
    for power in range(last + 1):
        axes.plot([power, power], [-1, high], color=GRID, linewidth=1, zorder=0)
        if power % math.ceil(last / 4) == 0:
            sheet.text(_LEFT + _WIDE * power / last, _TOP + _TALL + 15, _power(power), align="center")
    sheet.text(_LEFT + _WIDE / 2, _TOP + _TALL + 31, "messages sent", align="center", color=MUTED)


def _power(power: int) -> str:
    return f"{10**power:,}" if power < 6 else f"{10 ** (power % 3)}{' kMGTPE'[power // 3].strip()}"


def _curve(axes: Axes, form: dict[str, Any], last: int, dash: tuple[int, tuple[float, ...]]) -> float:
    """Draw a curve and give where it ends."""
    now = form["tokens_now"] / form["held"]
    steps = [last * step / 80 for step in range(81)]
    parts = [form["saved"] - form["primer"] / (now * 10**step) for step in steps]
    axes.plot(steps, parts, color=SAVE if form["break_even"] else LOSS, linestyle=dash, linewidth=2)
    if form["break_even"]:
        _ring(axes, math.log10(form["break_even"]))
    return max(-1.0, float(parts[-1]))


def _ring(axes: Axes, place: float) -> None:
    axes.plot([place], [0], "o", markersize=8, markerfacecolor=PAPER, markeredgecolor=SAVE, markeredgewidth=2)


def _leader(sheet: Sheet, left: float, height: float, place: float) -> None:
    """A fine line from a curve's end to its label."""
    axes = sheet.axes(left, 0, 12, sheet.height)
    axes.set_xlim(0, 12)
    axes.set_ylim(sheet.height, 0)
    axes.plot([0, 10], [height, place], color=MUTED, linewidth=0.8)
