"""The log of messages that no anchor says well (slipstream.md, "Extension layer").

Secrets go before anything is stored. Near-copies are one row, with a count for each source.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import func, select, update

from sabir.errors import EncodeError
from sabir.learn.instants import Clock, microseconds, utc_now
from sabir.learn.policy import LONGEST_NAME, current
from sabir.learn.redaction import normalised, redact
from sabir.learn.retention import retain
from sabir.store.schema import about, messages, sightings

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from sabir.store.engine import Store

MOST_SOURCES: Final = 64
"""Sources that are kept of one text; enough to tell a pattern, and a bound on what many made-up names can write."""

_DIGITS: Final = re.compile(r"\d++(?:[.,:/-]\d++)*+")
_GAPS: Final = re.compile(r"[^\w?]++")


@dataclass(frozen=True, slots=True)
class Low:
    """A message as it was said, and how sure the quantizer was of its best anchor.

    ``source`` is who said it, as whoever logs knows from the connection and not from the text: distinct sources count.
    """

    text: str
    confidence: float
    source: str

    def check(self, path: str = "") -> None:
        """Refuse what cannot be logged.

        Raises:
            EncodeError: the text or the source is none or empty, or the confidence is no number from 0 to 1.
        """
        for name in ("text", "source"):
            if not normalised(getattr(self, name), f"{path}{name}"):
                raise EncodeError("may not be empty", f"{path}{name}")
        sure = self.confidence
        if type(sure) not in (int, float) or not 0 <= sure <= 1:
            raise EncodeError(f"must be a number from 0 to 1, not {sure!r}", f"{path}confidence")


@dataclass(frozen=True, slots=True)
class Logged:
    """What became of a message.

    Attributes:
        hash: of the stored text that it counts for, which may be a near-copy of it; empty where it was not stored.
        stored: False where the confidence was not low.
        new: whether no near-copy of it was there.
        redacted: how many secrets of each kind were replaced.
    """

    hash: str
    stored: bool
    new: bool
    redacted: dict[str, int]


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the log, and how often each source said it."""

    hash: str
    text: str
    sources: dict[str, int]
    last_seen: int


def hash_of(text: str) -> str:
    """SHA-256 of a text, in hexadecimal. Only of redacted text: the hash of a secret could be guessed."""
    return hashlib.sha256(text.encode()).hexdigest()


def shape_of(text: str) -> str:
    """What near-copies have in common: the words, without case, numbers and punctuation; questions stay apart."""
    return _GAPS.sub(" ", _DIGITS.sub("0", text.casefold())).strip()


def record(store: Store, text: str, confidence: float, source: str, clock: Clock = utc_now) -> Logged:
    """Log a message if its confidence is below the policy's threshold.

    Raises:
        EncodeError: the text or the source is none or empty, or the confidence is no number from 0 to 1.
        SabirError: the store fails.
    """
    return record_all(store, [Low(text, confidence, source)], clock)[0]


def record_all(store: Store, given: Iterable[Low], clock: Clock = utc_now) -> list[Logged]:
    """Log messages, all or none, and let the log keep to its limits; otherwise as `record`."""
    rows = list(given)
    for place, row in enumerate(rows):
        row.check(f"[{place}]." if len(rows) > 1 else "")
    clean = [redact(row.text) for row in rows]
    with store.write() as connection:
        policy, _ = current(connection)
        now = microseconds(clock())
        salt = salt_of(connection)
        done: list[Logged] = []
        for row, redacted in zip(rows, clean, strict=True):
            if row.confidence >= policy.threshold:
                done.append(Logged("", stored=False, new=False, redacted=redacted.found))
                continue
            text = redacted.text[: policy.keep_characters].strip()
            kept, new = _write(connection, text, row.confidence, source_name(row.source, salt), now)
            done.append(Logged(kept, stored=True, new=new, redacted=redacted.found))
        retain(connection, policy, now)
    return done


def texts(connection: Connection) -> list[Text]:
    """All texts of the log, sorted by hash."""
    found = connection.execute(
        select(messages.c.hash, messages.c.text, messages.c.last_seen, sightings.c.source, sightings.c.count.label("times"))
        .join(sightings)
        .order_by(messages.c.hash, sightings.c.source)
    )
    by_hash: dict[str, Text] = {}
    for row in found:
        by_hash.setdefault(row.hash, Text(row.hash, row.text, {}, row.last_seen)).sources[row.source] = row.times
    return list(by_hash.values())


def salt_of(connection: Connection) -> str:
    """What makes the pseudonyms of this store its own."""
    return str(connection.execute(select(about.c.value).where(about.c.name == "salt")).scalar_one())


def source_name(source: str, salt: str) -> str:
    """A source as it is kept: a name that holds a secret or is too long becomes a pseudonym, always the same one."""
    clean = redact(source)
    name = " ".join(clean.text.split())
    if not clean.found and len(name) <= LONGEST_NAME:
        return name
    return f"source-{hmac.new(salt.encode(), normalised(source).encode(), 'sha256').hexdigest()[:16]}"


def _write(connection: Connection, text: str, confidence: float, source: str, now: int) -> tuple[str, bool]:
    """Write one sighting; the hash of the row it counts for, and whether that is new."""
    shape = hash_of(shape_of(text) or text)
    found = connection.execute(select(messages.c.id, messages.c.hash).where(messages.c.shape == shape)).first()
    if found is None:
        row = {"shape": shape, "hash": hash_of(text), "text": text, "bytes": len(text.encode())}
        made = messages.insert().returning(messages.c.id)
        place = connection.execute(made, {**row, "first_seen": now, "last_seen": now}).scalar_one()
        _sight(connection, place, confidence, source, now)
        return hash_of(text), True
    if _sight(connection, found.id, confidence, source, now):
        connection.execute(update(messages).where(messages.c.id == found.id).values(last_seen=now))
    return found.hash, False


def _sight(connection: Connection, place: int, confidence: float, source: str, now: int) -> bool:
    """Count one sighting of a text; False where it has too many sources already, and this is another one."""
    own = (sightings.c.message == place) & (sightings.c.source == source)
    least = connection.execute(select(sightings.c.confidence).where(own)).scalar_one_or_none()
    if least is not None:
        values = {"count": sightings.c.count + 1, "confidence": min(least, confidence), "last_seen": now}
        connection.execute(update(sightings).where(own).values(values))
        return True
    others = select(func.count()).select_from(sightings).where(sightings.c.message == place)
    if connection.execute(others).scalar_one() >= MOST_SOURCES:
        return False
    row = {"message": place, "source": source, "count": 1, "confidence": confidence}
    connection.execute(sightings.insert(), {**row, "first_seen": now, "last_seen": now})
    return True
