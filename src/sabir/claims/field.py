"""Claims of the wider field: four characters a token, and what TOON saves."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from sabir.claims.claim import (
    MODELS,
    Cells,
    Claim,
    Figure,
    at_least,
    by_column,
    by_figure,
    counting,
    gain,
    listed,
    saved,
    span,
)
from sabir.claims.corpus import Rows, indented, mean, minified

_FORMS: Final = {
    "plain sentence": ("messages", "sentence"),
    "minified JSON": ("messages", "json"),
    "Slipstream": ("messages", "slip"),
    "Agent Lingua": ("messages", "lingua"),
    "Japanese sentence": ("tasks", "ja"),
    "EAP ASCII": ("tasks", "eap"),
    "EAP Unicode": ("tasks", "eap-unicode"),
    "AIT": ("tasks", "ait"),
}
_RULE: Final = 4
_NEAR: Final = 0.1
"""How far the rule may be off, as a part, to count as right."""
_TOLD: Final = {
    "sentences": "plain sentence",
    "JSON messages": "minified JSON",
    "Agent Lingua's": "Agent Lingua",
    "Japanese sentences": "Japanese sentence",
    "AIT's": "AIT",
}
"""Forms that the verdict names."""
_RATIOS: Final = tuple(Figure(form, "4", 2) for form in _FORMS)

_ABOUT: Final = 39.5
"""Percent that count as about 40."""
_ONE, _TABLE = "one by one", "as one table"
_TOON: Final = tuple(
    figure
    for way, digits in ((_ONE, 1), (_TABLE, 0))
    for figure in (
        Figure(f"indented JSON, {way}", "", digits),
        Figure(f"minified JSON, {way}", "", digits),
        Figure(f"TOON, {way}", "", digits),
        Figure(f"saved against indented JSON, {way}, %", "40"),
        Figure(f"saved against minified JSON, {way}, %"),
    )
)


def _ratios(data: dict[str, Rows], tokenizer: str) -> Mapping[str, float]:
    count = counting(tokenizer)
    cells = {}
    for form, (rows, field) in _FORMS.items():
        texts = [minified(row[field]) for row in data[rows]]
        cells[form] = sum(map(len, texts)) / sum(map(count, texts))
    return cells


def _toon(data: dict[str, Rows], tokenizer: str) -> Mapping[str, float]:
    messages = [row["json"] for row in data["messages"]]
    heads = ("sender", "recipient", "message_type")
    table = [{**{head: row["json"].get(head) for head in heads}, "text": row["sentence"]} for row in data["messages"]]
    return {**_savings(tokenizer, messages, _ONE), **_savings(tokenizer, [table], _TABLE)}


def _savings(tokenizer: str, values: list[Any], way: str) -> dict[str, float]:
    count = counting(tokenizer)
    wide, small, toon = (
        mean(count, [form(value) for value in values]) for form in (indented, minified, import_module("toons").dumps)
    )
    tokens = {f"indented JSON, {way}": wide, f"minified JSON, {way}": small, f"TOON, {way}": toon}
    return tokens | {
        f"saved against indented JSON, {way}, %": saved(toon, wide),
        f"saved against minified JSON, {way}, %": saved(toon, small),
    }


def _four(cells: Cells) -> str:
    spans = [f"{name} have {span(cells, form, 1)}" for name, form in _TOLD.items()]
    return by_figure(
        cells, _RATIOS, lambda _, value: abs(value / _RULE - 1) <= _NEAR, f"in characters a token, {listed(spans)}"
    )


def _forty(cells: Cells) -> str:
    ways = [
        f"{way} it {gain(cells, f'saved against minified JSON, {way}, %', 'minified JSON')}" for way in (_ONE, _TABLE)
    ]
    good = [
        way
        for way in (_ONE, _TABLE)
        if by_column(cells, at_least(f"saved against indented JSON, {way}, %", _ABOUT)) == "holds"
    ]
    verdict = (
        "does not hold"
        if not good
        else "holds only against indented JSON"
        if len(good) == 2
        else f"holds only {good[0]}, against indented JSON"
    )
    return f"{verdict}: {'; '.join(ways)}"


CLAIMS: Final = (
    Claim(
        id="field-four-characters",
        document="the field",
        section="rule of thumb",
        quoted="4 characters a token",
        words="A token is about four characters, so tokens need not be counted.",
        meaning="Characters divided by tokens over all texts of a form; about is within 10 % in every tokenizer.",
        source="shipped",
        figures=_RATIOS,
        columns=MODELS,
        measure=_ratios,
        verdict=_four,
    ),
    Claim(
        id="field-toon",
        document="the field",
        section="TOON's own benchmark",
        quoted="40 % of formatted JSON",
        words="TOON takes about 40 % fewer tokens than formatted JSON.",
        meaning="Tokens of our messages as JSON objects, each by itself, and of all of them as one list of equal "
        "objects, which is what TOON is made for. Minified JSON, which programs really send, "
        "is shown, too.",
        source="shipped",
        figures=_TOON,
        columns=MODELS,
        measure=_toon,
        verdict=_forty,
        package="toons",
    ),
)
