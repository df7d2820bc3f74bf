"""Real token counts. Text that looks like a special token is ordinary text and counts as such.

The vocabularies come with the package `quicktok-v1` (extra ``meter``); each is named with the SHA-256 of its list of
tokens in the form in which its publisher distributes it, so that anybody can check what was counted with.
"""

from __future__ import annotations

import base64
import functools
import hashlib
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from sabir.errors import EncodeError, MissingDependency


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """A tokenizer by its usual name.

    Attributes:
        name: what it is called here and by users.
        vocabulary: name of its vocabulary.
        sha256: hash of that vocabulary in its publisher's file form.
    """

    name: str
    vocabulary: str
    sha256: str


TOKENIZERS: Final = (
    Tokenizer("gpt-4o", "o200k_base", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
    Tokenizer("gpt-4", "cl100k_base", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"),
)
_by_name: Final = {name: item for item in TOKENIZERS for name in (item.name, item.vocabulary)}


def available() -> tuple[Tokenizer, ...]:
    """Tokenizers that can count on this machine now."""
    return TOKENIZERS if find_spec("quicktok") else ()


def count(text: str, tokenizer: str = "gpt-4o") -> int:
    """Number of tokens of ``text`` in a tokenizer, by its name or its vocabulary's.

    Raises:
        MissingDependency: the vocabulary's package is not installed.
        EncodeError: there is no such tokenizer.
    """
    return int(_encoding(tokenizer).count(text))


def vocabulary_hash(tokenizer: str = "gpt-4o") -> str:
    """SHA-256 of the vocabulary that `count` really uses, computed from its tokens.

    Raises:
        MissingDependency, EncodeError: as `count`.
    """
    encoding = _encoding(tokenizer)
    ranks = range(len(encoding.token_byte_values()))
    lines = (base64.b64encode(encoding.decode_single_token_bytes(rank)) + b" %d\n" % rank for rank in ranks)
    return hashlib.sha256(b"".join(lines)).hexdigest()


@functools.cache
def _encoding(tokenizer: str) -> Any:
    known = _by_name.get(tokenizer)
    if known is None:
        raise EncodeError(f'no tokenizer "{tokenizer}" (there are: {", ".join(_by_name)})', "tokenizer")
    try:
        quicktok = import_module("quicktok")
    except ImportError:
        raise MissingDependency("counting tokens needs the extra meter: pip install 'sabir[meter]'") from None
    return quicktok.get_encoding(known.vocabulary)
