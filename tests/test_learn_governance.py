"""Who decides, under which rules, and what is kept of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from learning import NOON, TOPICS, Clock, check, propose, put, say
from sabir import learn
from sabir.errors import EncodeError, PolicyError
from sabir.learn.governance import NOBODY
from sabir.learn.instants import iso, microseconds
from sabir.learn.log import hash_of
from sabir.slip import SlipMessage, decode, encode
from sabir.store import open_store
from sabir.store.schema import anchors, proposals
from sabir.ucr import Codebook, core


def test_an_approved_proposal_is_an_anchor_with_its_provenance(tmp_path: Path) -> None:
    """The anchor has the next index; hashes, figures, who and when are kept, and it is a codebook's like any other."""
    clock = Clock()
    with open_store(tmp_path / "learn.db") as store:
        say(store, "harvest", clock=clock)
        (proposal,) = propose(store, clock).open
        clock.move(hours=2)
        anchor = learn.approve(store, proposal.number, " Kim ", clock=clock)
        assert (anchor.index, anchor.mnemonic, anchor.coords, anchor.is_core) == (0x8000, proposal.mnemonic, proposal.coords, False)
        origin = learn.provenance(store, anchor.mnemonic)
        assert origin.own.minted_at == microseconds(NOON) + 2 * 3_600_000_000
        assert (origin.proposal.decided_by, origin.proposal.status, origin.proposal.policy) == ("Kim", "approved", None)
        assert (origin.proposal.size, origin.proposal.sources, origin.proposal.cohesion) == (4, 4, proposal.cohesion)
        assert {member.hash: member.sources for member in origin.members} == {
            hash_of(text): {source: 1} for text, source in zip(TOPICS["harvest"], ("ann", "ben", "cat", "dan"), strict=True)
        }
        book = learn.codebook(store)
        assert book.own == (anchor,)
        assert Codebook.from_json(book.to_json()) == book
        wire = encode(SlipMessage("a", "b", anchor, ("north",)))
        assert wire == f"SLIP v1 a b {anchor.mnemonic} north"
        assert decode(wire, allow_unknown=True).payload == ("north",)
        check(store)


def test_approving_again_changes_nothing(tmp_path: Path) -> None:
    """The same approval, or another person's, gives the anchor there is; another name for it is refused."""
    with open_store(tmp_path / "learn.db") as store:
        put(store, 1)
        first = learn.approve(store, 1, "Kim", mnemonic="RequestHarvest", canonical="Ask for the harvest", clock=Clock())
        assert (first.mnemonic, first.canonical) == ("RequestHarvest", "Ask for the harvest")
        assert learn.approve(store, 1, "Lee", clock=Clock()) == first
        assert learn.approve(store, 1, "Lee", mnemonic="RequestHarvest") == first
        with pytest.raises(PolicyError, match="proposal 1 was approved by Kim as RequestHarvest"):
            learn.approve(store, 1, "Kim", mnemonic="RequestOther")
        assert learn.approve(store, 1, "Lee", canonical="Ask for the harvest") == first
        with pytest.raises(PolicyError, match="proposal 1 was approved by Kim as RequestHarvest: Ask for the harvest"):
            learn.approve(store, 1, "Kim", canonical="Something else")
        assert learn.provenance(store, "RequestHarvest").proposal.decided_by == "Kim"
        assert check(store) == 1


@pytest.mark.parametrize(("by", "says"), [(None, "must give a name"), *((empty, "must give a name") for empty in ("", "  ", "-", "1", "\u200b", "\u3164", "\u2800")), ("a\nb", "one line"), (NOBODY, "nobody's name"), ("S1", "is a source")])
def test_a_named_person_approves(tmp_path: Path, by: str | None, says: str) -> None:
    """Without a name, or under that of a source, nothing becomes an anchor."""
    with open_store(tmp_path / "learn.db") as store:
        put(store, 1)
        with pytest.raises(PolicyError, match=says):
            learn.approve(store, 1, by)
        assert check(store) == 0


FIGURES: list[tuple[dict[str, Any], str]] = [
    ({"size": 2}, "2 sightings; at least 3 are needed"),
    ({"sources": 1}, "1 source; at least 2 are needed"),
    ({"share": 0.8}, "one source has 80% of it; at most 75% is allowed"),
    ({"cohesion": 0.1}, "cohesion 0.10; at least 0.30 is needed"),
]


@pytest.mark.parametrize(("figures", "says"), FIGURES)
def test_the_policy_holds_at_the_approval(tmp_path: Path, figures: dict[str, Any], says: str) -> None:
    """Figures that the policy of the moment does not let pass are refused, though the proposal is there and a person approves."""
    with open_store(tmp_path / "learn.db") as store:
        put(store, 1)
        with store.write() as connection:
            connection.execute(update(proposals).values(figures))
        with pytest.raises(PolicyError, match=f"proposal 1: {says}"):
            learn.approve(store, 1, "Kim")
        assert check(store) == 0


def test_a_stricter_policy_holds_for_older_proposals(tmp_path: Path) -> None:
    """The policy is read when the decision is made, and its number is kept with the decision."""
    with open_store(tmp_path / "learn.db") as store:
        put(store, 2)
        learn.change(store, "Kim", {"min_sources": 4})
        with pytest.raises(PolicyError, match="3 sources; at least 4 are needed"):
            learn.approve(store, 1, "Kim")
        learn.change(store, "Kim", {"min_sources": 3})
        learn.approve(store, 1, "Kim")
        assert learn.detail(store, 1)[0].policy == 2


def test_the_rate_of_minting_is_bounded(tmp_path: Path) -> None:
    """No more anchors than allowed within any 24 hours, retired ones included; the refusal says when to come again."""
    clock = Clock()
    with open_store(tmp_path / "learn.db") as store:
        put(store, 5)
        learn.change(store, "Kim", {"mints_a_day": 2})
        learn.approve(store, 1, "Kim", clock=clock)
        clock.move(hours=10)
        learn.approve(store, 2, "Kim", clock=clock)
        learn.retire(store, "RequestNumber0", "Kim", clock=clock)
        with pytest.raises(PolicyError, match="2 anchors were minted within 24 hours, of 2 allowed; again from 2026-03-02T12:00:00Z on"):
            learn.approve(store, 3, "Kim", clock=clock)
        clock.move(hours=13, minutes=59)
        with pytest.raises(PolicyError, match="2 anchors"):
            learn.approve(store, 3, "Kim", clock=clock)
        clock.move(minutes=1)
        assert learn.approve(store, 3, "Kim", clock=clock).index == 0x8002
        with pytest.raises(PolicyError, match="2 anchors"):
            learn.approve(store, 4, "Kim", clock=clock)
        clock.move(days=-300)
        with pytest.raises(PolicyError, match="3 anchors"):
            learn.approve(store, 4, "Kim", clock=clock)
        learn.change(store, "Kim", {"mints_a_day": 0})
        with pytest.raises(PolicyError, match=r"of 0 allowed\Z"):
            learn.approve(store, 4, "Kim", clock=clock)
        assert check(store) == 3


@pytest.mark.parametrize("mnemonic", ["RequestReview", "requestreview", "RequestNumber0", "REQUESTNUMBER0", "FALLBACK"])
def test_names_that_are_taken(tmp_path: Path, mnemonic: str) -> None:
    """A name of the core or of an own anchor, retired ones included, is taken in any case."""
    with open_store(tmp_path / "learn.db") as store:
        put(store, 2)
        learn.approve(store, 1, "Kim")
        learn.retire(store, "RequestNumber0", "Kim")
        with pytest.raises(PolicyError, match="is taken by"):
            learn.approve(store, 2, "Kim", mnemonic=mnemonic)
        assert check(store) == 1


@pytest.mark.parametrize("mnemonic", ["RequestNumberO", "EvalAppr0ve", "EvaIApprove"])
def test_names_that_look_like_others(tmp_path: Path, mnemonic: str) -> None:
    """A name that differs in I, l and 1, or in O and 0, is no name of its own."""
    with open_store(tmp_path / "learn.db") as store:
        put(store, 2)
        learn.approve(store, 1, "Kim")
        with pytest.raises(PolicyError, match=f"the mnemonic {mnemonic} looks like (EvalApprove|RequestNumber0); give another one"):
            learn.approve(store, 2, "Kim", mnemonic=mnemonic)
        assert check(store) == 1


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ({"mnemonic": "Two Words"}, "mnemonic: a mnemonic is made of"),
        ({"mnemonic": "a" * 49}, "mnemonic: longer than 48"),
        ({"mnemonic": "\ud800"}, "mnemonic: a mnemonic is made of"),
        ({"canonical": "a|b"}, "canonical: a description is one line"),
        ({"canonical": "\ud800"}, "canonical: lone surrogate"),
    ],
)
def test_words_that_cannot_be(tmp_path: Path, words: dict[str, Any], error: str) -> None:
    """A name or description that no codebook holds is the giver's fault, and nothing is minted."""
    with open_store(tmp_path / "learn.db") as store:
        put(store, 1)
        with pytest.raises(EncodeError, match=f"^{error}"):
            learn.approve(store, 1, "Kim", **words)
        assert check(store) == 0


def test_secrets_get_into_no_description(tmp_path: Path) -> None:
    """What a person writes beside a decision is redacted as well."""
    with open_store(tmp_path / "learn.db") as store:
        put(store, 2)
        assert learn.approve(store, 1, "Kim", canonical="Ask eve@corp.example").canonical == "Ask [EMAIL]"
        assert learn.reject(store, 2, "Kim", "see eve@corp.example").reason == "see [EMAIL]"


def test_rejected_is_rejected(tmp_path: Path) -> None:
    """A rejection is kept with who, when and why, only hashes stay of the texts, and it cannot be approved any more."""
    with open_store(tmp_path / "learn.db") as store:
        put(store, 2)
        clock = Clock()
        done = learn.reject(store, 1, "Kim", "two things in one", clock)
        assert (done.status, done.decided_by, done.reason, done.decided_at) == ("rejected", "Kim", "two things in one", microseconds(NOON))
        assert done.exemplar == ""
        assert [(member.hash, member.text) for member in learn.detail(store, 1)[1]] == [(f"0-{at}", None) for at in range(3)]
        clock.move(hours=1)
        assert learn.reject(store, 1, "Lee", "again", clock) == done
        with pytest.raises(PolicyError, match="proposal 1 was rejected by Kim at 2026-03-01T12:00:00Z"):
            learn.approve(store, 1, "Kim")
        learn.approve(store, 2, "Kim")
        with pytest.raises(PolicyError, match="proposal 2 was approved by Kim: retire RequestNumber1 instead"):
            learn.reject(store, 2, "Kim")
        with pytest.raises(PolicyError, match="must give a name"):
            learn.reject(store, 2, "")
        check(store)


def test_retired_for_ever(tmp_path: Path) -> None:
    """A retired anchor keeps its index and name; the next one gets the next index, and the codebook knows both."""
    with open_store(tmp_path / "learn.db") as store:
        put(store, 2)
        first = learn.approve(store, 1, "Kim")
        done = learn.retire(store, first.mnemonic, "Lee", "nobody asks", Clock())
        assert (done.retired_by, done.retired_reason, done.retired_at) == ("Lee", "nobody asks", microseconds(NOON))
        assert learn.retire(store, first.mnemonic, "Kim") == done
        second = learn.approve(store, 2, "Kim")
        book = learn.codebook(store)
        assert (second.index, book.own, book.retired) == (0x8001, (second,), (first,))
        assert learn.provenance(store, second.mnemonic).own.anchor == second
        assert learn.approve(store, 1, "Kim") == first
        assert [member.text for member in learn.provenance(store, first.mnemonic).members] == [None] * 3
        assert [item.anchor for item in learn.own_anchors(store)] == [first, second]
        check(store)


@pytest.mark.parametrize("mnemonic", [anchor.mnemonic for anchor in core()][:3])
def test_the_core_never_changes(tmp_path: Path, mnemonic: str) -> None:
    """A core anchor is neither retired nor explained by a proposal; an unknown name is said to be one."""
    with open_store(tmp_path / "learn.db") as store:
        with pytest.raises(PolicyError, match="a core anchor, which never changes"):
            learn.retire(store, mnemonic, "Kim")
        with pytest.raises(PolicyError, match="a core anchor"):
            learn.provenance(store, mnemonic)
        with pytest.raises(EncodeError, match='no anchor "Nonsense" of its own'):
            learn.retire(store, "Nonsense", "Kim")


def test_the_range_ends(tmp_path: Path) -> None:
    """Where the last index is given away, nothing can be minted any more."""
    with open_store(tmp_path / "learn.db") as store:
        put(store, 2)
        learn.approve(store, 1, "Kim")
        with store.write() as connection:
            connection.execute(update(anchors).values(index=0xFFFF))
        with pytest.raises(PolicyError, match="up to 0xFFFF, are given away"):
            learn.approve(store, 2, "Kim")


def test_without_approval(tmp_path: Path) -> None:
    """Where the policy asks for nobody, proposals become anchors up to the rate, and the record says that nobody approved."""
    with open_store(tmp_path / "learn.db") as store:
        put(store, 3)
        assert learn.approve_open(store) == ([], "")
        learn.change(store, "Kim", {"approval": False, "mints_a_day": 2})
        done, stopped = learn.approve_open(store, Clock())
        assert [anchor.mnemonic for anchor in done] == ["RequestNumber0", "RequestNumber1"]
        assert stopped.startswith("2 anchors were minted")
        assert learn.provenance(store, "RequestNumber0").proposal.decided_by == NOBODY
        assert check(store) == 2


def test_instants() -> None:
    """The store's time is microseconds of UTC, and printed as such."""
    assert microseconds(NOON) == 1_772_366_400_000_000
    assert iso(1_772_366_400_000_001) == "2026-03-01T12:00:00.000001Z"


# --- training pairs --------------------------------------------------------------------------------------


def test_training_pairs(tmp_path: Path) -> None:
    """One conversation for each approved text: the thought, the anchor with its place, and a message that is read back."""
    with open_store(tmp_path / "learn.db") as store:
        say(store, "harvest", ["ann", "ben", "cat the third", "dan"])
        learn.record(store, TOPICS["harvest"][0], 0.1, "zoe", Clock())
        learn.record(store, TOPICS["harvest"][0], 0.1, "zoe", Clock())
        say(store, "certificates")
        first, second = propose(store).open
        harvest = first if first.exemplar in TOPICS["harvest"] else second
        assert list(learn.sharegpt(store)) == []
        anchor = learn.approve(store, harvest.number, "Kim", clock=Clock())
        pairs = list(learn.sharegpt(store, "farm"))
        assert pairs == list(learn.sharegpt(store, "farm"))
        assert {pair["conversations"][0]["value"] for pair in pairs} == {*TOPICS["harvest"]}
        by_text = {pair["conversations"][0]["value"]: pair["conversations"] for pair in pairs}
        human, model = by_text[TOPICS["harvest"][0]]
        assert (human["from"], model["from"]) == ("human", "gpt")
        think, quantize, transmit = model["value"].split("\n")
        assert think == "THINK: Forecast the wheat harvest of the northern fields"
        assert quantize == f"QUANTIZE: action=request polarity={anchor.coords[1]} domain=task urgency={anchor.coords[3]} -> {anchor.mnemonic}"
        assert transmit == f"TRANSMIT: SLIP v1 zoe farm {anchor.mnemonic} Forecast wheat harvest northern fields"
        for _, answer in by_text.values():
            message = decode(answer["value"].split("TRANSMIT: ")[1], allow_unknown=True)
            assert (message.anchor.mnemonic, message.dst) == (anchor.mnemonic, "farm")
        assert by_text[TOPICS["harvest"][2]][1]["value"].split("TRANSMIT: ")[1].startswith("SLIP v1 - farm")
        assert json.loads(json.dumps(pairs)) == pairs
        with pytest.raises(EncodeError, match="dst"):
            list(learn.sharegpt(store, "two words"))
        learn.retire(store, anchor.mnemonic, "Kim")
        assert list(learn.sharegpt(store)) == []
