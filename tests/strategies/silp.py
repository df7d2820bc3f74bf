"""Any valid IR, with everything in it that could break a text, and IRs that the call syntax says in full."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

from sabir.silp.ir import Alternative, Constraint, Entity, Meta, SilpIR
from sabir.silp.ir_json import ir_from_json
from strategies.eap import json_values, texts

TRAPS: Final = (
    *("act", "time", "loc", "intent", "constraints", "alternatives", "ir", "meta", "silp"),
    *("action_email", "action_", "@from", "seq", "req_id"),
    *("t+1", "t+1am", "t-22w", "t+", "t+1x", "t1", "then", "and", "else", "if", "with", "true", "!rain", "else:"),
    *("a,b", "a)", "(a", "a); email(b", "x=y", "a@b", "->", "a -> b", "a # b", "a;b", "<=5", "start()", "=", '"'),
    *('# {"meta":{"priority":9}}', ') # {"entities":[]}', '"); stop("', "\\", '\\"', "\\u0022", "\\n"),
    *("文章", "é", "e\u0301", "٣", "½", "²", "a\u200bb", "（a）", "“a”", "a'b", '"a"', "a b", " a", "a ", "a\u3000b"),
    *("42", "007", "1.0", "true", "false", "null", "-", "ＩＦ", "ıf"),
    *('{"intent":"!START"}', "SLIP v1 a b MetaAck", ">SEC:XSS #ctx4"),
)
VERBS: Final = (
    *("!START", "!EMAIL", "!XSS", "!REQUEST_REVIEW", "!FALLBACK", "!PROPOSE_ALTERNATIVE", "!SWITCH_TOOL"),
    *("!A", "!A__B_", "!IF", "!ELSE", "!WITH", "!THEN", "!AND", "!T"),
)
NAMES: Final = (
    *("rain", "loc", "budget", "_x1", "A", "t", "iffy", "android"),
    *("!rain", "a-b", "", "!", "!!x", "if", "!and", "then", "naïve", "x y", "rain\n", "1x"),
)
OPERATORS: Final = ("<=", ">=", "==", "!=", "<", ">", "=", "", "is not", "=>", "in", "(")
SIGNS: Final = OPERATORS[:7]
"""The operators of the grammar."""

VALUES: Final = st.one_of(st.sampled_from(TRAPS), texts())
"""Texts, often such as mean something in SILP."""
_JSON: Final = json_values()
CODES: Final = st.one_of(st.sampled_from(VERBS), st.from_regex(r"![A-Z][A-Z_]{0,8}", fullmatch=True))
"""Action codes."""

_SOME = st.dictionaries(st.one_of(st.sampled_from(("type", "unit", "x", "subject")), VALUES), _JSON, max_size=2)
_EXTRAS: Final = st.one_of(st.just({}), st.just({}), _SOME)
"""Extra fields: mostly none, sometimes any names with any JSON values."""


def values() -> st.SearchStrategy[str]:
    """Texts, often such as mean something in SILP."""
    return VALUES


def verbs() -> st.SearchStrategy[str]:
    """Action codes."""
    return CODES


def _open(kind: type[Any], fields: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """A part of these fields, and extra ones beside them."""
    known = frozenset(kind.model_fields)

    def joined(pair: tuple[dict[str, Any], dict[str, Any]]) -> dict[str, Any]:
        return {name: more for name, more in pair[0].items() if name not in known} | pair[1]

    return st.tuples(_EXTRAS, fields).map(joined)


ENTITIES: Final = _open(
    Entity,
    st.fixed_dictionaries(
        {"id": st.one_of(st.sampled_from(("act", "act", "time")), VALUES), "value": VALUES}, optional={"action": CODES}
    ),
)
CONSTRAINTS: Final = _open(
    Constraint,
    st.fixed_dictionaries(
        {"type": st.one_of(st.sampled_from(NAMES), VALUES), "value": st.one_of(st.just("true"), VALUES)},
        optional={
            "time": VALUES,
            "subject": st.one_of(VALUES, VALUES, st.none(), _JSON),
            "operator": st.one_of(st.sampled_from(SIGNS), st.sampled_from(OPERATORS), st.none(), _JSON),
        },
    ),
)
ALTERNATIVES: Final = _open(
    Alternative, st.fixed_dictionaries({"action": CODES}, optional={"target": VALUES, "location": VALUES})
)
_REQ_ID: Final = st.fixed_dictionaries({"req_id": st.from_regex(r"[a-f0-9]{4,8}", fullmatch=True)})
_USUAL: Final[dict[str, st.SearchStrategy[Any]]] = {
    "priority": st.integers(0, 10),
    "next_agent": VALUES,
    "sender": VALUES,
    "direction": st.sampled_from(["request", "response", "sync"]),
    "domain": st.sampled_from(["SEC", "GEN", "sec", "TOO_LONG_DOMAIN"]),
}
_RARE: Final[dict[str, st.SearchStrategy[Any]]] = {
    "session_id": VALUES,
    "priority": st.one_of(st.integers(0, 10), st.integers(-(10**30), 10**30)),
    "confidence": st.one_of(st.floats(0, 1), st.sampled_from([0, 1, 1.0, -0.0])),
    "seq": st.lists(st.one_of(CODES, VALUES), max_size=3),
    "out": st.one_of(st.sampled_from(["natural", "code", "json", "xml"]), VALUES),
    "slip_version": _JSON,
    "slip": _JSON,
    "eap": _JSON,
    "ait": _JSON,
}


def _with(optional: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.tuples(_REQ_ID, st.fixed_dictionaries({}, optional=optional)).map(lambda pair: pair[0] | pair[1])


METAS: Final = st.one_of(_REQ_ID, _with(_USUAL), _open(Meta, _with(_USUAL | _RARE)))
"""Metadata: none, what other formats use, everything."""

_ANY: Final = st.fixed_dictionaries(
    {
        "intent": CODES,
        "entities": st.lists(ENTITIES, max_size=5),
        "constraints": st.lists(CONSTRAINTS, max_size=3),
        "alternatives": st.lists(ALTERNATIVES, max_size=2),
        "meta": METAS,
    }
)
_LATER: Final = st.fixed_dictionaries({}, optional={"silp": st.sampled_from(["v0", "v2", "v99"]), "version": VALUES})


def silp_irs(*, later: bool = False) -> st.SearchStrategy[SilpIR]:
    """Any valid IR of this version of SILP; of others too, if ``later``."""
    if later:
        return st.tuples(_ANY, _LATER).map(lambda pair: ir_from_json(pair[0] | pair[1]))
    versioned = st.tuples(_ANY, st.one_of(st.just({}), st.just({}), VALUES.map(lambda text: {"version": text})))
    return versioned.map(lambda pair: ir_from_json(pair[0] | pair[1]))


def _condition(name: str, **fields: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, str]]:
    return st.fixed_dictionaries({"type": st.just(name), "value": VALUES, **fields})


_TIMES: Final = st.sampled_from(("t+1", "t-22w", "t+1am", "t+007"))
_PLAIN: Final = st.fixed_dictionaries(
    {
        "intent": CODES,
        "entities": st.lists(
            st.fixed_dictionaries({"id": st.one_of(st.just("act"), VALUES), "value": VALUES}, optional={"action": CODES}),
            max_size=4,
        ),
        "constraints": st.lists(
            st.one_of(
                st.fixed_dictionaries({"type": st.just("!rain"), "value": st.just("true")}, optional={"time": VALUES}),
                st.fixed_dictionaries(
                    {"type": st.just("_b1"), "value": VALUES, "operator": st.sampled_from(SIGNS)}, optional={"time": VALUES}
                ),
                st.fixed_dictionaries({"type": st.just("loc"), "value": VALUES, "subject": VALUES}, optional={"time": VALUES}),
                _condition("LOC"),
                _condition("loc", time=_TIMES),
            ),
            max_size=3,
        ),
        "alternatives": st.lists(
            st.fixed_dictionaries({"action": CODES}, optional={"target": VALUES, "location": VALUES}), max_size=2
        ),
        "meta": st.fixed_dictionaries({"req_id": st.just("abcd")}, optional={"out": st.sampled_from(["natural", "code"])}),
    }
)


def plain_irs() -> st.SearchStrategy[SilpIR]:
    """IRs that the call syntax says in full: no extras but one subject or operator, default metadata."""
    return _PLAIN.map(ir_from_json)
