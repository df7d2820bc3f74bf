from __future__ import annotations

from typing import Any, get_args

import pytest

from sabir.errors import DecodeError, EncodeError, SecurityError
from sabir.lingua.handshake import (
    TRANSITIONS,
    X25519,
    Accept,
    Capabilities,
    End,
    Learning,
    Offer,
    Query,
    Reject,
    Side,
    Step,
    negotiate,
)
from sabir.lingua.handshake.states import Role, State
from sabir.lingua.wire import decode
from sabir.lingua.write import encode

KEYS = ("AQEB" * 10 + "AQE=", "AgIC" * 10 + "AgI=")
OFFER = Offer(("1", "7"), ("B", "E"), (X25519,), KEYS[0])
THEIRS = Offer(("7", "A"), ("E", "B"), (X25519,), KEYS[1])
ACCEPT = Accept("0.4.0", ("7",), "B")
STEPS: dict[str, Step] = {
    "offer": OFFER,
    "accept": ACCEPT,
    "learning": Learning(),
    "reject": Reject("no"),
    "query": Query("agent-b"),
    "capabilities": Capabilities(("1",), ("B",)),
    "end": End("s1"),
}
STATES: tuple[State, ...] = get_args(State)

# What each state becomes; a dot where the event may not happen. Written by hand, one row a state, one column a step.
#                       offer      accept  learning    reject      query       capabilities  end
INITIATOR_SENDS = """
    idle                offered    .       .           .           idle        idle          .
    offered             .          .       .           .           offered     offered       .
    learning            offered    .       .           .           learning    learning      .
    rejected            offered    .       .           .           rejected    rejected      .
    open                .          .       .           .           open        open          closed
    closed              .          .       .           .           .           .             .
"""
INITIATOR_RECEIVES = """
    idle                .          .       .           .           idle        idle          .
    offered             .          open    learning    rejected    offered     offered       .
    learning            .          open    learning    rejected    learning    learning      .
    rejected            .          .       .           .           rejected    rejected      .
    open                .          .       .           .           open        open          closed
    closed              .          .       .           .           .           .             .
"""
TABLES = {
    ("initiator", "send"): INITIATOR_SENDS,
    ("initiator", "receive"): INITIATOR_RECEIVES,
    ("responder", "send"): INITIATOR_RECEIVES,
    ("responder", "receive"): INITIATOR_SENDS,
}


def cells() -> list[tuple[Role, State, str, str, str]]:
    """Role, state, word, step and what becomes of it, of every cell."""
    found: list[Any] = []
    for (role, word), table in TABLES.items():
        for line in table.strip().splitlines():
            state, *row = line.split()
            found += [(role, state, word, step, then) for step, then in zip(STEPS, row, strict=True)]
    return found


def side_in(role: Role, state: State) -> Side:
    """A side that has come to a state by the shortest way."""
    way = {
        "idle": [],
        "offered": ["offer"],
        "learning": ["offer", "learning"],
        "rejected": ["offer", "reject"],
        "open": ["offer", "accept"],
        "closed": ["offer", "accept", "end"],
    }
    side = Side(role)
    for step in way[state]:
        if (role == "initiator") is (step in ("offer", "end")):
            side.send(STEPS[step])
        else:
            side.receive(STEPS[step].message())
    assert side.state == state
    return side


def test_the_cells_are_all_there() -> None:
    """Two roles, six states, seven steps sent and received; the published table has no others."""
    assert len(cells()) == 2 * 6 * 7 * 2
    assert {role: [*table] for role, table in TRANSITIONS.items()} == {
        "initiator": [*STATES],
        "responder": [*STATES],
    }
    wanted = {(role, state, f"{word} {step}"): then for role, state, word, step, then in cells() if then != "."}
    assert wanted == {
        (role, state, event): then
        for role, table in TRANSITIONS.items()
        for state, moves in table.items()
        for event, then in moves.items()
    }


@pytest.mark.parametrize(("role", "state", "word", "step", "then"), cells())
def test_every_cell_is_kept(role: Role, state: State, word: str, step: str, then: str) -> None:
    """A step leads where the table says, or is refused and changes nothing."""
    side = side_in(role, state)
    offer, accepted = side.offer, side.accepted
    message = STEPS[step].message()

    def go() -> None:
        if word == "send":
            assert side.send(STEPS[step]) == message
        else:
            assert side.receive(decode(encode(message))) == STEPS[step]

    if then != ".":
        go()
        assert side.state == then
        assert side.offer is offer or step == "offer"
        assert side.accepted is accepted or step == "accept"
        return
    with pytest.raises((EncodeError, DecodeError)) as caught:
        go()
    error: Any = caught.value
    assert error.reason.startswith(f"the {role} may not {word} {step} while {state}; it may {word}: ")
    assert isinstance(error, EncodeError if word == "send" else DecodeError)
    if isinstance(error, DecodeError):
        assert (error.text, error.code) == (encode(message), "decode_failed")
    assert (side.state, side.offer, side.accepted) == (state, offer, accepted)


def test_both_sides_of_a_handshake_come_to_the_same() -> None:
    """Query, learning, offer, accept with encryption, and the end, over the wire."""
    here, there = Side("initiator", require="E"), Side("responder", require="E")

    def pass_on(sender: Side, receiver: Side, step: Step) -> Step | None:
        found = receiver.receive(decode(encode(sender.send(step))))
        assert found == step
        return found

    pass_on(here, there, Query("agent-b"))
    pass_on(there, here, Capabilities(("7", "A"), ("E", "B"), "0.4.0"))
    pass_on(here, there, OFFER)
    pass_on(there, here, Learning())
    pass_on(here, there, OFFER)
    assert there.offer == OFFER
    answer = negotiate(THEIRS, OFFER, require="E", session="s1", fingerprint="SHA256:8a7b")
    assert isinstance(answer, Accept)
    pass_on(there, here, answer)
    assert here.accepted == there.accepted == Accept("0.4.0", ("7",), "E", X25519, KEYS[1], "s1", "SHA256:8a7b")
    assert (here.state, there.state) == ("open", "open")
    pass_on(there, here, End("s1"))
    assert (here.state, there.state) == ("closed", "closed")


def test_ordinary_messages_pass_by() -> None:
    """They are no steps and change nothing, in every state."""
    for state in STATES:
        side = side_in("initiator", state)
        assert side.receive(decode("👽73|@1")) is None
        assert side.state == state


def test_a_lower_level_than_demanded_opens_nothing() -> None:
    """Neither is such an answer taken nor given."""
    here = Side("initiator", require="E")
    here.send(OFFER)
    with pytest.raises(SecurityError, match="level E is required, and only level B can be had"):
        here.receive(ACCEPT.message())
    assert (here.state, here.accepted) == ("offered", None)
    there = Side("responder", require="E")
    there.receive(OFFER.message())
    with pytest.raises(SecurityError, match="level E is required, and only level B can be had: this agent chose so"):
        there.send(ACCEPT)
    assert (there.state, there.accepted) == ("offered", None)
    assert encode(there.send(Reject("encryption required"))).startswith("^A|$j:")


def test_an_answer_beside_the_offer_opens_nothing() -> None:
    """A domain, a level, a version or a key that was not offered is refused, and the side waits on."""
    here = Side("initiator")
    here.send(OFFER)
    for wrong in (Accept("0.4.0", ("A",), "B"), Accept("0.4.0", ("7",), "P"), Accept("0.3.0", ("7",), "B")):
        with pytest.raises(DecodeError, match="was not offered"):
            here.receive(wrong.message())
    with pytest.raises(SecurityError, match="own"):
        here.receive(Accept("0.4.0", ("7",), "E", X25519, KEYS[0], "s1").message())
    assert here.state == "offered"
    older = Side("initiator", versions=["0.3.0"])
    older.send(OFFER)
    older.receive(Accept("0.3.0", ("7",), "B").message())
    assert older.state == "open"


@pytest.mark.parametrize("role", ["initiator", "responder"])
def test_an_end_is_of_the_session_that_is_open(role: Role) -> None:
    """Another session's end is refused, sent or received."""
    side = Side(role)
    accept = Accept("0.4.0", ("7",), "B", session="s1")
    for step in (OFFER, accept):
        if (role == "initiator") is (step is OFFER):
            side.send(step)
        else:
            side.receive(step.message())
    with pytest.raises(EncodeError, match="session: this session is s1, not s2"):
        side.send(End("s2"))
    with pytest.raises(DecodeError, match="this session is s1, not s2"):
        side.receive(End("s2").message())
    reached = [side.state]
    side.receive(End("s1").message())
    assert [*reached, side.state] == ["open", "closed"]


def test_arguments_that_make_no_sense_are_refused_by_name() -> None:
    """No such role, no such level, no step."""
    wrong: Any = "observer"
    with pytest.raises(EncodeError, match="role: must be one of initiator, responder"):
        Side(wrong)
    with pytest.raises(EncodeError, match="require: must be one of E, B, P"):
        Side("initiator", require="L2")
    with pytest.raises(EncodeError, match="must be a step of the handshake, not str"):
        Side("initiator").send(wrong)
