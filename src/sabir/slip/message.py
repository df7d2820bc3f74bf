"""A SLIP message: who tells whom which concept, with what payload (seed, 3.1; slipstream.md, "Wire")."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Self

import msgspec

from sabir.errors import EncodeError, shown
from sabir.jsontext import check_text
from sabir.slip.limits import check_limits
from sabir.ucr.codebook import NO_INDEX, Anchor, Codebook, check_anchor, core

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

VERSIONS: Final = ("v1", "v3")
FIELDS: Final = ("version", "src", "dst", "anchor", "payload")
"""Fields of the JSON form, which `SlipMessage` has, too."""
is_name: Final = re.compile(r"[^\s\x00-\x1f\x7f-\x9f]+").fullmatch
"""Whether a text may be src, dst or the name of an anchor: not empty, no white space, no control."""
_known = core().find
NAME_RULE: Final = "may not be empty or hold white space or controls"


class _Checked(msgspec.StructMeta):
    """Makes a struct's constructor check its arguments; `unchecked` builds what a decoder has checked."""

    def __call__(
        cls,  # noqa: N805  # of a metaclass
        src: str,
        dst: str,
        anchor: Anchor | str,
        payload: Iterable[str] = (),
        version: str = "v1",
        _bare: object = None,  # given by copies; found out again
    ) -> SlipMessage:
        tokens = payload if payload.__class__ is tuple else _tuple(payload)
        concept = _concept(anchor)
        bare = _all_bare((src, dst, concept.mnemonic, *tokens))
        if not bare:  # else each is a string without anything that is refused
            _check_name(src, "src")
            _check_name(dst, "dst")
            for place, token in enumerate(tokens):
                check_text(token, f"payload[{place}]")
        if version not in VERSIONS:
            raise EncodeError(f"must be {' or '.join(VERSIONS)}, not {shown(version)}", "version")
        message = unchecked(src, dst, concept, tokens, version, bare)
        if version == "v3":
            check_limits(message)
        return message


class SlipMessage(msgspec.Struct, frozen=True, eq=False, gc=False, metaclass=_Checked):
    """One Slipstream message. Immutable and hashable; two messages are equal if they have the same text.

    Attributes:
        src, dst: agents, not empty and without white space or controls; ``-`` stands for nobody.
        anchor: concept of the codebook; the constructor takes the mnemonic of a core anchor, too. Others come
            from an extended codebook or from `unknown_anchor`.
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
    _bare: bool = False
    """Whether no token of the message needs quotes, which encoding need not find out again."""

    if TYPE_CHECKING:  # what the metaclass takes

        def __init__(
            self, src: str, dst: str, anchor: Anchor | str, payload: Iterable[str] = (), version: str = "v1"
        ) -> None: ...

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed, checked like a new one."""
        return type(self)(**{**{name: getattr(self, name) for name in FIELDS}, **changes})

    __replace__ = replace

    def __eq__(self, other: object) -> bool:
        if type(other) is not SlipMessage:
            return NotImplemented
        return self._key() == other._key()

    def __ne__(self, other: object) -> bool:
        return not self == other  # a struct's own goes by identity

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return (
            f"SlipMessage(src={self.src!r}, dst={self.dst!r}, anchor={self.anchor.mnemonic!r},"
            f" payload={self.payload!r}, version={self.version!r})"
        )

    def _key(self) -> tuple[str, str, str, str, tuple[str, ...]]:
        return self.version, self.src, self.dst, self.anchor.mnemonic, self.payload


unchecked: Final[Callable[[str, str, Anchor, tuple[str, ...], str, bool], SlipMessage]] = (
    msgspec.StructMeta.__call__.__get__(SlipMessage)
)
"""Builds a message of parts, in the order of its fields, that are known to be valid; ``_bare`` may be False.

A struct's own call bound once: a function around it would cost as much again.
"""


def unknown_anchor(name: str) -> Anchor:
    """Anchor for a name that the core lacks, kept as it is; index `NO_INDEX`, coordinates without meaning.

    Raises:
        EncodeError: the name could not stand on the wire, or the core has it.
    """
    _check_name(name, "anchor")
    if name in core():
        raise EncodeError(f"{name} is a core anchor, not an unknown one", "anchor")
    return Anchor(NO_INDEX, name, f"unknown anchor {name}", (0, 0, 0, 0))


def kept_anchor(name: str, book: Codebook) -> Anchor:
    """Anchor for a name that a codebook does not have in use: the one that it retired, else as `unknown_anchor`."""
    return book.find_retired(name) or unknown_anchor(name)


def known_anchor(name: str, book: Codebook) -> Anchor | None:
    """Anchor of a mnemonic in the core, which all sides share, else in a codebook."""
    return _known(name) or book.find(name)


def _concept(given: Any) -> Anchor:
    """The anchor that is given by itself or by its mnemonic.

    Raises:
        EncodeError: it is none, or passes itself off as one of the core.
    """
    if isinstance(given, str):
        return (_known(given) if given.__class__ is str else None) or core().by_mnemonic(given)
    if not isinstance(given, Anchor):
        raise EncodeError(f"must be an anchor or its mnemonic, not {type(given).__name__}", "anchor")
    check_text(given.mnemonic, "anchor")
    known = _known(given.mnemonic)
    if known is given:
        return given
    if given.index == NO_INDEX:
        return unknown_anchor(given.mnemonic)
    check_anchor(given, "anchor")
    if known is not None and known != given:
        raise EncodeError(f"{given.mnemonic} is a core anchor, and this is another of its name", "anchor")
    return given


def _tuple(given: Any) -> tuple[Any, ...]:
    if isinstance(given, (str, bytes)):
        raise EncodeError("must be a list of strings, not one string", "payload")
    try:
        return tuple(given)
    except TypeError:
        raise EncodeError(f"must be a list of strings, not {type(given).__name__}", "payload") from None


def _all_bare(tokens: tuple[Any, ...]) -> bool:
    """Whether all are strings that may stand bare; False for a few rare ones that need no quotes, too."""
    if {*map(type, tokens)} != {str} or "" in tokens:
        return False
    line = " ".join(tokens)
    only_blanks_between = line.isprintable() and line.count(" ") == len(tokens) - 1
    return only_blanks_between and '"' not in line


def _check_name(name: Any, path: str) -> None:
    check_text(name, path)
    if not is_name(name):
        raise EncodeError(f"{'an anchor' if path == 'anchor' else 'an agent'}'s name {NAME_RULE}", path)


# --- JSON form -------------------------------------------------------------------------------------------


def to_json(message: SlipMessage) -> dict[str, Any]:
    """JSON form of a message (design, "Message JSON")."""
    return {
        "version": message.version,
        "src": message.src,
        "dst": message.dst,
        "anchor": message.anchor.mnemonic,
        "payload": list(message.payload),
    }


def from_json(data: Any, *, codebook: Codebook | None = None) -> SlipMessage:
    """Message of its JSON form; ``version`` is v1 and ``payload`` empty where they are left out.

    Anchors that the core lacks are looked for in ``codebook``.

    Raises:
        EncodeError: with the path of what is wrong; for an unknown anchor, the closest ones are named.
    """
    if type(data) is not dict:
        raise EncodeError(f"a SLIP message is an object, not {type(data).__name__}")
    for name in data:
        if name not in FIELDS:
            raise EncodeError(f"no such field (there are: {', '.join(FIELDS)})", str(name))
    for name in ("src", "dst", "anchor"):
        if name not in data:
            raise EncodeError("missing", name)
    if type(data["anchor"]) is not str:
        raise EncodeError(f"must be the anchor's mnemonic, not {type(data['anchor']).__name__}", "anchor")
    payload = data.get("payload", [])
    if type(payload) is not list:
        raise EncodeError(f"must be a list of strings, not {type(payload).__name__}", "payload")
    anchor: Anchor | str = data["anchor"]
    if codebook is not None:
        anchor = known_anchor(data["anchor"], codebook) or codebook.by_mnemonic(data["anchor"])
    return SlipMessage(data["src"], data["dst"], anchor, payload, data.get("version", "v1"))
