"""SILP's prose: the baselines (draft, sections 4.3 and 4.4) and the line for a person."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from sabir.errors import DecodeError, EncodeError
from sabir.silp import FORMATS, SilpIR
from sabir.silp.code_reader import read_code
from sabir.silp.ir_json import ir_from_json
from sabir.silp.prose import explain, natural, nl_json
from strategies.silp import silp_irs

# A text of the code frontend and the sentence it says.
SENTENCES: tuple[tuple[str, str], ...] = (
    # the draft's example
    (
        "if !rain(t+1): start(hike) else start(cards@indoor)",
        "If not rain at t+1, start hike otherwise start cards at indoor.",
    ),
    # arguments
    ("start()", "Start."),
    ("start(hike)", "Start hike."),
    ("book(hotel,downtown)", "Book hotel and downtown."),
    ("book(hotel,downtown,lobby)", "Book hotel, downtown and lobby."),
    ("book(hotel,downtown,t+5)", "Book hotel and downtown at t+5."),
    ("cancel(t+1pm)", "Cancel at t+1pm."),
    ("translate(src=fr,tgt=en)", "Translate with src fr and tgt en."),
    ("translate(文章,tgt=en)", "Translate 文章 with tgt en."),
    (
        "translate(src=fr_rev_bold,tgt=shakespeare_en,style=archaic_heavy)",
        "Translate with src fr_rev_bold, tgt shakespeare_en and style archaic_heavy.",
    ),
    ("cancel(flight,reason=rain,t+1)", "Cancel flight at t+1 with reason rain."),
    ("switch_tool(browser)", "Switch tool browser."),
    ("request_review(auth_module)", "Request review auth_module."),
    # values that need quotes
    ('book("Hotel Adlon, Berlin")', 'Book "Hotel Adlon, Berlin".'),
    ('book("Hotel Adlon")', "Book Hotel Adlon."),
    ('email(to=bob,body="")', 'Email with to bob and body "".'),
    ('email("a\\nb")', 'Email "a\\nb".'),
    # conditions
    ("if rain(true): start(cards)", "If rain, start cards."),
    ("if !rain: start(hike)", "If not rain, start hike."),
    ("if rain(heavy): start(cards)", "If rain is heavy, start cards."),
    ("if rain(heavy,t+1): start(cards)", "If rain is heavy at t+1, start cards."),
    ("if auth(user,verified): update(order_42)", "If the auth of user is verified, update order_42."),
    ("if auth(user,true): update(order_42)", "If the auth of user, update order_42."),
    ("if loc(me,Beijing,t+1am): cancel(flight)", "If my loc is Beijing at t+1am, cancel flight."),
    ("if budget<=500: book(hotel)", "If budget is at most 500, book hotel."),
    ("if rating>=4.0: book(hotel)", "If rating is at least 4.0, book hotel."),
    ("if price<100, t+2: book(ticket)", "If price is below 100 at t+2, book ticket."),
    ("if weather>rain then switch(indoor_activity)", "If weather is above rain, switch indoor_activity."),
    ("if urgency==high: route(ticket)", "If urgency is high, route ticket."),
    ("if urgency=high: route(ticket)", "If urgency is high, route ticket."),
    ("if urgency!=high: route(ticket)", "If urgency is not high, route ticket."),
    (
        "if budget<=500 and rating>=4.0: book(hotel,downtown,t+5)",
        "If budget is at most 500 and rating is at least 4.0, book hotel and downtown at t+5.",
    ),
    (
        "if budget<=500 and !rain and loc(us,Rome): start(hike)",
        "If budget is at most 500, not rain and our loc is Rome, start hike.",
    ),
    # secondary actions
    (
        "if loc(me,Beijing,t+1am): cancel(flight,t+1pm); email(zhangsan)",
        "If my loc is Beijing at t+1am, cancel flight at t+1pm and email zhangsan.",
    ),
    ("fetch(data); process(data); email(bob)", "Fetch data, process data and email bob."),
    ("book(hotel,flight); email(bob)", "Book hotel and flight, and email bob."),
    ("book(); email(a); book(b)", "Email a and book b."),
    ("book(); email(a)", "Book and email a."),
    ("cancel(flight); email(to=zhangsan)", "Cancel flight and email with to zhangsan."),
    # fallbacks
    ("start(hike) else: start(loc=indoor)", "Start hike otherwise start at indoor."),
    ("start(hike) else: cancel()", "Start hike otherwise cancel."),
    (
        "if urgency==high: route(ticket) else: route(tech_support); route(manager)",
        "If urgency is high, route ticket otherwise route tech_support and route manager.",
    ),
    (
        "start(hike) else: start(cards@indoor); notify(boss); cancel()",
        "Start hike otherwise start cards at indoor, notify boss and cancel.",
    ),
)


@pytest.mark.parametrize(("text", "sentence"), SENTENCES, ids=[case[0] for case in SENTENCES])
def test_sentences(text: str, sentence: str) -> None:
    """A message reads as a person would say it."""
    assert natural(read_code(text)) == sentence


# A constraint that the call syntax has no word for, and how its condition is said and denied.
CONDITIONS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"type": "!budget", "value": "500", "operator": "<="}, "budget is not at most 500"),
    ({"type": "!budget", "value": "500", "operator": ">"}, "budget is not above 500"),
    ({"type": "!urgency", "value": "high", "operator": "=="}, "urgency is not high"),
    ({"type": "!urgency", "value": "high", "operator": "!="}, "urgency is high"),
    ({"type": "!rain", "value": "heavy", "time": "t+1"}, "rain is not heavy at t+1"),
    ({"type": "!auth", "value": "verified", "subject": "you"}, "your auth is not verified"),
    ({"type": "name", "value": "bob", "operator": "in"}, "name in bob"),
    ({"type": "!name", "value": "bob", "operator": "in"}, "not name in bob"),
    ({"type": "price", "value": "5", "subject": "the ticket", "operator": "<"}, "the price of the ticket is below 5"),
    ({"type": "rain", "value": "true", "operator": 7, "subject": None}, "rain"),
    ({"type": "", "value": "x;y"}, '"" is "x;y"'),
)


@pytest.mark.parametrize(("constraint", "words"), CONDITIONS, ids=[case[1] for case in CONDITIONS])
def test_conditions(constraint: dict[str, Any], words: str) -> None:
    """Operators, negations, subjects and times are words."""
    message = ir_from_json({"intent": "!START", "constraints": [constraint]})
    assert natural(message) == f"If {words}, start."


def test_the_same_prose_in_json() -> None:
    """nl_json isolates the container: its prose is that of natural, to the letter (4.4)."""
    text = "if !rain(t+1): start(hike) else start(cards@indoor)"
    assert nl_json(read_code(text)) == (
        '{"task_description":"If not rain at t+1, start hike otherwise start cards at indoor."}'
    )


@given(silp_irs())
def test_every_message_has_its_sentence(message: SilpIR) -> None:
    """It is one line that begins and ends as a sentence, and the JSON holds it whole."""
    sentence = natural(message)
    assert sentence.endswith(".")
    assert sentence.splitlines() == [sentence]
    assert json.loads(nl_json(message)) == {"task_description": sentence}
    for lang in ("en", "ja"):
        line = explain(message, lang)
        assert line.splitlines() == [line]
        assert not set(line) & set("\x00\x1b\x7f\u200b\u202e\u2028\ufeff")


# --- for a person ----------------------------------------------------------------------------------------

LINES: tuple[tuple[str, str, str], ...] = (
    ("start(hike)", "Start hike.", "hikeを開始。"),
    (
        "if !rain(t+1): start(hike) else: start(cards@indoor)",
        "If not rain at t+1, start hike otherwise start cards at indoor.",
        "t+1にrainでないなら、hikeを開始。そうでなければ、indoorでcardsを開始。",
    ),
    (
        "if loc(me,Beijing,t+1am): cancel(flight,t+1pm); email(zhangsan)",
        "If my loc is Beijing at t+1am, cancel flight at t+1pm and email zhangsan.",
        "t+1amにmeのlocがBeijingなら、t+1pmにflightをキャンセル、zhangsanにメール送信。",
    ),
    (
        "if budget<=500 and rating>4.0 and price<9 and a!=b: book(hotel,downtown)",
        "If budget is at most 500, rating is above 4.0, price is below 9 and a is not b, book hotel and downtown.",
        "budgetが500以下、かつratingが4.0を超える、かつpriceが9未満、かつaがbでないなら、hotelとdowntownを予約。",
    ),
    (
        "translate(文章,src=ja,tgt=en)",
        "Translate 文章 with src ja and tgt en.",
        "文章を翻訳（srcはja、tgtはen）。",
    ),
    (
        "start() else: notify(boss); switch(browser)",
        "Start otherwise notify boss and switch browser.",
        "開始。そうでなければ、bossに通知、browserに切り替え。",
    ),
    (
        'request_review(auth_module) # {"meta":{"next_agent":"executor","priority":9,"sender":"planner"}}',
        "Request review auth_module. (from planner, to executor, priority 9)",
        "auth_moduleに対してrequest reviewを実行。（planner から、executor へ、優先度 9）",
    ),
    (
        "fetch(data) -> process -> email(result) with timeout",
        "If timeout, fetch data and email result. (in the order !FETCH → !PROCESS → !EMAIL)",
        "timeoutなら、dataを取得、resultにメール送信。（順序 !FETCH → !PROCESS → !EMAIL）",
    ),
    (
        'start() # {"meta":{"confidence":0.5,"domain":"SEC","sender":{"a":1},"session_id":"a1"}}',
        'Start. (from {"a":1}, domain SEC, confidence 0.5, session a1)',
        '開始。（{"a":1} から、領域 SEC、確信度 0.5、セッション a1）',
    ),
)


@pytest.mark.parametrize(("text", "english", "japanese"), LINES, ids=[case[0] for case in LINES])
def test_lines_for_a_person(text: str, english: str, japanese: str) -> None:
    """The sentence, and what the metadata say of sender, receiver and urgency, in two languages."""
    message = read_code(text)
    assert explain(message, "en") == english
    assert explain(message, "ja") == japanese


def test_what_was_built_past_the_checks_is_refused() -> None:
    """Prose raises `EncodeError` and nothing else."""
    broken: Any = SilpIR.model_construct(intent="!A", entities=["x"], constraints=[], alternatives=[], meta=None)
    wrongs: list[Any] = [broken, "start()", None]
    for wrong in wrongs:
        for say in (natural, nl_json, lambda ir: explain(ir, "ja"), lambda ir: explain(ir, "en")):
            with pytest.raises(EncodeError):
                say(wrong)


def test_the_baselines_only_compile() -> None:
    """Reading prose is refused with the protocol's own code for it."""
    baselines = {format.name: format for format in FORMATS if not format.lossless}
    assert list(baselines) == ["silp-natural", "silp-nl-json", "silp-llmlingua2"]
    for format in baselines.values():
        with pytest.raises(DecodeError, match="only compiles") as caught:
            format.decode("Start hike.")
        assert caught.value.code == "unsupported_frontend"
        assert caught.value.format == format.name
