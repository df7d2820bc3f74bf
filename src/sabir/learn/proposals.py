"""Proposals: groups of logged texts that could become anchors, with what somebody has to know to decide.

A run is idempotent: the same log gives the same proposals, told apart by the hashes of their texts. What was decided
stays decided; open proposals that a run does not find again are superseded.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from sqlalchemy import select, update

from sabir.errors import EncodeError
from sabir.jsontext import dumps, loads
from sabir.learn import clustering, log, naming, vectors
from sabir.learn.anchors import book_of, coords_from, coords_text, own
from sabir.learn.instants import Clock, microseconds, utc_now
from sabir.learn.policy import Policy, current
from sabir.learn.superseding import supersede
from sabir.quantize.quantizer import FALLBACK
from sabir.store.schema import members, proposals
from sabir.ucr.anchor import likenesses

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection, Row

    from sabir.learn.clustering import Cluster
    from sabir.learn.log import Text
    from sabir.quantize.quantizer import Quantized
    from sabir.store.engine import Store
    from sabir.ucr.codebook import Coords

Status = Literal["open", "superseded", "approved", "rejected"]
STATUSES: Final[tuple[Status, ...]] = ("open", "superseded", "approved", "rejected")
_DECIDED: Final = ("approved", "rejected")
_AT_ONCE: Final = 500
"""Texts that are quantized at once."""
_LAST: Final = 2**31 - 1
"""Largest number that the store can hold."""


class Speaker(Protocol):
    """What quantizes: `sabir.quantize.Quantizer`, or one with this installation's anchors."""

    def quantize_all(self, texts: list[str], /) -> list[Quantized]:
        """Answers for texts, in their order."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A group that could become an anchor, or became one.

    Attributes:
        number: by which it is decided on.
        status: one of `STATUSES`.
        mnemonic, canonical, coords: of the anchor that it would be.
        exemplar: the text nearest to the centroid; empty once the texts are gone.
        near: core anchors around it, with their weights.
        size, sources, share, cohesion: as of a `Cluster`.
        embedder: whose vectors it was found by.
        at, decided_at: microseconds since 1970; the first is when it was last found.
        decided_by, reason: who decided, and why it was rejected.
        policy: number of the policy under which it was decided; None for the default.
    """

    number: int
    status: Status
    mnemonic: str
    canonical: str
    coords: Coords
    exemplar: str
    near: naming.Near
    size: int
    sources: int
    share: float
    cohesion: float
    embedder: str
    at: int
    decided_at: int | None
    decided_by: str | None
    reason: str | None
    policy: int | None


@dataclass(frozen=True, slots=True)
class Member:
    """A text behind a proposal: its hash stays, the text goes when it is of no more use."""

    hash: str
    sources: dict[str, int]
    text: str | None


@dataclass(frozen=True, slots=True)
class Run:
    """What a run found.

    Attributes:
        open: all proposals that wait for a decision.
        new: numbers of those that this run made.
        looked_at: texts that were grouped.
        said: texts of the log left out because an anchor says them well enough by now, they were decided on, or there
            are more than a run groups.
        held_back: exemplars of groups that the policy refuses, each with the reasons; the largest groups first.
    """

    open: tuple[Proposal, ...]
    new: tuple[int, ...]
    looked_at: int
    said: int
    held_back: tuple[tuple[str, tuple[str, ...]], ...]


def propose(
    store: Store,
    quantizer: Speaker,
    embedder: str | None = None,
    clock: Clock = utc_now,
    *,
    progress: vectors.Progress = lambda _: None,
) -> Run:
    """Group the texts of the log that no anchor says, and propose the groups that the policy lets pass.

    ``progress`` is told how many texts more are looked at; thousands take minutes with a large embedder.

    Raises:
        MissingDependency: numpy, scikit-learn or the embedder's package is not installed.
        SabirError: the store fails.
    """
    name = embedder or vectors.default()
    with store.read() as connection:
        policy, _ = current(connection)
        logged = log.texts(connection)
        decided = _decided(connection)
        book = book_of(own(connection))
    answers: dict[str, Quantized] = {}
    undecided = clustering.in_turn([text for text in logged if text.hash not in decided])
    unsaid = clustering.chosen(_unsaid(undecided, quantizer, answers))
    passed: list[Cluster] = []
    held_back: list[tuple[str, tuple[str, ...]]] = []
    for cluster in clustering.clusters(unsaid, name, policy, progress):
        reasons = refusals(policy, cluster, name)
        if not reasons:
            passed.append(cluster)
        elif cluster.size >= policy.min_cluster_size:
            held_back.append((cluster.exemplar, reasons))
    mnemonics = {key for anchor in (*book, *book.retired) for key in likenesses(anchor.mnemonic)}
    everywhere = naming.Everywhere(unsaid)
    rows = [_row(cluster, [answers[text.hash] for text in cluster.texts], everywhere, mnemonics, name) for cluster in passed]
    with store.write() as connection:
        new = _write(connection, rows, passed, microseconds(clock()))
        waiting = listed(connection, "open")
    return Run(waiting, new, len(unsaid), len(logged) - len(unsaid), tuple(held_back))


def _unsaid(texts: Sequence[Text], quantizer: Speaker, answers: dict[str, Quantized]) -> Iterator[Text]:
    """The texts that no anchor says, in their order; only as many are quantized as are asked for."""
    for start in range(0, len(texts), _AT_ONCE):
        block = texts[start : start + _AT_ONCE]
        said = quantizer.quantize_all([text.text for text in block])
        answers |= {text.hash: answer for text, answer in zip(block, said, strict=True)}
        yield from (text for text in block if answers[text.hash].anchor == FALLBACK)


def refusals(policy: Policy, group: Cluster | Proposal, embedder: str) -> tuple[str, ...]:
    """Why the policy lets a group not become an anchor; empty where it does."""
    least = vectors.cohesive(embedder) if policy.min_cohesion is None else policy.min_cohesion
    sources = f"{group.sources} source{'' if group.sources == 1 else 's'}"
    found = {
        f"{group.size} sightings; at least {policy.min_cluster_size} are needed": group.size < policy.min_cluster_size,
        f"{sources}; at least {policy.min_sources} are needed": group.sources < policy.min_sources,
        f"one source has {group.share:.0%} of it; at most {policy.max_share:.0%} is allowed": group.share > policy.max_share,
        f"cohesion {group.cohesion:.2f}; at least {least:.2f} is needed": group.cohesion < least,
    }
    return tuple(reason for reason, refused in found.items() if refused)


def list_all(store: Store, status: Status | None = None) -> tuple[Proposal, ...]:
    """Proposals by number, all or those of one status.

    Raises:
        SabirError: the store fails.
    """
    with store.read() as connection:
        return listed(connection, status)


def detail(store: Store, number: int) -> tuple[Proposal, tuple[Member, ...]]:
    """A proposal and the texts behind it.

    Raises:
        EncodeError: there is none of that number.
        SabirError: the store fails.
    """
    with store.read() as connection:
        return found(connection, number), tuple(members_of(connection, number))


def listed(connection: Connection, status: Status | None = None) -> tuple[Proposal, ...]:
    """Proposals by number, all or those of one status."""
    asked = select(proposals).order_by(proposals.c.id)
    return tuple(map(_proposal, connection.execute(asked if status is None else asked.where(proposals.c.status == status))))


def found(connection: Connection, number: int) -> Proposal:
    """The proposal of a number.

    Raises:
        EncodeError: there is none.
    """
    sane = 0 < number <= _LAST
    row = connection.execute(select(proposals).where(proposals.c.id == number)).first() if sane else None
    if row is None:
        raise EncodeError(f"there is no proposal {number}", "proposal")
    return _proposal(row)


def members_of(connection: Connection, number: int) -> list[Member]:
    """The texts behind a proposal, by hash."""
    rows = connection.execute(select(members).where(members.c.proposal == number).order_by(members.c.hash))
    return [Member(row.hash, loads(row.sources), row.text) for row in rows]


def _decided(connection: Connection) -> set[str]:
    """Hashes of the texts of all proposals that somebody decided on."""
    asked = select(members.c.hash).join(proposals).where(proposals.c.status.in_(_DECIDED))
    return set(connection.execute(asked).scalars())


def _row(
    cluster: Cluster, answers: Sequence[Quantized], others: naming.Everywhere, taken: set[str], embedder: str
) -> dict[str, Any]:
    """A proposal's row; its mnemonic, with all that it can be taken for, is taken from then on."""
    near = naming.around(answers)
    coords = naming.coords_of(near)
    topics = naming.topics_of(cluster.texts, others, near)
    mnemonic = naming.mnemonic_for(coords, topics, lambda name: not taken.isdisjoint(likenesses(name)))
    taken |= likenesses(mnemonic)
    key = "\n".join(sorted(text.hash for text in cluster.texts))
    return {
        "key": hashlib.sha256(key.encode()).hexdigest(),
        "status": "open",
        "mnemonic": mnemonic,
        "canonical": naming.canonical_for(coords, topics),
        "coords": coords_text(coords),
        "exemplar": cluster.exemplar,
        "near": dumps([list(item) for item in near]),
        "size": cluster.size,
        "sources": cluster.sources,
        "share": round(cluster.share, 4),
        "cohesion": cluster.cohesion,
        "embedder": embedder,
    }


def _write(connection: Connection, rows: Sequence[dict[str, Any]], groups: Sequence[Cluster], now: int) -> tuple[int, ...]:
    """Write what is new, open again what was found again, and supersede the others; the numbers of the new ones."""
    asked = select(proposals.c.key, proposals.c.id, proposals.c.status)
    known = {item.key: item for item in connection.execute(asked)}
    keys = {row["key"] for row in rows}
    supersede(connection, [item.id for key, item in known.items() if item.status == "open" and key not in keys])
    new: list[int] = []
    for row, cluster in zip(rows, groups, strict=True):
        item = known.get(row["key"])
        if item is None:
            number = connection.execute(proposals.insert().returning(proposals.c.id), {**row, "at": now}).scalar_one()
            new.append(number)
            texts = [{"proposal": number, "hash": text.hash, "sources": "{}", "text": None} for text in cluster.texts]
            connection.execute(members.insert(), texts)
        elif item.status in _DECIDED:
            continue
        else:
            number = item.id
            figures = {name: row[name] for name in ("status", "exemplar", "size", "sources", "share", "cohesion", "embedder")} | {"at": now}
            connection.execute(update(proposals).where(proposals.c.id == number).values(figures))
        for text in cluster.texts:
            own_row = (members.c.proposal == number) & (members.c.hash == text.hash)
            values = {"sources": dumps(text.sources), "text": text.text}
            connection.execute(update(members).where(own_row).values(values))
    return tuple(new)


def _proposal(row: Row[Any]) -> Proposal:
    values: dict[str, Any] = dict(row._mapping)  # noqa: SLF001  # SQLAlchemy's documented way to a row's names
    del values["key"]
    near = tuple((mnemonic, weight) for mnemonic, weight in loads(values.pop("near")))
    return Proposal(number=values.pop("id"), **values | {"near": near, "coords": coords_from(values["coords"])})
