"""The messages of Agent Lingua's handshake as structures (agent-lingua.md, "Handshake").

    offer         👽09|$j:{protocol, version, spec, capabilities, security, crypto, pubkey, pskHint}
    accept        ^0|$j:{accepted: true, version, capabilities, security, crypto, pubkey, session, fingerprint, note}
    learning      ^2|$j:{accepted: false, learning: true}
    reject        ^A|$j:{reason}
    query         👽06|@agent
    capabilities  ^0|$j:{capabilities, security, version, crypto}
    end           👽08|#session

Keys, sessions and fingerprints come from the caller.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, TypeAlias

import msgspec

from sabir.errors import EncodeError
from sabir.jsontext import check_text
from sabir.lingua.handshake.checks import (
    DOMAINS,
    LEVELS,
    PROTOCOL,
    PSK,
    SPEC,
    SUITES,
    VERSION,
    X25519,
    check_codes,
    check_fingerprint,
    check_hint,
    check_one,
    check_session,
    check_version,
    key_bytes,
)
from sabir.lingua.message import LinguaMessage, LinguaRequest, Signature
from sabir.lingua.payload import Payload

SIGNED: Final = Signature()
"""The signature that agents who do not know each other are to send."""

JSON_NAMES: Final = {"psk_hint": "pskHint"}
"""Fields that have another name in JSON."""


class Offer(msgspec.Struct, frozen=True):
    """What an agent says it can do.

    Attributes:
        version: highest version of the protocol that it speaks.
        capabilities: codes of the domains it serves.
        security: levels it can do, by preference: E encrypted, B base64, P plain.
        crypto: suites it can do, by preference; with E.
        pubkey: X25519 public key in base64, 32 bytes or their DER form; with suite X25519+AES-GCM.
        psk_hint: ``sha256:`` and the first hex digits of the pre-shared key's hash; with suite PSK+AES-GCM.
        spec: where the protocol is described.

    Raises:
        EncodeError: from the constructor, with the path of the field at fault.
    """

    kind: ClassVar[str] = "offer"
    capabilities: tuple[str, ...]
    security: tuple[str, ...] = ("B",)
    crypto: tuple[str, ...] = ()
    pubkey: str | None = None
    psk_hint: str | None = None
    version: str = VERSION
    spec: str = SPEC

    def __post_init__(self) -> None:
        check_codes(self, "capabilities", DOMAINS)
        check_codes(self, "security", LEVELS)
        check_codes(self, "crypto", SUITES)
        check_version(self.version)
        check_text(self.spec, "spec")
        if self.pubkey is not None:
            key_bytes(self.pubkey)
        if self.psk_hint is not None:
            check_hint(self.psk_hint)

    def message(self, signature: Signature | None = SIGNED, *, target: str | None = None) -> LinguaMessage:
        """The offer as a message, to one agent or to whom it may concern.

        Raises:
            EncodeError: it has level E without a suite, or a suite without its key or hint; or the target is none.
        """
        if "E" in self.security and not self.crypto:
            raise EncodeError(f"level E needs a suite: {' or '.join(SUITES)}", "crypto")
        for suite, name in ((X25519, "pubkey"), (PSK, "psk_hint")):
            if suite in self.crypto and getattr(self, name) is None:
                raise EncodeError(f"missing, and suite {suite} needs it", name)
        head = {"protocol": PROTOCOL, "version": self.version, "spec": self.spec}
        content = head | _content(self, "capabilities", "security", "crypto", "pubkey", "psk_hint")
        return LinguaMessage.request(
            LinguaRequest("0", "9", target=target, payload=_payload(content)), signature=signature
        )


class Accept(msgspec.Struct, frozen=True):
    """What two agents will do.

    Attributes:
        version: version of the protocol that both speak.
        capabilities: codes of the domains that both serve.
        security: the level.
        crypto: the suite; with E.
        pubkey: X25519 public key of the agent that accepts; with suite X25519+AES-GCM.
        session: identifier of the session; with E.
        fingerprint: ``SHA256:`` and the hash of the public key.
        note: why it is no better, for people.

    Raises:
        EncodeError: from the constructor, with the path of the field at fault.
    """

    kind: ClassVar[str] = "accept"
    version: str
    capabilities: tuple[str, ...]
    security: str
    crypto: str | None = None
    pubkey: str | None = None
    session: str | None = None
    fingerprint: str | None = None
    note: str | None = None

    def __post_init__(self) -> None:
        check_version(self.version)
        check_codes(self, "capabilities", DOMAINS)
        check_one(self.security, "security", LEVELS)
        if self.session is not None:
            check_session(self.session)
        if self.note is not None:
            check_text(self.note, "note")
        if self.security == "E":
            self._check_encrypted()
        elif found := [name for name in ("crypto", "pubkey", "fingerprint") if getattr(self, name) is not None]:
            raise EncodeError(f"level {self.security} has none", found[0])

    def _check_encrypted(self) -> None:
        check_one(self.crypto, "crypto", SUITES)
        if self.session is None:
            raise EncodeError("missing, and level E needs it", "session")
        if self.crypto == X25519 and self.pubkey is None:
            raise EncodeError(f"missing, and suite {X25519} needs it", "pubkey")
        if self.pubkey is not None:
            key_bytes(self.pubkey)
        if self.fingerprint is not None:
            check_fingerprint(self.fingerprint)

    def message(self, signature: Signature | None = SIGNED) -> LinguaMessage:
        """The answer as a message."""
        content = {"accepted": True} | _content(self, *self.__struct_fields__)
        return LinguaMessage.response("0", payload=_payload(content), signature=signature)


class Learning(msgspec.Struct, frozen=True):
    """The other agent is still reading the protocol's document and will answer later."""

    kind: ClassVar[str] = "learning"

    def message(self, signature: Signature | None = SIGNED) -> LinguaMessage:
        """The answer as a message."""
        return LinguaMessage.response("2", payload=_payload({"accepted": False, "learning": True}), signature=signature)


class Reject(msgspec.Struct, frozen=True):
    """There will be no session.

    Attributes:
        reason: why, for people; empty where the other agent does not say.

    Raises:
        EncodeError: from the constructor.
    """

    kind: ClassVar[str] = "reject"
    reason: str

    def __post_init__(self) -> None:
        check_text(self.reason, "reason")

    def message(self, signature: Signature | None = SIGNED) -> LinguaMessage:
        """The answer as a message."""
        return LinguaMessage.response("A", payload=_payload({"reason": self.reason}), signature=signature)


class Query(msgspec.Struct, frozen=True):
    """What can you do?

    Attributes:
        target: the agent that is asked.

    Raises:
        EncodeError: from `message`; the target is no name.
    """

    kind: ClassVar[str] = "query"
    target: str

    def message(self, signature: Signature | None = SIGNED) -> LinguaMessage:
        """The question as a message."""
        return LinguaMessage.request(LinguaRequest("0", "6", target=self.target), signature=signature)


class Capabilities(msgspec.Struct, frozen=True):
    """What an agent can do, when it is asked; the fields are those of `Offer`.

    Raises:
        EncodeError: from the constructor, with the path of the field at fault.
    """

    kind: ClassVar[str] = "capabilities"
    capabilities: tuple[str, ...]
    security: tuple[str, ...]
    version: str | None = None
    crypto: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_codes(self, "capabilities", DOMAINS)
        check_codes(self, "security", LEVELS)
        check_codes(self, "crypto", SUITES)
        if self.version is not None:
            check_version(self.version)

    def message(self, signature: Signature | None = SIGNED) -> LinguaMessage:
        """The answer as a message."""
        return LinguaMessage.response(
            "0", payload=_payload(_content(self, *self.__struct_fields__)), signature=signature
        )


class End(msgspec.Struct, frozen=True):
    """The session is over, and its key void.

    Attributes:
        session: identifier of the session.

    Raises:
        EncodeError: from the constructor.
    """

    kind: ClassVar[str] = "end"
    session: str

    def __post_init__(self) -> None:
        check_session(self.session)

    def message(self, signature: Signature | None = SIGNED) -> LinguaMessage:
        """The end as a message."""
        return LinguaMessage.request(LinguaRequest("0", "8", id=self.session), signature=signature)


Step: TypeAlias = Offer | Accept | Learning | Reject | Query | Capabilities | End
"""A message of the handshake."""


def _content(step: msgspec.Struct, *names: str) -> dict[str, Any]:
    """Fields of a structure as JSON, without those that say nothing."""
    found: dict[str, Any] = {}
    for name in names:
        value = getattr(step, name)
        if value is not None and (value != () or name != "crypto"):
            found[JSON_NAMES.get(name, name)] = list(value) if type(value) is tuple else value
    return found


def _payload(content: dict[str, Any]) -> Payload:
    return Payload("json", content)
