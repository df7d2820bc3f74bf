r"""SILP's code frontend, read (draft, section 4.1; silp.md, "The code frontend, settled to the character").

    text       = [ "if" condition ] ( actions / sequence ) [ "else" [ ":" ] alts ] [ "#" comment ]
    actions    = call *( ";" call )                  ; only the first may be empty
    call       = fn "(" [ argument *( "," argument ) ] ")"
    argument   = [ term "=" ] term                   ; positional: a bare time reference is `time`, all else `act`
    sequence   = call 1*( "->" ( fn / call ) ) [ "with" term ]   ; read, never written
    alts       = alt *( ";" alt )
    alt        = fn "(" [ term [ "@" term ] / "loc" "=" term ] ")"
    fn         = %x61-7A *( %x61-7A / "_" )

Conditions, terms and comments have their own modules. Blanks (space and tab) may stand between any two tokens; a text is
one line. Each rule has a pattern for its commonest form, nothing quoted, all ASCII and no blanks; what that does not match
is read token by token, and so are the faults found.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sabir.errors import DecodeError
from sabir.jsontext import received
from sabir.silp import code_diagnosis as diagnosis
from sabir.silp.canonical import req_id_of
from sabir.silp.code_comment import comment
from sabir.silp.code_conditions import condition
from sabir.silp.code_terms import BLANK, Cursor
from sabir.silp.ir import Alternative, Entity, SilpIR, alternative, constraint, entity, root
from sabir.silp.verbs import refusal
from sabir.silp.words import BARE, KEYWORDS, WORD, is_time_ref

if TYPE_CHECKING:
    from sabir.silp.code_terms import Match
    from sabir.silp.ir import Constraint

_FN = "[a-z][a-z_]*+"

_plain_call = re.compile(rf"({_FN})\(({WORD}(?:={WORD})?+(?:,{WORD}(?:={WORD})?+)*+)\){BLANK}").match
_plain_alternative = re.compile(rf"({_FN})\((?:loc=({WORD})|({WORD})(?:@({WORD}))?+)?+\){BLANK}").match
_open = re.compile(rf"({_FN}){BLANK}\({BLANK}").match
_argument = re.compile(rf"(?:({BARE}){BLANK}={BLANK})?+({BARE}){BLANK}([,)]){BLANK}").match
_step = re.compile(rf"({_FN}){BLANK}").match
_if = re.compile(rf"if(?![A-Za-z0-9_.(]){BLANK}").match
_else = re.compile(rf"else(?![A-Za-z0-9_(]){BLANK}:?+{BLANK}").match
_arrow = re.compile(rf"->{BLANK}").match
_with = re.compile(rf"with(?![A-Za-z0-9_(]){BLANK}").match


def read_code(text: str, *, strict: bool = False, allow_unknown: bool = False) -> SilpIR:  # noqa: ARG001  # see Reader
    """IR of a text in the code frontend; ``req_id`` is derived from the text unless its comment carries it.

    Args:
        text: one line; outer white space is ignored.
        strict: refuse action codes that are not approved (3.8).
        allow_unknown: without effect; SILP has no codebook.

    Raises:
        DecodeError: ``invalid_syntax`` for what the grammar refuses, ``decode_failed`` for what has no IR.
    """
    body = received(text, "silp-code")
    try:
        return _message(Cursor(body, strict))
    except DecodeError as error:
        error.format = "silp-code"
        raise error.moved(text, len(text) - len(text.lstrip())) from None


# Each function reads the rule of its name at the cursor and moves it.


def _message(cursor: Cursor) -> SilpIR:
    text = cursor.text
    if "\n" in text or "\r" in text:
        raise diagnosis.line_end(text)
    constraints: list[Constraint] = []
    alternatives: list[Alternative] = []
    entities: list[Entity] = []
    seq: list[str] = []
    if text.startswith("if") and (found := _if(text)):
        cursor.pos = found.end()
        constraints = condition(cursor)
    intent = _call(cursor, entities)
    if text.startswith(";", cursor.pos):
        _secondary(cursor, entities)
    elif text.startswith("->", cursor.pos):
        seq = _sequence(cursor, intent, entities, constraints)
    if text.startswith("else", cursor.pos) and (found := _else(text, cursor.pos)):
        cursor.pos = found.end()
        alternatives = _alternatives(cursor)
    ir = root(intent, entities, constraints, alternatives, req_id_of(text))
    if seq:
        ir.meta.__dict__["seq"] = seq
    if cursor.pos != len(text):
        if text[cursor.pos] != "#":
            raise diagnosis.trailing(text, cursor.pos)
        comment(cursor, ir)
    return ir


def _secondary(cursor: Cursor, entities: list[Entity]) -> None:
    text = cursor.text
    while text.startswith(";", cursor.pos):
        start = cursor.pos = cursor.skip(cursor.pos + 1)
        before = len(entities)
        action = _call(cursor, entities)
        if len(entities) == before:
            name = action[1:].lower()
            reason = f"{name}() has no argument: a secondary action without one has no IR"
            cursor.fail(reason, start, cursor.pos, "decode_failed")


def _call(cursor: Cursor, entities: list[Entity]) -> str:
    """Puts the call's arguments at the end of ``entities`` and returns its action code."""
    found = _plain_call(cursor.text, cursor.pos)
    if found is None:
        return _careful_call(cursor, entities)
    name, inside = found.groups()
    action = _action(cursor, found) if cursor.strict else f"!{name.upper()}"
    pieces = inside.split(",")
    if not KEYWORDS.isdisjoint(pieces):
        return _careful_call(cursor, entities)
    for piece in pieces:
        if "=" in piece:
            id, _, value = piece.partition("=")
            if id in KEYWORDS or value in KEYWORDS:
                return _careful_call(cursor, entities)
            entities.append(entity(id, value, action))
        elif piece[0] == "t" and is_time_ref(piece):
            entities.append(entity("time", piece, action))
        else:
            entities.append(entity("act", piece, action))
    cursor.pos = found.end()
    return action


def _careful_call(cursor: Cursor, entities: list[Entity]) -> str:
    text = cursor.text
    opening = _open(text, cursor.pos)
    if opening is None:
        raise diagnosis.no_call(text, cursor.pos)
    action = _action(cursor, opening)
    pos = opening.end()
    end = text[pos : pos + 1]
    if end == ")":
        cursor.pos = cursor.skip(pos + 1)
        return action
    while end != ")":
        found = _argument(text, pos)
        if found is None:
            name, value, bare, pos = _quoted_argument(cursor, pos, opening)
        else:
            cursor.vet(found, 1)
            cursor.vet(found, 2)
            name, value, _ = found.groups()
            bare, pos = True, found.start(3)
        end = text[pos : pos + 1]
        pos = cursor.skip(pos + 1)
        if name is None:
            name = "time" if bare and is_time_ref(value) else "act"
        entities.append(entity(name, value, action))
    cursor.pos = pos
    return action


def _quoted_argument(cursor: Cursor, pos: int, opening: Match) -> tuple[str | None, str, bool, int]:
    """An argument that the common pattern does not match: name, value, whether bare, position of what ends it."""
    text = cursor.text
    value, bare, pos = cursor.term(pos, "an argument", opening)
    name = None
    if text.startswith("=", pos):
        name = value
        value, bare, pos = cursor.term(cursor.skip(pos + 1), "a value", opening)
    if not text.startswith((",", ")"), pos):
        raise diagnosis.after_term(text, pos, opening.end(1))
    return name, value, bare, pos


def _action(cursor: Cursor, found: Match) -> str:
    """Action code of a function name, the first group; refused where only approved ones are wanted."""
    action = f"!{found[1].upper()}"
    if cursor.strict and (reason := refusal(action)):
        cursor.fail(f"strict: {reason}", *found.span(1), "decode_failed")
    return action


def _sequence(cursor: Cursor, intent: str, entities: list[Entity], constraints: list[Constraint]) -> list[str]:
    """Steps of the arrow form, after its first call; returns ``meta.seq``."""
    text, seq = cursor.text, [intent]
    while found := _arrow(text, cursor.pos):
        cursor.pos = found.end()
        if _open(text, cursor.pos):
            seq.append(_call(cursor, entities))
        elif step := _step(text, cursor.pos):
            seq.append(_action(cursor, step))
            cursor.pos = step.end()
        else:
            raise diagnosis.no_call(text, cursor.pos)
    if found := _with(text, cursor.pos):
        type, _, cursor.pos = cursor.term(found.end(), "a condition")
        constraints.append(constraint(type, "true"))
    return seq


def _alternatives(cursor: Cursor) -> list[Alternative]:
    found = [_alternative(cursor)]
    while cursor.text.startswith(";", cursor.pos):
        cursor.pos = cursor.skip(cursor.pos + 1)
        found.append(_alternative(cursor))
    return found


def _alternative(cursor: Cursor) -> Alternative:
    text = cursor.text
    found = _plain_alternative(text, cursor.pos)
    if found is not None:
        name, place, target, location = found.groups()
        if KEYWORDS.isdisjoint((place, target, location)):
            action = _action(cursor, found) if cursor.strict else f"!{name.upper()}"
            cursor.pos = found.end()
            return alternative(action, target, location or place)
    opening = _open(text, cursor.pos)
    if opening is None:
        raise diagnosis.no_call(text, cursor.pos)
    action = _action(cursor, opening)
    pos = opening.end()
    target = location = None
    if not text.startswith(")", pos):
        target, location, pos = _target(cursor, pos, opening)
    if not text.startswith(")", pos):
        raise diagnosis.after_term(text, pos, opening.end(1), named=False)
    cursor.pos = cursor.skip(pos + 1)
    return alternative(action, target, location)


def _target(cursor: Cursor, start: int, opening: Match) -> tuple[str | None, str | None, int]:
    """Target and location inside a fallback's parentheses, and the position after them."""
    text = cursor.text
    target, bare, pos = cursor.term(start, "a target", opening)
    if text.startswith("@", pos):
        location, _, pos = cursor.term(cursor.skip(pos + 1), "a location", opening)
        return target, location, pos
    if text.startswith("=", pos):
        if not bare or target != "loc":
            cursor.fail("a fallback takes a target, target@location or loc=location", start, pos + 1)
        location, _, pos = cursor.term(cursor.skip(pos + 1), "a location", opening)
        return None, location, pos
    return target, None, pos
