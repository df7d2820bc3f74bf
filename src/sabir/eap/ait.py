"""AIT, the tape below EAP: four characters a packet (eap.md, "AIT").

    tape     = packet *( 1*blank packet )
    packet   = domain target action priority      ; s4x9 is >SEC:XSS #ctx4 !9
    domain   = a code of the dictionary
    target   = DIGIT / "a" to "z"                 ; base 36: 0 to 35
    action   = a code of the dictionary
    priority = "1" to "9"
    blank    = SP / TAB

A tape stands on one line.
"""

from __future__ import annotations

import re
from typing import Any, Final, NoReturn

import msgspec

from sabir.eap.dictionary import AitDictionary, Table, default
from sabir.errors import DecodeError, EncodeError, ErrorCode, Span, shown
from sabir.jsontext import check_text, received

MAX_TARGET: Final = 35
"""Highest target: one character in base 36."""
DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"

_word = re.compile(r"[^ \t]++")


class AitPacket(msgspec.Struct, frozen=True):
    """One instruction on a tape. Which domains and actions there are is the dictionary's affair.

    Attributes:
        domain: name of the domain, such as ``security``.
        target: number of the context, 0 to 35.
        action: name of the action, such as ``xss``.
        priority: 1 to 9.

    Raises:
        EncodeError: from the constructor, with the path of the field at fault.
    """

    domain: str
    target: int
    action: str
    priority: int

    def __post_init__(self) -> None:
        check_text(self.domain, "domain")
        check_text(self.action, "action")
        _check_number(self.target, "target", 0, MAX_TARGET)
        _check_number(self.priority, "priority", 1, 9)


class AitTape(msgspec.Struct, frozen=True):
    """One or more packets in the order in which they are to be carried out.

    Raises:
        EncodeError: from the constructor, with the path of the packet at fault.
    """

    packets: tuple[AitPacket, ...]

    def __post_init__(self) -> None:
        packets = self.packets
        if type(packets) is not tuple or not packets:
            raise EncodeError("must be a tuple of one or more packets", "packets")
        if {*map(type, packets)} != _PACKETS_ONLY:
            at = next(at for at, packet in enumerate(packets) if type(packet) is not AitPacket)
            raise EncodeError(f"must be a packet, not {type(packets[at]).__name__}", f"packets[{at}]")


_PACKETS_ONLY: Final = {AitPacket}


# --- decoding --------------------------------------------------------------------------------------------


def decode(
    text: str,
    /,
    *,
    strict: bool = False,  # noqa: ARG001  # all formats' signature; a tape has no wider form
    allow_unknown: bool = False,  # noqa: ARG001  # as above; an unknown code has no meaning to keep
    dictionary: AitDictionary | None = None,
) -> AitTape:
    """Tape of a text, by the default dictionary unless another is given.

    Raises:
        DecodeError: with the character at fault; ``decode_failed`` where the dictionary lacks it.
    """
    body = received(text, "ait")
    known = dictionary or default()
    try:
        return AitTape(tuple(map(known.packets.__getitem__, body.split(" "))))
    except KeyError:
        return _read_anew(text, body, known)


def _read_anew(text: str, body: str, dictionary: AitDictionary) -> AitTape:
    """Tape of words that have not all been seen before; a dictionary's packets are few, and remembered."""
    offset = len(text) - len(text.lstrip())
    found: list[AitPacket] = []
    for word in _word.finditer(body):
        try:
            packet = dictionary.packets[word[0]] = _packet(word[0], dictionary)
        except DecodeError as error:
            error.reason = f"packet {len(found) + 1}: {error.reason}"
            raise error.moved(text, offset + word.start()) from None
        found.append(packet)
    if not found:
        reason = 'a tape has one or more packets of four characters, such as "s4x9"'
        raise DecodeError(reason, text, (offset, offset), format="ait")
    return AitTape(tuple(found))


def _packet(word: str, dictionary: AitDictionary) -> AitPacket:
    if len(word) != 4:
        _refuse_length(word)
    domain, target, action, priority = tuple(word)
    if word != word.lower():
        _refuse(f'a tape is written in lower case: "{word.lower()}"', word, (0, 4))
    if domain not in dictionary.domains.by_code:
        _refuse_code(word, 0, "domain", dictionary.domains)
    if target not in DIGITS:
        _refuse(f'"{target}" is no target: one of 0-9 a-z, which is 0 to 35', word, (1, 2))
    if action not in dictionary.actions.by_code:
        _refuse_code(word, 2, "action", dictionary.actions)
    if priority not in DIGITS[1:10]:
        _refuse(f'"{priority}" is no priority: one digit from 1 to 9', word, (3, 4))
    return AitPacket(
        dictionary.domains.by_code[domain].value,
        DIGITS.index(target),
        dictionary.actions.by_code[action].value,
        int(priority),
    )


def _refuse(reason: str, word: str, span: Span, code: ErrorCode = "invalid_syntax") -> NoReturn:
    raise DecodeError(reason, word, span, code=code, format="ait")


def _refuse_code(word: str, at: int, name: str, table: Table) -> NoReturn:
    _refuse(f'"{word[at]}" is no {name}; there are {table}', word, (at, at + 1), "decode_failed")


def _refuse_length(word: str) -> NoReturn:
    parts = "domain, target, action and priority, such as s4x9"
    if "\n" in word or "\r" in word:
        reason = "a tape stands on one line; decode_all reads a tape a line"
    elif "|" in word or "=" in word:
        reason = f"a packet carries no data, only {parts}"
    else:
        reason = f"{len(word)} character{'s' * (len(word) > 1)} where a packet has four: {parts}"
    _refuse(reason, word, (0, len(word)))


# --- encoding --------------------------------------------------------------------------------------------


def encode(tape: AitTape, dictionary: AitDictionary | None = None) -> str:
    """Text of a tape, by the default dictionary unless another is given.

    Raises:
        EncodeError: the dictionary lacks a domain or action; with its path, ``packets[0].domain``.
    """
    known = dictionary or default()
    domain, action = known.domains.by_value, known.actions.by_value
    try:
        return " ".join([
            f"{domain[packet.domain].code}{DIGITS[packet.target]}{action[packet.action].code}{packet.priority}"
            for packet in tape.packets
        ])
    except KeyError:
        return " ".join([_written(packet, known, f"packets[{at}]") for at, packet in enumerate(tape.packets)])


def _written(packet: AitPacket, dictionary: AitDictionary, path: str) -> str:
    """Text of one packet, told in full what is wrong with it."""
    domain = _word_code(packet.domain, dictionary.domains, f"{path}.domain")
    action = _word_code(packet.action, dictionary.actions, f"{path}.action")
    return f"{domain}{DIGITS[packet.target]}{action}{packet.priority}"


def _word_code(value: str, table: Table, path: str) -> str:
    try:
        return table.of_value(value).code
    except EncodeError as error:
        raise EncodeError(error.reason, path) from None


# --- JSON form -------------------------------------------------------------------------------------------

_FIELDS: Final = ("domain", "target", "action", "priority")


def to_json(tape: AitTape) -> dict[str, Any]:
    """JSON form of a tape (design, "Message JSON")."""
    return {"packets": [{name: getattr(packet, name) for name in _FIELDS} for packet in tape.packets]}


def from_json(form: Any, dictionary: AitDictionary | None = None) -> AitTape:
    """Tape of its JSON form, in words that the dictionary has.

    Raises:
        EncodeError: with the path of the field that is unknown, missing or wrong.
    """
    if type(form) is not dict or form.keys() != {"packets"}:
        raise EncodeError('a tape is an object of one list, "packets"')
    if type(form["packets"]) is not list:
        raise EncodeError("must be a list", "packets")
    packets = enumerate(form["packets"])
    tape = AitTape(tuple([_packet_from_json(item, f"packets[{at}]") for at, item in packets]))
    encode(tape, dictionary)
    return tape


def _packet_from_json(form: Any, path: str) -> AitPacket:
    if type(form) is not dict:
        raise EncodeError(f"must be an object, not {type(form).__name__}", path)
    for name in form:
        if name not in _FIELDS:
            raise EncodeError(f"no such field; there are {', '.join(_FIELDS)}", f"{path}.{name}")
    for name in _FIELDS:
        if name not in form:
            raise EncodeError("missing", f"{path}.{name}")
    try:
        return AitPacket(**form)
    except EncodeError as error:
        raise EncodeError(error.reason, f"{path}.{error.path}") from None


def _check_number(number: Any, path: str, low: int, high: int) -> None:
    if type(number) is not int or not low <= number <= high:
        raise EncodeError(f"must be a whole number from {low} to {high}, not {shown(number)}", path)
