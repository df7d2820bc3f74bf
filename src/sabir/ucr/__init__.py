"""The Universal Concept Reference, Slipstream's codebook, usable alone."""

from sabir.ucr.codebook import DIMENSIONS, EXTENSION, NO_INDEX, Anchor, Codebook, core
from sabir.ucr.plausibility import ACTIONS, DOMAINS, Role, implausible

__all__ = [
    "ACTIONS",
    "DIMENSIONS",
    "DOMAINS",
    "EXTENSION",
    "NO_INDEX",
    "Anchor",
    "Codebook",
    "Role",
    "core",
    "implausible",
]
