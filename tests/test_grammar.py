"""Grammars in the engines that use them: what they accept, what they refuse, and that all they give decodes."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import sabir
from grammar import engines
from grammar.engines import ENGINES, Accepts
from grammar.sampling import sample
from sabir.grammar import FORMATS, NOTATIONS, grammar, tree_of
from vectors_of import VECTORS

if TYPE_CHECKING:
    from sabir.eap import EapPacket

MISSES = Path(__file__).parent / "grammar"
CASES = (*FORMATS, "slip-v3")
LONG = os.environ.get("SABIR_PROFILE") == "long"
DRAWN = 2000
"""Texts drawn from each tree."""
CHECKED = DRAWN if LONG else 300
"""How many of these the engines are asked about."""
WALKS = 2000 if LONG else 60
"""Texts that an engine writes by itself for each grammar."""

NAMED: dict[str, dict[str, Any]] = {"slip-v3": {"slip_version": "v3"}, "lingua": {"keys": ("t", "c", "result")}}
"""What a case's grammar is narrowed by: Agent Lingua has JSON only with its keys named."""
NAMED_AS: dict[tuple[str, str], dict[str, Any]] = {
    ("silp-json", "regex"): {"keys": (), "actions": ("START", "CANCEL", "BOOK", "EMAIL")}
}
"""What it is narrowed by besides in one notation."""
LEFT_OUT = {("silp-ir", "extra-entity-field")}
"""Vectors that are outside of every grammar: extra fields."""
NOT_FLAT = {
    ("eap", "json-value"),
    *(("lingua", id) for id in ("post", "reminder", "compound", "chinese-json", "response")),
}
"""Vectors that are outside of a regular expression: lists and objects in data, base64."""
WITHOUT_REGEX = ("silp-code",)


def _format(case: str) -> str:
    return case.removesuffix("-v3")


def ways(case: str) -> list[tuple[str, str]]:
    """Notations and engines that a format's grammar has."""
    schema_only = case in ("silp-ir", "silp-json")
    found = [(notation, engine) for notation in NOTATIONS for engine in ENGINES[notation]]
    if case in WITHOUT_REGEX and not schema_only:
        return [way for way in found if way[0] not in ("regex", "json-schema")]
    return found


def is_flat(case: str, notation: str) -> bool:
    """Whether a grammar is one regular expression."""
    return notation == "regex" or (notation == "json-schema" and not case.startswith("silp"))


def written(case: str, notation: str, **names: Any) -> str:
    """A case's grammar."""
    return grammar(_format(case), notation, **{**NAMED.get(case, {}), **NAMED_AS.get((case, notation), {}), **names})


@cache
def accepting(case: str, notation: str, engine: str, keys: tuple[str, ...] | None = None) -> Accepts:
    """An engine's answer to a case's grammar."""
    return ENGINES[notation][engine](written(case, notation, **({} if keys is None else {"keys": keys})))


def keys_for(case: str, notation: str, text: str) -> tuple[str, ...] | None:
    """Keys to be named for a text: those of its data, where a regular expression of EAP has to know them."""
    if not case.startswith("eap") or not is_flat(case, notation):
        return None
    try:
        packet: EapPacket = sabir.decode(text, case)  # type: ignore[assignment]  # of EAP's formats
    except sabir.DecodeError:
        return ("line", "fixed", "a", "payload", "note", "n")
    return tuple(packet.data)


def canonical(case: str) -> list[tuple[str, str]]:
    """Id and canonical text of each vector that a case's grammar is to accept."""
    name = _format(case)
    found = []
    for vector in json.loads((VECTORS / f"{name}.json").read_text("utf-8")):
        if "error" not in vector and (name, vector["id"]) not in LEFT_OUT:
            text = sabir.encode(sabir.decode(vector["text"], name), name)
            if name != "slip" or text.startswith("SLIP v3") == (case == "slip-v3"):
                found.append((vector["id"], text))
    return found


def misses(case: str) -> list[dict[str, Any]]:
    """A case's near misses."""
    found: list[dict[str, Any]] = json.loads((MISSES / f"{case}.json").read_text("utf-8"))
    return found


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
            same = sabir.encode(sabir.decode(miss["text"], _format(case)), _format(case)) == miss["text"]
        except sabir.DecodeError:
            same = False
        assert same == miss.get("beyond", False), miss


DRAWINGS = [(case, None) for case in CASES] + [
    (case, ("t", "c", "result")) for case in CASES if case not in ("slip", "slip-v3", "ait")
]


@pytest.mark.parametrize(("case", "keys"), DRAWINGS, ids=lambda value: "keys" if isinstance(value, tuple) else value)
def test_every_text_drawn_decodes(case: str, keys: tuple[str, ...] | None) -> None:
    """2,000 texts of a tree all decode, nearly all as they would be written, and decoders by the grammar accept them."""
    name = _format(case)
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
    found = tree_of(_format(case), **NAMED.get(case, {}))
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
        sabir.decode(engines.walk(start, dice), _format(case))
