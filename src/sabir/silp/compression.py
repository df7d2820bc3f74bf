"""The sentence compressed by LLMLingua-2, SILP's lossy control baseline (draft, section 4.5). Compiled only.

A model says of each word how much it matters, and the least are dropped: negations and names among them, so nothing
that must be understood exactly may be sent so (8.5). The package and its model are loaded when the first message is
written, and the model is fetched from the hub once, where it is neither a folder nor in the hub's cache.
"""

from __future__ import annotations

import contextlib
import functools
import math
import os
import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from sabir.errors import EncodeError, MissingDependency, SabirError, printable, shown
from sabir.silp.prose import natural

if TYPE_CHECKING:
    from sabir.silp.ir import SilpIR

MODEL: Final = "microsoft/llmlingua-2-xlm-roberta-large-meetingbank"
"""The model that the draft names. ``microsoft/llmlingua-2-bert-base-multilingual-cased-meetingbank`` is a third of its size."""
RATE: Final = 0.5
"""Share of the tokens that stay (draft, section 4.5)."""
MIN_RATE: Final = 0.01
MODEL_VARIABLE: Final = "SABIR_LLMLINGUA_MODEL"
"""Environment variable with another model's name on the hub, or a local folder."""
RATE_VARIABLE: Final = "SABIR_LLMLINGUA_RATE"
"""Environment variable with another rate."""
PAUSE: Final = 60.0
"""Seconds after which a model that could not be fetched is asked for again."""

# The package tells the families of models apart by these names in the model's own.
_FAMILIES: Final = {"xlm-roberta": "xlm-roberta-large", "bert": "bert-base-multilingual-cased"}
_MOST_KEPT: Final = 100  # words that the package can be told to keep
_WINDOW: Final = 500  # tokens; the package's own limit is 510, and marks for kept words may cut a word anew
_SIGN: Final = re.compile(r"[!-@\[-`{-~]")  # ASCII that is no letter
_SPACES: Final = re.compile(r" {2,}")

_one_at_a_time: Final = threading.Lock()  # the package's tokenizers are not made for threads
_loaded: Final[dict[str, Any]] = {}
_failed: Final[dict[str, tuple[float, str]]] = {}


def llmlingua2(ir: SilpIR, *, rate: float | None = None, model: str | None = None, keep: bool = True) -> str:
    """What LLMLingua-2 leaves of the IR's English sentence, each time the same.

    Args:
        ir: what to say.
        rate: share of the tokens that stay, 0.01 to 1; without it ``$SABIR_LLMLINGUA_RATE``, else 0.5.
        model: name on the hub, or a folder; without it ``$SABIR_LLMLINGUA_MODEL``, else `MODEL`.
        keep: words with a digit or an ASCII sign in them (``auth_module``, ``t+1``) stay whole, at most 100 of them.
            Without it the package is called as the draft does: with the rate alone.

    Raises:
        EncodeError: the IR was built past the checks of its class, or the rate is none, or nothing is left of the sentence.
        MissingDependency: the package is not installed, or the model is not here and cannot be fetched.
        SabirError: the model is no model of LLMLingua-2, or cannot be loaded, or ``$SABIR_LLMLINGUA_RATE`` is no rate.
    """
    sentence = natural(ir)
    share = _rate(rate)
    kept = _marked(sentence) if keep else []
    package, transformers, torch = (_package(name) for name in ("llmlingua", "transformers", "torch"))
    with _one_at_a_time, _undisturbed(torch, transformers.utils.logging):
        found = _compressor(model or os.environ.get(MODEL_VARIABLE) or MODEL, package, transformers)
        try:
            pieces, longest = _pieces(sentence, found.tokenizer.tokenize)
            found.max_seq_len = min(longest + len(kept) + 16, 512)  # to which it pads: 512 tokens take 7 times as long
            done = found.compress_prompt_llmlingua2(pieces, rate=share, force_tokens=kept, force_reserve_digit=keep)
        except Exception as error:  # noqa: BLE001  # whatever a model and its tokenizer raise
            raise EncodeError(f"LLMLingua-2 cannot compress this sentence: {_line(error)}") from None
    text = _SPACES.sub(" ", " ".join(done["compressed_prompt_list"])).strip()
    if not text:
        raise EncodeError(f"LLMLingua-2 leaves nothing of this sentence at the rate {share:g}")
    return text


def _rate(rate: Any) -> float:
    if rate is not None:
        if isinstance(rate, bool) or not isinstance(rate, int | float) or not MIN_RATE <= rate <= 1:
            raise EncodeError(f"a rate is a number from {MIN_RATE} to 1, not {shown(rate)}", "rate")
        return float(rate)
    text = os.environ.get(RATE_VARIABLE)
    if not text:
        return RATE
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not MIN_RATE <= found <= 1:
        raise SabirError(f"{RATE_VARIABLE} is a number from {MIN_RATE} to 1, not {shown(text)}")
    return found


def _marked(sentence: str) -> list[str]:
    """Words to keep whole, each with the space before it: without that, the package glues it to the word before.

    The longest come first, since the package puts marks in their place one after the other, inside others, too.
    """
    if "[NEW" in sentence:  # looks like one of those marks, and would come back as another word
        return []
    words = {word.rstrip('.,;:"') for word in sentence.split(" ")[1:]}
    found = [f" {word}" for word in words if _SIGN.search(word.lstrip('"'))]
    return sorted(found, key=lambda word: (-len(word), word))[:_MOST_KEPT]


def _pieces(sentence: str, tokens: Callable[[str], list[str]]) -> tuple[list[str], int]:
    """A sentence in pieces that the model sees whole, and the tokens of the longest.

    The package by itself would cut inside words and glue its pieces.
    """
    pieces, sizes = [""], [0]
    for word in sentence.split(" "):
        length = len(tokens(word))
        if sizes[-1] and sizes[-1] + length > _WINDOW:
            pieces.append("")
            sizes.append(0)
        pieces[-1] += f" {word}"
        sizes[-1] += length
    return pieces, max(sizes)


# --- the model -------------------------------------------------------------------------------------------


def _compressor(model: str, package: Any, transformers: Any) -> Any:
    """The one that is loaded, else a new one in its place: a model takes up to 2 GB."""
    if model not in _loaded:
        when, reason = _failed.get(model, (-math.inf, ""))
        if time.monotonic() - when < PAUSE:  # without a network, each try takes half a minute
            raise MissingDependency(reason)
        found = _load(model, package, transformers)
        _loaded.clear()
        _loaded[model] = found
    return _loaded[model]


def _load(model: str, package: Any, transformers: Any) -> Any:
    reason = ""
    for offline in (True, False):  # so that the network is asked only for what is not here
        try:
            return _made(package, transformers, model, offline=offline)
        except SabirError:
            raise
        except OSError as error:
            reason = _line(error)
        except Exception as error:  # noqa: BLE001  # whatever a damaged file makes the loaders raise
            raise SabirError(printable(f'the model "{model}" cannot be loaded: {_line(error)}')) from None
    reason = printable(
        f'the model "{model}" is not here and cannot be fetched: {reason} '
        f"(${MODEL_VARIABLE} names another model, or a local folder)"
    )
    _failed[model] = time.monotonic(), reason
    raise MissingDependency(reason)


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingDependency(f"silp-llmlingua2 needs {error.name or name}: pip install 'sabir[llmlingua]'") from None


def _made(package: Any, transformers: Any, model: str, *, offline: bool) -> Any:
    options = {"trust_remote_code": False, "local_files_only": offline}  # the package trusts by default
    config = transformers.AutoConfig.from_pretrained(model, **options)
    family = _FAMILIES.get(config.model_type)
    kinds = config.architectures or ["no architecture"]
    if not family or not any("ForTokenClassification" in kind for kind in kinds) or config.num_labels != 2:
        raise SabirError(
            printable(
                f'the model "{model}" is none of LLMLingua-2: that sorts tokens in two by XLM-RoBERTa or BERT, not '
                f"{', '.join(kinds)} with {config.num_labels} labels"
            )
        )
    from sabir.meter import counter  # noqa: PLC0415  # only where this form is written

    # Its constructor fetches the vocabulary that it weighs words by, refuses text that looks like a special token,
    # and wants the family in the model's name. What else it does are these two calls.
    made = package.PromptCompressor.__new__(package.PromptCompressor)
    made.oai_tokenizer = counter("gpt-3.5-turbo")
    made.model_name = family
    made.load_model(model, "cpu", options)  # a graphics card's figures may differ from run to run
    # The rows of its marks are drawn as they were when the package was made; as they are drawn now, it takes 6 s more.
    made.model.resize_token_embeddings = functools.partial(made.model.resize_token_embeddings, mean_resizing=False)
    made.init_llmlingua2()
    return made


@contextlib.contextmanager
def _undisturbed(torch: Any, logging: Any) -> Iterator[None]:
    """Loading seeds every random generator, fixes the hash seed of later processes and talks; compressing draws: undo that."""
    numpy, cudnn = _package("numpy"), torch.backends.cudnn
    states = random.getstate(), numpy.random.get_state(), cudnn.deterministic, cudnn.benchmark
    seed = os.environ.get("PYTHONHASHSEED")
    loud, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    if not os.isatty(2):
        logging.disable_progress_bar()
    try:
        with torch.random.fork_rng(devices=range(torch.cuda.device_count())):
            yield
    finally:
        random.setstate(states[0])
        numpy.random.set_state(states[1])
        cudnn.deterministic, cudnn.benchmark = states[2:]
        os.environ.pop("PYTHONHASHSEED", None)
        if seed is not None:
            os.environ["PYTHONHASHSEED"] = seed
        logging.set_verbosity(loud)
        if bars:
            logging.enable_progress_bar()


def _line(error: Exception) -> str:
    """First line of an error's text."""
    return next(iter(str(error).splitlines()), type(error).__name__)
