"""What the fields of a handshake may hold, and the order in which levels and suites are chosen."""

from __future__ import annotations

import base64
import binascii
import contextlib
import re
from typing import Any, Final

import msgspec

from sabir.errors import EncodeError
from sabir.jsontext import check_text
from sabir.lingua.message import VALUE_RULE, is_value
from sabir.lingua.tables import default

PROTOCOL: Final = "agent-lingua"
VERSION: Final = "0.4.0"
"""The version that this library speaks, as offers state it."""
SPEC: Final = "https://clawhub.ai/xiwan/agent-linguo"
"""Where the protocol is described."""
DOMAINS: Final = tuple(default().domains.by_code)
LEVELS: Final = ("E", "B", "P")
"""Encrypted, base64, plain: the highest first."""
X25519: Final = "X25519+AES-GCM"
PSK: Final = "PSK+AES-GCM"
SUITES: Final = (X25519, PSK)
"""Suites of level E, the one to choose first: fresh keys make what was said yesterday safe from a key lost today."""

_KEY_SIZE: Final = 32
_DER_HEAD: Final = bytes.fromhex("302a300506032b656e032100")
"""What precedes the 32 bytes of an X25519 key in its DER form (RFC 8410)."""
_STANDARD: Final = str.maketrans("-_", "+/")

_is_version = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6}){0,3}").fullmatch
_is_hint = re.compile(r"sha256:[0-9A-Fa-f]{4,64}").fullmatch
_is_fingerprint = re.compile(r"SHA256:[0-9A-Za-z+/=:_-]{4,128}").fullmatch
_is_base64 = re.compile(r"[A-Za-z0-9+/_-]{1,88}={0,2}").fullmatch


def check_codes(step: msgspec.Struct, path: str, known: tuple[str, ...]) -> None:
    """Refuse a list of codes with one that there is not, or one that stands twice; a list becomes a tuple."""
    given: Any = getattr(step, path)
    if type(given) is list:
        given = tuple(given)
        msgspec.structs.force_setattr(step, path, given)
    if type(given) is not tuple:
        raise EncodeError(f"must be a list of codes, not {type(given).__name__}", path)
    for at, code in enumerate(given):
        check_one(code, f"{path}[{at}]", known)
        if code in given[:at]:
            raise EncodeError(f"{code} stands twice", f"{path}[{at}]")


def check_one(code: Any, path: str, known: tuple[str, ...]) -> None:
    """Refuse a code that there is not."""
    if code not in known:
        raise EncodeError(f"must be one of {', '.join(known)}, not {code!r:.60}", path)


def check_version(version: Any) -> None:
    """Refuse what is no version."""
    check_text(version, "version")
    if not _is_version(version):
        raise EncodeError("must be numbers with points between, such as 0.4.0", "version")


def check_session(session: Any) -> None:
    """Refuse what cannot stand after ``#``."""
    check_text(session, "session")
    if not is_value(session):
        raise EncodeError(VALUE_RULE, "session")


def check_hint(hint: Any) -> None:
    """Refuse what is no hint of a pre-shared key."""
    check_text(hint, "psk_hint")
    if not _is_hint(hint):
        raise EncodeError("must be sha256: and 4 to 64 hex digits of the key's hash", "psk_hint")


def check_fingerprint(fingerprint: Any) -> None:
    """Refuse what is no fingerprint."""
    check_text(fingerprint, "fingerprint")
    if not _is_fingerprint(fingerprint):
        raise EncodeError("must be SHA256: and the hash of the public key, in hex or base64", "fingerprint")


def key_bytes(pubkey: Any) -> bytes:
    """The 32 bytes of an X25519 public key in base64, bare or in its DER form; padding may be left out.

    Raises:
        EncodeError: it is no such key.
    """
    check_text(pubkey, "pubkey")
    found = b""
    if _is_base64(pubkey):
        digits = pubkey.rstrip("=").translate(_STANDARD)
        with contextlib.suppress(binascii.Error):  # one digit too many
            found = base64.b64decode(digits + "=" * (-len(digits) % 4), validate=True)
    found = found.removeprefix(_DER_HEAD)
    if len(found) != _KEY_SIZE:
        raise EncodeError("must be an X25519 public key in base64, 32 bytes or their DER form", "pubkey")
    return found
