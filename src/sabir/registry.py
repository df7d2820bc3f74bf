"""The registry: which formats there are, derived from the protocols' own packages.

A new protocol adds its package to `_PROTOCOLS`; command line, detection, translation and tests take it from here.
"""

from __future__ import annotations

import difflib
from importlib import import_module
from typing import Any, Final

from sabir.errors import DecodeError
from sabir.kinds import Format, Kind

_PROTOCOLS: Final = ("sabir.silp", "sabir.slip", "sabir.eap", "sabir.lingua")

_found: list[Format[Any]] = [format for name in _PROTOCOLS for format in import_module(name).FORMATS]

FORMATS: Final[tuple[Format[Any], ...]] = tuple(sorted(_found, key=lambda format: format.read is None))
"""All formats, those that decode first."""
BY_NAME: Final[dict[str, Format[Any]]] = {format.name: format for format in FORMATS}
READABLE: Final[tuple[Format[Any], ...]] = tuple(format for format in FORMATS if format.read is not None)
USUAL: Final[tuple[Format[Any], ...]] = tuple(format for format in FORMATS if not format.on_request)
"""Those that a comparison takes unasked."""
TAILS: Final = tuple(format.tail for format in READABLE if format.tail)
"""What fits a line that belongs to the message before."""
OWN: Final[dict[type[Any], Format[Any]]] = {format.message_type: format for format in reversed(FORMATS)}
"""A message type's own format: the first in the table that writes it."""


def kind_of(message: Any) -> Kind[Any] | None:
    """Kind of a message, or None for what is no message."""
    format = OWN.get(type(message))
    return format.kind if format else None


def unknown(name: object, among: tuple[Format[Any], ...] = FORMATS) -> str:
    """What to say of a format name that does not exist."""
    names = [format.name for format in among]
    listed = ", ".join(names)
    if not isinstance(name, str):
        return f"a format is named by text (str), not {type(name).__name__} (there are: {listed})"
    close = difflib.get_close_matches(name, names, 1, 0.5)
    guess = f"; did you mean {close[0]}?" if close else ""
    return f'no format "{name}"{guess} (there are: {listed})'


def find(name: object) -> Format[Any] | None:
    """Format of a name, whatever is given for one."""
    return BY_NAME.get(name) if isinstance(name, str) else None


def named(name: str, text: str) -> Format[Any]:
    """Format of a name that somebody gave for a text.

    Raises:
        DecodeError: code ``unsupported_frontend``; there is none of that name.
    """
    known = find(name)
    if known is None:
        raise DecodeError(unknown(name), text, code="unsupported_frontend")
    return known
