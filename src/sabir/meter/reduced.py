"""A ``tokenizer.json`` reduced to what decides how ordinary text is cut, as canonical JSON.

Files of one vocabulary differ from source to source in what does not matter for a count: templates that add a start
token, settings that only move offsets, defaults written out or left out, pairs as strings or as lists. The reduced form
drops all that, so that its SHA-256 names the vocabulary itself, and it is what the cache keeps.

Text that looks like a special token is ordinary text: the control tokens, which no text may call up, get names there
that no merge leads to.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from sabir.errors import SabirError

MAX_FILE: Final = 64 * 1024 * 1024
"""Largest vocabulary file that is read or fetched, in bytes. The largest vocabulary here takes 18 million."""

_KINDS: Final = ("BPE", "WordPiece", "WordLevel", "Unigram")
_looks_special: Final = re.compile(r"<[^<>\s]+>|\[[A-Z0-9_@]+\]").fullmatch
_ALOOF: Final = "\U0010ffff"
"""A noncharacter around the new names of control tokens: no text of characters holds it."""
_BYTE_LEVEL: Final = {"add_prefix_space": False, "trim_offsets": False, "use_regex": True}


def reduce(data: bytes) -> bytes:
    """Reduced form of the bytes of a ``tokenizer.json``; what is already reduced stays as it is.

    Raises:
        SabirError: it is no such file, or larger than `MAX_FILE`.
    """
    if len(data) > MAX_FILE:
        raise SabirError(f"larger than {MAX_FILE} bytes, so no vocabulary")
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise SabirError("not JSON in UTF-8, so no tokenizer.json") from None
    try:
        return json.dumps(_whole(found), sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError):
        kinds = ", ".join(_KINDS)
        raise SabirError(f"no tokenizer.json: it needs a model of one of the kinds {kinds}, with its vocabulary") from None


def _whole(found: dict[str, Any]) -> dict[str, Any]:
    model = found["model"]
    added = found.get("added_tokens") or []
    control = {item["content"]: _aloof(item["content"]) for item in added if _is_control(item, model)}
    return {
        "version": "1.0",
        "added_tokens": [_added(item, control) for item in sorted(added, key=lambda item: item["id"])],
        "normalizer": _step(found.get("normalizer")),
        "pre_tokenizer": _step(found.get("pre_tokenizer")),
        "decoder": _step(found.get("decoder"), plain=True),
        "model": _model(model, control),
    }


def _aloof(name: str) -> str:
    return name if name.startswith(_ALOOF) else f"{_ALOOF}{name}{_ALOOF}"


def _is_control(item: dict[str, Any], model: dict[str, Any]) -> bool:
    """Whether a token stands for something that is no text: its file says so, or it was put on top and looks so."""
    if item.get("special"):
        return True
    return model["type"] != "Unigram" and item["content"] not in model["vocab"] and bool(_looks_special(item["content"]))


def _added(item: dict[str, Any], control: dict[str, str]) -> dict[str, Any]:
    flags = {name: bool(item.get(name)) for name in ("single_word", "lstrip", "rstrip", "normalized")}
    content = item["content"]
    return {"id": item["id"], "content": control.get(content, content), "special": content in control, **flags}


def _model(model: dict[str, Any], control: dict[str, str]) -> dict[str, Any]:
    kind = model.get("type") or "BPE"
    if kind not in _KINDS:
        raise KeyError(kind)
    small = {name: value for name, value in model.items() if value not in (None, False, "") and name != "dropout"}
    small["type"] = kind
    if kind == "Unigram":
        small["vocab"] = [[control.get(piece, piece), float(score)] for piece, score in model["vocab"]]
        return small
    small["vocab"] = {control.get(token, token): int(number) for token, number in model["vocab"].items()}
    if "unk_token" in small:
        small["unk_token"] = control.get(small["unk_token"], small["unk_token"])
    if kind == "BPE":
        pairs = [item.split(" ") if isinstance(item, str) else item for item in model["merges"]]
        small["merges"] = [[a, b] for a, b in pairs if not control or control.keys().isdisjoint((a, b, a + b))]
    return small


def _step(step: Any, *, plain: bool = False) -> Any:
    """A normalizer, pre-tokenizer or decoder without the settings that other files of the same leave out.

    ``plain``: it is a decoder, of which no setting of ByteLevel matters.
    """
    if isinstance(step, list):
        return [_step(item, plain=plain) for item in step]
    if not isinstance(step, dict):
        return step
    if step.get("type") == "ByteLevel":
        return _BYTE_LEVEL | ({} if plain else step) | {"type": "ByteLevel", "trim_offsets": False}
    return {name: _step(value, plain=plain) for name, value in step.items()}
