"""The log: what is kept, how it is counted, and how it stays small."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from learning import TOPICS, Clock, propose, say
from sabir import learn
from sabir.errors import EncodeError, PolicyError, SabirError
from sabir.learn import log
from sabir.learn.log import MOST_SOURCES, Low, shape_of
from sabir.store import open_store
from sabir.store.engine import Store
from sabir.store.schema import messages, policies, sightings


def texts(store: Store) -> dict[str, dict[str, int]]:
    """Texts of the log and the counts of their sources."""
    with store.read() as connection:
        return {text.text: text.sources for text in log.texts(connection)}


def test_what_is_not_sure_enough_is_logged(tmp_path: Path) -> None:
    """A message below the threshold is kept with its source, one at the threshold is not."""
    with open_store(tmp_path / "learn.db") as store:
        assert learn.record(store, "Rotate it", 0.549, "ann").stored
        done = learn.record(store, "Deploy it", 0.55, "ann")
        assert (done.stored, done.new, done.hash) == (False, False, "")
        assert texts(store) == {"Rotate it": {"ann": 1}}


def test_near_copies_are_one_text(tmp_path: Path) -> None:
    """Case, numbers, punctuation, width and invisible characters make no new text; a question is another one."""
    copies = ["Restart 12 pods!", "restart 7 pods", "ＲＥＳＴＡＲＴ  3  pods", "Re\u200bstart 1,000.5 «pods»"]
    with open_store(tmp_path / "learn.db") as store:
        done = [learn.record(store, text, 0.1, "ann") for text in [*copies, "Restart 12 pods?"]]
        assert [item.new for item in done] == [True, False, False, False, True]
        assert len({item.hash for item in done}) == 2
        assert texts(store) == {"Restart 12 pods!": {"ann": 4}, "Restart 12 pods?": {"ann": 1}}


@pytest.mark.parametrize(
    ("text", "shape"),
    [("Is it 12:30?", "is it 0?"), ("3.5 vs 4", "0 vs 0"), ("…", ""), ("A—b", "a b"), ("ドア 2つ", "ドア 0つ")],
)
def test_shapes(text: str, shape: str) -> None:
    """What near-copies have in common."""
    assert shape_of(text) == shape


def test_secrets_are_gone_before_anything_is_stored(tmp_path: Path) -> None:
    """No byte of the store's files holds a secret of a text or of a source; the kinds are counted."""
    with open_store(tmp_path / "learn.db") as store:
        done = learn.record(store, "Ask eve@corp.example with password: tulip99", 0.1, "mallory@corp.example")
        again = learn.record(store, "Ask eve@corp.example with password: tulip99", 0.1, "mallory@corp.example")
        assert done.redacted == {"EMAIL": 1, "SECRET": 1}
        assert (done.hash, again.new) == (again.hash, False)
        found = texts(store)
    ((text, sources),) = found.items()
    assert text == "Ask [EMAIL] with password: [SECRET]"
    assert [(name[:7], len(name), count) for name, count in sources.items()] == [("source-", 23, 2)]
    everything = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert not any(word in everything for word in (b"eve@", b"tulip99", b"mallory"))


def test_pseudonyms_tell_sources_apart(tmp_path: Path) -> None:
    """Two addresses are two sources, the same one is the same; another store has other pseudonyms."""
    names = []
    for place in ("a.db", "b.db"):
        with open_store(tmp_path / place) as store:
            learn.record_all(store, [Low("Hello there", 0.1, source) for source in ("x@a.example", "y@a.example", "x@a.example", "n" * 200)])
            names.append({*texts(store)["Hello there"]})
    assert [len(found) for found in names] == [3, 3]
    assert not names[0] & names[1]


WRONG: list[tuple[Any, Any, Any, str]] = [
    ("", 0.1, "a", "text: may not be empty"),
    (" \u200b", 0.1, "a", "text: may not be empty"),
    ("x", 0.1, "", "source: may not be empty"),
    (5, 0.1, "a", "text: must be text"),
    ("x", 0.1, None, "source: must be text"),
    ("\ud800", 0.1, "a", "text: lone surrogate"),
    ("x", 1.1, "a", "confidence: must be a number from 0 to 1, not 1.1"),
    ("x", float("nan"), "a", "confidence: must be a number"),
    ("x", True, "a", "confidence: must be a number"),
    ("x", "1", "a", "confidence: must be a number"),
]


@pytest.mark.parametrize(("text", "confidence", "source", "says"), WRONG)
def test_what_cannot_be_logged(tmp_path: Path, text: Any, confidence: Any, source: Any, says: str) -> None:
    """A fault names the field, and of several messages the place; then none of them is logged."""
    with open_store(tmp_path / "learn.db") as store:
        with pytest.raises(EncodeError, match=f"^{says}"):
            learn.record(store, text, confidence, source)
        with pytest.raises(EncodeError, match=rf"^\[1\]\.{says}"):
            learn.record_all(store, [Low("good", 0.1, "a"), Low(text, confidence, source)])
        assert texts(store) == {}


def test_long_texts_are_cut(tmp_path: Path) -> None:
    """A text keeps as many characters as the policy says, after its secrets are gone."""
    with open_store(tmp_path / "learn.db") as store:
        learn.change(store, "kim", {"keep_characters": 11})
        learn.record(store, "call a.long.name@example.com now", 0.1, "ann")
        assert texts(store) == {"call [EMAIL": {"ann": 1}}


def test_sightings_hold_the_least_confidence_and_the_times(tmp_path: Path) -> None:
    """Of a text that is seen again, the count grows, the least confidence and the last time are kept."""
    clock = Clock()
    with open_store(tmp_path / "learn.db") as store:
        for sure in (0.3, 0.1, 0.2):
            learn.record(store, "Rotate it", sure, "ann", clock)
            clock.move(hours=1)
        with store.read() as connection:
            row = connection.execute(select(sightings)).one()
            message = connection.execute(select(messages)).one()
    assert (row[2], row.confidence) == (3, 0.1)
    assert (message.last_seen - message.first_seen, row.last_seen) == (2 * 3_600_000_000, message.last_seen)


def test_sources_of_one_text_are_bounded(tmp_path: Path) -> None:
    """Many made-up names cannot write without end: beyond the bound a new source of a text is not kept."""
    with open_store(tmp_path / "learn.db") as store:
        learn.record_all(store, [Low("Rotate it", 0.1, f"name {place}") for place in range(MOST_SOURCES + 10)])
        learn.record(store, "Rotate it", 0.1, "name 3")
        counts = texts(store)["Rotate it"]
    assert len(counts) == MOST_SOURCES
    assert counts["name 3"] == 2


# --- retention -------------------------------------------------------------------------------------------


def test_old_texts_go(tmp_path: Path) -> None:
    """A text not seen for as long as the policy keeps goes with the next record, or on request; one seen again stays."""
    clock = Clock()
    with open_store(tmp_path / "learn.db") as store:
        learn.record_all(store, [Low("old one", 0.1, "ann"), Low("seen again", 0.1, "ann"), Low("seen again", 0.1, "ben")], clock)
        clock.move(days=29)
        learn.record(store, "seen again", 0.1, "ben", clock)
        clock.move(days=2)
        learn.record(store, "new", 0.1, "ann", clock)
        assert texts(store) == {"seen again": {"ben": 2}, "new": {"ann": 1}}
        clock.move(days=31)
        assert learn.purge(store, clock=clock).texts == 2
        assert texts(store) == {}


def _name(place: int) -> str:
    """Letters for a number, since numbers make no difference."""
    return "".join(chr(97 + int(digit)) for digit in str(place))


def test_a_flood_drives_out_its_own(tmp_path: Path) -> None:
    """Where the log is full, whoever has the most texts loses its oldest ones; the others lose nothing."""
    with open_store(tmp_path / "learn.db") as store:
        learn.change(store, "kim", {"keep_messages": 40})
        learn.record_all(store, [Low(f"honest {word}", 0.1, source) for word in ("one", "two", "three") for source in ("ann", "ben")])
        for start in range(0, 300, 50):
            learn.record_all(store, [Low(f"flood {_name(place)}", 0.1, "eve") for place in range(start, start + 50)])
            assert len(texts(store)) <= 40
        found = texts(store)
    assert {text: count for text, count in found.items() if "honest" in text} == {f"honest {word}": {"ann": 1, "ben": 1} for word in ("one", "two", "three")}
    assert f"flood {_name(299)}" in found
    assert len(found) == 38


def test_two_names_of_one_flood(tmp_path: Path) -> None:
    """A flood under two names that vouch for each other still drives out itself first."""
    with open_store(tmp_path / "learn.db") as store:
        learn.change(store, "kim", {"keep_messages": 20})
        learn.record_all(store, [Low(f"honest {word}", 0.1, "ann") for word in ("one", "two", "three")])
        learn.record_all(store, [Low(f"flood {_name(place)}", 0.1, source) for place in range(100) for source in ("eve", "evi")])
        found = texts(store)
    assert {"honest one", "honest two", "honest three"} <= {*found}
    assert len(found) == 19


def test_bytes_are_bounded(tmp_path: Path) -> None:
    """The size of all texts in UTF-8 stays within the policy's, too."""
    with open_store(tmp_path / "learn.db") as store:
        learn.change(store, "kim", {"keep_bytes": 1000})
        learn.record_all(store, [Low("試" * 100 + _name(place), 0.1, "ann") for place in range(5)])
        assert {*texts(store)} == {"試" * 100 + _name(place) for place in (2, 3, 4)}
        learn.record(store, "試" * 400, 0.1, "ann")
        assert sum(len(text.encode()) for text in texts(store)) <= 1000


def test_purge_by_source(tmp_path: Path) -> None:
    """All that one source said goes; what others said as well stays theirs, and open proposals that rest on it are taken back."""
    with open_store(tmp_path / "learn.db") as store:
        say(store, "harvest")
        learn.record_all(store, [Low(TOPICS["harvest"][0], 0.1, "eve"), Low("only eve", 0.1, "eve")], Clock())
        (proposal,) = propose(store).open
        assert learn.purge(store, source="nobody", clock=Clock()) == learn.Purged(0, 0)
        assert learn.list_all(store, "open") == (proposal,)
        assert learn.purge(store, source="eve", clock=Clock()) == learn.Purged(1, 2)
        assert texts(store)[TOPICS["harvest"][0]] == {"ann": 1}
        (taken,) = learn.list_all(store)
        assert (taken.status, taken.exemplar) == ("superseded", "")
        assert {member.text for member in learn.detail(store, taken.number)[1]} == {None}
        with pytest.raises(PolicyError, match=r"proposal 1 was superseded\Z"):
            learn.approve(store, 1, "Kim", clock=Clock())
        assert learn.purge(store, everything=True, clock=Clock()) == learn.Purged(4, 4)
        with pytest.raises(EncodeError, match="source"):
            learn.purge(store, source="\ud800")


def test_a_purge_names_the_anchors_that_keep_texts(tmp_path: Path) -> None:
    """Those in use whose texts the source said, or all; once retired, an anchor keeps none."""
    with open_store(tmp_path / "learn.db") as store:
        say(store, "harvest", clock=Clock())
        anchor = learn.approve(store, propose(store).open[0].number, "Kim", clock=Clock())
        assert learn.purge(store, source="eve", clock=Clock()).anchors == ()
        assert learn.purge(store, source="ann", clock=Clock()) == learn.Purged(1, 1, (anchor.mnemonic,))
        assert learn.purge(store, everything=True, clock=Clock()) == learn.Purged(3, 3, (anchor.mnemonic,))
        learn.retire(store, anchor.mnemonic, "Kim", clock=Clock())
        assert learn.purge(store, everything=True, clock=Clock()) == learn.Purged(0, 0)


def test_open_proposals_do_not_outlive_the_log(tmp_path: Path) -> None:
    """A proposal that waits longer than texts are kept is taken back with its texts."""
    clock = Clock()
    with open_store(tmp_path / "learn.db") as store:
        say(store, "harvest", clock=clock)
        propose(store, clock)
        clock.move(days=31)
        assert learn.purge(store, clock=clock) == learn.Purged(4, 4)
        assert [item.status for item in learn.list_all(store)] == ["superseded"]
    assert b"wheat harvest" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())


def test_texts_of_open_proposals_go_when_their_time_is_over(tmp_path: Path) -> None:
    """Logging alone sees to it: what nobody said for as long as texts are kept stands nowhere, and the proposal is taken back."""
    clock = Clock()
    with open_store(tmp_path / "learn.db") as store:
        say(store, "harvest", clock=clock)
        clock.move(days=20)
        propose(store, clock)
        say(store, "certificates", clock=clock)
        clock.move(days=9)
        propose(store, clock)
        assert [(item.status, item.number) for item in learn.list_all(store)] == [("open", 1), ("open", 2)]
        clock.move(days=2)
        learn.record(store, "Hello there", 0.1, "ann", clock)
        assert [item.status for item in learn.list_all(store)] == ["superseded", "open"]
        assert {member.text for member in learn.detail(store, 1)[1]} == {None}
        clock.move(days=30)
        learn.record(store, "Hello there", 0.1, "ann", clock)
        assert [item.status for item in learn.list_all(store)] == ["superseded", "superseded"]


def test_a_proposal_that_is_found_again_goes_on(tmp_path: Path) -> None:
    """While its texts are said and runs find it, an open proposal waits for ever."""
    clock = Clock()
    with open_store(tmp_path / "learn.db") as store:
        for _ in range(4):
            say(store, "harvest", clock=clock)
            (proposal,) = propose(store, clock).open
            clock.move(days=20)
            learn.record(store, "Hello there", 0.1, "ann", clock)
        assert learn.list_all(store, "open") == (proposal,)


# --- policy ----------------------------------------------------------------------------------------------


def test_policy_is_kept_with_its_history(tmp_path: Path) -> None:
    """A change holds for everybody who opens the store, and who made it is kept; the same again is no change."""
    with open_store(tmp_path / "learn.db") as store:
        assert learn.policy_of(store) == learn.Policy()
        learn.change(store, " Kim\u200b ", {"min_sources": 4}, Clock())
        learn.change(store, "Lee", {"min_sources": 4}, Clock())
    with open_store(tmp_path / "learn.db") as store:
        assert learn.policy_of(store) == learn.Policy(min_sources=4)
        with store.read() as connection:
            assert [row.by for row in connection.execute(select(policies))] == ["Kim"]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"min_sources": 0}, "min_sources: must be 1 to"),
        ({"threshold": 1.5}, "threshold: must be 0 to 1"),
        ({"threshold": float("nan")}, "threshold: must be 0 to 1"),
        ({"min_cluster_size": "3"}, "min_cluster_size: expected `int`"),
        ({"approval": 1}, "approval: expected `bool`"),
        ({"colour": 1}, "policy: a policy has no 'colour' .there are: threshold, keep_days"),
    ],
)
def test_policies_without_sense(tmp_path: Path, changes: dict[str, Any], says: str) -> None:
    """A value out of its range or of another type is refused with the field."""
    with open_store(tmp_path / "learn.db") as store:
        with pytest.raises(EncodeError, match=f"^{says}"):
            learn.change(store, "Kim", changes)
        assert learn.policy_of(store) == learn.Policy()


@pytest.mark.parametrize("name", ["", " ", "a\nb", "n" * 101])
def test_nobody_changes_the_policy(tmp_path: Path, name: str) -> None:
    """A change needs a name of one line."""
    with open_store(tmp_path / "learn.db") as store, pytest.raises(PolicyError):
        learn.change(store, name, {"min_sources": 1})


def test_a_damaged_policy_is_an_error(tmp_path: Path) -> None:
    """A policy that cannot be read never counts as none."""
    with open_store(tmp_path / "learn.db") as store:
        with store.write() as connection:
            connection.execute(policies.insert().values(policy="{", at=0, by="x"))
        with pytest.raises(SabirError, match="policy 1 of the store is damaged"):
            learn.policy_of(store)
