"""Plots of bars. They are read without colour: what saves is full, what loses is hatched, and all is labelled in place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from markupsafe import Markup
from matplotlib.axes import Axes

from sabir.report.sheet import GRID, INK, LOSS, MUTED, PAPER, SAVE, WIDTH, Sheet
from sabir.report.words import money, number, ordered, part, percent, share, shares

ROW: Final = 36
"""Height of a row: a line of text and a bar."""
_BAR: Final = 11
_BASE: Final = 13
"""From a row's top to the base of its text."""
_TOP: Final = 22
"""From a drawing's top to its first row; a line of text stands there."""
_HATCH: Final = "/////"
_LEAST: Final = 1 / 256
"""Part of the tokens below which all savings are drawn alike."""


def _bar(axes: Axes, row: float, left: float, width: float, *, saves: int, height: float = _BAR) -> None:
    """A bar: full where it saves, hatched where it loses, empty where it does neither."""
    edge = SAVE if saves > 0 else LOSS if saves < 0 else MUTED
    style: dict[str, Any] = {
        "facecolor": SAVE if saves > 0 else PAPER,
        "edgecolor": edge,
        "hatch": _HATCH if saves < 0 else None,
    }
    axes.barh(row, width, height, left=left, linewidth=1, **style)


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
    step = 2 * math.ceil((high - low) / 23)
    for place in range(math.ceil(low / step) * step, math.floor(high) + 1, step):
        for row in range(1, len(forms) + 1):
            axes.plot([_tick(place)] * 2, [tall * row - 34, tall * row], color=GRID, linewidth=1, zorder=0)
        across = WIDTH * (_tick(place) - low) / (high - low)
        if 12 < across < WIDTH - 12:
            sheet.text(across, sheet.height - 20, _times(place), align="center")
    sheet.text(WIDTH / 2, sheet.height - 4, "tokens of a message, compared with now", align="center", color=MUTED)
    for place, (form, found) in enumerate(zip(forms, bins, strict=True)):
        _classes(axes, found, tall * (place + 1))
        lose, same, save = shares(form)
        base = _TOP + tall * place + _BASE
        sheet.text(0, base, form["form"], bold=True)
        sheet.text(WIDTH, base, f"{part(lose)} lose · {part(same)} same · {part(save)} save", align="right")
    label = "; ".join(
        f"{form['form']}: median {percent(form['saved_median'])}, {part(shares(form)[0])} of the messages lose"
        for form in forms
    )
    return sheet.svg(f"How many messages save or lose how much. {label}.")


def _classes(axes: Axes, found: dict[int, int], base: float) -> None:
    """Bars that stand on a line, the tallest as high as any other format's."""
    axes.plot([*axes.get_xlim()], [base, base], color=MUTED, linewidth=0.8)
    most = max(found.values())
    for place, count in found.items():
        size, wide = 28 * count / most, 0.9 if place else 0.4
        _bar(axes, base - size / 2, place - wide / 2, wide, saves=(place > 0) - (place < 0), height=size)


def _bins(classes: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Messages by class of savings: 0 the same, and on either side classes of half a doubling each."""
    found: dict[int, int] = {}
    for saved, count in classes:
        doublings = math.log2(max(1 - saved / 100, _LEAST))
        place = 0 if not saved else -math.floor(2 * doublings) - 1 if doublings > 0 else math.floor(-2 * doublings) + 1
        found[place] = found.get(place, 0) + count
    return dict(sorted(found.items()))


def _times(place: int) -> str:
    """So many times the tokens."""
    if not place:
        return "same"
    return f"{2 ** (-place // 2)}×" if place < 0 else f"1/{2 ** (place // 2)}"


def _tick(place: int) -> float:
    """Where a whole number of doublings stands: between two classes, but for the same tokens, which are a class."""
    return place + (0.5 if place > 0 else -0.5 if place < 0 else 0)


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
