"""Primers: the shortest instruction that teaches a model a format.

    >>> from sabir.primer import primer
    >>> print(primer("slip", anchors=["RequestReview", "InformComplete"], agents=["planner", "executor"]), end="")
    Only messages, one per line: SLIP v1 sender receiver Anchor payload
    Agents: planner executor
    Anchors: RequestReview InformComplete
    None fits: Fallback "whole text"
    Text with spaces: JSON string.
    SLIP v1 planner executor RequestReview auth_module "check the login"

The sentences are data, ``data/primers/<protocol>.<language>.toml``: a table a format and size, whose pieces are lines.
Vocabulary comes from the protocols' own tables; examples are messages, built and written by this library.
"""

from sabir.primer.assembly import FORMATS, Primer, build, primer
from sabir.primer.wish import LANGUAGES, SIZES

__all__ = ["FORMATS", "LANGUAGES", "SIZES", "Primer", "build", "primer"]
