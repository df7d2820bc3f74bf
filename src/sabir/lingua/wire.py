"""Agent Lingua 0.4 as text (seed, "Syntax Structure"; agent-lingua.md, "Message grammar").

    message   = ( request / response / error / human ) [ LF signature ]
    request   = [ "?" / "!" ] operation *( ";;" operation )
    operation = "👽" domain action [ modifier ] *( "|" field )
    response  = "^" status *( "|" field )                ; fields # ~ $
    error     = "!E" type [ subtype ] *( "|" field )     ; fields ~ $, and details at the end
    human     = [ "?" / "!" ] "👽" white-space text
    field     = "@" target / "#" id / "~" time / "%" condition / "$" payload / details
    signature = "--👽lingua/" version "@" source

Written are the fields in the order ``@ # ~ % $``; read they may stand in any order. White space before a message and
line ends after it are ignored; blanks at the end are part of raw text, of details and of nothing else.

Held to by ``strict``: a signature, and no raw payload, which the document calls one for debugging.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NoReturn

from sabir.errors import DecodeError, EncodeError, Span
from sabir.jsontext import received
from sabir.lingua import conditions, payload, times
from sabir.lingua.message import MARKER, MARKS, SIGNATURE, VALUE_RULE, LinguaMessage, LinguaRequest, Signature, is_value
from sabir.lingua.payload import MAX_INFLATED, Payload, unescape
from sabir.lingua.tables import Table, default

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES: Final = {"@": "target", "#": "id", "~": "time", "%": "conditions", "$": "payload"}
"""What the signs of the fields stand for."""
SIGNS: Final = {"request": "@#~%$", "response": "#~$", "error": "~$"}
"""Signs of the fields of each kind of message."""

_tables = default()
_MEANT: Final = (f"--{MARKER}", f"—{MARKER}", f"–{MARKER}")
"""How a line begins that was meant for a signature."""
_signature = re.compile(SIGNATURE).fullmatch
_operations = re.compile(rf";;(?=[?!]?{MARKER})").finditer
_head = re.compile(rf"([?!]?)({MARKER}|\^|!E)").match
_is_escaped = re.compile("|".join(payload.ESCAPES.values())).match


# --- reading ---------------------------------------------------------------------------------------------


def decode(
    text: str, /, *, strict: bool = False, allow_unknown: bool = False, max_inflated: int = MAX_INFLATED  # noqa: ARG001  # see Reader
) -> LinguaMessage:
    """The message of a text.

    Args:
        text: one line, and the line of the signature; human language may have several.
        strict: hold it to the narrow profile.
        allow_unknown: without effect; the codes are fixed.
        max_inflated: most bytes that a compressed payload may hold.

    Raises:
        DecodeError: with the span at fault.
    """
    try:
        received(text, "lingua")
        return _Reader(text, max_inflated).message(strict=strict)
    except DecodeError as error:
        error.format = "lingua"
        raise


class _Reader:
    """Reads one text; all positions are of the text as received."""

    def __init__(self, text: str, max_inflated: int) -> None:
        self.text = text
        self.max_inflated = max_inflated
        self.start = len(text) - len(text.lstrip())
        self.end = _last_line_end(text)
        self.raw: Span | None = None

    def fail(self, reason: str, start: int, end: int) -> NoReturn:
        raise DecodeError(reason, self.text, (start, end))

    def message(self, *, strict: bool) -> LinguaMessage:
        signature = self.signature()
        match = _head(self.text, self.start, self.end)
        if match is None or (match[1] and match[2] != MARKER):
            self.no_head()
        try:
            message = self.by_head(match, signature)
        except EncodeError as error:  # what only the whole message shows
            self.fail(str(error), self.start, self.end)
        if strict and signature is None:
            self.fail(f"strict: no signature, a last line such as {Signature()}", self.end, self.end)
        if strict and self.raw:
            self.fail("strict: raw text is for debugging; a payload is base64", *self.raw)
        return message

    def by_head(self, match: re.Match[str], signature: Signature | None) -> LinguaMessage:
        mark, sign = match.groups()
        if sign == MARKER and (match.end() == self.end or self.text[match.end()].isspace()):
            spoken = self.text[match.end() : self.end].strip()
            if not spoken:
                self.fail(f"nothing after {MARKER}: codes such as 73, or a blank and a text", match.end(), self.end)
            return LinguaMessage.human(spoken, prefix=mark or None, signature=signature)
        self.one_line()
        if sign == "^":
            return self.response(match.end(), signature)
        if sign == "!E":
            return self.error(match.end(), signature)
        operations = [self.operation(start, end, first=start == self.start) for start, end in self.operations()]
        return LinguaMessage.request(*operations, prefix=mark or None, signature=signature)

    def no_head(self) -> NoReturn:
        if self.start >= self.end:
            raise DecodeError("the text is empty", self.text)
        at = self.start
        said = f"a message begins with {MARKER} and two codes, a response with ^, an error with !E"
        if self.text[at] in "?!":
            said = f"{self.text[at]} stands before {MARKER} alone; {said}"
        self.fail(said, at, at + 1)

    # --- lines

    def signature(self) -> Signature | None:
        """The signature, taken off the end."""
        at = self.text.rfind("\n", self.start, self.end) + 1
        if at <= self.start:
            return None
        line = self.text[at : self.end].strip()
        match = _signature(line)
        if match is None:
            return None  # more of what is said, or what `one_line` refuses
        self.end = len(self.text[:at].rstrip("\r\n"))
        return Signature(match["version"], match["source"])

    def one_line(self) -> None:
        for sign in "\n\r":
            if (at := self.text.find(sign, self.start, self.end)) >= 0:
                if self.text.startswith(_MEANT, at + 1):
                    self.fail(f"no signature: it is a line such as {Signature()}", at + 1, self.end)
                reason = "a message is one line, with its signature on the next; in raw text, a line end is %0A"
                self.fail(reason, at, at + 1)

    # --- kinds

    def operations(self) -> Iterator[Span]:
        start = self.start
        for match in _operations(self.text, self.start, self.end):
            yield start, match.start()
            start = match.end()
        yield start, self.end

    def operation(self, start: int, end: int, *, first: bool) -> LinguaRequest:
        at = start
        if self.text[at] in MARKS:
            if not first:
                self.fail(f"{self.text[at]} stands once, at the beginning of the message", at, at + 1)
            at += 1
        codes, at = self.codes(at + 1, end, (_tables.domains, _tables.actions), _tables.modifiers)
        fields = self.fields(at, end, "request")
        domain, action, modifier = codes
        return LinguaRequest(domain, action, modifier, **fields)  # type: ignore[arg-type]  # the first two are there

    def response(self, at: int, signature: Signature | None) -> LinguaMessage:
        codes, at = self.codes(at, self.end, (_tables.statuses,), None)
        fields = self.fields(at, self.end, "response")
        return LinguaMessage("response", status=codes[0], signature=signature, **fields)

    def error(self, at: int, signature: Signature | None) -> LinguaMessage:
        codes, at = self.codes(at, self.end, (_tables.errors,), _tables.subtypes)
        fields = self.fields(at, self.end, "error")
        return LinguaMessage("error", type=codes[0], subtype=codes[1], signature=signature, **fields)

    def codes(
        self, at: int, end: int, required: tuple[Table, ...], optional: Table | None
    ) -> tuple[list[str | None], int]:
        """The codes at a position, up to a field or the end, and the position after them."""
        stop = self.text.find("|", at, end)
        stop = end if stop < 0 else stop
        word = self.text[at:stop].rstrip() if stop == end else self.text[at:stop]
        tables = (*required, optional) if optional else required
        found: list[str | None] = []
        for place, table in enumerate(tables):
            if place >= len(word):
                if place < len(required):
                    self.fail(f"no {_NOUNS[table.title]} (there are: {table})", at + place, at + place)
                found.append(None)
            elif word[place] in table.by_code:
                found.append(word[place])
            else:
                self.unknown(word[place], table, at + place)
        if len(word) > len(tables):
            self.fail("after the codes comes | and a field, or nothing", at + len(tables), stop)
        return found, stop

    def unknown(self, code: str, table: Table, at: int) -> NoReturn:
        guess = f"; did you mean {code.upper()}?" if code != code.upper() and code.upper() in table.by_code else ""
        self.fail(f'no {_NOUNS[table.title]} "{code}"{guess} (there are: {table})', at, at + 1)

    # --- fields

    def fields(self, at: int, end: int, kind: str) -> dict[str, Any]:
        """Fields of a message from a position, which is that of a ``|`` or the end."""
        found: dict[str, Any] = {"conditions": []} if "%" in SIGNS[kind] else {}
        while at < end and self.text[at] == "|":
            start = at + 1
            at = self.text.find("|", start, end)
            at = end if at < 0 else at
            self.field(start, at, kind, found)
        return found

    def field(self, start: int, end: int, kind: str, found: dict[str, Any]) -> None:
        sign = self.text[start:end][:1]
        if not sign:
            self.fail("an empty field", start, start)
        if "details" in found:
            self.fail("details stand last; in them, | is %7C", start, end)
        if kind == "error" and (sign not in NAMES or _is_escaped(self.text, start, end)):
            self.no_separator(start, end)
            found["details"] = unescape(self.text[start:end])
            return
        if sign not in SIGNS[kind]:
            self.fail(f"{self.why_no_field(sign, kind)}; in raw text, | is %7C", start, start + 1)
        name = NAMES[sign]
        if name in found and sign != "%":
            self.fail(f"two fields {sign} ({name})", start, end)
        self.no_separator(start, end)
        value = getattr(self, name)(start + 1, self.trimmed(start, end))
        if sign == "%":
            found[name].append(value)
        else:
            found[name] = value

    def why_no_field(self, sign: str, kind: str) -> str:
        known = ", ".join(f"{each} {NAMES[each]}" for each in SIGNS[kind])
        noun = "operation" if kind == "request" else kind
        article = "an" if noun[0] in "oe" else "a"
        if sign in NAMES:
            return f"{article} {noun} has no field {sign} (it has: {known})"
        return f"a field begins with its sign ({known})"

    def trimmed(self, start: int, end: int) -> int:
        """End of a field without the blanks that end the text; in raw text they are its own."""
        if end < self.end or self.text.startswith("$r:", start):
            return end
        return len(self.text[:end].rstrip())

    def no_separator(self, start: int, end: int) -> None:
        if (at := self.text.find(";;", start, end)) >= 0:
            self.fail(f";; stands before another {MARKER}; in raw text, ; is %3B", at, at + 2)

    def target(self, start: int, end: int) -> str:
        return self.value("target", start, end)

    def id(self, start: int, end: int) -> str:
        return self.value("id", start, end)

    def value(self, name: str, start: int, end: int) -> str:
        word = self.text[start:end]
        if not is_value(word):
            blank = next((at for at, char in enumerate(word) if char.isspace() or not char.isprintable()), 0)
            self.fail(f"{name} {VALUE_RULE}", start + blank, start + blank + 1 if blank else end)
        return word

    def time(self, start: int, end: int) -> str:
        word = self.text[start:end]
        if not times.is_time(word):
            self.within(times.parse, word, start)
        return word

    def conditions(self, start: int, end: int) -> str:
        word = self.text[start:end]
        if not conditions.is_condition(word):
            self.within(conditions.parse, word, start)
        return word

    def within(self, parse: Any, word: str, start: int) -> None:
        """Let the parser of a piece say what is wrong with it."""
        try:
            parse(word)
        except DecodeError as error:
            raise error.moved(self.text, start) from None

    def payload(self, start: int, end: int) -> Payload:
        found = payload.read(self.text, start, end, max_inflated=self.max_inflated)
        if found.encoding == "raw":
            self.raw = (start, end)
        return found


_NOUNS: Final = {
    "domains": "domain",
    "actions": "action",
    "modifiers": "modifier",
    "statuses": "status",
    "errors": "type of error",
    "subtypes": "subtype",
}


def _last_line_end(text: str) -> int:
    """End of the last line with something on it."""
    at = text.find("\n", len(text.rstrip(" \t\r\n")))
    end = len(text) if at < 0 else at
    return end - text.endswith("\r", 0, end)
