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

RECORDS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "examples" / "traffic.jsonl").read_text("utf-8").split("\n")
    if line
]
MESSAGES = [record for record in RECORDS if record["format"] not in ("json", "prose")]
LENIENT = {("trip-lisbon", 9), ("security-sweep", 18), ("pipeline-nightly", 10), *(("lenient", n) for n in range(1, 12))}


def _name(record: dict[str, Any]) -> str:
    return f"{record['conversation']}-{record['turn']}"


def test_the_corpus_is_what_its_page_says() -> None:
    """Conversations are in order, every format has its share, both languages speak."""
    assert len(RECORDS) == 257
    assert len({record["conversation"] for record in RECORDS}) == 17
    for conversation in {record["conversation"] for record in RECORDS}:
        found = [record["turn"] for record in RECORDS if record["conversation"] == conversation]
        assert found == list(range(1, len(found) + 1))
    counts = Counter(record["format"] for record in RECORDS)
    assert set(counts) == {format.name for format in READABLE} | {"json", "prose"}
    assert min(counts.values()) >= 15
    assert Counter(record["lang"] for record in RECORDS)["ja"] >= 20


@pytest.mark.parametrize("record", MESSAGES, ids=_name)
def test_every_message_goes_everywhere_and_comes_back(record: dict[str, Any]) -> None:
    """Its format is found, its text is canonical unless it is one of the lenient ones, and no crossing changes it."""
    text, format = record["text"], record["format"]
    assert sabir.detect(text) == format
    canonical = sabir.encode(sabir.decode(text, format), format)
    assert (canonical == text) is ((record["conversation"], record["turn"]) not in LENIENT)
    for crossing in crossings(text, BY_NAME[format]):
        assert crossing.outcome != "changed", crossing
        assert crossing.outcome != "refused" or crossing.target == "ait"


def test_prose_and_plain_json_are_no_messages() -> None:
    """What is there for comparison is taken for no format."""
    for record in RECORDS:
        if record["format"] in ("json", "prose"):
            assert sabir.detect(record["text"]) is None
