from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sabir
from sabir import claims, meter
from sabir.claims import claim as rules
from sabir.claims import collisions, corpus, measuring, page, probes
from sabir.claims.claim import MODELS, Cells, Claim, Figure
from sabir.claims.measuring import Result
from sabir.errors import SabirError
from sabir.jsontext import dumps
from sabir.lingua.abbreviations import abbreviate
from sabir.ucr import core

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "claims.md"
SHARED = Path(__file__).parents[2] / "shared" / "data"
"""Published texts, too large or not ours to ship."""
HERE = ["gpt-4o", "gpt-4", "qwen2.5"]
"""Tokenizers of the census that come with a package."""
ALL = {item.id: item for item in claims.CLAIMS}
NUMBERS: dict[str, Any] = {
    "tasks": [{"ja": "x", "en": "a plain word", "json": {"a": 1}, "eap-unicode": "◤SEC::XSS ➔ 📦[#ctx4] ⚡9", "eap": ">SEC:XSS #ctx4 !9", "ait": "s4x9"}],
    "messages": [
        {
            "type": "note",
            "sentence": "Please review the authentication code",
            "json": {"t": "test", "c": "hello world"},
            "slip": "SLIP v1 planner executor RequestReview auth_module",
            "lingua": "👽73|@1|$j:eyJ0IjoidGVzdCIsImMiOiJoZWxsbyB3b3JsZCJ9\n--👽lingua/0.4@agent-lingua",
        }
    ],
}
"""Texts whose tokens in o200k_base are known: 17, 9, 4; 5, 10, 10, 50."""


@pytest.fixture(scope="module")
def results() -> list[Result]:
    """All claims measured once, with the packaged tokenizers and the shipped corpus."""
    return [claims.measure(item, {"shipped": claims.shipped()}) for item in claims.CLAIMS]


def cells_of(id: str, *, data: Any = None, column: str = "gpt-4o") -> dict[str, float]:
    """What a claim measures in one column, rounded as shown."""
    figures = {figure.name: figure for figure in ALL[id].figures}
    return {name: float(figures[name].shown(value)) for name, value in ALL[id].measure(data, column).items()}


def written(path: Path, content: Any) -> Path:
    """A file with this JSON, or these lines of JSON where its name ends in jsonl."""
    text = "\n".join(map(dumps, content)) if path.suffix == ".jsonl" else dumps(content)
    path.write_text(text, "utf-8")
    return path


def refused(tapes: str) -> bool:
    """Whether AIT's own dictionary cannot read one of these tapes."""
    try:
        sabir.decode_all(tapes, "ait")
    except sabir.DecodeError:
        return True
    return False


# --- the documents' figures ----------------------------------------------------------------------------------


def test_the_published_means_of_five_formats() -> None:
    """The 14 published tasks give 33.50, 16.36, 24.71, 12.79 and 5.43 tokens in cl100k_base, exactly as rounded."""
    path = SHARED / "eap-ait-tasks.json"
    if not path.exists():
        pytest.skip("the published tasks are not at hand")
    found = claims.load(path)
    assert found.known
    assert len(found.data) == 14
    assert sum(refused(task["ait"]) for task in found.data) == 7
    result = claims.measure(ALL["eap-table"], {"eap-ait-tasks": found})
    assert [result.cells[figure.name, "gpt-4"] for figure in ALL["eap-table"].figures] == [33.5, 16.36, 24.71, 12.79, 5.43]
    assert result.verdict == "holds: 33.50, 16.36, 24.71, 12.79, 5.43 in cl100k_base (3 of 6 tokenizers)"


def test_the_published_lines_of_slipstream() -> None:
    """On the author's own 1,530 lines Slipstream saves under half of minified JSON and costs more than the sentence."""
    path = SHARED / "slip-intents-dev.jsonl"
    if not path.exists():
        pytest.skip("the published lines are not at hand")
    found = claims.load(path)
    assert found.known
    assert len(found.data) == 1530
    cells = cells_of("slip-public", data=found.data)
    assert cells["SLIP, all"] == 21.9
    assert cells["plain sentence, all"] == 15.4
    assert cells["saved against the plain sentence, all, %"] == -42.7


def test_the_means_of_tasks_of_ones_own() -> None:
    """Two tasks by hand: the means of each form's tokens in cl100k_base; of two lines, those of wire, JSON and sentence."""
    row = {"natural_ja": "a", "natural_en": "a b", "eap_unicode": "a b c", "eap_ascii": "a", "ait": "a"}
    more = {"natural_ja": "a b c", "natural_en": "a b", "eap_unicode": "a b c", "eap_ascii": "a b", "ait": "a"}
    cells = cells_of("eap-table", data=[row, more])
    assert [*cells.values()] == [2.0, 2.0, 3.0, 1.5, 1.0]
    lines = [{"wire": "SLIP v1 a b MetaAck", "text": "a b c"}, {"wire": "SLIP v1 a b MetaAck", "text": "a b c d e"}]
    found = cells_of("slip-public", data=lines)
    assert found["plain sentence, all"] == 4.0
    wire = meter.count("SLIP v1 a b MetaAck", "gpt-4o")
    assert found["SLIP, all"] == wire
    form = '{"version":"v1","src":"a","dst":"b","anchor":"MetaAck","payload":[]}'
    assert found["minified JSON, all"] == meter.count(form, "gpt-4o")


def test_slipstreams_examples_have_their_known_counts() -> None:
    """45 to 7 tokens are 33 minified, or 54 indented, to 10 in o200k_base, and REQ/TSK is 4 tokens, not 3."""
    cells = cells_of("slip-example")
    assert [*cells.values()] == [54, 33, 5, 10, 9, 81.5, 69.7]
    assert cells_of("slip-table-1") == {"REQ/TSK": 4, "|s=7|": 5}
    assert meter.pieces("REQ/TSK", "gpt-4") == ["REQ", "/", "TS", "K"]
    assert cells_of("slip-syntactic") == {"REQ/TSK|s=7|d=3|act=review_auth": 17}
    assert cells_of("slip-anchors")["0x0011, after a space"] == 5
    assert len(core()) == 46


def test_slipstreams_sums() -> None:
    """The rows of Table 6 average 44.8 and 7.9; $180,000 for 5,000 messages a day is 118 times what they cost."""
    assert [*cells_of("slip-average", column="mean of the rows").values()] == [44.8, 7.9, 82.4]
    together = cells_of("slip-table-7", column="messages of all agents")
    assert together["JSON, scale-up, 50 agents, 5,000 messages a day, $ a year"] == round(365 * 5000 * 41.9 * 20e-6) == 1529
    each = cells_of("slip-table-7", column="messages of each agent")
    assert each["SLIP, startup, 10 agents, 500 messages a day, $ a year"] == round(365 * 500 * 10 * 7.4 * 20e-6) == 270


def test_the_counts_are_those_of_texts_known_before() -> None:
    """On texts with known counts each claim shows these counts: nothing is added or left out on the way."""
    eap = cells_of("eap-order", data=NUMBERS)
    assert [eap[name] for name in ("English sentence", "EAP Unicode", "EAP ASCII", "AIT")] == [3, 17, 9, 4]
    assert eap["EAP ASCII saves against the English sentence, %"] == -200
    slip = cells_of("slip-table-6", data=NUMBERS)
    assert [slip[f"{name}, all"] for name in ("SLIP", "minified JSON", "plain sentence")] == [10, 10, 5]
    assert slip["saved against the plain sentence, all, %"] == -100
    assert "SLIP, error report" not in slip
    lingua = cells_of("lingua-messages", data=NUMBERS)
    assert lingua["as the document wants it: base64, signature"] == 50
    assert lingua["without the signature"] == 35
    assert lingua["raw text, without the signature"] == meter.count('👽73|@1|$r:{"t":"test","c":"hello world"}')
    assert cells_of("field-four-characters", data=NUMBERS)["AIT"] == 1


def test_payloads_that_cannot_be_raw_stay() -> None:
    """The cheapest spelling leaves a message without payload, and one that is compressed, as they are."""
    packed = sabir.encode(sabir.decode("👽71|@1|$z:eJzLSM3JyQcABiwCFQ=="))
    for text in ("👽71|@1", packed):
        cells = cells_of("lingua-messages", data={"messages": [{"lingua": text, "sentence": "Look.", "json": {}}]})
        assert cells["raw text, without the signature"] == cells["without the signature"] == meter.count(text)


def test_the_verbs_and_the_excluded() -> None:
    """13 verbs are one token everywhere; of the excluded ones escalate is one, too, after a space."""
    verbs = cells_of("silp-verbs")
    assert [*verbs.values()][:13] == [1] * 13
    assert cells_of("silp-excluded") == {
        "switch_tool": 2,
        "escalate": 3,
        "switch_tool, after a space": 2,
        "escalate, after a space": 1,
    }


# --- the probes ----------------------------------------------------------------------------------------------


def test_the_probes_are_24_spellings_in_6_tokenizers() -> None:
    """4 zero-width characters in the middle of 5 words and 4 look-alike spellings of 2 words: 144 probes."""
    assert len(probes.INVISIBLE) == 20
    assert [probe.spelling for probe in probes.INVISIBLE[:4]] == ["can\u200bcel", "can\u200ccel", "can\u200dcel", "can\ufeffcel"]
    assert [probe.spelling for probe in probes.INVISIBLE[-4::3]] == ["el\u200bse", "el\ufeffse"]
    assert [ascii(probe.spelling)[1:-1] for probe in probes.ALIKE] == [
        r"c\u0430ncel",
        r"st\u0430rt",
        r"canc\u0435l",
        r"\u0441an\u0441el",
    ]
    assert len({probe.spelling for probe in probes.PROBES}) * len(MODELS) == 144


def test_every_probe_changes_the_tokens_and_none_is_let_through() -> None:
    """All 24 spellings have other tokens, and no reader takes one for the word, or drops it silently."""
    changed = cells_of("silp-probes")
    assert [*changed.values()][:2] == [20, 4]
    for reader, tried in (("silp-code", 24), ("silp-code, strict", 24), ("silp-json", 16), ("eap", 16)):
        assert [*cells_of("silp-probes-read", column=reader).values()] == [tried, 0, 0, tried]


def test_what_readers_make_of_a_message_is_told_apart() -> None:
    """The words themselves are read as trusted, another verb as another name: so the probe's zero can fail."""
    for word in ("cancel", "start", "translate", "if", "else"):
        text = probes.message(probes.Probe(word, word), "silp-code")
        assert text is not None
        assert probes.outcome(text, "silp-code") == probes.outcome(text, "silp-code, strict") == "trusted"
    assert probes.message(probes.Probe("cancel", "cancel"), "eap") == ">GEN:CANCEL #flight"
    assert probes.outcome(">GEN:CANCEL #flight", "eap") == "trusted"
    assert probes.outcome('{"intent":"!CANCEL","act":"flight"}', "silp-json") == "trusted"
    assert probes.outcome("cancle(flight)", "silp-code") == "other"
    assert probes.outcome("cancle(flight)", "silp-code, strict") == "refused"
    assert probes.message(probes.Probe("if", "if"), "silp-json") is None


# --- collisions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ids", "digits", "distinct", "chance"),
    [(1, 1, 1, 0), (2, 1, 31 / 16, 6.25), (17, 1, 16 * (1 - (15 / 16) ** 17), 100), (1000, 4, 992.4, 99.95), (1000, 8, 1000, 0.0116)],
)
def test_the_birthday_formula(ids: int, digits: int, distinct: float, chance: float) -> None:
    """By hand for one digit, and the known values of the draft's cases."""
    assert collisions.distinct(ids, digits) == pytest.approx(distinct, rel=1e-4)
    assert collisions.chance(ids, digits) == pytest.approx(chance, rel=1e-2)


@given(st.integers(0, 15), st.integers(1, 3))
def test_the_chance_is_that_of_a_product(ids: int, digits: int) -> None:
    """The chance of no collision is the product of the free places, one id after the other."""
    free = 1.0
    for taken in range(ids):
        free *= (16**digits - taken) / 16**digits
    assert collisions.chance(ids, digits) == pytest.approx(100 * (1 - free), abs=1e-9)


def test_simulation_and_formula_agree(results: list[Result]) -> None:
    """The seeded runs lie where the formula says, and the draft's 995 among the middle of them."""
    cells = next(result.cells for result in results if result.claim.id == "silp-req-id")
    for digits in (4, 6, 8):
        name = f"distinct ids of 1,000, {digits} digits"
        assert cells[name, "simulation"] == pytest.approx(cells[name, "formula"], abs=0.3)
        assert cells[name, "ids of texts"] == pytest.approx(cells[name, "formula"], abs=8)
    many = "chance that any two of 100,000 are equal, 8 digits, %"
    assert cells[many, "formula"] == 68.78
    assert cells[many, "simulation"] == pytest.approx(68.78, abs=12)
    assert cells["distinct ids of 1,000, 4 digits, fewest in 95 % of runs", "simulation"] <= 995


# --- rules of verdicts ---------------------------------------------------------------------------------------

TWO: Cells = {("x", "a"): 1.0, ("y", "a"): 5.0, ("x", "b"): 3.0, ("y", "b"): 5.0}


def test_verdicts_by_column_and_by_figure() -> None:
    """Everywhere is holds, nowhere does not hold, and else the columns or figures are named."""
    assert rules.by_column(TWO, lambda number: number("x") >= 1) == "holds"
    assert rules.by_column(TWO, lambda number: number("x") > 3, "why") == "does not hold: why"
    assert rules.by_column(TWO, rules.at_least("x", 2), "why") == "holds only in b: why"
    figures = (Figure("x"), Figure("y"), Figure("z"))
    assert rules.by_figure(TWO, figures, lambda _, value: value > 0) == "holds"
    assert rules.by_figure(TWO, figures, lambda _, value: value > 2) == "holds only for y"
    assert rules.by_figure(TWO, figures[:1], lambda _, value: value > 2, "why") == "does not hold: why"


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((1.0, 3.0), "saves 1.0 to 3.0 % of it"),
        ((2.0, 2.0), "saves 2.0 % of it"),
        ((-1.0, -3.0), "costs 1.0 to 3.0 % more than it"),
        ((-2.0, -2.0), "costs 2.0 % more than it"),
        ((-1.0, 3.0), "costs up to 1.0 % more than it, or saves up to 3.0 %"),
    ],
)
def test_losses_are_told_as_losses(numbers: tuple[float, float], text: str) -> None:
    """A negative saving is a cost, and both are told where columns differ."""
    cells = {("x", "a"): numbers[0], ("x", "b"): numbers[1]}
    assert rules.gain(cells, "x", "it") == text


def test_small_words() -> None:
    """Lists as in a sentence, percent saved, and a zero without a sign."""
    assert rules.listed(["a"]) == "a"
    assert rules.listed(["a", "b", "c"]) == "a, b and c"
    assert rules.saved(5, 10) == 50
    assert rules.saved(15, 10) == -50
    assert Figure("x").shown(-0.01) == "0.0"
    assert Figure("x", "", 0).shown(2.5) == "2"


def uniform(id: str, **numbers: float) -> Cells:
    """Cells of a claim with one number in all of them, and others for figures that begin with a word."""
    claim = ALL[id]
    return {
        (figure.name, column): next((value for word, value in numbers.items() if word in figure.name.replace(" ", "_")), 1.0)
        for figure in claim.figures
        for column in claim.columns[:2]
    }


@pytest.mark.parametrize(
    ("id", "numbers", "verdict"),
    [
        ("slip-table-6", {"saved_against_minified_JSON,_all": 82.3}, "holds: SLIP saves 82.3 %"),
        ("slip-table-6", {"saved_against_indented_JSON,_all": 90.0}, "holds only against indented JSON: SLIP saves 1.0 %"),
        ("slip-public", {"saved": 82.2}, "does not hold: SLIP saves 82.2 %"),
        ("slip-example", {"SLIP": 7.0, "indented_JSON": 82.0}, "holds: the line is 7 tokens"),
        ("slip-table-7", {}, "does not hold: it states"),
        ("lingua-messages", {"saved": 70.0}, "holds: as the document wants it, it saves 70.0 %"),
        ("eap-order", {"AIT": 1.0, "EAP_ASCII": 2.0, "English_sentence": 3.0}, "holds: EAP ASCII saves"),
        ("eap-unicode", {"saves": 3.0}, "does not hold: in 0 of 2 tokenizers; it saves 3.0 %"),
        ("eap-table", {}, "does not hold: 1.00, 1.00, 1.00, 1.00, 1.00 in cl100k_base"),
        ("silp-verbs", {"fetch": 2.0}, "does not hold: more than one token: fetch in gpt-4 and fetch in gpt-4o"),
        ("silp-excluded", {"after": 2.0, "switch_tool": 2.0, "escalate": 2.0}, "holds only in gpt-4: escalate in gpt-4o is 2, not 3"),
        ("silp-excluded", {"after": 2.0}, "does not hold: switch_tool in gpt-4o is 1, not 2"),
        ("silp-probes", {"zero-width": 20.0, "look-alike": 3.0}, "does not hold: 46 of 48 probes change the tokens"),
        ("silp-probes-read", {"tried": 24.0, "refused": 23.0}, "does not hold: 2 of 48 messages are let through, 46 are refused"),
        ("silp-req-id", {"fewest": 996.0, "most": 999.0, "chance": 99.9}, "does not hold: 4 digits give 996 to 999"),
        ("field-four-characters", {"plain_sentence": 4.2}, "holds only for plain sentence: in characters a token"),
        ("field-toon", {"indented_JSON,_one": 39.5, "indented_JSON,_as": 39.5}, "holds only against indented JSON: one by one"),
        ("field-toon", {"saved_against_indented_JSON,_as": 60.0}, "holds only as one table, against indented JSON: one by one"),
        ("field-toon", {}, "does not hold: one by one it saves 1.0 % of minified JSON"),
    ],
)
def test_verdicts_follow_the_figures(id: str, numbers: dict[str, float], verdict: str) -> None:
    """Other figures give another verdict, in both directions."""
    assert ALL[id].verdict(uniform(id, **numbers)).startswith(verdict)


def test_a_table_in_one_tokenizer_needs_that() -> None:
    """EAP's table is in cl100k_base; counts in others alone give no verdict."""
    cells = {("AIT", "llama-2"): 5.4}
    assert ALL["eap-table"].verdict(cells) == "not measured here (the table is in cl100k_base, which is not here)"


# --- the shipped corpus --------------------------------------------------------------------------------------


def test_the_shipped_corpus_says_the_same_in_every_form() -> None:
    """Each task is one packet list in three spellings; each message has one sender, receiver and content in all forms."""
    data = claims.shipped().data
    for task in data["tasks"]:
        packets = sabir.decode_all(task["eap"], "eap")
        assert sabir.decode_all(task["eap-unicode"], "eap-unicode") == packets
        assert [sabir.decode(sabir.translate(code, "eap", "ait").text) for code in task["ait"].split()] == packets
        plain = task["json"] if isinstance(task["json"], list) else [task["json"]]
        assert [sabir.from_json("eap", packet | {"data": {}}) for packet in plain] == packets
    for message in data["messages"]:
        line: Any = sabir.decode(message["slip"], "slip")
        assert sabir.encode(line) == message["slip"]
        assert (line.src, line.dst) == (message["json"]["sender"], message["json"]["recipient"])
        lingua: Any = sabir.decode(message["lingua"], "lingua")
        assert lingua.signature is not None
        assert lingua.requests[0].target == line.dst
        assert lingua.requests[0].payload.value == abbreviate(message["json"]["content"])
        assert message["json"]["message_type"] == message["type"].replace(" ", "_")


def test_the_shipped_corpus_is_large_and_varied_enough() -> None:
    """64 messages and 16 tasks, none twice, from many fields; the types of Table 6 have 14 and more."""
    data = claims.shipped().data
    messages = data["messages"]
    assert len({row["sentence"] for row in messages}) == len({row["slip"] for row in messages}) == 64
    assert len({row["eap"] for row in data["tasks"]}) == 16
    assert len({row["field"] for row in messages}) >= 12
    for kind in ("task delegation", "status update", "error report"):
        assert sum(row["type"] == kind for row in messages) >= 14


def test_a_corpus_is_known_by_its_hash(tmp_path: Path) -> None:
    """The same form with other content is loaded, named and hashed, and is not the known one."""
    own = claims.load(written(tmp_path / "own.json", NUMBERS))
    assert (own.source, own.name, own.known) == ("shipped", "own.json", False)
    assert own.sha256 == hashlib.sha256((tmp_path / "own.json").read_bytes()).hexdigest()
    assert claims.shipped().known
    tasks = [dict.fromkeys(("natural_ja", "natural_en", "eap_unicode", "eap_ascii", "ait"), "x")]
    assert claims.load(written(tmp_path / "tasks.json", tasks)).source == "eap-ait-tasks"
    lines = claims.load(written(tmp_path / "lines.jsonl", [{"text": "Done.", "wire": "SLIP v1 a b InformComplete"}]))
    assert (lines.source, lines.known) == ("slip-intents-dev", False)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", b"\xff", "is not UTF-8: byte 0xff at position 0"),
        ("a.json", b"{", "is no JSON:"),
        ("a.jsonl", b'{"text":"x"\n', "is no JSON lines:"),
        ("a.json", b"[]", "is no corpus for claims: it must be a JSON array of tasks (natural_ja"),
        ("a.json", b'[{"text":"x","wire":""}]', "is no corpus"),
        ("a.json", b'{"tasks":[1],"messages":[]}', "is no corpus"),
        ("a.jsonl", b'{"text":"x","wire":"SLIP v1 a b InformComplete"}\n{"text":"x","wire":"SLIP"}', '"wire" of row 2 is no message: '),
    ],
)
def test_files_that_are_no_corpus(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    """What cannot be measured on is refused with its reason, never half read."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SabirError) as found:
        claims.load(tmp_path / name)
    assert said in str(found.value)


@pytest.mark.parametrize("change", [{"messages": [NUMBERS["messages"][0] | {"json": []}]}, {"tasks": [NUMBERS["tasks"][0] | {"json": "x"}]}])
def test_a_corpus_of_another_form(tmp_path: Path, change: dict[str, Any]) -> None:
    """A message must be an object as JSON, a task an object or a list."""
    with pytest.raises(SabirError, match="is no corpus"):
        claims.load(written(tmp_path / "a.json", NUMBERS | change))


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file, a name with a NUL and a file beyond the limit each say so."""
    for path in (tmp_path / "absent.json", Path("a\0b")):
        with pytest.raises(SabirError, match="cannot be read"):
            claims.load(path)
    monkeypatch.setattr(corpus, "MAX_FILE", 3)
    with pytest.raises(SabirError, match="is larger than 3 bytes"):
        claims.load(written(tmp_path / "long.json", [1, 2, 3]))


# --- what is absent ------------------------------------------------------------------------------------------


def test_absent_tokenizers_are_named_and_their_cells_empty(results: list[Result]) -> None:
    """With the packaged vocabularies three columns are measured, and the verdict says so."""
    result = next(result for result in results if result.claim.id == "silp-verbs")
    assert rules.columns_of(result.cells) == HERE
    assert result.absent == {name: f"sabir tokenizers fetch {name}" for name in ("llama-2", "claude", "gemini")}
    assert result.verdict.endswith("(3 of 6 tokenizers)")


def test_absent_texts_and_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim on texts, a package or anything that is not here has no figure and the way to get it as its verdict."""
    public = claims.measure(ALL["slip-public"], {})
    assert (public.cells, public.verdict) == ({}, "not measured here (--corpus slip-intents-dev.jsonl)")
    assert public.sha256 == corpus.PUBLISHED["slip-intents-dev"].sha256
    monkeypatch.setattr(measuring, "find_spec", lambda _: None)
    toon = claims.measure(ALL["field-toon"], {"shipped": claims.shipped()})
    assert toon.verdict == "not measured here (pip install 'sabir[meter]')"
    never = claims.measure(ALL["slip-table-5"], {})
    assert (never.verdict, never.sha256) == ("not measured here (the paper's test set is unpublished)", "")


# --- the claims as a whole -----------------------------------------------------------------------------------


def test_every_claim_is_complete(results: list[Result]) -> None:
    """Each has an id of its own, its words and meaning, figures for its columns, and one of the four verdicts."""
    assert len(ALL) == len(claims.CLAIMS)
    beginnings = ("holds", "does not hold", "holds only", "not measured here (")
    for result in results:
        claim = result.claim
        assert all((claim.id, claim.document, claim.section, claim.quoted, claim.words, claim.meaning))
        assert bool(claim.figures) == bool(claim.columns) == (not claim.unmeasured)
        assert len({figure.name for figure in claim.figures}) == len(claim.figures)
        assert result.verdict.startswith(beginnings)
        assert {column for _, column in result.cells}.isdisjoint(result.absent)


def test_a_tokenizer_measures_all_figures_of_its_column(results: list[Result]) -> None:
    """A column of a tokenizer has every figure, so that a page's column is whole or not there."""
    for result in results:
        measured = [column for column in rules.columns_of(result.cells) if column in MODELS]
        assert all((figure.name, column) in result.cells for figure in result.claim.figures for column in measured)


# --- the page ------------------------------------------------------------------------------------------------


def test_the_page_has_not_drifted(results: list[Result]) -> None:
    """What can be measured here is on the page as measured; the rest is skipped, and named."""
    found = claims.check(PAGE.read_text("utf-8"), results)
    assert found.differences == ()
    assert [line.partition(": ")[2] for line in found.skipped] == [
        "--corpus eap-ait-tasks.json",
        "--corpus slip-intents-dev.jsonl",
        *(f"sabir tokenizers fetch {name}" for name in ("claude", "gemini", "llama-2")),
    ]


def test_what_was_not_measured_is_not_shown(results: list[Result]) -> None:
    """A page written with three tokenizers shows three, names the others as left out, and has not drifted itself."""
    text = claims.markdown(results)
    assert "Not here when this was written, so not counted with: llama-2, claude, gemini." in text
    assert "| cancel | 1 | 1 | 1 | – | 1 | – | – |" in text
    assert claims.check(text, results) == page.Check((), ())


def drifted(results: list[Result], old: str, new: str) -> str:
    """Differences that the page has after a change to one place of it."""
    text = PAGE.read_text("utf-8")
    assert text.count(old) == 1
    return "\n".join(claims.check(text.replace(old, new), results).differences)


def test_drift_is_found(results: list[Result]) -> None:
    """A figure measured here, a verdict, a hash, a line too many or too few: each is drift."""
    row = "| REQ/TSK | 3 | 4 | 4 | 5 | 4 | 4 | 4 |"
    assert "-| REQ/TSK | 3 | 3 |" in drifted(results, row, row.replace("3 | 4", "3 | 3", 1))
    assert "+- Verdict: **does not hold: the rows' mean" in drifted(results, "**does not hold: the rows'", "**holds: the rows'")
    assert claims.shipped().sha256 in drifted(results, f"| `{claims.shipped().sha256}` |", "| `0` |")
    assert "-Well done." in drifted(results, "## Figures\n", "Well done.\n\n## Figures\n")
    assert "+### `slip-table-1`" in drifted(results, "### `slip-table-1`\n", "")
    assert "the page" in "\n".join(claims.check("", results).differences)


def test_a_column_that_is_not_whole_is_drift(results: list[Result]) -> None:
    """A cell of an absent tokenizer may not be dropped from the page, nor be something else than a number."""
    row = "| REQ/TSK | 3 | 4 | 4 | 5 | 4 | 4 | 4 |"
    assert "| – |" in drifted(results, row, row.replace("5", "many"))
    assert f"+{row.replace('| 5 | 4 | 4 | 4', '| – | 4 | – | –')}" in drifted(results, f"{row}\n", "")


def test_a_verdict_from_figures_of_the_page(results: list[Result]) -> None:
    """A figure that cannot be measured here is taken from the page, and the verdict must still follow from it."""
    row = "| escalate | 3, 2, 3, 2, 3, 2 | 3 | 2 | 3 | 2 | 3 | 2 |"
    assert "escalate in llama-2 is 4, not 3" in drifted(results, row, row.replace("| 3 | 2 | 3 | 2", "| 3 | 2 | 4 | 2"))


NAMES = st.text(st.characters(codec="ascii", categories=("L", "N", "P", "S")), min_size=1, max_size=8).filter(
    lambda name: "\\" not in name
)


@given(st.dictionaries(NAMES, st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=2), min_size=1), st.integers(0, 3))
def test_a_page_reads_back_as_it_was_written(rows: dict[str, list[float]], digits: int) -> None:
    """Every number of a table comes back from the page, whatever signs stand in the figures' names."""
    figures = tuple(Figure(name, "|", digits) for name in rows)
    claim = Claim("it", "us", "1", "2", "words", "meaning", figures=figures, columns=("a", "b"), verdict=lambda _: "holds")
    cells = {(name, column): float(Figure("", "", digits).shown(value)) for name, pair in rows.items() for column, value in zip("ab", pair, strict=True)}
    assert page._read(claims.markdown([Result(claim, "", "", cells, {})])) == {"it": cells}


def test_damaged_pages_are_drift_and_no_crash(results: list[Result]) -> None:
    """Tables cut short or full of rubbish are read as far as they go."""
    for text in ("### `silp-verbs`\n|\n||\n| a", "### `silp-verbs`\n\n| | quoted | gpt-4o |\n|---|\n| cancel | 1 | 9e9 |\n|\n", "### `x`\n"):
        assert claims.check(text, results).differences


# --- the command ---------------------------------------------------------------------------------------------


def run(*args: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command line as a process of its own."""
    command = [sys.executable, "-m", "sabir", "claims", *args]
    return subprocess.run(
        command, capture_output=True, check=False, encoding="utf-8", cwd=ROOT, env={**os.environ, **variables}
    )


def test_the_figures_of_named_claims() -> None:
    """Named claims are shown with their figures; what is left out is told on standard error."""
    done = run("slip-table-1", "slip-average")
    assert done.returncode == 0
    assert "REQ/TSK" in done.stdout
    assert "verdict: holds only for |s=7|: REQ/TSK is 4 tokens, |s=7| 5 (3 of 6 tokenizers)" in done.stdout
    assert "verdict: does not hold: the rows' mean is 44.8 and 7.9" in done.stdout
    assert "left out in 1 claim: sabir tokenizers fetch llama-2" in done.stderr


def test_claims_as_json() -> None:
    """One object a claim: its words, its corpus by hash, figures by column, what is absent, the verdict."""
    record = json.loads(run("--json", "slip-syntactic").stdout)
    assert record["claim"] == "slip-syntactic"
    assert record["corpus"]["sha256"] == hashlib.sha256(b"REQ/TSK|s=7|d=3|act=review_auth").hexdigest()
    assert record["figures"] == [
        {"figure": "REQ/TSK|s=7|d=3|act=review_auth", "quoted": "18 to 22", "measured": dict.fromkeys(HERE, 17)}
    ]
    assert [*record["absent"]] == ["llama-2", "claude", "gemini"]
    assert record["verdict"] == "does not hold: it is 17 tokens (3 of 6 tokenizers)"
    assert json.loads(run("--json", "slip-table-5").stdout)["corpus"] is None


def test_texts_of_the_users_own(tmp_path: Path) -> None:
    """A corpus of the user's is measured and named by its hash, and no page is made of it."""
    own = str(written(tmp_path / "own.json", NUMBERS))
    done = run("--corpus", own, "--json", "eap-unicode")
    record = json.loads(done.stdout)
    assert record["corpus"]["name"] == "own.json"
    assert record["figures"][1]["measured"]["gpt-4o"] == 17
    refused = run("--corpus", own, "--write", str(tmp_path / "page.md"))
    assert refused.returncode == 1
    assert "own.json is not the published file" in refused.stderr
    assert not (tmp_path / "page.md").exists()
    assert run("--corpus", own, "--corpus", own).returncode == 2


def test_the_page_is_written_checked_and_found_to_drift(tmp_path: Path) -> None:
    """The page that the command writes is the one that the library makes; a changed one leaves with 1 and shows where."""
    path = tmp_path / "claims.md"
    done = run("--write", str(path))
    assert (done.returncode, done.stdout) == (0, "")
    assert "| REQ/TSK | 3 | 4 | 4 | – | 4 | – | – |" in path.read_text("utf-8")
    path.write_text(path.read_text("utf-8").replace("| REQ/TSK | 3 | 4 |", "| REQ/TSK | 3 | 3 |"), "utf-8")
    stale = run("--check", str(path))
    assert stale.returncode == 1
    assert "+| REQ/TSK | 3 | 4 | 4 | – | 4 | – | – |" in stale.stdout
    assert "has drifted" in stale.stderr


def test_slips_at_the_command(tmp_path: Path) -> None:
    """Usage leaves with 2, what is not there with 3, input at fault with 1, each with what would be right."""
    (tmp_path / "latin.md").write_bytes(b"\xff")
    for args, code, said in (
        (("slip-tabel-6",), 2, "Did you mean slip-table-6"),
        (("--json", "--check"), 2, "exclude one another"),
        (("slip-average", "--write", "x.md"), 2, "name none"),
        (("--corpus", str(tmp_path / "absent.json")), 3, "no such file"),
        (("--check", str(tmp_path / "absent.md")), 3, "absent.md"),
        (("--check", str(tmp_path / "latin.md")), 1, "is not UTF-8"),
        (("--corpus", str(PAGE)), 1, "is no JSON"),
    ):
        done = run(*args)
        assert (done.returncode, done.stdout) == (code, ""), args
        assert said in done.stderr
