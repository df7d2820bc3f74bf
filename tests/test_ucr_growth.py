from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest

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
