"""SILP's census of verbs: 13 of one token in six tokenizers, 2 excluded."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from sabir import meter
from sabir.claims.claim import MODELS, Cells, Claim, Figure, by_column, columns_of, counting, listed, span
from sabir.silp.verbs import APPROVED, EXCLUDED


def _word(code: str) -> str:
    """The verb of an action code, as the code frontend writes it."""
    return code[1:].lower()


_WORDS: Final = tuple(map(_word, APPROVED))
_CODES: Final = "mean of the same verbs as action codes (!CANCEL)"
_SPACED: Final = "of these, 1 token after a space, too"
_VERBS: Final = (*(Figure(word, "1", 0) for word in _WORDS), Figure(_SPACED, "", 0), Figure(_CODES))
_BANNED: Final = {_word(code): excluded.tokens for code, excluded in EXCLUDED.items()}
_OUT: Final = (
    *(Figure(word, ", ".join(map(str, tokens)), 0) for word, tokens in _BANNED.items()),
    *(Figure(f"{word}, after a space", "", 0) for word in _BANNED),
)


def _verbs(_data: Any, tokenizer: str) -> Mapping[str, float]:
    count = counting(tokenizer)
    spaced = sum(row.single for row in meter.census(_WORDS, [tokenizer], spaced=True))
    codes = sum(map(count, APPROVED)) / len(APPROVED)
    return {**{word: count(word) for word in _WORDS}, _SPACED: spaced, _CODES: codes}


def _excluded(_data: Any, tokenizer: str) -> Mapping[str, float]:
    alone, spaced = (meter.census(_BANNED, [tokenizer], spaced=after) for after in (False, True))
    return {
        **{row.word: row.tokens[tokenizer] for row in alone},
        **{f"{row.word}, after a space": row.tokens[tokenizer] for row in spaced},
    }


def _single(cells: Cells) -> str:
    longer = sorted({f"{name} in {column}" for (name, column), value in cells.items() if name in _WORDS and value != 1})
    whole = f"as action codes, with ! and in capitals, they are {span(cells, _CODES, 1)} tokens on average"
    why = f"more than one token: {listed(longer)}" if longer else whole
    return by_column(cells, lambda number: all(number(word) == 1 for word in _WORDS), why)


def _counts(cells: Cells) -> str:
    """Each count of the draft against ours, tokenizer by tokenizer."""
    quoted = {(word, name): tokens[at] for word, tokens in _BANNED.items() for at, name in enumerate(MODELS)}
    off = {key: value for key, value in cells.items() if quoted.get(key, value) != value}
    good = [name for name in columns_of(cells) if all(name != wrong for _, wrong in off)]
    if not off:
        verdict, why = "holds", "every count agrees"
    else:
        verdict = f"holds only in {listed(good)}" if good else "does not hold"
        why = listed(
            f"{word} in {name} is {value:.0f}, not {quoted[word, name]}" for (word, name), value in off.items()
        )
    return f"{verdict}: {why}{''.join(map(partial(_cheap, cells), _BANNED))}"


def _cheap(cells: Cells, word: str) -> str:
    """Where an excluded verb is one token after all, as the end of a verdict."""
    where = [name for name in columns_of(cells) if cells[f"{word}, after a space", name] == 1]
    return f"; but after a space {word} is 1 token in {listed(where)}" if where else ""


CLAIMS: Final = (
    Claim(
        id="silp-verbs",
        document="SILP",
        section="3.8",
        quoted="13 verbs of 1 token in 6 tokenizers",
        words="Each of the 13 approved verbs is exactly one token in each of six tokenizers.",
        meaning="Tokens of the verb in lower case, alone, as the draft's census has it. The vocabularies of claude "
        "and gemini are the last that were published.",
        figures=_VERBS,
        columns=MODELS,
        measure=_verbs,
        verdict=_single,
        texts=_WORDS,
    ),
    Claim(
        id="silp-excluded",
        document="SILP",
        section="3.8",
        quoted="2 verbs of 2 or 3 tokens",
        words="SWITCH_TOOL and ESCALATE are not approved, as they are 2 or 3 tokens.",
        meaning="Tokens of the verb in lower case, alone; the draft's counts are in the order of the columns. "
        "After a space, where a verb stands in a line, is shown, too.",
        figures=_OUT,
        columns=MODELS,
        measure=_excluded,
        verdict=_counts,
        texts=tuple(_BANNED),
    ),
)
