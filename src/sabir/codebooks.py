"""Which codebook messages may be read with: one whose core is the published one."""

from __future__ import annotations

from typing import Any

from sabir.errors import EncodeError, shown
from sabir.ucr.codebook import Codebook, core


def in_force(codebook: Any) -> Codebook:
    """The codebook that somebody gave to read messages with.

    A codebook of the published version holds the published core to the letter, or could not have been made. In one of
    another version the mnemonics that all sides know may mean something else.

    Raises:
        EncodeError: with path ``codebook``; it is none, or has the core of another version.
    """
    if not isinstance(codebook, Codebook):
        reason = f"must be a Codebook, as Codebook.from_json makes one, not {shown(codebook)}"
        raise EncodeError(reason, "codebook")
    if codebook.version != core().version:
        reason = f"its core is that of version {shown(codebook.version)}, and messages are read with version {core().version}"
        raise EncodeError(reason, "codebook")
    return codebook
