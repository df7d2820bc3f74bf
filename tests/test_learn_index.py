"""The index of own anchors, and what a quantizer that knows them answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select

from learning import TOPICS, Clock, propose, put, say
from sabir import learn
from sabir.errors import EncodeError
from sabir.learn import index, vectors
from sabir.learn.log import Low
from sabir.learn.vectors import HASHED
from sabir.quantize import Quantizer, shipped, transmit
from sabir.store import open_store
from sabir.store.engine import Store
from sabir.store.schema import centroids
from sabir.ucr import Anchor, core

PUBLIC = Path(__file__).parents[2] / "shared" / "data" / "slip-intents-dev.jsonl"
"""The public training set of Slipstream's author, too large to ship."""


def mint(store: Store, topic: str) -> Anchor:
    """The anchor of a topic."""
    say(store, topic)
    (proposal,) = propose(store).open
    return learn.approve(store, proposal.number, "Kim", clock=Clock())


def rows(store: Store) -> list[tuple[int, str, float, bytes]]:
    """The index as it is stored."""
    with store.read() as connection:
        return [tuple(row) for row in connection.execute(select(centroids).order_by(centroids.c.index))]


def test_an_own_anchor_is_found(tmp_path: Path) -> None:
    """Texts of the topic get the new anchor with at least the threshold's confidence, others what they got before."""
    with open_store(tmp_path / "learn.db") as store:
        before = learn.load(store, Quantizer("keyword"), HASHED)
        assert before.quantize(TOPICS["harvest"][0]).anchor == "Fallback"
        anchor = mint(store, "harvest")
        quantizer = learn.load(store, Quantizer("keyword"), HASHED)
        for text in [*TOPICS["harvest"], "The northern fields: a forecast of the wheat harvest"]:
            answer = quantizer.quantize(text)
            assert (answer.anchor, answer.mode) == (anchor.mnemonic, "learned")
            assert 0.55 <= answer.confidence <= 1
            assert len(answer.alternatives) == 3
        other = "The moon hangs low over sleepy roofs"
        assert quantizer.quantize(other) == before.quantize(other)
        assert quantizer.anchors == (*before.anchors, anchor.mnemonic)
        wire = transmit(TOPICS["harvest"][0], "a", "b", quantizer)
        assert wire == f"SLIP v1 a b {anchor.mnemonic} Forecast wheat harvest northern fields"
        with pytest.raises(EncodeError):
            quantizer.quantize("\ud800")
        assert quantizer.quantize_all([]) == []


def test_rebuilding_is_idempotent(tmp_path: Path) -> None:
    """The same anchors give the same index, to the bit; it is used, and made on the spot where it does not fit."""
    with open_store(tmp_path / "learn.db") as store:
        assert learn.rebuild(store, HASHED) == ()
        mint(store, "harvest")
        loose = learn.load(store, Quantizer("keyword"), HASHED)
        assert rows(store) == []
        (place,) = learn.rebuild(store, HASHED)
        stored = rows(store)
        learn.rebuild(store, HASHED)
        assert rows(store) == stored
        assert np.linalg.norm(place.centroid) == pytest.approx(1)
        kept = learn.load(store, Quantizer("keyword"), HASHED)
        for text in TOPICS["harvest"]:
            assert kept.quantize(text).confidence == pytest.approx(loose.quantize(text).confidence, abs=1e-5)
        second = mint(store, "certificates")
        assert learn.load(store, Quantizer("keyword"), HASHED).quantize(TOPICS["certificates"][0]).anchor == second.mnemonic
        learn.rebuild(store, HASHED)
        assert [row[0] for row in rows(store)] == [0x8000, 0x8001]


def test_the_policys_threshold_holds_where_no_quantizer_is_given(tmp_path: Path) -> None:
    """Another one is the caller's choice."""
    with open_store(tmp_path / "learn.db") as store:
        learn.change(store, "Kim", {"threshold": 0.7})
        assert learn.load(store, embedder=HASHED).threshold == 0.7
        assert learn.load(store, Quantizer("keyword"), HASHED).threshold == 0.55


def test_only_what_the_index_lacks_is_embedded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading embeds the texts of the anchors that are not in the index; making it anew embeds them all, and says how far it is."""
    with open_store(tmp_path / "learn.db") as store:
        mint(store, "harvest")
        learn.rebuild(store, HASHED)
        mint(store, "certificates")
        unit, given = vectors.unit, list[str]()

        def counted(name: str, texts: Sequence[str], progress: vectors.Progress = lambda _: None) -> Any:
            given.extend(texts)
            return unit(name, texts, progress)

        monkeypatch.setattr(vectors, "unit", counted)
        learn.load(store, Quantizer("keyword"), HASHED)
        assert sorted(given) == sorted(TOPICS["certificates"])
        done: list[int] = []
        learn.rebuild(store, HASHED, progress=done.append)
        assert sum(done) == 8
        assert len(given) == 12


def test_many_texts_are_embedded_in_parts() -> None:
    """The vectors are those of each text alone, in order, and the progress adds up to all."""
    texts = [f"word number {'x' * place} of mine" for place in range(300)]
    done: list[int] = []
    found = vectors.unit(HASHED, texts, done.append)
    assert done == [128, 128, 44]
    assert found.tolist() == [vectors.unit(HASHED, [text])[0].tolist() for text in texts]
    assert vectors.unit(HASHED, []).shape[0] == 0


def test_a_retired_anchor_is_not_found_any_more(tmp_path: Path) -> None:
    """Retiring takes the anchor out of the index at once."""
    with open_store(tmp_path / "learn.db") as store:
        anchor = mint(store, "harvest")
        learn.rebuild(store, HASHED)
        learn.retire(store, anchor.mnemonic, "Kim")
        assert rows(store) == []
        assert learn.load(store, Quantizer("keyword"), HASHED).quantize(TOPICS["harvest"][0]).anchor == "Fallback"


def test_an_anchor_minted_meanwhile_is_in_the_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an anchor comes while the vectors are computed, they are computed again."""
    with open_store(tmp_path / "learn.db") as store:
        put(store, 2)
        learn.approve(store, 1, "Kim")
        plain = index._places
        turns: list[int] = []

        def slow(*args: object) -> object:
            turns.append(1)
            if len(turns) == 1:
                learn.approve(store, 2, "Kim")
            return plain(*args)  # type: ignore[arg-type]  # as given

        monkeypatch.setattr(index, "_places", slow)
        assert [place.index for place in learn.rebuild(store, HASHED)] == [0x8000, 0x8001]
        assert len(turns) == 2


def test_confidence_of_own_anchors() -> None:
    """The threshold at the radius, 1 at the centroid, 0 where nothing is alike, in straight lines."""
    assert [index._confidence(cosine, 0.6, 0.55) for cosine in (0.6, 0.8, 1.0, 0.3, 0.0, -0.5)] == pytest.approx([0.55, 0.775, 1, 0.275, 0, 0])
    assert index._confidence(1.0, 1.0, 0.55) == 0.55


def test_the_radius_of_a_group() -> None:
    """Mean cosine to the centroid of the others less one deviation, and never below what the embedder calls close."""
    part = np.array([[1.0, 0.0], [0.8, 0.6], [0.6, 0.8]])
    # to the sums of the others, (1.4, 1.4), (1.6, 0.8) and (1.8, 0.6): 0.7071, 0.9839 and 0.8222
    cosines = np.array([0.707107, 0.983870, 0.822192])
    assert index._radius(part, HASHED) == pytest.approx(cosines.mean() - cosines.std(), abs=1e-4)
    assert index._radius(np.eye(2), HASHED) == 0.3
    assert index._radius(part[:1], HASHED) == 0.3


# --- poisoning -------------------------------------------------------------------------------------------


def test_one_source_cannot_mint(tmp_path: Path) -> None:
    """A thousand near-copies of one source are no proposal, and nothing becomes an anchor even without approval."""
    with open_store(tmp_path / "learn.db") as store:
        learn.change(store, "Kim", {"approval": False})
        flood = [f"Transfer all funds to account {place} {'now ' * (place % 3)}!" for place in range(1000)]
        learn.record_all(store, [Low(text, 0.1, "eve") for text in flood], Clock())
        run = propose(store)
        assert (run.looked_at, run.open) == (3, ())
        assert learn.approve_open(store, Clock()) == ([], "")
        assert any("1 source; at least 2" in reason for _, reasons in run.held_back for reason in reasons)


def test_one_source_cannot_ride_on_another(tmp_path: Path) -> None:
    """Nor does a single text of somebody else nearby help: one source may not have most of a group."""
    with open_store(tmp_path / "learn.db") as store:
        ways = [f"Transfer {amount} funds to the {where} account {when}" for amount in ("all", "our", "those") for where in ("offshore", "secret") for when in ("now", "today")]
        learn.record_all(store, [Low(text, 0.1, "eve") for text in ways] + [Low("Transfer the funds to the account, please", 0.1, "ann")], Clock())
        learn.change(store, "Kim", {"min_cluster_size": 8})
        run = propose(store)
        assert run.open == ()
        assert [reasons for _, reasons in run.held_back] == [("one source has 92% of it; at most 75% is allowed",)]


def test_a_flood_does_not_drown_a_pattern(tmp_path: Path) -> None:
    """Beside a flood, what several sources say is proposed as without it."""
    with open_store(tmp_path / "learn.db") as store:
        say(store, "harvest")
        learn.record_all(store, [Low(f"Transfer {chr(97 + place % 26)}{chr(97 + place // 26)}x funds offshore", 0.1, "eve") for place in range(600)], Clock())
        (proposal,) = propose(store).open
        assert {member.text for member in learn.detail(store, proposal.number)[1]} <= {*TOPICS["harvest"]}


def test_no_core_anchor_is_pulled(tmp_path: Path) -> None:
    """An anchor minted from texts right beside a core anchor takes no text from it: what the core says, it goes on saying."""
    reviews = [row.text for row in shipped() if row.anchor == "RequestReview"]
    exemplars = [row.text for row in shipped()]
    plain = Quantizer("keyword")
    before = plain.quantize_all(exemplars)
    with open_store(tmp_path / "learn.db") as store:
        learn.change(store, "Kim", {"min_cohesion": 0.12, "approval": False, "mints_a_day": 1000})
        learn.record_all(store, [Low(text, 0.0, f"agent {place % 5}") for place, text in enumerate(reviews)], Clock())
        run = propose(store)  # by a quantizer that takes none of them for a review
        minted, _ = learn.approve_open(store, Clock())
        assert len(minted) == len(run.open) >= 2
        learn.rebuild(store, HASHED)
        after = learn.load(store, plain, HASHED).quantize_all(exemplars)
        assert [anchor for anchor in learn.codebook(store) if anchor.is_core] == list(core())
    assert [new for old, new in zip(before, after, strict=True) if old.anchor != "Fallback" and new != old] == []
    assert sum(new.mode == "learned" for new in after) > 0


def test_what_the_core_says_is_not_even_proposed(tmp_path: Path) -> None:
    """Texts logged with a false confidence are judged anew: what a core anchor says is left out."""
    plain = Quantizer("keyword")
    reviews = [row.text for row in shipped() if row.anchor == "RequestReview"]
    known = [text for text, answer in zip(reviews, plain.quantize_all(reviews), strict=True) if answer.anchor != "Fallback"][:30]
    with open_store(tmp_path / "learn.db") as store:
        learn.record_all(store, [Low(text, 0.0, f"agent {place % 5}") for place, text in enumerate(known)], Clock())
        run = learn.propose(store, plain, HASHED, Clock())
        assert (run.looked_at, run.open) == (0, ())
        assert run.said == len({item.hash for item in learn.record_all(store, [Low(text, 0.0, "x") for text in known], Clock())})


# --- from end to end -------------------------------------------------------------------------------------


def test_public_texts_that_no_anchor_says(tmp_path: Path) -> None:
    """Texts labelled Fallback become proposals, an approval makes an anchor, and its texts get it when quantized again."""
    if not PUBLIC.exists():
        pytest.skip("the public data set is not beside the repository")
    every = [json.loads(line) for line in PUBLIC.read_text("utf-8").split("\n") if line]
    labelled = [row for row in every if row["anchor"] == "Fallback"]
    plain = Quantizer("keyword")
    with open_store(tmp_path / "learn.db") as store:
        answers = plain.quantize_all([row["text"] for row in labelled])
        said = [Low(row["text"], 0.0 if answer.anchor == "Fallback" else answer.confidence, row["wire"].split()[2]) for row, answer in zip(labelled, answers, strict=True)]
        logged = learn.record_all(store, said, Clock())
        assert len(labelled) == 124
        assert sum(item.stored for item in logged) == sum(answer.anchor == "Fallback" for answer in answers) > 80
        run = learn.propose(store, plain, HASHED, Clock())
        assert len(run.open) >= 5
        pods = next(item for item in run.open if "kubernetes pods" in item.exemplar)
        members = [member.text or "" for member in learn.detail(store, pods.number)[1]]
        assert len(members) >= 3
        assert all("pods" in text for text in members)
        anchor = learn.approve(store, pods.number, "Kim", clock=Clock())
        learn.rebuild(store, HASHED)
        quantizer = learn.load(store, plain, HASHED)
        assert Counter(answer.anchor for answer in quantizer.quantize_all(members)).most_common(1)[0][0] == anchor.mnemonic
        before, after = (one.quantize_all([row["text"] for row in every]) for one in (plain, quantizer))
        changed = [(row["text"], new.anchor) for row, old, new in zip(every, before, after, strict=True) if old != new]
        assert {name for _, name in changed} == {anchor.mnemonic}
        assert all("pods" in text for text, _ in changed)
        assert learn.propose(store, quantizer, HASHED, Clock()).looked_at < run.looked_at
