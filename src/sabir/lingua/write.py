"""Agent Lingua written: fields in the order ``@ # ~ % $``, details last (grammar in `sabir.lingua.wire`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sabir.lingua import payload
from sabir.lingua.message import MARKER

if TYPE_CHECKING:
    from sabir.lingua.message import LinguaMessage, LinguaRequest


def encode(message: LinguaMessage) -> str:
    """Text of a message, with its own signature or none."""
    line = _WRITERS[message.kind](message)
    if message.prefix:
        line = message.prefix + line
    return f"{line}\n{message.signature}" if message.signature else line


def _operation(request: LinguaRequest) -> str:
    pieces = [f"{MARKER}{request.domain}{request.action}{request.modifier or ''}"]
    if request.target is not None:
        pieces.append(f"@{request.target}")
    if request.id is not None:
        pieces.append(f"#{request.id}")
    if request.time is not None:
        pieces.append(f"~{request.time}")
    pieces += [f"%{condition}" for condition in request.conditions]
    if request.payload is not None:
        pieces.append(f"${payload.write(request.payload)}")
    return "|".join(pieces)


def _request(message: LinguaMessage) -> str:
    return ";;".join([_operation(request) for request in message.requests])


def _response(message: LinguaMessage) -> str:
    return "|".join([f"^{message.status}", *_fields(message)])


def _error(message: LinguaMessage) -> str:
    details = [] if message.details is None else [payload.escape(message.details)]
    return "|".join([f"!E{message.type}{message.subtype or ''}", *_fields(message), *details])


def _human(message: LinguaMessage) -> str:
    return f"{MARKER} {message.text}"


def _fields(message: LinguaMessage) -> list[str]:
    found = [] if message.id is None else [f"#{message.id}"]
    if message.time is not None:
        found.append(f"~{message.time}")
    if message.payload is not None:
        found.append(f"${payload.write(message.payload)}")
    return found


_WRITERS: Final = {"request": _request, "response": _response, "error": _error, "human": _human}
