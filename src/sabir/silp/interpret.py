"""SILP among the kinds of message: its IR is the interlingua itself, so there is nothing to interpret."""

from __future__ import annotations

import re
from typing import Final

from sabir.kinds import Format, Kind
from sabir.silp.code_reader import read_code
from sabir.silp.code_writer import write_code
from sabir.silp.compression import llmlingua2
from sabir.silp.ir import SilpIR
from sabir.silp.ir_json import ir_from_json, ir_to_json, read_ir, write_ir
from sabir.silp.json_frontend import read_json, write_json
from sabir.silp.prose import explain, natural, nl_json

_OBJECT: Final = re.compile(r"\{")
_NEVER: Final = re.compile(r"(?!)")


def _itself(ir: SilpIR) -> SilpIR:
    return ir


SILP: Final = Kind(
    name="silp",
    message_type=SilpIR,
    write=write_code,
    read=read_code,
    to_json=ir_to_json,
    from_json=ir_from_json,
    hear=_itself,
    say=_itself,
    put=_itself,
    take=_itself,
    head=_itself,
    explain=explain,
)
FORMATS: Final = (
    Format(
        name="silp-code",
        title="SILP's code frontend: lower-case calls",
        kind=SILP,
        marker=re.compile(r"(?:if(?![A-Za-z0-9_])|[a-z][a-z_]*[ \t]*\()"),
        read=read_code,
        write=write_code,
        example="if !rain(t+1): start(hike) else: start(cards@indoor)",
        write_whole=lambda ir: write_code(ir, carry_req_id=True),
    ),
    Format(
        name="silp-ir",
        title="SILP's IR as JSON",
        kind=SILP,
        marker=_OBJECT,
        read=read_ir,
        write=write_ir,
        example='{"intent":"!START","entities":[{"id":"act","value":"hike"}],"meta":{"req_id":"a1b2c3d4"}}',
    ),
    Format(
        name="silp-json",
        title="SILP's JSON frontend: flat slots",
        kind=SILP,
        marker=_OBJECT,
        read=read_json,
        write=write_json,
        example='{"intent":"!START","act":"hike"}',
        write_whole=lambda ir: write_json(ir, carry_req_id=True),
    ),
    Format(
        name="silp-natural",
        title="English prose, a baseline",
        kind=SILP,
        marker=_NEVER,
        read=None,
        write=natural,
        example="If not rain at t+1, start hike otherwise start cards at indoor.",
    ),
    Format(
        name="silp-nl-json",
        title="the same prose inside JSON, a baseline",
        kind=SILP,
        marker=_NEVER,
        read=None,
        write=nl_json,
        example='{"task_description":"Start hike."}',
    ),
    Format(
        name="silp-llmlingua2",
        title="the same prose compressed by LLMLingua-2, a lossy baseline",
        kind=SILP,
        marker=_NEVER,
        read=None,
        write=llmlingua2,
        example="If not rain t+1, start hike otherwise cards indoor.",
        on_request=True,
    ),
)
