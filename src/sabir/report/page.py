"""The page of `sabir report --html`: one file that a browser shows offline, without scripts, in light, dark and print."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from sabir import __version__
from sabir.report import plots
from sabir.report.collect import JSON, MAX_PAIRS, MAX_SESSIONS, MAX_SHOWN, NOBODY, OTHERS
from sabir.report.money import DAYS
from sabir.report.sheet import settings
from sabir.report.words import (
    NONE,
    cheapest,
    even,
    money,
    number,
    ordered,
    part,
    percent,
    plural,
    result,
    share,
    shares,
    shorten,
)

MAX_TEXT: Final = 300
"""Columns of a text from a log that are shown."""
MAX_CELL: Final = 60
"""Columns of a cell of a table."""
MAX_NAME: Final = 12
"""Columns of an agent’s name beside a bar; the table has the rest."""
REPEATS: Final = {
    "resent history": "a request repeats the conversation so far",
    "history": "a task echoes its messages",
    "snapshot": "a task, span or answer is given again as it stood later",
    "parent span": "a span repeats what its children or its parents hold",
    "second copy": "the same payload or the same record stands there twice",
    "received": "one agent’s answer stands there again as another’s input",
}
"""What the kinds of repeats mean."""

Table = dict[str, Any]


def page(said: dict[str, Any]) -> str:
    """The page, as HTML.

    Args:
        said: what `sabir.report.summary` returns. Its texts come from logs: they are shown as texts, whatever they hold.
    """
    counted = said["tokenizers"] if said["messages"] else []
    with settings():
        panels = [_panel(item, f"t{place}", said) for place, item in enumerate(counted)]
        pairs = _pairs(said) if said["pairs"] else None
    shown: str = (
        _environment()
        .get_template("report.html.j2")
        .render(
            said=said,
            result=result(said),
            cards=_cards(said),
            panels=panels,
            pairs=pairs,
            compared=_compared(counted) if len(counted) > 1 else None,
            counted=_counted(said["tokenizers"]) if said["tokenizers"] else None,
            repeats=_repeats(said) if said["repeats"] else None,
            unread=_unread(said),
            days=DAYS,
            json=JSON,
            version=__version__,
        )
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
    found.filters.update(number=number, money=money, plural=plural)
    return found


def _table(caption: str, head: list[str], rows: list[list[str]]) -> Table:
    return {"caption": caption, "head": head, "rows": [[shorten(cell, MAX_CELL) for cell in row] for row in rows]}


# --- the head --------------------------------------------------------------------------------------------


def _cards(said: dict[str, Any]) -> list[tuple[str, str, str]]:
    """The figures that matter most: label, value, and a note."""
    many = "at least " if said["sessions"] >= MAX_SESSIONS else ""
    found = [
        (
            "texts",
            number(said["entries"]),
            f"of {many}{plural(said['sessions'], 'session')}"
            if said["sessions"]
            else plural(said["characters"], "character"),
        ),
        ("messages", number(said["messages"]), "found in them"),
    ]
    if not said["messages"] or not said["tokenizers"]:
        return found
    item = said["tokenizers"][0]
    found.append(
        ("tokens now", number(item["now"]["total"]), f"of {number(item['text_tokens'])} in all texts ({item['name']})")
    )
    best = cheapest(item)
    if best is None:
        return found
    found.append(("saved", share(best["saved"]), f"by {best['form']}, the cheapest that keeps them all"))
    found.append(("break-even", even(best), f"messages of {best['form']} until its primer is earned"))
    if best["year"]:
        found.append(
            ("a year", plots.gained(best), f"in {best['form']}, {number(said['scale']['per_day'])} messages a day")
        )
    return found


def _compared(counted: list[dict[str, Any]]) -> Table:
    """The same messages by each tokenizer."""
    rows = []
    for item in counted:
        best = cheapest(item)
        rows.append(
            [
                item["name"],
                number(item["now"]["total"]),
                *([best["form"], share(best["saved"]), even(best)] if best else [NONE] * 3),
            ]
        )
    return _table(
        "The same messages by each tokenizer",
        ["tokenizer", "tokens now", "cheapest that keeps all", "saved", "break-even"],
        rows,
    )


def _counted(tokenizers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """With what was counted, and what it is paid with."""
    return [{**item, "paid": _paid(item["price"])} for item in tokenizers]


def _paid(price: dict[str, Any] | None) -> str:
    if price is None:
        return "No price is known; give one with --price"
    as_of = "your price" if price["as_of"] == "yours" else f"list price of {price['as_of']}"
    read, written = (
        money(price[side]) if round(price[side], 2) == price[side] else f"${price[side]:g}"
        for side in ("input", "output")
    )
    return f"Price of {price['model']}: {read} a million tokens read, {written} written ({as_of})"


# --- one tokenizer ---------------------------------------------------------------------------------------


def _panel(item: dict[str, Any], key: str, said: dict[str, Any]) -> dict[str, Any]:
    forms = ordered(item["forms"])
    figures = [_tokens(item, forms, key), _spread(item, forms, key), _earning(item, forms, key)]
    if said["scale"] and any(form["year"] for form in forms):
        figures.append(_year(item, forms, key, said))
    return {
        "key": key,
        "name": item["name"],
        "vocabulary": item["vocabulary"],
        "sha": item["sha256"][:12],
        "note": item["note"],
        "paid": _paid(item["price"]),
        "figures": figures,
    }


def _figure(title: str, plot: Markup, text: list[str], table: Table) -> dict[str, Any]:
    return {"title": title, "plot": plot, "text": text, "table": table}


def _name(form: dict[str, Any]) -> str:
    return form["form"] + ("" if form["lossless"] else " (baseline)")


def _tokens(item: dict[str, Any], forms: list[dict[str, Any]], key: str) -> dict[str, Any]:
    now = item["now"]
    count = forms[0]["held"] + forms[0]["refused"]
    rows = [
        [
            "as they are",
            number(count),
            number(now["total"]),
            NONE,
            number(now["mean"], 1),
            number(now["median"]),
            number(now["p95"]),
        ]
    ]
    for form in forms:
        cost = form["tokens"]
        rows.append(
            [
                _name(form),
                number(form["held"]),
                number(cost["total"]),
                share(form["saved"]),
                number(cost["mean"], 1),
                number(cost["median"]),
                number(cost["p95"]),
            ]
        )
    text = [
        "A thick line marks what the same messages take as they are. Bars to the right are full where a format saves; hatched, and left of zero, where it costs more."
    ]
    text += [
        f"{form['form']} can hold {number(form['held'])} of the {number(count)} messages; it is compared on those alone."
        for form in forms
        if form["lossless"] and form["held"] and form["refused"]
    ]
    text += [
        f"{form['form']} can hold none of the messages." for form in forms if form["lossless"] and not form["held"]
    ]
    head = ["format", "messages", "tokens", "saved", "mean", "median", "95\u202f%"]
    return _figure(
        "Tokens by format",
        plots.tokens(item, key + "a"),
        text,
        _table("Tokens of the messages in each format", head, rows),
    )


def _spread(item: dict[str, Any], forms: list[dict[str, Any]], key: str) -> dict[str, Any]:
    rows = []
    for form in (form for form in forms if form["held"]):
        parts = [part(found) for found in shares(form)]
        rows.append(
            [_name(form), *parts, *(percent(form[which]) for which in ("saved_p5", "saved_median", "saved_p95"))]
        )
    text = [
        "Each message is compared with itself as it is now. Left of “same” are the messages that get longer (hatched), right of it those that get shorter (full)."
    ]
    text.append(
        "The tallest bar of a format stands for its most frequent class; each class is half a doubling or halving wide."
    )
    head = ["format", "lose", "same", "save", "5\u202f%", "median", "95\u202f%"]
    return _figure(
        "How savings are distributed",
        plots.distribution(item, key + "b"),
        text,
        _table("Savings of single messages", head, rows),
    )


def _earning(item: dict[str, Any], forms: list[dict[str, Any]], key: str) -> dict[str, Any]:
    rows = [["as they are", money(item["cost_now"]), NONE, NONE, NONE]]
    for form in forms:
        each = (form["tokens_now"] - form["tokens"]["total"]) / form["held"] if form["held"] else None
        rows.append([_name(form), money(form["cost"]), number(form["primer"]), number(each, 1), even(form)])
    text = [
        "A model has to read a format’s primer before it can write it, so each curve begins below zero. Where it crosses zero (ring), the primer is earned."
    ]
    earned = [f"{form['form']} after {plural(form['break_even'], 'message')}" for form in forms if form["break_even"]]
    text.append(
        "Earned: " + ", ".join(earned) + "; the others never."
        if earned
        else "No format ever earns its primer on messages like these."
    )
    head = ["format", "cost", "primer", "saved each", "break-even"]
    return _figure(
        "Break-even",
        plots.earning(item, key + "c"),
        text,
        _table(
            "Cost of the log in dollars; primer, and saving of each message, in tokens; break-even in messages",
            head,
            rows,
        ),
    )


def _year(item: dict[str, Any], forms: list[dict[str, Any]], key: str, said: dict[str, Any]) -> dict[str, Any]:
    rows = []
    for form in (form for form in forms if form["year"]):
        year = form["year"]
        sums = (
            [money(year["now"]), money(year["cost"])]
            if year["saved"] is not None
            else [number(year["now_tokens"]), number(year["tokens"] + year["primer_tokens"])]
        )
        rows.append([_name(form), *sums, plots.gained(form)])
    scale = said["scale"]
    text = [
        f"{plural(scale['per_day'], 'message')} a day like those of the log, {plural(scale['agents'], 'agent')} that read the primer once a day."
    ]
    text += [
        f"{form['form']} is judged by the {number(form['held'])} messages that it can hold."
        for form in forms
        if form["year"] and form["refused"]
    ]
    head = ["format", "as they are", "in the format", "saved"]
    return _figure(
        "A year ahead",
        plots.year(item, key + "d"),
        text,
        _table("A year, " + ("in dollars" if item["price"] else "in tokens, since no price is known"), head, rows),
    )


# --- pairs, and what was not counted ---------------------------------------------------------------------


def _pairs(said: dict[str, Any]) -> dict[str, Any]:
    rows = said["pairs"]
    table = [
        [
            _side(row["sender"]),
            _side(row["receiver"]),
            number(row["messages"]),
            number(row["tokens"]),
            number(row["best"]),
            share((row["tokens"] - row["best"]) / row["tokens"]),
        ]
        for row in rows
    ]
    now, best = (sum(row[which] for row in rows) for which in ("tokens", "best"))
    messages = sum(row["messages"] for row in rows)
    whole = (
        "All messages"
        if messages == said["messages"]
        else f"The {plural(messages, 'message')} of these pairs, those with most tokens,"
    )
    text = [
        f"The outline is what a pair’s messages take as they are; the full bar what they would take if each were in whatever form is cheapest for it, its own included ({said['tokenizers'][0]['name']})."
    ]
    text.append(f"{whole} together: {number(now)} tokens now, {number(best)} at best, {share((now - best) / now)}.")
    if any((row["sender"], row["receiver"]) == OTHERS for row in rows):
        text.append(f"Pairs beyond the first {number(MAX_PAIRS)} are counted together.")
    head = ["from", "to", "messages", "tokens now", "at best", "saved"]
    return _figure(
        "", plots.pairs(rows, [_pair(row) for row in rows], "p"), text, _table("Tokens by pair of agents", head, table)
    )


def _side(name: str) -> str:
    return "(not named)" if name == NOBODY else name


def _pair(row: dict[str, Any]) -> str:
    if row["sender"] == row["receiver"] == NOBODY:
        return "neither is named"
    if (row["sender"], row["receiver"]) == OTHERS:
        return "all further pairs"
    return " → ".join(shorten("?" if name == NOBODY else name, MAX_NAME) for name in (row["sender"], row["receiver"]))


def _repeats(said: dict[str, Any]) -> Table:
    rows = [
        [kind, REPEATS.get(kind, NONE), number(found["texts"]), number(found["characters"])]
        for kind, found in said["repeats"].items()
    ]
    return _table("By kind", ["kind", "what it is", "texts", "characters"], rows)


def _unread(said: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**item, "more": item["count"] > MAX_SHOWN} for item in said["unread"]]
