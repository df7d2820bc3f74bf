"""Real token counts. Text that looks like a special token is ordinary text and counts as such.

Some vocabularies come with the package `quicktok-v1` (extra ``meter``), some are fetched once into the user's cache
(``sabir tokenizers fetch``) and read with the extra ``tokenizers``, and users add their own. Each is named with its
source and the SHA-256 of its vocabulary, so that anybody can check what was counted with.
"""

from __future__ import annotations

import functools
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from sabir.errors import EncodeError, MissingDependency
from sabir.meter import library
from sabir.meter.catalogue import CENSUS, TOKENIZERS, Tokenizer, find, unknown
from sabir.meter.counters import Counter, JsonFile, Packaged, Piece
from sabir.meter.library import Added, load

if TYPE_CHECKING:
    from sabir.meter.endpoint import Endpoint
    from sabir.meter.forms import Form, cheapest, compare
    from sabir.meter.words import Row, census, suggest
    from sabir.report import Report

__all__ = [
    "CENSUS",
    "TOKENIZERS",
    "Counter",
    "Endpoint",
    "Form",
    "Piece",
    "Report",
    "Row",
    "Tokenizer",
    "available",
    "census",
    "cheapest",
    "compare",
    "count",
    "counter",
    "known",
    "load",
    "missing",
    "pieces",
    "plug",
    "resolve",
    "suggest",
    "vocabulary_hash",
]

_LATER: Final = {
    "Endpoint": "endpoint",
    "Form": "forms",
    "Report": "sabir.report",
    "Row": "words",
    "census": "words",
    "cheapest": "forms",
    "compare": "forms",
    "suggest": "words",
}
_READERS: Final = {"tokenizer.json": "tokenizers", "tiktoken": "tiktoken", "sentencepiece": "sentencepiece"}
_plugged: dict[str, Counter] = {}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _LATER[name]
    return getattr(import_module(home if "." in home else f"{__name__}.{home}"), name)


def known() -> tuple[Tokenizer, ...]:
    """All tokenizers: those of the catalogue, those that the user added, those that this program plugged in."""
    own = [Tokenizer(item.name, item.name, item.sha256, added=item.kind) for item in library.added().values()]
    here = [Tokenizer(name, name, item.sha256, added="this program") for name, item in _plugged.items()]
    return (*TOKENIZERS, *own, *here)


def available() -> tuple[Tokenizer, ...]:
    """Tokenizers that can count on this machine now, without asking anybody else."""
    return tuple(item for item in known() if item.added != "endpoint" and missing(item) is None)


def missing(tokenizer: Tokenizer) -> str | None:
    """The command that brings what a tokenizer lacks to count here; None where it is ready."""
    if tokenizer.name in _plugged:
        return None
    if tokenizer.package:
        return None if find_spec("quicktok") else "pip install 'sabir[meter]'"
    reader = _READERS.get(tokenizer.added) if tokenizer.added else "tokenizers"
    if reader and not find_spec(reader):
        return "pip install 'sabir[tokenizers]'"
    if tokenizer.added:
        return None if library.whole(tokenizer.name, tokenizer.sha256) else f"sabir tokenizers add {tokenizer.name} FILE"
    return None if library.fetched(tokenizer) else f"sabir tokenizers fetch {tokenizer.name}"


def resolve(name: str) -> tuple[Tokenizer, str]:
    """Tokenizer of a name, and what to know of its counts: a tokenizer's, a vocabulary's or a model's name.

    Raises:
        EncodeError: there is none, with the closest names.
    """
    found = find(name)
    if found is None:
        own = next((item for item in known() if item.added and item.name == name), None)
        if own is None:
            raise EncodeError(unknown(name), "tokenizer")
        found = own, ""
    return found


def counter(tokenizer: str | Counter) -> Counter:
    """What counts for a tokenizer, ready to use; a counter is given back itself.

    Raises:
        MissingDependency: its package or vocabulary is not here; the text says how to get it.
        EncodeError: there is no such tokenizer.
        SabirError: a file that the user added is gone or damaged.
    """
    if not isinstance(tokenizer, str):
        return tokenizer
    if tokenizer in _plugged:
        return _plugged[tokenizer]
    found, _ = resolve(tokenizer)
    if found.package:
        return _packaged(found.package)
    shelf = str(library.directory())
    return _own(library.added()[found.name], shelf) if found.added else _fetched(found, shelf)


def count(text: str, tokenizer: str | Counter = "gpt-4o") -> int:
    """Number of tokens of ``text`` in a tokenizer: its name, its vocabulary's, a model's, or a `Counter`.

    Raises:
        MissingDependency, SabirError: as `counter`.
        EncodeError: there is no such tokenizer, or the text holds a lone surrogate.
    """
    return counter(tokenizer).count(text)


def pieces(text: str, tokenizer: str | Counter = "gpt-4o") -> list[Piece]:
    """What each token of ``text`` stands for: text, or bytes where a token is no whole characters.

    Raises:
        MissingDependency, EncodeError, SabirError: as `count`; also a counter that does not show its tokens.
    """
    return counter(tokenizer).pieces(text)


def vocabulary_hash(tokenizer: str | Counter = "gpt-4o") -> str:
    """SHA-256 of the vocabulary that `count` really uses, computed from it.

    Raises:
        MissingDependency, EncodeError, SabirError: as `counter`.
    """
    return counter(tokenizer).sha256


def plug(name: str, tokenizer: Counter) -> None:
    """Give a counter of your own a name for this program's run.

    Raises:
        EncodeError: the name already means another tokenizer.
    """
    if find(name) or any(item.name == name for item in known()):
        raise EncodeError(f'"{name}" is already the name of a tokenizer here', "name")
    _plugged[name] = tokenizer


@functools.cache
def _packaged(name: str) -> Counter:
    return Packaged(name)


@functools.lru_cache(maxsize=16)
def _own(record: Added, shelf: str) -> Counter:  # noqa: ARG001  # another folder is another file
    return library.counter_of(record)


@functools.lru_cache(maxsize=16)
def _fetched(tokenizer: Tokenizer, shelf: str) -> Counter:  # noqa: ARG001  # another folder is another file
    path = library.fetched(tokenizer)
    if path is None:
        raise MissingDependency(f"the vocabulary of {tokenizer.name} is not here, or damaged: {missing(tokenizer)}")
    return JsonFile(library.read(path), reduced=True)
