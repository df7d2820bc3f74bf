"""How a page of figures says them: signs, separators, units, and the sentences of the result.

Everywhere a positive share is a saving and a negative one a loss.
"""

from __future__ import annotations

import unicodedata
from typing import Any, Final

from sabir.errors import printable

MINUS: Final = "−"
NONE: Final = "–"
"""What stands where there is no figure."""
NEVER: Final = "never"
MAX_MARKS: Final = 4
"""Combining marks on one character; more do not occur in writing."""
_THIN: Final = "\u202f"
"""Blank before a unit, at which no line is broken."""


def number(value: float | None, digits: int = 0) -> str:
    """With thousands separators, and a minus that is as wide as a plus."""
    if value is None:
        return NONE
    said = f"{value:,.{digits}f}"
    return said.replace("-", MINUS) if float(said.replace(",", "")) else said.lstrip("-")


def share(part: float | None) -> str:
    """A part as per cent with its sign: ``+12.3 %`` is saved, ``−12.3 %`` is lost."""
    if part is None:
        return NONE
    said = number(100 * part, 1)
    return ("+" if said[0] != MINUS and said != "0.0" else "") + said + _THIN + "%"


def percent(value: int | None) -> str:
    """A whole number of per cent with its sign."""
    if value is None:
        return NONE
    return ("+" if value > 0 else "") + number(value) + _THIN + "%"


def part(value: float) -> str:
    """A part of a whole as per cent; what is small but there is not said to be nothing, and nearly all is not all."""
    said = "<1" if 0 < value < 0.005 else ">99" if 0.995 <= value < 1 else f"{100 * value:.0f}"
    return said + _THIN + "%"


def money(dollars: float | None) -> str:
    """US dollars: no cents of thousands, fractions of a cent below a dollar."""
    if dollars is None:
        return NONE
    size = abs(dollars)
    digits = 0 if size >= 1_000 else 2 if size >= 1 or not size else 4 if size >= 0.01 else 6
    said = f"{size:,.{digits}f}"
    if size and not float(said.replace(",", "")):
        return "under $0.000001"
    return (MINUS if dollars < 0 else "") + "$" + said


def shorten(text: str, most: int) -> str:
    """A text that does nothing but stand there, and of a long one the beginning, in ``most`` columns.

    Controls, marks of direction and invisible signs come as escapes, and so do combining marks beyond `MAX_MARKS` on one
    character, for they break no line and pile up. Wide characters take two columns.
    """
    found: list[str] = []
    width = marks = 0
    for char in printable(text[: most + 1]):
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        piece = char if marks <= MAX_MARKS else f"\\u{ord(char):04x}"
        if width + _columns(piece) > most:
            while found and width >= most:
                width -= _columns(found.pop())
            return "".join(found) + "…"
        found.append(piece)
        width += _columns(piece)
    return "".join(found)


def _columns(piece: str) -> int:
    return 2 if unicodedata.east_asian_width(piece[0]) in "WF" else len(piece)


def plural(count: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def even(form: dict[str, Any]) -> str:
    """Messages until the primer is earned; ``never`` where it is not, nothing where there is no primer to earn."""
    if form["primer"] is None or not form["held"]:
        return NONE
    return NEVER if form["break_even"] is None else number(form["break_even"])


# --- which format is meant -------------------------------------------------------------------------------


def keeps_all(form: dict[str, Any]) -> bool:
    """Whether a form is a format that holds each of the messages."""
    return bool(form["lossless"] and form["held"] and not form["refused"])


def ordered(forms: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Formats that keep all messages, the cheapest first; then those that hold some, most first; the baselines last."""
    return sorted(forms, key=_rank)


def _rank(form: dict[str, Any]) -> tuple[int, int, str]:
    if keeps_all(form):
        return 0, form["tokens"]["total"], form["form"]
    return (1 if form["lossless"] else 2), -form["held"], form["form"]


def cheapest(item: dict[str, Any]) -> dict[str, Any] | None:
    """The cheapest of a tokenizer's formats that keep all messages; None of no message."""
    return next((form for form in ordered(item["forms"]) if keeps_all(form)), None)


# --- the result in sentences -----------------------------------------------------------------------------


def result(said: dict[str, Any]) -> list[str]:
    """What the report found, the plainest sentence first."""
    held = f"{plural(said['entries'], 'text')} {'holds' if said['entries'] == 1 else 'hold'}"
    if not said["entries"]:
        return ["The log holds no text."]
    if not said["messages"]:
        return [f"{held} no message of a format that is known here, so there is nothing to save."]
    held = f"{held} {plural(said['messages'], 'message')}."
    if not said["tokenizers"]:
        return [held, "No tokenizer is installed, so tokens are not counted."]
    item = said["tokenizers"][0]
    best = cheapest(item)
    if best is None:
        return [held, "No format keeps them all."]
    return [held, _verdict(best, item), *_earned(best), *_partly(item)]


def _verdict(best: dict[str, Any], item: dict[str, Any]) -> str:
    name, now, then = best["form"], best["tokens_now"], best["tokens"]["total"]
    size = share(best["saved"]).lstrip("+" + MINUS)
    if then < now:
        return f"The cheapest format that keeps them all is {name}: {size} fewer tokens than now ({item['name']})."
    if then == now:
        return f"Nothing is saved: {name}, the cheapest format that keeps them all, takes as many tokens as now ({item['name']})."
    return f"Nothing is saved: {name}, the cheapest format that keeps them all, takes {size} more tokens than now ({item['name']})."


def _earned(best: dict[str, Any]) -> list[str]:
    if best["break_even"] is None or best["primer"] is None:
        return []
    return [f"Its primer of {plural(best['primer'], 'token')} is earned after {plural(best['break_even'], 'message')}."]


def _partly(item: dict[str, Any]) -> list[str]:
    """Formats that save, but only where they can hold a message."""
    return [
        f"{form['form']} holds {number(form['held'])} of them only, and saves {share(form['saved']).lstrip('+')} there."
        for form in ordered(item["forms"])
        if form["lossless"] and form["refused"] and (form["saved"] or 0) > 0
    ]


def shares(form: dict[str, Any]) -> tuple[float, float, float]:
    """Parts of a form's messages that lose, stay the same and save; of none, nothing."""
    counts = [0, 0, 0]
    for saved, count in form["saved_classes"]:
        counts[(saved > 0) - (saved < 0) + 1] += count
    whole = sum(counts) or 1
    return counts[0] / whole, counts[1] / whole, counts[2] / whole
