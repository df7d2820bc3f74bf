"""The Universal Concept Reference, Slipstream's codebook, usable alone.

What compares and merges codebooks is loaded when it is first used: no message needs it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from sabir.ucr.codebook import DIMENSIONS, EXTENSION, NO_INDEX, Anchor, Codebook, core
from sabir.ucr.plausibility import ACTIONS, DOMAINS, Role, implausible

if TYPE_CHECKING:
    from sabir.ucr.conflict import Conflict
    from sabir.ucr.difference import Change, Difference, diff
    from sabir.ucr.entries import Entry
    from sabir.ucr.merging import Effect, Merged, merge

_HOME: Final = {
    "Conflict": "sabir.ucr.conflict",
    **dict.fromkeys(["Change", "Difference", "diff"], "sabir.ucr.difference"),
    "Entry": "sabir.ucr.entries",
    **dict.fromkeys(["Effect", "Merged", "merge"], "sabir.ucr.merging"),
}

__all__ = [
    "ACTIONS",
    "DIMENSIONS",
    "DOMAINS",
    "EXTENSION",
    "NO_INDEX",
    "Anchor",
    "Change",
    "Codebook",
    "Conflict",
    "Difference",
    "Effect",
    "Entry",
    "Merged",
    "Role",
    "core",
    "diff",
    "implausible",
    "merge",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOME[name]), name)
    return found
