"""The extension layer: what no anchor says well is logged, grouped, proposed, and becomes an anchor if somebody approves.

It needs the extras ``store`` and, to group texts, ``quantize``; each name here is loaded when it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from sabir.errors import MissingDependency

if TYPE_CHECKING:
    from sabir.learn.anchors import Own, codebook, own_anchors
    from sabir.learn.export import sharegpt
    from sabir.learn.governance import Provenance, approve, approve_open, provenance, reject, retire
    from sabir.learn.index import LearnedQuantizer, load, rebuild
    from sabir.learn.log import Logged, Low, record, record_all
    from sabir.learn.policy import Policy, change, policy_of
    from sabir.learn.proposals import Member, Proposal, Run, detail, list_all, propose
    from sabir.learn.purging import Purged, purge
    from sabir.learn.redaction import Redacted, redact

__all__ = [
    "LearnedQuantizer",
    "Logged",
    "Low",
    "Member",
    "Own",
    "Policy",
    "Proposal",
    "Provenance",
    "Purged",
    "Redacted",
    "Run",
    "approve",
    "approve_open",
    "change",
    "codebook",
    "detail",
    "list_all",
    "load",
    "own_anchors",
    "policy_of",
    "propose",
    "provenance",
    "purge",
    "rebuild",
    "record",
    "record_all",
    "redact",
    "reject",
    "retire",
    "sharegpt",
]

_HOMES: Final = {
    "anchors": ("Own", "codebook", "own_anchors"),
    "export": ("sharegpt",),
    "governance": ("Provenance", "approve", "approve_open", "provenance", "reject", "retire"),
    "log": ("Logged", "Low", "record", "record_all"),
    "policy": ("Policy", "change", "policy_of"),
    "proposals": ("Member", "Proposal", "Run", "detail", "list_all", "propose"),
    "purging": ("Purged", "purge"),
    "index": ("LearnedQuantizer", "load", "rebuild"),
    "redaction": ("Redacted", "redact"),
}
_HOME: Final = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    except ModuleNotFoundError as error:
        raise MissingDependency(f"sabir.learn.{name} needs {error.name}: pip install 'sabir[store]'") from None
