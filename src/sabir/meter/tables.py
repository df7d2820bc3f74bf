"""Vocabularies in files of other forms than ``tokenizer.json``, as one.

``llama.js``: a script with two base64 strings, one of the tokens with line ends between them, one of the merges as pairs
of token numbers of two bytes each, little-endian first. It is SentencePiece's BPE with bytes for unknown characters.
"""

from __future__ import annotations

import base64
import json
import re
import struct
from typing import Any, Final

from sabir.errors import SabirError

_STRING: Final = r'\s*=\s*"([A-Za-z0-9+/=]+)"'
_VOCABULARY: Final = re.compile(f"llama_vocab_base64{_STRING}")
_MERGES: Final = re.compile(f"llama_merges_binary{_STRING}")
_CONTROLS: Final = ("<unk>", "<s>", "</s>")
_FLAGS: Final = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}


def from_script(script: bytes) -> bytes:
    """The ``tokenizer.json`` of a script of the form ``llama.js``.

    Raises:
        SabirError: it is no such script.
    """
    try:
        text = script.decode("utf-8")
        tokens = _strings(_VOCABULARY, text).decode("utf-8").split("\n")
        numbers = [number for (number,) in struct.iter_unpack("<H", _strings(_MERGES, text))]
        merges = [[tokens[a], tokens[b]] for a, b in zip(numbers[::2], numbers[1::2], strict=True)]
        return json.dumps(_tokenizer(tokens, merges)).encode()
    except (ValueError, IndexError, struct.error):
        raise SabirError("the script does not hold a vocabulary and its merges where they were") from None


def _strings(pattern: re.Pattern[str], text: str) -> bytes:
    found = pattern.search(text)
    if found is None:
        raise ValueError
    return base64.b64decode(found[1], validate=True)


def _tokenizer(tokens: list[str], merges: list[list[str]]) -> dict[str, Any]:
    return {
        "version": "1.0",
        "added_tokens": [{"id": tokens.index(name), "content": name, **_FLAGS} for name in _CONTROLS],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "Prepend", "prepend": "▁"},
                {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
            ],
        },
        "pre_tokenizer": None,
        "decoder": {
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
                {"type": "ByteFallback"},
                {"type": "Fuse"},
                {"type": "Strip", "content": " ", "start": 1, "stop": 0},
            ],
        },
        "model": {
            "type": "BPE",
            "unk_token": "<unk>",
            "fuse_unk": True,
            "byte_fallback": True,
            "vocab": {token: number for number, token in enumerate(tokens)},
            "merges": merges,
        },
    }
