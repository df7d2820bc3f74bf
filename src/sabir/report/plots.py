"""The plots of a page. Each can be read without colour: a loss is hatched, lines differ in their dashes, and all is labelled in place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from markupsafe import Markup
from matplotlib.axes import Axes

from sabir.report.sheet import GRID, INK, LOSS, MUTED, PAPER, SAVE, WIDTH, Sheet, spread
from sabir.report.words import even, money, number, ordered, part, percent, plural, share, shares

ROW: Final = 36
"""Height of a row: a line of text and a bar."""
_BAR: Final = 11
_BASE: Final = 13
"""From a row's top to the base of its text."""
_TOP: Final = 22
"""From a drawing's top to its first row; a line of text stands there."""
_HATCH: Final = "/////"
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
_LEAST: Final = 1 / 256
"""Part of the tokens from which on a saving is drawn as the same."""
_LABELS: Final = 136
"""Room for the labels beside lines."""


def _bar(axes: Axes, row: float, left: float, width: float, *, saves: int, height: float = _BAR) -> None:
    """A bar: full where it saves, hatched where it loses, empty where it does neither."""
    face = SAVE if saves > 0 else PAPER
    edge = SAVE if saves > 0 else LOSS if saves < 0 else MUTED
    axes.barh(
        row, width, height, left=left, facecolor=face, edgecolor=edge, hatch=_HATCH if saves < 0 else None, linewidth=1
    )


def _rows(axes: Axes, count: int, low: float, high: float) -> None:
    axes.set_xlim(low, high)
    axes.set_ylim(count * ROW, 0)


def _zero(axes: Axes, row: int) -> None:
    """Where neither is saved nor lost."""
    axes.plot([0, 0], [row * ROW + 16, row * ROW + 32], color=INK, linewidth=1.2, solid_capstyle="butt")


def _side(form: dict[str, Any]) -> int:
    saved = form["saved"] or 0
    return (saved > 0) - (saved < 0)


# --- tokens, and what is saved of them -------------------------------------------------------------------


def tokens(item: dict[str, Any], key: str) -> Markup:
    """Tokens of all messages by format on the left, the part saved on the right, losses to the left of zero."""
    forms = [form for form in ordered(item["forms"]) if form["held"]]
    half, room = 156, 28
    sheet = Sheet(_TOP + ROW * (len(forms) + 1) + 4, key)
    sheet.text(0, 12, "tokens", color=MUTED)
    sheet.text(WIDTH, 12, "← lost | saved →", align="right", color=MUTED)
    height = ROW * (len(forms) + 1)
    left = sheet.axes(0, _TOP, half, height)
    right = sheet.axes(half + room, _TOP, WIDTH - half - room, height)
    _rows(left, len(forms) + 1, 0, max([item["now"]["total"], *(form["tokens"]["total"] for form in forms)]) or 1)
    parts = [form["saved"] for form in forms]
    low, high = min(0, *parts, 0), max(0, *parts, 0)
    _rows(right, len(forms) + 1, low - 0.01 * (high - low or 1), high + 0.01 * (high - low or 1))
    _tokens_row(sheet, left, 0, "as they are", item["now"]["total"])
    for place, form in enumerate(forms, 1):
        name = form["form"] + (f" ({form['held']:,} of them)" if form["refused"] else "")
        _tokens_row(sheet, left, place, name, form["tokens"]["total"], saves=_side(form), now=form["tokens_now"])
        sheet.text(WIDTH, _TOP + place * ROW + _BASE, share(form["saved"]), align="right", bold=True)
        _bar(right, place * ROW + 24, 0, form["saved"], saves=_side(form))
        _zero(right, place)
    label = "Bars: tokens as they are " + number(item["now"]["total"]) + "; "
    return sheet.svg(
        label
        + "; ".join(f"{form['form']} {number(form['tokens']['total'])}, {share(form['saved'])}" for form in forms)
        + "."
    )


def _tokens_row(
    sheet: Sheet, axes: Axes, place: int, name: str, total: int, *, saves: int = 0, now: int | None = None
) -> None:
    base = _TOP + place * ROW + _BASE
    sheet.text(0, base, name)
    sheet.text(228, base, number(total), align="right")
    _bar(axes, place * ROW + 24, 0, total, saves=saves)
    if now is not None:
        axes.plot([now, now], [place * ROW + 16, place * ROW + 32], color=INK, linewidth=2, solid_capstyle="butt")


# --- how savings are distributed -------------------------------------------------------------------------


def distribution(item: dict[str, Any], key: str) -> Markup:
    """For each format, how many messages take so many times the tokens they take now; losses to the left of zero."""
    forms = [form for form in ordered(item["forms"]) if form["held"]]
    tall, foot = 56, 34
    sheet = Sheet(_TOP + tall * len(forms) + foot, key)
    sheet.text(0, 12, "← lose", color=MUTED)
    sheet.text(WIDTH, 12, "save →", align="right", color=MUTED)
    bins = [_bins(form["saved_classes"]) for form in forms]
    low = min(-2, *(min(found) for found in bins), -2) - 0.8
    high = max(2, *(max(found) for found in bins), 2) + 0.8
    axes = sheet.axes(0, _TOP, WIDTH, tall * len(forms))
    axes.set_xlim(low, high)
    axes.set_ylim(tall * len(forms), 0)
    step = 2 * math.ceil((high - low) / 20)
    for place in range(math.ceil(low / step) * step, math.floor(high) + 1, step):
        for row in range(1, len(forms) + 1):
            axes.plot([_tick(place)] * 2, [tall * row - 34, tall * row], color=GRID, linewidth=1, zorder=0)
        across = WIDTH * (_tick(place) - low) / (high - low)
        name = "same" if not place else f"{2 ** (-place // 2)}×" if place < 0 else f"1/{2 ** (place // 2)}"
        if 12 < across < WIDTH - 12:
            sheet.text(across, sheet.height - 20, name, align="center")
    sheet.text(WIDTH / 2, sheet.height - 4, "tokens of a message, compared with now", align="center", color=MUTED)
    for place, (form, found) in enumerate(zip(forms, bins, strict=True)):
        lose, same, save = shares(form)
        base = tall * (place + 1)
        axes.plot([low, high], [base, base], color=MUTED, linewidth=0.8)
        most = max(found.values())
        for where, count in found.items():
            size = 28 * count / most
            _bar(
                axes,
                base - size / 2,
                where - (0.45 if where else 0.2),
                0.9 if where else 0.4,
                saves=(where > 0) - (where < 0),
                height=size,
            )
        sheet.text(0, _TOP + base - tall + _BASE, form["form"], bold=True)
        said = f"{part(lose)} lose · {part(same)} same · {part(save)} save"
        sheet.text(WIDTH, _TOP + base - tall + _BASE, said, align="right")
    label = "; ".join(
        f"{form['form']}: median {percent(form['saved_median'])}, {part(shares(form)[0])} of the messages lose"
        for form in forms
    )
    return sheet.svg(f"How many messages save or lose how much. {label}.")


def _bins(classes: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Messages by class of savings: 0 the same, and on either side classes of half a doubling each."""
    found: dict[int, int] = {}
    for saved, count in classes:
        doublings = math.log2(max(1 - saved / 100, _LEAST))
        place = 0 if not saved else -math.floor(2 * doublings) - 1 if doublings > 0 else math.floor(-2 * doublings) + 1
        found[place] = found.get(place, 0) + count
    return dict(sorted(found.items()))


def _tick(place: int) -> float:
    """Where a whole number of doublings stands: between two classes, but for the same tokens, which are a class."""
    return place + (0.5 if place > 0 else -0.5 if place < 0 else 0)


# --- break-even ------------------------------------------------------------------------------------------


def earning(item: dict[str, Any], key: str) -> Markup:
    """Part saved of all tokens so far, the primer included, over the messages sent; a curve for each format."""
    forms = [form for form in ordered(item["forms"]) if form["held"] and form["primer"] is not None]
    lasting = max(1, 1, *(form["break_even"] or 1 for form in forms))
    last = max(3, math.ceil(math.log10(lasting)) + 1)
    high = max(0.25, *(1.15 * form["saved"] for form in forms), 0.25)
    left, top, wide, tall = 46, _TOP, WIDTH - 46 - _LABELS, 250
    below = [form for form in forms if form["saved"] <= -1]
    sheet = Sheet(top + tall + 44 + 16 * bool(below), key)
    axes = sheet.axes(left, top, wide, tall)
    axes.set_xlim(0, last)
    axes.set_ylim(-1, high)
    _earning_frame(sheet, axes, (left, top, wide, tall), last, high)
    seen = [form for form in forms if form["saved"] > -1]
    ends = []
    for form in seen:
        dash = _DASHES[forms.index(form) % len(_DASHES)]
        ends.append(_curve(axes, form, last, dash))
    heights = [top + tall * (high - end) / (1 + high) for end in ends]
    for form, height, place in zip(seen, heights, spread(heights, 14, top + 6, top + tall), strict=True):
        sheet.text(left + wide + 13, place + 4, f"{form['form']}: {even(form)}", bold=bool(form["break_even"]))
        _leader(sheet, left + wide, height, place)
    if below:
        sheet.text(0, sheet.height - 4, f"{plural(len(below), 'format')} below −100\u202f%", color=MUTED)
    label = "; ".join(f"{form['form']}: {even(form)}" for form in forms)
    return sheet.svg(f"Curves: messages until the primer is earned. {label}.")


def _earning_frame(sheet: Sheet, axes: Axes, frame: tuple[int, int, int, int], last: int, high: float) -> None:
    left, top, wide, tall = frame
    sheet.text(0, 12, "saved so far, primer included", color=MUTED)
    sheet.text(left + wide + 13, 12, "earned after", color=MUTED)
    for quarter in range(-4, 4):
        saved = quarter / 4
        if saved < high:
            axes.plot(
                [0, last], [saved, saved], color=GRID if quarter else INK, linewidth=1 if quarter else 1.2, zorder=0
            )
            sheet.text(left - 4, top + tall * (high - saved) / (1 + high) + 4, percent(25 * quarter), align="right")
    for power in range(last + 1):
        axes.plot([power, power], [-1, high], color=GRID, linewidth=1, zorder=0)
        if power % math.ceil(last / 4) == 0:
            sheet.text(left + wide * power / last, top + tall + 15, _power(power), align="center")
    sheet.text(left + wide / 2, top + tall + 31, "messages sent", align="center", color=MUTED)


def _power(power: int) -> str:
    return f"{10**power:,}" if power < 6 else f"{10 ** (power % 3)}{' kMGTPE'[power // 3].strip()}"


def _curve(axes: Axes, form: dict[str, Any], last: int, dash: tuple[int, tuple[float, ...]]) -> float:
    """Draw a curve and give where it ends."""
    now = form["tokens_now"] / form["held"]
    steps = [last * step / 80 for step in range(81)]
    parts = [form["saved"] - form["primer"] / (now * 10**step) for step in steps]
    axes.plot(steps, parts, color=SAVE if form["break_even"] else LOSS, linestyle=dash, linewidth=2)
    if form["break_even"]:
        axes.plot(
            [math.log10(form["break_even"])],
            [0],
            marker="o",
            markersize=8,
            markerfacecolor=PAPER,
            markeredgecolor=SAVE,
            markeredgewidth=2,
        )
    return max(-1.0, float(parts[-1]))


def _leader(sheet: Sheet, left: float, height: float, place: float) -> None:
    """A fine line from a curve's end to its label."""
    axes = sheet.axes(left, 0, 12, sheet.height)
    axes.set_xlim(0, 12)
    axes.set_ylim(sheet.height, 0)
    axes.plot([0, 10], [height, place], color=MUTED, linewidth=0.8)


# --- pairs of agents, and the year -----------------------------------------------------------------------


def pairs(rows: list[dict[str, Any]], names: list[str], key: str) -> Markup:
    """Tokens by pair of agents: as they are (outline), and in the form cheapest for each message (full)."""
    sheet = Sheet(_TOP + ROW * len(rows) + 4, key)
    sheet.text(0, 12, "tokens now → in each message’s cheapest form", color=MUTED)
    axes = sheet.axes(0, _TOP, WIDTH, ROW * len(rows))
    _rows(axes, len(rows), 0, 1.002 * max(row["tokens"] for row in rows))
    for place, (row, name) in enumerate(zip(rows, names, strict=True)):
        _bar(axes, place * ROW + 24, 0, row["tokens"], saves=0, height=13)
        _bar(axes, place * ROW + 24, 0, row["best"], saves=1, height=7)
        sheet.text(0, _TOP + place * ROW + _BASE, name)
        sheet.text(
            WIDTH,
            _TOP + place * ROW + _BASE,
            f"{number(row['tokens'])} → {number(row['best'])}",
            align="right",
            bold=True,
        )
    return sheet.svg(
        "Bars: "
        + "; ".join(
            f"{name}: {row['tokens']:,} tokens, {row['best']:,} at best" for row, name in zip(rows, names, strict=True)
        )
        + "."
    )


def year(item: dict[str, Any], key: str) -> Markup:
    """What each format saves or loses in a year, losses to the left of zero: dollars, or tokens where there is no price."""
    forms = [form for form in ordered(item["forms"]) if form["year"]]
    gains = [gain(form) for form in forms]
    sheet = Sheet(_TOP + ROW * len(forms) + 4, key)
    sheet.text(0, 12, "← lost in a year", color=MUTED)
    sheet.text(WIDTH, 12, "saved in a year →", align="right", color=MUTED)
    axes = sheet.axes(0, _TOP, WIDTH, ROW * len(forms))
    low, high = min(0, *gains, 0), max(0, *gains, 0)
    _rows(axes, len(forms), low - 0.01 * (high - low or 1), high + 0.01 * (high - low or 1))
    for place, (form, dollars) in enumerate(zip(forms, gains, strict=True)):
        _bar(axes, place * ROW + 24, 0, dollars, saves=(dollars > 0) - (dollars < 0))
        _zero(axes, place)
        sheet.text(0, _TOP + place * ROW + _BASE, form["form"])
        sheet.text(WIDTH, _TOP + place * ROW + _BASE, gained(form), align="right", bold=True)
    return sheet.svg("Bars: " + "; ".join(f"{form['form']} {gained(form)}" for form in forms) + ".")


def gain(form: dict[str, Any]) -> float:
    """What a year saves: dollars, or tokens where there is no price."""
    found = form["year"]
    dollars: float | None = found["saved"]
    return float(found["now_tokens"] - found["tokens"] - found["primer_tokens"]) if dollars is None else dollars


def gained(form: dict[str, Any]) -> str:
    """The same in words, with its unit."""
    found = gain(form)
    said = number(found) + " tokens" if form["year"]["saved"] is None else money(found)
    return ("+" if found > 0 else "") + said
