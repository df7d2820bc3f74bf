"""What a message is compared with: its JSON, bare and in the envelopes that agents really send, TOON, a sentence.

Nothing here is a format that Sabir reads; the texts are for counting alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final

from sabir import api
from sabir.errors import printable
from sabir.jsontext import dumps

MESSAGE_ID: Final = "8f14e45f-ceea-467f-a8d5-1f3c2b9a6d07"
"""Stands for the random id that an A2A message bears."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """Another way to send the same.

    Attributes:
        name: what it is.
        text: what would be sent; empty where it cannot be.
        note: whose words it is in, or why it cannot be sent.
    """

    name: str
    text: str
    note: str


def baselines(message: Any, natural: str | None = None) -> list[Baseline]:
    """Minified JSON, TOON, the A2A and MCP envelopes around the JSON, and a plain sentence.

    Args:
        message: any message.
        natural: the sentence that a person would have written; without it, ours in English.

    Raises:
        EncodeError: the argument is no message.
    """
    form = api.to_json(message)
    sentence = Baseline("plain sentence", natural or api.explain(message), "baseline" if natural else "baseline, ours")
    return [
        Baseline("minified JSON", dumps(form), "baseline"),
        _toon(form),
        Baseline("A2A envelope", dumps(_a2a(form)), "baseline"),
        Baseline("MCP envelope", dumps(_mcp(form)), "baseline"),
        sentence,
    ]


def _a2a(form: dict[str, Any]) -> dict[str, Any]:
    """Request of A2A 1.0 by JSON-RPC, with the message as a data part."""
    message = {"messageId": MESSAGE_ID, "role": "ROLE_AGENT", "parts": [{"data": form}]}
    return {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}


def _mcp(form: dict[str, Any]) -> dict[str, Any]:
    """Call of an MCP tool that takes the message as its arguments."""
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "send", "arguments": form}}


def _toon(form: dict[str, Any]) -> Baseline:
    """The JSON as TOON, if what its package writes reads back as the same."""
    if not find_spec("toons"):
        return Baseline("TOON", "", "not installed: pip install 'sabir[meter]'")
    import toons  # noqa: PLC0415  # an optional package

    try:
        text = toons.dumps(form)
        back = toons.loads(text)
    except (ValueError, OverflowError, TypeError, RecursionError) as error:
        return Baseline("TOON", "", printable(f"TOON cannot hold it: {error}"))
    if json.dumps(back) != json.dumps(form):  # to the letter: 1 and 1.0 differ
        return Baseline("TOON", "", "does not come back: TOON changes a value")
    return Baseline("TOON", text, "baseline")
