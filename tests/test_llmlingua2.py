"""The compressed baseline: our side with a stand-in for the package, and the package itself on tiny models where it is installed."""

from __future__ import annotations

import contextlib
import json
import os
import random
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

import sabir
from sabir import meter
from sabir.errors import EncodeError, MissingDependency, SabirError, TranslationError
from sabir.silp import compression
from sabir.silp.compression import MODEL, MODEL_VARIABLE, RATE_VARIABLE, llmlingua2

RAIN: Final = "if !rain(t+1): start(hike) else: start(cards@indoor)"
SENTENCE: Final = "If not rain at t+1, start hike otherwise start cards at indoor."


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is loaded, nothing has failed, and no setting comes from outside."""
    monkeypatch.setattr(compression, "_loaded", {})
    monkeypatch.setattr(compression, "_failed", {})
    monkeypatch.delenv(MODEL_VARIABLE, raising=False)
    monkeypatch.delenv(RATE_VARIABLE, raising=False)


def ir(text: str = RAIN) -> sabir.SilpIR:
    """The IR of a text in SILP's code."""
    return sabir.to_ir(sabir.decode(text, "silp-code"))


# --- with a stand-in -------------------------------------------------------------------------------------


class World:
    """Stand-ins for the packages: what is on this machine and on the hub, and all that was asked for."""

    def __init__(self) -> None:
        self.local: dict[str, Any] = {MODEL: self.config()}
        self.hub: dict[str, Any] = {}
        self.asked: list[tuple[str, bool]] = []
        self.loads: list[tuple[str, str, bool]] = []
        self.calls: list[tuple[list[str], dict[str, Any]]] = []
        self.windows: list[int] = []
        self.answer: Callable[[str], str] = lambda text: text.upper()
        self.fault: Exception | None = None
        self.level, self.bars, self.seen_bars = 30, True, True
        self.cudnn = SimpleNamespace(deterministic=False, benchmark=True)

    @staticmethod
    def config(type: str = "xlm-roberta", kind: str | None = "XLMRobertaForTokenClassification", labels: int = 2) -> Any:
        """A model's configuration."""
        return SimpleNamespace(model_type=type, architectures=[kind] if kind else None, num_labels=labels)

    def from_pretrained(self, name: str, *, trust_remote_code: bool, local_files_only: bool) -> Any:
        """The configuration, from here or from the hub."""
        assert not trust_remote_code
        self.asked.append((name, local_files_only))
        found = self.local if local_files_only else self.hub
        if name not in found:
            raise OSError(f"no {name}\x07\nand a second line")
        return found[name]

    def modules(self) -> dict[str, Any]:
        """The packages, by name."""
        world = self

        class PromptCompressor:
            model_name: str
            oai_tokenizer: Any
            max_seq_len = 512
            model: Any
            tokenizer = SimpleNamespace(tokenize=list)

            def __init__(self) -> None:
                raise AssertionError("the constructor asks the network")

            def load_model(self, name: str, device: str, options: dict[str, Any]) -> None:
                world.loads.append((name, device, options["local_files_only"]))
                assert options["trust_remote_code"] is False
                if world.fault:
                    raise world.fault
                self.model = SimpleNamespace(resize_token_embeddings=lambda size, *, mean_resizing: (size, mean_resizing))

            def init_llmlingua2(self) -> None:
                import numpy as np

                assert self.model.resize_token_embeddings(107) == (107, False)
                random.seed(42)
                np.random.seed(42)  # noqa: NPY002  # as the package does
                os.environ["PYTHONHASHSEED"] = "42"
                world.cudnn.deterministic, world.cudnn.benchmark = True, False
                world.seen_bars = world.bars

            def compress_prompt_llmlingua2(self, texts: list[str], **options: Any) -> dict[str, list[str]]:
                assert self.model_name in {"xlm-roberta-large", "bert-base-multilingual-cased"}
                assert self.oai_tokenizer.encode("<|endoftext|>")
                assert max(map(len, texts)) + 2 <= self.max_seq_len or self.max_seq_len == 512
                world.windows.append(self.max_seq_len)
                world.calls.append((texts, options))
                return {"compressed_prompt_list": [world.answer(text) for text in texts]}

        logging = SimpleNamespace(
            get_verbosity=lambda: self.level,
            set_verbosity=lambda level: setattr(self, "level", level),
            set_verbosity_error=lambda: setattr(self, "level", 40),
            is_progress_bar_enabled=lambda: self.bars,
            enable_progress_bar=lambda: setattr(self, "bars", True),
            disable_progress_bar=lambda: setattr(self, "bars", False),
        )
        return {
            "llmlingua": SimpleNamespace(PromptCompressor=PromptCompressor),
            "transformers": SimpleNamespace(AutoConfig=self, utils=SimpleNamespace(logging=logging)),
            "torch": SimpleNamespace(
                backends=SimpleNamespace(cudnn=self.cudnn),
                cuda=SimpleNamespace(device_count=lambda: 0),
                random=SimpleNamespace(fork_rng=lambda devices: contextlib.nullcontext([*devices])),
            ),
        }


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """Packages that are not there, for as long as a test."""
    pytest.importorskip("numpy")
    pytest.importorskip("quicktok")
    found = World()
    for name, module in found.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    return found


def test_the_natural_sentence_is_what_is_compressed(world: World) -> None:
    """The natural frontend's output at the rate 0.5, by the draft's model (4.5); words with signs and digits are to be kept."""
    assert sabir.encode(ir(), "silp-llmlingua2") == SENTENCE.upper()
    done = sabir.translate(">GEN:START #hike", "silp-llmlingua2")
    assert (done.text, done.lossless, done.target) == ("START HIKE.", False, "silp-llmlingua2")
    options = {"rate": 0.5, "force_tokens": [" t+1"], "force_reserve_digit": True}
    assert world.calls == [([f" {SENTENCE}"], options), ([" Start hike."], options | {"force_tokens": []})]
    assert world.loads == [("microsoft/llmlingua-2-xlm-roberta-large-meetingbank", "cpu", True)]


def test_the_draft_s_bare_call_can_be_had(world: World) -> None:
    """Nothing is to be kept then."""
    llmlingua2(ir(), keep=False, rate=1)
    assert world.calls == [([f" {SENTENCE}"], {"rate": 1.0, "force_tokens": [], "force_reserve_digit": False})]


KEPT: Final = [
    ("review(auth_module,ip=192.168.0.1,at=ctx1,on=ctx10)", [" 192.168.0.1", " auth_module", " ctx10", " ctx1"]),
    ('note("b c,d_e")', [" c,d_e"]),
    ('note("plain, words; only")', []),
    ("note(データ,x)", []),
    ("note(/etc/hosts,-)", [" /etc/hosts", " -"]),
    ('note("[NEW3]",x_1)', []),
    (f"note({','.join(f'x{number}' for number in range(1000, 1150))})", [f" x{number}" for number in range(1000, 1100)]),
]


@pytest.mark.parametrize(("text", "kept"), KEPT, ids=[text[:30] for text, _ in KEPT])
def test_words_with_a_digit_or_a_sign_are_to_be_kept(world: World, text: str, kept: list[str]) -> None:
    """Each with its space, the longest first, a hundred at most; none where a text looks like the package's own marks."""
    llmlingua2(ir(text))
    assert world.calls[0][1]["force_tokens"] == kept


def test_a_long_sentence_goes_in_pieces_that_the_model_sees_whole(world: World) -> None:
    """Words are cut nowhere and glued nowhere; one that is longer than the window stands alone."""
    long = "x" * 501
    llmlingua2(ir(f"note({'a' * 240},{'b' * 250},{long},c,{long})"))
    commas = [f" Note {'a' * 240}, {'b' * 250},", f" {long},", " c and", f" {long}."]
    assert world.calls[0][0] == commas
    assert llmlingua2(ir(f"note({'a' * 240},{'b' * 250},c)")) == f"NOTE {'A' * 240}, {'B' * 250} AND C."
    llmlingua2(ir("start(hike)"))
    assert world.windows == [512, 512, 26], "the model is padded to 16 more than the ten letters, not to its own window"


def test_the_rate_is_an_argument_or_a_setting(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """An argument wins over the environment, an empty setting is none."""
    for setting, argument in (("0.3", None), ("0.3", 0.7), ("", None), ("1", None), ("0.3", 0.01)):
        monkeypatch.setenv(RATE_VARIABLE, setting)
        llmlingua2(ir(), rate=argument)
    assert [options["rate"] for _, options in world.calls] == [0.3, 0.7, 0.5, 1.0, 0.01]


@pytest.mark.parametrize("rate", [0, 1.01, -0.5, True, "0.5", float("nan"), float("inf"), 10**400])
def test_what_is_no_rate_is_refused(rate: Any) -> None:
    """As an argument with its path, before anything is loaded."""
    with pytest.raises(EncodeError, match=r"rate: a rate is a number from 0.01 to 1, not "):
        llmlingua2(ir(), rate=rate)


@pytest.mark.parametrize("setting", ["half", "0", "1.5", "nan", "50 %"])
def test_a_setting_that_is_no_rate_is_named(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the setting's fault, not the message's."""
    monkeypatch.setenv(RATE_VARIABLE, setting)
    with pytest.raises(SabirError, match=r"SABIR_LLMLINGUA_RATE is a number from 0.01 to 1") as caught:
        sabir.translate(RAIN, "silp-llmlingua2")
    assert type(caught.value) is SabirError


def test_the_model_is_an_argument_or_a_setting_and_loaded_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same model serves all messages; another takes its place."""
    world.local |= {"/own": World.config("bert", "BertForTokenClassification"), "other/name": World.config()}
    monkeypatch.setenv(MODEL_VARIABLE, "/own")
    for argument in (None, None, "other/name", "other/name", None):
        llmlingua2(ir(), model=argument)
    assert [name for name, _, _ in world.loads] == ["/own", "other/name", "/own"]


def test_threads_share_one_model(world: World) -> None:
    """However many write at once, it is loaded once."""
    threads = [threading.Thread(target=llmlingua2, args=(ir(),)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(world.loads), len(world.calls)) == (1, 8)


def test_the_hub_is_asked_only_for_what_is_not_here(world: World) -> None:
    """First this machine, then the hub; where neither has it, the way out is said."""
    world.local.clear()
    world.hub[MODEL] = World.config()
    llmlingua2(ir())
    assert world.asked == [(MODEL, True), (MODEL, False)]
    assert world.loads == [(MODEL, "cpu", False)]


def test_a_model_that_cannot_be_fetched_is_named(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked for again only after a pause, for each try may take long; and then it may be there."""
    world.local.clear()
    now = [1000.0]
    monkeypatch.setattr("sabir.silp.compression.time.monotonic", lambda: now[0])
    says = rf'the model "{MODEL}" is not here and cannot be fetched: no {MODEL}\\u0007 \(\$SABIR_LLMLINGUA_MODEL names'
    for elapsed, tries in ((0, 2), (59, 2), (2, 4)):
        now[0] += elapsed
        with pytest.raises(MissingDependency, match=says):
            sabir.translate(RAIN, "silp-llmlingua2")
        assert len(world.asked) == tries
    world.hub[MODEL] = World.config()
    now[0] += 61
    assert sabir.translate(RAIN, "silp-llmlingua2").text == SENTENCE.upper()


WRONG: Final = [
    (World.config("gpt2", "GPT2LMHeadModel"), "GPT2LMHeadModel with 2 labels"),
    (World.config("bert", "BertForMaskedLM"), "BertForMaskedLM"),
    (World.config("bert", None), "no architecture"),
    (World.config("xlm-roberta", labels=9), "with 9 labels"),
    (World.config("deberta-v2", "DebertaV2ForTokenClassification"), "DebertaV2ForTokenClassification"),
]


@pytest.mark.parametrize(("config", "says"), WRONG, ids=[says for _, says in WRONG])
def test_a_model_of_another_kind_is_refused(world: World, config: Any, says: str) -> None:
    """Its configuration tells, before any weights are loaded."""
    world.local["a/b"] = config
    with pytest.raises(SabirError, match=rf'the model "a/b" is none of LLMLingua-2: .*{says}') as caught:
        llmlingua2(ir(), model="a/b")
    assert type(caught.value) is SabirError
    assert world.loads == []


def test_a_damaged_model_is_named(world: World) -> None:
    """Whatever its loader raises."""
    world.fault = ValueError("header too large\nand more")
    with pytest.raises(SabirError, match=r"cannot be loaded: header too large$"):
        llmlingua2(ir())
    world.fault = RuntimeError()
    with pytest.raises(SabirError, match=r"cannot be loaded: RuntimeError$"):
        llmlingua2(ir())


@pytest.mark.parametrize("seed", [None, "0"])
@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("bars", [True, False])
def test_loading_leaves_no_trace(
    world: World, seed: str | None, monkeypatch: pytest.MonkeyPatch, *, terminal: bool, bars: bool
) -> None:
    """Random numbers, hashes of later processes, other models and logs are as before; bars are shown on a terminal alone."""
    import numpy as np

    if seed is None:
        monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    else:
        monkeypatch.setenv("PYTHONHASHSEED", seed)
    monkeypatch.setattr("sabir.silp.compression.os.isatty", lambda _: terminal)
    world.bars = bars
    before = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]  # noqa: NPY002  # the one that the package seeds
    llmlingua2(ir())
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # type: ignore[index]  # noqa: NPY002  # as above
    assert os.environ.get("PYTHONHASHSEED") == seed
    assert (world.cudnn.deterministic, world.cudnn.benchmark) == (False, True)
    assert (world.level, world.bars, world.seen_bars) == (30, bars, bars and terminal)


def test_what_the_compressor_breaks_on_is_the_message_s_fault(world: World) -> None:
    """Its errors, and an answer without a word, are errors of the library; runs of spaces are one."""
    world.answer = lambda _: "  start  a b "
    assert llmlingua2(ir()) == "start a b"
    world.answer = lambda _: " "
    with pytest.raises(TranslationError, match=r"silp-llmlingua2 cannot hold this message: LLMLingua-2 leaves nothing .* 0.5$"):
        sabir.translate(RAIN, "silp-llmlingua2")

    def fail(_: str) -> str:
        raise IndexError("index out of range")

    world.answer = fail
    with pytest.raises(EncodeError, match="cannot compress this sentence: index out of range"):
        sabir.encode(ir(), "silp-llmlingua2")


# --- without the package ---------------------------------------------------------------------------------


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without the package."""
    monkeypatch.setitem(sys.modules, "llmlingua", None)


@pytest.mark.usefixtures("bare")
def test_without_the_package_it_says_how_to_get_it() -> None:
    """Writing the form is a MissingDependency; a comparison that asks for it says the same, and it is never the cheapest."""
    says = "silp-llmlingua2 needs llmlingua: pip install 'sabir[llmlingua]'"
    for write in (lambda: sabir.encode(ir(), "silp-llmlingua2"), lambda: sabir.translate("s4x9", "silp-llmlingua2")):
        with pytest.raises(MissingDependency) as caught:
            write()
        assert str(caught.value) == says
    assert "silp-llmlingua2" not in {form.format for form in meter.compare("s4x9", [])}
    forms = {form.format: form for form in meter.compare("s4x9", [], among=[format.name for format in sabir.formats()])}
    assert forms["silp-llmlingua2"] == meter.forms.Form("silp-llmlingua2", "", lossless=False, tokens={}, refused=says)
    assert {name for name, form in forms.items() if form.refused} == {"silp-llmlingua2"}
    with pytest.raises(TranslationError, match="silp-llmlingua2: silp-llmlingua2 needs llmlingua"):
        meter.cheapest("s4x9", among=["silp-llmlingua2"])


@pytest.mark.usefixtures("bare")
def test_the_command_line_goes_on_without_the_package() -> None:
    """`compare --all` shows the form as refused with the reason, `formats` as one that compiles only; `translate` leaves with 3."""
    from click.testing import CliRunner

    from sabir.cli import cli

    assert "silp-llmlingua2" not in CliRunner().invoke(cli, ["compare", "s4x9"]).stdout
    shown = CliRunner().invoke(cli, ["compare", "--json", "--all", "s4x9"]).stdout
    rows = [json.loads(line) for line in shown.splitlines()]
    [row] = [row for row in rows if row["format"] == "silp-llmlingua2"]
    assert (row["text"], row["lossless"], row["tokens"]) == (None, False, {})
    assert row["how"] == "silp-llmlingua2 needs llmlingua: pip install 'sabir[llmlingua]'"
    shown = CliRunner().invoke(cli, ["formats"]).stdout
    assert any("silp-llmlingua2" in line and "compiles only" in line for line in shown.splitlines())
    done = CliRunner().invoke(cli, ["translate", "--to", "silp-llmlingua2", "s4x9"])
    assert isinstance(done.exception, MissingDependency)


def test_a_broken_message_is_told_first() -> None:
    """What no format can write is refused as by the others, whether the package is here or not."""
    broken: Any = sabir.SilpIR.model_construct(intent="!A", entities=["x"], constraints=[], alternatives=[], meta=None)
    wrongs: list[Any] = [broken, "start()", None]
    for wrong in wrongs:
        with pytest.raises(EncodeError):
            llmlingua2(wrong)


# --- the package itself ----------------------------------------------------------------------------------

WORDS: Final = ["If", "not", "rain", "at", "start", "hike", "otherwise", "cards", "indoor", "Review", "and", "seen"]
MATTER: Final = {"rain", "hike", "cards", "auth"}
"""The words that the tiny models are sure of; all others matter as little as each other."""
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzNEW0123456789"


def _bert(folder: Path, transformers: Any) -> tuple[list[str], Any]:
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, "auth", "module", *".,_+|<>-", *_LETTERS]
    words += [f"##{letter}" for letter in _LETTERS]
    (folder / "vocab.txt").write_text("".join(f"{word}\n" for word in words), "utf-8")
    transformers.BertTokenizerFast.from_pretrained(folder, do_lower_case=False).save_pretrained(folder)
    return words, transformers.BertConfig(vocab_size=len(words), max_position_embeddings=512, **_SIZES)


def _roberta(folder: Path, transformers: Any) -> tuple[list[str], Any]:
    words = [*(f"▁{word}" for word in [*WORDS, "auth"]), "module", "▁", *".,_+|<>-", *_LETTERS]
    pieces = [(name, 0.0) for name in ("<s>", "<pad>", "</s>", "<unk>")]
    pieces += [(word, -10.0 if len(word) == 1 else -2.0) for word in words]
    transformers.XLMRobertaTokenizer(vocab=[*pieces, ("<mask>", 0.0)]).save_pretrained(folder)
    names = [*(name for name, _ in pieces), "<mask>"]
    settings = {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2, "max_position_embeddings": 514}
    return names, transformers.XLMRobertaConfig(vocab_size=len(names), **settings, **_SIZES)


_SIZES: Final = {"hidden_size": 4, "num_hidden_layers": 0, "num_attention_heads": 1, "intermediate_size": 4, "num_labels": 2}


def _sure(words: list[str], config: Any, folder: Path, transformers: Any, torch: Any) -> None:
    """A model without layers that finds a token worth keeping by the token alone."""
    model = transformers.AutoModelForTokenClassification.from_config(config)
    with torch.no_grad():
        for weight in model.parameters():
            weight.zero_()
        inner = getattr(model, config.model_type.replace("xlm-", "")).embeddings
        inner.LayerNorm.weight.fill_(1)
        for number, word in enumerate(words):
            worth = 3.0 if word.strip("▁") in MATTER else -3.0
            inner.word_embeddings.weight[number] = torch.tensor([worth, -worth, 1.0, -1.0])
        model.classifier.weight[1, 0] = 5.0
    model.save_pretrained(folder)


@pytest.fixture(scope="session", params=["bert", "xlm-roberta"])
def tiny(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny model of each family, in a folder whose name does not tell."""
    pytest.importorskip("llmlingua", reason="the package llmlingua is not installed", exc_type=ImportError)
    transformers, torch = pytest.importorskip("transformers"), pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("model")
    words, config = (_bert if request.param == "bert" else _roberta)(folder, transformers)
    _sure(words, config, folder, transformers, torch)
    return folder


real = pytest.mark.filterwarnings("ignore")  # those packages' own


@real
def test_the_package_keeps_what_matters_and_what_has_signs(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a model whose mind is known: three words matter, the time stays by its signs; the negation is lost, as the draft warns."""
    monkeypatch.setenv(MODEL_VARIABLE, str(tiny))
    assert sabir.translate(RAIN, "silp-llmlingua2").text == "rain t+1 hike cards"
    assert llmlingua2(ir(), keep=False) == "rain hike cards"
    text = llmlingua2(ir("review(auth_module,ctx1,ctx10,ip=192.168.0.1)"))
    assert text == "auth_module ctx1 ctx10 192.168.0.1"


@real
def test_the_package_takes_text_that_looks_special(tiny: Path) -> None:
    """Names of special tokens are text, marks of the package's own put no other word in their place."""
    text = ir('review("<|endoftext|>",hike)')
    assert llmlingua2(text, model=str(tiny), rate=0.9) == "<|endoftext|> hike"
    assert llmlingua2(text, model=str(tiny)) == "<|endoftext|>", "what is kept counts: more than half of the tokens"
    marked = llmlingua2(ir('review("[NEW0]",a_1,hike)'), model=str(tiny), rate=0.9)
    assert "a_1" not in marked
    assert marked.endswith("hike")


@real
def test_the_package_answers_the_same_again(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that is loaded anew says the same, whatever random numbers were drawn before."""
    texts = []
    for seed in (1, 2):
        monkeypatch.setattr(compression, "_loaded", {})
        random.seed(seed)
        sys.modules["torch"].manual_seed(seed)
        texts.append([llmlingua2(ir(text), model=str(tiny)) for text in (RAIN, "review(auth_module,hike_2,start)")])
    assert texts[0] == texts[1]


@real
def test_loading_the_package_s_model_leaves_no_trace(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The generators go on as if nothing had been loaded."""
    torch, numpy = sys.modules["torch"], sys.modules["numpy"]
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    drawn = []
    for load in (False, True):
        random.seed(7)
        numpy.random.seed(7)
        torch.manual_seed(7)
        if load:
            llmlingua2(ir(), model=str(tiny))
        drawn.append((random.random(), numpy.random.rand(), torch.rand(1).item()))  # noqa: S311  # no secret
    assert drawn[0] == drawn[1]
    assert "PYTHONHASHSEED" not in os.environ


@real
def test_the_package_takes_long_sentences(tiny: Path) -> None:
    """A sentence of several times the model's window loses none of its words that matter."""
    text = llmlingua2(ir(f"review({','.join(['hike', 'seen', 'indoor'] * 400)})"), model=str(tiny))
    assert text == " ".join(["hike"] * 400)


@real
def test_a_folder_that_is_damaged_empty_or_another_model_is_named(tiny: Path, tmp_path: Path) -> None:
    """The weights cut short, no files at all, another architecture: each its own error."""
    with pytest.raises(MissingDependency, match="is not here and cannot be fetched"):
        llmlingua2(ir(), model=str(tmp_path / "nothing"))
    for path in tiny.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"short")
    with pytest.raises(SabirError, match="cannot be loaded"):
        llmlingua2(ir(), model=str(tmp_path))
    settings = json.loads((tmp_path / "config.json").read_text("utf-8"))
    (tmp_path / "config.json").write_text(json.dumps(settings | {"architectures": ["BertForMaskedLM"]}), "utf-8")
    with pytest.raises(SabirError, match=r"is none of LLMLingua-2: .* not BertForMaskedLM"):
        llmlingua2(ir(), model=str(tmp_path))
