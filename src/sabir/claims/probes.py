"""SILP's 144 probes: words with something invisible or a look-alike in them, and what readers make of them here.

The draft names 4 zero-width characters, 5 words for them, 2 words for look-alikes and 6 tokenizers. Its author's public
results show the rest: the words are three verbs and two keywords of the code frontend, the character stands in the
middle, and of the look-alikes there are four spellings. So there are 5 times 4 and 4 spellings, in 6 tokenizers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import sabir
from sabir import meter
from sabir.claims.claim import MODELS, Cells, Claim, Figure, by_column, by_figure
from sabir.errors import DecodeError
from sabir.silp.checks import action_codes
from sabir.silp.ir import SilpIR
from sabir.silp.verbs import APPROVED

_ZERO_WIDTH: Final = "\u200b\u200c\u200d\ufeff"
_SENTENCES: Final = {
    "cancel": "cancel(flight)",
    "start": "start(hike)",
    "translate": "translate(letter)",
    "if": "if rain(t+1): start(hike)",
    "else": "if rain(t+1): start(hike) else: start(cards)",
}
"""The words, and for each a text of the code frontend in which it stands first."""
_ALIKE: Final = (
    ("cancel", "a", "\u0430"),
    ("start", "a", "\u0430"),
    ("cancel", "e", "\u0435"),
    ("cancel", "c", "\u0441"),
)
"""Word, Latin letter, and the Cyrillic letter that looks the same."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A word and a spelling that looks like it."""

    word: str
    spelling: str


def _split(word: str, char: str) -> str:
    middle = len(word) // 2
    return word[:middle] + char + word[middle:]


INVISIBLE: Final = tuple(Probe(word, _split(word, char)) for word in _SENTENCES for char in _ZERO_WIDTH)
ALIKE: Final = tuple(Probe(word, word.replace(latin, cyrillic)) for word, latin, cyrillic in _ALIKE)
PROBES: Final = (*INVISIBLE, *ALIKE)

_CHANGED: Final = (
    Figure(f"zero-width spellings whose tokens change, of {len(INVISIBLE)}", str(len(INVISIBLE)), 0),
    Figure(f"look-alike spellings whose tokens change, of {len(ALIKE)}", str(len(ALIKE)), 0),
    Figure("mean tokens of the word", "", 2),
    Figure("mean tokens of the spelling", "", 2),
)
_READERS: Final = ("silp-code", "silp-code, strict", "silp-json", "eap")
_READ: Final = (
    Figure("spellings tried", "", 0),
    Figure("read as the trusted word, or the message passed on without it", "0", 0),
    Figure("read as another name", "", 0),
    Figure("refused", "", 0),
)


def _tokens(_data: Any, tokenizer: str) -> Mapping[str, float]:
    encode = meter.counter(tokenizer).encode
    changed = [sum(encode(probe.word) != encode(probe.spelling) for probe in probes) for probes in (INVISIBLE, ALIKE)]
    word, spelling = (
        sum(len(encode(text)) for text in texts) / len(PROBES)
        for texts in zip(*((p.word, p.spelling) for p in PROBES), strict=True)
    )
    return dict(zip((figure.name for figure in _CHANGED), (*changed, word, spelling), strict=True))


def message(probe: Probe, reader: str) -> str | None:
    """A message with the probe in it for a reader; None where its format has no place for such a word."""
    if reader.startswith("silp-code"):
        return _SENTENCES[probe.word].replace(probe.word, probe.spelling, 1)
    if f"!{probe.word.upper()}" not in APPROVED:
        return None
    verb = probe.spelling.upper()
    return f'{{"intent":"!{verb}","act":"flight"}}' if reader == "silp-json" else f">GEN:{verb} #flight"


def outcome(text: str, reader: str) -> str:
    """What a reader makes of a text: "trusted", "other" or "refused"."""
    format, _, strict = reader.partition(", ")
    try:
        read = sabir.decode(text, format, strict=bool(strict))
    except DecodeError:
        return "refused"
    ir = read if isinstance(read, SilpIR) else sabir.to_ir(read)
    return "trusted" if any(code in APPROVED for _, code in action_codes(ir)) else "other"


def _readings(_data: Any, reader: str) -> Mapping[str, float]:
    texts = [text for probe in PROBES if (text := message(probe, reader)) is not None]
    found = [outcome(text, reader) for text in texts]
    values = (len(texts), *(found.count(kind) for kind in ("trusted", "other", "refused")))
    return dict(zip((figure.name for figure in _READ), values, strict=True))


def _all_change(cells: Cells) -> str:
    invisible, alike = _CHANGED[0].name, _CHANGED[1].name
    changed = sum(value for (name, _), value in cells.items() if name in (invisible, alike))
    tried = len(PROBES) * sum(name == invisible for name, _ in cells)
    return by_column(
        cells,
        lambda number: number(invisible) == len(INVISIBLE) and number(alike) == len(ALIKE),
        f"{changed:.0f} of {tried} probes change the tokens",
    )


def _none_trusted(cells: Cells) -> str:
    tried, trusted, _, refused = (
        sum(value for (name, _), value in cells.items() if name == figure.name) for figure in _READ
    )
    return by_figure(
        cells,
        _READ[1:2],
        lambda _, value: value == 0,
        f"{trusted:.0f} of {tried:.0f} messages are let through, {refused:.0f} are refused",
    )


CLAIMS: Final = (
    Claim(
        id="silp-probes",
        document="SILP",
        section="8.1",
        quoted="144 of 144 probes",
        words="A zero-width character inside a word, or a Cyrillic letter that looks like a Latin one, changes the "
        "tokens in all of 144 probes.",
        meaning="24 spellings (cancel, start, translate, if and else with each of U+200B, U+200C, U+200D and "
        "U+FEFF in the middle; cancel with Cyrillic a, e or c, start with Cyrillic a), each in 6 tokenizers; its "
        "tokens "
        "against those of the word.",
        figures=_CHANGED,
        columns=MODELS,
        measure=_tokens,
        verdict=_all_change,
        texts=tuple(probe.spelling for probe in PROBES),
    ),
    Claim(
        id="silp-probes-read",
        document="Sabir",
        section="on SILP's 8.1",
        quoted="0 let through",
        words="No such spelling is silently read as the word that it looks like.",
        meaning="The same spellings in whole messages; let through is any that is read as a message with an "
        "approved verb. In SILP's JSON and in EAP they stand in capitals as the verb, where if and else have no "
        "place.",
        figures=_READ,
        columns=_READERS,
        measure=_readings,
        verdict=_none_trusted,
        texts=tuple(text for reader in _READERS for probe in PROBES if (text := message(probe, reader)) is not None),
    ),
)
