"""Agent Lingua and the IR: what is said in its own terms, what travels whole, and that the tables are sound."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import sabir
from sabir import correspondence, interlingua
from sabir.errors import EncodeError
from sabir.lingua import LINGUA, LinguaMessage, LinguaRequest, Payload, decode, encode
from sabir.lingua.gloss import explain
from sabir.lingua.interpret import put, take
from sabir.lingua.tables import Entry, Table, default
from sabir.silp.canonical import canonical, equivalent
from sabir.silp.ir import SilpIR
from sabir.silp.ir_json import ir_from_json
from strategies.silp import silp_irs


def ir_of(**fields: Any) -> SilpIR:
    """IR of some of its fields."""
    return ir_from_json({"intent": "!SEARCH", **fields})


def shown(text: str) -> str:
    """A text with its JSON payload in the clear."""
    head, sign, tail = text.partition("$j:")
    if not sign:
        return text
    code, bar, rest = tail.partition("|")
    return f"{head}{sign}{base64.b64decode(code).decode()}{bar}{rest}"


NATIVE = [
    (">SEC:XSS #ctx4 !9", '👽ED1|#ctx4|$j:{"@verb":"XSS"}'),
    (">SEC:SEARCH #ctx4", "👽E6|#ctx4"),
    (">GEN:SEARCH #ctx4 !7", '👽16|#ctx4|$j:{"@priority":7}'),
    (">DAT:UPDATE #ctx1 | n=3", '👽F5|#ctx1|$j:{"@domain":"DAT","n":3}'),
    (">EXT:SEARCH #a", "👽F6|#a"),
    (">GEN:SEARCH #a | act=5 time=6", '👽16|#a|$j:{"act":5,"time":6}'),
    ("<SEC:VUL #ctx4 | line=42 fixed=false", '^0|#ctx4|$j:{"@verb":"VUL","@domain":"SEC","line":42,"fixed":false}'),
    ("=SYS:OK #ctx0", '👽0C|#ctx0|$j:{"@verb":"OK"}'),
    ("<GEN:SEARCH #a !2", '^0|#a|$j:{"@verb":"SEARCH","@priority":2}'),
    ("SLIP v1 a b RequestCancel task_7", '👽14|@b|#task_7|$j:{"@from":"a"}'),
    ("SLIP v1 - b RequestCancel task_7", "👽14|@b|#task_7"),
    ("SLIP v1 - - ErrorTimeout job_7", "!E4|job_7"),
    ('SLIP v1 - - ErrorTimeout "job 7; at once"', "!E4|job 7%3B at once"),
    ("SLIP v1 - - InformComplete", "^0"),
    ("SLIP v1 - b Reject task_7", '^A|#task_7|$j:{"@to":"b"}'),
    ("SLIP v1 - - MetaSync", "👽1C"),
    ('SLIP v1 - - Fallback "good morning"', "👽 good morning"),
    ("SLIP v1 - b Fallback hi", '👽13|@b|#hi|$j:{"@verb":"FALLBACK"}'),
    ("search(hotel,t+2h)", "👽16|#hotel|~+2h"),
    ("search(hotel,t+1pm)", '👽16|#hotel|$j:{"time":"t+1pm"}'),
    ("search(hotel,downtown,stars=4)", '👽16|#hotel|$j:{"@act":["downtown"],"stars":"4"}'),
    ('search("two words")', '👽16|$j:{"@act":["two words"]}'),
    ("if karma>100 and partition(1/3): search(hotel)", "👽16|#hotel|%K>100|%P1/3"),
    ("if text(rain): fetch(forecast)", "👽11|#forecast|%T~rain"),
    ("s4x9", '👽ED1|#ctx4|$j:{"@verb":"XSS"}'),
]
"""Texts of other formats, and what they are in Agent Lingua, its JSON in the clear."""


@pytest.mark.parametrize(("text", "wanted"), NATIVE)
def test_what_both_can_say_is_said_natively(text: str, wanted: str) -> None:
    """Action, domain, target, time, conditions and priority have their own places, both ways."""
    done = sabir.translate(text, "lingua")
    assert shown(done.text) == wanted
    assert done.native
    back = sabir.translate(done.text, done.source)
    assert back.native
    assert back.text == text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("👽73|@1|$dGVzdA==", "send(payload=test)"),
        ("👽73|$r:test", "send(payload=test)"),
        ("👽73|$j:WzFd", 'send(payload="[1]")'),
        ("👽73|$j:ImEi", "send(payload=a)"),
        ("👽42|@H|~+1d15h", "create(time=+1d15h)"),
        ("^9|#job_7", "fail(job_7)"),
        ("!E2W", "error_permission()"),
    ],
)
def test_what_only_agent_lingua_has_is_in_the_metadata(text: str, code: str) -> None:
    """The call reads as what is meant; encodings, modifiers and signatures stand behind it."""
    done = sabir.translate(text, "silp-code")
    assert done.native
    assert done.text.partition(" # ")[0] == code
    assert sabir.translate(done.text, "lingua").text == text


@pytest.mark.parametrize(
    "text",
    [
        "👽71;;👽72",
        "👽71|$j:" + base64.b64encode(b'{"@verb":5}').decode(),
        "👽71|$j:" + base64.b64encode(b'{"@verb":"no verb"}').decode(),
        "👽71|$j:" + base64.b64encode(b'{"@act":[1]}').decode(),
        "👽71|$j:" + base64.b64encode(b'{"@priority":true}').decode(),
        "👽71|$j:" + base64.b64encode(b'{"payload":"x"}').decode(),
        "👽71|$j:" + base64.b64encode(b'{"a":1,"@from":"x"}').decode(),
        "^0|#a|$j:" + base64.b64encode(b'{"@act":["b"],"time":"t+2h"}').decode(),
        "!E4|$j:" + base64.b64encode(b'{"@act":["b"]}').decode(),
    ],
)
def test_what_would_be_said_otherwise_travels_whole(text: str) -> None:
    """A message that uses our names in another way is data, and comes back as it was."""
    ir, route = interlingua.to_ir(decode(text), LINGUA)
    assert route == "sealed"
    assert canonical(ir)["meta"]["lingua"] == {"wire": text}
    message, _ = interlingua.from_ir(ir, LINGUA)
    assert encode(message) == text


@pytest.mark.parametrize(
    "fields",
    [
        {"alternatives": [{"action": "!SUGGEST"}]},
        {"constraints": [{"type": "budget", "value": "5", "operator": "<="}]},
        {"constraints": [{"type": "karma", "value": "5", "operator": ">", "time": "t+1"}]},
        {"constraints": [{"type": "karma", "value": "5", "operator": ">", "subject": "me"}]},
        {"entities": [{"id": "act", "value": "x", "action": "!EMAIL"}]},
        {"entities": [{"id": "a", "value": "x"}, {"id": "a", "value": "y"}]},
        {"entities": [{"id": "a", "value": "x"}, {"id": "act", "value": "y"}, {"id": "time", "value": "t+2h"}]},
        {"entities": [{"id": "time", "value": "t+2h", "note": 1}]},
        {"meta": {"priority": -3}},
        {"meta": {"session_id": "s1"}},
        {"meta": {"direction": "sideways", "domain": "SEC"}},
        {"meta": {"direction": "request", "domain": 5}},
        {"meta": {"modifier": "urgent"}},
        {"meta": {"modifier": "loud"}},
        {"meta": {"modifier": 5}},
        {"meta": {"signature": "none"}},
        {"meta": {"signature": 5}},
        {"meta": {"prefix": "#"}},
        {"meta": {"encoding": "raw"}},
        {"meta": {"encoding": 5}, "entities": [{"id": "payload", "value": "x"}]},
        {"meta": {"sender": 5}},
        {"meta": {"direction": "response", "domain": "SEC", "modifier": "silent"}},
        {"meta": {"direction": "response", "domain": "SEC", "subtype": "W"}},
        {"intent": "!ERROR_TIMEOUT", "meta": {"subtype": 5}},
        {"intent": "!ERROR_TIMEOUT", "entities": [{"id": "act", "value": ""}]},
        {"intent": "!FALLBACK", "entities": [{"id": "act", "value": " hello"}]},
        {"intent": "!FALLBACK", "entities": [{"id": "act", "value": "hello"}], "meta": {"domain": "SEC", "direction": "request"}},
        {"meta": {"next_agent": "a b"}},
    ],
)
def test_irs_of_every_kind_come_back(fields: dict[str, Any]) -> None:
    """What Agent Lingua cannot say travels whole, under a head that means the same."""
    ir = ir_of(**fields)
    message, _ = interlingua.from_ir(ir, LINGUA)
    assert equivalent(interlingua.to_ir(decode(encode(message)), LINGUA)[0], ir)


@pytest.mark.parametrize("head", ["👽16|$j:", "^0|$j:", "!E4|$j:"])
@pytest.mark.parametrize("value", [{"act": [None]}, {"act": 5, "time": 6}, {"act": True, "x": None}])
def test_a_value_that_is_no_text_is_named_whatever_its_name(head: str, value: Any) -> None:
    """An argument `act` or `time` of another type than text is a slot like any other."""
    text = head + base64.b64encode(json.dumps(value, separators=(",", ":")).encode()).decode()
    ir, route = interlingua.to_ir(decode(text), LINGUA)
    assert route == "native"
    assert [item.id for item in ir.entities] == list(value)
    assert encode(interlingua.from_ir(ir, LINGUA)[0]) == text


@pytest.mark.parametrize("value", ['{"intent":"!SEARCH"}', '{"intent":"!SEARCH","meta":{"req_id":"abcd","note":1}}', "5"])
def test_what_only_looks_carried_is_data(value: str) -> None:
    """An IR that Agent Lingua can say, or that is written in another way, is a value like any other."""
    text = "👽71|$j:" + base64.b64encode(f'{{"@ir":{value}}}'.encode()).decode()
    ir, route = interlingua.to_ir(decode(text), LINGUA)
    assert route == "native"
    assert [item.id for item in ir.entities] == ["@ir"]
    assert encode(interlingua.from_ir(ir, LINGUA)[0]) == text


@given(silp_irs())
def test_a_carrier_gives_back_what_was_put(ir: SilpIR) -> None:
    """`take` is the inverse of `put`, through text."""
    again = take(decode(encode(put(ir))))
    assert again is not None
    assert equivalent(again, ir)


def test_a_carried_ir_stands_under_a_head_that_means_the_same() -> None:
    """Domain, action, urgency, receiver and first argument can be read without opening it."""
    form: dict[str, Any] = {
        "entities": [{"id": "act", "value": "ctx4"}],
        "meta": {"direction": "request", "domain": "SEC", "priority": 9, "next_agent": "qa", "note": 1},
    }
    assert encode(put(ir_of(**form))).startswith("👽E61|@qa|#ctx4|$j:")
    assert encode(put(ir_of(**form, intent="!REJECT"))).startswith("👽EF1|@qa|")
    form["meta"] = {"direction": "response", "domain": "SEC", "note": 1}
    assert encode(put(ir_of(**{**form, "intent": "!REJECT"}))).startswith("^A|#ctx4|$j:")
    assert encode(put(ir_of(**{**form, "intent": "!ERROR_TIMEOUT"}))).endswith("|ctx4")
    assert encode(put(ir_of(meta={"direction": 5, "domain": 5}))).startswith("👽F6|$j:")


# --- tables ----------------------------------------------------------------------------------------------


def test_every_code_has_a_verb_and_every_verb_a_direction() -> None:
    """All codes of the protocol are in the table, each under a verb that is meant in the code's direction."""
    tables = default()
    codes = {
        *tables.actions.by_code,
        *(f"^{code}" for code in tables.statuses.by_code),
        *(f"!E{code}" for code in tables.errors.by_code),
    }
    assert correspondence.LINGUA_VERBS.keys() == codes
    assert len(set(correspondence.LINGUA_VERBS.values())) == len(codes)
    for code, verb in correspondence.LINGUA_VERBS.items():
        assert correspondence.row_of_intent(f"!{verb}") is not None
        direction = correspondence.direction_of(f"!{verb}")
        assert direction == correspondence.direction_of_lingua(code)
        assert correspondence.lingua_code_of(f"!{verb}", direction) == code


def test_every_domain_has_one_of_eap() -> None:
    """One for one, and those that both protocols name are the same."""
    assert correspondence.LINGUA_DOMAINS.keys() == default().domains.by_code.keys()
    assert len(set(correspondence.LINGUA_DOMAINS.values())) == 16
    own = {code: entry.name for code, entry in default().domains.by_code.items()}
    assert own | {"1": "GEN"} == correspondence.LINGUA_DOMAINS


@pytest.mark.parametrize("row", correspondence.ROWS, ids=lambda row: row.verb)
def test_a_verb_is_headed_in_its_own_direction(row: correspondence.Row) -> None:
    """Requests by actions, answers by statuses and errors, synchronization by action C."""
    code = correspondence.lingua_code_of(f"!{row.verb}", row.direction)
    assert correspondence.direction_of_lingua(code) == row.direction


def test_the_documents_tables_are_all_there() -> None:
    """As many codes as the seed lists, and a few of them by hand."""
    tables = default()
    sizes = [len(getattr(tables, name).entries) for name in ("domains", "actions", "modifiers", "statuses", "errors")]
    assert sizes == [16, 16, 10, 7, 7]
    assert tables.domains.by_code["4"].name == "CRN"
    assert tables.actions.by_code["E"].name == "TRF"
    assert tables.modifiers.by_code["7"].en == "encrypted payload"
    assert tables.statuses.by_code["3"].en == "queued"


def test_an_installation_extends_the_tables(tmp_path: Path) -> None:
    """Domain F, action F and its own submolts, in code or by a file; the protocol's own codes stay."""
    file = tmp_path / "ours.json"
    file.write_text(
        json.dumps(
            {
                "domain": {"code": "F", "name": "LAB", "en": "laboratory", "ja": "実験室"},
                "action": {"code": "F", "name": "PIP"},
                "targets": [{"code": "7", "name": "chemistry"}],
            }
        ),
        "utf-8",
    )
    tables = default().extended_by_file(file)
    message = decode("👽FF|@7|$YQ==")
    assert explain(message, "en", tables) == "Request: laboratory, PIP, to chemistry, with a."
    assert explain(message, "ja", tables).startswith("依頼：実験室、PIP、宛先 chemistry")
    assert explain(message, "en") == "Request: extension, extended action, to 7, with a."
    assert tables.extended() == tables


@pytest.mark.parametrize(
    ("form", "path"),
    [
        ([], ""),
        ({"domains": []}, ""),
        ({"targets": {}}, "targets"),
        ({"targets": ["x"]}, "targets[0]"),
        ({"targets": [{"code": "7"}]}, "targets[0]"),
        ({"targets": [{"code": "1", "name": "x"}]}, "targets[7].code"),
        ({"targets": [{"code": "7", "name": "general"}]}, "targets[7].name"),
        ({"targets": [{"code": "a b", "name": "x"}]}, "targets[7].code"),
        ({"targets": [{"code": "7", "name": 5}]}, "targets[7].name"),
        ({"domain": {"code": "E", "name": "x"}}, "domains.code"),
        ({"action": {"code": "1", "name": "x"}}, "actions.code"),
    ],
)
def test_a_wrong_extension_is_refused_with_its_path(tmp_path: Path, form: Any, path: str) -> None:
    """Another code than F, a code or name that is taken, and what has the wrong shape."""
    file = tmp_path / "ours.json"
    file.write_text(json.dumps(form), "utf-8")
    with pytest.raises(EncodeError) as caught:
        default().extended_by_file(file)
    assert caught.value.path == path


def test_a_file_that_is_no_json_is_refused(tmp_path: Path) -> None:
    """Broken JSON and broken UTF-8, with the name of the file."""
    file = tmp_path / "ours.json"
    for content in (b"{", b"\xff"):
        file.write_bytes(content)
        with pytest.raises(EncodeError, match=r"ours\.json is no JSON"):
            default().extended_by_file(file)


def test_a_table_shows_its_codes() -> None:
    """As error texts name them."""
    assert str(Table("domains", (Entry("0", "SYS", "system", "システム"), Entry("1", "MSG", "m", "m")))) == "0 SYS, 1 MSG"


# --- explaining ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "en", "ja"),
    [
        (
            "👽42|@H|~+1d15h|$bWVldGluZw==",
            "Request: schedule, create, to the human, time +1d15h, with meeting.",
            "依頼：予定、作成、宛先 人、時刻 +1d15h、内容 meeting。",
        ),
        (
            "👽71|@99cats|#p1;;👽79|@bob|%K>1",
            "Request: Moltbook, read, to cats, about p1; then Moltbook, handshake, to bob, if K>1.",
            "依頼：Moltbook、取得、宛先 cats、対象 p1；続いてMoltbook、ハンドシェイク、宛先 bob、条件 K>1。",
        ),
        ("?👽161", "Query: message, search, urgent.", "照会：メッセージ、検索、至急。"),
        ("!👽16", "Urgent request: message, search.", "至急の依頼：メッセージ、検索。"),
        ("👽137|#s|$e:YQ==:YQ==", "Request: message, send, encrypted payload, about s, an encrypted payload.", None),
        ("^3|#job|~+1h|$j:WzFd", "Response: queued, about job, time +1h, with [1].", None),
        ("!E2W|no key", "Error: permission denied, write, no key.", "エラー：権限なし、書き込み、no key。"),
        ("👽 hello", "In human language: hello.", "人の言葉：hello。"),
    ],
)
def test_what_a_message_says(text: str, en: str, ja: str | None) -> None:
    """One line, in English and Japanese."""
    message = decode(text)
    assert sabir.explain(message) == en
    if ja is not None:
        assert sabir.explain(message, "ja") == ja


def test_request_of_nothing_but_codes() -> None:
    """The shortest request and its IR."""
    message = LinguaMessage.request(LinguaRequest("1", "6"))
    assert encode(message) == "👽16"
    assert canonical(sabir.to_ir(message)) == {"intent": "!SEARCH"}
    assert Payload("text", "") == decode("👽16|$").requests[0].payload
