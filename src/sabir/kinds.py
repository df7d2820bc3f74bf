"""What a format is: the two records that every protocol fills in.

A `Kind` is a type of message with its four partial functions to and from the interlingua; a `Format` is one wire form
of a kind. EAP's ASCII and Unicode forms are two formats of one kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from sabir.codebooks import in_force
from sabir.errors import DecodeError
from sabir.ucr.codebook import core

if TYPE_CHECKING:
    from sabir.silp.ir import SilpIR
    from sabir.ucr.codebook import Codebook

M = TypeVar("M")
_Read = TypeVar("_Read", covariant=True)


class Reader(Protocol[_Read]):
    """Decodes one text. Raises `DecodeError` and nothing else."""

    def __call__(self, text: str, /, *, strict: bool = False, allow_unknown: bool = False) -> _Read:
        """Message of the whole text."""


@dataclass(frozen=True, slots=True)
class Kind(Generic[M]):
    """A type of message.

    Attributes:
        name: key under ``meta`` where a whole message of this kind travels in an IR.
        message_type: its class.
        write, read: its canonical text and back; also the text that is carried and hashed. `read` raises `DecodeError`.
        to_json, from_json: the message's JSON form (design, "Message JSON"); `from_json` raises `EncodeError`.
        hear: the IR that the message says in the IR's own terms, or None.
        say: the message that says the IR in this kind's own terms, or None.
        put: a message that carries the IR whole in a free-form place; None where the kind has no such place.
        take: the IR that `put` placed in a message, or None.
        head: a short IR whose intent and routing stand for a message that is carried whole.
        why_not: what `say` cannot say of this IR, in words; used where there is no `put`.
        explain: one line for a person, in "en" or "ja".
        lacks: what a message says that its own reader would not take, in words; empty where there is nothing.
    """

    name: str
    message_type: type[M]
    write: Callable[[M], str]
    read: Callable[[str], M]
    to_json: Callable[[M], dict[str, Any]]
    from_json: Callable[[Any], M]
    hear: Callable[[M], SilpIR | None]
    say: Callable[[SilpIR], M | None]
    take: Callable[[M], SilpIR | None]
    put: Callable[[SilpIR], M] | None
    head: Callable[[M], SilpIR]
    explain: Callable[[M, str], str]
    why_not: Callable[[SilpIR], str] = field(default=lambda _: "this format cannot say it")
    lacks: Callable[[M], str] = field(default=lambda _: "")


@dataclass(frozen=True, slots=True)
class Format(Generic[M]):
    """One wire form of a kind of message.

    Attributes:
        name: its id, as in ``sabir.formats()``.
        title: what it is, in a few words.
        kind: the kind of message it writes.
        marker: matches at the start of a stripped text that may be of this format; cheap, and never the last word.
        read: decoder of one message; None for the forms that only compile.
        write: encoder; raises `EncodeError`, and `MissingDependency` where it needs a package that is not installed.
        example: a short text in it, for help and reports.
        read_all: decoder of a text with several messages; a message a line where it is None.
        write_whole: encoder that also writes ``req_id``; None where the format has no place for it.
        tail: fits a line that belongs to the message on the line before; None where a message is one line.
        with_codebook: the same format that knows the anchors of a codebook; None where the protocol has no codebook.
        on_request: whether a comparison takes it only when it is asked for, since writing it loads a large model.
    """

    name: str
    title: str
    kind: Kind[M]
    marker: re.Pattern[str]
    read: Reader[M] | None
    write: Callable[[M], str]
    example: str
    read_all: Callable[[str], list[M]] | None = None
    write_whole: Callable[[M], str] | None = None
    tail: re.Pattern[str] | None = None
    with_codebook: Callable[[Codebook], Format[M]] | None = None
    on_request: bool = False

    def under(self, codebook: Codebook | None) -> Format[M]:
        """This format under a codebook: itself where none is given or the protocol has none.

        Raises:
            EncodeError: messages cannot be read with that codebook.
        """
        if codebook is None or codebook is core():  # which a format knows by itself
            return self
        book = in_force(codebook)
        return self.with_codebook(book) if self.with_codebook else self

    @property
    def message_type(self) -> type[M]:
        """Class of its messages."""
        return self.kind.message_type

    @property
    def lossless(self) -> bool:
        """Whether decoding what it writes gives the same message back."""
        return self.read is not None

    def decode(self, text: str, *, strict: bool = False, allow_unknown: bool = False) -> M:
        """Message of a text; a `DecodeError` names this format."""
        if self.read is None:
            raise DecodeError("this form only compiles; it has no decoder", text, code="unsupported_frontend", format=self.name)
        try:
            return self.read(text, strict=strict, allow_unknown=allow_unknown)
        except DecodeError as error:
            error.format = self.name
            raise

    def decode_all(self, text: str) -> list[M]:
        """Messages of a text: the format's own way of holding several, else a message a line (LF or CR LF ends one)."""
        if self.read_all is None:
            tails = (self.tail,) if self.tail else ()
            return [self._line(text, start, line) for start, line in lines(text, tails)]
        try:
            return self.read_all(text)
        except DecodeError as error:
            error.format = self.name
            raise

    def _line(self, text: str, start: int, line: str) -> M:
        try:
            return self.decode(line)
        except DecodeError as error:
            raise error.moved(text, start) from None


def lines(text: str, tails: Iterable[re.Pattern[str]] = ()) -> list[tuple[int, str]]:
    """Start and content of each line of a text that is not blank. Only LF and CR LF end a line.

    A line that one of ``tails`` fits belongs to the line before, as a signature does.

    Raises:
        DecodeError: the argument is no string.
    """
    if not isinstance(text, str):
        raise DecodeError(f"a message is text (str), not {type(text).__name__}")
    found: list[tuple[int, str]] = []
    start = 0
    open_ended = False
    for line in text.split("\n"):
        if line.strip():
            content = line.removesuffix("\r")
            ends = any(tail.fullmatch(content.strip()) for tail in tails)
            if ends and open_ended:  # one tail a message; another is a line of its own
                begun = found.pop()[0]
                found.append((begun, text[begun : start + len(content)]))
            else:
                found.append((start, content))
            open_ended = not ends
        start += len(line) + 1
    return found
