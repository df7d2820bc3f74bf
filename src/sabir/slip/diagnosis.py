"""What is wrong with a text that is no SLIP message, and what would be right; called only after a failure."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Final

from sabir.errors import DecodeError, UnknownAnchor, UnsupportedVersion
from sabir.ucr.anchor import hexadecimal
from sabir.ucr.codebook import core

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sabir.errors import Span
    from sabir.ucr.codebook import Codebook

    Token = tuple[str, int, int]

FIELDS: Final = ("SLIP", "the version", "the sender", "the receiver", "the anchor")
"""What the first tokens of a text are."""
_FIELDS_V3: Final = (*FIELDS[:4], "the force", "the object")
_SHOWN: Final = 64
"""Characters of a wrong name that a reason quotes."""
_SURE: Final = 0.85
"""Likeness from which a wrong name is a slip of the pen, and no anchor of another codebook."""
_prompt = re.compile(r"[>$%#❯»]++[ \t]*+(?=slip(?![A-Za-z0-9]))", re.IGNORECASE).match
_like_version = re.compile(r"[vV]?[0-9]").match


def head(body: str, tokens: Sequence[Token]) -> DecodeError | None:
    """Error of a text that does not begin as a message does, or ends before its anchor."""
    first = body[tokens[0][1] : tokens[0][2]] if tokens else ""
    if first != FIELDS[0]:
        return _no_marker(body, first)
    version = body[tokens[1][1] : tokens[1][2]] if len(tokens) > 1 else "v1"
    if version not in ("v1", "v3"):
        hint = "" if _like_version(version) else "; is it missing? (SLIP v1 ...)"
        reason = f"version {version[:_SHOWN]} is unknown, v1 and v3 are read{hint}"
        return UnsupportedVersion(reason, body, tokens[1][1:], code="unsupported_version")
    if len(tokens) < len(FIELDS):
        return too_short(body, len(tokens), version)
    return None


def _no_marker(body: str, first: str) -> DecodeError:
    if found := _prompt(body):
        return DecodeError("a prompt sign was pasted with the message: leave it out", body, found.span())
    hint = ", in capitals" if first.upper() == FIELDS[0] else ""
    return DecodeError(f"a message begins with SLIP{hint}", body, (0, len(first)))


def too_short(body: str, have: int, version: str) -> DecodeError:
    """The error for a text that ends after so many tokens."""
    if version == "v3":
        missing, form = _FIELDS_V3[have:], "SLIP v3 sender receiver Force Object payload..."
    else:
        missing, form = FIELDS[have:], "SLIP v1 sender receiver Anchor payload..."
    reason = f"the text ends too early; missing: {', '.join(missing)} ({form})"
    return DecodeError(reason, body, (len(body) - 1, len(body)))


def no_anchor(
    name: str,
    book: Codebook,
    body: str,
    span: Span,
    *,
    before: str = "",
    after: str = "",
    apart: Callable[[str], tuple[str, str] | None] = lambda _: None,
) -> UnknownAnchor:
    """The error for a name that the codebook lacks.

    ``before`` and ``after`` are the tokens around it in v1, ``apart`` gives v3's words of an anchor.
    """
    closest = book.closest(name)
    guess = f"; did you mean {closest[0]}?" if closest else "; see sabir ucr list"
    guess += next((f" (in v3: {' '.join(words)})" for near in closest if (words := apart(near))), "")
    if past := book.find_retired(name):
        guess = f": {hexadecimal(past.index)} is retired"
    elif after and name + after in book:
        closest = (name + after, *[other for other in closest if other != name + after])
        guess = f"; v1 has force and object in one word: {closest[0]}"
    elif before in book:
        guess = f"; {before} stands where the receiver should: SLIP v1 sender receiver {before} ..."
    elif book is core() and not (closest and _is_slip(name, closest[0])):
        guess += " (an anchor of your own needs its codebook)"
    error = UnknownAnchor(f'unknown anchor "{name[:_SHOWN]}"{guess}', body, span, code="decode_failed")
    error.name, error.closest = name, closest
    return error


def _is_slip(name: str, meant: str) -> bool:
    """Whether a name is so near to a mnemonic that a slip of the pen explains it best."""
    return difflib.SequenceMatcher(None, name[:_SHOWN].lower(), meant.lower()).ratio() >= _SURE


def no_force(
    name: str, forces: Sequence[str], apart: tuple[str, str] | None, body: str, span: Span
) -> DecodeError:
    """The error for a word that is no force; ``apart`` are its force and object if it is an anchor."""
    close = difflib.get_close_matches(name[:_SHOWN].capitalize(), forces, 1)
    guess = f"; did you mean {close[0]}?" if close else ""
    if apart:
        guess = f"; v3 has force and object apart: {' '.join(apart)}"
    reason = f'"{name[:_SHOWN]}" is no force{guess} (there are: {", ".join(forces)})'
    return DecodeError(reason, body, span, code="decode_failed")
