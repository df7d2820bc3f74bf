"""The quantizer's training sentences: enough of each, none twice, none from the public data it is measured on."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter, defaultdict
from importlib import resources
from pathlib import Path

import pytest

from sabir.ucr import core

FOLDER = resources.files("sabir.data").joinpath("exemplars")
PUBLIC = Path(__file__).parents[2] / "shared" / "data" / "slip-intents-dev.jsonl"
"""The labelled sentences the quantizer is measured on, too large to ship."""
LEAST = {"en": 60, "ja": 25}
"""Sentences an anchor has at least, by language."""
TOO_NEAR = 0.8
"""The share of common words from which on two sentences count as one."""
JAPANESE = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff]")
PERSONAL = re.compile(
    r"[\w.+-]+@[\w-]+\.\w+"  # a mail address
    r"|https?://|www\."  # a page that may be someone's
    r"|(?<!\w)@\w+"  # a handle
    r"|\d(?:[ .-]?\d){6,}"  # a telephone, account or card number: seven digits or more
    r"|\b(?:Mr|Mrs|Ms|Dr|Prof)\b\.?\s+[A-Z]"  # a person by title
    r"|(?<!患者)(?<!大家)(?<!皆)さん(?!で|の?着)"  # a person by honorific; patient, landlord and all are no names
    r"|[一-龯ァ-ヶ]{2,}(?:氏|君)(?!が代)",
)
"""What would point at a person."""


def sentences() -> list[dict[str, str]]:
    """All rows of all files, in the order of the files' names."""
    files = sorted((entry for entry in FOLDER.iterdir() if entry.name.endswith(".jsonl")), key=lambda entry: entry.name)
    return [json.loads(line) for entry in files for line in entry.read_text("utf-8").splitlines()]


ROWS = sentences()


def words(text: str) -> frozenset[str]:
    """The words of a text, without regard to case, width, order and punctuation."""
    return frozenset(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))


def nearness(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard: words in common by words in all; 1.0 for the same words, 0.0 for none in common."""
    return len(one & other) / len(one | other)


def test_every_row_has_a_text_a_core_anchor_and_a_language() -> None:
    """No other key, no white space at the ends, no control character."""
    known = {anchor.mnemonic for anchor in core()}
    for row in ROWS:
        assert list(row) == ["text", "anchor", "lang"], row
        assert row["anchor"] in known, row
        assert row["lang"] in LEAST, row
        assert row["text"] == row["text"].strip() != "", row
        assert row["text"].isprintable(), row


def test_every_anchor_has_enough_sentences_in_both_languages() -> None:
    """All 46 anchors, 60 English and 25 Japanese sentences each or more."""
    counts = Counter((row["anchor"], row["lang"]) for row in ROWS)
    wanted = {(anchor.mnemonic, lang): least for anchor in core() for lang, least in LEAST.items()}
    assert len(wanted) == 92
    assert {key: counts[key] for key, least in wanted.items() if counts[key] < least} == {}


def test_the_language_is_the_one_the_text_is_written_in() -> None:
    """Japanese script in every Japanese sentence and in no English one."""
    wrong = [row for row in ROWS if (JAPANESE.search(row["text"]) is not None) != (row["lang"] == "ja")]
    assert wrong == []


def test_english_sentences_are_messages_not_documents() -> None:
    """At most 32 words, so that a centroid is not drawn by one long text."""
    assert [row["text"] for row in ROWS if row["lang"] == "en" and len(row["text"].split()) > 32] == []


def test_no_sentence_stands_twice() -> None:
    """The same words, whatever their case or punctuation, have one anchor and stand once."""
    places = defaultdict(list)
    for row in ROWS:
        places[words(row["text"])].append((row["anchor"], row["text"]))
    assert [found for found in places.values() if len(found) > 1] == []


def test_each_group_of_anchors_keeps_to_its_file() -> None:
    """The table in the folder's README names every file with exactly its anchors."""
    readme = FOLDER.joinpath("README.md").read_text("utf-8")
    table = dict(re.findall(r"^\| `(\w+\.jsonl)` \| ([\w, ]+?)(?::.*)? \|$", readme, re.MULTILINE))
    held = {
        entry.name: {json.loads(line)["anchor"] for line in entry.read_text("utf-8").splitlines()}
        for entry in FOLDER.iterdir()
        if entry.name.endswith(".jsonl")
    }
    assert {name: set(anchors.split(", ")) for name, anchors in table.items()} == held


@pytest.mark.parametrize(
    "text",
    [
        "Write to a.b@example.org",
        "See https://example.org/x",
        "Ask @someone",
        "Call 030 123 45 67",
        "Dr. Who is in",
        "田中さんに伝えて",
        "鈴木氏の案です",
    ],
)
def test_what_points_at_a_person_is_recognised(text: str) -> None:
    """The pattern of the next test finds each kind of thing it is meant to find."""
    assert PERSONAL.search(text)


def test_no_sentence_points_at_a_person() -> None:
    """No address, number, handle or titled name."""
    assert [row["text"] for row in ROWS if PERSONAL.search(row["text"])] == []


def test_nearness_is_jaccard() -> None:
    """Four words of five in common, without regard to case and punctuation, are 0.8; worked out by hand."""
    assert nearness(words("Run the full tests!"), words("run the full tests now")) == pytest.approx(0.8)
    assert nearness(words("one two"), words("three four")) == 0.0


def test_no_sentence_nearly_equals_one_it_is_measured_on() -> None:
    """Every sentence is less than 0.8 near to every public one, so that a measurement is no memory."""
    if not PUBLIC.exists():
        pytest.skip("the public data set is not beside the repository")
    by_size = defaultdict(list)
    for line in PUBLIC.read_text("utf-8").splitlines():
        public = words(json.loads(line)["text"])
        by_size[len(public)].append(public)
    assert sum(map(len, by_size.values())) == 1530
    near = []
    for row in ROWS:
        own = words(row["text"])
        # Sizes further apart than the bound cannot be that near.
        sizes = range(int(len(own) * TOO_NEAR), int(len(own) / TOO_NEAR) + 2)
        near += [row["text"] for size in sizes for public in by_size[size] if nearness(own, public) >= TOO_NEAR]
    assert near == []
