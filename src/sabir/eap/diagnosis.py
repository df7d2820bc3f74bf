"""What is wrong with a text that is no EAP packet, and what would be right; for decoders that have failed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sabir.eap.packet import ACTION, DOMAIN
from sabir.errors import DecodeError
from sabir.jsontext import read_string

if TYPE_CHECKING:
    from collections.abc import Callable

_code = re.compile(r"\w*+", re.ASCII).match
_run = re.compile(r"[^ \t\r\n]*+").match
_blanks = re.compile(r"[ \t]*+").match
_head = re.compile(rf"[><=]{DOMAIN}:{ACTION}|[◤◢▰]{DOMAIN}::{ACTION}").match
_priority = re.compile(r"(?:!|⚡\ufe0f?)[1-9]").fullmatch
_number = re.compile(r"(?:!|⚡\ufe0f?)-?[0-9]++").fullmatch
_has_line_end = re.compile(r"[ \t]*+[\r\n]").match
_colons = re.compile(r":*+").match
_inside: Final = re.compile(r"[^\]\r\n]*+").match
_is_domain = re.compile(DOMAIN).fullmatch
_is_action = re.compile(ACTION).fullmatch


def ascii_head(text: str, pos: int) -> DecodeError:
    """Why no ASCII head stands at ``pos``."""
    if text[pos : pos + 1] in ("◤", "◢", "▰"):
        return DecodeError("this is EAP's Unicode form: read it as eap-unicode", text, _token(text, pos))
    if text[pos : pos + 1] not in (">", "<", "="):
        reason = "a packet starts with > (request), < (response) or = (sync)"
        return DecodeError(reason, text, _token(text, pos))
    pos, error = _codes(text, pos + 1, ":")
    if error:
        return error
    start = _skip(text, pos)
    if text[start : start + 1] != "#":
        return _no_target(text, start, "#ctx0")
    if start == pos:
        return DecodeError("a blank stands before the target", text, (pos, pos + 1))
    return _ascii_target(text, start)


def unicode_head(text: str, pos: int) -> DecodeError:
    """Why no Unicode head stands at ``pos``."""
    if text[pos : pos + 1] in (">", "<", "="):
        return DecodeError("this is EAP's ASCII form: read it as eap", text, _token(text, pos))
    if text[pos : pos + 1] not in ("◤", "◢", "▰"):
        reason = "a packet starts with ◤ (request), ◢ (response) or ▰ (sync)"
        return DecodeError(reason, text, _token(text, pos))
    pos, error = _codes(text, pos + 1, "::")
    if error:
        return error
    start = _skip(text, pos)
    if text[start : start + 1] != "➔":
        return DecodeError("➔ stands between action and target, as in ➔ 📦[#ctx0]", text, _token(text, start))
    start = _skip(text, _variant(text, start + 1))
    opening = _variant(text, start + 1)
    if text[start : start + 1] != "📦" or text[opening : opening + 1] != "[":
        return _no_target(text, start, "📦[#ctx0]")
    return _unicode_target(text, opening + 1)


def after_packet(text: str, end: int, start: int, bar: str) -> DecodeError:
    """Why what stands at ``start``, after a packet up to ``end``, is no part of it and no other packet."""
    span = _token(text, start)
    token = text[slice(*span)]
    if _has_line_end(text, end, start):
        reason = "a packet stands on one line, and here starts no other"
    elif _head(text, start):
        reason = "blanks or line ends separate packets, and all of a text are in one form"
    elif _priority(token):
        reason = "a priority stands once, right after the target"
    elif token[0] in "!⚡":
        reason = "a priority is one digit from 1 to 9, as in !5 or ⚡5"
    elif start == end and bar == "|":
        span = start, start + 1
        reason = 'a target with other characters than A-Z a-z 0-9 _ . : - is quoted: #"a b"'
    else:
        reason = f"after the target stands a priority, {bar} and data, or nothing"
    return DecodeError(reason, text, span)


def no_key(text: str, pos: int) -> DecodeError:
    """Why no key stands at ``pos``."""
    char = text[pos]
    if char == "=":
        reason = "a key stands right before its ="
    elif char in "|⁝":
        reason = f"{char} stands once, before the data; in a value it is quoted"
    elif char in "\"'":
        reason = 'a string belongs to a key, as in note="two words"'
    else:
        reason = "data are key=value pairs, separated by spaces or tabs"
    return DecodeError(reason, text, (pos, pos + 1))


def after_value(text: str, end: int) -> DecodeError:
    """Why no pair can end at ``end``."""
    char = text[end]
    if char in "\"'|⁝" and text[end - 1] not in "\"'":
        reason = f"{char} inside a bare word: quote the whole value"
    elif char.isspace() or char < " ":
        reason = "pairs are separated by spaces or tabs; other white space and controls stand in quotes"
    else:
        reason = "a space or tab stands between two pairs"
    return DecodeError(reason, text, (end, end + 1))


def like_a_head(key: str) -> str:
    """What is wrong with a bare key that looks like a part of a head; empty if it does not."""
    if _number(key):
        return f"a priority stands before the data; a key of that name is written {key}=true"
    if key[0] == "#" or key.startswith(("📦[", "📦\ufe0f[")):
        return f"a target stands before the data; a key of that name is written {key}=true"
    if _head(key, 0):
        return f"a packet of another form, or with a fault; a key of that name is written {key}=true"
    return ""


def _codes(text: str, pos: int, colon: str) -> tuple[int, DecodeError | None]:
    """Position after ``domain : action`` that start at ``pos``, or what is wrong with them."""
    end = end_of(_code, text, pos)
    if not _is_domain(text[pos:end]):
        return pos, _bad_code(text, pos, end, "domain", "2 to 8 of A-Z 0-9")
    pos = end
    colons = end_of(_colons, text, pos)
    if text[pos:colons] != colon:
        form = "ASCII" if colon == ":" else "Unicode"
        reason = f"{colon} stands between domain and action in the {form} form"
        return pos, DecodeError(reason, text, (pos, max(colons, pos + 1)))
    pos, end = colons, end_of(_code, text, colons)
    if not _is_action(text[pos:end]):
        return pos, _bad_code(text, pos, end, "action", "2 to 16 of A-Z 0-9 _")
    return end, None


def _bad_code(text: str, pos: int, end: int, name: str, rule: str) -> DecodeError:
    code = text[pos:end]
    hint = f': write "{code.upper()}"' if code != code.upper() else ""
    article = "an" if name == "action" else "a"
    return DecodeError(f"{article} {name} is {rule}{hint}", text, (pos, max(end, pos + 1)))


def _no_target(text: str, pos: int, example: str) -> DecodeError:
    return DecodeError(f"no target: write a context pointer such as {example}", text, _token(text, pos))


def _ascii_target(text: str, start: int) -> DecodeError:
    if text[start + 1 : start + 2] == '"':
        try:
            read_string(text, start + 1)
        except DecodeError as error:
            return error
    reason = 'a target is # and A-Z a-z 0-9 _ . : -, or # and a quoted string, as in #"a b"'
    return DecodeError(reason, text, _token(text, start))


def _unicode_target(text: str, start: int) -> DecodeError:
    end = end_of(_inside, text, start)
    if text[end : end + 1] != "]":
        return DecodeError("no closing ]: the 📦[ opens a target", text, (start - 1, start))
    reason = "a target is # and one or more characters other than ] and controls"
    return DecodeError(reason, text, (start, max(end, start + 1)))


def _variant(text: str, pos: int) -> int:
    return pos + (text[pos : pos + 1] == "\ufe0f")


def _skip(text: str, pos: int) -> int:
    return end_of(_blanks, text, pos)


def _token(text: str, pos: int) -> tuple[int, int]:
    """Span of the run without blanks and line ends at ``pos``; of one place where there is none."""
    return pos, max(end_of(_run, text, pos), pos + 1)


def end_of(matches: Callable[[str, int], re.Match[str] | None], text: str, pos: int) -> int:
    """End of what a pattern matches at ``pos``."""
    found = matches(text, pos)
    return found.end() if found else pos
