"""The cases that grammars are tested with: formats, vectors, near misses, and what each notation needs named."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sabir
from grammar.engines import ENGINES, Accepts
from sabir.grammar import FORMATS, NOTATIONS, grammar
from vectors_of import VECTORS

if TYPE_CHECKING:
    from sabir.eap import EapPacket

MISSES = Path(__file__).parent
CASES = (*FORMATS, "slip-v3")
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


def format_of(case: str) -> str:
    """Name of a case's format."""
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
    return grammar(format_of(case), notation, **{**NAMED.get(case, {}), **NAMED_AS.get((case, notation), {}), **names})


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
    name = format_of(case)
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
