"""Any valid IR, with everything in it that could break a text."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

from sabir.silp.ir import SilpIR
from strategies.eap import json_values, texts

TRAPS: Final = (
    *("act", "time", "loc", "intent", "constraints", "alternatives", "ir", "meta", "action_email", "action_", "silp"),
    *("t+1", "t+1am", "t-22w", "t+", "t+1x", "t1", "then", "and", "else", "if", "with", "true", "!rain", "else:"),
    *("a,b", "a)", "(a", "a); email(b", "x=y", "a@b", "->", "a # b", '# {"meta":{"priority":9}}', "a;b", "<=5", "start()"),
    *("文章", "é", "e\u0301", "٣", "½", "²", "a\u200bb", "（a）", "“a”", "a'b", '"a"', "a b", " a", "a ", "\\", '\\"'),
    *('{"intent":"!START"}', "SLIP v1 a b MetaAck", ">SEC:XSS #ctx4", "-", "@from", "silp"),
)
VERBS: Final = ("!START", "!EMAIL", "!XSS", "!REQUEST_REVIEW", "!FALLBACK", "!A", "!A__B_", "!PROPOSE_ALTERNATIVE", "!SWITCH_TOOL")
NAMES: Final = ("rain", "loc", "budget", "!rain", "_x1", "a-b", "", "!", "!!x", "if", "!and", "then", "A", "t", "naïve", "x y")
OPERATORS: Final = ("<=", ">=", "==", "!=", "<", ">", "=", "", "is not", "=>", "in", "(")


def values() -> st.SearchStrategy[str]:
    """Texts, those that mean something in SILP often."""
    return st.one_of(st.sampled_from(TRAPS), texts())


def extras(*usual: str) -> st.SearchStrategy[dict[str, Any]]:
    """Extra fields: mostly none, sometimes any names with any JSON values."""
    names = st.one_of(st.sampled_from(("type", "unit", "x", *usual)), values())
    return st.one_of(st.just({}), st.just({}), st.dictionaries(names, json_values(), max_size=2))


def verbs() -> st.SearchStrategy[str]:
    """Action codes."""
    return st.one_of(st.sampled_from(VERBS), st.from_regex(r"![A-Z][A-Z_]{0,8}", fullmatch=True))


def _entity(item: tuple[dict[str, Any], str, str, str | None]) -> dict[str, Any]:
    extra, id, value, action = item
    found = {name: more for name, more in extra.items() if name not in ("id", "value", "action")}
    return {**found, "id": id, "value": value, **({"action": action} if action else {})}


def entities() -> st.SearchStrategy[dict[str, Any]]:
    """Entities of the intent and of other actions."""
    ids = st.one_of(st.just("act"), st.just("time"), values())
    return st.tuples(extras(), ids, values(), st.one_of(st.none(), st.none(), verbs())).map(_entity)


@st.composite
def constraints(draw: st.DrawFn) -> dict[str, Any]:
    """Constraints: called, compared, negated, with and without time and subject."""
    found = {name: more for name, more in draw(extras()).items() if name not in ("type", "value", "time")}
    if draw(st.booleans()):
        found["subject"] = draw(st.one_of(values(), json_values()))
    if draw(st.booleans()):
        found["operator"] = draw(st.one_of(st.sampled_from(OPERATORS), json_values()))
    found["type"] = draw(st.one_of(st.sampled_from(NAMES), values()))
    found["value"] = draw(st.one_of(st.just("true"), values()))
    if draw(st.booleans()):
        found["time"] = draw(values())
    return found


@st.composite
def alternatives(draw: st.DrawFn) -> dict[str, Any]:
    """Fallbacks with and without target and location."""
    known = ("action", "target", "location")
    found = {name: more for name, more in draw(extras()).items() if name not in known}
    found["action"] = draw(verbs())
    for name in ("target", "location"):
        if draw(st.booleans()):
            found[name] = draw(values())
    return found


@st.composite
def metas(draw: st.DrawFn) -> dict[str, Any]:
    """Metadata: every field, and extras that other formats use."""
    routing = ("sender", "direction", "domain", "slip_version", "slip", "eap", "ait")
    found = dict(draw(extras(*routing)))
    found["req_id"] = draw(st.from_regex(r"[a-f0-9]{4,8}", fullmatch=True))
    optional: dict[str, st.SearchStrategy[Any]] = {
        "session_id": values(),
        "priority": st.one_of(st.integers(0, 10), st.integers(-(10**30), 10**30)),
        "confidence": st.one_of(st.floats(0, 1), st.sampled_from([0, 1, 1.0, -0.0])),
        "seq": st.lists(st.one_of(verbs(), values()), max_size=3),
        "out": st.one_of(st.sampled_from(["natural", "code", "json", "xml"]), values()),
        "next_agent": values(),
        "direction": st.sampled_from(["request", "response", "sync"]),
        "domain": st.sampled_from(["SEC", "GEN", "sec", "TOO_LONG_DOMAIN"]),
        "sender": values(),
    }
    for name, strategy in optional.items():
        if draw(st.integers(0, 3)) == 0:
            found[name] = draw(strategy)
    if draw(st.integers(0, 3)) > 0:
        found = {name: found[name] for name in found if name in ("req_id", "priority", "next_agent", "sender", "direction", "domain")}
        found = {name: more for name, more in found.items() if name != "next_agent" or isinstance(more, str)}
    for name in ("session_id", "out", "next_agent"):
        if not isinstance(found.get(name, ""), str):
            del found[name]
    return found


@st.composite
def silp_irs(draw: st.DrawFn) -> SilpIR:
    """Any valid IR."""
    found: dict[str, Any] = {"intent": draw(verbs()), "meta": draw(metas())}
    found["entities"] = draw(st.lists(entities(), max_size=5))
    found["constraints"] = draw(st.lists(constraints(), max_size=3))
    found["alternatives"] = draw(st.lists(alternatives(), max_size=2))
    if draw(st.integers(0, 9)) == 0:
        found["version"] = draw(values())
    return SilpIR.model_validate(found)


@st.composite
def plain_irs(draw: st.DrawFn) -> SilpIR:
    """IRs that the call syntax says in full: no extras but subject and operator, default metadata."""
    word = values()
    items = [
        {"id": draw(st.one_of(st.just("act"), word)), "value": draw(word), "action": draw(st.one_of(st.none(), verbs()))}
        for _ in range(draw(st.integers(0, 4)))
    ]
    tests: list[dict[str, Any]] = []
    for _ in range(draw(st.integers(0, 3))):
        shape = draw(st.integers(0, 4))
        name = draw(st.sampled_from(["rain", "loc", "_b1"]))
        if shape == 0:
            tests.append({"type": f"!{name}", "value": "true", **draw(_maybe_time(word))})
        elif shape == 1:
            operator = draw(st.sampled_from(OPERATORS[:7]))
            tests.append({"type": name, "value": draw(word), "operator": operator, **draw(_maybe_time(word))})
        elif shape == 2:
            tests.append({"type": name, "value": draw(word), "subject": draw(word), **draw(_maybe_time(word))})
        elif shape == 3:
            tests.append({"type": name, "value": draw(word)})
        else:
            tests.append({"type": name, "value": draw(word), "time": "t+1am"})
    others = [
        {"action": draw(verbs()), **{n: draw(word) for n in ("target", "location") if draw(st.booleans())}}
        for _ in range(draw(st.integers(0, 2)))
    ]
    return SilpIR.model_validate(
        {"intent": draw(verbs()), "entities": items, "constraints": tests, "alternatives": others, "meta": {"req_id": "abcd"}}
    )


def _maybe_time(word: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, str]]:
    return st.one_of(st.just({}), st.fixed_dictionaries({"time": word}))
