"""The EAP packet: who speaks (direction), of what (domain, action, target), how urgently, with what data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final, Literal, Self, get_args

import msgspec

from sabir.eap import values, write
from sabir.errors import EncodeError, shown
from sabir.jsontext import check_text, dumps

Direction = Literal["request", "response", "sync"]

DIRECTIONS: Final[tuple[Direction, ...]] = get_args(Direction)
DOMAIN: Final = r"[A-Z0-9]{2,8}"
ACTION: Final = r"[A-Z0-9_]{2,16}"
KEY: Final = r"[^\s=\"'|⁝]++"
TARGET: Final = r"#[^\]\x00-\x1f\x7f-\x9f]++"

is_domain: Final = re.compile(DOMAIN).fullmatch
_is_action = re.compile(ACTION).fullmatch
_is_key = re.compile(KEY).fullmatch
_is_target = re.compile(TARGET).fullmatch
_EMPTY: Final[dict[str, Any]] = {}
_new = msgspec.StructMeta.__call__


class _Checked(msgspec.StructMeta):
    """Makes a struct's constructor check its arguments; `unchecked` builds what a decoder has checked."""

    def __call__(  # noqa: PLR0917  # the packet's fields, in the order of its text
        cls,  # noqa: N805  # of a metaclass
        direction: str,
        domain: str,
        action: str,
        target: str,
        priority: int | None = None,
        data: Mapping[str, Any] = _EMPTY,
    ) -> EapPacket:
        if direction not in DIRECTIONS:
            raise EncodeError(f"must be {', '.join(DIRECTIONS)}, not {shown(direction)}", "direction")
        domain = _code(domain, "domain", is_domain, "2 to 8 of A-Z 0-9")
        action = _code(action, "action", _is_action, "2 to 16 of A-Z 0-9 _")
        check_text(target, "target")
        if not _is_target(target):
            reason = "must be # and one or more characters other than ] and controls, such as #ctx4"
            raise EncodeError(reason, "target")
        if priority is not None and (type(priority) is not int or not 1 <= priority <= 9):
            reason = f"must be a whole number from 1 to 9, or none, not {shown(priority)}"
            raise EncodeError(reason, "priority")
        return unchecked(direction, domain, action, target, priority, _checked_data(data))


class EapPacket(msgspec.Struct, frozen=True, eq=False, metaclass=_Checked):
    """One EAP packet (seed, "Packet Model"; eap.md). Immutable; its data are its own copy, not to be changed.

    Two packets are equal if they are to the letter: 1, 1.0 and true differ, and so do data in another order.

    Attributes:
        direction: ``request``, ``response`` or ``sync``.
        domain: namespace, 2 to 8 of ``A-Z 0-9``, such as ``SEC``; the constructor raises lower case.
        action: operation or status, 2 to 16 of ``A-Z 0-9 _``, such as ``XSS`` or ``OK``; likewise.
        target: ``#`` and one or more characters other than ``]`` and controls, such as ``#ctx4``.
        priority: 1 to 9, or None.
        data: ordered values by key: text, whole number, float, boolean, None, JSON list or object.

    Raises:
        EncodeError: from the constructor, with the path of the field at fault.
    """

    direction: str
    domain: str
    action: str
    target: str
    priority: int | None = None
    data: dict[str, Any] = {}  # msgspec copies an empty default

    @classmethod
    def request(
        cls,
        *,
        domain: str,
        action: str,
        target: str,
        priority: int | None = None,
        data: Mapping[str, Any] = _EMPTY,
    ) -> EapPacket:
        """A packet that asks for something."""
        return cls("request", domain, action, target, priority, data)  # type: ignore[arg-type]  # a copy

    @classmethod
    def response(
        cls,
        *,
        domain: str,
        action: str,
        target: str,
        priority: int | None = None,
        data: Mapping[str, Any] = _EMPTY,
    ) -> EapPacket:
        """A packet that answers one."""
        return cls("response", domain, action, target, priority, data)  # type: ignore[arg-type]  # a copy

    @classmethod
    def sync(
        cls,
        *,
        domain: str,
        action: str,
        target: str,
        priority: int | None = None,
        data: Mapping[str, Any] = _EMPTY,
    ) -> EapPacket:
        """A packet that states how things are and wants no answer."""
        return cls("sync", domain, action, target, priority, data)  # type: ignore[arg-type]  # a copy

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed, checked like a new one."""
        return type(self)(**{**{name: getattr(self, name) for name in self.__struct_fields__}, **changes})

    __replace__ = replace

    def to_ascii(self) -> str:
        """The packet in the ASCII form, for transport."""
        return write.ascii(self)

    def to_unicode(self) -> str:
        """The packet in the Unicode form, for display."""
        return write.unicode(self)

    def __eq__(self, other: object) -> bool:
        if type(other) is not EapPacket:
            return NotImplemented
        return self._head() == other._head() and self._body() == other._body()

    def __ne__(self, other: object) -> bool:
        return not self == other  # a struct's own != is by identity

    def __hash__(self) -> int:
        return hash((*self._head(), self._body()))

    def _head(self) -> tuple[str, str, str, str, int | None]:
        return self.direction, self.domain, self.action, self.target, self.priority

    def _body(self) -> str:
        """Data as a text that differs wherever a type or the order does."""
        return dumps(self.data) if self.data else ""


def unchecked(  # noqa: PLR0917  # as above
    direction: str, domain: str, action: str, target: str, priority: int | None, data: dict[str, Any]
) -> EapPacket:
    """A packet of values that are known to be valid."""
    return _new(EapPacket, direction, domain, action, target, priority, data)  # type: ignore[no-any-return]


def is_target(text: str) -> bool:
    """Whether ``text``, with its ``#``, may be a target."""
    return _is_target(text) is not None


def _code(given: Any, path: str, fits: Any, rule: str) -> str:
    check_text(given, path)
    code: str = given.upper() if given.isascii() else given
    if not fits(code):
        raise EncodeError(f"must be {rule}, not {shown(given)}", path)
    return code


def _checked_data(data: Any) -> dict[str, Any]:
    """A copy of the data, down to the last list.

    Raises:
        EncodeError: it is no mapping, a key is illegal, or a value is no JSON value.
    """
    if not isinstance(data, Mapping):
        raise EncodeError(f"must map keys to values, not be {type(data).__name__}", "data")
    own = dict(data)
    for key, value in own.items():
        check_text(key, "data (a key)")
        if not _is_key(key):
            reason = f"key {key!r} must be one or more characters, no white space and none of = \" ' | ⁝"
            raise EncodeError(reason, "data")
        values.check(value, f"data.{key}")
        if type(value) in (dict, list):
            own[key] = deepcopy(value)
    return own


# --- JSON form -------------------------------------------------------------------------------------------

_REQUIRED: Final = ("direction", "domain", "action", "target")
_FIELDS: Final = (*_REQUIRED, "priority", "data")


def to_json(packet: EapPacket) -> dict[str, Any]:
    """JSON form of a packet (design, "Message JSON")."""
    return {name: deepcopy(getattr(packet, name)) for name in _FIELDS}


def from_json(form: Any) -> EapPacket:
    """Packet of its JSON form; ``priority`` and ``data`` may be left out.

    Raises:
        EncodeError: with the path of the field that is unknown, missing or wrong.
    """
    if type(form) is not dict:
        raise EncodeError(f"a packet is an object, not {type(form).__name__}")
    for name in form:
        if name not in _FIELDS:
            raise EncodeError(f"no such field; there are {', '.join(_FIELDS)}", str(name))
    for name in _REQUIRED:
        if name not in form:
            raise EncodeError("missing", name)
    if type(form.get("data", {})) is not dict:
        raise EncodeError(f"must be an object, not {type(form['data']).__name__}", "data")
    return EapPacket(**form)
