"""The texts that a message is compared with hold the same message, and are what is really sent."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given

import sabir
from sabir.errors import EncodeError
from sabir.meter.baselines import MESSAGE_ID, Baseline, baselines
from strategies import MESSAGES


def named(message: Any, natural: str | None = None) -> dict[str, Baseline]:
    """Baselines of a message by name."""
    return {item.name: item for item in baselines(message, natural)}


def test_every_baseline_holds_the_message() -> None:
    """JSON bare, as TOON, in the envelopes of both protocols; and the sentence that was given."""
    toons = pytest.importorskip("toons")
    message = sabir.decode(">SEC:XSS #ctx4 !9 | line=42")
    form = sabir.to_json(message)
    found = named(message, "Look for XSS in context 4.")
    assert list(found) == ["minified JSON", "TOON", "A2A envelope", "MCP envelope", "plain sentence"]
    assert found["minified JSON"].text == json.dumps(form, separators=(",", ":"))
    assert toons.loads(found["TOON"].text) == form
    assert json.loads(found["A2A envelope"].text) == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "SendMessage",
        "params": {"message": {"messageId": MESSAGE_ID, "role": "ROLE_AGENT", "parts": [{"data": form}]}},
    }
    assert json.loads(found["MCP envelope"].text)["params"]["arguments"] == form
    assert found["plain sentence"] == Baseline("plain sentence", "Look for XSS in context 4.", "baseline")


def test_without_a_sentence_it_is_ours() -> None:
    """The explanation stands in for what a person would have written, and says so."""
    message = sabir.decode("s4x9")
    assert named(message)["plain sentence"] == Baseline("plain sentence", sabir.explain(message), "baseline, ours")


@pytest.mark.parametrize("value", ["18446744073709551617", "1.0", '"\\u0000"'])
def test_toon_counts_only_where_the_same_comes_back(value: str) -> None:
    """A value that TOON changes or refuses makes it no way to send the message; any other makes it one."""
    pytest.importorskip("toons")
    import toons

    message = sabir.decode(f">DAT:UPDATE #ctx1 | n={value}")
    row = named(message)["TOON"]
    try:
        kept = json.dumps(toons.loads(toons.dumps(sabir.to_json(message)))) == json.dumps(sabir.to_json(message))
    except (ValueError, OverflowError):
        kept = False
    assert bool(row.text) is kept
    assert row.note.startswith("baseline" if kept else ("TOON cannot hold it", "does not come back"))


@given(MESSAGES["eap"])
def test_any_message_has_baselines(message: Any) -> None:
    """Whatever its values hold."""
    found = named(message)
    assert json.loads(found["MCP envelope"].text)["params"]["arguments"] == sabir.to_json(message)


def test_what_toon_refuses_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of the package is a note, not an error."""
    toons = pytest.importorskip("toons")

    def refuse(_: Any) -> str:
        raise ValueError("too\u0007odd")

    monkeypatch.setattr(toons, "dumps", refuse)
    assert named(sabir.decode("s4x9"))["TOON"] == Baseline("TOON", "", "TOON cannot hold it: too\\u0007odd")
    monkeypatch.setattr(toons, "dumps", lambda _: "a: 1")
    assert named(sabir.decode("s4x9"))["TOON"].note == "does not come back: TOON changes a value"


def test_without_the_package_toon_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything else goes on."""
    monkeypatch.setattr("sabir.meter.baselines.find_spec", lambda _: None)
    monkeypatch.setitem(sys.modules, "toons", None)
    found = named(sabir.decode("s4x9"))
    assert found["TOON"] == Baseline("TOON", "", "not installed: pip install 'sabir[meter]'")
    assert all(item.text for name, item in found.items() if name != "TOON")


def test_what_is_no_message_has_none() -> None:
    """As everywhere."""
    with pytest.raises(EncodeError, match="no message"):
        baselines(5)
