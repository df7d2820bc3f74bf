"""Packets of rough instructions in two languages, and the glosses that tell a person what packets say."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir.eap import (
    AIT,
    EAP,
    AitTape,
    EapPacket,
    ait,
    decode,
    decode_all,
    decode_all_unicode,
    decode_unicode,
)
from sabir.eap.instruct import MAX_INSTRUCTION, SYSTEM_PROMPT, from_instruction
from sabir.eap.packet import is_target
from sabir.errors import DecodeError, EncodeError
from strategies.eap import ait_tapes, eap_packets

TASKS = Path(__file__).parents[2] / "shared/data/eap-ait-tasks.json"
TABLE: dict[str, Any] = json.loads(
    resources.files("sabir.data").joinpath("eap-instructions.json").read_text("utf-8")
)
INSTRUCTIONS = [
    ("Check context 4 for XSS, top priority.", ">SEC:XSS #ctx4 !9"),
    ("check ctx12 for xss asap", ">SEC:XSS #ctx12 !8"),
    ("Look for SQL injection in log 7. No rush.", ">SEC:SQL #ctx7 !3"),
    ("Fix the vulnerability in context #3 immediately", ">SEC:FIX #ctx3 !8"),
    ("Please patch the security hole from two steps ago", ">SEC:FIX #ctx-2 !7"),
    ("Audit the third context", ">SEC:AUDIT #ctx3 !7"),
    ("Summarise log 15, it is not urgent", ">DAT:SUM #ctx15 !3"),
    ("Give me the gist of the previous log", ">DAT:SUM #prev !5"),
    ("Clean up the code in context nine", ">REF:FIX #ctx9 !5"),
    ("Update the forecast in context 2, priority 4", ">PRED:UPDATE #ctx2 !4"),
    ("Validate the gravity model in context 11", ">SGE:VALIDATE #ctx11 !5"),
    ("Query the metrics of context 1", ">OBS:QUERY #ctx1 !5"),
    ("Show me the telemetry from 3 turns ago, it's critical", ">OBS:QUERY #ctx-3 !9"),
    ("Branch from context 6", ">REF:BRANCH #ctx6 !5"),
    ("Cancel the task in context 8 right now", ">SYS:CANCEL #ctx8 !9"),
    ("Run context 5 whenever you have time", ">SYS:RUN #ctx5 !2"),
    ("Repeat that once more", ">SYS:RPT #ctx0 !5"),
    ("Hello there", "=SYS:HLO #usr !1"),
    ("thanks a lot!", "=SYS:ACK #usr !1"),
    ("Thanks. Now summarize context 3.", ">DAT:SUM #ctx3 !5"),
    ("If you have time, summarize context 3.", ">DAT:SUM #ctx3 !2"),
    ("Validate context 2. If it fails, fix it immediately.", ">DAT:VALIDATE #ctx2 !5"),
    ("Could you check if context 4 is vulnerable to XSS?", ">SEC:XSS #ctx4 !7"),
    ("make it so", ">GEN:DO #ctx0 !5"),
    ("", ">GEN:DO #ctx0 !5"),
    ("過去ログ4番のXSSを超ガチで見て", ">SEC:XSS #ctx4 !9"),
    ("コンテキスト１２のセキュリティを監査して", ">SEC:AUDIT #ctx12 !7"),
    ("ログ二十三番を要約して", ">DAT:SUM #ctx23 !5"),
    ("ログ三のコードを直して。至急。", ">REF:FIX #ctx3 !8"),
    ("３つ前のログの脆弱性を修正してください", ">SEC:FIX #ctx-3 !7"),
    ("三つ前のデータを検証して", ">DAT:VALIDATE #ctx-3 !5"),
    ("前回の結果をまとめて、優先度は低で", ">DAT:SUM #prev !3"),
    ("さっきのログをもう一度チェックして", ">SYS:CHK #prev !5"),
    ("コンテキスト5の予測を更新して", ">PRED:UPDATE #ctx5 !6"),
    ("コンテキスト10の重力モデルを大至急確認して", ">SGE:CHK #ctx10 !9"),
    ("メトリクスを検索して、ログ8", ">OBS:QUERY #ctx8 !5"),
    ("ログ7番のSQLインジェクションを調べて、急ぎではない", ">SEC:SQL #ctx7 !3"),
    ("コンテキスト2を分岐させて、優先度7", ">REF:BRANCH #ctx2 !7"),
    ("コンテキスト6の処理を中止して、今すぐ", ">SYS:CANCEL #ctx6 !9"),
    ("時間があればコンテキスト3を要約して", ">DAT:SUM #ctx3 !2"),
    ("手が空いたら、ログ9を確認して", ">SYS:CHK #ctx9 !2"),
    ("コンテキスト4を実行して、もし失敗したら修正して", ">SYS:RUN #ctx4 !6"),
    ("コンテキスト一覧を見せて", ">DAT:QUERY #ctx0 !5"),
    ("４番目のログを監査して、最優先", ">SEC:AUDIT #ctx4 !9"),
    ("こんにちは", "=SYS:HLO #usr !1"),
    ("ありがとう。では、コンテキスト1のデータを要約して", ">DAT:SUM #ctx1 !5"),
    ("お願いします", ">GEN:DO #ctx0 !5"),
    ("NeuroStateをコンテキスト3で検証して、重要です", ">NST:VALIDATE #ctx3 !7"),
    ("ＣＯＮＴＥＸＴ　４　のＸＳＳをチェック", ">SEC:XSS #ctx4 !7"),
    ("Context seven: please validate the dataset, medium priority", ">DAT:VALIDATE #ctx7 !5"),
    ("I need you to review the code of log no. 6 as soon as possible", ">REF:CHK #ctx6 !8"),
    ("Fix it", ">REF:FIX #ctx0 !5"),
    ("Translate context 4 into French", ">GEN:TRANSLATE #ctx4 !5"),
    ("Book a room, then email the team", ">GEN:BOOK #ctx0 !5"),
    ("Let me know when context 2 is done, priority 10", ">GEN:NOTIFY #ctx2 !5"),
    ("５個前のメッセージの認証コードを見直して", ">SEC:CHK #ctx-5 !7"),
    ("もしよければコンテキスト3を監査してください", ">SEC:AUDIT #ctx3 !7"),
    ("コンテキスト百のデータを照会", ">DAT:QUERY #ctx100 !5"),
    ("コンテキスト二〇の表を翻訳して、なるべく早く", ">GEN:TRANSLATE #ctx20 !7"),
    ("コンテキスト1234567890を確認", ">SYS:CHK #ctx0 !5"),
    ("check context 2 for xss\nand summarize it", ">SEC:XSS #ctx2 !7"),
]


@pytest.mark.parametrize(("text", "packet"), INSTRUCTIONS)
def test_instructions(text: str, packet: str) -> None:
    """An instruction in either language is the packet that a person would have written."""
    assert from_instruction(text).to_ascii() == packet


@given(st.text(max_size=60))
def test_any_text_is_an_instruction(text: str) -> None:
    """Whatever a text holds, it is some packet, and always the same."""
    assert from_instruction(text) == from_instruction(text)


def test_where_no_rule_fits() -> None:
    """The fallback is GEN:DO, #ctx0, 5."""
    for text in ("", "   ", "Nothing special today", "今日はいい天気", "12345"):
        assert from_instruction(text) == EapPacket.request(
            domain="GEN", action="DO", target="#ctx0", priority=5
        )


def test_what_is_no_instruction() -> None:
    """No string, and a text beyond the limit, are refused."""
    with pytest.raises(EncodeError, match="an instruction is text"):
        from_instruction(5)  # type: ignore[arg-type]  # the point of the test
    with pytest.raises(EncodeError, match="at most 20000 characters"):
        from_instruction("a" * (MAX_INSTRUCTION + 1))


def test_the_table_is_sound() -> None:
    """Every rule sets legal fields, has terms, and no term splits the pattern that it becomes part of."""
    for rule in TABLE["rules"]:
        fields = {**TABLE["fallback"], **rule.get("usual", {}), **rule["sets"]}
        fields["target"] = fields["target"].replace("{n}", "4")
        fields["priority"] = 4 if fields["priority"] == "{n}" else fields["priority"]
        EapPacket(**fields)
        assert rule["en"] or rule["ja"]
        for term in rule["en"] + rule["ja"]:
            assert term == term.lower()
            bare = re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", term))
            assert "|" not in bare, f"{term} needs parentheses"


@pytest.fixture(scope="module")
def tasks() -> list[dict[str, str]]:
    """The published tasks, where they are at hand."""
    if not TASKS.is_file():
        pytest.skip("the published tasks are not beside the repository")
    found: list[dict[str, str]] = json.loads(TASKS.read_text("utf-8"))
    return found


def test_published_packets_come_back(tasks: list[dict[str, str]]) -> None:
    """Every published line decodes in both forms to the same packets and comes back, two with quotes."""
    quoted = 0
    for task in tasks:
        packets = decode_all(task["eap_ascii"])
        assert decode_all_unicode(task["eap_unicode"]) == packets
        written = " ".join(packet.to_ascii() for packet in packets)
        quoted += written != task["eap_ascii"]
        assert written.replace('"', "") == task["eap_ascii"]
        assert decode_all(written) == packets
    assert quoted == 2


def test_published_tapes_are_read_or_refused(tasks: list[dict[str, str]]) -> None:
    """A published tape in the dictionary's words comes back; the others name the packet and the reason."""
    refused = {}
    carries = "packet 1: a packet carries no data, only domain, target, action and priority, such as s4x9"
    for task in tasks:
        try:
            assert ait.encode(ait.decode(task["ait"])) == task["ait"]
        except DecodeError as error:
            refused[task["ait"]] = error.reason.split("; ")[0]
    assert refused == {
        "yuh1": 'packet 1: "y" is no domain',
        "yuc2": 'packet 1: "y" is no domain',
        "yua1": 'packet 1: "y" is no domain',
        "yp r5": "packet 1: 2 characters where a packet has four: "
        "domain, target, action and priority, such as s4x9",
        "sNf7": 'packet 1: a tape is written in lower case: "snf7"',
        "d8r6|e=rr": carries,
        "s9c7|v=fn": carries,
    }


@pytest.mark.parametrize("language", ["natural_ja", "natural_en"])
def test_published_instructions(language: str, tasks: list[dict[str, str]]) -> None:
    """Each published instruction gives the published head, in the default dictionary's codes."""
    renamed = {"SEC:AUD": "SEC:AUDIT", "NEU:UPD": "NST:UPDATE"}
    for task in tasks:
        head = task["eap_ascii"].split(" | ")[0]
        for code, default in renamed.items():
            head = re.sub(rf"\b{code}\b", default, head)
        first = decode_all(head)[0]
        assert from_instruction(task[language]) == first


# --- the prompt ------------------------------------------------------------------------------------------


def test_the_prompt_says_what_the_seed_says() -> None:
    """EAP alone, no filler, ASCII unless display is asked for, and the three shapes."""
    for words in ("nothing but EAP", "greetings", "explanations", "ASCII", "Unicode", "display"):
        assert words in SYSTEM_PROMPT
    shapes = re.findall(r"^\w+: +([><=]\S+ #target.*)$", SYSTEM_PROMPT, re.MULTILINE)
    assert [shape[0] for shape in shapes] == [">", "<", "="]
    for shape in shapes:
        plain = shape.replace("!priority", "!5").replace("key=value key", "key=value other")
        assert decode(plain).target == "#target"


# --- the gloss -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "english", "japanese"),
    [
        (
            "<SEC:VUL #ctx4 | line=42 fixed=false",
            "Response, security: vulnerable, context 4; line 42, not fixed.",
            "応答（セキュリティ）：脆弱性あり、対象はコンテキスト4、lineは42、fixedでない。",
        ),
        (
            ">SEC:XSS #ctx4 !9",
            "Request, security: check for XSS, context 4, priority 9 of 9.",
            "依頼（セキュリティ）：XSSの検査、対象はコンテキスト4、優先度9。",
        ),
        (
            ">SEC:FIX #ctx-3 !7",
            "Request, security: fix, the context 3 before, priority 7 of 9.",
            "依頼（セキュリティ）：修正、対象は3つ前のコンテキスト、優先度7。",
        ),
        (
            "=SYS:HLO #usr",
            "Status, system: hello, the user.",
            "状態（システム）：挨拶、対象はユーザー。",
        ),
        (
            '>X1:Y2 #foo | a="" b=null ok t="x y" n="a\\nb" j={"k":[1]}',
            'Request, X1: Y2, #foo; a "", no b, ok, t x y, n "a\\nb", j {"k":[1]}.',
            '依頼（X1）：Y2、対象は#foo、aは""、bなし、okである、tはx y、nは"a\\nb"、jは{"k":[1]}。',
        ),
        (">GEN:DO #-", "Request, general: do it.", "依頼（一般）：実行。"),
        (
            '>GEN:DO #"\\u200b{x}"',
            "Request, general: do it, #\\u200b{x}.",
            "依頼（一般）：実行、対象は#\\u200b{x}。",
        ),
    ],
)
def test_glosses(text: str, english: str, japanese: str) -> None:
    """A packet is one sentence in either language."""
    packet = decode(text)
    assert EAP.explain(packet, "en") == english
    assert EAP.explain(packet, "ja") == japanese


def test_a_tape_is_a_sentence_a_packet() -> None:
    """The packets of a tape follow each other."""
    tape = ait.decode("s4x9 d1m2")
    assert AIT.explain(tape, "en") == (
        "Request, security: check for XSS, context 4, priority 9 of 9. "
        "Then: Request, data: summarise, context 1, priority 2 of 9."
    )
    assert AIT.explain(tape, "ja").count("。") == 2


@given(eap_packets(), ait_tapes(), st.sampled_from(["en", "ja"]))
def test_every_message_has_a_gloss_of_one_line(packet: EapPacket, tape: AitTape, lang: str) -> None:
    """Whatever a message holds, its gloss is one visible line."""
    for line in (EAP.explain(packet, lang), AIT.explain(tape, lang)):
        assert len(line.splitlines()) == 1
        assert "\u202e" not in line


@given(eap_packets())
def test_a_gloss_is_the_same_for_both_forms(packet: EapPacket) -> None:
    """The two forms are one message, so they have one gloss."""
    assert is_target(packet.target)
    assert EAP.explain(decode_unicode(packet.to_unicode()), "en") == EAP.explain(packet, "en")
