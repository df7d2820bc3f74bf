"""Small vocabularies of every kind, made here, so that no test needs a network."""

from __future__ import annotations

import base64
import io
import json
from typing import Any

BPE: dict[str, Any] = {
    "version": "1.0",
    "truncation": {"max_length": 8},
    "padding": None,
    "added_tokens": [
        {"id": 0, "content": "<unk>", "special": True, "normalized": False},
        {"id": 1, "content": "<s>", "special": True, "normalized": False},
        {"id": 9, "content": "<tool>", "special": False, "normalized": False},
        {"id": 10, "content": "  ", "special": False, "normalized": False},
    ],
    "normalizer": None,
    "pre_tokenizer": None,
    "post_processor": None,
    "decoder": {"type": "Fuse"},
    "model": {
        "type": "BPE",
        "dropout": None,
        "unk_token": "<unk>",
        "fuse_unk": False,
        "vocab": {"<unk>": 0, "<s>": 1, "<": 2, "s": 3, ">": 4, "a": 5, " ": 6, "<s": 7, "aa": 8},
        "merges": ["< s", ["<s", ">"], "a a"],
    },
}
"""Characters < s > a and the blank, with merges; <s> is special, <tool> a control token put on top, two blanks one token."""

BPE_REDUCED = (
    '{"added_tokens":['
    '{"content":"\U0010ffff<unk>\U0010ffff","id":0,"lstrip":false,"normalized":false,"rstrip":false,"single_word":false,"special":true},'
    '{"content":"\U0010ffff<s>\U0010ffff","id":1,"lstrip":false,"normalized":false,"rstrip":false,"single_word":false,"special":true},'
    '{"content":"\U0010ffff<tool>\U0010ffff","id":9,"lstrip":false,"normalized":false,"rstrip":false,"single_word":false,"special":true},'
    '{"content":"  ","id":10,"lstrip":false,"normalized":false,"rstrip":false,"single_word":false,"special":false}],'
    '"decoder":{"type":"Fuse"},'
    '"model":{"merges":[["<","s"],["a","a"]],"type":"BPE","unk_token":"\U0010ffff<unk>\U0010ffff",'
    '"vocab":{" ":6,"<":2,"<s":7,">":4,"a":5,"aa":8,"s":3,"\U0010ffff<s>\U0010ffff":1,"\U0010ffff<unk>\U0010ffff":0}},'
    '"normalizer":null,"pre_tokenizer":null,"version":"1.0"}'
)
"""The same by the rules of `sabir.meter.reduced`, written by hand."""


def as_json(tokenizer: dict[str, Any]) -> bytes:
    """A tokenizer's file."""
    return json.dumps(tokenizer).encode()


def tiktoken_file() -> bytes:
    """The 256 bytes, then ``ab`` and ``abab``."""
    tokens = [*(bytes([byte]) for byte in range(256)), b"ab", b"abab"]
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))


def sentencepiece_model() -> bytes:
    """A byte-pair model of 300 pieces, bytes for unknown characters, trained on a few words."""
    import sentencepiece

    words = ["planner executor request review commit", "planner planned a plan for the executor"] * 20
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(words),
        model_writer=model,
        model_type="bpe",
        vocab_size=300,
        byte_fallback=True,
        minloglevel=2,
        num_threads=1,
    )
    return model.getvalue()
