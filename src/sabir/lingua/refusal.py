"""Agent Lingua's answer to a text that is no message (agent-lingua.md, "Message grammar")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabir.lingua.message import LinguaMessage, Signature, is_details
from sabir.lingua.payload import Payload
from sabir.lingua.tables import VERSION

if TYPE_CHECKING:
    from sabir.errors import DecodeError


def refusal(error: DecodeError, *, signature: Signature | None = None) -> LinguaMessage:
    """The error message for what could not be read: a parse error with our version, and the reason as its details.

    >>> from sabir.errors import DecodeError
    >>> from sabir.lingua import decode, encode, refusal
    >>> try:
    ...     decode("👽Z3|@1")
    ... except DecodeError as error:
    ...     print(encode(refusal(error)).partition(" (")[0])
    !E1|$j:eyJ2ZXJzaW9uIjoiMC40In0=|no domain "Z"
    """
    details = error.reason if is_details(error.reason) else f"here: {error.reason}"
    return LinguaMessage.error("1", payload=Payload("json", {"version": VERSION}), details=details, signature=signature)
