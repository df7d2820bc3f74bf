"""Named rules for an IR that the schema takes and the draft still advises against.

* ``verb-not-approved``: an action code outside the whitelist (3.8).
* ``verb-excluded``: an action code that the draft bans by name (3.8).
* ``action-code-form``: a code that ends in _ or doubles it; the schema takes it, the ABNF does not (3.7).
* ``seq-keyword-undefined``: a word in ``meta.seq`` that was announced and never given a meaning.
* ``req-id-short``: a request id of fewer than 8 digits, for small scopes only (3.6).
* ``session-id-form``: a session id that is not two characters of a-z and 0-9 (5.2).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from sabir.errors import EncodeError
from sabir.silp import verbs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sabir.jsontext import JsonPath
    from sabir.silp.ir import SilpIR

Mode = Literal["advisory", "strict"]
Severity = Literal["warning", "error"]

SEQ_KEYWORDS: Final = frozenset({"parallel", "sequential", "reason_first", "reason_last"})
"""Words that the draft lets stand in ``meta.seq`` without saying what they do: flagged, nothing inferred."""
REQ_ID_DIGITS: Final = 8

_by_abnf = re.compile(r"![A-Z]++(?:_[A-Z]++)*+").fullmatch
_is_session_id = re.compile(r"[a-z0-9]{2}").fullmatch


@dataclass(frozen=True, slots=True)
class Finding:
    """One breach of a rule.

    Attributes:
        rule: its name.
        path: where, as in `EncodeError.path`.
        text: what is wrong and what would be right.
        severity: "error" for a verb in strict mode, which strict readers refuse; else "warning".
    """

    rule: str
    path: str
    text: str
    severity: Severity = "warning"


def check(ir: SilpIR, mode: Mode = "advisory") -> list[Finding]:
    """All findings on an IR, in the order of its fields.

    Args:
        ir: a valid IR.
        mode: "advisory" warns of unapproved verbs, "strict" calls them errors.

    Raises:
        EncodeError: another mode.
    """
    if mode not in ("advisory", "strict"):
        raise EncodeError(f'no mode "{mode}" (there are: advisory, strict)', "mode")
    found = [finding for path, code in action_codes(ir) for finding in _on_code(dotted(path), code, mode)]
    return found + list(_on_meta(ir))


def action_codes(ir: SilpIR) -> Iterator[tuple[JsonPath, str]]:
    """Every action code of an IR and its path, without those of entities that only repeat the intent."""
    yield ("intent",), ir.intent
    for at, entity in enumerate(ir.entities):
        if entity.action is not None and entity.action != ir.intent:
            yield ("entities", at, "action"), entity.action
    for at, alternative in enumerate(ir.alternatives):
        yield ("alternatives", at, "action"), alternative.action
    for at, word in enumerate(ir.meta.seq):
        if word.startswith("!"):
            yield ("meta", "seq", at), word


def dotted(path: JsonPath) -> str:
    """A path as errors show it: ``entities[0].action``."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def _on_code(path: str, code: str, mode: Mode) -> Iterator[Finding]:
    if reason := verbs.refusal(code):
        rule = "verb-excluded" if code in verbs.EXCLUDED else "verb-not-approved"
        yield Finding(rule, path, reason, "error" if mode == "strict" else "warning")
    if not _by_abnf(code):
        text = f"{code} is by the ABNF no action code: ! and words of A-Z with a single _ between"
        yield Finding("action-code-form", path, text)


def _on_meta(ir: SilpIR) -> Iterator[Finding]:
    meta = ir.meta
    if len(meta.req_id) < REQ_ID_DIGITS:
        text = f"{len(meta.req_id)} digits collide early; use {REQ_ID_DIGITS} outside small scopes"
        yield Finding("req-id-short", "meta.req_id", text)
    if meta.session_id is not None and not _is_session_id(meta.session_id):
        yield Finding("session-id-form", "meta.session_id", "a session id is two characters of a-z and 0-9")
    for at, word in enumerate(meta.seq):
        if word in SEQ_KEYWORDS:
            text = f'"{word}" has no defined meaning; seq is a strict serial order'
            yield Finding("seq-keyword-undefined", f"meta.seq[{at}]", text)
