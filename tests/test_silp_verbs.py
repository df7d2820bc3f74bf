"""The verb whitelist and the named rules (draft, sections 3.6 to 3.8 and 5.2)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from sabir.errors import DecodeError, EncodeError
from sabir.silp import SilpIR, check, verbs
from sabir.silp.code_reader import read_code
from sabir.silp.ir_json import ir_from_json, read_ir, write_ir
from sabir.silp.json_frontend import read_json
from strategies.silp import silp_irs


def ir(**fields: Any) -> SilpIR:
    """An IR that no rule objects to, but for the fields given."""
    meta = {"req_id": "a1b2c3d4", **fields.pop("meta", {})}
    return ir_from_json({"intent": "!START", **fields, "meta": meta})


# --- the list --------------------------------------------------------------------------------------------


def test_the_whitelist_is_the_drafts() -> None:
    """Thirteen verbs, in the draft's order."""
    assert " ".join(code.removeprefix("!") for code in verbs.APPROVED) == (
        "CANCEL START EMAIL FETCH PROCESS TRANSLATE BOOK ROUTE SEARCH UPDATE SUGGEST SWITCH NOTIFY"
    )
    assert all(code.startswith("!") for code in verbs.APPROVED)
    assert verbs.TOKENIZERS == ("gpt-4o", "gpt-3.5", "llama-2", "qwen2.5", "claude", "gemini")


def test_two_verbs_are_excluded_by_name() -> None:
    """Their token counts are the draft's, and each says why."""
    assert {code: item.tokens for code, item in verbs.EXCLUDED.items()} == {
        "!SWITCH_TOOL": (2, 2, 3, 2, 3, 3),
        "!ESCALATE": (3, 2, 3, 2, 3, 2),
    }
    assert "use !SWITCH" in verbs.EXCLUDED["!SWITCH_TOOL"].why
    assert '"ate"' in verbs.EXCLUDED["!ESCALATE"].why
    assert not set(verbs.EXCLUDED) & set(verbs.APPROVED)


def test_refusals() -> None:
    """An approved verb has none; any other says what is allowed."""
    assert all(verbs.refusal(code) is None for code in verbs.APPROVED)
    allowed = f"(allowed: {' '.join(verbs.APPROVED)})"
    assert verbs.refusal("!FLY") == f"!FLY is no approved verb {allowed}"
    escalate = 'is excluded: it takes 2 or 3 tokens, and its fragment "ate" is a word'
    assert verbs.refusal("!ESCALATE") == f"!ESCALATE {escalate} {allowed}"
    assert verbs.refusal("!start") is not None


# --- the rules -------------------------------------------------------------------------------------------

FINDINGS: tuple[tuple[SilpIR, list[tuple[str, str]]], ...] = (
    (ir(), []),
    (ir(meta={"session_id": "a1", "seq": ["!START", "!EMAIL"]}), []),
    (ir(intent="!FLY"), [("verb-not-approved", "intent")]),
    (ir(intent="!ESCALATE"), [("verb-excluded", "intent")]),
    (ir(intent="!START_"), [("verb-not-approved", "intent"), ("action-code-form", "intent")]),
    (ir(intent="!RE__TRY"), [("verb-not-approved", "intent"), ("action-code-form", "intent")]),
    (ir(intent="!REQUEST_REVIEW"), [("verb-not-approved", "intent")]),
    (
        ir(intent="!FLY", entities=[{"id": "act", "value": "a", "action": "!FLY"}, {"id": "act", "value": "b"}]),
        [("verb-not-approved", "intent")],
    ),
    (
        ir(entities=[{"id": "act", "value": "a"}, {"id": "act", "value": "b", "action": "!SWITCH_TOOL"}]),
        [("verb-excluded", "entities[1].action")],
    ),
    (ir(alternatives=[{"action": "!EMAIL"}, {"action": "!FLY"}]), [("verb-not-approved", "alternatives[1].action")]),
    (ir(meta={"seq": ["!START", "!FLY", "step"]}), [("verb-not-approved", "meta.seq[1]")]),
    (
        ir(meta={"seq": ["parallel", "!START", "sequential", "reason_first", "reason_last", "Parallel"]}),
        [("seq-keyword-undefined", f"meta.seq[{at}]") for at in (0, 2, 3, 4)],
    ),
    (ir(meta={"req_id": "abcd"}), [("req-id-short", "meta.req_id")]),
    (ir(meta={"req_id": "abcdef0"}), [("req-id-short", "meta.req_id")]),
    *(
        (ir(meta={"session_id": id}), [("session-id-form", "meta.session_id")])
        for id in ("", "a", "abc", "A1", "a-", "é1", "a1\n", "٣٣")
    ),
)


@pytest.mark.parametrize(("message", "wanted"), FINDINGS, ids=lambda value: str(value)[:60])
def test_findings(message: SilpIR, wanted: list[tuple[str, str]]) -> None:
    """Each rule names itself, its place and what would be right, and is a warning until told otherwise."""
    found = check(message)
    assert [(item.rule, item.path) for item in found] == wanted
    assert all(item.severity == "warning" and item.text for item in found)
    for item in check(message, "strict"):
        assert item.severity == ("error" if item.rule.startswith("verb-") else "warning")


def test_findings_say_what_would_be_right() -> None:
    """The texts name the offender and the remedy."""
    message = ir(intent="!GO_", meta={"req_id": "abcd", "seq": ["parallel"], "session_id": "abc"})
    texts = {item.rule: item.text for item in check(message)}
    assert "allowed: !CANCEL !START" in texts["verb-not-approved"]
    assert "single _ between" in texts["action-code-form"]
    assert "4 digits collide early; use 8" in texts["req-id-short"]
    assert '"parallel" has no defined meaning; seq is a strict serial order' in texts["seq-keyword-undefined"]
    assert "two characters of a-z and 0-9" in texts["session-id-form"]


def test_another_mode_is_refused() -> None:
    """There are two modes, and the error names them."""
    mode: Any = "lenient"
    with pytest.raises(EncodeError, match="there are: advisory, strict"):
        check(ir(), mode)


# --- strict reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("read", "text", "piece"),
    [
        (read_code, "fly(a)", "fly"),
        (read_code, "start(a); fly(b)", "fly"),
        (read_code, "start(a) else: switch_tool(b)", "switch_tool"),
        (read_json, '{"intent":"!FLY"}', '"!FLY"'),
        (read_ir, '{"intent":"!FLY","meta":{"req_id":"abcd"}}', '"!FLY"'),
    ],
)
def test_strict_readers_refuse_what_is_not_approved(read: Any, text: str, piece: str) -> None:
    """The code is decode_failed, the span the verb's, and the reason says what is allowed."""
    assert read(text).intent
    with pytest.raises(DecodeError) as caught:
        read(text, strict=True)
    assert caught.value.code == "decode_failed"
    assert "allowed: !CANCEL !START !EMAIL" in caught.value.reason
    assert text[slice(*caught.value.span)] == piece


@given(silp_irs())
def test_strict_reading_and_the_strict_check_agree(message: SilpIR) -> None:
    """A strict reader refuses exactly what the strict check calls an error."""
    text = write_ir(message)
    if any(item.severity == "error" for item in check(message, "strict")):
        with pytest.raises(DecodeError, match="strict: "):
            read_ir(text, strict=True)
    else:
        assert read_ir(text, strict=True) == message
