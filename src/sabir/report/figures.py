"""The figures of a page: each plot with what it shows in words, and its numbers as a table."""

from __future__ import annotations

from typing import Any, Final

from markupsafe import Markup

from sabir.report import curves, plots
from sabir.report.collect import MAX_PAIRS, NOBODY, OTHERS
from sabir.report.words import NEVER, NONE, even, money, number, ordered, part, percent, plural, share, shares, shorten

MAX_CELL: Final = 60
"""Columns of a cell in a table."""
MAX_NAME: Final = 12
"""Columns of an agent's name beside a bar; the table has the rest."""

Table = dict[str, Any]
Figure = dict[str, Any]


def table(caption: str, head: list[str], rows: list[list[str]]) -> Table:
    """A table whose first column names its rows."""
    return {"caption": caption, "head": head, "rows": [[shorten(cell, MAX_CELL) for cell in row] for row in rows]}


def of_tokenizer(item: dict[str, Any], key: str, said: dict[str, Any]) -> list[Figure]:
    """All figures of one tokenizer; ``key`` keeps their ids apart from those of others."""
    forms = ordered(item["forms"])
    found = [_tokens(item, forms, key), _spread(item, forms, key), _earning(item, forms, key)]
    if said["scale"] and any(form["year"] for form in forms):
        found.append(_year(item, forms, key, said))
    return found


def _figure(title: str, plot: Markup, text: list[str], numbers: Table) -> Figure:
    return {"title": title, "plot": plot, "text": text, "table": numbers}


def _name(form: dict[str, Any]) -> str:
    return f"{form['form']}" if form["lossless"] else f"{form['form']} (baseline)"


def _count(count: int, spread: dict[str, Any], saved: float | None) -> list[str]:
    mean, median, p95 = number(spread["mean"], 1), number(spread["median"]), number(spread["p95"])
    return [number(count), number(spread["total"]), share(saved), mean, median, p95]


def _tokens(item: dict[str, Any], forms: list[dict[str, Any]], key: str) -> Figure:
    count = forms[0]["held"] + forms[0]["refused"]
    rows = [["as they are", *_count(count, item["now"], None)]]
    rows += [[_name(form), *_count(form["held"], form["tokens"], form["saved"])] for form in forms]
    text = [
        "A thick line marks what the same messages take as they are.",
        "Bars to the right are full where a format saves; hatched, and left of zero, where it costs more.",
    ]
    for form in forms:
        if form["held"] and form["refused"]:
            held = f"{number(form['held'])} of the {plural(count, 'message')}"
            text.append(f"{form['form']} can hold {held}; it is compared on those alone.")
        elif form["refused"]:
            text.append(f"{form['form']} can hold none of the messages.")
    head = ["format", "messages", "tokens", "saved", "mean", "median", "95\u202f%"]
    numbers = table("Tokens of the messages in each format", head, rows)
    return _figure("Tokens by format", plots.tokens(item, key + "a"), text, numbers)


def _spread(item: dict[str, Any], forms: list[dict[str, Any]], key: str) -> Figure:
    rows = []
    for form in (form for form in forms if form["held"]):
        ends = [percent(form[which]) for which in ("saved_p5", "saved_median", "saved_p95")]
        rows.append([_name(form), *(part(found) for found in shares(form)), *ends])
    text = [
        "Each message is compared with itself as it is now.",
        "Left of “same” are the messages that get longer (hatched), right of it those that get shorter (full).",
        "The tallest bar of a format is its most frequent class; a class is half a doubling or halving wide.",
    ]
    head = ["format", "lose", "same", "save", "5\u202f%", "median", "95\u202f%"]
    numbers = table("Savings of single messages", head, rows)
    return _figure("How savings are distributed", plots.distribution(item, key + "b"), text, numbers)


def _earning(item: dict[str, Any], forms: list[dict[str, Any]], key: str) -> Figure:
    rows = [["as they are", money(item["cost_now"]), NONE, NONE, NONE]]
    for form in forms:
        each = (form["tokens_now"] - form["tokens"]["total"]) / form["held"] if form["held"] else None
        rows.append([_name(form), money(form["cost"]), number(form["primer"]), number(each, 1), even(form)])
    earned = [f"{form['form']} after {plural(form['break_even'], 'message')}" for form in forms if form["break_even"]]
    never = [form["form"] for form in forms if even(form) == NEVER]
    text = [
        "A model reads a format’s primer before it can write the format, so each begins with a debt.",
        "Where a curve crosses zero (ring), the primer is earned.",
        f"Earned: {', '.join(earned) or 'none'}. Never: {', '.join(never) or 'none'}.",
    ]
    if below := [form["form"] for form in forms if form["primer"] is not None and (form["saved"] or 0) <= -1]:
        text.append(f"Below the frame, with more than twice the tokens even without a primer: {', '.join(below)}.")
    head = ["format", "cost", "primer", "saved each", "break-even"]
    units = "Cost of the log in dollars; primer, and saving of each message, in tokens; break-even in messages"
    return _figure("Break-even", curves.earning(item, key + "c"), text, table(units, head, rows))


def _year(item: dict[str, Any], forms: list[dict[str, Any]], key: str, said: dict[str, Any]) -> Figure:
    scale = said["scale"]
    agents = plural(scale["agents"], "agent")
    text = [f"{plural(scale['per_day'], 'message')} a day like those of the log; the primer a day for {agents}."]
    rows = []
    for form in (form for form in forms if form["year"]):
        year = form["year"]
        sums = [number(year["now_tokens"]), number(year["tokens"] + year["primer_tokens"])]
        rows.append([_name(form), *(_paid(year) or sums), plots.gained(form)])
        if form["refused"]:
            text.append(f"{form['form']} is judged by the {plural(form['held'], 'message')} that it can hold.")
    head = ["format", "as they are", "in the format", "saved"]
    caption = "A year, in dollars" if item["price"] else "A year, in tokens, since no price is known"
    return _figure("A year ahead", plots.year(item, key + "d"), text, table(caption, head, rows))


def _paid(year: dict[str, Any]) -> list[str]:
    return [] if year["saved"] is None else [money(year["now"]), money(year["cost"])]


# --- pairs ------------------------------------------------------------------------------------------------


def of_pairs(said: dict[str, Any]) -> Figure:
    """Tokens by pair of agents."""
    rows = said["pairs"]
    cells = [[_side(row["sender"]), _side(row["receiver"]), number(row["messages"]), *_sums(row)] for row in rows]
    whole = {which: sum(row[which] for row in rows) for which in ("messages", "tokens", "best")}
    now, best, saved = _sums(whole)
    largest = f"These pairs, with {number(whole['messages'])} of the {plural(said['messages'], 'message')},"
    these = "All" if whole["messages"] == said["messages"] else largest
    counted = said["tokenizers"][0]["name"]
    text = [
        "The outline is what a pair’s messages take as they are.",
        "The full bar is what they would take if each were in whatever form is cheapest for it, its own included.",
        f"{these} together: {now} tokens now, {best} at best ({counted}), saved {saved}.",
    ]
    if any((row["sender"], row["receiver"]) == OTHERS for row in rows):
        text.append(f"Pairs beyond the first {number(MAX_PAIRS)} are counted together.")
    head = ["from", "to", "messages", "tokens now", "at best", "saved"]
    plot = plots.pairs(rows, [_pair(row) for row in rows], "p")
    return _figure("", plot, text, table("Tokens by pair of agents", head, cells))


def _sums(row: dict[str, Any]) -> list[str]:
    return [number(row["tokens"]), number(row["best"]), share((row["tokens"] - row["best"]) / row["tokens"])]


def _side(name: str) -> str:
    return "(not named)" if name == NOBODY else name


def _pair(row: dict[str, Any]) -> str:
    if row["sender"] == row["receiver"] == NOBODY:
        return "neither is named"
    if (row["sender"], row["receiver"]) == OTHERS:
        return "all further pairs"
    return " → ".join(shorten("?" if name == NOBODY else name, MAX_NAME) for name in (row["sender"], row["receiver"]))
