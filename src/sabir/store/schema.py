"""Tables of the store. Instants are whole microseconds since 1970 in UTC, hashes are SHA-256 in hexadecimal.

Nothing of an anchor is ever deleted: its index and its mnemonic stay taken when it is retired.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

METADATA: Final = MetaData()

about: Final = Table(
    "sabir_about",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""What the store knows of itself: ``schema`` is its version, ``salt`` makes pseudonyms of sources."""

messages: Final = Table(
    "sabir_messages",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("shape", String(64), nullable=False, unique=True),  # near-copies have one shape
    Column("hash", String(64), nullable=False, unique=True),
    Column("text", Text, nullable=False),
    Column("bytes", Integer, nullable=False),
    Column("first_seen", BigInteger, nullable=False),
    Column("last_seen", BigInteger, nullable=False),
    Index("sabir_messages_by_age", "last_seen"),
    sqlite_autoincrement=True,
)
"""The log: one row for each text that is not nearly the same as another."""

sightings: Final = Table(
    "sabir_sightings",
    METADATA,
    Column("message", ForeignKey(messages.c.id, ondelete="CASCADE"), primary_key=True),
    Column("source", String(100), primary_key=True),
    Column("count", Integer, nullable=False),
    Column("confidence", Float, nullable=False),  # the lowest that was seen
    Column("first_seen", BigInteger, nullable=False),
    Column("last_seen", BigInteger, nullable=False),
    Index("sabir_sightings_by_source", "source"),
)
"""Who said a text, and how often."""

policies: Final = Table(
    "sabir_policies",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("policy", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("by", String(100), nullable=False),
    sqlite_autoincrement=True,
)
"""Policies as JSON; the last one holds, the others are history."""

proposals: Final = Table(
    "sabir_proposals",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("key", String(64), nullable=False, unique=True),  # of the texts: the same cluster is proposed once
    Column("status", String(12), nullable=False),
    Column("mnemonic", String(64), nullable=False),
    Column("canonical", Text, nullable=False),
    Column("coords", String(16), nullable=False),
    Column("exemplar", Text, nullable=False),
    Column("near", Text, nullable=False),
    Column("size", Integer, nullable=False),
    Column("sources", Integer, nullable=False),
    Column("share", Float, nullable=False),
    Column("cohesion", Float, nullable=False),
    Column("embedder", String(100), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("decided_at", BigInteger),
    Column("decided_by", String(100)),
    Column("reason", Text),
    Column("policy", ForeignKey(policies.c.id)),
    sqlite_autoincrement=True,
)
"""Clusters that may become anchors, and what became of them."""

members: Final = Table(
    "sabir_members",
    METADATA,
    Column("proposal", ForeignKey(proposals.c.id), primary_key=True),
    Column("hash", String(64), primary_key=True),
    Column("sources", Text, nullable=False),  # JSON, {source: count}
    Column("text", Text),  # gone once it is of no use
)
"""The texts behind a proposal. Their hashes are its provenance and outlive the log."""

anchors: Final = Table(
    "sabir_anchors",
    METADATA,
    Column("index", Integer, primary_key=True, autoincrement=False),
    Column("mnemonic", String(64), nullable=False),
    Column("folded", String(64), nullable=False, unique=True),  # two names may not differ in case alone
    Column("canonical", Text, nullable=False),
    Column("coords", String(16), nullable=False),
    Column("proposal", ForeignKey(proposals.c.id), nullable=False, unique=True),
    Column("minted_at", BigInteger, nullable=False),
    Column("retired_at", BigInteger),
    Column("retired_by", String(100)),
    Column("retired_reason", Text),
)
"""Anchors of this installation: one for an approved proposal at most."""

centroids: Final = Table(
    "sabir_centroids",
    METADATA,
    Column("index", ForeignKey(anchors.c.index), primary_key=True),
    Column("embedder", String(100), primary_key=True),
    Column("radius", Float, nullable=False),  # least cosine to the centroid that counts as inside
    Column("vector", LargeBinary, nullable=False),  # float32, little-endian, of length 1
)
"""The vector index, which `rebuild` makes anew from the members' texts."""
