"""Slipstream's claims about tokens: 45 to 7, Tables 1 and 6, and what anchors cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sabir import meter
from sabir.claims.claim import MODELS, Cells, Claim, Figure, at_least, by_column, by_figure, counting, gain, saved, span
from sabir.claims.corpus import Rows, indented, mean, minified
from sabir.meter.counters import Counter
from sabir.slip.message import to_json
from sabir.slip.wire import decode
from sabir.ucr import core

_MESSAGE: Final = {
    "sender": "planning_agent",
    "recipient": "execution_agent",
    "message_type": "task_delegation",
    "content": {"request": "Please review the authentication code", "priority": "high"},
}
_LINE: Final = "SLIP v1 planner executor RequestReview auth_module"
_SECOND: Final = "SLIP v1 dev reviewer RequestReview auth"
_SYNTACTIC: Final = ("REQ/TSK", "|s=7|")
_WHOLE: Final = "REQ/TSK|s=7|d=3|act=review_auth"
_ANCHOR, _INDEX = "RequestReview", "0x0011"

_TYPES: Final = {
    "task delegation": ("47.3", "8.2", "82.7"),
    "status update": ("35.1", "6.4", "81.8"),
    "error report": ("52.0", "9.1", "82.5"),
}
"""Rows of Table 6: tokens as JSON, tokens in Slipstream, percent saved."""
_QUOTED: Final = 82.3

_EXAMPLE: Final = (
    Figure("JSON message, indented by two", "45", 0),
    Figure("JSON message, minified", "45", 0),
    Figure("the request inside it, a sentence", "10", 0),
    Figure("SLIP line of 1.3", "7", 0),
    Figure("SLIP line of 3.2", "7", 0),
    Figure("saved against indented JSON, %", "82"),
    Figure("saved against minified JSON, %", "82"),
)
_TABLE_1: Final = (Figure("REQ/TSK", "3", 0), Figure("|s=7|", "5", 0))
_PIECES: Final = (Figure(_WHOLE, "18 to 22", 0),)
_NAMES: Final = (
    Figure(f"{_ANCHOR}, alone", "1 to 2", 0),
    Figure(f"{_ANCHOR}, after a space", "1 to 2", 0),
    Figure(f"{_INDEX}, alone", "3 to 4", 0),
    Figure(f"{_INDEX}, after a space", "3 to 4", 0),
    Figure("core anchors of 1 or 2 tokens after a space, of 46", "", 0),
)


def _totals(json: str = "", slip: str = "", part: str = "") -> tuple[Figure, ...]:
    return (
        Figure("minified JSON, all", json),
        Figure("SLIP, all", slip),
        Figure("saved against minified JSON, all, %", part),
        Figure("indented JSON, all"),
        Figure("saved against indented JSON, all, %", part),
        Figure("plain sentence, all"),
        Figure("saved against the plain sentence, all, %"),
    )


_TABLE_6: Final = tuple(
    Figure(f"{name}, {kind}{unit}", quoted)
    for kind, row in _TYPES.items()
    for (name, unit), quoted in zip(
        (("minified JSON", ""), ("SLIP", ""), ("saved against minified JSON", ", %")), row, strict=True
    )
) + _totals("41.9", "7.4", "82.3")
_PUBLIC: Final = tuple(figure for figure in _totals("41.9", "7.4", "82.3") if "indented" not in figure.name)


def _example(_data: Any, tokenizer: str) -> Mapping[str, float]:
    count = counting(tokenizer)
    printed, small, line = count(indented(_MESSAGE)), count(minified(_MESSAGE)), count(_LINE)
    request = count(_MESSAGE["content"]["request"])  # type: ignore[index]  # the message above
    values = (printed, small, request, line, count(_SECOND), saved(line, printed), saved(line, small))
    return dict(zip((figure.name for figure in _EXAMPLE), values, strict=True))


def _table_1(_data: Any, tokenizer: str) -> Mapping[str, float]:
    return {text: counting(tokenizer)(text) for text in _SYNTACTIC}


def _pieces(_data: Any, tokenizer: str) -> Mapping[str, float]:
    return {_WHOLE: counting(tokenizer)(_WHOLE)}


def _names(_data: Any, tokenizer: str) -> Mapping[str, float]:
    alone = meter.census([_ANCHOR, _INDEX], [tokenizer])
    spaced = meter.census([_ANCHOR, _INDEX], [tokenizer], spaced=True)
    cheap = meter.census([anchor.mnemonic for anchor in core()], [tokenizer], spaced=True)
    values = (
        *(rows[at].tokens[tokenizer] for at in (0, 1) for rows in (alone, spaced)),
        sum(row.tokens[tokenizer] <= 2 for row in cheap),
    )
    return dict(zip((figure.name for figure in _NAMES), values, strict=True))


def _table_6(data: dict[str, Rows], tokenizer: str) -> Mapping[str, float]:
    counter = meter.counter(tokenizer)
    messages = data["messages"]
    cells: dict[str, float] = {}
    for kind in _TYPES:
        rows = [row for row in messages if row["type"] == kind]
        if rows:
            json, slip = _means(counter, rows)
            cells |= {
                f"minified JSON, {kind}": json,
                f"SLIP, {kind}": slip,
                f"saved against minified JSON, {kind}, %": saved(slip, json),
            }
    json, slip = _means(counter, messages)
    wide = mean(counter.count, [indented(row["json"]) for row in messages])
    plain = mean(counter.count, [row["sentence"] for row in messages])
    return (
        cells
        | _all(json, slip, plain)
        | {"indented JSON, all": wide, "saved against indented JSON, all, %": saved(slip, wide)}
    )


def _means(counter: Counter, rows: Rows) -> tuple[float, float]:
    json = mean(counter.count, [minified(row["json"]) for row in rows])
    return json, mean(counter.count, [row["slip"] for row in rows])


def _all(json: float, slip: float, plain: float) -> dict[str, float]:
    return {
        "minified JSON, all": json,
        "SLIP, all": slip,
        "saved against minified JSON, all, %": saved(slip, json),
        "plain sentence, all": plain,
        "saved against the plain sentence, all, %": saved(slip, plain),
    }


def _public(data: Rows, tokenizer: str) -> Mapping[str, float]:
    count = counting(tokenizer)
    json = [minified(to_json(decode(row["wire"], allow_unknown=True))) for row in data]
    slip, plain = ([row[field] for row in data] for field in ("wire", "text"))
    return _all(mean(count, json), mean(count, slip), mean(count, plain))


def _against_json(cells: Cells) -> str:
    """Verdict of a table that says "JSON" and not which: minified, else indented, else not at all."""
    kinds = [kind for kind in ("minified JSON", "indented JSON") if any(kind in name for name, _ in cells)]
    figures = {kind: f"saved against {kind}, all, %" for kind in kinds}
    sentence = gain(cells, "saved against the plain sentence, all, %", "the plain sentence")
    why = f"SLIP {', '.join(gain(cells, figure, kind) for kind, figure in figures.items())}, and {sentence}"
    for kind, figure in figures.items():
        verdict = by_column(cells, at_least(figure, _QUOTED))
        if verdict != "does not hold":
            where = "holds" if kind == "minified JSON" else "holds only against indented JSON"
            return f"{where}{verdict.removeprefix('holds').removeprefix(' only')}: {why}"
    return f"does not hold: {why}"


CLAIMS: Final = (
    Claim(
        id="slip-example",
        document="Slipstream",
        section="1.1, 1.3 and 3.2",
        quoted="45 to 7 tokens, 82 %",
        words="The paper's JSON example is about 45 tokens, of which some 10 are meaning; the same in Slipstream is 7.",
        meaning="Tokens of the texts as the paper prints them; it does not tell how its JSON is indented, so it is "
        "indented by two here, and minified. The SLIP line says less: the priority and the sentence are gone.",
        figures=_EXAMPLE,
        columns=MODELS,
        measure=_example,
        verdict=lambda cells: by_column(
            cells,
            lambda number: number("SLIP line of 1.3") <= 7 and number("saved against indented JSON, %") >= 82,
            f"the line is {span(cells, 'SLIP line of 1.3', 0)} tokens and "
            f"{gain(cells, 'saved against minified JSON, %', 'minified JSON')}; the sentence alone is "
            f"{span(cells, 'the request inside it, a sentence', 0)}",
        ),
        texts=(indented(_MESSAGE), _LINE, _SECOND),
    ),
    Claim(
        id="slip-table-1",
        document="Slipstream",
        section="1.2, Table 1",
        quoted="3 and 5 tokens",
        words="Short codes of signs break into many tokens: REQ/TSK into 3, |s=7| into 5.",
        meaning="Tokens of each text, alone.",
        figures=_TABLE_1,
        columns=MODELS,
        measure=_table_1,
        verdict=lambda cells: by_figure(
            cells,
            _TABLE_1,
            lambda figure, value: figure.shown(value) == figure.quoted,
            f"REQ/TSK is {span(cells, 'REQ/TSK', 0)} tokens, |s=7| {span(cells, '|s=7|', 0)}",
        ),
        texts=_SYNTACTIC,
    ),
    Claim(
        id="slip-syntactic",
        document="Slipstream",
        section="1.2",
        quoted="18 to 22 tokens",
        words="A line of such codes, meant to be 8 to 10 tokens, is really 18 to 22.",
        meaning="Tokens of the whole line, without the blanks of the print.",
        figures=_PIECES,
        columns=MODELS,
        measure=_pieces,
        verdict=lambda cells: by_column(
            cells, lambda number: 18 <= number(_WHOLE) <= 22, f"it is {span(cells, _WHOLE, 0)} tokens"
        ),
        texts=(_WHOLE,),
    ),
    Claim(
        id="slip-anchors",
        document="Slipstream",
        section="1.3",
        quoted="1 to 2 against 3 to 4 tokens",
        words="A mnemonic such as RequestReview is 1 or 2 tokens in the major tokenizers, an index such as 0x0011 "
        "is 3 or 4.",
        meaning="Tokens of each alone; after a space, where they stand in a line, is shown, too.",
        figures=_NAMES,
        columns=MODELS,
        measure=_names,
        verdict=lambda cells: by_column(
            cells,
            lambda number: number(f"{_ANCHOR}, alone") <= 2 and 3 <= number(f"{_INDEX}, alone") <= 4,
            f"the mnemonic is {span(cells, f'{_ANCHOR}, alone', 0)} tokens, "
            f"the index {span(cells, f'{_INDEX}, alone', 0)}",
        ),
        texts=(_ANCHOR, _INDEX),
    ),
    Claim(
        id="slip-table-6",
        document="Slipstream",
        section="6.1, Table 6",
        quoted="82.3 %",
        words="Slipstream saves 82.3 % of the tokens of JSON on average: 7.4 against 41.9.",
        meaning="Mean tokens of a message that says the same in each form. The paper does not say how its JSON is "
        "written, so minified and indented JSON are both "
        "counted, and the plain sentence, which it leaves out. Its messages are unpublished.",
        source="shipped",
        figures=_TABLE_6,
        columns=MODELS,
        measure=_table_6,
        verdict=_against_json,
    ),
    Claim(
        id="slip-public",
        document="Slipstream",
        section="6.1, Table 6",
        quoted="82.3 %",
        words="The same claim on real lines: those that its author publishes to train models.",
        meaning="Mean tokens of the line, of the same message as minified JSON (version, src, dst, anchor, "
        "payload), and of the sentence that it stands for.",
        source="slip-intents-dev",
        figures=_PUBLIC,
        columns=MODELS,
        measure=_public,
        verdict=_against_json,
    ),
)
