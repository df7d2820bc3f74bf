r"""The repairs, by name: what models and the pages they write for do to a message, undone where that is sure.

Each repair of `REPAIRS` is a pure function from a text and its format to the edits that it would make, none where its
condition does not hold. An edit changes marks alone: quotes, signs, blanks, the escapes of a page. What a value *is* is
never chosen; where a repair would have to choose, it makes no edits, and the piece is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from sabir.errors import Span


class Edit(NamedTuple):
    """Replaces ``text[start:end]`` by ``new``."""

    start: int
    end: int
    new: str


Repair = Callable[[str, str], list[Edit]]

SMART: Final = "“”„‟＂"
"""Double quotes that stand for ``"``; ＂ is its full-width form."""
_STRING: Final = re.compile(r'(?s)"(?:[^"\\]|\\.)*+(?:(")|\Z)')  # to the end where it is not closed: so nothing is read twice
_ENTITIES: Final = {"&gt;": ">", "&lt;": "<", "&amp;": "&", "&quot;": '"', "&#34;": '"', "&#39;": "'", "&#x27;": "'", "&apos;": "'"}
_entity = re.compile("|".join(_ENTITIES))
_unescaped = re.compile(r"[<>]|&(?!(?:gt|lt|amp|quot|apos|#34|#39|#x27);)")
_markdown = re.compile(r"\\\\|\\([_#|><*\[\]!~=+.(){}&$^`@%-])")
_quoted_smart = re.compile(
    r"(?P<ascii>(?s:\"(?:[^\"\\]|\\.)*+(?:\"|\Z)))"
    r"|(?<![^\s(=＝,，#@:：\[{<>!])(?P<open>[“„‟＂])(?P<text>[^“”„‟＂\"\\]*+)(?P<close>[”“‟＂\"])(?![^\s)）,，;；:：@}\]|])"
    r"|(?<![^\s(=＝,，])(?P<single>‘)(?P<inner>[^‘’“”\"\\]*+)(?P<end>’)(?![^\s)）,，])"
)
_half_smart = re.compile(r"(?<![^\s(=,#@:\[{])\"([^“”„‟＂\"\\]*+)([”“])(?![^\s),;:@}\]|])")
_slip_head = re.compile(r"(?P<word>SLIP|ＳＬＩＰ|slip|Slip)(?P<a>[ \t\u3000]++)(?P<version>[vVｖ][13１３])(?![^\s])")
_eap_head = re.compile(r"[^|｜]*+[|｜]?")
_eap_full = str.maketrans("＞＜＝：＃！｜　０１２３４５６７８９", ">" + "<=:#!| 0123456789")
_WIDE_LETTERS: Final = str.maketrans("ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺ", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_SILP_WIDE: Final = dict(zip("（），：；＝！＃＠＞＜－　", "(),:;=!#@><- ", strict=True))
_JSON_WIDE: Final = dict(zip("，：｛｝［］　", ",:{}[] ", strict=True))
_between = re.compile(r"[＝　]")
_wide_value = re.compile(r"[０-９Ａ-Ｚａ-ｚ]")
_wide_comma = re.compile(r"，(?![ \t]*[A-Za-z_]\w*[ \t]*[=＝])")


def apply(text: str, edits: list[Edit]) -> str:
    """The text with all edits made; they are in order and do not overlap."""
    parts: list[str] = []
    at = 0
    for start, end, new in edits:
        parts += (text[at:start], new)
        at = end
    return "".join([*parts, text[at:]])


def before(pos: int, edits: list[Edit]) -> int:
    """Position in the text as it was of a position in the text after the edits."""
    shift = 0
    for start, end, new in edits:
        if start + shift >= pos:
            break
        shift += len(new) - (end - start)
    return pos - shift


def outside_strings(text: str) -> str:
    """The text with what stands in closed double quotes blanked, so that only its structure is left."""
    return _STRING.sub(lambda found: '"' + "\x00" * (len(found[0]) - 2) + '"' if found[1] else found[0], text)


def strings(text: str) -> Iterator[Span]:
    """Spans of the closed strings of a text."""
    return (found.span() for found in _STRING.finditer(text) if found[1])


# --- what a page does to a text --------------------------------------------------------------------------


def html_entities(text: str, format: str) -> list[Edit]:  # noqa: ARG001  # a repair's signature
    """``&gt;SEC:XSS`` is ``>SEC:XSS``.

    Sure where nothing in the piece is left that the escaping of HTML would have changed: then the whole piece went
    through it, values too, and each entity is undone once.
    """
    if _unescaped.search(text):
        return []
    return [Edit(*found.span(), _ENTITIES[found[0]]) for found in _entity.finditer(text)]


def markdown_escapes(text: str, format: str) -> list[Edit]:  # noqa: ARG001  # as above
    r"""``\_``, ``\#``, ``\|``, ``\>``: the backslash is Markdown's.

    Sure in prose, where Markdown shows no such backslash; code spans, fences and JSON are never asked. Not one of these is
    an escape of JSON's, so a quoted string could not hold it either. ``\\`` and ``\"`` are left to the string.
    """
    return [Edit(found.start(), found.end(), found[1]) for found in _markdown.finditer(text) if found[1]]


def cell_bars(text: str, format: str) -> list[Edit]:  # noqa: ARG001  # as above
    r"""``\|`` in a table's cell, which Markdown undoes in code spans, too.

    Sure in a cell: a bar of its own would have ended it.
    """
    return [Edit(found.start(), found.end(), "|") for found in re.finditer(r"\\\|", text)]


# --- what a keyboard or a typographer does ---------------------------------------------------------------


def full_width(text: str, format: str) -> list[Edit]:
    """``（``, ``：``, ``＝`` and the ideographic blank as structure.

    Sure outside of strings, in those places alone where the grammar lets no value stand: a packet's head, a SLIP head,
    a call's signs. A full-width comma among arguments is one only if the parentheses are full-width too, or a name and
    ``=`` follow it; else it may belong to a name of two words. Digits of values are left: ４２ may be a text.
    """
    if text.isascii():
        return []
    masked = outside_strings(text)
    if format == "slip":
        return _slip_wide(masked)
    if format == "eap":
        return _eap_wide(masked)
    if format == "silp-code":
        return _silp_wide(masked)
    if format == "ait":
        return _each(masked, {"　": " "})
    return _each(masked, _JSON_WIDE) if format.startswith("silp-") else []


def _slip_wide(masked: str) -> list[Edit]:
    edits: list[Edit] = []
    found = re.match(r"(ＳＬＩＰ|SLIP)([ \t　]++)([vｖ][13１３])([ \t　]++)([^\s]++)([ \t　]++)([^\s]++)([ \t　]++)", masked)
    if found is None:
        return []
    for group, table in ((1, "SLIP"), (3, None)):
        new = table or found[group].translate(str.maketrans("ｖ１３", "v13"))
        if found[group] != new:
            edits.append(Edit(*found.span(group), new))
    edits += [Edit(*found.span(group), " ") for group in (2, 4, 6, 8) if "　" in found[group]]
    after = re.compile(r"[A-Za-z0-9]++(　)").match(masked, found.end())
    if after:
        edits.append(Edit(*after.span(1), " "))
    return sorted(edits)


def _eap_wide(masked: str) -> list[Edit]:
    head = _eap_head.match(masked)
    assert head  # noqa: S101  # the pattern matches the empty string
    end = head.end()
    target = re.search(r"[#＃]", masked[:end])
    edits: list[Edit] = []
    for at, char in enumerate(masked[:end]):
        new = char.translate(_eap_full)
        if target is None or at <= target.start():
            new = new.translate(_WIDE_LETTERS)
        elif char in "０１２３４５６７８９" and masked[at - 1] not in "!！":
            continue  # in the target, which is a value
        if new != char:
            edits.append(Edit(at, at + 1, new))
    if not edits:
        return []
    if _wide_value.search(masked, end):
        return []  # a text, or a number in full-width digits
    # The writer's signs are full-width: those between keys and values are, too.
    return edits + [Edit(found.start(), found.end(), "=" if found[0] == "＝" else " ") for found in _between.finditer(masked, end)]


def _silp_wide(masked: str) -> list[Edit]:
    if "，" in masked and "（" not in masked and _wide_comma.search(masked):
        return []
    return _each(masked, _SILP_WIDE)


def _each(masked: str, table: dict[str, str]) -> list[Edit]:
    return [Edit(at, at + 1, table[char]) for at, char in enumerate(masked) if char in table]


def smart_quotes(text: str, format: str) -> list[Edit]:  # noqa: ARG001  # as above
    """``“two words”`` is ``"two words"``.

    Sure where they stand at the edges of a value, in pairs, with no other quote and no backslash between; a quote
    inside of a value stays as it is.
    """
    edits: list[Edit] = []
    for found in _quoted_smart.finditer(text):
        if not found["ascii"]:
            edges = ("single", "end") if found["single"] else ("open", "close")
            edits += [Edit(*found.span(name), '"') for name in edges if found[name] != '"']
    if not edits:
        edits = [Edit(*found.span(2), '"') for found in _half_smart.finditer(text)]
    return edits


def keyword_case(text: str, format: str) -> list[Edit]:
    """``slip V1`` is ``SLIP v1``, ``>sec:xss`` is ``>SEC:XSS``.

    Sure since both stand in one case only; anchors and names do not, and are left.
    """
    if format == "slip" and (found := _slip_head.match(text)):
        word, version = found["word"], found["version"]
        edits = [Edit(*found.span("word"), "SLIP")] if word in ("slip", "Slip") else []
        return edits + ([Edit(*found.span("version"), version.lower())] if version[0] == "V" else [])
    if format == "eap" and (head := re.match(r"\\?[><=]([A-Za-z0-9]{2,8}:[A-Za-z0-9_]{2,16})(?=[ \t])", text)):
        codes = head[1].upper()
        return [Edit(*head.span(1), codes)] if codes != head[1] else []
    return []


def trailing_comma(text: str, format: str) -> list[Edit]:
    """``{"a":"b",}`` is ``{"a":"b"}``: no value stands behind the comma."""
    if format not in ("silp-ir", "silp-json", "json"):
        return []
    return [Edit(found.start(), found.start() + 1, "") for found in re.finditer(r",(?=\s*+[}\]])", outside_strings(text))]


def signature_line(text: str, format: str) -> list[Edit]:
    """A signature that lost its line, or whose two hyphens became a dash.

    Sure since no field of a message holds ``--👽lingua/``, and no other line begins so.
    """
    if format != "lingua":
        return []
    found = re.search(r"(?<!\s)(\s++)(--|—|–)(?=👽lingua/[^\s@]++@\S++\s*+\Z)", text)
    if found is None:
        return []
    edits = [Edit(*found.span(1), "\n")] if found[1] not in ("\n", "\r\n") else []
    return edits + ([Edit(*found.span(2), "--")] if found[2] != "--" else [])


def closing_quote(text: str, format: str) -> list[Edit]:
    """The quote that the end of the line swallowed.

    Sure where the string is the last thing of the message: nothing behind its opening could be another pair of data,
    and no other quote follows.
    """
    if format not in ("slip", "eap", "eap-unicode"):
        return []
    at = next((found.start() for found in _STRING.finditer(text) if not found[1]), -1)
    if at < 0 or text.endswith("\\"):
        return []
    rest = text[at + 1 :]
    if not rest or any(sign in rest for sign in SMART) or re.search(r"[=|⁝]", rest):
        return []
    if format == "slip":
        return [Edit(len(text), len(text), '"')] if text[at - 1] in " \t" and not re.match(r"SLIP[ \t]+v3", text) else []
    return [Edit(len(text), len(text), '"')] if text[at - 1] == "=" else []


REPAIRS: Final[dict[str, Repair]] = {
    "html-entities": html_entities,
    "cell-bars": cell_bars,
    "markdown-escapes": markdown_escapes,
    "full-width": full_width,
    "keyword-case": keyword_case,
    "smart-quotes": smart_quotes,
    "trailing-comma": trailing_comma,
    "signature-line": signature_line,
    "closing-quote": closing_quote,
}
"""The repairs in the order in which they are tried, each on what those before it gave."""
CUTS: Final = ("trailing-punctuation", "trailing-commentary")
"""What is cut off behind a message; see `sabir.finding.ends`."""
JOINTS: Final = ("rejoined", "json-string", "envelope", "quote-markers")
"""Repairs of what surrounds a message: a line wrapped between two tokens, a message inside of a JSON string or of
``{"format": ..., "message": ...}``, a JSON object whose lines a Markdown quote marks."""


# --- pieces that decode, and yet are damaged -------------------------------------------------------------

_token_quotes = re.compile(r"(?<![^\s=])[“„‟＂]|(?<!\s)[”＂](?!\S)|(?<![^\s=])&quot;|&quot;(?!\S)")
_single_quote = re.compile(r"(?<![^\s=])‘")
_escaped = re.compile(r"\\[_*#|>\[\]~]")


def needed(text: str, format: str, *, literal: bool) -> bool:
    """Whether a text that decodes holds what no writer of its format meant as a value: the marks of a repair.

    SLIP takes nearly every token and EAP nearly every word, so ``“two words”`` would be read as two tokens. No message
    of the published traffic has a token with such edges.
    """
    if format not in ("slip", "eap", "eap-unicode"):
        return False
    masked = outside_strings(text)
    if _token_quotes.search(masked) or (_single_quote.search(masked) and smart_quotes(text, format)):
        return True
    return not literal and _escaped.search(masked) is not None

