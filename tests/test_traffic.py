"""The example traffic: every message decodes, is canonical, and reaches every other format and comes back."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import sabir
from sabir.crossing import crossings
from sabir.registry import BY_NAME, READABLE
from sabir.ucr import core

RECORDS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "examples" / "traffic.jsonl").read_text("utf-8").split("\n")
    if line
]
MESSAGES = [record for record in RECORDS if record["format"] not in ("json", "prose")]
LENIENT = {
    ("trip-lisbon", 9),
    ("security-sweep", 18),
    ("pipeline-nightly", 10),
    *(("lenient", turn) for turn in range(1, 12)),
}
VERBS = "CANCEL START EMAIL FETCH PROCESS TRANSLATE BOOK ROUTE SEARCH UPDATE SUGGEST SWITCH NOTIFY"


def _name(record: dict[str, Any]) -> str:
    return f"{record['conversation']}-{record['turn']}"


def _decoded(*formats: str) -> list[Any]:
    """The corpus's messages in some formats."""
    return [sabir.decode(record["text"], record["format"]) for record in MESSAGES if record["format"] in formats]


def test_the_corpus_is_what_its_page_says() -> None:
    """Conversations are whole and in order, every format has its share, both languages speak, nothing stands twice."""
    assert all(record.keys() == {"conversation", "turn", "format", "lang", "text"} for record in RECORDS)
    assert len(RECORDS) == 280
    names = list(dict.fromkeys(record["conversation"] for record in RECORDS))
    assert len(names) == 18
    assert [(r["conversation"], r["turn"]) for r in RECORDS] == [
        (name, turn)
        for name in names
        for turn in range(1, 1 + sum(record["conversation"] == name for record in RECORDS))
    ]
    counts = Counter(record["format"] for record in RECORDS)
    assert set(counts) == {format.name for format in READABLE} | {"json", "prose"}
    assert min(counts.values()) >= 15
    languages = Counter(record["lang"] for record in RECORDS)
    assert set(languages) == {"en", "ja"}
    assert languages["ja"] >= 40
    assert len({record["text"] for record in RECORDS}) == len(RECORDS)


def test_the_corpus_speaks_every_word_of_the_protocols() -> None:
    """All core anchors, all approved verbs, all domains of the tape, all directions and priorities occur."""
    assert {message.anchor.mnemonic for message in _decoded("slip")} >= {anchor.mnemonic for anchor in core()}
    irs = _decoded("silp-code", "silp-json", "silp-ir")
    verbs = {ir.intent for ir in irs} | {entity.action for ir in irs for entity in ir.entities}
    assert verbs >= {f"!{verb}" for verb in VERBS.split()}
    packets = [packet for tape in _decoded("ait") for packet in tape.packets]
    assert len({packet.domain for packet in packets}) == 7
    assert len({packet.action for packet in packets}) == 8
    eap = _decoded("eap", "eap-unicode")
    assert {packet.direction for packet in eap} == {"request", "response", "sync"}
    assert {packet.priority for packet in eap} == {None, *range(1, 10)}


def test_the_corpus_has_every_kind_of_difficulty() -> None:
    """Types of EAP values, big integers, right-to-left text, quotes in targets, tapes of several packets, comments."""
    values = [value for packet in _decoded("eap", "eap-unicode") for value in packet.data.values()]
    assert {type(value) for value in values} == {str, int, float, bool, type(None), list, dict}
    assert any(type(value) is int and value > 2**64 for value in values)
    assert any(len(tape.packets) > 2 for tape in _decoded("ait"))
    assert any('"' in packet.target for packet in _decoded("eap"))
    texts = [record["text"] for record in MESSAGES]
    assert sum("؀" <= char <= "ۿ" or "\u0590" <= char <= "\u05ff" for text in texts for char in text) > 20
    assert sum(' # {"meta"' in text for text in texts) >= 4
    irs = _decoded("silp-code", "silp-json", "silp-ir")
    for part in ("constraints", "alternatives"):
        assert sum(bool(getattr(ir, part)) for ir in irs) >= 10


@pytest.mark.parametrize("record", MESSAGES, ids=_name)
def test_every_message_goes_everywhere_and_comes_back(record: dict[str, Any]) -> None:
    """Its format is found, its text is canonical unless it is one of the lenient ones, and no crossing changes it."""
    text, format = record["text"], record["format"]
    assert sabir.detect(text) == format
    canonical = sabir.encode(sabir.decode(text, format), format)
    assert (canonical == text) is ((record["conversation"], record["turn"]) not in LENIENT)
    found = list(crossings(text, BY_NAME[format]))
    assert [crossing.target for crossing in found] == [target.name for target in READABLE]
    for crossing in found:
        assert crossing.outcome != "changed", crossing
        assert crossing.outcome != "refused" or crossing.target == "ait"


def test_prose_and_plain_json_are_no_messages() -> None:
    """What is there for comparison is taken for no format."""
    for record in RECORDS:
        if record["format"] in ("json", "prose"):
            assert sabir.detect(record["text"]) is None
