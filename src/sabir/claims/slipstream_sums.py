"""Slipstream's claims that need no tokenizer: the sums in Tables 6 and 7, and what cannot be measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sabir.claims.claim import Cells, Claim, Figure, by_column, by_figure, saved

_ROWS: Final = ((47.3, 8.2), (35.1, 6.4), (52.0, 9.1))
"""Table 6: tokens as JSON and in Slipstream, by type of message."""
_MEAN: Final = "mean of the rows"
_AVERAGE: Final = (Figure("JSON tokens", "41.9"), Figure("SLIP tokens", "7.4"), Figure("saved, %", "82.3"))

_JSON, _SLIP = 41.9, 7.4
"""Tokens of a message, from Table 6."""
_PRICE: Final = (5 + 15) / 1_000_000
"""Dollars a token: written once at $15 a million, read once at $5 (section 1.1)."""
_SCALES: Final = {
    "startup, 10 agents, 500 messages a day": (10, 500, 3_600, 650),
    "scale-up, 50 agents, 5,000 messages a day": (50, 5_000, 180_000, 32_400),
    "enterprise, 1,000 agents, 500,000 messages a day": (1_000, 500_000, 2_500_000, 450_000),
    "section 1.1, 50 agents, 1,000 messages a day": (50, 1_000, 180_000, None),
}
"""Agents, messages, and the dollars a year that the paper states for JSON and for Slipstream."""
_READINGS: Final = ("messages of all agents", "messages of each agent")
_COSTS: Final = tuple(
    Figure(f"{form}, {scale}, $ a year", f"{quoted:,}", 0)
    for scale, (_, _, json, slip) in _SCALES.items()
    for form, quoted in (("JSON", json), ("SLIP", slip))
    if quoted is not None
)
_NEAR: Final = 0.1
"""How far a cost may be off, as a part of the one stated, to count as the same."""


def _average(_data: Any, _column: str) -> Mapping[str, float]:
    json, slip = (sum(column) / len(column) for column in zip(*_ROWS, strict=True))
    return {"JSON tokens": json, "SLIP tokens": slip, "saved, %": saved(slip, json)}


def _costs(_data: Any, reading: str) -> Mapping[str, float]:
    cells = {}
    for scale, (agents, messages, _, slip) in _SCALES.items():
        tokens = 365 * messages * (agents if reading == _READINGS[1] else 1)
        cells[f"JSON, {scale}, $ a year"] = tokens * _JSON * _PRICE
        if slip is not None:
            cells[f"SLIP, {scale}, $ a year"] = tokens * _SLIP * _PRICE
    return cells


def _is_average(cells: Cells) -> str:
    json, slip = cells["JSON tokens", _MEAN], cells["SLIP tokens", _MEAN]
    why = f"the rows' mean is {json:.1f} and {slip:.1f}; the paper states no counts to weight them by"
    return by_figure(cells, _AVERAGE, lambda figure, value: figure.shown(value) == figure.quoted, why)


def _cost(cells: Cells) -> str:
    stated = {figure.name: float(figure.quoted.replace(",", "")) for figure in _COSTS}
    factors = {reading: sorted(stated[name] / cells[name, reading] for name in stated) for reading in _READINGS}
    why = "; ".join(
        f"it states {least:.3g} to {most:.3g} times the cost of the {reading}"
        for reading, (least, *_, most) in factors.items()
    )
    return by_column(
        cells, lambda number: all(abs(number(name) / cost - 1) <= _NEAR for name, cost in stated.items()), why
    )


CLAIMS: Final = (
    Claim(
        id="slip-average",
        document="Slipstream",
        section="6.1, Table 6",
        quoted="41.9 to 7.4 on average",
        words="The last row of Table 6 is the average of the three above it.",
        meaning="The plain mean of the three rows as printed.",
        figures=_AVERAGE,
        columns=(_MEAN,),
        measure=_average,
        verdict=_is_average,
        texts=tuple(f"{json} {slip}" for json, slip in _ROWS),
    ),
    Claim(
        id="slip-table-7",
        document="Slipstream",
        section="1.1; 6.2, Table 7",
        quoted="$180,000 to $32,400 a year",
        words="At list prices, 50 agents spend $180,000 a year on coordination in JSON and $32,400 in Slipstream; "
        "other scales likewise.",
        meaning="Messages times tokens times price: 41.9 or 7.4 tokens a message, written once at $15 a million "
        "and read once at $5. The paper does not say whether the messages "
        "are those of all agents or of each; both are computed, and 10 % off would still count.",
        figures=_COSTS,
        columns=_READINGS,
        measure=_costs,
        verdict=_cost,
        texts=tuple(f"{scale} {json} {slip}" for scale, (_, _, json, slip) in _SCALES.items()),
    ),
    Claim(
        id="slip-table-5",
        document="Slipstream",
        section="4.2, Table 5; 6.3",
        quoted="94 %, 78 %, 88.7 %",
        words="The quantizer finds the right anchor for 94 % of texts with embeddings and for 78 % by keywords; "
        "88.7 % of texts need no fallback.",
        meaning="Accuracy of one quantizer on one test set.",
        unmeasured="the paper's test set is unpublished",
    ),
)
