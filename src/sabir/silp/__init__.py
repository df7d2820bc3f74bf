"""SILP: the IR, its frontends, its schema, its verb list."""

from sabir.silp.canonical import canonical_text, equivalent, ir_hash
from sabir.silp.checks import Finding, check
from sabir.silp.compression import llmlingua2
from sabir.silp.interpret import FORMATS, SILP
from sabir.silp.ir import Alternative, Constraint, Entity, Meta, SilpIR
from sabir.silp.ir_json import schema

__all__ = [
    "FORMATS",
    "SILP",
    "Alternative",
    "Constraint",
    "Entity",
    "Finding",
    "Meta",
    "SilpIR",
    "canonical_text",
    "check",
    "equivalent",
    "ir_hash",
    "llmlingua2",
    "schema",
]
