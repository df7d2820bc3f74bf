"""The condition of a text in the code frontend, read.

    condition  = constraint *( "and" constraint ) ( ":" / "then" )
    constraint = "!" name [ "(" term ")" ]                        ; the time
               / name operator term [ "," term ]                  ; value, time
               / name "(" term *2( "," term ) ")"    ; value / subject,value / value,time-ref / subject,value,time
    operator   = "<=" / ">=" / "==" / "!=" / "<" / ">" / "="
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sabir.silp import code_diagnosis as diagnosis
from sabir.silp.code_terms import BLANK, ENDED
from sabir.silp.ir import Constraint, constraint
from sabir.silp.words import KEYWORDS, WORD, is_time_ref

if TYPE_CHECKING:
    from sabir.silp.code_terms import Cursor, Match, Term

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]*+"
_OPERATOR: Final = r"<=|>=|==|!=|<|>|="

# The commonest constraint, nothing quoted and all ASCII, with what joins it to the next or (last group) ends the condition.
_plain = re.compile(
    rf"(!?+)({_NAME})"
    rf"(?:{BLANK}({_OPERATOR}){BLANK}({WORD})(?:,{BLANK}({WORD}))?+"
    rf"|\(({WORD})(?:,{BLANK}({WORD})(?:,{BLANK}({WORD}))?+)?+\))?+"
    rf"{BLANK}(?:and{ENDED}|(?::|then{ENDED})()){BLANK}"
).match
_head = re.compile(rf"(!?+){BLANK}({_NAME}){BLANK}(\(|{_OPERATOR})?+{BLANK}").match
_joint = re.compile(rf"(?:(and|then){ENDED}|(:)){BLANK}").match


def condition(cursor: Cursor) -> list[Constraint]:
    """The constraints after `if`, and what ends them.

    Raises:
        DecodeError: ``invalid_syntax``.
    """
    text = cursor.text
    found: list[Constraint] = []
    while True:
        if (plain := _plain(text, cursor.pos)) and (item := _of_plain(plain)):
            found.append(item)
            cursor.pos = plain.end()
            if plain[9] is not None:
                return found
            continue
        found.append(_constraint(cursor))
        joint = _joint(text, cursor.pos)
        if joint is None:
            raise diagnosis.no_joint(text, cursor.pos)
        cursor.pos = joint.end()
        if joint[1] != "and":
            return found


def _of_plain(found: Match) -> Constraint | None:
    """A constraint by the common pattern; None where only a careful look can tell what is wrong."""
    groups = found.groups()
    if not KEYWORDS.isdisjoint(groups):
        return None
    negation, name, operator, value, time, first, second, third, _ = groups
    if operator is not None:
        return None if negation else constraint(name, value, time, {"operator": operator})
    if negation:
        return constraint(f"!{name}", "true", first) if second is None else None
    return None if first is None else _called(name, first, second, third, timed=True)


def _called(name: str, first: str, second: str | None, third: str | None, *, timed: bool) -> Constraint:
    """A constraint written as a call; ``timed`` where a time reference as second of two arguments is the time."""
    if second is None:
        return constraint(name, first)
    if third is not None:
        return constraint(name, second, third, {"subject": first})
    if timed and is_time_ref(second):
        return constraint(name, first, second)
    return constraint(name, second, None, {"subject": first})


def _constraint(cursor: Cursor) -> Constraint:
    text, pos = cursor.text, cursor.pos
    head = _head(text, pos)
    if head is None or head[2] in KEYWORDS:
        raise diagnosis.no_constraint(text, pos)
    negation, name, sign = head.groups()
    cursor.pos = head.end()
    if sign is None:
        if not negation:
            raise diagnosis.bare_constraint(text, head)
        return constraint(f"!{name}", "true")
    if sign == "(":
        return _with_arguments(cursor, head)
    if negation:
        cursor.fail("a negated condition takes no operator", *head.span(3))
    value, _, cursor.pos = cursor.term(cursor.pos, "a value")
    time = None
    if text.startswith(",", cursor.pos):
        time, _, cursor.pos = cursor.term(cursor.skip(cursor.pos + 1), "a time")
    return constraint(name, value, time, {"operator": sign})


def _with_arguments(cursor: Cursor, head: Match) -> Constraint:
    terms = _terms(cursor, head)
    texts = [term[0] for term in terms]
    if head[1]:
        if len(terms) > 1:
            cursor.fail("a negated condition takes one argument, its time", head.start(), cursor.pos)
        return constraint(f"!{head[2]}", "true", texts[0])
    if len(terms) > 3:
        cursor.fail("a condition has one to three arguments", head.start(), cursor.pos)
    first, second, third, *_ = (*texts, None, None)
    assert first is not None  # noqa: S101  # there is one term at the least
    return _called(head[2], first, second, third, timed=len(terms) == 2 and terms[1][1])


def _terms(cursor: Cursor, opening: Match) -> list[Term]:
    """Terms of a condition's call, at least one, and its closing parenthesis."""
    text, pos = cursor.text, cursor.pos
    found: list[Term] = []
    while True:
        found.append(cursor.term(pos, "an argument", opening))
        pos = found[-1][2]
        end = text[pos : pos + 1]
        if end not in (",", ")"):
            raise diagnosis.after_term(text, pos, opening.start(3), named=False)
        pos = cursor.skip(pos + 1)
        if end == ")":
            cursor.pos = pos
            return found
