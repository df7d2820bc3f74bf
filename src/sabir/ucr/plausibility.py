"""Whether a message's anchor fits what its sender may say (seed, section 2.1: "constraint surface").

Agents state what role they have; an anchor outside of it is no proof of a fault, but worth a look before acting on it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from sabir.ucr.codebook import Anchor

ACTIONS: Final = ("observe", "inform", "ask", "request", "propose", "commit", "evaluate", "meta")
DOMAINS: Final = ("task", "plan", "observation", "evaluation", "control", "resource", "error", "general")


@dataclass(frozen=True, slots=True)
class Role:
    """What an agent may say. An empty set allows everything.

    Attributes:
        actions: names of `ACTIONS`.
        domains: names of `DOMAINS`.
        anchors: mnemonics allowed beside these.
        urgency: highest level of urgency, 0 to 7.
    """

    actions: frozenset[str] = field(default_factory=frozenset)
    domains: frozenset[str] = field(default_factory=frozenset)
    anchors: frozenset[str] = field(default_factory=frozenset)
    urgency: int = 7


def implausible(anchor: Anchor, role: Role) -> tuple[str, ...]:
    """Reasons why an anchor does not fit a role; none where it does."""
    if anchor.mnemonic in role.anchors:
        return ()
    action, _, domain, urgency = anchor.coords
    reasons = []
    if role.actions and ACTIONS[action] not in role.actions:
        reasons.append(f"{anchor.mnemonic} is of action {ACTIONS[action]}; allowed: {', '.join(sorted(role.actions))}")
    if role.domains and DOMAINS[domain] not in role.domains:
        reasons.append(f"{anchor.mnemonic} is of domain {DOMAINS[domain]}; allowed: {', '.join(sorted(role.domains))}")
    if urgency > role.urgency:
        reasons.append(f"{anchor.mnemonic} has urgency {urgency}; at most {role.urgency} is allowed")
    return tuple(reasons)
