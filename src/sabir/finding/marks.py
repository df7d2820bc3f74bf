r"""Where a message may begin: the markers, in all spellings that models give them.

    SLIP     the word, then a version: "SLIP v1"; in lower case only at the start of a piece
    EAP      a sign, two codes in capitals with a colon between, a blank and "#": ">SEC:XSS #"
    Unicode  "◤SEC::", "◢SEC::", "▰SEC::"
    lingua   "👽" and codes, "^0|", "!E5|"

A marker stands at the start of a word. So ``Payslip v1``, ``scale=1080:1920``, ``<HH:MM>``, ``> Note: x`` and HTML hold
none. EAP's codes must hold a letter each: ``<10:30 #standup`` is a time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sabir.registry import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

# What may stand right before a marker: nothing, a blank, an opening quote or bracket, emphasis, a cell's bar, a label's colon.
_EDGE: Final = r"(?<![^\s\"'“”„‘＂(\[{（「『`*_|:：,;，、。；>→➜⇒=\x00])"
_CODE: Final = r"(?=[A-Z0-9]*[A-Z])[A-Z0-9]{2,8}"
_ACT: Final = r"(?=(?:[A-Z0-9_]|\\_)*[A-Z])(?:[A-Z0-9_]|\\_){2,16}"
_WIDE: Final = r"(?=[A-Z0-9]*[Ａ-Ｚ０-９])(?=[0-9０-９]*[A-ZＡ-Ｚ])[A-ZＡ-Ｚ0-9０-９]{2,8}"
_WIDE_ACT: Final = r"(?=[0-9０-９_]*[A-ZＡ-Ｚ])[A-ZＡ-Ｚ0-9０-９_]{2,16}"

_MARKER: Final = re.compile(
    rf"""{_EDGE}(?:
      (?P<slip>(?:SLIP|ＳＬＩＰ)[ \t\u3000]++(?=[vVｖ]?[0-9０-９]))
    | (?P<eap>(?:\\?[><=]|&[gl]t;|[＞＜＝])(?:{_CODE}[:：]{_ACT}|{_WIDE}[:：]{_WIDE_ACT})(?=[ \t\u3000]++(?:\\?\#|＃)))
    | (?P<unicode>[◤◢▰](?=[A-Za-z0-9]{{2,8}}:))
    | (?P<lingua>[?!]{{0,2}}👽(?=[0-9A-Z]{{2,3}}(?:\\?\||;;|[ \t.,)\"'”]|\Z|$))
               | \^[0-9A](?=\|[#~$]\S) | !E[0-9][A-Z]?(?=\|\S))
    )""",
    re.VERBOSE,
)
_AT_START: Final = re.compile(
    r"""(?P<slip>slip[ \t\u3000]++(?=v[0-9])) | (?P<eap>\\?[><=][a-z0-9]{2,8}:[a-z0-9_]{2,16}(?=[ \t]++\#\S++[ \t]++![1-9](?!\S)))
      | (?P<apart>[><=][ \t]++[A-Z0-9]{2,8}:[A-Z0-9_]{2,16}[ \t]++\#\S++[ \t]++![1-9](?!\S))
      | (?P<digits>(?-i:[><=][A-Z0-9]{2,8}:[A-Z0-9_]{2,16})(?=[ \t]++\#(?:"[^"]*+"|[^\s"]++)[ \t]++(?:![1-9](?!\S)|\|)))
      | (?P<bald>[><=][A-Z0-9]{2,8}:[A-Z][A-Z0-9_]{1,15}(?=(?:[ \t]++[^\s\#]\S*+)?[ \t]++![0-9](?!\S)))""",
    re.VERBOSE | re.IGNORECASE,
)
_TEMPLATE: Final = re.compile(
    r"""(?P<eap>[><=](?:<dom\w*>|\{{1,2}dom\w*\}{1,2}|\[dom\w*\]|\$dom\w*):(?:<\w+>|\{{1,2}\w+\}{1,2}|\[\w+\]|\$\w+))
      | (?P<unicode>[◤◢▰](?:<\w+>|\{{1,2}\w+\}{1,2}|\[\w+\]|\$\w+)::)
      | (?P<lingua>[?!]{0,2}👽(?:<\w+>|\{{1,2}\w+\}{1,2}|\[\w+\]) | \^(?:<\w+>|\{\w+\}|\[\w+\])(?=\|))""",
    re.VERBOSE | re.IGNORECASE,
)
_FORMATS: Final = {
    "slip": "slip",
    "eap": "eap",
    "apart": "eap",
    "digits": "eap",
    "bald": "eap",
    "unicode": "eap-unicode",
    "lingua": "lingua",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """A marker: where it starts, which format it stands for, and whether it begins a template for sure."""

    start: int
    format: str
    template: bool = False


def marks(text: str, start: int = 0, *, formats: frozenset[str]) -> Iterator[Mark]:
    """The markers of a text from ``start`` on that stand for one of the formats."""
    for found in _MARKER.finditer(text, start):
        yield from _mark(found, formats, template=False)


def templates(text: str, formats: frozenset[str]) -> Iterator[Mark]:
    """Markers with places to fill in where the codes belong."""
    for found in _TEMPLATE.finditer(text):
        yield from _mark(found, formats, template=True)


def mark_at(text: str, start: int, formats: frozenset[str]) -> Mark | None:
    """A marker at ``start``, where it may be spelled in lower case or with a fault, since nothing stands before it."""
    found = _MARKER.match(text, start) or _AT_START.match(text, start)
    return next(_mark(found, formats, template=False), None) if found else None


def _mark(found: re.Match[str], formats: frozenset[str], *, template: bool) -> Iterator[Mark]:
    format = _FORMATS[found.lastgroup or ""]
    if format in formats and format in BY_NAME:
        yield Mark(found.start(), format, template)
