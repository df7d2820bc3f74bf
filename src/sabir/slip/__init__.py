"""Slipstream: ``SLIP v1``, v3 by version, and their place in the interlingua."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sabir.kinds import Format, Kind
from sabir.slip import interpret
from sabir.slip.message import SlipMessage, from_json, to_json, unknown_anchor
from sabir.slip.wire import decode, encode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sabir.ucr.codebook import Anchor, Codebook

__all__ = ["FORMATS", "SLIP", "SlipMessage", "decode", "encode", "slip", "unknown_anchor"]


def slip(src: str, dst: str, anchor: Anchor | str, payload: Iterable[str] = ()) -> str:
    """Wire text of a message, in one call (seed, section 9).

    Raises:
        EncodeError: as `SlipMessage`.
    """
    return encode(SlipMessage(src, dst, anchor, payload))


SLIP: Final = Kind(
    name="slip",
    message_type=SlipMessage,
    write=encode,
    read=interpret.parse,
    to_json=to_json,
    from_json=from_json,
    hear=interpret.hear,
    say=interpret.say,
    put=interpret.put,
    take=interpret.take,
    head=interpret.head,
    explain=interpret.explain,
    lacks=interpret.lacks,
)


@functools.lru_cache(maxsize=8)
def _with_codebook(codebook: Codebook) -> Format[SlipMessage]:
    """The format that knows an installation's own anchors, too; the last few are kept."""
    kind = replace(
        SLIP,
        read=functools.partial(interpret.parse, codebook=codebook),
        from_json=functools.partial(from_json, codebook=codebook),
        lacks=functools.partial(interpret.lacks, codebook=codebook),
    )
    return replace(FORMATS[0], kind=kind, read=functools.partial(decode, codebook=codebook))


FORMATS: Final = (
    Format(
        name="slip",
        title="Slipstream: an anchor of the UCR codebook and a payload",
        kind=SLIP,
        marker=re.compile(r"SLIP(?![A-Za-z0-9])"),
        read=decode,
        write=encode,
        example="SLIP v1 planner executor RequestReview auth_module",
        with_codebook=_with_codebook,
    ),
)
