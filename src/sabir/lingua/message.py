"""The messages of Agent Lingua: requests, responses, errors and human language (agent-lingua.md, "Message grammar")."""

from __future__ import annotations

import re
from typing import Any, Final, Literal, Self

import msgspec

from sabir.errors import EncodeError, shown
from sabir.jsontext import check_text
from sabir.lingua.conditions import is_condition
from sabir.lingua.payload import Payload
from sabir.lingua.tables import SOURCE, VERSION, default
from sabir.lingua.times import is_time

Kind = Literal["request", "response", "error", "human"]

MARKER: Final = "👽"
MARKS: Final = ("?", "!")
"""Marks before the marker: a query, an urgent message."""
VERSION_FORM: Final = r"[0-9A-Za-z][0-9A-Za-z.+-]*+"
SOURCE_FORM: Final = r"[^\s\x00-\x1f\x7f-\x9f]++"
SIGNATURE: Final = rf"--{MARKER}lingua/(?P<version>{VERSION_FORM})@(?P<source>{SOURCE_FORM})"
"""Pattern of a signature line."""
VALUE_RULE: Final = "may not be empty or hold |, ;;, white space or controls"

_tables = default()
is_value: Final = re.compile(r"(?:(?!;;)[^|\s\x00-\x1f\x7f-\x9f])++").fullmatch
_is_version = re.compile(VERSION_FORM).fullmatch
_is_source = re.compile(SOURCE_FORM).fullmatch
is_details: Final = re.compile(r"(?![@#~$])[\s\S]++").fullmatch
_ends_signed = re.compile(rf"(?:\A|\n){SIGNATURE}\Z").search


def is_spoken(text: str) -> bool:
    """Whether a text may be a message in human language."""
    return bool(text) and text == text.strip() and not _ends_signed(text)


class Signature(msgspec.Struct, frozen=True):
    """The line that ends a message: which version of the protocol, and where it is described.

    Attributes:
        version: such as ``0.4``.
        source: ``agent-lingua`` for the canonical document, or a URL.

    Raises:
        EncodeError: from the constructor.
    """

    version: str = VERSION
    source: str = SOURCE

    def __post_init__(self) -> None:
        _check(self.version, "version", _is_version, "must be letters, digits and . + -, such as 0.4")
        _check(self.source, "source", _is_source, "may not be empty or hold white space or controls")

    def __str__(self) -> str:
        return f"--{MARKER}lingua/{self.version}@{self.source}"


class LinguaRequest(msgspec.Struct, frozen=True):
    """One operation of a request.

    Attributes:
        domain, action: codes ``0`` to ``9`` and ``A`` to ``F`` (seed, the tables).
        modifier: ``0`` to ``9``, or None.
        target: whom or what it is for: a code such as ``1`` or ``H``, ``99`` and a name, or a name.
        id: identifier of the thing it is about, or of the session.
        time: when, as text such as ``+1d15h``; `sabir.lingua.times.parse` computes with it.
        conditions: conditions that all must hold, as texts such as ``K>100``; `sabir.lingua.conditions.parse` tests them.
        payload: what is sent along.

    Raises:
        EncodeError: from the constructor, with the path of the field at fault.
    """

    domain: str
    action: str
    modifier: str | None = None
    target: str | None = None
    id: str | None = None
    time: str | None = None
    conditions: tuple[str, ...] = ()
    payload: Payload | None = None

    def __post_init__(self) -> None:
        _check_code(self.domain, "domains", "domain")
        _check_code(self.action, "actions", "action")
        if self.modifier is not None:
            _check_code(self.modifier, "modifiers", "modifier")
        for name in ("target", "id"):
            if (value := getattr(self, name)) is not None:
                _check(value, name, is_value, VALUE_RULE)
        _check_time(self.time)
        if type(self.conditions) is not tuple:
            msgspec.structs.force_setattr(self, "conditions", _tuple(self.conditions, "conditions"))
        for at, condition in enumerate(self.conditions):
            path = f"conditions[{at}]"
            check_text(condition, path)
            if not is_condition(condition):
                raise EncodeError("must be a type K F T N S P, an operator > < = ! ~ and a value, such as K>100", path)
        _check_payload(self.payload)


class LinguaMessage(msgspec.Struct, frozen=True):
    """One message of Agent Lingua. Immutable and hashable. Use the class methods to make one.

    Attributes:
        kind: ``request``, ``response``, ``error`` or ``human``; the fields of other kinds are empty.
        prefix: ``?`` for a query, ``!`` for an urgent message, or None; of requests and human language.
        requests: the operations of a request, one or more.
        status: status code of a response.
        id: what a response answers.
        time: of a response or an error, such as when to try again.
        type, subtype: codes of an error.
        details: text that ends an error.
        payload: of a response or an error.
        text: what is said in human language.
        signature: the signature line, or None.

    Raises:
        EncodeError: from the constructors, with the path of the field at fault.
    """

    kind: Kind
    prefix: str | None = None
    requests: tuple[LinguaRequest, ...] = ()
    status: str | None = None
    id: str | None = None
    type: str | None = None
    subtype: str | None = None
    time: str | None = None
    details: str | None = None
    payload: Payload | None = None
    text: str | None = None
    signature: Signature | None = None

    @classmethod
    def request(
        cls, *requests: LinguaRequest, prefix: str | None = None, signature: Signature | None = None
    ) -> Self:
        """A request; several operations make a compound one."""
        return cls("request", prefix=prefix, requests=requests, signature=signature)

    @classmethod
    def response(
        cls,
        status: str,
        *,
        id: str | None = None,
        time: str | None = None,
        payload: Payload | None = None,
        signature: Signature | None = None,
    ) -> Self:
        """An answer."""
        return cls("response", status=status, id=id, time=time, payload=payload, signature=signature)

    @classmethod
    def error(
        cls,
        type: str,
        subtype: str | None = None,
        *,
        time: str | None = None,
        payload: Payload | None = None,
        details: str | None = None,
        signature: Signature | None = None,
    ) -> Self:
        """An error."""
        return cls(
            "error", type=type, subtype=subtype, time=time, payload=payload, details=details, signature=signature
        )

    @classmethod
    def human(cls, text: str, *, prefix: str | None = None, signature: Signature | None = None) -> Self:
        """Ordinary language, to be answered in the same."""
        return cls("human", prefix=prefix, text=text, signature=signature)

    def __post_init__(self) -> None:
        if self.kind not in OWN_FIELDS:
            raise EncodeError(f"must be {', '.join(OWN_FIELDS)}, not {shown(self.kind)}", "kind")
        for name in _FIELDS:
            if name not in OWN_FIELDS[self.kind] and getattr(self, name) not in (None, ()):
                raise EncodeError(f"a {self.kind} has no such field", name)
        _CHECKS[self.kind](self)
        if self.prefix not in (None, *MARKS):
            raise EncodeError(f"must be ?, ! or none, not {shown(self.prefix)}", "prefix")
        if self.signature is not None and type(self.signature) is not Signature:
            raise EncodeError(f"must be a Signature, not {type(self.signature).__name__}", "signature")
        _check_time(self.time)
        _check_payload(self.payload)

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed, checked like a new one."""
        return type(self)(**{**{name: getattr(self, name) for name in self.__struct_fields__}, **changes})

    __replace__ = replace


OWN_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "request": ("prefix", "requests"),
    "response": ("status", "id", "time", "payload"),
    "error": ("type", "subtype", "time", "details", "payload"),
    "human": ("prefix", "text"),
}
"""The fields of each kind, besides the signature, in the order of the JSON form."""
_FIELDS: Final = tuple(name for name in LinguaMessage.__struct_fields__ if name not in ("kind", "signature"))


def _check_request(message: LinguaMessage) -> None:
    if type(message.requests) is not tuple:
        msgspec.structs.force_setattr(message, "requests", _tuple(message.requests, "requests"))
    if not message.requests:
        raise EncodeError("a request has one operation or more", "requests")
    for at, request in enumerate(message.requests):
        if type(request) is not LinguaRequest:
            raise EncodeError(f"must be a LinguaRequest, not {type(request).__name__}", f"requests[{at}]")


def _check_response(message: LinguaMessage) -> None:
    _check_code(message.status, "statuses", "status")
    if message.id is not None:
        _check(message.id, "id", is_value, VALUE_RULE)


def _check_error(message: LinguaMessage) -> None:
    _check_code(message.type, "errors", "type")
    if message.subtype is not None:
        _check_code(message.subtype, "subtypes", "subtype")
    if message.details is not None:
        check_text(message.details, "details")
        if not is_details(message.details):
            raise EncodeError("may not be empty or begin with @ # ~ $, which would make it a field", "details")


def _check_human(message: LinguaMessage) -> None:
    check_text(message.text, "text")
    if not is_spoken(message.text or ""):
        reason = "may not be empty, begin or end with white space, or end in a line that reads as a signature"
        raise EncodeError(reason, "text")


_CHECKS: Final = {
    "request": _check_request,
    "response": _check_response,
    "error": _check_error,
    "human": _check_human,
}


def _check(value: Any, path: str, fits: Any, rule: str) -> None:
    check_text(value, path)
    if not fits(value):
        raise EncodeError(rule, path)


def _check_code(code: Any, table: str, path: str) -> None:
    check_text(code, path)
    known = getattr(_tables, table)
    if code not in known.by_code:
        raise EncodeError(f"no such code: {code!r} (there are: {known})", path)


def _check_time(time: Any) -> None:
    if time is not None:
        check_text(time, "time")
        if not is_time(time):
            raise EncodeError("must be such as +30m, -2h, *4h, =1706889600 or @2024-02-03T15:00+08", "time")


def _check_payload(payload: Any) -> None:
    if payload is not None and type(payload) is not Payload:
        raise EncodeError(f"must be a Payload, not {type(payload).__name__}", "payload")


def _tuple(given: Any, path: str) -> tuple[Any, ...]:
    if type(given) is not list:
        raise EncodeError(f"must be a list, not {type(given).__name__}", path)
    return tuple(given)
