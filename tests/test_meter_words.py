from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir import meter
from sabir.errors import EncodeError, MissingDependency
from sabir.meter import words
from sabir.meter.counters import JsonFile
from sabir.meter.endpoint import Endpoint
from sabir.silp.verbs import APPROVED
from tiny import as_json

HERE = ["gpt-4o", "gpt-4", "qwen2.5"]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No vocabularies but the packaged ones."""
    monkeypatch.setenv("SABIR_CACHE", str(tmp_path))
    monkeypatch.setattr(meter, "_plugged", {})


def test_the_approved_verbs_are_one_token_each() -> None:
    """The draft's census, measured anew: its thirteen verbs in small letters are one token each, and come back."""
    rows = meter.census([verb.removeprefix("!").lower() for verb in APPROVED], HERE)
    assert len(rows) == 13
    assert all(row.single for row in rows)
    assert all(row.round_trips == dict.fromkeys(HERE, True) for row in rows)


@pytest.mark.parametrize(("word", "tokens"), [("switch_tool", [2, 2, 2]), ("escalate", [3, 2, 2])])
def test_the_excluded_verbs_are_not(word: str, tokens: list[int]) -> None:
    """The draft's counts of the verbs that it leaves out, in the tokenizers that come with the package."""
    (row,) = meter.census([word], HERE)
    assert [*row.tokens.values()] == tokens
    assert not row.single


def test_a_word_is_listed_once_and_in_order() -> None:
    """A word given twice is one row."""
    assert [row.word for row in meter.census(["route", "fetch", "route"], HERE)] == ["route", "fetch"]


def test_a_word_after_a_space_is_counted_as_there() -> None:
    """In the middle of a line " planner" is one token of gpt-4, at its start it is two."""
    assert meter.census(["planner"], ["gpt-4"])[0].tokens == {"gpt-4": 2}
    assert meter.census(["planner"], ["gpt-4"], spaced=True)[0].tokens == {"gpt-4": 1}


def test_a_word_that_a_tokenizer_changes_does_not_come_back() -> None:
    """A vocabulary that folds letters gives another word back; a counter that only counts leaves it open."""
    folding = {
        "normalizer": {"type": "Lowercase"},
        "model": {"type": "WordLevel", "vocab": {"route": 0}, "unk_token": "route"},
    }
    meter.plug("folding", JsonFile(as_json(folding)))
    meter.plug("asked", Endpoint(lambda _: 1))
    rows = meter.census(["route", "Route"], ["folding", "asked"])
    assert [row.round_trips for row in rows] == [{"folding": True, "asked": None}, {"folding": False, "asked": None}]
    assert meter.suggest("routes", ["asked"]) == []
    assert meter.suggest("routes", ["asked", "folding"]) == ["route"]


def test_suggestions_are_one_token_everywhere() -> None:
    """The parts of a compound come first, then words with its beginning; all are one token in all tokenizers."""
    assert meter.suggest("switch_tool", HERE, limit=2) == ["switch", "tool"]
    assert meter.suggest("RequestReview", HERE, limit=2) == ["Request", "Review"]
    assert meter.suggest("fetch2", HERE, limit=1) == ["fetch"]
    near = meter.suggest("escalate", HERE, limit=5)
    assert near
    assert "escalate" not in near
    assert all(row.single for row in meter.census(near, HERE))
    assert meter.suggest("escalate", HERE, limit=0) == []


def test_suggestions_after_a_space_are_one_token_there() -> None:
    """Words for the middle of a line are looked up there."""
    near = meter.suggest("planr", ["gpt-4", "gpt-4o"], limit=3, spaced=True)
    assert near
    assert all(row.single for row in meter.census(near, ["gpt-4", "gpt-4o"], spaced=True))


@pytest.mark.parametrize("word", ["", "日本", "_", "x" * 10_000, "Ⅳ", "1234"])
def test_a_word_that_is_near_nothing_has_no_long_search(word: str) -> None:
    """Odd and very long words are answered too, if need be with nothing."""
    assert all(row.single for row in meter.census(meter.suggest(word, HERE), HERE))


@pytest.mark.parametrize(
    ("word", "other", "edits"),
    [("", "", 0), ("plan", "plan", 0), ("plan", "plane", 1), ("plane", "plan", 1), ("kitten", "sitting", 3), ("", "abc", 3)],
)
def test_edits_are_counted(word: str, other: str, edits: int) -> None:
    """Insertions, deletions and changes, as everybody counts them."""
    assert words._edits(word, other) == edits


@given(st.text("abc", max_size=6), st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_edits_are_a_distance(a: str, b: str, c: str) -> None:
    """Nothing for the same word only, the same both ways, and no way round is shorter."""
    assert (words._edits(a, b) == 0) is (a == b)
    assert words._edits(a, b) == words._edits(b, a)
    assert words._edits(a, c) <= words._edits(a, b) + words._edits(b, c)


@pytest.mark.parametrize(
    ("word", "other", "near"),
    [
        ("planner", "planet", True),
        ("fetched", "fetch", True),
        ("fech", "fetch", True),
        ("plan", "play", True),
        ("planner", "execute", False),
        ("planner", "pool", False),
        ("planner", "pl", False),
        ("abc", "", False),
    ],
)
def test_near_words_share_their_beginning_or_most_letters(word: str, other: str, near: bool) -> None:  # noqa: FBT001  # a table's column
    """A stem of four letters, or at most two other letters after the same first."""
    assert (words._distance(word, other) is not None) is near


def test_without_a_tokenizer_there_is_no_census(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is guessed where nothing can count."""
    with pytest.raises(EncodeError, match="no tokenizer"):
        meter.census(["x"], ["gpt-9"])
    monkeypatch.setattr(meter, "find_spec", lambda _: None)
    with pytest.raises(MissingDependency, match=r"pip install 'sabir\[meter\]'"):
        meter.census(["x"])
