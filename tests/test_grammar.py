"""Grammars in the engines that use them: what they accept, what they refuse, and that all they give decodes."""

from __future__ import annotations

import os
from random import Random

import pytest

import sabir
from grammar import engines
from grammar.cases import (
    CASES,
    NAMED,
    NOT_FLAT,
    accepting,
    canonical,
    format_of,
    is_flat,
    keys_for,
    misses,
    ways,
    written,
)
from grammar.engines import ENGINES
from grammar.sampling import sample
from sabir.grammar import grammar, tree_of

LONG = os.environ.get("SABIR_PROFILE") == "long"
DRAWN = 2000
"""Texts drawn from each tree."""
CHECKED = DRAWN if LONG else 300
"""How many of these the engines are asked about."""
WALKS = 2000 if LONG else 60
"""Texts that an engine writes by itself for each grammar."""

ALL_WAYS = [pytest.param(case, *way, id=f"{case}-{'-'.join(way)}") for case in CASES for way in ways(case)]


@pytest.mark.parametrize(("case", "notation", "engine"), ALL_WAYS)
def test_every_vector_is_accepted(case: str, notation: str, engine: str) -> None:
    """Each engine accepts the canonical text of every vector, but for what a grammar says that it leaves out."""
    texts = canonical(case)
    if is_flat(case, notation):
        texts = [(id, text) for id, text in texts if (case, id) not in NOT_FLAT]
    assert texts
    refused = [
        (id, text) for id, text in texts if not accepting(case, notation, engine, keys_for(case, notation, text))(text)
    ]
    assert refused == []


@pytest.mark.parametrize(("case", "notation", "engine"), ALL_WAYS)
def test_every_near_miss_is_refused(case: str, notation: str, engine: str) -> None:
    """Each engine refuses every near miss."""
    accepted = [
        miss
        for miss in misses(case)
        if accepting(case, notation, engine, keys_for(case, notation, miss["text"]))(miss["text"])
    ]
    assert accepted == []


@pytest.mark.parametrize("case", CASES)
def test_near_misses_are_none_of_ours(case: str) -> None:
    """A near miss does not decode, or not as we would write it, unless it is said to lie beyond the grammar alone."""
    found = misses(case)
    assert len(found) >= 12
    assert len({miss["text"] for miss in found}) == len(found)
    for miss in found:
        try:
            same = sabir.encode(sabir.decode(miss["text"], format_of(case)), format_of(case)) == miss["text"]
        except sabir.DecodeError:
            same = False
        assert same == miss.get("beyond", False), miss


DRAWINGS = [(case, None) for case in CASES] + [
    (case, ("t", "c", "result")) for case in CASES if case not in ("slip", "slip-v3", "ait")
]


@pytest.mark.parametrize(("case", "keys"), DRAWINGS, ids=lambda value: "keys" if isinstance(value, tuple) else value)
def test_every_text_drawn_decodes(case: str, keys: tuple[str, ...] | None) -> None:
    """2,000 texts of a tree all decode, nearly all as they would be written, and decoders by the grammar accept them."""
    name = format_of(case)
    names = {**({} if case == "lingua" else NAMED.get(case, {})), "keys": keys}
    found = tree_of(name, **names)
    dice = Random(20240203)  # noqa: S311  # a seed, no secret
    texts = [sample(found, dice) for _ in range(DRAWN)]
    same = sum(sabir.encode(sabir.decode(text, name), name) == text for text in texts)
    assert same >= 0.95 * DRAWN
    assert len(set(texts)) > DRAWN / 2
    for notation, engine in (("gbnf", "llguidance"), ("lark", "llguidance")):
        accepts = ENGINES[notation][engine](grammar(name, notation, **names))
        assert [text for text in texts[:CHECKED] if not accepts(text)] == []


@pytest.mark.parametrize("case", CASES)
def test_the_package_lark_accepts_texts_drawn(case: str) -> None:
    """The package lark, slower, accepts the first of them."""
    dice = Random(7)  # noqa: S311  # as above
    found = tree_of(format_of(case), **NAMED.get(case, {}))
    accepts = accepting(case, "lark", "lark")
    assert [text for text in (sample(found, dice) for _ in range(25)) if not accepts(text)] == []


WRITTEN = [(case, notation) for case in CASES for notation in ("gbnf", "lark")] + [
    ("silp-ir", "json-schema"),
    ("silp-json", "json-schema"),
]


@pytest.mark.parametrize(("case", "notation"), WRITTEN)
def test_every_text_that_an_engine_writes_decodes(case: str, notation: str) -> None:
    """What a constrained decoder writes that chooses among the allowed bytes by chance decodes."""
    start = engines.MATCHERS[notation](written(case, notation))
    dice = Random(3)  # noqa: S311  # as above
    for _ in range(WALKS):
        sabir.decode(engines.walk(start, dice), format_of(case))
