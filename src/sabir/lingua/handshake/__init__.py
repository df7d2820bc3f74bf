"""The handshake of Agent Lingua: its messages, what two agents agree on, and what may follow what.

    >>> from sabir.lingua.handshake import Offer, negotiate, read
    >>> from sabir.lingua import decode, encode
    >>> here = Offer(("1", "7"), ("B", "P"))
    >>> offer = read(decode(encode(Offer(("1", "A"), ("P", "B")).message())))
    >>> negotiate(here, offer)
    Accept(version='0.4.0', capabilities=('1',), security='B', crypto=None, pubkey=None, session=None, fingerprint=None, note=None)

Each message is a structure, written by its `message` and read by `read`. What a later version may add is passed over when
it is read: fields, domains, levels and suites that this one does not know. No cryptography happens here: keys, sessions
and fingerprints come from the caller.
"""

from __future__ import annotations

from sabir.lingua.handshake.checks import LEVELS, PSK, SUITES, VERSION, X25519, key_bytes
from sabir.lingua.handshake.negotiation import confirm, negotiate
from sabir.lingua.handshake.reading import read
from sabir.lingua.handshake.states import TRANSITIONS, Side
from sabir.lingua.handshake.steps import Accept, Capabilities, End, Learning, Offer, Query, Reject, Step

__all__ = [
    "LEVELS",
    "PSK",
    "SUITES",
    "TRANSITIONS",
    "VERSION",
    "X25519",
    "Accept",
    "Capabilities",
    "End",
    "Learning",
    "Offer",
    "Query",
    "Reject",
    "Side",
    "Step",
    "confirm",
    "key_bytes",
    "negotiate",
    "read",
]
