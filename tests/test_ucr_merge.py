from __future__ import annotations

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir.errors import EncodeError
from sabir.ucr import Anchor, Codebook, Merged, core, diff, merge

A = Anchor(0x8000, "Deploy", "Put a build live", (3, 4, 0, 5))
B = Anchor(0x8001, "Rollback", "Take a build back", (3, 2, 0, 6))
C = Anchor(0x8002, "Page", "Call somebody at once", (2, 3, 4, 7))
SWAPPED: Any = {"mine": "theirs", "theirs": "mine", None: None}


def moved(anchor: Anchor, index: int) -> Anchor:
    """The same anchor at another index."""
    return Anchor(index, anchor.mnemonic, anchor.canonical, anchor.coords)


def book(*own: Anchor, retired: tuple[Anchor, ...] = (), vacated: tuple[int, ...] = ()) -> Codebook:
    """The core and an installation's own."""
    return Codebook(core().version, (*core(), *own), retired, vacated)


def kinds(outcome: Merged) -> list[tuple[str, str]]:
    """Kind and text of all conflicts."""
    return [(one.kind, str(one)) for one in outcome.conflicts]


def listed(outcome: Merged) -> list[str]:
    """Effects in words."""
    return [str(one) for one in outcome.effects]


# --- diff ------------------------------------------------------------------------------------------------


def rows(before: Codebook, after: Codebook) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """Changes with their sides in words."""
    return [(c.kind, str(c.before or ""), str(c.after or ""), c.fields) for c in diff(before, after).changes]


def test_a_codebook_does_not_differ_from_itself() -> None:
    """Nothing is listed, and the difference is false."""
    same = diff(book(A, retired=(B,), vacated=(0x9000,)), book(A, retired=(B,), vacated=(0x9000,)))
    assert not same
    assert same.changes == ()
    assert same.to_json()["same"] is True
    assert same.hashes == (book(A).hash, book(A).hash)


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        (book(), book(A), [("added", "", "0x8000 Deploy", ())]),
        (book(A), book(), [("removed", "0x8000 Deploy", "", ())]),
        (book(), book(retired=(A,)), [("added", "", "0x8000 Deploy (retired)", ())]),
        (book(A), book(retired=(A,)), [("retired", "0x8000 Deploy", "0x8000 Deploy (retired)", ("retired",))]),
        (book(retired=(A,)), book(A), [("restored", "0x8000 Deploy (retired)", "0x8000 Deploy", ("retired",))]),
        (
            book(A),
            book(Anchor(0x8000, "Deploy", "Ship", (3, 4, 0, 4))),
            [("changed", "0x8000 Deploy", "0x8000 Deploy", ("canonical", "coords"))],
        ),
        (
            book(A),
            book(Anchor(0x8000, "Ship", A.canonical, A.coords)),
            [("changed", "0x8000 Deploy", "0x8000 Ship", ("mnemonic",))],
        ),
        (book(A), book(moved(A, 0x8004)), [("renumbered", "0x8000 Deploy", "0x8004 Deploy", ("index",))]),
        (  # two that change places are two renumberings, and nothing else
            book(A, B),
            book(moved(A, 0x8001), moved(B, 0x8000)),
            [
                ("renumbered", "0x8001 Rollback", "0x8000 Rollback", ("index",)),
                ("renumbered", "0x8000 Deploy", "0x8001 Deploy", ("index",)),
            ],
        ),
        (  # what stands where another one stood is new, if that one is only elsewhere
            book(A),
            book(moved(A, 0x8001), moved(C, 0x8000)),
            [("added", "", "0x8000 Page", ()), ("renumbered", "0x8000 Deploy", "0x8001 Deploy", ("index",))],
        ),
        (
            book(A),
            book(retired=(Anchor(0x8005, "Deploy", "Ship", A.coords),)),
            [("retired", "0x8000 Deploy", "0x8005 Deploy (retired)", ("index", "canonical", "retired"))],
        ),
        (
            book(vacated=(0x8000,)),
            book(vacated=(0x8001,)),
            [("unvacated", "0x8000 (vacated)", "", ()), ("vacated", "", "0x8001 (vacated)", ())],
        ),
    ],
)
def test_what_differs(before: Codebook, after: Codebook, wanted: list[Any]) -> None:
    """Each change has one kind, both sides and all fields that differ, sorted by index."""
    assert diff(before, after)
    assert rows(before, after) == wanted


def test_a_difference_as_data() -> None:
    """Versions and hashes of both, and each change with both sides whole."""
    before, after = book(A), book(retired=(A,), vacated=(0x8001,))
    assert diff(before, after).to_json() == {
        "same": False,
        "versions": ["1.0.0", "1.0.0"],
        "hashes": [before.hash, core().hash],
        "past_hashes": [before.past_hash, after.past_hash],
        "changes": [
            {
                "kind": "retired",
                "fields": ["retired"],
                "before": {
                    "index": 0x8000,
                    "mnemonic": "Deploy",
                    "canonical": "Put a build live",
                    "coords": [3, 4, 0, 5],
                    "retired": False,
                },
                "after": {
                    "index": 0x8000,
                    "mnemonic": "Deploy",
                    "canonical": "Put a build live",
                    "coords": [3, 4, 0, 5],
                    "retired": True,
                },
            },
            {"kind": "vacated", "fields": [], "before": None, "after": {"index": 0x8001}},
        ],
    }


def test_versions_and_cores_differ_too() -> None:
    """Another version is a difference, even of the same anchors; another core's anchors are listed."""
    assert diff(Codebook("2", [A]), Codebook("3", [A]))
    other = Codebook("2", [Anchor(1, "ObserveState", "x", (0, 4, 2, 3), is_core=True)])
    assert rows(core(), other)[0] == ("changed", "0x0001 ObserveState", "0x0001 ObserveState", ("canonical",))
    assert len(rows(core(), other)) == 46


# --- merge without conflicts -----------------------------------------------------------------------------


def test_the_union_of_what_does_not_clash() -> None:
    """Anchors, retired ones and vacated indices of both; what both have is there once."""
    outcome = merge(book(A, retired=(B,), vacated=(0x9000,)), book(A, C, vacated=(0x9001,)))
    assert outcome.book == book(A, C, retired=(B,), vacated=(0x9000, 0x9001))
    assert (outcome.conflicts, outcome.unresolved, outcome.effects) == ((), (), ())


# --- conflicts -------------------------------------------------------------------------------------------

SHIP = Anchor(0x8000, "Ship", "Send goods", (3, 4, 0, 3))
VAGUE = Anchor(0x8000, "Deploy", "Deploy something", (3, 4, 0, 5))
CONFLICTS = [
    (book(A), book(SHIP), [("index", "0x8000 is Deploy in mine, Ship in theirs")]),
    (book(A), book(retired=(SHIP,)), [("index", "0x8000 is Deploy in mine, Ship (retired) in theirs")]),
    (book(A), book(vacated=(0x8000,)), [("index", "0x8000 is Deploy in mine, vacated in theirs")]),
    (book(vacated=(0x8000,)), book(A), [("index", "0x8000 is vacated in mine, Deploy in theirs")]),
    (book(A), book(moved(A, 0x8003)), [("moved", "Deploy is 0x8000 in mine, 0x8003 in theirs")]),
    (
        book(A),
        book(VAGUE),
        [("meaning", "Deploy has canonical 'Put a build live' in mine, 'Deploy something' in theirs")],
    ),
    (
        book(A),
        book(Anchor(0x8000, "Deploy", "x", (0, 0, 0, 0))),
        [
            (
                "meaning",
                "Deploy has canonical 'Put a build live' in mine, 'x' in theirs; coords (3, 4, 0, 5) in mine, (0, 0, 0, 0) in theirs",
            )
        ],
    ),
    (book(A), book(retired=(A,)), [("retired", "Deploy is retired in theirs, in use in mine")]),
    (book(retired=(A,)), book(A), [("retired", "Deploy is retired in mine, in use in theirs")]),
    (
        book(A),
        book(retired=(moved(VAGUE, 0x8003),)),
        [
            ("moved", "Deploy is 0x8000 in mine, 0x8003 in theirs"),
            ("meaning", "Deploy has canonical 'Put a build live' in mine, 'Deploy something' in theirs"),
            ("retired", "Deploy is retired in theirs, in use in mine"),
        ],
    ),
    (
        book(A, B),
        book(SHIP, moved(A, 0x8001)),
        [
            ("index", "0x8000 is Deploy in mine, Ship in theirs"),
            ("moved", "Deploy is 0x8000 in mine, 0x8001 in theirs"),
            ("index", "0x8001 is Rollback in mine, Deploy in theirs"),
        ],
    ),
    (book(A), book(Anchor(0x8003, "dePloy", "x", A.coords)), [("alike", "Deploy in mine looks like dePloy in theirs")]),
    (book(A), book(Anchor(0x8003, "DepI0y", "x", A.coords)), [("alike", "Deploy in mine looks like DepI0y in theirs")]),
    (
        book(A),
        book(Anchor(0x8000, "deploy", "x", A.coords)),
        [
            ("index", "0x8000 is Deploy in mine, deploy in theirs"),
            ("alike", "Deploy in mine looks like deploy in theirs"),
        ],
    ),
    (  # one of the core, by which a message would be misread
        book(),
        book(Anchor(0x8000, "RequestRevlew", "x", A.coords), Anchor(0x8001, "EVALAPPR0VE", "x", A.coords)),
        [("alike", "EvalApprove in mine looks like EVALAPPR0VE in theirs")],
    ),
    (
        book(retired=(A,)),
        book(Anchor(0x8003, "DEPLOY", "x", A.coords)),
        [("alike", "Deploy (retired) in mine looks like DEPLOY in theirs")],
    ),
]


@pytest.mark.parametrize(("mine", "theirs", "wanted"), CONFLICTS)
def test_conflicts_are_listed_and_nothing_is_merged(
    mine: Codebook, theirs: Codebook, wanted: list[tuple[str, str]]
) -> None:
    """Each by its kind; without a resolution there is no result."""
    outcome = merge(mine, theirs)
    assert kinds(outcome) == wanted
    assert (outcome.book, outcome.unresolved, outcome.effects) == (None, outcome.conflicts, ())
    assert outcome.to_json()["merged"] is False
    assert [(one["kind"], one["text"]) for one in outcome.to_json()["unresolved"]] == wanted


# --- resolutions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "theirs", "side", "wanted", "effects"),
    [
        (book(A), book(SHIP), "mine", book(A), ["theirs dropped: 0x8000 Ship"]),
        (book(A), book(SHIP), "theirs", book(SHIP), ["mine dropped: 0x8000 Deploy"]),
        (book(A), book(VAGUE), "mine", book(A), ["theirs overruled: 0x8000 Deploy; now 0x8000 Deploy as in mine"]),
        (
            book(A),
            book(VAGUE),
            "theirs",
            book(VAGUE),
            ["mine overruled: 0x8000 Deploy; now 0x8000 Deploy as in theirs"],
        ),
        (
            book(A),
            book(retired=(A,)),
            "theirs",
            book(retired=(A,)),
            ["mine overruled: 0x8000 Deploy; now 0x8000 Deploy (retired) as in theirs"],
        ),
        (  # the index that is given up is never given again
            book(A),
            book(moved(A, 0x8003)),
            "mine",
            book(A, vacated=(0x8003,)),
            ["theirs renumbered: 0x8003 Deploy; now 0x8000"],
        ),
        (book(A), book(vacated=(0x8000,)), "theirs", book(vacated=(0x8000,)), ["mine dropped: 0x8000 Deploy"]),
        (
            book(A),
            book(vacated=(0x8000,)),
            "mine",
            book(A),
            ["theirs overruled: 0x8000 (vacated); now 0x8000 Deploy as in mine"],
        ),
        (
            book(A, B),
            book(SHIP, moved(A, 0x8001), C),
            "theirs",
            book(SHIP, moved(A, 0x8001), C),
            ["mine renumbered: 0x8000 Deploy; now 0x8001", "mine dropped: 0x8001 Rollback"],
        ),
    ],
)
def test_one_side_can_be_preferred(
    mine: Codebook, theirs: Codebook, side: Any, wanted: Codebook, effects: list[str]
) -> None:
    """All of its anchors stand as they are, and what became of the other side's is listed."""
    outcome = merge(mine, theirs, prefer=side)
    assert outcome.book == wanted
    assert listed(outcome) == effects
    assert outcome.conflicts
    assert outcome.unresolved == ()


def test_one_side_can_be_renumbered() -> None:
    """It gives way: to the other side's index where both have the anchor, else to the next one never given."""
    mine = book(A, B, retired=(moved(C, 0x8005),))
    theirs = book(SHIP, moved(A, 0x8001), Anchor(0x8002, "Wait", "Wait", (1, 4, 0, 2)), vacated=(0x8003,))
    outcome = merge(mine, theirs, renumber="theirs")
    assert listed(outcome) == [
        "theirs renumbered: 0x8000 Ship; now 0x8004",
        "theirs renumbered: 0x8001 Deploy; now 0x8000",
    ]
    wanted = book(
        A,
        B,
        Anchor(0x8002, "Wait", "Wait", (1, 4, 0, 2)),
        moved(SHIP, 0x8004),
        retired=(moved(C, 0x8005),),
        vacated=(0x8003,),
    )
    assert outcome.book == wanted
    outcome = merge(mine, theirs, renumber="mine")
    assert outcome.book is not None
    assert listed(outcome) == [
        "mine renumbered: 0x8000 Deploy; now 0x8001",
        "mine renumbered: 0x8001 Rollback; now 0x8004",
    ]
    assert outcome.to_json()["effects"][1]["after"]["index"] == 0x8004
    assert outcome.to_json()["hash"] == outcome.book.hash


def test_renumbering_settles_no_conflict_of_meaning() -> None:
    """What is left is unresolved, until a side is preferred; then index and meaning may come from two sides."""
    theirs = book(SHIP, retired=(moved(VAGUE, 0x8007),))
    outcome = merge(book(A), theirs, renumber="theirs")
    assert outcome.book is None
    assert [one.kind for one in outcome.conflicts] == ["index", "moved", "meaning", "retired"]
    assert [one.kind for one in outcome.unresolved] == ["meaning", "retired"]
    outcome = merge(book(A), theirs, renumber="theirs", prefer="theirs")
    assert outcome.book == book(moved(SHIP, 0x8001), retired=(VAGUE,), vacated=(0x8007,))
    assert listed(outcome) == [
        "mine overruled: 0x8000 Deploy; now 0x8000 Deploy (retired) as in theirs",
        "theirs renumbered: 0x8000 Ship; now 0x8001",
        "theirs renumbered: 0x8007 Deploy (retired); now 0x8000",
    ]
    outcome = merge(book(A), theirs, renumber="theirs", prefer="mine")
    assert outcome.book == book(A, moved(SHIP, 0x8001), vacated=(0x8007,))


def test_of_look_alikes_the_preferred_sides_stay() -> None:
    """Renumbering settles nothing; the other side's go, their indices are vacated, and a core anchor never goes."""
    mine, theirs = book(A), book(Anchor(0x8003, "deploy", "x", A.coords), C)
    assert merge(mine, theirs, renumber="theirs").book is None
    outcome = merge(mine, theirs, prefer="mine")
    assert outcome.book == book(A, C, vacated=(0x8003,))
    assert listed(outcome) == ["theirs dropped: 0x8003 deploy"]
    assert merge(mine, theirs, prefer="theirs").book == book(*theirs.own, vacated=(0x8000,))
    like_core = book(Anchor(0x8000, "evalapprove", "x", A.coords))
    assert merge(book(), like_core, prefer="mine").book == book(vacated=(0x8000,))
    assert merge(book(), like_core, prefer="theirs").book == like_core


def test_no_index_may_be_left_to_renumber_to() -> None:
    """Then the merge is refused with the anchor that has no place."""
    full = core().with_extension(*[Anchor(at, f"A{at}", "x", (0, 0, 0, 0)) for at in range(0x8000, 0x10000)])
    with pytest.raises(EncodeError, match="no index is left to give to 0x8000 Ship"):
        merge(full, book(SHIP), renumber="theirs")


@pytest.mark.parametrize(
    ("mine", "theirs", "options", "path", "reason"),
    [
        (core(), core(), {"prefer": "ours"}, "prefer", "must be mine or theirs, not 'ours'"),
        (core(), core(), {"renumber": 1}, "renumber", "must be mine or theirs, not 1"),
        (core(), Codebook("2", []), {}, "version", "1.0.0 in mine, 2 in theirs: only extensions of one core"),
        (
            Codebook("2", [Anchor(1, "A", "x", (0, 0, 0, 0), is_core=True)]),
            Codebook("2", [Anchor(1, "A", "y", (0, 0, 0, 0), is_core=True)]),
            {"prefer": "mine"},
            "anchors",
            "0x0001 A of the core is not the same in mine and in theirs",
        ),
    ],
)
def test_what_cannot_be_merged(mine: Codebook, theirs: Codebook, options: Any, path: str, reason: str) -> None:
    """Sides have two names, and the core is never merged."""
    with pytest.raises(EncodeError) as caught:
        merge(mine, theirs, **options)
    assert caught.value.path == path
    assert caught.value.reason.startswith(reason)


# --- properties ------------------------------------------------------------------------------------------

ENTRIES = st.lists(
    st.tuples(
        st.integers(0x8000, 0x8006),
        st.sampled_from(["P", "p", "Q", "R", "O0", "oo"]),
        st.sampled_from(["one", "two"]),
        st.sampled_from([(0, 0, 0, 0), (7, 7, 7, 7)]),
        st.sampled_from(["used", "used", "retired", "vacated"]),
    ),
    max_size=5,
    unique_by=(lambda row: row[0], lambda row: row[1]),
)


@st.composite
def books(draw: st.DrawFn) -> Codebook:
    """Codebooks of few indices and names, so that two of them clash in every way."""
    found = draw(ENTRIES)
    anchors = [(Anchor(at, name, text, coords), state) for at, name, text, coords, state in found]
    return book(
        *[anchor for anchor, state in anchors if state == "used"],
        retired=tuple(anchor for anchor, state in anchors if state == "retired"),
        vacated=tuple(anchor.index for anchor, state in anchors if state == "vacated"),
    )


SIDE: st.SearchStrategy[Any] = st.sampled_from(["mine", "theirs", None])


def given_by(some: Codebook) -> set[int]:
    """Indices that were ever given."""
    return {anchor.index for anchor in (*some.own, *some.retired)} | some.vacated


@given(books(), books(), SIDE, SIDE)
def test_a_merge_is_commutative_up_to_the_sides_names(
    mine: Codebook, theirs: Codebook, prefer: Any, renumber: Any
) -> None:
    """With the sides and their names swapped, result, conflicts and effects are the same."""
    one = merge(mine, theirs, prefer=prefer, renumber=renumber)
    two = merge(theirs, mine, prefer=SWAPPED[prefer], renumber=SWAPPED[renumber])
    assert one.book == two.book
    for a, b in ((one.conflicts, two.conflicts), (one.unresolved, two.unresolved)):
        assert {(c.kind, c.mine, c.theirs) for c in a} == {(c.kind, c.theirs, c.mine) for c in b}
    assert {(e.kind, e.side, e.before, e.after) for e in one.effects} == {
        (e.kind, SWAPPED[e.side], e.before, e.after) for e in two.effects
    }


@given(books(), books(), SIDE, SIDE)
def test_a_merge_is_idempotent(mine: Codebook, theirs: Codebook, prefer: Any, renumber: Any) -> None:
    """Merging a codebook with itself changes nothing, and merging the same once more neither."""
    assert merge(mine, mine) == Merged(mine)
    once = merge(mine, theirs, prefer=prefer, renumber=renumber).book
    if once is not None:
        assert merge(once, theirs, prefer=prefer, renumber=renumber).book == once


@given(books(), books(), SIDE, SIDE)
def test_a_merge_keeps_the_core_and_gives_no_index_twice(
    mine: Codebook, theirs: Codebook, prefer: Any, renumber: Any
) -> None:
    """The core stands, no index is forgotten, and no index holds what it held on neither side."""
    merged = merge(mine, theirs, prefer=prefer, renumber=renumber).book
    if merged is None:
        return
    assert [anchor for anchor in merged if anchor.is_core] == list(core())
    assert given_by(merged) >= given_by(mine) | given_by(theirs)
    assert merged.next_index not in given_by(mine) | given_by(theirs)
    old = {(a.index, a.mnemonic) for side in (mine, theirs) for a in (*side.own, *side.retired)}
    for anchor in (*merged.own, *merged.retired):
        if (anchor.index, anchor.mnemonic) not in old:
            assert renumber
            assert anchor.index not in given_by(mine) | given_by(theirs)


@given(books(), books(), SIDE, SIDE)
def test_every_change_of_a_merge_is_listed(mine: Codebook, theirs: Codebook, prefer: Any, renumber: Any) -> None:
    """For each side, what is not in the result as it was is an effect; without a resolution there is none."""
    outcome = merge(mine, theirs, prefer=prefer, renumber=renumber)
    if outcome.book is None:
        assert outcome.unresolved
        assert prefer is None
        assert outcome.effects == ()
        return
    for side, was in (("mine", mine), ("theirs", theirs)):
        lost = {c.before for c in diff(was, outcome.book).changes if c.before}
        assert {e.before for e in outcome.effects if e.side == side} == lost
    if outcome.effects:
        assert outcome.conflicts
    if {one.kind for one in outcome.conflicts} != {"alike"}:  # where the preferred side has both names, both stay
        assert bool(outcome.effects) == bool(outcome.conflicts)


@given(books(), books())
def test_without_conflicts_a_merge_is_the_union(mine: Codebook, theirs: Codebook) -> None:
    """And with any there is no result; renumbering alone drops nothing."""
    outcome = merge(mine, theirs)
    assert (outcome.book is None) == bool(outcome.conflicts)
    if outcome.book is not None:
        assert set(outcome.book.own) == {*mine.own, *theirs.own}
        assert set(outcome.book.retired) == {*mine.retired, *theirs.retired}
        assert outcome.book.vacated == mine.vacated | theirs.vacated
    renumbered = merge(mine, theirs, renumber="theirs")
    assert not [effect for effect in renumbered.effects if effect.kind == "dropped"]


@given(books(), books())
def test_a_difference_has_two_directions(before: Codebook, after: Codebook) -> None:
    """Seen from the other side, the same entries changed, and there is a difference where the codebooks are not equal."""
    there, back = diff(before, after), diff(after, before)
    assert bool(there) == (before != after)
    assert {(c.before, c.after) for c in there.changes} == {(c.after, c.before) for c in back.changes}
    names = cast("Any", {"added": "removed", "retired": "restored", "vacated": "unvacated"})
    swapped = {**names, **{there: here for here, there in names.items()}}
    assert sorted(swapped.get(c.kind, c.kind) for c in there.changes) == sorted(c.kind for c in back.changes)


@given(books())
def test_a_codebook_with_a_past_survives_its_json(some: Codebook) -> None:
    """What is retired and vacated included."""
    assert Codebook.from_json(some.to_json()) == some
