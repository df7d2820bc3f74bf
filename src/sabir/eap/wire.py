"""EAP as text: the grammar of both forms, and their decoders. Encoders stand in `sabir.eap.write`.

    text      = packet *( 1*( blank / line-end ) packet )
    packet    = head [ *blank bar *blank pair *( 1*blank pair ) ]
    pair      = key [ "=" value ]         ; a bare key means true, and then looks like no part of a head
    key       = 1*( character other than white space, "=" '"' "'" "|" "⁝" )
    value     : see `sabir.eap.values`

    ASCII     head   = ( ">" / "<" / "=" ) domain ":" action 1*blank target [ 1*blank "!" priority ]
              target = "#" ( 1*( A-Z / a-z / 0-9 / "_" / "." / ":" / "-" ) / JSON string )
              bar    = "|"
    Unicode   head   = ( "◤" / "◢" / "▰" ) domain "::" action *blank "➔" *blank
                       "📦[" target "]" [ *blank "⚡" priority ]
              target = "#" 1*( character other than "]" and controls )
              bar    = "⁝"

    domain    = 2*8( A-Z / 0-9 )
    action    = 2*16( A-Z / 0-9 / "_" )
    priority  = "1" to "9"
    blank     = SP / TAB
    line-end  = CR / LF

A packet stands on one line. U+FE0F, which asks for colour, may follow the signs ➔ 📦 ⚡.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sabir.eap import diagnosis, values
from sabir.eap.packet import ACTION, DOMAIN, KEY, TARGET, EapPacket, is_target, unchecked
from sabir.eap.write import ASCII_SIGNS, BARE_TARGET, UNICODE_SIGNS
from sabir.errors import DecodeError
from sabir.jsontext import read_string, received

if TYPE_CHECKING:
    from collections.abc import Callable

_END = r"(?=[ \t\r\n]|\Z)"
_Match = re.Match[str]


@dataclass(frozen=True, slots=True)
class Form:
    """One of EAP's two forms.

    Attributes:
        name: id of its format.
        bar: what stands before the data.
        direction: direction by sign.
        head: matches a head and its bar, if any; groups: sign, domain, action, target, priority, bar.
        token: matches the beginning of a head, which is what starts a packet among data.
        diagnose: raises the `DecodeError` for a text at whose position ``head`` does not match.
    """

    name: str
    bar: str
    direction: dict[str, str]
    head: Callable[[str, int], _Match | None]
    token: Callable[[str, int], _Match | None]
    diagnose: Callable[[str, int], DecodeError]


ASCII: Final = Form(
    "eap",
    "|",
    {sign: direction for direction, sign in ASCII_SIGNS.items()},
    re.compile(
        rf'([><=])({DOMAIN}):({ACTION})[ \t]++({BARE_TARGET}|#"(?:[^"\\]|\\[\s\S])*+")'
        r"(?:[ \t]++!([1-9])(?![^ \t\r\n|]))?+(?:[ \t]*+(\|)[ \t]*+)?+"
    ).match,
    re.compile(rf"[><=]{DOMAIN}:{ACTION}{_END}").match,
    diagnosis.ascii_head,
)
UNICODE: Final = Form(
    "eap-unicode",
    "⁝",
    {sign: direction for direction, sign in UNICODE_SIGNS.items()},
    re.compile(
        rf"([◤◢▰])({DOMAIN})::({ACTION})[ \t]*+➔\ufe0f?+[ \t]*+📦\ufe0f?+\[({TARGET})\]"
        r"(?:[ \t]*+⚡\ufe0f?+([1-9])(?![^ \t\r\n⁝]))?+(?:[ \t]*+(⁝)[ \t]*+)?+"
    ).match,
    re.compile(rf"[◤◢▰]{DOMAIN}::{ACTION}(?=[ \t\r\n➔]|\Z)").match,
    diagnosis.unicode_head,
)

# A pair with one of the commonest values: an integer of checked length, a narrow word, a string
# without escapes. `values.read` reads all the others.
_common = re.compile(
    rf'({KEY})=(?:(-?(?:0|[1-9][0-9]{{0,17}}+))|({values.NARROW})|"([^"\\\x00-\x1f]*+)")'
    r"(?:[ \t]++|(?=[\r\n])|\Z)"
).match
_key = re.compile(KEY).match
_blanks = re.compile(r"[ \t]*+").match
_gap = re.compile(r"[ \t\r\n]*+").match


def decode(
    text: str, /, *, strict: bool = False, allow_unknown: bool = False  # noqa: ARG001  # all formats' signature
) -> EapPacket:
    """The one packet of a text in the ASCII form.

    Args:
        text: outer white space is ignored.
        strict: refuse bare words that would not be written bare.
        allow_unknown: without meaning here: EAP's codes are open.

    Raises:
        DecodeError: with the span at fault.
    """
    return _one(text, ASCII, strict)


def decode_unicode(
    text: str, /, *, strict: bool = False, allow_unknown: bool = False  # noqa: ARG001  # all formats' signature
) -> EapPacket:
    """The one packet of a text in the Unicode form; as `decode`."""
    return _one(text, UNICODE, strict)


def decode_all(text: str) -> list[EapPacket]:
    """The packets of a text in the ASCII form, separated by blanks or line ends; none in an empty text.

    Raises:
        DecodeError: with the span at fault.
    """
    return _all(text, ASCII)


def decode_all_unicode(text: str) -> list[EapPacket]:
    """The packets of a text in the Unicode form; as `decode_all`."""
    return _all(text, UNICODE)


def _one(text: str, form: Form, strict: bool) -> EapPacket:  # noqa: FBT001  # private, and on the fast path
    body = received(text, form.name)
    try:
        packet, pos = _packet(body, 0, form, strict)
        if pos != len(body):
            reason = "a second packet starts here; decode_all reads texts of several"
            raise DecodeError(reason, body, (pos, len(body)))  # noqa: TRY301  # one place puts all errors right
    except DecodeError as error:
        raise _placed(error, text, form) from None
    return packet


def _all(text: str, form: Form) -> list[EapPacket]:
    body = received(text, form.name)
    found: list[EapPacket] = []
    pos = 0
    try:
        while pos < len(body):
            packet, pos = _packet(body, pos, form, strict=False)
            found.append(packet)
    except DecodeError as error:
        raise _placed(error, text, form) from None
    return found


def _packet(text: str, pos: int, form: Form, strict: bool) -> tuple[EapPacket, int]:  # noqa: FBT001  # as above
    """The packet at ``pos``, and the position of the next or of the text's end."""
    head = form.head(text, pos)
    if head is None:
        raise form.diagnose(text, pos)
    sign, domain, action, target, priority, bar = head.groups()
    if target[:2] == '#"' and form is ASCII:
        target = _quoted_target(text, head)
    data: dict[str, Any] = {}
    end = head.end()
    if bar:
        end = _read_data(text, end, form, data, strict)
    urgency = int(priority) if priority else None
    packet = unchecked(form.direction[sign], domain, action, target, urgency, data)
    return packet, end if end == len(text) else _next(text, end, form)


def _quoted_target(text: str, head: _Match) -> str:
    start, end = head.span(4)
    target = "#" + read_string(text, start + 1)[0]
    if not is_target(target):
        reason = "a target has one or more characters, none of them ] or a control"
        raise DecodeError(reason, text, (start, end))
    return target


def _next(text: str, end: int, form: Form) -> int:
    """Position of the next packet, given the end of one that is not the end of the text."""
    start = diagnosis.end_of(_gap, text, end)
    if (start > end or text[end - 1] in " \t") and form.token(text, start):
        return start
    raise diagnosis.after_packet(text, end, start, form.bar)


def _placed(error: DecodeError, text: str, form: Form) -> DecodeError:
    """An error in the stripped text as one in the text as received."""
    error.format = form.name
    start, end = error.span
    size = len(error.text)
    error.span = min(start, size), min(end, size)
    return error.moved(text, len(text) - len(text.lstrip()))


# --- data ------------------------------------------------------------------------------------------------


def _read_data(
    text: str, pos: int, form: Form, data: dict[str, Any], strict: bool  # noqa: FBT001  # as above
) -> int:
    """Read pairs into ``data`` up to the end of the line or the next packet, and give the position there."""
    size = len(text)
    while pos < size:
        found = _common(text, pos)
        if found is not None:
            key, integer, word, string = found.groups()
            end = found.end()
            value: Any = string
            if integer:
                value = int(integer)
            elif word:
                value = values.meaning(word, text, found.start(3))
        elif text[pos] in "\r\n" or form.token(text, pos):
            break
        else:
            key, value, end = _uncommon(text, pos, strict)
        if key in data:
            raise DecodeError(f'key "{key}" stands twice', text, (pos, pos + len(key)))
        data[key] = value
        pos = end
    if not data:
        bar = text.rindex(form.bar, 0, pos)
        raise DecodeError(f"no data after the {form.bar}: leave it out", text, (bar, bar + 1))
    return pos


def _uncommon(text: str, pos: int, strict: bool) -> tuple[str, Any, int]:  # noqa: FBT001  # as above
    """A pair whose value `values.read` reads, or a bare key: key, value and the position of the next pair."""
    found = _key(text, pos)
    if found is None:
        raise diagnosis.no_key(text, pos)
    key, end = found[0], found.end()
    value: Any = True
    if text[end : end + 1] == "=":
        value, end = values.read(text, end + 1, strict=strict)
    elif reason := diagnosis.like_a_head(key):
        raise DecodeError(reason, text, found.span())
    after = diagnosis.end_of(_blanks, text, end)
    if after == end and after < len(text) and text[after] not in "\r\n":
        raise diagnosis.after_value(text, end)
    return key, value, after
