"""Who decides what becomes an anchor, and what is kept of the decision (seed, section 5.3).

Every decision is one transaction that holds the store's write lock: it reads the policy, the rate and the state that it
depends on, and either happens whole or not at all. Deciding the same again changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import delete, func, select, update

from sabir.errors import EncodeError, PolicyError
from sabir.learn import proposals
from sabir.learn.anchors import Own, book_of, coords_text, own
from sabir.learn.instants import DAY, Clock, iso, microseconds, utc_now
from sabir.learn.naming import LONGEST
from sabir.learn.policy import Policy, current, named
from sabir.learn.redaction import redact
from sabir.learn.superseding import forget, successor
from sabir.store.schema import anchors, centroids
from sabir.store.schema import proposals as table
from sabir.ucr import EXTENSION, Anchor, core
from sabir.ucr.codebook import LAST, check_anchor

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from sabir.learn.proposals import Member, Proposal
    from sabir.store.engine import Store

NOBODY: Final = "(policy)"
"""Stands for who approved, where the policy asks for nobody."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where an anchor comes from: the anchor, the proposal it was, and the texts behind it."""

    own: Own
    proposal: Proposal
    members: tuple[Member, ...]


def approve(
    store: Store,
    number: int,
    by: str | None = None,
    *,
    mnemonic: str | None = None,
    canonical: str | None = None,
    clock: Clock = utc_now,
) -> Anchor:
    """Make an anchor of a proposal, at the next free index; the anchor there is where it was approved already.

    ``by`` names who approves, and may be None where the policy asks for nobody. ``mnemonic`` and ``canonical`` stand in
    for the proposed ones.

    Raises:
        PolicyError: a rule of the policy is not met, or it was decided otherwise already.
        EncodeError: there is no such proposal, or the mnemonic or description cannot be one.
        SabirError: the store fails.
    """
    with store.write() as connection:
        return _approve(connection, number, by, (mnemonic, canonical), microseconds(clock()))


def approve_open(store: Store, clock: Clock = utc_now) -> tuple[list[Anchor], str]:
    """Make anchors of the open proposals, the largest first, where the policy asks for nobody's approval.

    Returns:
        The anchors, and why it stopped before the last proposal, if it did.
    """
    done: list[Anchor] = []
    with store.read() as connection:
        waiting = proposals.listed(connection, "open")
        wanted = not current(connection)[0].approval
    for proposal in sorted(waiting if wanted else (), key=lambda proposal: (-proposal.size, proposal.number)):
        try:
            done.append(approve(store, proposal.number, clock=clock))
        except PolicyError as error:
            return done, str(error)
    return done, ""


def reject(store: Store, number: int, by: str, reason: str = "", clock: Clock = utc_now) -> Proposal:
    """Decide that a proposal becomes no anchor; its texts are not proposed again, and only their hashes are kept.

    Raises:
        PolicyError: it is an anchor already, or ``by`` is no name.
        EncodeError: there is no such proposal.
        SabirError: the store fails.
    """
    name, why = named(by), redact(reason, "reason").text
    with store.write() as connection:
        proposal = proposals.found(connection, number)
        if proposal.status == "approved":
            raise PolicyError(f"proposal {number} was approved by {proposal.decided_by}: retire {proposal.mnemonic} instead")
        if proposal.status != "rejected":
            now, rules = microseconds(clock()), current(connection)[1]
            _decide(connection, number, status="rejected", decided_at=now, decided_by=name, reason=why, policy=rules)
            forget(connection, number)
        return proposals.found(connection, number)


def retire(store: Store, mnemonic: str, by: str, reason: str = "", clock: Clock = utc_now) -> Own:
    """Take an anchor out of use. Its index and its mnemonic stay taken for ever; of its texts only the hashes are kept.

    Raises:
        PolicyError: it is one of the core, or ``by`` is no name.
        EncodeError: there is no such anchor.
        SabirError: the store fails.
    """
    name, why = named(by), redact(reason, "reason").text
    with store.write() as connection:
        anchor = _of(connection, mnemonic)
        if anchor.retired_at is None:
            row = {"retired_at": microseconds(clock()), "retired_by": name, "retired_reason": why}
            connection.execute(update(anchors).where(anchors.c.index == anchor.anchor.index).values(row))
            connection.execute(delete(centroids).where(centroids.c.index == anchor.anchor.index))
            forget(connection, anchor.proposal)
        return _of(connection, mnemonic)


def provenance(store: Store, mnemonic: str) -> Provenance:
    """Where an anchor comes from.

    Raises:
        PolicyError: it is one of the core, which comes with the protocol.
        EncodeError: there is no such anchor.
        SabirError: the store fails.
    """
    with store.read() as connection:
        anchor = _of(connection, mnemonic)
        texts = tuple(proposals.members_of(connection, anchor.proposal))
        return Provenance(anchor, proposals.found(connection, anchor.proposal), texts)


def _approve(
    connection: Connection, number: int, by: str | None, words: tuple[str | None, str | None], now: int
) -> Anchor:
    proposal = proposals.found(connection, number)
    if proposal.status == "approved":
        return _again(connection, proposal, words)
    if proposal.status != "open":
        by_whom = f" by {proposal.decided_by} at {iso(proposal.decided_at)}" if proposal.decided_at else ""
        heir = successor(connection, number) if proposal.status == "superseded" else None
        now_in = f"; most of its texts are in proposal {heir} now" if heir else ""
        raise PolicyError(f"proposal {number} was {proposal.status}{by_whom}{now_in}")
    policy, rules = current(connection)
    name = _approver(connection, policy, number, by)
    if reasons := proposals.refusals(policy, proposal, proposal.embedder):
        raise PolicyError(f"proposal {number}: {'; '.join(reasons)}")
    _check_rate(connection, policy, now)
    canonical = proposal.canonical if words[1] is None else redact(words[1], "canonical").text
    mnemonic = proposal.mnemonic if words[0] is None else words[0]
    anchor = Anchor(_next(connection), mnemonic, canonical, proposal.coords)
    check_anchor(anchor, "")
    _check_name(connection, anchor.mnemonic)
    row = {"index": anchor.index, "mnemonic": anchor.mnemonic, "canonical": anchor.canonical, "proposal": number}
    place = {"coords": coords_text(anchor.coords), "folded": anchor.mnemonic.casefold(), "minted_at": now}
    connection.execute(anchors.insert(), row | place)
    decision: dict[str, Any] = {"mnemonic": anchor.mnemonic, "canonical": anchor.canonical, "policy": rules}
    _decide(connection, number, status="approved", decided_at=now, decided_by=name, **decision)
    return anchor


def _again(connection: Connection, proposal: Proposal, words: tuple[str | None, str | None]) -> Anchor:
    """The anchor of a proposal that was approved before.

    Raises:
        PolicyError: under another name, or with another description.
    """
    mnemonic, canonical = words
    asked = {"mnemonic": mnemonic, "canonical": None if canonical is None else redact(canonical, "canonical").text}
    for field, word in asked.items():
        if word not in (None, getattr(proposal, field)):
            was = f"as {proposal.mnemonic}: {proposal.canonical}"
            raise PolicyError(f"proposal {proposal.number} was approved by {proposal.decided_by} {was}")
    return _of(connection, proposal.mnemonic).anchor


def _approver(connection: Connection, policy: Policy, number: int, by: str | None) -> str:
    """Name of who approves.

    Raises:
        PolicyError: nobody does though the policy asks for it, or somebody approves what they said themselves.
    """
    if by is None and not policy.approval:
        return NOBODY
    name = named(by)
    if name == NOBODY:
        raise PolicyError(f"{NOBODY} is nobody's name")
    own_words = {source.casefold() for member in proposals.members_of(connection, number) for source in member.sources}
    if name.casefold() in own_words:
        raise PolicyError(f"{name} is a source of proposal {number}; somebody else has to approve it")
    return name


def _check_rate(connection: Connection, policy: Policy, now: int) -> None:
    """Refuse to mint more anchors within a day than the policy allows; retired ones count."""
    asked = select(func.count(), func.min(anchors.c.minted_at)).where(anchors.c.minted_at > now - DAY)
    number, first = connection.execute(asked).one()
    if number >= policy.mints_a_day:
        again = f"; again from {iso(first + DAY)} on" if number and policy.mints_a_day else ""
        raise PolicyError(f"{number} anchors were minted within 24 hours, of {policy.mints_a_day} allowed{again}")


def _next(connection: Connection) -> int:
    """Next index; retired anchors keep theirs, so it only grows."""
    last = connection.execute(select(func.max(anchors.c.index))).scalar_one()
    index = EXTENSION if last is None else int(last) + 1
    if index > LAST:
        raise PolicyError(f"all indices of the extension range, up to 0x{LAST:04X}, are given away")
    return index


def _check_name(connection: Connection, mnemonic: str) -> None:
    """Refuse a mnemonic that is too long, or that can be taken for another one or for a proposal's number."""
    if len(mnemonic) > LONGEST:
        raise EncodeError(f"longer than {LONGEST} characters", "mnemonic")
    if mnemonic.isdecimal():
        raise EncodeError("a number is no name; give a word", "mnemonic")
    holder = book_of(own(connection)).find_alike(mnemonic)
    if holder is None:
        return
    if holder.mnemonic.casefold() == mnemonic.casefold():
        raise PolicyError(f"the mnemonic {mnemonic} is taken by {holder.mnemonic}; give another one")
    raise PolicyError(f"the mnemonic {mnemonic} looks like {holder.mnemonic}; give another one")


def _of(connection: Connection, mnemonic: str) -> Own:
    if mnemonic in core():
        raise PolicyError(f"{mnemonic} is a core anchor, which never changes")
    for item in own(connection):
        if item.anchor.mnemonic == mnemonic:
            return item
    raise EncodeError(f'this installation has no anchor "{mnemonic[:LONGEST]}" of its own', "anchor")


def _decide(connection: Connection, number: int, **values: Any) -> None:
    connection.execute(update(table).where(table.c.id == number).values(values))
