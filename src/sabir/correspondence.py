"""Which verbs, anchors, actions, directions and priorities correspond: one table, kept as data.

A row with ``same`` says that verb and anchor are one word in two spellings (``!REQUEST_REVIEW``, ``RequestReview``);
without it the anchor is only the best heading for the verb. EAP's action is the verb itself but where its 16 characters
are too few. Directions and priorities are EAP's; a SILP priority outside 0..9 has no counterpart.

Agent Lingua's codes stand for one verb each: an action by itself, a status as ``^0``, an error as ``!E2``. Other verbs
go under the code that heads them best, and are stated. Its domains are EAP's, in one character.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Row:
    """One concept in the words of each protocol."""

    verb: str
    anchor: str
    same: bool
    eap: str
    direction: str


_data: dict[str, Any] = json.loads(resources.files("sabir.data").joinpath("correspondence.json").read_text("utf-8"))

ROWS: Final[tuple[Row, ...]] = tuple(Row(**row) for row in _data["verbs"])
DIRECTIONS: Final[dict[str, tuple[int, int, int]]] = {name: tuple(c) for name, c in _data["directions"].items()}
"""Action, polarity and domain coordinate at which an anchor for a direction is looked for."""
URGENCY: Final[dict[int, int]] = {row["silp"]: row["urgency"] for row in _data["priorities"]}
"""UCR urgency of a priority 0..9; 0 is a message that states none."""

LINGUA_DOMAINS: Final[dict[str, str]] = _data["lingua"]["domains"]
"""EAP domain of each domain of Agent Lingua; ``F`` is an extension, and any other domain is one."""
LINGUA_VERBS: Final[dict[str, str]] = _data["lingua"]["codes"]
"""Verb of each action, status and error of Agent Lingua."""
LINGUA_URGENT: Final[dict[str, int]] = _data["lingua"]["modifiers"]
"""Priority that a modifier of Agent Lingua states."""

_lingua_codes: Final = {verb: code for code, verb in LINGUA_VERBS.items()} | {
    verb: code for code, verbs in _data["lingua"]["headings"].items() for verb in verbs
}
_lingua_others: Final[dict[str, str]] = _data["lingua"]["others"]
_by_verb: Final = {row.verb: row for row in ROWS}
_by_eap: Final = {row.eap: row for row in ROWS}
_by_anchor: Final = {row.anchor: row for row in ROWS if row.same}


def row_of_intent(intent: str) -> Row | None:
    """Row of an action code such as ``!CANCEL``."""
    return _by_verb.get(intent[1:])


def row_of_anchor(mnemonic: str) -> Row | None:
    """Row of a core anchor."""
    return _by_anchor.get(mnemonic)


def direction_of(intent: str) -> str:
    """EAP direction in which an action code is meant where nothing else is said: a request unless the table knows better."""
    row = row_of_intent(intent)
    return row.direction if row else "request"


def eap_action_of(intent: str) -> str:
    """EAP action of an action code."""
    row = row_of_intent(intent)
    return row.eap if row else intent[1:]


def intent_of_eap_action(action: str) -> str:
    """Action code of an EAP action. It is one by the schema only where the action has letters and underscores alone."""
    row = _by_eap.get(action)
    return f"!{row.verb if row else action}"


def lingua_code_of(intent: str, direction: str) -> str:
    """Agent Lingua's code for an action code meant in a direction: its own, or that which heads it best."""
    code = _lingua_codes.get(intent[1:])
    return code if code is not None and direction_of_lingua(code) == direction else _lingua_others[direction]


def direction_of_lingua(code: str) -> str:
    """EAP direction in which a code of Agent Lingua is meant."""
    if code == _lingua_others["sync"]:
        return "sync"
    return "response" if len(code) > 1 else "request"
