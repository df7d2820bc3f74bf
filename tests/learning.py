"""What the tests of the extension layer share: topics, a quantizer that is never sure, a clock, and what must always hold."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import func, select

from sabir import learn
from sabir.errors import PolicyError
from sabir.learn.anchors import own
from sabir.learn.instants import microseconds, utc_now
from sabir.learn.proposals import listed, members_of
from sabir.learn.vectors import HASHED
from sabir.quantize import Quantized
from sabir.store import open_store
from sabir.store.engine import Store
from sabir.store.schema import anchors, members, messages, proposals, sightings

NOON: Final = datetime(2026, 3, 1, 12, tzinfo=UTC)
TOPICS: Final = {
    "certificates": (
        "Rotate the certificates of the gateway before Friday",
        "Please rotate the gateway certificates today",
        "The gateway certificates must be rotated tonight",
        "Somebody should rotate certificates on the gateway",
    ),
    "harvest": (
        "Forecast the wheat harvest of the northern fields",
        "A forecast of the wheat harvest in the northern fields is wanted",
        "How will the wheat harvest in the northern fields be, any forecast",
        "Wheat harvest forecast for the northern fields",
    ),
    "translation": (
        "Subtitle the Portuguese documentary for broadcast",
        "The Portuguese documentary needs subtitles before the broadcast",
        "Portuguese documentary: subtitles for the broadcast",
        "Make subtitles of the Portuguese documentary for Sunday's broadcast",
    ),
}
"""Texts that say one thing each, in words that n-grams tell apart."""


class Unsure:
    """A quantizer to which every text is somewhat like a request, and none enough."""

    def quantize_all(self, texts: list[str], /) -> list[Quantized]:
        """Fallback for all."""
        near = (("RequestTask", 0.3), ("RequestPlan", 0.2), ("InformStatus", 0.1))
        return [Quantized("Fallback", 0.3, near, "keyword") for _ in texts]


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, at: datetime = NOON) -> None:
        self.at = at

    def __call__(self) -> datetime:
        """The time."""
        return self.at

    def move(self, **delta: float) -> None:
        """Go on, by hours, days and so on."""
        self.at += timedelta(**delta)


def say(store: Store, topic: str, sources: Iterable[str] = ("ann", "ben", "cat", "dan"), clock: Clock | None = None) -> None:
    """Log the texts of a topic, one for each source."""
    rows = [learn.Low(text, 0.2, source) for text, source in zip(TOPICS[topic], sources, strict=False)]
    learn.record_all(store, rows, clock or Clock())


def propose(store: Store, clock: Clock | None = None) -> learn.Run:
    """A run with n-grams."""
    return learn.propose(store, Unsure(), HASHED, clock or Clock())


def put(store: Store, number: int) -> None:
    """Write open proposals that the default policy lets pass, without the work of finding them."""
    with store.write() as connection:
        for place in range(number):
            row = {"key": f"{place:064}", "status": "open", "mnemonic": f"RequestNumber{place}", "canonical": f"Number {place}"}
            figures = {"size": 3, "sources": 3, "share": 0.3333, "cohesion": 0.9, "embedder": HASHED, "at": microseconds(utc_now())}
            rest = {"coords": "3,4,0,3", "exemplar": f"number {place}", "near": '[["RequestTask",1.0]]'}
            made = proposals.insert().returning(proposals.c.id)
            key = connection.execute(made, row | figures | rest).scalar_one()
            texts = [{"proposal": key, "hash": f"{place}-{at}", "sources": json.dumps({f"s{at}": 1}), "text": f"number {place}"} for at in range(3)]
            connection.execute(members.insert(), texts)


def check(store: Store) -> int:
    """Assert what holds in every store at every moment; the number of its anchors."""
    with store.read() as connection:
        minted = own(connection)
        decided = {item.number: item for item in listed(connection)}
        approved = {number for number, item in decided.items() if item.status == "approved"}
        assert [item.anchor.index for item in minted] == list(range(0x8000, 0x8000 + len(minted)))
        assert sorted(item.proposal for item in minted) == sorted(approved)
        for item in minted:
            proposal = decided[item.proposal]
            assert (proposal.mnemonic, proposal.decided_at) == (item.anchor.mnemonic, item.minted_at)
            assert proposal.decided_by
            assert len(members_of(connection, item.proposal)) == 3 or proposal.size != 3
        folded = connection.execute(select(anchors.c.folded)).scalars().all()
        assert len({*folded}) == len(minted)
        silent = select(func.count()).select_from(messages).where(messages.c.id.not_in(select(sightings.c.message)))
        assert connection.execute(silent).scalar_one() == 0
    return len(minted)


def write_for_ever(where: str, name: str) -> None:
    """Log, approve and retire until somebody ends the process; a line on standard output says that it has begun."""
    with open_store(where) as store:
        waiting = [item.number for item in learn.list_all(store, "open")]
        print("ready", flush=True)  # noqa: T201  # to the test that waits for it
        for number in waiting:
            learn.record_all(store, [learn.Low(f"{name} says {'x' * number} {text}", 0.1, name) for text in TOPICS["harvest"]])
            with contextlib.suppress(PolicyError):
                anchor = learn.approve(store, number, by=f"{name} the approver")
                if number % 3 == 0:
                    learn.retire(store, anchor.mnemonic, by=name)


if __name__ == "__main__":
    write_for_ever(*sys.argv[1:])
