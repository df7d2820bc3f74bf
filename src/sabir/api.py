"""The public functions of `sabir`: each a few lines over the registry and the interlingua."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sabir import detection, interlingua
from sabir.errors import DecodeError, EncodeError, TranslationError
from sabir.jsontext import MAX_TEXT
from sabir.kinds import Format, lines
from sabir.registry import FORMATS, OWN, READABLE, TAILS, find, kind_of, named, unknown
from sabir.silp import canonical
from sabir.silp.ir import SilpIR
from sabir.silp.ir_json import BROKEN, unwritable

if TYPE_CHECKING:
    from sabir.eap import AitTape, EapPacket
    from sabir.lingua import LinguaMessage
    from sabir.slip import SlipMessage
    from sabir.ucr.codebook import Codebook

    Message: TypeAlias = SilpIR | SlipMessage | EapPacket | AitTape | LinguaMessage
else:
    Message: TypeAlias = Any

__all__ = [
    "Message",
    "Translation",
    "decode",
    "decode_all",
    "detect",
    "encode",
    "equivalent",
    "explain",
    "formats",
    "from_ir",
    "from_json",
    "to_ir",
    "to_json",
    "translate",
]

# Dispatch tables for the message path: a look-up and a call. None stands for a message's own format.
_READERS: dict[str, Any] = {format.name: format.read for format in READABLE}
_WRITERS: dict[str | None, dict[type[Any], Any]] = {
    None: {kind: format.write for kind, format in OWN.items()},
    **{format.name: {format.message_type: format.write} for format in FORMATS},
}

_TOO_LONG = f"its text would be longer than {MAX_TEXT} characters, which no decoder takes"


@dataclass(frozen=True, slots=True)
class Translation:
    """A message in another format.

    Attributes:
        text: the translated wire text.
        source, target: names of the two formats.
        lossless: whether ``text`` translates back to the same message; False for formats that only compile.
        native: whether nothing had to be carried whole in a free-form place.
    """

    text: str
    source: str
    target: str
    lossless: bool
    native: bool


def decode(
    text: str,
    format: str | None = None,
    *,
    strict: bool = False,
    allow_unknown: bool = False,
    codebook: Codebook | None = None,
) -> Message:
    """The one message of a text, in the format named or, without a name, in the only one that reads it.

    Args:
        text: a wire text; outer white space is ignored.
        format: name of its format, as in `formats`.
        strict: hold it to the protocol's narrow profile (SLIP's cheap tokens, SILP's approved verbs).
        allow_unknown: keep a SLIP anchor that the codebook lacks.
        codebook: an installation's own, for the anchors that the core lacks; the core alone if not given.

    Raises:
        DecodeError: it is no message of that format, or of exactly one; see its ``reason``, ``span`` and ``code``.
        EncodeError: messages cannot be read with that codebook, since its core is of another version.
    """
    if format is None:
        found = detection.read(text, strict=strict, allow_unknown=allow_unknown, codebook=codebook)
        return found[1]  # type: ignore[no-any-return]
    if codebook is not None:
        known = named(format, text).under(codebook)
        return known.decode(text, strict=strict, allow_unknown=allow_unknown)  # type: ignore[no-any-return]
    try:
        reader = _READERS[format]
    except (KeyError, TypeError):
        return named(format, text).decode(text)  # type: ignore[no-any-return]  # raises: it only compiles
    try:
        if strict or allow_unknown:
            return reader(text, strict=strict, allow_unknown=allow_unknown)  # type: ignore[no-any-return]
        return reader(text)  # type: ignore[no-any-return]
    except DecodeError as error:
        error.format = format
        raise


def decode_all(text: str, format: str | None = None, *, codebook: Codebook | None = None) -> list[Message]:
    """All messages of a text: several EAP packets, else a message a line (only LF and CR LF end one).

    Raises:
        DecodeError: one of them is no message; the span is in ``text``.
        EncodeError: as `decode`.
    """
    if format is not None:
        return named(format, text).under(codebook).decode_all(text)
    found: list[Message] = []
    for start, line in lines(text, TAILS):
        try:
            found += detection.read_all(line, codebook=codebook)[1]
        except DecodeError as error:
            raise error.moved(text, start) from None
    return found


def encode(message: Message, format: str | None = None, *, carry_req_id: bool = False) -> str:
    """Wire text of a message, in its type's own format unless another of that type is named.

    Args:
        message: what `decode`, `from_json`, `from_ir` or a message class gave.
        format: a format of the message's own type; `translate` crosses types.
        carry_req_id: write the IR's ``req_id`` too, where the format has a place for it.

    Raises:
        EncodeError: the format is of another type, or the message holds what no text can carry, or too much of it.
        MissingDependency: silp-llmlingua2 alone; its package or its model is not here.
    """
    try:
        write = _WRITERS[format][type(message)]
    except (KeyError, TypeError):
        write = _writable(message, format).write
    if carry_req_id:
        write = _writable(message, format).write_whole or write
    text: str = write(message)
    if len(text) > MAX_TEXT:
        raise EncodeError(_TOO_LONG)
    return text


def from_json(format: str, data: Any, *, codebook: Codebook | None = None) -> Message:
    """Message of its JSON form, its anchor from ``codebook`` where one is given.

    Raises:
        EncodeError: with the path of what is wrong.
    """
    known = find(format)
    if known is None:
        raise EncodeError(unknown(format))
    return known.under(codebook).kind.from_json(data)  # type: ignore[no-any-return]


def to_json(message: Message) -> dict[str, Any]:
    """JSON form of a message (design, "Message JSON").

    Raises:
        EncodeError: the argument is no message.
    """
    return _writable(message, None).kind.to_json(message)


def to_ir(message: Message) -> SilpIR:
    """What a message says as SILP's IR, nothing lost. An IR is given back itself.

    Raises:
        EncodeError: the argument is no message.
    """
    return interlingua.to_ir(message, _writable(message, None).kind)[0]


def from_ir(ir: SilpIR, format: str, *, allow_unknown: bool = True, codebook: Codebook | None = None) -> Message:
    """Message that says an IR in a format, nothing lost.

    Args:
        ir: what to say.
        format: name of the format.
        allow_unknown: give a message that the IR holds whole, even if the codebook lacks its anchor: who made the IR
            has decided that already.
        codebook: an installation's own, where that message has one of its anchors.

    Raises:
        TranslationError: the format cannot hold it in full, or does not exist, or the codebook lacks an anchor and
            ``allow_unknown`` is off.
        EncodeError: the argument is no IR, or was built past the checks of its class; or as `decode`.
    """
    target = _target(format)
    _check_ir(ir)
    return _said(ir, target.under(codebook), allow_unknown=allow_unknown)[0]  # type: ignore[no-any-return]


def translate(
    text_or_message: str | Message,
    to: str,
    format: str | None = None,
    *,
    allow_unknown: bool = False,
    codebook: Codebook | None = None,
) -> Translation:
    """A message in another format, by way of the IR.

    Args:
        text_or_message: a wire text, or a message.
        to: name of the target format.
        format: name of the text's format; found by itself when not given.
        allow_unknown: keep a SLIP anchor that the codebook lacks, on both sides.
        codebook: an installation's own, for the anchors that the core lacks, on both sides.

    Raises:
        DecodeError: the text is no message.
        TranslationError: the target cannot hold the message in full; it is never cut. Or the message comes back
            from another format with an anchor that the codebook lacks.
        EncodeError: as `decode`.
        MissingDependency: as `encode`.
    """
    target = _target(to).under(codebook)
    if isinstance(text_or_message, str):
        source, message = detection.read(text_or_message, format, allow_unknown=allow_unknown, codebook=codebook)
    else:
        source, message = _writable(text_or_message, format), text_or_message
    native = True
    if source.kind.message_type is not target.kind.message_type:
        ir, heard = interlingua.to_ir(message, source.kind)
        message, said = _said(ir, target, allow_unknown=allow_unknown)
        native = heard != "sealed" and said != "carried"
    try:
        text = target.write(message)
    except EncodeError as error:  # the other formats of its kind can hold it
        raise TranslationError(f"{target.name} cannot hold this message: {error}") from None
    if len(text) > MAX_TEXT:
        raise TranslationError(_TOO_LONG)
    return Translation(text, source.name, target.name, target.lossless, native)


def detect(text: str, *, codebook: Codebook | None = None) -> str | None:
    """Name of the one format that reads a text, several messages in a text included; None where none does.

    Raises:
        DecodeError: two formats read it.
        EncodeError: as `decode`.
    """
    try:
        return detection.read_all(text, codebook=codebook)[0].name
    except detection.Ambiguous:
        raise
    except DecodeError:
        return None


def explain(message: Message, lang: str = "en") -> str:
    """One line that tells a person what a message says, in English ("en") or Japanese ("ja").

    Raises:
        EncodeError: another language, or the argument is no message.
    """
    if lang not in ("en", "ja"):
        raise EncodeError(f'no language "{lang}"; there are en and ja', "lang")
    return _writable(message, None).kind.explain(message, lang)


def formats() -> tuple[Format[Any], ...]:
    """All formats, each with ``name``, ``lossless``, ``message_type`` and ``title``."""
    return FORMATS


def equivalent(a: SilpIR, b: SilpIR) -> bool:
    """Whether two IRs mean the same: all but ``req_id`` preserved (draft, section 4.6).

    Raises:
        EncodeError: one of them is no IR, or was built past the checks of its class.
    """
    for ir in (a, b):
        _check_ir(ir)
    try:
        return canonical.equivalent(a, b)
    except BROKEN as error:
        raise unwritable(b if _sound(a) else a, error) from None


def _sound(ir: SilpIR) -> bool:
    try:
        canonical.canonical_text(ir)
    except BROKEN:
        return False
    return True


def _check_ir(ir: Any) -> None:
    if not isinstance(ir, SilpIR):
        raise EncodeError(f"an IR is a SilpIR, not {type(ir).__name__}")


def _said(ir: SilpIR, target: Format[Any], *, allow_unknown: bool) -> tuple[Any, interlingua.Route]:
    """Message of an IR that the target's own reader takes, and the way it went."""
    message, route = interlingua.from_ir(ir, target.kind)
    if not allow_unknown and (lacking := target.kind.lacks(message)):
        raise TranslationError(f"{target.name} would not be read: {lacking}")
    return message, route


def _target(format: str) -> Format[Any]:
    known = find(format)
    if known is None:
        raise TranslationError(unknown(format))
    return known


def _writable(message: Any, format: str | None) -> Format[Any]:
    """Format to write a message in."""
    kind = kind_of(message)
    if kind is None:
        raise EncodeError(f"{type(message).__name__} is no message")
    if format is None:
        return OWN[kind.message_type]
    known = find(format)
    if known is None:
        raise EncodeError(unknown(format))
    if known.kind is not kind:
        raise EncodeError(f"a {kind.message_type.__name__} is not written as {format}: translate it")
    return known
