r"""SILP's code frontend, read (draft, section 4.1; silp.md, "The code frontend, settled to the character").

    text       = [ "if" condition ( ":" / "then" ) ] ( actions / sequence ) [ "else" [ ":" ] alts ] [ "#" comment ]
    condition  = constraint *( "and" constraint )
    constraint = "!" name [ "(" term ")" ]
               / name operator term [ "," term ]
               / name "(" term *2( "," term ) ")"    ; value / subject,value / value,time-ref / subject,value,time
    actions    = call *( ";" call )                  ; only the first may be empty
    call       = fn "(" [ argument *( "," argument ) ] ")"
    argument   = [ term "=" ] term                   ; positional: a bare time reference is `time`, all else `act`
    sequence   = call 1*( "->" ( fn / call ) ) [ "with" term ]   ; read, never written
    alts       = alt *( ";" alt )
    alt        = fn "(" [ term [ "@" term ] / "loc" "=" term ] ")"
    term       = bare-word / JSON string
    fn         = %x61-7A *( %x61-7A / "_" )
    comment    = JSON object of root fields of the canonical IR

Blanks (space and tab) may stand between any two of these; a text is one line.
"""

from __future__ import annotations

import re
from typing import Any, Final, NoReturn

from sabir.errors import DecodeError, ErrorCode
from sabir.jsontext import MAX_VALUE_DEPTH, loads, read_string, received, span_of
from sabir.silp import code_diagnosis as diagnosis
from sabir.silp.canonical import req_id_of
from sabir.silp.code_writer import plain
from sabir.silp.ir import Alternative, Constraint, Entity, SilpIR, alternative, constraint, entity, root
from sabir.silp.words import BARE, KEYWORDS, is_time_ref, outside_word

_B: Final = r"[ \t]*+"
_OPERATOR: Final = r"<=|>=|==|!=|<|>|="
_Match = re.Match[str]
_Term = tuple[str, bool, int]
"""A term's text, whether it stood bare, and the position after it and the blanks behind it."""

_if = re.compile(rf"if(?![A-Za-z0-9_.(]){_B}").match
_fn = re.compile(rf"([a-z][a-z_]*+){_B}").match
_open = re.compile(rf"([a-z][a-z_]*+){_B}\({_B}").match
_close = re.compile(rf"\){_B}").match
# The commonest argument: nothing quoted, an optional name, and what ends it.
_argument = re.compile(rf"(?:({BARE}){_B}={_B})?+({BARE}){_B}([,)]){_B}").match
_bare = re.compile(rf"({BARE}){_B}").match
_blank = re.compile(_B).match
_name = re.compile(rf"(!?+){_B}([A-Za-z_][A-Za-z0-9_]*+){_B}(\(|{_OPERATOR})?+{_B}").match
_joint = re.compile(rf"(?:(and|then)(?![A-Za-z0-9_]){_B}|(:){_B})").match
_else = re.compile(rf"else(?![A-Za-z0-9_(]){_B}:?+{_B}").match
_arrow = re.compile(rf"->{_B}").match
_with = re.compile(rf"with(?![A-Za-z0-9_(]){_B}").match
_ROOT: Final = ("silp", "version", "entities", "constraints", "alternatives", "meta")


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
        ir = _Parser(body).message()
        if strict:
            _refuse_verbs(ir, body)
    except DecodeError as error:
        error.format = "silp-code"
        raise error.moved(text, len(text) - len(text.lstrip())) from None
    if not ir.meta.req_id:
        ir.meta.__dict__["req_id"] = req_id_of(body)
    return ir


class _Parser:
    """One pass over a text. Each method reads one rule of the grammar above at ``pos`` and moves it."""

    __slots__ = ("ascii", "pos", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.ascii = text.isascii()

    def message(self) -> SilpIR:
        text = self.text
        if "\n" in text or "\r" in text:
            raise diagnosis.line_end(text)
        constraints: list[Constraint] = []
        if text.startswith("if") and (found := _if(text, 0)):
            self.pos = found.end()
            constraints = self.condition()
        found = _open(text, self.pos)
        if found is None:
            raise diagnosis.no_call(text, self.pos, after_if=bool(constraints))
        intent = f"!{found[1].upper()}"
        entities: list[Entity] = []
        self.call(found, entities)
        meta: dict[str, Any] = {}
        if text.startswith("->", self.pos):
            meta["seq"] = self.sequence(intent, entities, constraints)
        else:
            self.secondary(entities)
        alternatives: list[Alternative] = []
        if text.startswith("else", self.pos) and (found := _else(text, self.pos)):
            self.pos = found.end()
            alternatives = self.alternatives()
        ir = root(intent, entities, constraints, alternatives, "", None, **meta)
        if self.pos != len(text):
            if text[self.pos] != "#":
                raise diagnosis.trailing(text, self.pos)
            self.comment(ir)
        return ir

    def secondary(self, entities: list[Entity]) -> None:
        text = self.text
        while text.startswith(";", self.pos):
            at = self.skip(self.pos + 1)
            found = _open(text, at)
            if found is None:
                raise diagnosis.no_call(text, at, after_if=False)
            before = len(entities)
            self.call(found, entities)
            if len(entities) == before:
                reason = f"{found[1]}() has no argument: a secondary action without one has no IR"
                raise DecodeError(reason, text, (at, self.pos), code="decode_failed")

    def call(self, opening: _Match, entities: list[Entity]) -> None:
        """The arguments of a call, and what ends it, after its opening parenthesis."""
        text, pos = self.text, opening.end()
        action = f"!{opening[1].upper()}"
        if text.startswith(")", pos):
            self.pos = self.skip(pos + 1)
            return
        while True:
            found = _argument(text, pos)
            if found is None:
                name, value, bare, end, pos = self.quoted_argument(pos, opening)
            else:
                name, value, end = found.groups()
                bare = True
                if not self.ascii or value in KEYWORDS or name in KEYWORDS:
                    self.vet(found, 1)
                    self.vet(found, 2)
                pos = found.end()
            if name is None:
                name = "time" if bare and value[0] == "t" and is_time_ref(value) else "act"
            entities.append(entity(name, value, action))
            if end == ")":
                self.pos = pos
                return

    def quoted_argument(self, pos: int, opening: _Match) -> tuple[str | None, str, bool, str, int]:
        """An argument that the common pattern does not match: name, value, whether bare, end sign, next position."""
        text = self.text
        value, bare, pos = self.term(pos, "an argument", opening)
        name = None
        if text.startswith("=", pos):
            name = value
            value, bare, pos = self.term(self.skip(pos + 1), "a value", opening)
        end = text[pos : pos + 1]
        if end not in (",", ")"):
            raise diagnosis.after_term(text, pos, opening.end(1), opening.end())
        return name, value, bare, end, self.skip(pos + 1)

    def term(self, pos: int, noun: str, opening: _Match | None = None) -> _Term:
        text = self.text
        if text.startswith('"', pos):
            value, end = read_string(text, pos)
            return value, False, self.skip(end)
        found = _bare(text, pos)
        if found is None:
            raise diagnosis.no_term(text, pos, noun, opening)
        if not self.ascii or found[1] in KEYWORDS:
            self.vet(found, 1)
        return found[1], True, found.end()

    def vet(self, found: _Match, group: int) -> None:
        """Refuse what the superset pattern took for a bare word and is none."""
        word = found[group]
        if word is None:
            return
        if word in KEYWORDS:
            raise DecodeError(f'{word} is a keyword: quote it, "{word}"', self.text, found.span(group))
        if (at := outside_word(word)) >= 0:
            raise diagnosis.odd_character(self.text, found.start(group) + at)

    def skip(self, pos: int) -> int:
        found = _blank(self.text, pos)
        assert found  # noqa: S101  # the pattern matches the empty string
        return found.end()

    # --- conditions --------------------------------------------------------------------------------------

    def condition(self) -> list[Constraint]:
        found: list[Constraint] = []
        while True:
            found.append(self.constraint())
            joint = _joint(self.text, self.pos)
            if joint is None:
                raise diagnosis.no_joint(self.text, self.pos)
            self.pos = joint.end()
            if joint[1] != "and":
                return found

    def constraint(self) -> Constraint:
        text, pos = self.text, self.pos
        head = _name(text, pos)
        if head is None or head[2] in KEYWORDS:
            raise diagnosis.no_constraint(text, pos)
        negation, name, sign = head.groups()
        self.pos = head.end()
        if sign is None:
            if not negation:
                raise diagnosis.bare_constraint(text, head)
            return constraint(f"!{name}", "true")
        if sign == "(":
            terms = self.terms(head)
            if negation:
                return self.negation(name, terms, head)
            return _called(name, terms) or self.fail("a condition has one to three arguments", head.start(), self.pos)
        if negation:
            self.fail("a negated condition takes no operator", head.start(3), head.end(3))
        value, _, self.pos = self.term(self.pos, "a value")
        time = None
        if text.startswith(",", self.pos):
            time, _, self.pos = self.term(self.skip(self.pos + 1), "a time")
        return constraint(name, value, time, {"operator": sign})

    def negation(self, name: str, terms: list[_Term], head: _Match) -> Constraint:
        if len(terms) > 1:
            self.fail("a negated condition takes one argument, its time", head.start(), self.pos)
        return constraint(f"!{name}", "true", terms[0][0])

    def terms(self, opening: _Match) -> list[_Term]:
        """Terms of a condition's call, at least one, and its closing parenthesis."""
        text, pos = self.text, self.pos
        found: list[_Term] = []
        while True:
            found.append(self.term(pos, "an argument", opening))
            pos = found[-1][2]
            end = text[pos : pos + 1]
            if end not in (",", ")"):
                raise diagnosis.after_term(text, pos, opening.start(3), opening.end(), named=False)
            pos = self.skip(pos + 1)
            if end == ")":
                self.pos = pos
                return found

    # --- the rest ----------------------------------------------------------------------------------------

    def sequence(self, intent: str, entities: list[Entity], constraints: list[Constraint]) -> list[str]:
        """Steps of the arrow form, after its first call; returns ``meta.seq``."""
        text, seq = self.text, [intent]
        while found := _arrow(text, self.pos):
            self.pos = found.end()
            if opening := _open(text, self.pos):
                self.call(opening, entities)
            elif opening := _fn(text, self.pos):
                self.pos = opening.end()
            else:
                raise diagnosis.no_call(text, self.pos, after_if=False)
            seq.append(f"!{opening[1].upper()}")
        if found := _with(text, self.pos):
            type, _, self.pos = self.term(found.end(), "a condition")
            constraints.append(constraint(type, "true"))
        return seq

    def alternatives(self) -> list[Alternative]:
        found: list[Alternative] = []
        while True:
            opening = _open(self.text, self.pos)
            if opening is None:
                raise diagnosis.no_call(self.text, self.pos, after_if=False)
            found.append(self.alternative(opening))
            if not self.text.startswith(";", self.pos):
                return found
            self.pos = self.skip(self.pos + 1)

    def alternative(self, opening: _Match) -> Alternative:
        text, pos = self.text, opening.end()
        target: str | None = None
        location: str | None = None
        if not text.startswith(")", pos):
            start = pos
            target, bare, pos = self.term(pos, "a target", opening)
            sign = text[pos : pos + 1]
            if sign == "=" and bare and target == "loc":
                target, (location, _, pos) = None, self.term(self.skip(pos + 1), "a location", opening)
            elif sign == "@":
                location, _, pos = self.term(self.skip(pos + 1), "a location", opening)
            elif sign == "=":
                self.fail("a fallback takes a target, target@location or loc=location", start, pos + 1)
        if not text.startswith(")", pos):
            raise diagnosis.after_term(text, pos, opening.end(1), opening.end(), named=False)
        self.pos = self.skip(pos + 1)
        return alternative(f"!{opening[1].upper()}", target, location)

    def comment(self, ir: SilpIR) -> None:
        """Fields that the text before the comment does not give back."""
        from sabir.silp.fields import Fault, fill  # noqa: PLC0415  # most texts have no comment

        text, start = self.text, self.skip(self.pos + 1)
        try:
            data = loads(text[start:])
        except DecodeError as error:
            raise _in_comment(error, text, start, self.pos) from None
        if type(data) is not dict:
            reason = "after # stands a JSON object of the fields that the call cannot say, nothing else"
            raise DecodeError(reason, text, (start, len(text)))
        before = plain(ir)[0]
        try:
            for name in data:
                if name not in _ROOT:
                    raise Fault(f"a comment has no {name} (but: {', '.join(_ROOT)})", name)  # noqa: TRY301  # one exit
            fill(ir, data, vet=text.count("{") + text.count("[") > MAX_VALUE_DEPTH)
        except Fault as fault:
            raise DecodeError(fault.reason, text, span_of(text, fault.path, start)) from None
        for item in ir.entities:
            item.__dict__["action"] = item.action or ir.intent
        if data.keys() & {"entities", "constraints", "alternatives"} and plain(ir)[0] != before:
            reason = "the comment contradicts the text before it, which would read: " + plain(ir)[0]
            raise DecodeError(reason, text, (self.pos, len(text)))

    def fail(self, reason: str, start: int, end: int, code: ErrorCode = "invalid_syntax") -> NoReturn:
        raise DecodeError(reason, self.text, (start, end), code=code)


def _called(name: str, terms: list[_Term]) -> Constraint | None:
    """Constraint of a call with one to three arguments, by the rule for time references."""
    if len(terms) == 1:
        return constraint(name, terms[0][0])
    if len(terms) == 2:
        second, bare, _ = terms[1]
        if bare and is_time_ref(second):
            return constraint(name, terms[0][0], second)
        return constraint(name, second, None, {"subject": terms[0][0]})
    if len(terms) == 3:
        return constraint(name, terms[1][0], terms[2][0], {"subject": terms[0][0]})
    return None


def _in_comment(error: DecodeError, text: str, start: int, sign: int) -> DecodeError:
    """What is wrong with a comment that is no JSON."""
    if text[start : start + 1] not in ("{", "[", '"'):
        reason = "after # stands a JSON object of the fields that the call cannot say, nothing else"
        return DecodeError(reason, text, (sign, len(text)))
    return error.moved(text, start)


def _refuse_verbs(ir: SilpIR, text: str) -> None:
    from sabir.silp.checks import action_codes  # noqa: PLC0415  # strict reading is rare
    from sabir.silp.verbs import refusal  # noqa: PLC0415  # as above

    for _, code in action_codes(ir):
        if reason := refusal(code):
            called = re.compile(rf"(?<![a-z_]){code[1:].lower()}(?![a-z_])")
            found = called.search(text)
            raise DecodeError(
                f"strict: {reason}", text, found.span() if found else (0, len(text)), code="decode_failed"
            )
