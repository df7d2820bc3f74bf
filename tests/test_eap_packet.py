"""The EAP packet itself: what its constructor takes, when two are equal, its JSON form."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given

from sabir.eap import EapPacket
from sabir.eap.packet import from_json, to_json
from sabir.eap.values import MAX_DATA_DEPTH
from sabir.errors import EncodeError
from sabir.jsontext import dumps, loads
from strategies.eap import eap_packets

HEAD: dict[str, Any] = {"direction": "request", "domain": "SEC", "action": "XSS", "target": "#ctx4"}


def nested(levels: int) -> list[Any]:
    """A list of lists, so deep."""
    value: list[Any] = []
    for _ in range(levels - 1):
        value = [value]
    return value


def test_the_seed_example() -> None:
    """A response made by name prints in both forms as the seed shows it."""
    packet = EapPacket.response(domain="SEC", action="VUL", target="#ctx4", data={"line": 42, "fixed": False})
    assert packet.to_unicode() == "◢SEC::VUL ➔ 📦[#ctx4] ⁝ line=42 fixed=false"
    assert packet.to_ascii() == "<SEC:VUL #ctx4 | line=42 fixed=false"


def test_each_direction_has_its_constructor() -> None:
    """request, response and sync fill in the direction and leave the rest as given."""
    fields: dict[str, Any] = {
        "domain": "SYS",
        "action": "OK",
        "target": "#ctx0",
        "priority": 3,
        "data": {"a": 1},
    }
    for make, direction in (
        (EapPacket.request, "request"),
        (EapPacket.response, "response"),
        (EapPacket.sync, "sync"),
    ):
        assert make(**fields) == EapPacket(direction, **fields)


def test_lower_case_codes_are_raised() -> None:
    """Domain and action given in lower case become upper case; the target keeps its own."""
    packet = EapPacket("request", "sec", "xss_2", "#Ctx4")
    assert (packet.domain, packet.action, packet.target) == ("SEC", "XSS_2", "#Ctx4")


@pytest.mark.parametrize(
    ("change", "path", "reason"),
    [
        ({"direction": "REQUEST"}, "direction", "must be request, response, sync, not 'REQUEST'"),
        ({"direction": None}, "direction", "must be request"),
        ({"direction": ["request"]}, "direction", "must be request"),
        ({"domain": "S"}, "domain", "2 to 8 of A-Z 0-9, not 'S'"),
        ({"domain": "SECURITY1"}, "domain", "2 to 8"),
        ({"domain": "S_C"}, "domain", "2 to 8"),
        ({"domain": "SEC\n"}, "domain", "2 to 8"),
        ({"domain": "ßß"}, "domain", "2 to 8"),
        ({"domain": 5}, "domain", "must be text, not int"),
        ({"action": "X"}, "action", "2 to 16 of A-Z 0-9 _, not 'X'"),
        ({"action": "X" * 17}, "action", "2 to 16"),
        ({"action": "X-S"}, "action", "2 to 16"),
        ({"action": "X\ud800"}, "action", "lone surrogate"),
        ({"target": "ctx4"}, "target", "must be # and one or more"),
        ({"target": "#"}, "target", "must be # and one or more"),
        ({"target": "#a]"}, "target", "other than ]"),
        ({"target": "#a\n"}, "target", "controls"),
        ({"target": "#a\x85"}, "target", "controls"),
        ({"target": "#\udfff"}, "target", "lone surrogate"),
        ({"target": None}, "target", "must be text"),
        ({"priority": 0}, "priority", "from 1 to 9, or none, not 0"),
        ({"priority": 10}, "priority", "not 10"),
        ({"priority": True}, "priority", "not True"),
        ({"priority": 5.0}, "priority", "not 5.0"),
        ({"priority": "5"}, "priority", "not '5'"),
        ({"data": None}, "data", "must map keys to values, not be NoneType"),
        ({"data": "ab"}, "data", "must map keys to values, not be str"),
        ({"data": [1]}, "data", "must map keys to values, not be list"),
        ({"data": ["ab"]}, "data", "must map keys to values, not be list"),
        ({"data": {"": 1}}, "data", "key '' must be one or more characters"),
        ({"data": {"a b": 1}}, "data", "no white space"),
        ({"data": {"a=b": 1}}, "data", "none of = "),
        ({"data": {"a|b": 1}}, "data", "key 'a|b'"),
        ({"data": {"a⁝b": 1}}, "data", "key"),
        ({"data": {"a\xa0b": 1}}, "data", "no white space"),
        ({"data": {1: 1}}, "data (a key)", "must be text, not int"),
        ({"data": {"\ud83d": 1}}, "data (a key)", "lone surrogate"),
        ({"data": {"a": "\ud83d"}}, "data.a", "lone surrogate"),
        ({"data": {"a": float("nan")}}, "data.a", "no JSON number"),
        ({"data": {"a": float("inf")}}, "data.a", "no JSON number"),
        ({"data": {"a": 10**4300}}, "data.a", "more than 4300 digits"),
        ({"data": {"a": (1,)}}, "data.a", "not tuple"),
        ({"data": {"a": {"b": [1, {2}]}}}, "data.a.b[1]", "not set"),
        (
            {"data": {"a": nested(MAX_DATA_DEPTH + 1)}},
            "data.a" + "[0]" * MAX_DATA_DEPTH,
            "nested deeper than 136",
        ),
    ],
)
def test_what_the_constructor_refuses(change: dict[str, Any], path: str, reason: str) -> None:
    """Every illegal field is an EncodeError with its path and a reason."""
    with pytest.raises(EncodeError) as caught:
        EapPacket(**{**HEAD, **change})
    assert caught.value.path == path
    assert reason in caught.value.reason


def test_what_the_constructor_takes() -> None:
    """The limits themselves are legal."""
    data = {"a": 10**4299, "b": nested(MAX_DATA_DEPTH), ">SEC:SQL": "", "\u200b": None, "\x00": []}
    packet = EapPacket("sync", "A0", "__", "# ", 9, data)
    assert packet.data == data
    assert EapPacket("request", "ABCDEFG8", "A" * 16, "#" + "x" * 9999, 1).data == {}


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ({"a": 1}, {"a": 1.0}),
        ({"a": 1}, {"a": True}),
        ({"a": 1.0}, {"a": True}),
        ({"a": 0.0}, {"a": -0.0}),
        ({"a": "1"}, {"a": 1}),
        ({"a": None}, {"a": "null"}),
        ({"a": None}, {}),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"a": {"x": 1, "y": 2}}, {"a": {"y": 2, "x": 1}}),
        ({"a": [1]}, {"a": [True]}),
    ],
)
def test_equality_is_exact(a: dict[str, Any], b: dict[str, Any]) -> None:
    """Packets whose data differ in a type or in their order are different packets."""
    one, two = EapPacket(**HEAD, data=a), EapPacket(**HEAD, data=b)
    assert one != two
    assert not one == two  # noqa: SIM201  # the two operators are two methods
    same = EapPacket(**HEAD, data=dict(a))
    assert one == same
    assert not one != same  # noqa: SIM202  # as above
    assert hash(one) == hash(EapPacket(**HEAD, data=dict(a)))
    assert one != EapPacket(**{**HEAD, "priority": 1}, data=a)


def test_a_packet_equals_nothing_else() -> None:
    """A packet is no tuple and no dict."""
    assert EapPacket(**HEAD) != HEAD
    assert not EapPacket(**HEAD) == HEAD  # noqa: SIM201  # as above
    assert EapPacket(**HEAD) != tuple(HEAD.values())


def test_a_packet_is_immutable_and_owns_its_data() -> None:
    """Fields cannot be set, and what the caller's data become later does not matter."""
    inner = [1]
    data = {"a": inner}
    packet = EapPacket(**HEAD, data=data)
    inner.append(2)
    data["b"] = [3]
    assert packet.data == {"a": [1]}
    with pytest.raises(AttributeError):
        packet.target = "#x"  # type: ignore[misc]  # the point of the test
    shown = to_json(packet)
    shown["data"]["a"].append(5)
    assert packet.data == {"a": [1]}


def test_replace_checks_again() -> None:
    """Replace gives a checked copy and leaves the packet as it was."""
    packet = EapPacket(**HEAD)
    assert packet.replace(action="sql", priority=2).to_ascii() == ">SEC:SQL #ctx4 !2"
    assert packet.to_ascii() == ">SEC:XSS #ctx4"
    with pytest.raises(EncodeError):
        packet.replace(priority=0)


@given(eap_packets())
def test_copies_are_equal(packet: EapPacket) -> None:
    """Copying and pickling give the same packet, and its repr names its fields."""
    assert copy.copy(packet) == copy.deepcopy(packet) == pickle.loads(pickle.dumps(packet)) == packet  # noqa: S301  # our own
    assert "direction=" in repr(packet)


@given(eap_packets())
def test_the_json_form_comes_back(packet: EapPacket) -> None:
    """from_json(to_json(p)) == p, through JSON text too."""
    assert from_json(to_json(packet)) == packet
    assert from_json(loads(dumps(to_json(packet)))) == packet


def test_the_json_form_may_leave_defaults_out() -> None:
    """Priority and data are optional, and lower-case codes are raised as in the constructor."""
    assert from_json({**HEAD, "domain": "sec"}) == EapPacket(**HEAD)


@pytest.mark.parametrize(
    ("form", "path", "reason"),
    [
        (None, "", "a packet is an object, not NoneType"),
        ([], "", "not list"),
        (
            {**HEAD, "prio": 1},
            "prio",
            "no such field; there are direction, domain, action, target, priority, data",
        ),
        ({"direction": "request", "action": "XSS", "target": "#a"}, "domain", "missing"),
        ({}, "direction", "missing"),
        ({**HEAD, "data": [["a", 1]]}, "data", "must be an object, not list"),
        ({**HEAD, "data": None}, "data", "must be an object, not NoneType"),
        ({**HEAD, "data": {"a": {"b": float("nan")}}}, "data.a.b", "no JSON number"),
        ({**HEAD, "priority": "9"}, "priority", "whole number"),
    ],
)
def test_what_the_json_form_refuses(form: Any, path: str, reason: str) -> None:
    """Unknown, missing and illegal fields are named."""
    with pytest.raises(EncodeError) as caught:
        from_json(form)
    assert caught.value.path == path
    assert reason in caught.value.reason
