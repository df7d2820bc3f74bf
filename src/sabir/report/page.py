"""The page of `sabir report --html`: one file that a browser shows offline, without scripts, in light, dark and print."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from sabir import __version__
from sabir.report.collect import JSON, MAX_SESSIONS, MAX_SHOWN
from sabir.report.figures import Table, of_pairs, of_tokenizer, table
from sabir.report.money import DAYS
from sabir.report.plots import gained
from sabir.report.sheet import settings
from sabir.report.words import NONE, cheapest, even, number, plural, result, share, shorten

MAX_TEXT: Final = 300
"""Columns of a text from a log that are shown."""
REPEATS: Final = {
    "resent history": "a request repeats the conversation so far",
    "history": "a task echoes its messages",
    "snapshot": "a task, span or answer is given again as it stood later",
    "parent span": "a span repeats what its children or its parents hold",
    "second copy": "the same payload or the same record stands there twice",
    "received": "one agent’s answer stands there again as another’s input",
}
"""What the kinds of repeats mean."""

Card = tuple[str, str, str]
"""A figure that stands out: label, value, and a note."""


def page(said: dict[str, Any]) -> str:
    """The page, as HTML.

    Args:
        said: what `sabir.report.summary` returns. Its texts come from logs: they are shown as texts, whatever they hold.
    """
    counted = said["tokenizers"] if said["messages"] else []
    with settings():
        panels = [_panel(item, f"t{place}", said) for place, item in enumerate(counted)]
        pairs = of_pairs(said) if said["pairs"] else None
    template = _environment().get_template("report.html.j2")
    shown: str = template.render(
        said=said,
        result=result(said),
        cards=_cards(said),
        panels=panels,
        pairs=pairs,
        compared=_compared(counted) if len(counted) > 1 else None,
        counted=[{**item, "paid": _paid(item["price"])} for item in said["tokenizers"]],
        repeats=_repeats(said["repeats"]) if said["repeats"] else None,
        unread=[{**item, "more": item["count"] > MAX_SHOWN} for item in said["unread"]],
        days=DAYS,
        json=JSON,
        version=__version__,
    )
    return shown


@cache
def _environment() -> Environment:
    found = Environment(
        loader=PackageLoader("sabir", "data"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: shorten(value, MAX_TEXT) if type(value) is str else value,
    )
    found.filters.update(number=number, plural=plural)
    return found


def _panel(item: dict[str, Any], key: str, said: dict[str, Any]) -> dict[str, Any]:
    figures = of_tokenizer(item, key, said)
    return {**item, "key": key, "paid": _paid(item["price"]), "figures": figures}


# --- the head --------------------------------------------------------------------------------------------


def _cards(said: dict[str, Any]) -> list[Card]:
    """The figures that matter most."""
    found = [("texts", number(said["entries"]), _length(said)), ("messages", number(said["messages"]), "found in them")]
    if not said["messages"] or not said["tokenizers"]:
        return found
    item = said["tokenizers"][0]
    total = f"of {number(item['text_tokens'])} in all texts ({item['name']})"
    found.append(("tokens now", number(item["now"]["total"]), total))
    best = cheapest(item)
    return found if best is None else found + _best(best, said["scale"])


def _length(said: dict[str, Any]) -> str:
    if not said["sessions"]:
        return plural(said["characters"], "character")
    most = "at least " if said["sessions"] >= MAX_SESSIONS else ""
    return f"of {most}{plural(said['sessions'], 'session')}"


def _best(best: dict[str, Any], scale: dict[str, int] | None) -> list[Card]:
    """What the cheapest format saves."""
    name = best["form"]
    found = [
        ("saved", share(best["saved"]), f"by {name}, the cheapest that keeps them all"),
        ("break-even", even(best), f"messages of {name} until its primer is earned"),
    ]
    if scale:
        found.append(("a year", gained(best), f"in {name}, {plural(scale['per_day'], 'message')} a day"))
    return found


def _compared(counted: list[dict[str, Any]]) -> Table:
    """The same messages by each tokenizer."""
    rows = []
    for item in counted:
        best = cheapest(item)
        found = [best["form"], share(best["saved"]), even(best)] if best else [NONE] * 3
        rows.append([item["name"], number(item["now"]["total"]), *found])
    head = ["tokenizer", "tokens now", "cheapest that keeps all", "saved", "break-even"]
    return table("The same messages by each tokenizer", head, rows)


def _paid(price: dict[str, Any] | None) -> str:
    if price is None:
        return "No price is known; give one with --price"
    as_of = "your price" if price["as_of"] == "yours" else f"list price of {price['as_of']}"
    read, written = (_rate(price[side]) for side in ("input", "output"))
    return f"Price of {price['model']}: {read} a million tokens read, {written} written ({as_of})"


def _rate(dollars: float) -> str:
    """Dollars for a million tokens, in cents or, where it is finer, as it is."""
    return f"${dollars:,.2f}" if round(dollars, 2) == dollars else f"${dollars:g}"


# --- what was not counted --------------------------------------------------------------------------------


def _repeats(repeats: dict[str, dict[str, int]]) -> Table:
    rows = [
        [kind, REPEATS.get(kind, NONE), number(found["texts"]), number(found["characters"])]
        for kind, found in repeats.items()
    ]
    return table("By kind", ["kind", "what it is", "texts", "characters"], rows)
