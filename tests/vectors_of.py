"""The conformance vectors as test cases, and the contract that every case keeps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import sabir
from sabir.crossing import same

VECTORS = Path(__file__).parent / "vectors"
ERRORS = {"DecodeError", "UnknownAnchor", "UnsupportedVersion"}


def cases(name: str) -> list[Any]:
    """Cases of one format as pytest parameters."""
    found = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
    assert len({case["id"] for case in found}) == len(found)
    return [pytest.param(case, id=case["id"]) for case in found]


def hold(name: str, case: dict[str, Any]) -> None:
    """Check a case: the error class or code, or the message and what encoding it gives."""
    text = case["text"]
    if "error" in case:
        with pytest.raises(sabir.DecodeError) as caught:
            sabir.decode(text, name)
        if case["error"] in ERRORS:
            assert type(caught.value).__name__ == case["error"]
        else:
            assert caught.value.code == case["error"]
        assert caught.value.format == name
        assert caught.value.text == text
        return
    message = sabir.decode(text, name)
    wanted = dict(case["message"])
    if isinstance(message, sabir.SilpIR):
        wanted["meta"] = {"req_id": message.meta.req_id, **wanted.get("meta", {})}
        assert wanted["meta"]["req_id"] == message.meta.req_id
    assert same(message, sabir.from_json(name, wanted))
    if not case.get("decode_only"):
        assert sabir.encode(message, name) == case.get("canonical", text)
