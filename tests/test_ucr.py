from __future__ import annotations

import copy
import hashlib
import json
import re
from importlib import resources
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir import correspondence
from sabir.errors import EncodeError
from sabir.ucr import (
    ACTIONS,
    DIMENSIONS,
    DOMAINS,
    EXTENSION,
    NO_INDEX,
    Anchor,
    Codebook,
    Role,
    core,
    implausible,
)
from sabir.ucr.codebook import check_anchor

if TYPE_CHECKING:
    from collections.abc import Callable

DEPLOY = Anchor(0x8000, "RequestDeploy", "Request that a build go live", (3, 4, 0, 5))
_made: Any = Anchor
"""The constructor, which checks no types."""
UNKNOWN = Anchor(NO_INDEX, "Foo", "unknown anchor Foo", (0, 0, 0, 0))


def published(name: str) -> dict[str, Any]:
    """A data file, read without the code under test."""
    data: dict[str, Any] = json.loads(resources.files("sabir.data").joinpath(name).read_text("utf-8"))
    return data


# --- the core --------------------------------------------------------------------------------------------


def test_the_core_has_46_anchors_and_each_is_found_both_ways() -> None:
    """Index and mnemonic are bijective, and the order is that of the indices."""
    book = core()
    assert len(book) == len({a.index for a in book}) == len({a.mnemonic for a in book}) == 46
    assert [a.index for a in book] == sorted(a.index for a in book)
    for anchor in book:
        assert book.by_index(anchor.index) is anchor
        assert book.by_mnemonic(anchor.mnemonic) is anchor
        assert book.find(anchor.mnemonic) is anchor
        assert anchor.mnemonic in book
        assert anchor.is_core
        assert anchor.index < EXTENSION
    assert book.version == "1.0.0"


@pytest.mark.parametrize(
    ("index", "mnemonic", "coords"),
    [
        (0x0001, "ObserveState", (0, 4, 2, 3)),
        (0x0032, "RequestReview", (3, 4, 3, 3)),
        (0x0061, "EvalReject", (6, 0, 3, 4)),
        (0x0074, "MetaAbort", (7, 0, 4, 7)),
        (0x00FF, "Fallback", (7, 4, 7, 4)),
    ],
)
def test_anchors_stand_where_the_table_has_them(index: int, mnemonic: str, coords: tuple[int, ...]) -> None:
    """A few anchors of all corners of the table."""
    anchor = core().by_index(index)
    assert (anchor.mnemonic, anchor.coords) == (mnemonic, coords)


def test_the_names_of_levels_are_those_of_the_data() -> None:
    """Actions and domains are numbered as in the published file."""
    dimensions = published("ucr-core.json")["dimensions"]
    assert list(dimensions) == list(DIMENSIONS)
    assert (tuple(dimensions["action"]), tuple(dimensions["domain"])) == (ACTIONS, DOMAINS)


def test_the_hash_is_that_of_the_rule() -> None:
    """sha256 over index|mnemonic|canonical|coords, decimal, sorted by index, joined with line feeds."""
    rows = sorted((int(a["index"], 16), a) for a in published("ucr-core.json")["anchors"])
    lines = [f"{at}|{a['mnemonic']}|{a['canonical']}|{','.join(map(str, a['coords']))}" for at, a in rows]
    wanted = f"sha256:{hashlib.sha256(chr(10).join(lines).encode()).hexdigest()}"
    assert lines[0] == "1|ObserveState|State of a system or environment as seen now|0,4,2,3"
    assert core().hash == wanted == "sha256:d3722739eff28029bb7e45e52591dfb94b905630bdb81447ecd3daae4a66b210"


def test_the_hash_does_not_depend_on_the_order_of_the_anchors_and_changes_with_any_of_them() -> None:
    """Two books of the same anchors have one hash; one more anchor gives another."""
    assert Codebook("1.0.0", reversed(core().anchors)).hash == core().hash
    assert core().with_extension(DEPLOY).hash != core().hash


# --- look-ups --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("index", "shown"),
    [(0x0009, "0x0009"), (0xFFFF, "0xFFFF"), (-1, "-1"), (0x10000, "65536"), (True, "True"), ("1", "'1'")],
)
def test_an_index_that_is_not_there(index: Any, shown: str) -> None:
    """It is named as a person would write it, True is no index."""
    with pytest.raises(EncodeError) as caught:
        core().by_index(index)
    assert str(caught.value) == f"index: the codebook has no index {shown}"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("RequestReveiw", "; did you mean RequestReview or RequestResource or RequestHelp?"),
        ("metaack", "; did you mean MetaAck or MetaSync or MetaAbort?"),
        ("reqest task", "; did you mean RequestTask or RequestPlan?"),
        ("review", "; did you mean RequestReview?"),
        ("zzzz", ""),
        ("", ""),
    ],
)
def test_a_mnemonic_that_is_not_there(name: str, hint: str) -> None:
    """The nearest spellings are named, best first, whatever their case; none where all are far."""
    with pytest.raises(EncodeError) as caught:
        core().by_mnemonic(name)
    assert str(caught.value) == f'anchor: the codebook has no anchor "{name}"{hint}'
    assert name not in core()


def test_a_mnemonic_is_text_and_a_long_one_is_cut() -> None:
    """What is no text is refused, and an error never repeats a whole book."""
    with pytest.raises(EncodeError, match="must be text, not int"):
        core().by_mnemonic(5)  # type: ignore[arg-type]  # the fault under test
    with pytest.raises(EncodeError) as caught:
        core().by_mnemonic("x" * 10_000)
    assert len(str(caught.value)) < 200
    assert 5 not in core()


def test_closest_gives_no_more_than_it_is_asked_for() -> None:
    """The number of suggestions is the caller's choice."""
    assert core().closest("metaack", 1) == ("MetaAck",)


# --- geometry --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("coords", "mnemonic"),
    [
        ((3, 4, 3, 3), "RequestReview"),  # itself
        ((5, 6, 0, 4), "CommitTask"),  # shares its place with CommitDeadline, 0x0051
        ((1, 1, 6, 5), "ErrorGeneric"),  # shares its place with ErrorTimeout and ErrorResource
        ((3, 4, 4, 4), "AskPermission"),  # 1 away, like RequestPriority 0x0035 and RequestResource 0x0036
        ((0, 0, 0, 0), "InformStatus"),  # 8 away, like InformBlocked 0x0013
        ((7, 7, 7, 7), "Accept"),  # 6 away, like Fallback 0x00FF
        ((-3, 99, 0, 4), "InformComplete"),  # beyond the levels: 97 away, one less than the next
    ],
)
def test_nearest_is_by_manhattan_distance_and_ties_by_index(coords: tuple[int, ...], mnemonic: str) -> None:
    """Distances and ties worked out by hand."""
    assert core().nearest(coords).mnemonic == mnemonic


@given(st.tuples(*[st.integers(0, 7)] * 4))
def test_no_anchor_is_nearer_than_the_nearest(coords: tuple[int, ...]) -> None:
    """The answer is the first in (distance, index) of all anchors."""

    def rank(anchor: Anchor) -> tuple[int, int]:
        return sum(abs(a - b) for a, b in zip(anchor.coords, coords, strict=True)), anchor.index

    assert rank(core().nearest(coords)) == min(map(rank, core()))


def test_nearest_among_some() -> None:
    """The choice can be narrowed."""
    some = [core().by_mnemonic("MetaAck"), core().by_mnemonic("Accept")]
    assert core().nearest((0, 0, 0, 0), some).mnemonic == "MetaAck"


@pytest.mark.parametrize("coords", [(1, 2, 3), (1, 2, 3, 4, 5), (1, 2, 3, 4.0), (True, 2, 3, 4), ()])
def test_coordinates_are_four_whole_numbers(coords: Any) -> None:
    """Any other point is refused."""
    with pytest.raises(EncodeError, match="four whole numbers") as caught:
        core().nearest(coords)
    assert caught.value.path == "coords"


def test_nearest_among_none() -> None:
    """There must be something to choose from."""
    with pytest.raises(EncodeError) as caught:
        core().nearest((0, 0, 0, 0), [])
    assert caught.value.path == "among"


@pytest.mark.parametrize(
    ("start", "steps", "mnemonic"),
    [
        ("EvalApprove", {"polarity": -7}, "EvalReject"),
        ("EvalReject", {"polarity": 100}, "EvalApprove"),  # clamped to 7
        ("Accept", {"polarity": -99}, "Reject"),  # clamped to 0
        ("RequestPlan", {"action": -1}, "AskClarify"),
        ("MetaAck", {"polarity": -99, "urgency": 99}, "MetaAbort"),
        ("RequestReview", {"action": -1}, "RequestReview"),  # (2,4,3,3): itself 1 away, AskPermission 2
        ("ObserveState", {"urgency": 1}, "ObserveChange"),
        ("RequestTask", {"domain": 5}, "RequestResource"),
        ("CommitDeadline", {}, "CommitTask"),  # one place, the lower index
    ],
)
def test_semantic_arithmetic(start: str, steps: dict[str, int], mnemonic: str) -> None:
    """A step along a dimension ends at the anchor nearest to the place, within the levels."""
    assert core().move(core().by_mnemonic(start), **steps).mnemonic == mnemonic


@pytest.mark.parametrize("step", [1.0, True, "1", None])
def test_a_step_is_a_whole_number(step: Any) -> None:
    """The dimension at fault is the path."""
    with pytest.raises(EncodeError, match="whole number of levels") as caught:
        core().move(core().by_mnemonic("MetaAck"), domain=step)
    assert caught.value.path == "domain"


def test_what_no_codebook_holds_has_no_place() -> None:
    """The coordinates of an unknown anchor mean nothing, so it cannot be moved."""
    with pytest.raises(EncodeError, match="Foo has no coordinates"):
        core().move(UNKNOWN, urgency=1)


# --- anchors and extensions ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("anchor", "field", "reason"),
    [
        ("MetaAck", "", "must be an anchor, not str"),
        (Anchor(-1, "A", "a", (0, 0, 0, 0)), ".index", "0 to 0xFFFF, not -1"),
        (Anchor(0x10000, "A", "a", (0, 0, 0, 0)), ".index", "not 65536"),
        (Anchor(True, "A", "a", (0, 0, 0, 0), is_core=True), ".index", "not True"),
        (Anchor(0x8000, "", "a", (0, 0, 0, 0)), ".mnemonic", "A-Z a-z 0-9"),
        (Anchor(0x8000, "A-B", "a", (0, 0, 0, 0)), ".mnemonic", "A-Z a-z 0-9"),
        (Anchor(0x8000, "A\n", "a", (0, 0, 0, 0)), ".mnemonic", "A-Z a-z 0-9"),
        (Anchor(0x8000, "É", "a", (0, 0, 0, 0)), ".mnemonic", "A-Z a-z 0-9"),
        (_made(0x8000, 7, "a", (0, 0, 0, 0)), ".mnemonic", "A-Z a-z 0-9"),
        (_made(0x8000, "A", None, (0, 0, 0, 0)), ".canonical", "must be text"),
        (Anchor(0x8000, "A", "\ud800", (0, 0, 0, 0)), ".canonical", "lone surrogate"),
        (Anchor(0x8000, "A", "a|b", (0, 0, 0, 0)), ".canonical", "without |"),
        (Anchor(0x8000, "A", "a\u2028b", (0, 0, 0, 0)), ".canonical", "one line"),
        (_made(0x8000, "A", "a", (0, 0, 0)), ".coords", "four levels"),
        (_made(0x8000, "A", "a", [0, 0, 0, 0]), ".coords", "a tuple"),
        (Anchor(0x8000, "A", "a", (0, 0, 0, 8)), ".coords", "0 to 7"),
        (Anchor(0x8000, "A", "a", (0, 0, 0, True)), ".coords", "0 to 7"),
        (Anchor(0x8000, "A", "a", (0, 0, 0, 0), is_core=True), ".is_core", "below 0x8000"),
        (Anchor(0x7FFF, "A", "a", (0, 0, 0, 0)), ".is_core", "below 0x8000"),
    ],
)
def test_what_is_no_anchor(anchor: Any, field: str, reason: str) -> None:
    """Each field's fault is named with its path, by the check, the constructor and the extension alike."""
    for attempt, path in (
        (lambda: check_anchor(anchor, "x"), "x"),
        (lambda: Codebook("1", [anchor]), "anchors[0]"),
        (lambda: core().with_extension(anchor), "anchors[0]"),
    ):
        with pytest.raises(EncodeError) as caught:
            attempt()
        assert caught.value.path == f"{path}{field}"
        assert reason in caught.value.reason


def test_nothing_stands_twice_in_a_codebook() -> None:
    """Neither an index nor a mnemonic, and a version is text."""
    again = Anchor(0x8001, "RequestDeploy", "x", (0, 0, 0, 0))
    with pytest.raises(EncodeError, match="index 0x8000 is taken by RequestDeploy") as caught:
        Codebook("1", [DEPLOY, DEPLOY])
    assert caught.value.path == "anchors[1].index"
    with pytest.raises(EncodeError, match="mnemonic RequestDeploy is taken by 0x8000") as caught:
        Codebook("1", [DEPLOY, again])
    assert caught.value.path == "anchors[1].mnemonic"
    with pytest.raises(EncodeError) as caught:
        Codebook(1, [])  # type: ignore[arg-type]  # the fault under test
    assert caught.value.path == "version"


def test_an_extension_gives_a_larger_codebook_and_leaves_the_first_alone() -> None:
    """Codebooks are immutable; an extension's anchor is found like any other."""
    larger = core().with_extension(DEPLOY)
    assert (len(core()), len(larger)) == (46, 47)
    assert larger.by_index(0x8000) is larger.by_mnemonic("RequestDeploy") is DEPLOY
    assert "RequestDeploy" not in core()
    assert larger.anchors[-1] is DEPLOY
    assert larger.nearest((3, 4, 0, 5)) is DEPLOY
    assert larger.version == core().version


@pytest.mark.parametrize(
    ("added", "path", "reason"),
    [
        ([Anchor(0x0099, "New", "x", (0, 0, 0, 0), is_core=True)], "anchors[0].index", "the core is immutable"),
        ([DEPLOY, Anchor(0x8000, "Other", "x", (0, 0, 0, 0))], "anchors[1].index", "taken by RequestDeploy"),
        ([Anchor(0x8000, "MetaAck", "x", (0, 0, 0, 0))], "anchors[0].mnemonic", "mnemonic MetaAck is taken"),
        ([DEPLOY, Anchor(0x8001, "RequestDeploy", "x", (0, 0, 0, 0))], "anchors[1].mnemonic", "is taken"),
    ],
)
def test_an_extension_takes_no_place_of_another(added: list[Anchor], path: str, reason: str) -> None:
    """Neither the core's nor one of its own."""
    with pytest.raises(EncodeError) as caught:
        core().with_extension(*added)
    assert caught.value.path == path
    assert reason in caught.value.reason


# --- exchange --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "book", [core(), core().with_extension(DEPLOY), Codebook("x", [])], ids=["core", "own", "none"]
)
def test_a_codebook_survives_its_json(book: Codebook) -> None:
    """Export and import give the same anchors and hash, through a JSON text."""
    again = Codebook.from_json(json.loads(json.dumps(book.to_json())))
    assert (again.version, again.anchors, again.hash) == (book.version, book.anchors, book.hash)


def _rehashed(form: dict[str, Any]) -> None:
    """Give a form the hash that its anchors have."""
    rows = [
        f"{a['index']}|{a['mnemonic']}|{a['canonical']}|{','.join(map(str, a['coords']))}"
        for a in form["anchors"]
    ]
    form["hash"] = f"sha256:{hashlib.sha256(chr(10).join(rows).encode()).hexdigest()}"


def _faulty(form: dict[str, Any]) -> None:
    form["anchors"][3]["canonical"] = "Here is another result"
    _rehashed(form)


@pytest.mark.parametrize(
    ("change", "path", "reason"),
    [
        (lambda form: form.pop("version"), "", "missing required field `version`"),
        (lambda form: form.update(more=1), "", "unknown field `more`"),
        (lambda form: form.update(version=1), "version", "expected `str`"),
        (lambda form: form.update(anchors={}), "anchors", "expected `array`"),
        (lambda form: form["anchors"].__setitem__(2, 4), "anchors[2]", "expected `object`"),
        (lambda form: form["anchors"][3].pop("index"), "anchors[3]", "missing required field `index`"),
        (lambda form: form["anchors"][3].update(index="0x0010"), "anchors[3].index", "expected `int`"),
        (lambda form: form["anchors"][3].update(coords=[1, 2, 3]), "anchors[3].coords", "length 4"),
        (lambda form: form["anchors"][3].update(coords=[1, 2, 3, "4"]), "anchors[3].coords[3]", "expected `int`"),
        (lambda form: form["anchors"][3].update(coords=[1, 2, 3, 8]), "anchors[3].coords", "0 to 7"),
        (lambda form: form["anchors"][3].update(index=1), "anchors[3].index", "index 0x0001 is taken by ObserveState"),
        (lambda form: form["anchors"][3].update(canonical="x"), "anchors[3]", "0x0010 InformResult differs in canonical from the core of"),
        (lambda form: form["anchors"].pop(), "anchors", "0x00FF Fallback of the core of version 1.0.0, which never"),
        (lambda form: form.update(hash="sha256:0"), "hash", "it says sha256:0"),
        (_faulty, "anchors[3]", "which never changes"),
    ],
)
def test_a_codebook_that_was_tampered_with(
    change: Callable[[dict[str, Any]], object], path: str, reason: str
) -> None:
    """What does not fit its hash, its form or the core of its version is refused with its path."""
    form = copy.deepcopy(core().to_json())
    change(form)
    with pytest.raises(EncodeError) as caught:
        Codebook.from_json(form)
    assert caught.value.path == path
    assert reason in caught.value.reason


def test_a_codebook_of_another_version_has_a_core_of_its_own() -> None:
    """Core anchors never change within a version; another version may have others."""
    form = copy.deepcopy(core().to_json())
    form["version"] = "2.0.0"
    _faulty(form)
    assert Codebook.from_json(form).by_index(0x0010).canonical == "Here is another result"


# --- plausibility ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mnemonic", "role", "reasons"),
    [
        ("EvalApprove", Role(), ()),
        ("EvalApprove", Role(actions=frozenset({"evaluate"})), ()),
        (
            "EvalApprove",
            Role(actions=frozenset({"inform", "ask"})),
            ("EvalApprove is of action evaluate; allowed: ask, inform",),
        ),
        (
            "MetaAbort",
            Role(frozenset({"inform"}), frozenset({"task"}), urgency=5),
            (
                "MetaAbort is of action meta; allowed: inform",
                "MetaAbort is of domain control; allowed: task",
                "MetaAbort has urgency 7; at most 5 is allowed",
            ),
        ),
        ("MetaAbort", Role(frozenset({"inform"}), anchors=frozenset({"MetaAbort"}), urgency=0), ()),
        (
            "MetaAck",
            Role(anchors=frozenset({"MetaAbort", "Accept"})),
            ("MetaAck is not among the anchors allowed: Accept, MetaAbort",),
        ),
        ("MetaAck", Role(frozenset({"meta"}), anchors=frozenset({"Accept"})), ()),
    ],
)
def test_plausibility(mnemonic: str, role: Role, reasons: tuple[str, ...]) -> None:
    """An anchor fits by its coordinates or by name; else each reason is given."""
    assert implausible(core().by_mnemonic(mnemonic), role) == reasons


def test_plausibility_of_what_no_codebook_holds() -> None:
    """Nothing says what it is about, so a role that restricts anything does not cover it, unless by name."""
    assert implausible(UNKNOWN, Role()) == ()
    assert implausible(UNKNOWN, Role(anchors=frozenset({"Foo"}), urgency=0)) == ()
    restricted = (Role(frozenset({"ask"})), Role(domains=frozenset({"task"})), Role(urgency=6))
    for role in restricted:
        assert implausible(UNKNOWN, role) == ("Foo is in no codebook, so nothing says what it is about",)


@pytest.mark.parametrize(
    ("arguments", "path", "reason"),
    [
        ({"actions": {"evaluate", "vote"}}, "actions", "there is no 'vote' (there are: observe, inform"),
        ({"domains": {"evaluate"}}, "domains", "there is no 'evaluate' (there are: task, plan"),
        ({"actions": "ask"}, "actions", "must be a set of names"),
        ({"anchors": [1]}, "anchors", "must be a set of names"),
        ({"urgency": 8}, "urgency", "must be a level 0 to 7, not 8"),
        ({"urgency": True}, "urgency", "must be a level 0 to 7, not True"),
        ({"urgency": "3"}, "urgency", "must be a level 0 to 7, not '3'"),
    ],
)
def test_a_role_of_names_that_exist(arguments: dict[str, Any], path: str, reason: str) -> None:
    """A misspelt role would silently allow or refuse everything; it is refused with its path."""
    with pytest.raises(EncodeError) as caught:
        Role(**arguments)
    assert caught.value.path == path
    assert caught.value.reason.startswith(reason)


def test_a_role_takes_any_collection_and_is_hashable() -> None:
    """Lists become sets, so roles can be compared and kept in a set."""
    role = Role(actions=["ask", "inform"], anchors=["Accept"])  # type: ignore[arg-type]  # lists are taken, too
    assert role.actions == {"ask", "inform"}
    assert len({role, Role(frozenset({"inform", "ask"}), anchors=frozenset({"Accept"}))}) == 1


# --- correspondence --------------------------------------------------------------------------------------


def test_every_core_anchor_is_the_same_word_as_one_verb() -> None:
    """One `same` row an anchor, whose verb is the mnemonic's words in capitals."""
    same = [row for row in correspondence.ROWS if row.same]
    assert sorted(row.anchor for row in same) == sorted(anchor.mnemonic for anchor in core())
    for row in same:
        assert row.verb == re.sub(r"(?<=[a-z])(?=[A-Z])", "_", row.anchor).upper()
        assert correspondence.row_of_anchor(row.anchor) is row


def test_verbs_and_actions_are_unique_and_legal() -> None:
    """Each side of the table can be looked up, and every word is legal in its protocol."""
    rows = correspondence.ROWS
    assert len({row.verb for row in rows}) == len({row.eap for row in rows}) == len(rows)
    for row in rows:
        assert re.fullmatch(r"[A-Z_]+", row.verb)
        assert re.fullmatch(r"[A-Z0-9_]{2,16}", row.eap)
        assert correspondence.row_of_intent(f"!{row.verb}") is row
        assert correspondence.eap_action_of(f"!{row.verb}") == row.eap
        assert correspondence.intent_of_eap_action(row.eap) == f"!{row.verb}"
        assert correspondence.direction_of(f"!{row.verb}") == row.direction in correspondence.DIRECTIONS


def test_an_action_is_the_verb_where_its_16_characters_suffice() -> None:
    """Only longer verbs are written otherwise."""
    short = {row.verb: row.eap for row in correspondence.ROWS if row.verb != row.eap}
    assert short == {"PROPOSE_ALTERNATIVE": "PROPOSE_ALT", "ACCEPT_WITH_CONDITION": "ACCEPT_COND"}
    assert all(len(verb) > 16 for verb in short)


def test_a_heading_points_where_its_verb_does() -> None:
    """A verb with no anchor of its own is headed by one that exists and has the verb's direction."""
    for row in correspondence.ROWS:
        heading = correspondence.row_of_anchor(row.anchor)
        assert heading is not None
        assert heading.direction == row.direction


def test_priorities_are_monotonic() -> None:
    """A higher priority is never less urgent; 0, which states none, is as urgent as 4."""
    assert list(correspondence.URGENCY) == list(range(10))
    stated = [correspondence.URGENCY[priority] for priority in range(1, 10)]
    assert stated == sorted(stated)
    assert (stated[0], stated[-1], correspondence.URGENCY[0]) == (0, 7, stated[3])
    for row in published("correspondence.json")["priorities"]:
        assert row["eap"] == (row["silp"] or None)


def test_words_that_the_table_lacks() -> None:
    """They are a request, and the same word on both sides."""
    assert correspondence.row_of_intent("!FOO") is None
    assert correspondence.row_of_anchor("Foo") is None
    assert correspondence.direction_of("!FOO") == "request"
    assert correspondence.eap_action_of("!FOO") == "FOO"
    assert correspondence.intent_of_eap_action("FOO") == "!FOO"
