"""What counts: one small class a kind of vocabulary behind one protocol.

Text that looks like a special token is ordinary text for all of them. The packages that do the work are imported when
the first counter of a kind is made.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, Final, Protocol, TypeVar

from sabir.errors import MissingDependency, SabirError
from sabir.jsontext import check_text
from sabir.meter.reduced import MAX_FILE, reduce

T = TypeVar("T")

Piece = str | bytes
"""What one token stands for: text, or bytes where it is not whole characters."""

_EXTRAS: Final = {"quicktok": "meter", "tokenizers": "tokenizers", "tiktoken": "tokenizers", "sentencepiece": "tokenizers"}
_SPACE: Final = "▁"
"""How SentencePiece writes a space."""


class Counter(Protocol):
    """A tokenizer that can count. Every method raises `EncodeError` for a text with a lone surrogate."""

    @property
    def sha256(self) -> str:
        """Hash of the vocabulary that it really uses, computed from that."""
        ...

    def count(self, text: str) -> int:
        """Number of tokens of a text."""
        ...

    def encode(self, text: str) -> list[int]:
        """Numbers of the tokens of a text."""
        ...

    def decode(self, tokens: list[int]) -> str:
        """Text of tokens; what is no UTF-8 becomes U+FFFD."""
        ...

    def pieces(self, text: str) -> list[Piece]:
        """What each token of a text stands for. Where a tokenizer changes the text, they join to the changed text."""
        ...

    def words(self) -> Iterable[Piece]:
        """What each token of the vocabulary stands for."""
        ...


def package(name: str) -> Any:
    """An optional package.

    Raises:
        MissingDependency: it is not installed; the text says how to install it.
    """
    try:
        return import_module(name)
    except ImportError:
        raise MissingDependency(f"this tokenizer needs the package {name}: pip install 'sabir[{_EXTRAS[name]}]'") from None


class _Local(ABC):
    """A vocabulary on this machine: what its kinds have in common."""

    @property
    @abstractmethod
    def sha256(self) -> str:
        """Hash of the vocabulary."""

    def count(self, text: str) -> int:
        """Number of tokens of a text."""
        return len(self.encode(text))

    def encode(self, text: str) -> list[int]:
        """Numbers of the tokens of a text."""
        check_text(text, "text")
        return _tried(lambda: list(self._cut(text)), "this vocabulary cannot cut this text")

    def decode(self, tokens: list[int]) -> str:
        """Text of tokens."""
        return _tried(lambda: str(self._join(tokens)), "these are no tokens of this vocabulary")

    def pieces(self, text: str) -> list[Piece]:
        """What each token of a text stands for."""
        return [self._piece(token) for token in self.encode(text)]

    def words(self) -> Iterable[Piece]:
        """What each token of the vocabulary stands for."""
        return map(self._piece, self._numbers())

    @abstractmethod
    def _cut(self, text: str) -> Iterable[int]: ...
    @abstractmethod
    def _join(self, tokens: list[int]) -> str: ...
    @abstractmethod
    def _piece(self, token: int) -> Piece: ...
    @abstractmethod
    def _numbers(self) -> Iterable[int]: ...


class Packaged(_Local):
    """A vocabulary that comes with the package `quicktok-v1`, by its name there."""

    def __init__(self, name: str) -> None:
        self._engine = package("quicktok").get_encoding(name)

    @property
    def sha256(self) -> str:
        """SHA-256 of the vocabulary in tiktoken's file form."""
        return hashlib.sha256(tiktoken_form(map(self._engine.decode_single_token_bytes, self._numbers()))).hexdigest()

    def count(self, text: str) -> int:
        """Number of tokens of a text; no list of them is made."""
        check_text(text, "text")
        return int(self._engine.count(text))

    def _cut(self, text: str) -> Iterable[int]:
        return self._engine.encode_ordinary(text)  # type: ignore[no-any-return]  # an untyped package

    def _join(self, tokens: list[int]) -> str:
        return self._engine.decode(tokens)  # type: ignore[no-any-return]  # as above

    def _piece(self, token: int) -> Piece:
        return _piece(self._engine.decode_single_token_bytes(token))

    def _numbers(self) -> Iterable[int]:
        return range(len(self._engine.token_byte_values()))


class JsonFile(_Local):
    """A vocabulary of a ``tokenizer.json``, given as the bytes of the file; ``reduced`` where it is known to be."""

    def __init__(self, data: bytes, *, reduced: bool = False) -> None:
        tokenizers = package("tokenizers")
        small = data if reduced else reduce(data)
        self._sha256 = hashlib.sha256(small).hexdigest()
        self._engine = _tried(lambda: tokenizers.Tokenizer.from_buffer(small), "no usable tokenizer.json")
        self._engine.encode_special_tokens = True
        self._bytes = _byte_level() if b'"ByteLevel"' in small else None

    @property
    def sha256(self) -> str:
        """SHA-256 of the reduced form."""
        return self._sha256

    def _cut(self, text: str) -> Iterable[int]:
        return self._engine.encode(text, add_special_tokens=False).ids  # type: ignore[no-any-return]  # as above

    def _join(self, tokens: list[int]) -> str:
        return self._engine.decode(tokens, skip_special_tokens=False)  # type: ignore[no-any-return]  # as above

    def _piece(self, token: int) -> Piece:
        written = self._engine.id_to_token(token)
        if self._bytes is None:
            return _sentence_piece(written)
        try:
            return _piece(bytes(self._bytes[char] for char in written))
        except KeyError:  # a token that was put on top of the vocabulary is written as it is
            return str(written)

    def _numbers(self) -> Iterable[int]:
        return self._engine.get_vocab(with_added_tokens=False).values()  # type: ignore[no-any-return]  # as above


class TiktokenFile(_Local):
    """A vocabulary of a ``.tiktoken`` file, given as its bytes, and the pattern that splits a text before it."""

    def __init__(self, data: bytes, pattern: str) -> None:
        tiktoken = package("tiktoken")
        self._ranks = ranks_of(data)
        self._engine = _tried(
            lambda: tiktoken.Encoding("file", pat_str=pattern, mergeable_ranks=self._ranks, special_tokens={}),
            "no usable pattern",
        )

    @property
    def sha256(self) -> str:
        """SHA-256 of the file in its publisher's form."""
        return hashlib.sha256(tiktoken_form(self._ranks)).hexdigest()

    def _cut(self, text: str) -> Iterable[int]:
        return self._engine.encode_ordinary(text)  # type: ignore[no-any-return]  # as above

    def _join(self, tokens: list[int]) -> str:
        return self._engine.decode(tokens)  # type: ignore[no-any-return]  # as above

    def _piece(self, token: int) -> Piece:
        return _piece(self._engine.decode_single_token_bytes(token))

    def _numbers(self) -> Iterable[int]:
        return self._ranks.values()


class SentencePieceFile(_Local):
    """A SentencePiece model, given as the bytes of the file."""

    def __init__(self, data: bytes) -> None:
        sentencepiece = package("sentencepiece")
        if len(data) > MAX_FILE:
            raise SabirError(f"larger than {MAX_FILE} bytes, so no vocabulary")
        self._sha256 = hashlib.sha256(data).hexdigest()
        self._engine = _tried(
            lambda: sentencepiece.SentencePieceProcessor(model_proto=data), "no usable SentencePiece model"
        )

    @property
    def sha256(self) -> str:
        """SHA-256 of the file."""
        return self._sha256

    def _cut(self, text: str) -> Iterable[int]:
        return self._engine.encode(text, out_type=int)  # type: ignore[no-any-return]  # as above

    def _join(self, tokens: list[int]) -> str:
        return self._engine.decode(tokens)  # type: ignore[no-any-return]  # as above

    def _piece(self, token: int) -> Piece:
        return _sentence_piece(self._engine.id_to_piece(token))

    def _numbers(self) -> Iterable[int]:
        return range(self._engine.get_piece_size())


def tiktoken_form(tokens: Iterable[bytes]) -> bytes:
    """A vocabulary as its publisher distributes it: each token in Base64 and its rank, a line each."""
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))


def ranks_of(data: bytes) -> dict[bytes, int]:
    """Tokens and ranks of a ``.tiktoken`` file, in the order of their ranks.

    Raises:
        SabirError: it is none, or lacks one of the 256 bytes, without which not every text has tokens.
    """
    if len(data) > MAX_FILE:
        raise SabirError(f"larger than {MAX_FILE} bytes, so no vocabulary")
    found: list[tuple[int, bytes]] = []
    for number, line in enumerate(data.splitlines(), 1):
        token, _, rank = line.partition(b" ")
        try:
            found.append((int(rank), base64.b64decode(token, validate=True)))
        except (ValueError, binascii.Error):
            raise SabirError(f"line {number} of a .tiktoken file is a token in Base64, a space and its rank") from None
    ranks = {token: rank for rank, token in sorted(found)}
    if [*ranks.values()] != [*range(len(found))]:
        raise SabirError("the ranks of a .tiktoken file are 0, 1, 2 and so on, each with a token of its own")
    absent = next((byte for byte in range(256) if bytes([byte]) not in ranks), None)
    if absent is not None:
        raise SabirError(f"a .tiktoken file has a token for each byte; there is none for 0x{absent:02x}")
    return ranks


def _piece(token: bytes) -> Piece:
    try:
        return token.decode("utf-8")
    except UnicodeDecodeError:
        return token


def _sentence_piece(token: str) -> Piece:
    if len(token) == 6 and token.startswith("<0x") and token.endswith(">"):
        return _piece(bytes.fromhex(token[3:5]))
    return token.replace(_SPACE, " ")


def _byte_level() -> dict[str, int]:
    """Byte of each character with which a ByteLevel vocabulary writes it: printable ones stand for themselves."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = (byte for byte in range(256) if byte not in plain)
    return {chr(byte): byte for byte in plain} | {chr(256 + place): byte for place, byte in enumerate(others)}


def _tried(work: Callable[[], T], fault: str) -> T:
    """What an engine makes of somebody's file or text.

    Raises:
        SabirError: it fails, with ``fault`` before its reason; some engines know no narrower error than Exception, and
            some panic, which is a BaseException.
    """
    try:
        return work()
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # noqa: BLE001  # see above
        raise SabirError(f"{fault}: {error}") from None
