"""The messages in a model's prose.

    >>> import sabir
    >>> found = sabir.extract('Sure! Here is the packet:\\n\\n- `SLIP v1 dev qa RequestReview “auth module”`\\n')
    >>> [(item.format, item.repairs, item.message.payload) for item in found]
    [('slip', ('smart-quotes',), ('auth module',))]

Models wrap messages in chatter, fences, lists, tables, tool calls and typographic quotes. Each message is found with its span;
each repair is listed by its name (`repairs`). What would need a guess is not read but reported, by `survey`: templates, and
pieces that are damaged or could mean more than one message. What has no marker of its own, AIT's tapes and SILP's calls,
counts where it stands alone (`bare`). `Stream` finds the same in a text that comes in pieces.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sabir.finding.found import Found
from sabir.finding.lines import MAX_LINE
from sabir.finding.objects import MAX_OBJECT
from sabir.finding.repairs import CUTS, JOINTS, REPAIRS
from sabir.finding.stream import Stream

if TYPE_CHECKING:
    from sabir.ucr.codebook import Codebook

__all__ = ["CUTS", "JOINTS", "MAX_LINE", "MAX_OBJECT", "REPAIRS", "Found", "Stream", "extract", "survey"]


def extract(
    text: str, *, strict: bool = False, formats: Iterable[str] | None = None, codebook: Codebook | None = None
) -> list[Found]:
    """The messages in a text, in their order, each with its span and the repairs made.

    Args:
        text: what a model wrote.
        strict: find, and repair nothing.
        formats: names of the formats to look for; all that can be read where not given.
        codebook: an installation's own, for the anchors that the core lacks.

    Raises:
        DecodeError: a format does not exist.
        EncodeError: messages cannot be read with that codebook.
    """
    return _all(Stream(strict=strict, formats=formats, codebook=codebook), text)


def survey(
    text: str, *, strict: bool = False, formats: Iterable[str] | None = None, codebook: Codebook | None = None
) -> list[Found]:
    """As `extract`, with the templates and the damaged pieces, which have no message but a reason."""
    return _all(Stream(strict=strict, formats=formats, survey=True, codebook=codebook), text)


def _all(stream: Stream, text: str) -> list[Found]:
    return stream.feed(text) + stream.close()
