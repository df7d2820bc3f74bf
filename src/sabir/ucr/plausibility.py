"""Whether a message's anchor fits what its sender may say (seed, section 2.1: "constraint surface").

An agent's role says which acts, domains and anchors are its own. An anchor outside of them is no proof of a
fault, but worth a look before acting on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sabir.errors import EncodeError
from sabir.ucr.codebook import LEVELS, NO_INDEX

if TYPE_CHECKING:
    from sabir.ucr.codebook import Anchor

ACTIONS: Final = ("observe", "inform", "ask", "request", "propose", "commit", "evaluate", "meta")
"""Names of the levels of the first coordinate."""
DOMAINS: Final = ("task", "plan", "observation", "evaluation", "control", "resource", "error", "general")
"""Names of the levels of the third coordinate."""
_NONE: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Role:
    """What an agent may say: the anchors of these actions and domains, and the anchors named besides.

    A role that names neither actions nor domains allows what ``anchors`` names; if that is empty, everything.

    Attributes:
        actions: names of `ACTIONS`; empty for all.
        domains: names of `DOMAINS`; empty for all.
        anchors: mnemonics that are allowed whatever their coordinates.
        urgency: highest level of urgency of all others, 0 to 7.

    Raises:
        EncodeError: a name is not one of these, or the urgency is no level.
    """

    actions: frozenset[str] = _NONE
    domains: frozenset[str] = _NONE
    anchors: frozenset[str] = _NONE
    urgency: int = LEVELS[-1]

    def __post_init__(self) -> None:
        for field, known in (("actions", ACTIONS), ("domains", DOMAINS), ("anchors", None)):
            names = _names(getattr(self, field), field)
            if known and (strange := sorted(names - {*known})):
                raise EncodeError(f"there is no {strange[0]!r} (there are: {', '.join(known)})", field)
            object.__setattr__(self, field, names)
        if type(self.urgency) is not int or self.urgency not in LEVELS:
            raise EncodeError(f"must be a level 0 to {LEVELS[-1]}, not {self.urgency!r}", "urgency")


def _names(given: Any, field: str) -> frozenset[str]:
    if isinstance(given, str) or not all(isinstance(name, str) for name in given):
        raise EncodeError("must be a set of names", field)
    return frozenset(given)


def implausible(anchor: Anchor, role: Role) -> tuple[str, ...]:
    """Reasons why an anchor does not fit a role; none where it does."""
    name = anchor.mnemonic
    if name in role.anchors:
        return ()
    if role.anchors and not (role.actions or role.domains):
        return (f"{name} is not among the anchors allowed: {', '.join(sorted(role.anchors))}",)
    if anchor.index == NO_INDEX:
        restricted = role.actions or role.domains or role.urgency < LEVELS[-1]
        return (f"{name} is in no codebook, so nothing says what it is about",) if restricted else ()
    action, _, domain, urgency = anchor.coords
    reasons: list[str] = []
    if role.actions and ACTIONS[action] not in role.actions:
        reasons.append(f"{name} is of action {ACTIONS[action]}; allowed: {', '.join(sorted(role.actions))}")
    if role.domains and DOMAINS[domain] not in role.domains:
        reasons.append(f"{name} is of domain {DOMAINS[domain]}; allowed: {', '.join(sorted(role.domains))}")
    if urgency > role.urgency:
        reasons.append(f"{name} has urgency {urgency}; at most {role.urgency} is allowed")
    return tuple(reasons)
