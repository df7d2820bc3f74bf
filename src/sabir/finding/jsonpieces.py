"""Messages among JSON objects: SILP's IR and its JSON frontend, what `sabir decode` prints, and what strings hold.

An object counts by its own keys: an ``intent`` that begins with ``!``, or ``format`` and ``message``. The strings of all other
objects are read as texts, since tools and chats carry messages in them; what has no marker counts there only under a key
that announces a message.
"""

from __future__ import annotations

import re
from typing import Any, Final

from sabir.errors import DecodeError, EncodeError
from sabir.finding.bare import under_key
from sabir.finding.found import DAMAGED, MESSAGE, TEMPLATE, Found, Place
from sabir.finding.objects import Piece, Scanner
from sabir.finding.reading import value_of
from sabir.finding.repairs import REPAIRS, Edit, apply
from sabir.finding.setting import Setting
from sabir.jsontext import loads, read_string
from sabir.registry import BY_NAME

MAX_NESTING: Final = 3
"""Most JSON strings, one in the other, that are looked into."""
_JSON_REPAIRS: Final = ("markdown-escapes", "full-width", "smart-quotes", "trailing-comma")
_is_action = re.compile(r"\s*+[:：]\s*+[\"'“„”]!").match
_is_form = re.compile(r"\s*+[:：]\s*+[\"'“„”]([a-z-]+)[\"'“”]").match
_request_id = re.compile(r"[\"“']req_id[\"”']\s*+[:：]").search
_hint = re.compile(r"SLIP|[><=◤◢▰👽＞＜＝]|&[gl]t;|\{|!E\d|\^[0-9A]\||slip ").search
_quote_mark = re.compile(r"\n[ \t]*+>[ \t]?")
_escape = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)")
_low_half = re.compile(r"\\u[dD][c-fC-F]").match


def found(scanner: Scanner, place: Place, setting: Setting) -> list[Found]:
    """The messages, templates and damaged objects of a scanner that has closed or broken off, in order."""
    return _Pieces(scanner, place, setting).all()


class _Pieces:
    def __init__(self, scanner: Scanner, place: Place, setting: Setting) -> None:
        self.text = scanner.text
        self.base = scanner.start
        self.scanner = scanner
        self.place = Place("json" if place.name in ("line", "label") else place.name, exact=True, literal=place.literal)
        self.setting = setting
        self.result: list[Found] = []

    def all(self) -> list[Found]:
        done = self.base
        pieces = [piece for piece in self.scanner.objects if piece.keys]
        strings = [(span, self.key_before(span[0])) for span, value in self.scanner.strings if value]
        at = 0
        for piece in pieces:
            if piece.start < done or not self.counts(piece):
                continue
            while at < len(strings) and strings[at][0][0] < piece.start:
                self.string(*strings[at], done)
                at += 1
            done = self.object(piece)
        for span, key in strings[at:]:
            self.string(span, key, done)
        return self.result

    def part(self, start: int, end: int | None = None) -> str:
        return self.text[start - self.base : None if end is None else end - self.base]

    def key_before(self, start: int) -> str:
        """Label that the text just before a value gives it."""
        return self.part(max(self.base, start - 80), start - 1).rpartition(",")[2].rpartition("{")[2]

    def counts(self, piece: Piece) -> bool:
        """Whether an object is a message by its own keys."""
        names = {self.part(*span): span[1] for span in piece.keys}
        if {"format", "message"} <= names.keys():
            named = _is_form(self.part(names["format"] + 1, names["format"] + 40))
            return named is not None and named[1] in self.setting.formats
        if "intent" not in names or not self.setting.formats & {"silp-ir", "silp-json"}:
            return False
        return _is_action(self.part(names["intent"] + 1, names["intent"] + 40)) is not None

    def object(self, piece: Piece) -> int:
        """Read one object; the position up to which nothing else is looked for."""
        text = self.part(piece.start, piece.end)
        if piece.end is None:
            text = text.rstrip()
            error = DecodeError("the JSON object breaks off, so that values may be missing", text, (len(text) - 1, len(text)))
            self.keep(_name(text), text, piece.start, error)
            return self.scanner.at
        self.read(text, piece.start)
        return piece.end

    def read(self, raw: str, start: int) -> None:
        text, made, fault = raw, list[str](), None
        steps = [] if self.setting.strict else list(_JSON_REPAIRS)
        if self.scanner.quoted and "\n" in raw:
            text, made = _quote_mark.sub("\n", raw), ["quote-markers"] if _quote_mark.search(raw) and steps else []
        while True:
            try:
                data = loads(text)
                break
            except DecodeError as error:
                fault = fault or error
            edits: list[Edit] = []
            while steps and not edits:
                name = steps.pop(0)
                if name != "markdown-escapes" or not self.place.literal:
                    edits = REPAIRS[name](text, "silp-json")
            if not edits:
                self.keep(_name(raw), raw, start, fault)
                return
            text = apply(text, edits)
            made.append(name)
        self.message(data, text, raw, start, made)

    def message(self, data: Any, text: str, raw: str, start: int, made: list[str]) -> None:
        span = start, start + len(raw)
        if data.keys() >= {"format", "message"}:
            self.envelope(data, raw, span, made)
            return
        meta = data.get("meta")
        name = "silp-ir" if type(meta) is dict and "req_id" in meta else "silp-json"
        if name not in self.setting.formats:
            return
        if template := value_of(name, data):
            error = DecodeError(template, raw, format=name)
            self.result.append(Found(name, None, raw, span, (), TEMPLATE, self.place.name, error))
            return
        try:
            message = BY_NAME[name].under(self.setting.codebook).decode(text)
        except DecodeError as error:
            self.keep(name, raw, start, error)
            return
        self.result.append(Found(name, message, text, span, tuple(made), MESSAGE, self.place.name))

    def envelope(self, data: Any, raw: str, span: tuple[int, int], made: list[str]) -> None:
        """``{"format": ..., "message": ...}``, as `sabir decode` prints it: the text is what its format would write."""
        format = BY_NAME[data["format"]].under(self.setting.codebook)
        try:
            message = format.kind.from_json(data["message"])
            text = format.write(message)
        except EncodeError as error:
            self.keep(format.name, raw, span[0], DecodeError(str(error), raw, code="decode_failed", format=format.name))
            return
        self.result.append(Found(format.name, message, text, span, (*made, "envelope"), MESSAGE, self.place.name))

    def keep(self, name: str, text: str, start: int, error: DecodeError) -> None:
        self.result.append(Found(name, None, text, (start, start + len(text)), (), DAMAGED, self.place.name, error))

    def string(self, span: tuple[int, int], key: str, done: int) -> None:
        """Look into the string of a value."""
        raw = self.part(*span)
        label = key.strip(" \t\r\n\"':：“”")
        evidence = under_key(label)
        if span[0] < done or self.setting.depth >= MAX_NESTING or not (evidence or _hint(raw)):
            return
        try:
            content = read_string(f'"{raw}"', 0)[0] if "\\" in raw else raw
        except DecodeError:
            return
        items = self.setting.within(content, evidence, self.setting)
        if items:
            at = _raw(raw, [pos for item in items for pos in item.span]) if raw != content else {}
            self.result += [_placed(item, raw, content, span[0], at) for item in items]


def _placed(item: Found, raw: str, content: str, start: int, at: dict[int, int]) -> Found:
    """What a string holds as a part of the input: its span there, and the escapes as a repair if it has some."""
    a, b = [at.get(pos, pos) for pos in item.span]
    changed = raw[a:b] != content[item.span[0] : item.span[1]] and item.kind == MESSAGE
    repairs = ("json-string", *item.repairs) if changed else item.repairs
    return item.changed(span=(start + a, start + b), repairs=repairs, place="json")


def _raw(raw: str, places: list[int]) -> dict[int, int]:
    """Positions in a string as it is written of positions in its content, which are in order."""
    found: dict[int, int] = {}
    shift = 0
    escapes = _escape.finditer(raw)
    escape = next(escapes, None)
    for pos in places:
        while escape and escape.start() - shift < pos:
            shift += len(escape[0]) - (0 if _low_half(escape[0]) else 1)
            escape = next(escapes, None)
        found[pos] = pos + shift
    return found


def _name(text: str) -> str:
    return "silp-ir" if _request_id(text) else "silp-json"
