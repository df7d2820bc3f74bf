"""The JSON form of Agent Lingua's messages (design, "Message JSON")."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

from sabir.errors import EncodeError, shown
from sabir.lingua.message import OWN_FIELDS, LinguaMessage, LinguaRequest, Signature
from sabir.lingua.payload import Payload

_REQUEST: Final = LinguaRequest.__struct_fields__


def to_json(message: LinguaMessage) -> dict[str, Any]:
    """JSON form of a message: all fields of its kind, absent ones as null."""
    found: dict[str, Any] = {"kind": message.kind}
    for name in OWN_FIELDS[message.kind]:
        found[name] = _plain(getattr(message, name))
    found["signature"] = _plain(message.signature)
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, (LinguaRequest, Payload, Signature)):
        return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
    return deepcopy(value)


def from_json(form: Any) -> LinguaMessage:
    """Message of its JSON form; fields that hold their default may be left out.

    Raises:
        EncodeError: with the path of what is unknown, missing or wrong.
    """
    _need_object(form, "a message")
    kind = form.get("kind")
    if type(kind) is not str or kind not in OWN_FIELDS:
        raise EncodeError(f"must be {', '.join(OWN_FIELDS)}, not {shown(kind)}", "kind")
    fields = _fields(form, ("kind", *OWN_FIELDS[kind], "signature"))
    for name, make in (("payload", _payload), ("signature", _signature), ("requests", _requests)):
        if fields.get(name) is not None:
            fields[name] = _under(name, make, fields[name])
    return LinguaMessage(**fields)


def _requests(form: Any) -> tuple[LinguaRequest, ...]:
    if type(form) is not list:
        raise EncodeError(f"must be a list, not {type(form).__name__}")
    return tuple(_under(f"[{at}]", _request, item) for at, item in enumerate(form))


def _request(form: Any) -> LinguaRequest:
    _need_object(form, "an operation")
    fields = _fields(form, _REQUEST)
    for name in ("domain", "action"):
        if name not in fields:
            raise EncodeError("missing", name)
    if fields.get("payload") is not None:
        fields["payload"] = _under("payload", _payload, fields["payload"])
    return LinguaRequest(**fields)


def _payload(form: Any) -> Payload:
    _need_object(form, "a payload")
    fields = _fields(form, ("encoding", "value"))
    for name in ("encoding", "value"):
        if name not in fields:
            raise EncodeError("missing", name)
    return Payload(**fields)


def _signature(form: Any) -> Signature:
    _need_object(form, "a signature")
    return Signature(**_fields(form, ("version", "source")))


def _need_object(form: Any, noun: str) -> None:
    if type(form) is not dict:
        raise EncodeError(f"{noun} is an object, not {type(form).__name__}")


def _fields(form: dict[Any, Any], known: tuple[str, ...]) -> dict[str, Any]:
    for name in form:
        if name not in known:
            raise EncodeError(f"no such field (there are: {', '.join(known)})", str(name))
    return dict(form)


def _under(path: str, make: Any, form: Any) -> Any:
    try:
        return make(form)
    except EncodeError as error:
        inner = error.path if not error.path or error.path.startswith("[") else f".{error.path}"
        raise EncodeError(error.reason, path + inner) from None
