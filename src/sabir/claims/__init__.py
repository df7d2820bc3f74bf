"""The headline figures of the protocols' documents and of the field, measured.

Each claim says whose it is, what its words mean, on which texts it is measured, and by which rule it holds or not. What
cannot be measured on a machine is left out with the reason; no figure is shown that was not measured.
"""

from __future__ import annotations

from typing import Final

from sabir.claims import collisions, eap, field, lingua, probes, silp, slipstream, slipstream_sums
from sabir.claims.claim import Claim, Figure
from sabir.claims.corpus import Corpus, load, shipped
from sabir.claims.measuring import Result, measure
from sabir.claims.page import Check, check, markdown

__all__ = ["CLAIMS", "Check", "Claim", "Corpus", "Figure", "Result", "check", "load", "markdown", "measure", "shipped"]

CLAIMS: Final[tuple[Claim, ...]] = (
    *slipstream.CLAIMS,
    *slipstream_sums.CLAIMS,
    *lingua.CLAIMS,
    *eap.CLAIMS,
    *silp.CLAIMS,
    *probes.CLAIMS,
    *collisions.CLAIMS,
    *field.CLAIMS,
)
"""All claims, by document."""
