"""The verb whitelist: which action codes are approved, which are excluded, and why (draft, section 3.8).

The schema takes any action code, so the list is advice (`sabir.silp.check`) unless a reader is to be strict.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

TOKENIZERS: Final = ("gpt-4o", "gpt-3.5", "llama-2", "qwen2.5", "claude", "gemini")
"""Tokenizers of the draft's census; gpt-4o stands for o200k_base, gpt-3.5 for cl100k_base."""

APPROVED: Final = (
    "!CANCEL",
    "!START",
    "!EMAIL",
    "!FETCH",
    "!PROCESS",
    "!TRANSLATE",
    "!BOOK",
    "!ROUTE",
    "!SEARCH",
    "!UPDATE",
    "!SUGGEST",
    "!SWITCH",
    "!NOTIFY",
)
"""Action codes whose verb, in lower case, is one token in every tokenizer of the census."""


@dataclass(frozen=True, slots=True)
class Excluded:
    """A verb that must not be an action code.

    Attributes:
        tokens: tokens of the lower-case verb in each of `TOKENIZERS`, as the draft counts them.
        why: the reason, and what to use instead where there is something.
    """

    tokens: tuple[int, ...]
    why: str


EXCLUDED: Final = {
    "!SWITCH_TOOL": Excluded((2, 2, 3, 2, 3, 3), "it takes 2 or 3 tokens; use !SWITCH"),
    "!ESCALATE": Excluded((3, 2, 3, 2, 3, 2), 'it takes 2 or 3 tokens, and its fragment "ate" is a word'),
}

_ALLOWED: Final = " ".join(APPROVED)
_approved: Final = frozenset(APPROVED)


def refusal(code: str) -> str | None:
    """Why a strict reader refuses an action code and what it allows; None for an approved one."""
    if code in _approved:
        return None
    excluded = EXCLUDED.get(code)
    reason = f"is excluded: {excluded.why}" if excluded else "is no approved verb"
    return f"{code} {reason} (allowed: {_ALLOWED})"
