"""Where a message ends when prose goes on behind it, and when that cannot be told.

A message inside of prose ends for sure where its grammar lets nothing follow, or where a sign follows that no part of
it can be. What could be a value of it is never cut off: then the piece is reported.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import Final

from sabir.finding.repairs import outside_strings, strings
from sabir.slip.limits import FORCES

PUNCTUATION: Final = ".,;:!?…。、，；：！？)）」』"
_COMMENT: Final = re.compile(
    r"(?<![ \t])(?:[ \t]++(?:(?:–|--|//|/\*|<!--|#|←|<-|-|→|->|=>|⇒)(?=[ \t\w])|\()|[ \t]*+[—（])"
)
_SENTENCE: Final = re.compile(r"[.!?](?=[ \t]+[A-Z]|\s*+\Z)|[。！？]")
_PROSE: Final = re.compile(r"[.!?][ \t]++[A-Z][a-z'’]*+(?![^\s,.!?])[^\"]*+\Z|[。！？]")
_GOES_ON: Final = re.compile(
    r"(?:and|then|but|or|because|since|which|that|this|is|was|means|so|as|where|when|while|if|it|i|we|you|she|he|they|please)(?![\w-])",
    re.IGNORECASE,
)
"""Words with which a sentence goes on behind a message; none of them begins a payload in the published traffic."""
_goes_on = re.compile(rf"[,;:)—–][ \t]*+{_GOES_ON.pattern}|[—(（)）]", re.IGNORECASE).match
_eap_end = re.compile(
    r"[><=][A-Z0-9]{2,8}:[A-Z0-9_]{2,16}[ \t]++#(?:[A-Za-z0-9_.:-]++|\"\x00*+\")(?:[ \t]++![1-9](?![0-9A-Za-z]))?+"
)
_unicode_end = re.compile(
    r"[◤◢▰][A-Z0-9]{2,8}::[A-Z0-9_]{2,16}[ \t]*+➔\ufe0f?[ \t]*+📦\ufe0f?\[[^\]\n]++\](?:[ \t]*+⚡\ufe0f?[1-9](?![0-9A-Za-z]))?+"
)
_more_eap = re.compile(r"[=|⁝｜＝]|\\\||(?<!\S)[!！⚡]\ufe0f?[0-9]|&quot;")
_slip_head = re.compile(r"SLIP[ \t]++v1[ \t]++\S++[ \t]++\S++[ \t]++([A-Za-z]++)")
_slip_three = re.compile(rf"SLIP[ \t]++v3[ \t]++\w++[ \t]++\w++[ \t]++(?:{'|'.join(FORCES)})[ \t]++\w++(?:[ \t]++[A-Za-z0-9]++)*+")
_call = re.compile(r"(?<!\w)[A-Za-z_]\w*+[ \t]*+[(（]")
_full_stop = re.compile(r"(?<=\))(?:[.!?](?=[ \t]+[A-Z]|\s*\Z)|[。！？])")
_more_lingua = re.compile(r"[ \t]*(?:\||;;)")
_is_silp = re.compile(r"[ \t]*+(?:#[ \t]*+\{|->)")
_blank = re.compile(r"[ \t]")
_details = re.compile(r"!E[^|]*+\|(?:[^|]*+\|)*+[^|~$]").match
"""An error with details, which hold blanks as raw text does."""


def ends(text: str, format: str, anchors: Container[str]) -> Iterator[int]:
    """Positions at which the message that begins a text may end for sure, the nearest to the text's end first.

    ``anchors`` are those that SLIP knows.
    """
    masked = outside_strings(text)
    yield from dict.fromkeys(_ENDS[format](text, masked, anchors)) if format in _ENDS else ()


def _slip(text: str, masked: str, anchors: Container[str]) -> Iterator[int]:  # noqa: ARG001  # one signature for all
    for start, end in strings(text):  # a blank must follow a token's quote; so with a sign behind it the message ends
        if text[start - 1] in " \t" and text[end : end + 1] in tuple(PUNCTUATION):
            yield end
            break
    head = _slip_head.match(text)
    if head and head[1] in anchors:
        tail = text[head.end() :]
        if not tail.strip(PUNCTUATION + " \t") or _PROSE.match(tail) or re.match(rf"[,;:)—–][ \t]*+{_GOES_ON.pattern}|[—(（)）]", tail, re.IGNORECASE):
            yield head.end()
    if three := _slip_three.match(text):
        tail = text[three.end() :]
        if _SENTENCE.match(tail) or _COMMENT.match(tail) or not tail.strip(PUNCTUATION + " \t"):
            yield three.end()


def _eap(text: str, masked: str, _: Container[str]) -> Iterator[int]:
    yield from _packet(text, masked, _eap_end)


def _unicode(text: str, masked: str, _: Container[str]) -> Iterator[int]:
    yield from _packet(text, masked, _unicode_end)


def _packet(text: str, masked: str, head: re.Pattern[str]) -> Iterator[int]:
    found = head.match(masked)
    if found is None or found[0].endswith((".", ":", "-")):  # the target's, or the sentence's
        return
    tail = masked[found.end() :]
    if not _more_eap.search(tail) and re.match(rf"[\s{re.escape(PUNCTUATION)}]|\Z", tail):
        yield found.end()
    elif re.match(r"[ \t]*[|⁝]", tail):  # with data
        if not _eap_doubt(masked, "|" if text[0] in "><=" else "⁝") and "=" in tail.split()[-1]:
            yield len(text)  # pairs up to the end, which no prose is made of
        last = masked.rfind('"') + 1
        if masked[last : last + 1] in tuple(PUNCTUATION) and not _more_eap.search(masked, last):
            yield last
        yield from _first(_COMMENT, masked, _last(_more_eap, masked))


def _silp(text: str, masked: str, _: Container[str]) -> Iterator[int]:  # noqa: ARG001  # one signature for all
    last = _last(_call, masked)
    for start in _first(_COMMENT, masked, last):
        if not _is_silp.match(masked, start):
            yield start
    closed = masked.rfind(")") + 1
    if closed and not masked[closed:].strip(PUNCTUATION + " \t"):
        yield closed
    yield from _first(_full_stop, masked, last)


def _last(pattern: re.Pattern[str], masked: str) -> int:
    """Where a pattern stands last; 0 where it does not."""
    return max((found.start() for found in pattern.finditer(masked)), default=0)


def _first(pattern: re.Pattern[str], masked: str, after: int) -> Iterator[int]:
    """Where a pattern first stands after a position, if anywhere."""
    found = pattern.search(masked, after)
    if found:
        yield found.start()


def _ait(text: str, masked: str, _: Container[str]) -> Iterator[int]:
    found = re.match(r"[sdrpgno][0-9a-z][a-z][1-9](?:[ \t]++[sdrpgno][0-9a-z][a-z][1-9](?![\w]))*+", masked)
    if found and re.match(rf"\s*+(?:[{re.escape(PUNCTUATION)}—–(（]|\Z)", text[found.end() :]):
        rest = text[found.end() :]
        if not re.search(r"(?<!\w)[sdrpgno][0-9a-z][a-z][1-9](?!\w)", rest):
            yield found.end()


def _lingua(text: str, masked: str, _: Container[str]) -> Iterator[int]:  # noqa: ARG001  # one signature for all
    if "👽lingua/" in text:
        return
    blank = _blank.search(text)
    word = text[: blank.start()] if blank else text
    if blank and ("$r:" in word or _details(word) or _more_lingua.match(text, blank.start())):
        return
    bare = word.rstrip(PUNCTUATION)
    if bare == word or word.rpartition("|")[2][:1] in ("$", "~") or "|" not in word:  # else the sign may be the value's
        yield len(bare)


_ENDS: Final = {
    "slip": _slip,
    "eap": _eap,
    "eap-unicode": _unicode,
    "silp-code": _silp,
    "ait": _ait,
    "lingua": _lingua,
}


# --- doubts ----------------------------------------------------------------------------------------------

_OPENER: Final = re.compile(r"(?<!\S)(?:(?:–|--|//|/\*|#|←|<-|->|→|=>|⇒|-)(?!\S)|[(（])|—")
_single = re.compile(r"='(?:[^'\\]|\\.)*+'")
_bare_key = re.compile(r"(?<!\S)([^\s=\"'|⁝]++)(?=\s|\Z)")


def doubt(text: str, format: str, *, fenced: bool = False) -> str:
    """Why a piece that decodes may still be more than the message; empty where it is the message for sure.

    The payload of SLIP, the bare keys of EAP and raw text of Lingua take any word, so they would take a comment or the
    rest of a sentence as values. In a fence there are comments, but no sentences.
    """
    reason = _doubt(text, format, outside_strings(text))
    return "" if fenced and reason in (_STOPPED, _SENTENCED) else reason


def _doubt(text: str, format: str, masked: str) -> str:
    if format == "slip":
        return _slip_doubt(masked)
    if format in ("eap", "eap-unicode"):
        return _eap_doubt(masked, "|" if format == "eap" else "⁝")
    if format == "lingua":
        line = text.split("\n", maxsplit=1)[0]
        if "$r:" in line or " " in line:
            return _COMMENTED if _OPENER.search(line) else ""
        return _STOPPED if line[-1:] in tuple(PUNCTUATION) and len(line) > 4 else ""
    return ""


_COMMENTED: Final = "a comment or a part of the payload? quote the payload, or put the message in a code span"
_STOPPED: Final = "does the last sign belong to the value or to the sentence? quote the value, or leave the sign out"
_SENTENCED: Final = "a payload or the rest of a sentence? quote the payload, or put the message in a code span"


def _slip_doubt(masked: str) -> str:
    words = masked.split(None, 6)
    head = 6 if words[1] == "v3" else 5
    words = masked.split(None, head)
    if len(words) <= head:
        return ""
    payload = words[head].rstrip()
    if _OPENER.search(payload):
        return _COMMENTED
    if _GOES_ON.match(payload):
        return _SENTENCED
    last = payload.rsplit(None, 1)[-1]
    if not last.endswith('"') and last[-1] in ".,;:!?…。、，；：！？" and last != "...":
        return _STOPPED
    return ""


def _eap_doubt(masked: str, bar: str) -> str:
    before, bracket, after = masked.partition("]") if bar == "⁝" else ("", "", masked)  # a target may hold the bar
    head, found, data = after.partition(bar)
    head = before + bracket + head
    if not found:
        return _STOPPED if head.rstrip()[-1:] in (".", ":", "-") else ""
    data = _single.sub("='", data)
    bare = _bare_key.findall(data)
    if len(bare) > 1 or any(not re.fullmatch(r"[A-Za-z_][\w.-]*", key) for key in bare):
        return "flags or the rest of a sentence? write each flag as key=true, or put the packet in a code span"
    if bare and _GOES_ON.fullmatch(bare[0]):
        return _SENTENCED
    last = data.split()[-1:] or [""]
    return _STOPPED if last[0][-1:] in tuple(".,;:!?…。、，；：！？") else ""
