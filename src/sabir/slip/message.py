"""A SLIP message: who tells whom which concept, with what payload (seed, section 3.1; slipstream.md, "Wire")."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from sabir.errors import EncodeError
from sabir.jsontext import check_text
from sabir.ucr.codebook import NO_INDEX, Anchor, core

if TYPE_CHECKING:
    from collections.abc import Iterable

VERSIONS: Final = ("v1", "v3")
_is_id = re.compile(r"[^\s\x00-\x1f\x7f-\x9f]+").fullmatch
_is_name = re.compile(r"(?!\")[^\s\x00-\x1f\x7f-\x9f]+").fullmatch
_new = msgspec.StructMeta.__call__


class _Checked(msgspec.StructMeta):
    """Makes a struct's constructor check its arguments; `unchecked` builds what a decoder has checked."""

    def __call__(  # noqa: PLR0917  # the message's fields, in the order of its text
        cls,  # noqa: N805  # of a metaclass
        src: str,
        dst: str,
        anchor: Anchor | str,
        payload: Iterable[str] = (),
        version: str = "v1",
    ) -> SlipMessage:
        _check_id(src, "src")
        _check_id(dst, "dst")
        if isinstance(anchor, str):
            check_text(anchor, "anchor")
            anchor = core().by_mnemonic(anchor)
        elif not isinstance(anchor, Anchor):
            raise EncodeError(f"must be an anchor or its mnemonic, not {type(anchor).__name__}", "anchor")
        if isinstance(payload, (str, bytes)):
            raise EncodeError("must be a list of strings, not one string", "payload")
        tokens = tuple(payload)
        for place, token in enumerate(tokens):
            check_text(token, f"payload[{place}]")
        if version not in VERSIONS:
            raise EncodeError(f"must be {' or '.join(VERSIONS)}, not {version!r}", "version")
        message = unchecked(src, dst, anchor, tokens, version)
        if version == "v3":
            from sabir.slip.v3 import check_limits  # noqa: PLC0415  # v3 builds on this module

            check_limits(message)
        return message


class SlipMessage(msgspec.Struct, frozen=True, metaclass=_Checked):
    """One Slipstream message. Immutable and hashable.

    Attributes:
        src, dst: agents, not empty and without white space or controls; ``-`` stands for nobody.
        anchor: concept of the codebook; the constructor takes its mnemonic, too.
        payload: parameters, any strings, as a tuple.
        version: ``v1``, or ``v3`` for today's peers, which holds less.

    Raises:
        EncodeError: from the constructor, with the path of the field at fault.
    """

    src: str
    dst: str
    anchor: Anchor
    payload: tuple[str, ...] = ()
    version: str = "v1"


def unchecked(src: str, dst: str, anchor: Anchor, payload: tuple[str, ...], version: str) -> SlipMessage:
    """A message of parts that are known to be valid."""
    made: SlipMessage = _new(SlipMessage, src, dst, anchor, payload, version)
    return made


def unknown_anchor(name: str) -> Anchor:
    """Anchor for a name that the codebook lacks, kept as it is.

    Raises:
        EncodeError: the name could not stand on the wire.
    """
    check_text(name, "anchor")
    if not _is_name(name):
        raise EncodeError('a name has no white space or controls and does not begin with "', "anchor")
    return Anchor(NO_INDEX, name, f"unknown anchor {name}", (0, 0, 0, 0))


def to_json(message: SlipMessage) -> dict[str, Any]:
    """JSON form of a message."""
    return {
        "version": message.version,
        "src": message.src,
        "dst": message.dst,
        "anchor": message.anchor.mnemonic,
        "payload": list(message.payload),
    }


def from_json(data: Any) -> SlipMessage:
    """Message of its JSON form; ``version`` is v1 and ``payload`` empty where they are left out.

    Raises:
        EncodeError: with the path of what is wrong.
    """
    if type(data) is not dict:
        raise EncodeError(f"a SLIP message is an object, not {type(data).__name__}")
    for name in data:
        if name not in SlipMessage.__struct_fields__:
            raise EncodeError(f"no such field (there are: {', '.join(SlipMessage.__struct_fields__)})", str(name))
    for name in ("src", "dst", "anchor"):
        if name not in data:
            raise EncodeError(f'a SLIP message needs "{name}"', name)
    if type(data["anchor"]) is not str:
        raise EncodeError("must be the anchor's mnemonic", "anchor")
    payload = data.get("payload", [])
    if type(payload) is not list:
        raise EncodeError("must be a list of strings", "payload")
    return SlipMessage(data["src"], data["dst"], data["anchor"], payload, data.get("version", "v1"))


def _check_id(name: Any, path: str) -> None:
    check_text(name, path)
    if not _is_id(name):
        reason = "may not be empty" if not name else "may hold no white space and no controls"
        raise EncodeError(f"an agent's id {reason}", path)
