from __future__ import annotations

import copy
import hashlib
import json
import pickle
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir import ucr
from sabir.errors import EncodeError
from sabir.ucr import EXTENSION, Anchor, Codebook, core

DEPLOY = Anchor(0x8000, "RequestDeploy", "Request that a build go live", (3, 4, 0, 5))
ROLLBACK = Anchor(0x8001, "RequestRollback", "Request that a build be taken back", (3, 2, 0, 6))
OWN = core().with_extension(DEPLOY, ROLLBACK)


def grown(*names: str, start: Codebook | None = None) -> Codebook:
    """A codebook with anchors of these names, described by their names."""
    book = start or core()
    for name in names:
        book = book.with_anchor(name, f"{name} in words", (3, 4, 0, 3))
    return book


# --- growing ---------------------------------------------------------------------------------------------


def test_an_anchor_gets_the_next_free_index() -> None:
    """From 0x8000 on, in order, and each step is a codebook of its own."""
    first = core().with_anchor(DEPLOY.mnemonic, DEPLOY.canonical, DEPLOY.coords)
    second = first.with_anchor(ROLLBACK.mnemonic, ROLLBACK.canonical, ROLLBACK.coords)
    assert (core().own, first.own, second.own) == ((), (DEPLOY,), (DEPLOY, ROLLBACK))
    assert [book.next_index for book in (core(), first, second)] == [0x8000, 0x8001, 0x8002]
    assert second == OWN
    assert hash(second) == hash(OWN)
    assert repr(second) == "<Codebook 1.0.0: 48 anchors, 2 own, 0 retired>"


def test_an_anchor_may_have_an_index_of_its_own_choice() -> None:
    """The gap before it is filled later, lowest first."""
    book = core().with_anchor("B", "b", (0, 0, 0, 0), index=0x8001)
    assert book.next_index == 0x8000
    assert grown("A", start=book).next_index == 0x8002
    assert [anchor.mnemonic for anchor in grown("A", start=book).own] == ["A", "B"]


@pytest.mark.parametrize(
    ("arguments", "path", "reason"),
    [
        (("MetaAck", "x", (0, 0, 0, 0)), "mnemonic", "mnemonic MetaAck is taken by 0x0070"),
        (("Meta Ack", "x", (0, 0, 0, 0)), "mnemonic", "a mnemonic is made of A-Z a-z 0-9"),
        (("New", "a|b", (0, 0, 0, 0)), "canonical", "a description is one line without controls and without |"),
        (("New", "x", (0, 0, 0, 8)), "coords", "coordinates are a tuple of four levels 0 to 7, not (0, 0, 0, 8)"),
        (("New", "x", (0, 0, 0, 0), 0x8001), "index", "index 0x8001 is taken by RequestRollback"),
        (
            ("New", "x", (0, 0, 0, 0), 0x7FFF),
            "index",
            "an extension's index is 0x8000 to 0xFFFF; the core is immutable",
        ),
        (("New", "x", (0, 0, 0, 0), 0x10000), "index", "an index is 0 to 0xFFFF, not 65536"),
        (("New", "x", (0, 0, 0, 0), True), "index", "an index is 0 to 0xFFFF, not True"),
    ],
)
def test_what_cannot_be_added(arguments: Any, path: str, reason: str) -> None:
    """What is at fault is named by its argument."""
    *given, index = arguments if len(arguments) == 4 else (*arguments, None)
    with pytest.raises(EncodeError) as caught:
        OWN.with_anchor(*given, index=index)
    assert (caught.value.path, caught.value.reason) == (path, reason)


def test_a_full_range_has_no_next_index() -> None:
    """After 32,768 own anchors nothing is left, retired ones included."""
    full = core().with_extension(*[Anchor(at, f"A{at}", "x", (0, 0, 0, 0)) for at in range(EXTENSION, 0x10000)])
    for book in (full, full.retire("A40000")):
        with pytest.raises(EncodeError, match="all indices from 0x8000 on are in use or retired"):
            book.with_anchor("New", "x", (0, 0, 0, 0))


def test_a_codebook_cannot_be_changed() -> None:
    """Its attributes are set once; a copy and what comes out of a pickle are equal to it."""
    with pytest.raises(AttributeError, match="a codebook is immutable"):
        OWN.version = "2"
    assert core() not in (OWN, "core")
    book = OWN.retire("RequestDeploy")
    for again in (copy.deepcopy(book), pickle.loads(pickle.dumps(book))):  # noqa: S301  # our own bytes
        assert again == book
        assert again.find("RequestRollback") == ROLLBACK


# --- retiring --------------------------------------------------------------------------------------------


def test_what_is_retired_is_no_more_in_use() -> None:
    """Neither look-ups nor sums find it, the hash is that of what is left, and it is still known by name."""
    book = OWN.retire("RequestDeploy")
    assert (book.own, book.retired) == ((ROLLBACK,), (DEPLOY,))
    assert book.find("RequestDeploy") is None
    assert "RequestDeploy" not in book
    assert book.find_retired("RequestDeploy") == DEPLOY
    assert book.find_retired("RequestRollback") is None
    assert OWN.nearest(DEPLOY.coords) == DEPLOY
    assert book.nearest(DEPLOY.coords).mnemonic == "RequestTask"  # (3,4,0,4), 1 away
    assert book.hash == core().with_extension(ROLLBACK).hash
    assert book != core().with_extension(ROLLBACK)
    assert OWN.retired == ()


def test_what_is_retired_is_never_reused() -> None:
    """Its index is not the next one, and neither index nor mnemonic can be given again."""
    book = grown("A", "B", "C").retire("B")
    assert book.next_index == 0x8003
    assert grown("D", start=book).own[-1].index == 0x8003
    with pytest.raises(EncodeError, match="index 0x8001 is taken by B"):
        book.with_anchor("D", "d", (0, 0, 0, 0), index=0x8001)
    with pytest.raises(EncodeError, match="mnemonic B is taken by 0x8001"):
        book.with_anchor("B", "d", (0, 0, 0, 0))


def test_look_ups_of_what_is_retired_say_so() -> None:
    """By name and by index; and it cannot be retired again."""
    book = OWN.retire("RequestDeploy")
    with pytest.raises(EncodeError, match=r"^anchor: RequestDeploy \(0x8000\) is retired$"):
        book.by_mnemonic("RequestDeploy")
    with pytest.raises(
        EncodeError, match=r"^index: the codebook has no index 0x8000; it was RequestDeploy, which is retired$"
    ):
        book.by_index(0x8000)
    with pytest.raises(EncodeError, match="is retired"):
        book.retire("RequestDeploy")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("MetaAck", "MetaAck cannot be retired: the core is immutable"),
        ("RequestDeplay", 'the codebook has no anchor "RequestDeplay"; did you mean RequestDeploy or RequestPlan'),
    ],
)
def test_what_cannot_be_retired(name: str, reason: str) -> None:
    """The core, and what is not there."""
    with pytest.raises(EncodeError) as caught:
        OWN.retire(name)
    assert caught.value.reason.startswith(reason)


# --- exchange --------------------------------------------------------------------------------------------


def test_what_is_retired_and_vacated_survives_json() -> None:
    """The form has fields for it only where there is any, with a hash of its own."""
    assert set(OWN.to_json()) == {"version", "hash", "anchors"}
    book = Codebook("1.0.0", (*core(), ROLLBACK), [DEPLOY], [0x8005, 0x8003])
    form = json.loads(json.dumps(book.to_json()))
    assert form["retired"] == [
        {
            "index": 32768,
            "mnemonic": "RequestDeploy",
            "canonical": "Request that a build go live",
            "coords": [3, 4, 0, 5],
        }
    ]
    assert form["vacated"] == [0x8003, 0x8005]
    assert Codebook.from_json(form) == book
    assert grown("A", "B", "C", start=book).own[-1].index == 0x8006


@pytest.mark.parametrize(
    ("change", "path", "reason"),
    [
        (lambda form: form.pop("past_hash"), "past_hash", "is missing; what is retired and vacated gives sha256:"),
        (
            lambda form: form.update(past_hash="sha256:0"),
            "past_hash",
            "does not fit: it says sha256:0; what is retired",
        ),
        (lambda form: form["vacated"].append(0x8009), "past_hash", "does not fit"),
        (lambda form: form["retired"][0].update(canonical="x"), "past_hash", "does not fit"),
        (lambda form: form["retired"].append(form["anchors"][0]), "retired[1].index", "an extension's index is 0x8000"),
        (
            lambda form: form["retired"][0].update(index=0x8001),
            "retired[0].index",
            "index 0x8001 is taken by RequestRollback",
        ),
        (
            lambda form: form["retired"][0].update(mnemonic="RequestRollback"),
            "retired[0].mnemonic",
            "mnemonic RequestRollback is taken by 0x8001",
        ),
        (lambda form: form["vacated"].append(0x8000), "vacated[1]", "index 0x8000 is taken by RequestDeploy"),
        (lambda form: form["vacated"].append(0x8003), "vacated[1]", "index 0x8003 is vacated, and never given again"),
        (lambda form: form["vacated"].append(7), "vacated[1]", "an extension's index is 0x8000 to 0xFFFF"),
        (lambda form: form["vacated"].append(0x10000), "vacated[1]", "an index is 0 to 0xFFFF, not 65536"),
        (lambda form: form["vacated"].append("7"), "vacated[1]", "expected `int`, got `str`"),
    ],
)
def test_a_past_that_was_tampered_with(change: Any, path: str, reason: str) -> None:
    """What is retired is as guarded as what is in use."""
    form = Codebook("1.0.0", (*core(), ROLLBACK), [DEPLOY], [0x8003]).to_json()
    change(form)
    with pytest.raises(EncodeError) as caught:
        Codebook.from_json(form)
    assert caught.value.path == path
    assert caught.value.reason.startswith(reason)


def test_the_hash_of_the_past_is_that_of_the_same_rule() -> None:
    """Lines of retired anchors and of vacated indices alone, sorted by index."""
    book = Codebook("1.0.0", (*core(), ROLLBACK), [DEPLOY], [0x8003])
    lines = "32768|RequestDeploy|Request that a build go live|3,4,0,5\n32771"
    assert book.past_hash == f"sha256:{hashlib.sha256(lines.encode()).hexdigest()}"


def test_nothing_of_a_core_can_be_left_out_or_put_in() -> None:
    """The constructor itself is locked to the core of the version that is known."""
    with pytest.raises(
        EncodeError, match=r"0x0001 ObserveState of the core of version 1\.0\.0, which never changes, is missing"
    ):
        Codebook("1.0.0", [])
    extra = Anchor(0x0009, "New", "x", (0, 0, 0, 0), is_core=True)
    with pytest.raises(EncodeError, match="0x0009 New is not of the core of version") as caught:
        Codebook("1.0.0", [*core(), extra])
    assert caught.value.path == "anchors[46]"
    assert Codebook("1.1.0", [*core(), extra]).by_index(9) == extra


# --- places ----------------------------------------------------------------------------------------------

PLACES = st.tuples(*[st.integers(0, 7)] * 4)


@given(st.lists(PLACES, max_size=40), st.tuples(*[st.integers(-3, 10)] * 4), st.randoms())
def test_the_nearest_is_the_same_as_by_comparing_all(
    coords: list[tuple[int, int, int, int]], point: tuple[int, ...], dice: Any
) -> None:
    """With any extension, at any point, places shared and points beyond the levels included."""
    indices = dice.sample(range(EXTENSION, 0x10000), len(coords))
    book = core().with_extension(*[Anchor(at, f"A{at}", "x", place) for at, place in zip(indices, coords, strict=True)])
    assert book.nearest(point) is book.nearest(point, book)
    alone = Codebook("x", book.own)
    if coords:
        assert alone.nearest(point) is alone.nearest(point, alone)
    else:
        with pytest.raises(EncodeError, match="no anchor to choose from"):
            alone.nearest(point)


@given(st.lists(PLACES, min_size=1, max_size=40), st.integers(0, 45), st.tuples(*[st.integers(-8, 8)] * 4))
def test_a_sum_ends_at_the_nearest_of_the_whole_codebook(
    coords: list[tuple[int, int, int, int]], at: int, steps: tuple[int, int, int, int]
) -> None:
    """Own anchors included; no anchor is nearer to the place within the levels, and none as near has a lower index."""
    own = [Anchor(EXTENSION + n, f"A{n}", "x", place) for n, place in enumerate(coords)]
    book = core().with_extension(*own)
    anchor = book.anchors[at]
    action, polarity, domain, urgency = steps
    place = tuple(min(7, max(0, level + step)) for level, step in zip(anchor.coords, steps, strict=True))

    def rank(other: Anchor) -> tuple[int, int]:
        return sum(abs(a - b) for a, b in zip(other.coords, place, strict=True)), other.index

    moved = book.move(anchor, action=action, polarity=polarity, domain=domain, urgency=urgency)
    assert rank(moved) == min(map(rank, book))


# --- names of the package --------------------------------------------------------------------------------


def test_what_compares_codebooks_is_loaded_when_it_is_used() -> None:
    """No message needs it; a name that is not there is an error like any other's."""
    code = "import sys, sabir.ucr; assert 'sabir.ucr.merging' not in sys.modules; sabir.ucr.merge; sabir.ucr.diff"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    with pytest.raises(AttributeError, match=r"module 'sabir.ucr' has no attribute 'nothing'"):
        ucr.nothing  # noqa: B018  # the fault under test
    assert all(hasattr(ucr, name) for name in ucr.__all__)


@pytest.mark.parametrize("mnemonic", ["requestreview", "REQUESTREVIEW", "EvalAppr0ve", "EvaIApprove", "Eva1Approve", "FALLBACK", "past", "use"])
def test_no_new_anchor_looks_like_another_one(mnemonic: str) -> None:
    """In another case, with I or 1 for l or 0 for o, a name is one that stands in the codebook already, retired ones included."""
    book = core().with_anchor("Past", "x", (0, 0, 0, 0)).retire("Past").with_anchor("Use", "x", (0, 0, 0, 0))
    with pytest.raises(EncodeError, match=f"{mnemonic} looks like [A-Z][A-Za-z]+ .0x[0-9A-F]{{4}}.; give another one") as caught:
        book.with_anchor(mnemonic, "x", (1, 1, 1, 1))
    assert caught.value.path == "mnemonic"


def test_what_others_gave_is_taken_as_it_is() -> None:
    """A codebook with look-alikes is read, since a message says exactly which of them it means."""
    own = [Anchor(0x8000, "requestreview", "x", (0, 0, 0, 0)), Anchor(0x8001, "Tall", "x", (0, 0, 0, 0)), Anchor(0x8002, "Tail", "x", (0, 0, 0, 0))]
    book = core().with_extension(*own)
    assert Codebook.from_json(book.to_json()) == book
    assert book.find_alike("TAIL") == own[2]
    assert book.find_alike("Nonsense") is None
