"""What an installation lets happen: what is logged and for how long, and what may become an anchor.

The policy stands in the store, so that it binds everybody who opens it. A change is a new row with the name of who made
it; nothing is overwritten.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

import msgspec
from sqlalchemy import select

from sabir.errors import EncodeError, PolicyError, SabirError
from sabir.learn.instants import Clock, microseconds, utc_now
from sabir.learn.redaction import normalised
from sabir.store.schema import policies

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from sabir.store.engine import Store

LONGEST_NAME: Final = 100
"""Characters of a name of somebody who decides, or of a source."""


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Limits of the log and rules of minting.

    Attributes:
        threshold: confidence, 0 to 1, below which a message is logged, and an answer with the core alone is Fallback.
        keep_days: days after which a text that was not seen again is deleted.
        keep_messages, keep_bytes: most texts, and bytes of text in UTF-8, that the log holds.
        keep_characters: most characters of one text; the rest is cut off.
        min_cluster_size: fewest sightings of a cluster; a text that several sources say counts once for each.
        min_sources: fewest distinct sources of a cluster.
        max_share: largest share of a cluster's sightings that one source may have.
        min_cohesion: least mean cosine between the texts of a cluster, -1 to 1; None for what suits the embedder.
        mints_a_day: most anchors that become one within 24 hours.
        approval: whether a named person must approve; without, what passes the other rules becomes an anchor at once.

    Raises:
        EncodeError: from `check`.
    """

    threshold: float = 0.55
    keep_days: int = 30
    keep_messages: int = 10_000
    keep_bytes: int = 16 * 1024 * 1024
    keep_characters: int = 4_000
    min_cluster_size: int = 3
    min_sources: int = 2
    max_share: float = 0.75
    min_cohesion: float | None = None
    mints_a_day: int = 10
    approval: bool = True

    def check(self) -> None:
        """Refuse values without sense.

        Raises:
            EncodeError: with the field at fault.
        """
        for field, (least, most) in _RANGES.items():
            value = getattr(self, field)
            if value is not None and not least <= value <= most:
                raise EncodeError(f"must be {least} to {most}, not {value}", field)


_RANGES: Final[dict[str, tuple[float, float]]] = {
    "threshold": (0, 1),
    "keep_days": (1, 36_500),
    "keep_messages": (1, 1_000_000),
    "keep_bytes": (1, 2**40),
    "keep_characters": (1, 1_000_000),
    "min_cluster_size": (2, 1_000_000),
    "min_sources": (1, 1_000_000),
    "max_share": (0, 1),
    "min_cohesion": (-1, 1),
    "mints_a_day": (0, 32_768),
}
"""A cluster of one text would be no pattern, so two is the least."""


def current(connection: Connection) -> tuple[Policy, int | None]:
    """The policy that holds, and its number; the default has none."""
    row = connection.execute(select(policies.c.policy, policies.c.id).order_by(policies.c.id.desc()).limit(1)).first()
    if row is None:
        return Policy(), None
    try:
        return msgspec.json.decode(row.policy, type=Policy), row.id
    except msgspec.MsgspecError as error:
        raise SabirError(f"policy {row.id} of the store is damaged: {error}") from None


def policy_of(store: Store) -> Policy:
    """The policy that holds in a store."""
    with store.read() as connection:
        return current(connection)[0]


def change(store: Store, by: str, changes: dict[str, Any], clock: Clock = utc_now) -> Policy:
    """Change some fields of the policy, under the name of who does it.

    Raises:
        EncodeError: a field is none or its value has no sense.
        PolicyError: ``by`` is no name.
    """
    name = named(by)
    for field in changes:
        if field not in Policy.__struct_fields__:
            close = get_close_matches(field[:LONGEST_NAME], Policy.__struct_fields__, 1)
            meant = f"; did you mean {close[0]}?" if close else f" (there are: {', '.join(Policy.__struct_fields__)})"
            raise EncodeError(f"a policy has no {field[:LONGEST_NAME]!r}{meant}", "policy")
    with store.write() as connection:
        old, _ = current(connection)
        try:
            new = msgspec.convert({**msgspec.to_builtins(old), **changes}, Policy)
        except msgspec.ValidationError as error:
            reason, _, path = str(error).partition(" - at `$.")
            raise EncodeError(f"{reason[0].lower()}{reason[1:]}", path.rstrip("`") or "policy") from None
        new.check()
        if new != old:
            row = {"policy": msgspec.json.encode(new).decode(), "at": microseconds(clock()), "by": name}
            connection.execute(policies.insert(), row)
    return new


def named(by: str | None) -> str:
    """Name of who decides, as it is kept.

    Raises:
        PolicyError: it is empty, without a letter, too long, or of several lines.
    """
    name = normalised(by, "by") if by is not None else ""
    if not any(char.isalpha() for char in name):
        raise PolicyError("who decides must give a name")
    if len(name) > LONGEST_NAME or "\n" in name:
        raise PolicyError(f"a name is one line of at most {LONGEST_NAME} characters")
    return name
