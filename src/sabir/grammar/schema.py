"""JSON Schemas: of SILP's JSON forms as they are, of the other formats as a string with a pattern.

Narrower than the protocols' own schemas, so that what a decoder writes by them always reads: no property beyond those named, since
a decoder that may choose names may choose one twice. Slots are ``act``, ``time`` and the keys given; secondary actions are the
approved verbs, or those given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sabir.eap.packet import DIRECTIONS
from sabir.grammar.eap import domains
from sabir.grammar.notations import regex
from sabir.grammar.silp_json import USUAL, slot_names
from sabir.grammar.silp_parts import verbs
from sabir.silp.code_writer import OPERATORS
from sabir.silp.json_frontend import ACTION
from sabir.silp.verbs import APPROVED

if TYPE_CHECKING:
    from sabir.grammar.tree import Grammar
    from sabir.grammar.vocabulary import Vocabulary

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_TEXT: Final[dict[str, Any]] = {"type": "string"}


def pattern(grammar: Grammar) -> dict[str, Any]:
    """Schema of a string that is a message.

    Raises:
        TooLong: the grammar is no regular expression of a reasonable length.
    """
    return {"$schema": DIALECT, "title": grammar.title, "type": "string", "pattern": f"^(?:{regex(grammar)})$"}


def json(vocabulary: Vocabulary) -> dict[str, Any]:
    """Schema of SILP's JSON frontend."""
    several = {"type": "array", "items": _TEXT, "minItems": 1}
    slot = {"anyOf": [_TEXT, several]}
    codes = verbs(vocabulary) or [code[1:] for code in APPROVED]
    return _root(
        "SILP, JSON frontend",
        {
            "intent": _code(vocabulary),
            **dict.fromkeys((*USUAL, *slot_names(vocabulary)), slot),
            **{f"{ACTION}{code.lower()}": several for code in codes},
            "constraints": _conditions(),
            "alternatives": _fallbacks(vocabulary),
            "ir": _object({"meta": _object(_meta(vocabulary))}, "meta"),
        },
        "intent",
    )


def ir(vocabulary: Vocabulary) -> dict[str, Any]:
    """Schema of the IR as JSON."""
    id = _TEXT if vocabulary.keys is None else {"enum": list(dict.fromkeys((*USUAL, *vocabulary.keys)))}
    entity = _object({"id": id, "value": _TEXT, "action": _code(vocabulary)}, "id", "value")
    req_id = {"type": "string", "pattern": "^[0-9a-f]{8}$"}
    return _root(
        "SILP, the IR as JSON",
        {
            "intent": _code(vocabulary),
            "entities": _array(entity),
            "constraints": _conditions(),
            "alternatives": _fallbacks(vocabulary),
            "meta": _object({"req_id": req_id, **_meta(vocabulary), "out": _TEXT}, "req_id"),
        },
        "intent",
        "meta",
    )


def _root(title: str, properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {"$schema": DIALECT, "title": title, **_object(properties, *required)}


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    found = {"type": "object", "additionalProperties": False, "properties": properties}
    return {**found, "required": list(required)} if required else found


def _array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": 1}


def _code(vocabulary: Vocabulary) -> dict[str, Any]:
    given = verbs(vocabulary)
    if given is None:
        return {"type": "string", "pattern": "^![A-Z][A-Z_]*$"}
    return {"enum": [f"!{code}" for code in given]}


def _conditions() -> dict[str, Any]:
    fields = dict.fromkeys(("type", "value", "time", "subject"), _TEXT)
    return _array(_object({**fields, "operator": {"enum": list(OPERATORS)}}, "type", "value"))


def _fallbacks(vocabulary: Vocabulary) -> dict[str, Any]:
    return _array(_object({"action": _code(vocabulary), "target": _TEXT, "location": _TEXT}, "action"))


def _meta(vocabulary: Vocabulary) -> dict[str, Any]:
    agent = _TEXT if vocabulary.agents is None else {"enum": list(vocabulary.agents)}
    return {
        "session_id": {"type": "string", "pattern": "^[a-z0-9]{2}$"},
        "priority": {"type": "integer", "minimum": 1, "maximum": 9},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "seq": _array(_code(vocabulary)),
        "next_agent": agent,
        "sender": agent,
        "direction": {"enum": list(DIRECTIONS)},
        "domain": {"enum": domains(vocabulary)},
    }
