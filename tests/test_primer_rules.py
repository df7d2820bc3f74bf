from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import pytest

import sabir
from sabir.errors import DecodeError
from sabir.primer import FORMATS, LANGUAGES, SIZES
from sabir.primer.assembly import pieces


@dataclass(frozen=True)
class Rule:
    """Check of one sentence of a primer.

    Attributes:
        holds: shows with the format's decoder that the sentence is true.
        says: what the sentence must hold, in both languages, for the check to be about it.
    """

    holds: Callable[[], None]
    says: tuple[str, ...] = ()


def reads(format: str, *texts: str) -> None:
    """Each text is a message."""
    for text in texts:
        sabir.decode(text, format)


def refuses(format: str, *texts: str) -> None:
    """No text is a message."""
    for text in texts:
        with pytest.raises(DecodeError):
            sabir.decode(text, format)


def rule(format: str, *, good: Iterable[str] = (), bad: Iterable[str] = (), says: Iterable[str] = ()) -> Rule:
    """A rule by texts that must be read and texts that must be refused."""

    def holds() -> None:
        reads(format, *good)
        refuses(format, *bad)

    assert good or bad
    return Rule(holds, tuple(says))


def equal(text: str, format: str, **wanted: Any) -> Rule:
    """A rule by what a text means: fields of its JSON form."""

    def holds() -> None:
        form = sabir.to_json(sabir.decode(text, format))
        assert {name: form[name] for name in wanted} == wanted

    return Rule(holds)


def both(*rules: Rule) -> Rule:
    """A rule that holds if all of some do."""

    def holds() -> None:
        for item in rules:
            item.holds()

    return Rule(holds, tuple(word for item in rules for word in item.says))


def ir_of(text: str, format: str) -> dict[str, Any]:
    """JSON form of the IR of a text."""
    return sabir.to_json(sabir.to_ir(sabir.decode(text, format)))


def _silp_code() -> dict[str, Rule]:
    f = "silp-code"

    def conditions() -> None:
        found = ir_of("if a<=5 and b<5 and c>5 and d>=5 and e==5 and f!=5 and !rain and loc(me,x) and loc(me,x,t+1): start(x)", f)
        assert [item.get("operator") for item in found["constraints"]] == ["<=", "<", ">", ">=", "==", "!=", None, None, None]
        assert found["constraints"][6:] == [
            {"type": "!rain", "value": "true"},
            {"type": "loc", "value": "x", "subject": "me"},
            {"type": "loc", "value": "x", "time": "t+1", "subject": "me"},
        ]

    def fallbacks() -> None:
        alternatives = ir_of("if a<5: start(x) else: book(y); book(y@z); book(loc=z)", f)["alternatives"]
        assert alternatives == [
            {"action": "!BOOK", "target": "y"},
            {"action": "!BOOK", "target": "y", "location": "z"},
            {"action": "!BOOK", "location": "z"},
        ]

    def times() -> None:
        for unit in ("s", "m", "h", "d", "w"):
            for sign in "+-":
                assert ir_of(f"start(x,t{sign}5{unit})", f)["entities"][1]["id"] == "time"

    def meta() -> None:
        assert ir_of('start(x) # {"meta":{"priority":9}}', f)["meta"]["priority"] == 9

    def agents() -> None:
        found = ir_of('start(x) # {"meta":{"next_agent":"b","sender":"a"}}', f)["meta"]
        assert (found["sender"], found["next_agent"]) == ("a", "b")

    quote = rule(f, good=['start(note="two words")', 'start("a,b")', 'start("else")', "start(a_.+-*/%$&~1)"], bad=["start(two words)", "start(a:b)", *(f"start({word})" for word in ("if", "and", "else", "then"))])
    return {
        "form": rule(f, good=["start(x,note=y)"], says=["verb("]),
        "verbs": rule(f, good=["cancel(x)"]),
        "quote": quote,
        "none": rule(f, good=['process("water the plants")']),
        "clauses": Rule(conditions),
        "agents": Rule(agents),
        "only": rule(f, bad=["start(x)\nstart(y)", "```start(x)```", "Sure: start(x)"]),
        "least": rule(f, good=["start()", "start(x)"], bad=["start(x); book()"]),
        "verb": rule(f, good=["start(x)"], bad=["Start(x)", "START(x)"]),
        "escapes": equal('start("\\"\\\\\\n")', f, entities=[{"id": "act", "value": '"\\\n', "action": "!START"}]),
        "time": Rule(times, ("t+5h", "s", "m", "h", "d", "w")),
        "more": rule(f, good=["start(x); book(y)"], bad=["start(x); book()", "start(book(y))"], says=[";"]),
        "condition": both(Rule(conditions, ("budget<=500", "!rain", "< > >= == !=")), rule(f, bad=["start(x) if a<5", "if a<5 or b<5: start(x)"])),
        "else": both(Rule(fallbacks, ("else:", "loc=")), rule(f, bad=["if a<5: start(x) else: book(y,z)"])),
        "meta": Rule(meta),
        "meanings": rule(f, good=["cancel(x)"]),
    }


def _silp_json() -> dict[str, Rule]:
    f = "silp-json"

    def parts() -> None:
        text = '{"intent":"!START","act":"x","time":"t+5h","note":["a","b"],"action_email":["c"],"constraints":[{"type":"!rain","value":"true"},{"type":"a","value":"5","operator":"<=","subject":"me","time":"t+1"}],"alternatives":[{"action":"!BOOK","target":"y","location":"z"}]}'
        code = "start(x,t+5h,note=a,note=b); email(c)"
        found = ir_of(text, f)
        assert found["entities"] == ir_of(code, "silp-code")["entities"]
        assert found["constraints"][0] == ir_of("if !rain: start(x)", "silp-code")["constraints"][0]
        assert found["constraints"][1] == {"type": "a", "value": "5", "operator": "<=", "subject": "me", "time": "t+1"}
        assert found["alternatives"] == ir_of("if !rain: start(x) else: book(y@z)", "silp-code")["alternatives"]

    def meta() -> None:
        found = ir_of('{"intent":"!START","ir":{"meta":{"priority":9,"sender":"a","next_agent":"b"}}}', f)["meta"]
        assert (found["priority"], found["sender"], found["next_agent"]) == (9, "a", "b")

    values = rule(f, good=['{"intent":"!START","act":"x","note":["a","b"],"count":"2"}'], bad=['{"intent":"!START","count":2}', '{"intent":"!START","note":[2]}', '{"intent":"!START","note":{}}'], says=["act"])
    return {
        "form": rule(f, good=['{"intent":"!START","slot":"text"}'], bad=['{"intent":"!START"} {"intent":"!START"}'], says=['"intent"']),
        "verbs": rule(f, good=['{"intent":"!CANCEL"}']),
        "values": values,
        "none": rule(f, good=['{"intent":"!PROCESS","act":"water the plants"}']),
        "clauses": Rule(parts),
        "agents": Rule(meta, ("ir.meta",)),
        "only": rule(f, bad=['```json\n{"intent":"!START"}\n```', 'Sure: {"intent":"!START"}']),
        "least": rule(f, good=['{"intent":"!START"}'], bad=["{}", '{"act":"x"}'], says=["intent"]),
        "verb": rule(f, bad=['{"intent":"START"}', '{"intent":"!start"}'], says=["!"]),
        "more": both(Rule(parts, ("action_",)), rule(f, bad=['{"intent":"!START","action_email":"c"}', '{"intent":"!START","action_EMAIL":["c"]}'])),
        "condition": Rule(parts, ("constraints", "type", "value", "operator", "subject", "time", "< <= > >= == !=", '"true"')),
        "else": both(Rule(parts, ("alternatives", "action", "target", "location")), rule(f, bad=['{"intent":"!START","alternatives":[{"target":"x"}]}'])),
        "meta": Rule(meta, ("ir.meta",)),
        "meanings": rule(f, good=['{"intent":"!CANCEL"}']),
    }


def _silp_ir() -> dict[str, Rule]:
    f = "silp-ir"
    end = '"meta":{"req_id":"a1b2c3d4"}}'

    def more() -> None:
        text = '{"intent":"!START","entities":[{"id":"act","value":"x"},{"id":"time","value":"t+5h"},{"id":"act","value":"c","action":"!EMAIL"}],' + end
        assert sabir.encode(sabir.decode(text, f), "silp-code") == "start(x,t+5h); email(c)"

    def conditions() -> None:
        text = '{"intent":"!START","constraints":[{"type":"!rain","value":"true"},{"type":"a","value":"5","operator":"<="}],"alternatives":[{"action":"!BOOK","target":"y","location":"z"}],' + end
        assert sabir.encode(sabir.decode(text, f), "silp-code") == "if !rain and a<=5: start() else: book(y@z)"

    def meta() -> None:
        found = ir_of('{"intent":"!START","meta":{"req_id":"a1b2c3d4","priority":9,"sender":"a","next_agent":"b"}}', f)["meta"]
        assert (found["priority"], found["sender"], found["next_agent"]) == (9, "a", "b")

    ids = rule(f, good=['{"intent":"!START","meta":{"req_id":"0123abcd"}}'], bad=['{"intent":"!START","meta":{"req_id":"abcdefgh"}}', '{"intent":"!START","meta":{"req_id":"0123abcd9"}}'])
    values = rule(f, good=['{"intent":"!START","entities":[{"id":"note","value":"2"}],' + end], bad=['{"intent":"!START","entities":[{"id":"note","value":2}],' + end, '{"intent":"!START","entities":[{"id":"note"}],' + end], says=["act", "id"])
    return {
        "form": both(ids, rule(f, good=['{"intent":"!START","entities":[],' + end], says=["intent", "entities", "meta", "req_id"])),
        "verbs": rule(f, good=['{"intent":"!CANCEL",' + end]),
        "values": values,
        "none": rule(f, good=['{"intent":"!PROCESS","entities":[{"id":"act","value":"water the plants"}],' + end]),
        "clauses": Rule(conditions),
        "agents": Rule(meta, ("meta",)),
        "only": rule(f, bad=['```{"intent":"!START",' + end + "```", 'Sure: {"intent":"!START",' + end]),
        "least": rule(f, good=['{"intent":"!START",' + end], bad=['{"intent":"!START"}', "{" + end, '{"intent":"!START","x":1,' + end]),
        "verb": rule(f, bad=['{"intent":"START",' + end, '{"intent":"!start",' + end], says=["!"]),
        "id": both(ids, Rule(lambda: None, ("req_id", "8", "0-9 a-f"))),
        "more": Rule(more, ("action",)),
        "condition": Rule(conditions, ("type", "value", "operator", "subject", "time", "< <= > >= == !=", '"true"')),
        "else": both(Rule(conditions, ("action", "target", "location")), rule(f, bad=['{"intent":"!START","alternatives":[{"target":"x"}],' + end])),
        "meta": Rule(meta, ("meta",)),
        "meanings": rule(f, good=['{"intent":"!CANCEL",' + end]),
    }


def _slip() -> dict[str, Rule]:
    f = "slip"
    quote = both(equal('SLIP v1 a b MetaAck "two words" "" "\\"x"', f, payload=["two words", "", '"x']), rule(f, bad=['SLIP v1 a b MetaAck "x']))
    order = both(
        equal("SLIP v1 a b MetaAck x y", f, version="v1", src="a", dst="b", anchor="MetaAck", payload=["x", "y"]),
        rule(f, bad=["SLIP a b MetaAck", "SLIP v1 a MetaAck b", "SLIP v1 MetaAck a b", "v1 a b MetaAck"], says=["SLIP v1"]),
    )
    anchor = rule(f, good=["SLIP v1 a b MetaAck"], bad=["SLIP v1 a b metaack", "SLIP v1 a b Meta Ack", "SLIP v1 a b Whatever"])
    return {
        "form": order,
        "anchors": anchor,
        "none": equal('SLIP v1 a b Fallback "whole text"', f, anchor="Fallback", payload=["whole text"]),
        "quote": quote,
        "agents": rule(f, good=["SLIP v1 planner executor MetaAck"]),
        "only": rule(f, bad=["Sure! SLIP v1 a b MetaAck", "SLIP v1 a b MetaAck\nSLIP v1 a b MetaAck", "```SLIP v1 a b MetaAck```"]),
        "order": order,
        "names": both(rule(f, good=["SLIP v1 - - MetaAck"], bad=['SLIP v1 "a b" c MetaAck']), Rule(lambda: None, ("-",))),
        "anchor": anchor,
        "payload": rule(f, good=["SLIP v1 a b MetaAck", "SLIP v1 a b MetaAck x 1 y_2"]),
        "escapes": equal('SLIP v1 a b MetaAck "\\"\\\\\\n"', f, payload=['"\\\n']),
        "meanings": anchor,
    }


def _eap(f: str) -> dict[str, Rule]:
    unicode = f == "eap-unicode"
    signs, sign, bar = ("◤◢▰", "⚡", "⁝") if unicode else ("><=", "!", "|")

    def packet(data: str = "", *, mark: str = signs[0], priority: str = "", target: str = "#ctx4", code: str = "SEC:XSS") -> str:
        head = f"{mark}{code.replace(':', '::')} ➔ 📦[{target}]" if unicode else f"{mark}{code} {target}"
        return f"{head}{f' {sign}{priority}' if priority else ''}{f' {bar} {data}' if data else ''}"

    def directions() -> None:
        found = [sabir.to_json(sabir.decode(packet(mark=mark), f))["direction"] for mark in signs]
        assert found == ["request", "response", "sync"]

    def priorities() -> None:
        for number in range(1, 10):
            assert sabir.to_json(sabir.decode(packet(priority=str(number)), f))["priority"] == number
        refuses(f, packet(priority="0"), packet(priority="10"), packet(priority="x"))
        assert "priority 9 of 9" in sabir.explain(sabir.decode(packet(priority="9"), f))

    def types() -> None:
        text = packet('a=true b=false c=null d=42 e=0.5 f="42" g="true" h="two words" i=src/a.py:1#x-y_z')
        assert sabir.to_json(sabir.decode(text, f))["data"] == {
            "a": True,
            "b": False,
            "c": None,
            "d": 42,
            "e": 0.5,
            "f": "42",
            "g": "true",
            "h": "two words",
            "i": "src/a.py:1#x-y_z",
        }

    def agents() -> None:
        found = sabir.to_ir(sabir.decode(packet("@from=a @to=b"), f)).meta.model_dump()
        assert (found["sender"], found["next_agent"]) == ("a", "b")

    codes = rule(f, good=[packet()], bad=[packet(code="sec:XSS"), packet(code="SEC:xss"), packet(code="S:XSS")])
    target = rule(
        f,
        good=[packet(target="#a-Z_9.:")] + ([packet(target="#a b")] if unicode else []),
        bad=[packet(target="ctx4"), packet(target="#a]b" if unicode else "#a b")],
        says=["#"],
    )
    data = rule(f, good=[packet(), packet("a=1 b=2")], bad=[packet("a=1 a=2"), packet("a=1,b = 2"), packet(f"a=1 {sign}9")], says=[bar])
    quote = both(Rule(types), rule(f, good=[packet('note="two words"')], bad=[packet('note="two')]))
    return {
        "form": rule(f, good=[packet("key=value", priority="5")], bad=[packet("key=value", target="")]),
        "directions": both(Rule(directions, tuple(signs)), Rule(priorities, (f"{sign}1-9", "9"))),
        "agents": Rule(agents, ("@from", "@to")),
        "domains": codes,
        "requests": codes,
        "responses": codes,
        "syncs": codes,
        "quote": quote,
        "none": rule(f, good=[packet('note="x y"', code="GEN:DO")]),
        "only": rule(f, bad=[f"Sure! {packet()}", f"```{packet()}```", f"{packet()}\n{packet()}"]),
        "direction": Rule(directions, tuple(signs)),
        "codes": codes,
        "target": target,
        "priority": Rule(priorities, (f"{sign}1", f"{sign}9")),
        "data": data,
        "types": Rule(types, ("true", "false", "null")),
    }


def _ait() -> dict[str, Rule]:
    f = "ait"

    def form() -> None:
        found = sabir.to_json(sabir.decode("s4x9 rzf1", f))["packets"]
        assert found == [
            {"domain": "security", "target": 4, "action": "xss", "priority": 9},
            {"domain": "refactor", "target": 35, "action": "fix", "priority": 1},
        ]
        refuses(f, "S4X9", "s4x9,rzf1", "s4x9rzf1", "s4x", "4sx9")

    def targets() -> None:
        found = [sabir.to_json(sabir.decode(f"s{char}x9", f))["packets"][0]["target"] for char in "09abz"]
        assert found == [0, 9, 10, 11, 35]
        refuses(f, "s35x9", "s-x9")

    priorities = rule(f, good=[f"s4x{number}" for number in range(1, 10)], bad=["s4x0", "s4x10", "s4x"])
    codes = rule(f, good=["s4x9"], bad=["z4x9", "s4z9"])
    none = rule(f, bad=["Please water the plants.", "植木に水をやってください。"])
    return {
        "form": Rule(form),
        "domains": codes,
        "actions": codes,
        "target": Rule(targets, ("0", "z")),
        "priority": both(priorities, Rule(lambda: None, ("1", "9"))),
        "example": Rule(form),
        "none": none,
        "only": both(none, rule(f, bad=["s4x9\nr7f8", "Sure! s4x9"])),
        "order": Rule(form),
        "data": rule(f, bad=["s4x9 line=42", "s4x9|42", "<SEC:VUL #ctx4"]),
    }


def _lingua() -> dict[str, Rule]:
    f = "lingua"

    def fields() -> None:
        found = sabir.to_json(sabir.decode("👽131|@a|#b|~+30m|%N>100|%S=open|$r:c", f))["requests"][0]
        assert [found[name] for name in ("domain", "action", "modifier", "target", "id", "time")] == ["1", "3", "1", "a", "b", "+30m"]
        assert found["conditions"] == ["N>100", "S=open"]
        assert found["payload"] == {"encoding": "raw", "value": "c"}
        reads(f, "👽13", "👽131")
        assert sabir.to_json(sabir.decode("👽 1 3|@a", f))["kind"] == "human"
        refuses(f, "👽13|@a|@b", "👽13|#a|#b", "👽1|@a", "13|@a")

    def texts() -> None:
        found = sabir.to_json(sabir.decode("👽13|$r:a%7Cb%3Bc%25d%0Ae", f))["requests"][0]["payload"]
        assert found["value"] == "a|b;c%d\ne"
        plain = sabir.to_json(sabir.decode("👽13|$bWVldGluZw==", f))["requests"][0]["payload"]
        assert plain == {"encoding": "text", "value": "meeting"}
        refuses(f, "👽13|$two words")

    def human() -> None:
        found = sabir.to_json(sabir.decode("👽 water the plants", f))
        assert (found["kind"], found["text"]) == ("human", "water the plants")

    def error() -> None:
        found = sabir.to_json(sabir.decode("!E2W|log is read-only", f))
        assert [found[name] for name in ("type", "subtype", "details")] == ["2", "W", "log is read-only"]
        refuses(f, "!E9", "!E2Z")

    def response() -> None:
        found = sabir.to_json(sabir.decode("^0|#task-17|~+1h|$r:done", f))
        assert [found[name] for name in ("status", "id", "time")] == ["0", "task-17", "+1h"]
        refuses(f, "^7", "^0|@a")

    def signature() -> None:
        found = sabir.to_json(sabir.decode("👽13|@a\n--👽lingua/0.4@agent-lingua", f))
        assert found["signature"] == {"version": "0.4", "source": "agent-lingua"}

    codes = rule(f, good=["👽00", "👽FF9"], bad=["👽G0", "👽0G", "👽00G"])
    return {
        "form": Rule(fields, ("👽", "|@target|#id|~time|$r:text")),
        "agents": rule(f, good=["👽13|@planner"]),
        "domains": codes,
        "actions": codes,
        "modifiers": codes,
        "statuses": Rule(response),
        "errors": Rule(error),
        "escapes": Rule(texts, ("%7C", "%3B", "%25")),
        "none": Rule(human),
        "only": rule(f, bad=["Sure! 👽13|@a", "👽13|@a\n👽13|@a", "```👽13|@a```"]),
        "codes": both(codes, Rule(fields)),
        "fields": Rule(fields),
        "values": rule(f, bad=["👽13|@a b", "👽13|#a b"]),
        "targets": rule(f, good=["👽13|@0", "👽13|@H", "👽13|@A", "👽13|@S", "👽13|@name"]),
        "time": rule(f, good=[f"👽42|~{time}" for time in ("+30m", "-2h", "*4h", "+1d15h", "+1w2d3h4m5s")], bad=["👽42|~30m", "👽42|~+15h1d", "👽42|~+1y"], says=["~+30m", "~-2h", "~*4h", "w d h m s", "~+1d15h"]),
        "conditions": rule(f, good=[f"👽76|%{kind}{sign}1" for kind in "KFTNS" for sign in "><=!~"] + ["👽76|%P1/3"], bad=["👽76|%Q>1", "👽76|%K1"], says=["%N>100", "%P1/3", "> < = ! ~"]),
        "payload": Rule(texts, ("$r:", "base64")),
        "compound": rule(f, good=["👽21|@a;;👽2B|@b"], bad=["👽21|@a;;2B|@b"], says=[";;", "👽"]),
        "response": Rule(response, ("^0|#task-17|$r:",)),
        "error": Rule(error, ("!E2W|",)),
        "signature": Rule(signature),
        "subtypes": rule(f, good=["!E2R", "!E2W", "!E2X"], bad=["!E2Z"]),
    }


RULES: Final[dict[str, dict[str, Rule]]] = {
    "silp-code": _silp_code(),
    "silp-json": _silp_json(),
    "silp-ir": _silp_ir(),
    "slip": _slip(),
    "eap": _eap("eap"),
    "eap-unicode": _eap("eap-unicode"),
    "ait": _ait(),
    "lingua": _lingua(),
}
NO_RULES: Final = {"rules", "examples", "slips"}
"""Pieces that are headings or made of messages."""


@pytest.mark.parametrize("format", FORMATS)
def test_each_sentence_of_a_primer_has_its_check(format: str) -> None:
    """A sentence that is added needs a check, and a check without a sentence goes."""
    sentences = {name for size in SIZES for name in pieces(format, size, "en")}
    assert sentences - NO_RULES == RULES[format].keys()


@pytest.mark.parametrize(("format", "name"), [(format, name) for format, rules in RULES.items() for name in rules])
def test_a_rule_is_true(format: str, name: str) -> None:
    """The decoder does what the sentence says, and the sentence speaks of what is checked."""
    checked = RULES[format][name]
    checked.holds()
    for lang in LANGUAGES:
        told = " ".join(pieces(format, size, lang).get(name, "") for size in SIZES)
        for word in checked.says:
            assert word in told
