"""What is wrong with a text that the code frontend cannot read, said so that a person can mend it.

Nothing here decides what is read; each function is called after the grammar has failed at a position.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from sabir.errors import DecodeError

_SMART: Final = "“”„‟‘’‚‛«»「」『』＂＇"
_FULL_WIDTH: Final = {"（": "(", "）": ")", "，": ",", "、": ",", "；": ";", "：": ":", "＝": "=", "！": "!", "＃": "#"}
_upper_fn = re.compile(r"!?([A-Za-z_]*[A-Z][A-Za-z_]*)[ \t]*\(").match
_bad_fn = re.compile(r"([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*\(").match
_prompt = re.compile(r"(?:>>>|[>$%❯»])[ \t]*(?=[a-z])").match


def line_end(text: str) -> DecodeError:
    """A line end inside the text."""
    at = min(pos for pos in (text.find("\n"), text.find("\r")) if pos >= 0)
    return DecodeError("a message is one line; inside a string, a line end is \\n", text, (at, at + 1))


def no_call(text: str, pos: int) -> DecodeError:
    """No call where one must stand."""
    if pos >= len(text):
        return DecodeError("the text ends where a call must stand, such as start(hike)", text, (max(0, pos - 1), pos))
    if found := _prompt(text, pos):
        return DecodeError("a prompt sign was pasted with the message: leave it out", text, found.span())
    if found := _upper_fn(text, pos):
        return DecodeError(f"a call is written in lower case: {found[1].lower()}(", text, found.span(1))
    if found := _bad_fn(text, pos):
        return DecodeError(f"{found[1]} is no function name: those have a-z and _ alone", text, found.span(1))
    if text.startswith(("if ", "if(", "if\t"), pos):
        return DecodeError("if stands only at the beginning, once; conditions are joined with and", text, (pos, pos + 2))
    if text[pos] in _FULL_WIDTH or text[pos] in _SMART:
        return odd_character(text, pos)
    end = pos + len(re.split(r"[\s;#]", text[pos:], maxsplit=1)[0])
    return DecodeError("a call must stand here: a lower-case verb and (, such as start(hike)", text, (pos, max(end, pos + 1)))


def no_term(text: str, pos: int, noun: str, opening: re.Match[str] | None) -> DecodeError:
    """No bare word and no string where one must stand."""
    char = text[pos : pos + 1]
    if not char:
        if opening is None:
            return DecodeError(f"the text ends where {noun} must stand", text, (max(0, pos - 1), pos))
        at = text.index("(", opening.start())
        return DecodeError("no closing parenthesis: this ( opens a call", text, (at, at + 1))
    if char in ",)":
        return DecodeError(f'{noun} is missing before {char}; an empty one is ""', text, (pos, pos + 1))
    if char == "'":
        return DecodeError("a string is quoted with \", not with '", text, (pos, pos + 1))
    return odd_character(text, pos)


def after_term(text: str, pos: int, start: int, *, named: bool = True) -> DecodeError:
    """Something other than a comma or a closing parenthesis after a term."""
    char = text[pos : pos + 1]
    if not char:
        at = text.index("(", start)
        return DecodeError("no closing parenthesis: this ( opens a call", text, (at, at + 1))
    if char == "=":
        reason = "a second = in one argument: quote the value" if named else "no = here: quote the text if it is part of it"
        return DecodeError(reason, text, (pos, pos + 1))
    if char == "(":
        return DecodeError("calls do not nest: quote the argument", text, (pos, pos + 1))
    if text[pos - 1 : pos] in " \t" or char == '"':
        return DecodeError("a comma is missing, or quotes around an argument of several words", text, (pos, pos + 1))
    return odd_character(text, pos)


def odd_character(text: str, pos: int) -> DecodeError:
    """A character that no bare word holds."""
    char = text[pos]
    span = pos, pos + 1
    if char in _SMART:
        return DecodeError(f'{char} is a typographic quote; a string is quoted with "', text, span)
    if char in _FULL_WIDTH:
        return DecodeError(f"{char} is full-width: write {_FULL_WIDTH[char]}, or quote the argument", text, span)
    shown = char if char.isprintable() and char.isascii() else f"U+{ord(char):04X} {unicodedata.name(char, '')}".rstrip()
    return DecodeError(f"{shown} stands in no bare word: quote the argument", text, span)


def no_constraint(text: str, pos: int) -> DecodeError:
    """No condition where one must stand."""
    if pos >= len(text):
        return DecodeError("the text ends where a condition must stand", text, (max(0, pos - 1), pos))
    if text.startswith(("if ", "if("), pos):
        return DecodeError("if stands once; conditions are joined with and", text, (pos, pos + 2))
    if text[pos] in _FULL_WIDTH or text[pos] in _SMART:
        return odd_character(text, pos)
    reason = "a condition must stand here, such as budget<=500, loc(me,Beijing) or !rain"
    return DecodeError(reason, text, (pos, pos + 1))


def bare_constraint(text: str, head: re.Match[str]) -> DecodeError:
    """A name alone as a condition."""
    name = head[2]
    reason = f"{name} alone is no condition: write {name}(true), {name}==value or !{name}"
    return DecodeError(reason, text, head.span(2))


def no_joint(text: str, pos: int) -> DecodeError:
    """Neither `and` nor `:` after a condition."""
    if pos >= len(text):
        return DecodeError("the condition has no end: a : and an action must follow", text, (pos - 1, pos))
    if text[pos] in _FULL_WIDTH:
        return odd_character(text, pos)
    if text.startswith(("or ", "||", "&&"), pos):
        return DecodeError("conditions are joined with and alone", text, (pos, pos + 2))
    return DecodeError("and, : or then must stand here; a value of several words is quoted", text, (pos, pos + 1))


def trailing(text: str, pos: int) -> DecodeError:
    """Text after the end of the message."""
    if text.startswith("else", pos):
        return DecodeError("else must be followed by a call, such as else: start(cards)", text, (pos, pos + 4))
    if text[pos] == ",":
        return DecodeError("calls are separated by ; and not by a comma", text, (pos, pos + 1))
    if text[pos] == ")":
        return DecodeError("this ) closes nothing", text, (pos, pos + 1))
    if text[pos] in _FULL_WIDTH:
        return odd_character(text, pos)
    return DecodeError("text after the end of the message", text, (pos, len(text)))
