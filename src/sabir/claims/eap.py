"""The table of five formats in EAP's document, and its warning about the Unicode form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sabir.claims.claim import MODELS, Cells, Claim, Figure, by_column, counting, gain, saved, span
from sabir.claims.corpus import Rows, mean, minified

_EXACT: Final = "gpt-4"
"""The document counts in cl100k_base, which is this tokenizer's vocabulary."""
_TABLE: Final = (
    Figure("Japanese sentence", "33.5", 2),
    Figure("English sentence", "16.4", 2),
    Figure("EAP Unicode", "24.7", 2),
    Figure("EAP ASCII", "12.8", 2),
    Figure("AIT", "5.4", 2),
)
_PUBLISHED: Final = ("natural_ja", "natural_en", "eap_unicode", "eap_ascii", "ait")
_OURS: Final = ("ja", "en", "eap-unicode", "eap", "ait")
_GAIN: Final = "EAP ASCII saves against the English sentence, %"
_LOSS: Final = "EAP Unicode saves against the English sentence, %"


def _means(tokenizer: str, rows: Rows, fields: tuple[str, ...]) -> dict[str, float]:
    count = counting(tokenizer)
    return {
        figure.name: mean(count, [row[field] for row in rows]) for figure, field in zip(_TABLE, fields, strict=True)
    }


def _published(data: Rows, tokenizer: str) -> Mapping[str, float]:
    return _means(tokenizer, data, _PUBLISHED)


def _ours(data: dict[str, Rows], tokenizer: str) -> Mapping[str, float]:
    tasks = data["tasks"]
    cells = _means(tokenizer, tasks, _OURS)
    return cells | {
        "minified JSON": mean(counting(tokenizer), [minified(task["json"]) for task in tasks]),
        _GAIN: saved(cells["EAP ASCII"], cells["English sentence"]),
        _LOSS: saved(cells["EAP Unicode"], cells["English sentence"]),
    }


def _unicode(data: dict[str, Rows], tokenizer: str) -> Mapping[str, float]:
    cells = _means(tokenizer, data["tasks"], _OURS)
    wanted = {name: cells[name] for name in ("English sentence", "EAP Unicode")}
    return wanted | {_LOSS: saved(cells["EAP Unicode"], cells["English sentence"])}


def _exactly(cells: Cells) -> str:
    found = [cells.get((figure.name, _EXACT)) for figure in _TABLE]
    numbers = [value for value in found if value is not None]
    if len(numbers) < len(found):
        return "not measured here (the table is in cl100k_base, which is not here)"
    same = all(f"{value:.1f}" == figure.quoted for figure, value in zip(_TABLE, numbers, strict=True))
    shown = ", ".join(f"{value:.2f}" for value in numbers)
    return f"{'holds' if same else 'does not hold'}: {shown} in cl100k_base"


def _in_order(cells: Cells) -> str:
    saving = gain(cells, _GAIN, "the English sentence")
    why = f"EAP ASCII {saving}; AIT is {span(cells, 'AIT', 1)} tokens"
    return by_column(cells, lambda number: number("AIT") < number("EAP ASCII") < number("English sentence"), why)


def _dearer(cells: Cells) -> str:
    numbers = [value for (name, _), value in cells.items() if name == _LOSS]
    more = sum(value < 0 for value in numbers)
    verdict = "holds" if 2 * more > len(numbers) else "does not hold"
    return f"{verdict}: in {more} of {len(numbers)} tokenizers; it {gain(cells, _LOSS, 'the English sentence')}"


CLAIMS: Final = (
    Claim(
        id="eap-table",
        document="EAP",
        section="Token Cost",
        quoted="33.5, 16.4, 24.7, 12.8, 5.4",
        words="A task takes on average 33.5 tokens in Japanese, 16.4 in English, 24.7 in EAP Unicode, 12.8 in EAP "
        "ASCII, 5.4 in AIT.",
        meaning="Mean over the 14 tasks of the tokens of each text as published, counted whole, several packets in "
        "a text together. The document's tokenizer is cl100k_base (gpt-4 here); the "
        "others show how much of it is that tokenizer's. Half of the AIT texts use codes that AIT's own dictionary "
        "lacks.",
        source="eap-ait-tasks",
        figures=_TABLE,
        columns=MODELS,
        measure=_published,
        verdict=_exactly,
    ),
    Claim(
        id="eap-order",
        document="EAP",
        section="Token Cost",
        quoted="5.4 under 12.8 under 16.4",
        words="AIT is cheaper than EAP ASCII, and that is cheaper than English.",
        meaning="The same means on tasks of ours, all of which AIT's dictionary can say; the document's figures "
        "beside them are of its own tasks.",
        source="shipped",
        figures=(
            *_TABLE,
            Figure("minified JSON", "", 2),
            Figure(_GAIN),
            Figure(_LOSS),
        ),
        columns=MODELS,
        measure=_ours,
        verdict=_in_order,
    ),
    Claim(
        id="eap-unicode",
        document="EAP",
        section="Token Cost",
        quoted="more than English on most tokenizers",
        words="EAP's Unicode form costs more than the English sentence in most tokenizers.",
        meaning="Means on tasks of ours; most is more than half of the tokenizers measured.",
        source="shipped",
        figures=(*(Figure(name, "", 2) for name in ("English sentence", "EAP Unicode")), Figure(_LOSS)),
        columns=MODELS,
        measure=_unicode,
        verdict=_dearer,
    ),
)
