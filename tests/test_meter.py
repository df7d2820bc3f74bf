from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir import meter
from sabir.errors import EncodeError, MissingDependency, SabirError
from sabir.meter import catalogue, counters
from sabir.meter.counters import JsonFile, SentencePieceFile, TiktokenFile
from sabir.meter.reduced import MAX_FILE, reduce
from sabir.meter.tables import from_script
from tiny import BPE, BPE_REDUCED, as_json, sentencepiece_model, tiktoken_file

PACKAGED = [item.name for item in catalogue.TOKENIZERS if item.package]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has a cache of its own."""
    monkeypatch.setenv("SABIR_CACHE", str(tmp_path))


@pytest.mark.parametrize("name", PACKAGED)
def test_text_that_looks_special_is_ordinary_text(name: str) -> None:
    """A value with a special token's name is 17 ordinary tokens, and comes back from them."""
    text = 'SLIP v1 a b Fallback "<|endoftext|> seen"'
    assert meter.count(text, name) == len(meter.pieces(text, name)) == 17
    assert "".join(map(str, meter.pieces(text, name))) == text


@pytest.mark.parametrize("text", ["<|im_start|>", "<|im_end|>", "<|eot_id|>", "<|begin_of_text|>", "<|fim_prefix|>", "<think>", "<tool_call>"])
def test_no_special_token_is_called_up_by_its_name(text: str) -> None:
    """The name of a special token is at least three tokens in each vocabulary that comes with the package."""
    assert all(meter.count(text, name) >= 3 for name in PACKAGED)


@pytest.mark.parametrize(
    ("name", "carets", "equals"),
    [("gpt-4o", 25_000, 3_125), ("gpt-4", 50_000, 3_125), ("qwen2.5", 50_000, 3_125), ("llama-3", 50_000, 3_125)],
)
def test_long_runs_are_counted_exactly(name: str, carets: int, equals: int) -> None:
    """A run of 200,000 characters has the number of tokens that the vocabulary's reference gives."""
    assert [meter.count(char * 200_000, name) for char in "^="] == [carets, equals]


@pytest.mark.parametrize("name", PACKAGED)
def test_packaged_vocabularies_are_the_published_ones(name: str) -> None:
    """The hash that a tokenizer is listed with is that of the tokens it really counts with."""
    assert meter.vocabulary_hash(name) == meter.resolve(name)[0].sha256


def test_pieces_are_bytes_where_a_token_is_no_whole_character() -> None:
    """The tokens of an emoji that the vocabulary lacks are shown as the bytes that they are."""
    found = meter.pieces("ok 👽", "gpt-4o")
    assert found == ["ok", b" \xf0\x9f\x91", b"\xbd"]
    assert meter.counter("gpt-4o").decode(meter.counter("gpt-4o").encode("ok 👽")) == "ok 👽"


@pytest.mark.parametrize("name", PACKAGED)
def test_a_lone_surrogate_is_refused(name: str) -> None:
    """What is no character has no tokens: an error that says where it stands."""
    with pytest.raises(EncodeError, match="text: lone surrogate at character 1"):
        meter.count("a\ud800", name)
    with pytest.raises(EncodeError, match="must be text, not bytes"):
        meter.counter(name).encode(b"a")  # type: ignore[arg-type]  # a user's slip


def test_numbers_that_are_no_tokens_are_refused() -> None:
    """Decoding a number beyond the vocabulary is an error of this library."""
    with pytest.raises(SabirError, match="these are no tokens of this vocabulary"):
        meter.counter("gpt-4o").decode([10_000_000])


@given(st.text())
def test_packaged_tokens_join_to_the_text(text: str) -> None:
    """Count, tokens and pieces agree, and the pieces join to the text."""
    tokenizer = meter.counter("gpt-4o")
    found = tokenizer.pieces(text)
    assert len(found) == tokenizer.count(text) == len(tokenizer.encode(text))
    assert b"".join(piece if isinstance(piece, bytes) else piece.encode() for piece in found) == text.encode()


# --- names -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "tokenizer", "exact"),
    [
        ("gpt-4o-mini", "gpt-4o", True),
        ("gpt-4.1", "gpt-4o", True),
        ("o3-mini-2025-01-31", "gpt-4o", True),
        ("o200k_base", "gpt-4o", True),
        ("gpt-4-turbo", "gpt-4", True),
        ("GPT-3.5-Turbo", "gpt-4", True),
        ("openai/gpt-4", "gpt-4", True),
        ("qwen2.5-7b", "qwen2.5", True),
        ("Qwen/Qwen2.5-7B-Instruct", "qwen2.5", True),
        ("qwen3:8b", "qwen3", False),
        ("llama3.1:8b", "llama-3", True),
        ("meta-llama/Llama-3.3-70B-Instruct", "llama-3", True),
        ("meta-llama/Llama-2-7b-hf", "llama-2", True),
        ("claude-2.1", "claude", True),
        ("claude-3-5-sonnet", "claude", False),
        ("gemini-1.5-pro", "gemini", True),
        ("gemini-2.5-flash", "gemini", False),
    ],
)
def test_models_have_their_tokenizer(name: str, tokenizer: str, exact: bool) -> None:  # noqa: FBT001  # a table's column
    """A model's usual name stands for its tokenizer, and an estimate is called one."""
    found, note = meter.resolve(name)
    assert found.name == tokenizer
    assert ("estimate" in note) is not exact or name.startswith("qwen3")


@pytest.mark.parametrize("name", ["gpt4o", "llama-4-scout", "qwen3.5-9b", "o5", "gpt-4o1", "", "gpt-"])
def test_an_unknown_name_is_no_guess(name: str) -> None:
    """A name that only begins like a known one is refused, with all names that there are."""
    with pytest.raises(EncodeError, match=r"there are: gpt-4o, gpt-4, qwen2\.5, qwen3, llama-3, llama-2, claude, gemini"):
        meter.count("x", name)


def test_a_slip_gets_the_closest_names() -> None:
    """A near name is offered."""
    with pytest.raises(EncodeError, match="did you mean gpt-4o"):
        meter.resolve("gpt4o")


def test_the_catalogue_is_complete_and_consistent() -> None:
    """Every tokenizer that is asked for is there with one source and a hash; every model's tokenizer exists."""
    names = [item.name for item in meter.TOKENIZERS]
    assert names == ["gpt-4o", "gpt-4", "qwen2.5", "qwen3", "llama-3", "llama-2", "claude", "gemini"]
    for item in meter.TOKENIZERS:
        assert len(item.sha256) == 64
        assert bool(item.package) is not bool(item.hub)
        assert bool(item.hub) is bool(item.npm)
        assert item.source
        assert item.pattern is None or item.pattern in catalogue.PATTERNS
    assert {model.tokenizer for model in catalogue.MODELS} <= {*names}
    assert len({model.prefix for model in catalogue.MODELS}) == len(catalogue.MODELS)
    assert len(meter.CENSUS) == 6
    assert {*meter.CENSUS} <= {*names}


def test_what_is_absent_is_named_with_the_command_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A vocabulary that was not fetched, and a package that is not installed, each say what to do; the rest goes on."""
    assert [item.name for item in meter.available()] == PACKAGED
    with pytest.raises(MissingDependency, match="not here, or damaged: sabir tokenizers fetch claude"):
        meter.count("x", "claude")
    commands = {item.name: meter.missing(item) for item in meter.TOKENIZERS}
    assert commands["gpt-4o"] is None
    assert commands["gemini"] == "sabir tokenizers fetch gemini"
    monkeypatch.setattr(meter, "find_spec", lambda _: None)
    assert meter.available() == ()
    commands = {item.name: meter.missing(item) for item in meter.TOKENIZERS}
    assert commands["gpt-4o"] == "pip install 'sabir[meter]'"
    assert commands["gemini"] == "pip install 'sabir[tokenizers]'"


def test_without_its_package_a_count_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind of vocabulary names the extra that reads it."""
    meter._packaged.cache_clear()
    for name in ("quicktok", "tokenizers", "tiktoken", "sentencepiece"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingDependency, match=r"quicktok: pip install 'sabir\[meter\]'"):
        meter.count("x")
    makers = (lambda: JsonFile(as_json(BPE)), lambda: TiktokenFile(tiktoken_file(), "."), lambda: SentencePieceFile(b""))
    for make in makers:
        with pytest.raises(MissingDependency, match=r"pip install 'sabir\[tokenizers\]'"):
            make()


def test_sabir_and_its_meter_load_no_optional_package() -> None:
    """Importing the meter loads none of the packages that count, and no HTTP client."""
    script = (
        "import sys, sabir.meter; "
        "sys.exit(bool({'quicktok', 'tokenizers', 'tiktoken', 'sentencepiece', 'urllib.request'} & {*sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = meter.nothing


# --- tokenizer.json --------------------------------------------------------------------------------------


def test_the_reduced_form_is_the_one_written_by_hand() -> None:
    """Templates and limits fall away, pairs become lists, control tokens get names that no text has; twice is once."""
    small = reduce(as_json(BPE))
    assert small.decode() == BPE_REDUCED
    assert reduce(small) == small
    assert JsonFile(as_json(BPE)).sha256 == hashlib.sha256(BPE_REDUCED.encode()).hexdigest()


def test_a_tokenizer_json_counts_special_names_as_text() -> None:
    """<s> is the two tokens "<s" and ">", <tool> is not one token, and the two blanks, which are text, are."""
    tokenizer = JsonFile(as_json(BPE))
    assert tokenizer.encode("<s>aa") == [7, 4, 8]
    assert tokenizer.pieces("<s>aa") == ["<s", ">", "aa"]
    assert tokenizer.encode("a  a") == [5, 10, 5]
    assert 9 not in tokenizer.encode("<tool>")
    assert tokenizer.decode([7, 4, 8]) == "<s>aa"
    assert {"<s", "aa"} <= {*tokenizer.words()}
    assert tokenizer.encode("\U0010ffff<s>\U0010ffff").count(1) == 0


def _variant(**model: object) -> bytes:
    return as_json({**BPE, "model": {**BPE["model"], **model}})


@pytest.mark.parametrize(
    "data",
    [
        _variant(dropout=0.5, byte_fallback=False, continuing_subword_prefix="", end_of_word_suffix=None),
        _variant(merges=[["<", "s"], ["<s", ">"], ["a", "a"]]),
        as_json({**BPE, "post_processor": {"type": "TemplateProcessing"}, "truncation": None}),
        as_json(BPE).replace(b", ", b",\n  "),
    ],
)
def test_files_that_differ_in_what_does_not_count_have_one_hash(data: bytes) -> None:
    """Defaults written out, pairs as lists, templates and layout change nothing."""
    assert reduce(data).decode() == BPE_REDUCED


def test_settings_of_byte_level_count_only_where_they_cut() -> None:
    """Offsets and the decoder's settings fall away; a prefix blank before the text does not."""

    def with_steps(cut: dict[str, object], join: dict[str, object]) -> bytes:
        steps = {"type": "Sequence", "pretokenizers": [{"type": "ByteLevel", **cut}]}
        return reduce(as_json({**BPE, "pre_tokenizer": steps, "decoder": {"type": "ByteLevel", **join}}))

    plain = with_steps({"add_prefix_space": False}, {})
    assert with_steps({"add_prefix_space": False, "trim_offsets": True, "use_regex": True}, {"add_prefix_space": True}) == plain
    assert with_steps({"add_prefix_space": True}, {}) != plain


def test_byte_level_pieces_are_the_bytes() -> None:
    """A ByteLevel vocabulary writes é as two letters; pieces show the character, or the byte of a half."""
    vocabulary = {"Ã": 0, "©": 1, "Ġ": 2, "a": 3, "Ã©": 4}
    data = {
        "added_tokens": [{"id": 5, "content": "日本", "special": False}],
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True},
        "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True},
        "model": {"type": "BPE", "vocab": vocabulary, "merges": [["Ã", "©"]]},
    }
    tokenizer = JsonFile(as_json(data))
    assert tokenizer.pieces("aé a") == ["a", "é", " ", "a"]
    assert tokenizer.pieces("a日本") == ["a", "日本"]
    assert sorted(map(repr, tokenizer.words())) == sorted(map(repr, [b"\xc3", b"\xa9", " ", "a", "é"]))


def test_unigram_models_do_not_call_up_their_control_tokens() -> None:
    """In a Unigram vocabulary </s> has the best score of all; as text it is its letters all the same."""
    pieces = [["<unk>", 0], ["</s>", 0], ["<", -5], ["/", -5], ["s", -5], [">", -5]]
    data = {
        "added_tokens": [{"id": 0, "content": "<unk>", "special": True}, {"id": 1, "content": "</s>", "special": True}],
        "model": {"type": "Unigram", "unk_id": 0, "vocab": pieces},
    }
    assert JsonFile(as_json(data)).encode("</s>") == [2, 3, 4, 5]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "no tokenizer.json"),
        (b"{}", "no tokenizer.json"),
        (b'{"model": {"type": "Rhyme", "vocab": {}}}', "one of the kinds BPE, WordPiece, WordLevel, Unigram"),
        (b'{"model": {"type": "BPE", "vocab": {}}}', "no tokenizer.json"),
        (b'{"model": {"type": "BPE", "vocab": {"\\ud800": 0}, "merges": []}}', "no tokenizer.json"),
        (_variant(merges=["a b c"]), "no tokenizer.json"),
        (as_json(BPE)[:-1] + b', "normalizer": ' + b"[" * 900 + b"]" * 900 + b"}", "no usable|no tokenizer.json|not JSON"),
        (_variant(merges=["a x"]), "no usable tokenizer.json"),
        (b" " * (MAX_FILE + 1), "larger than"),
    ],
)
def test_a_file_that_is_no_tokenizer_json_is_refused(data: bytes, said: str) -> None:
    """Whatever is wrong with a file, the error is this library's and says what is wrong."""
    with pytest.raises(SabirError, match=said):
        JsonFile(data)


def test_a_vocabulary_that_lacks_what_a_text_needs_says_so() -> None:
    """Without a token for unknown words, a text of other words is an error, not a crash."""
    data = as_json({"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "none"}, "pre_tokenizer": {"type": "Whitespace"}})
    assert JsonFile(data).count("a a") == 2
    with pytest.raises(SabirError, match="cannot cut this text"):
        JsonFile(data).count("b")


# --- other files -----------------------------------------------------------------------------------------


def test_a_tiktoken_file_counts_with_its_pattern() -> None:
    """Merges stay inside what the pattern splits; its hash is the file's own."""
    tokenizer = TiktokenFile(tiktoken_file(), r"\w+|\W+")
    assert tokenizer.encode("ababab abé") == [257, 256, 32, 256, 0xC3, 0xA9]
    assert tokenizer.pieces("abé") == ["ab", b"\xc3", b"\xa9"]
    assert tokenizer.decode([257, 32, 256]) == "abab ab"
    assert tokenizer.sha256 == hashlib.sha256(tiktoken_file()).hexdigest()
    assert len([*tokenizer.words()]) == 258
    assert TiktokenFile(tiktoken_file(), ".").count("abab") == 4


@pytest.mark.parametrize(
    ("data", "pattern", "said"),
    [
        (b"YQ== x\n", ".", "line 1 of a .tiktoken file"),
        (b"YQ== 0\n!! 1\n", ".", "line 2 of a .tiktoken file"),
        (b"YQ== 0\nYg== 0\n", ".", "ranks of a .tiktoken file are 0, 1, 2"),
        (b"YQ== 0\nYQ== 1\n", ".", "ranks of a .tiktoken file are 0, 1, 2"),
        (b"YQ== 0\n", ".", "there is none for 0x00"),
        (b"", ".", "there is none for 0x00"),
        (tiktoken_file(), "(", "no usable pattern"),
        (b" " * (MAX_FILE + 1), ".", "larger than"),
    ],
)
def test_a_file_that_is_no_tiktoken_vocabulary_is_refused(data: bytes, pattern: str, said: str) -> None:
    """A vocabulary that could fail on some text is refused when it is read."""
    with pytest.raises(SabirError, match=said):
        TiktokenFile(data, pattern)


def test_a_sentencepiece_model_counts() -> None:
    """Words of its training are few tokens, other characters their bytes, and control names are text."""
    data = sentencepiece_model()
    tokenizer = SentencePieceFile(data)
    assert tokenizer.count("planner") < 4
    assert tokenizer.pieces("é")[1:] == [b"\xc3", b"\xa9"]
    assert len(tokenizer.encode("<s>")) >= 3
    assert tokenizer.decode(tokenizer.encode("planner <s> é")) == "planner <s> é"
    assert tokenizer.sha256 == hashlib.sha256(data).hexdigest()
    assert " planner" in {*tokenizer.words()}
    for bad in (b"no model", b"\x00" * (MAX_FILE + 1)):
        with pytest.raises(SabirError, match=r"no usable SentencePiece model|larger than"):
            SentencePieceFile(bad)


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit, MemoryError])
def test_a_stop_is_not_taken_for_a_fault_of_a_file(stop: type[BaseException]) -> None:
    """What is no fault of an engine passes through."""

    def work() -> int:
        raise stop

    with pytest.raises(stop):
        counters._tried(work, "never said")


# --- scripts that hold a vocabulary ----------------------------------------------------------------------


def test_a_script_becomes_a_tokenizer_json() -> None:
    """Tokens between line ends and merges as pairs of two-byte numbers become a vocabulary that cuts."""
    # tokens: <unk> <s> </s> <0x0A> ▁ a b ab ▁ab; merges: a b, ▁ ab
    script = (
        'const llama_vocab_base64 = "PHVuaz4KPHM+Cjwvcz4KPDB4MEE+CuKWgQphCmIKYWIK4paBYWI=";\n'
        'const llama_merges_binary = "BQAGAAQABwA=";\n'
    )
    tokenizer = JsonFile(from_script(script.encode()))
    assert tokenizer.encode("ab ab") == [8, 8]
    assert tokenizer.pieces("ab ab\n") == [" ab", " ab", "\n"]
    assert tokenizer.decode([8, 8]) == "ab ab"


@pytest.mark.parametrize(
    "script",
    [
        b"",
        b"\xff",
        b'llama_vocab_base64 = "YQ=="; llama_merges_binary = "AAA=";',
        b'llama_vocab_base64 = "YQ=="; llama_merges_binary = "AAAB";',
        b'llama_vocab_base64 = "YQ=="; llama_merges_binary = "AAAJAA==";',
        b'llama_vocab_base64 = "YQ=="; llama_merges_binary = "AAAAAA==";',
    ],
)
def test_a_script_without_a_vocabulary_is_refused(script: bytes) -> None:
    """No strings, an odd number of bytes or numbers, a number without a token, no control tokens: all are named."""
    with pytest.raises(SabirError, match="the script does not hold a vocabulary"):
        from_script(script)
