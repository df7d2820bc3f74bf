"""What is wrong with a text that the code frontend cannot read, said so that a person can mend it.

Nothing here decides what is read; each function is called after the grammar has failed at a position.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from sabir.errors import DecodeError

_SMART: Final = "“”„‟‘’‚‛«»「」『』＂＇"
_FULL_WIDTH: Final = dict(zip("（），、；：＝！＃＠＞＜－", "(),,;:=!#@><-", strict=True))
_ENDS: Final = {";": "the next call", ":": "an action", "#": "a comment"}
"""What begins with a sign that ends a call or a condition."""

_word = re.compile(r"!?+([A-Za-z_][A-Za-z0-9_.-]*+)[ \t]*+").match
_prompt = re.compile(r"(?:>>>|[>$%❯»])[ \t]*+(?=[a-z])").match
_if = re.compile(r"if(?![A-Za-z0-9_])").match
_or = re.compile(r"or(?![A-Za-z0-9_])|\|\||&&").match
_keyword = re.compile(r"(?:and|else|if|then|with)(?![A-Za-z0-9_])").match
_run = re.compile(r"[^\s;#]++").match
_is_function = re.compile(r"[a-z][a-z_]*+").fullmatch
_NO_CALL: Final = "a call must stand here: a lower-case verb and (, such as start(hike)"


def line_end(text: str) -> DecodeError:
    """A line end inside the text."""
    at = min(pos for pos in (text.find("\n"), text.find("\r")) if pos >= 0)
    return DecodeError("a message is one line; inside a string, a line end is \\n", text, (at, at + 1))


# --- calls and what follows them -------------------------------------------------------------------------


def no_call(text: str, pos: int) -> DecodeError:
    """No call where one must stand."""
    if pos >= len(text):
        return _early_end(text, "a call must stand, such as start(hike)")
    if found := _prompt(text, pos):
        return DecodeError("a prompt sign was pasted with the message: leave it out", text, found.span())
    if found := _if(text, pos):
        reason = "if stands only at the beginning, once; conditions are joined with and"
        return DecodeError(reason, text, found.span())
    if found := _word(text, pos):
        return _no_function(text, found)
    if text[pos] in "\"'`":
        return DecodeError("a message does not stand in quotes: leave them out", text, (pos, pos + 1))
    if _is_odd(text[pos]):
        return _odd(text, pos)
    found = _run(text, pos)
    return DecodeError(_NO_CALL, text, found.span() if found else (pos, pos + 1))


def _no_function(text: str, found: re.Match[str]) -> DecodeError:
    """A word that begins no call."""
    name, end = found[1], found.end()
    if text.startswith("(", end):
        if _is_function(name.lower()):
            return DecodeError(f"a call is written in lower case: {name.lower()}(", text, found.span(1))
        reason = f"{name} is no function name: those begin with a-z and have a-z and _ alone"
        return DecodeError(reason, text, found.span(1))
    if end < len(text) and _is_odd(text[end]):
        return _odd(text, end)
    if _is_function(name) and (end == len(text) or text[end] in ";#"):
        return DecodeError(f"{name} alone is no call: write {name}()", text, found.span(1))
    return DecodeError(_NO_CALL, text, found.span(1))


def trailing(text: str, pos: int) -> DecodeError:
    """Text after the end of the message."""
    span = pos, pos + 1
    if text[pos] == ",":
        return DecodeError("calls are separated by ; and not by a comma", text, span)
    if text[pos] == ")":
        return DecodeError("this ) closes nothing", text, span)
    if text.startswith("->", pos):
        return DecodeError("-> joins the steps of a sequence; it does not mix with ; or else", text, (pos, pos + 2))
    if found := _keyword(text, pos):
        return DecodeError(_MISPLACED[found[0]], text, found.span())
    if _is_odd(text[pos]):
        return _odd(text, pos)
    return DecodeError("text after the end of the message", text, (pos, len(text)))


_MISPLACED: Final = {
    "and": "and joins conditions, and those stand before the action; calls are separated by ;",
    "else": "else stands once, and its fallbacks are separated by ;",
    "if": "the condition stands first: if rain(t+1): start(cards)",
    "then": "then stands between condition and action; calls are separated by ;",
    "with": "with stands only after a sequence of steps joined by ->",
}


# --- terms -----------------------------------------------------------------------------------------------


def no_term(text: str, pos: int, noun: str, opening: re.Match[str] | None) -> DecodeError:
    """No bare word and no string where one must stand, inside the call that ``opening`` began, if any."""
    char = text[pos : pos + 1]
    if not char:
        return _early_end(text, f"{noun} must stand") if opening is None else _unclosed(text, opening.start())
    if char in ",)":
        return DecodeError(f'{noun} is missing before {char}; an empty one is ""', text, (pos, pos + 1))
    if char == "'":
        return DecodeError("a string is quoted with \", not with '", text, (pos, pos + 1))
    return odd_character(text, pos)


def after_term(text: str, pos: int, opening: int, *, named: bool = True) -> DecodeError:
    """Something other than a comma or a closing parenthesis after a term of a call.

    ``opening`` is a position from which the call's ( is the first; ``named`` says whether the call may hold name=value.
    """
    char = text[pos : pos + 1]
    span = pos, pos + 1
    if not char:
        return _unclosed(text, opening)
    if char == "=":
        reason = "a second = in one argument: quote the value" if named else "no = here: quote the text if it is part of it"
        return DecodeError(reason, text, span)
    if char == "(":
        return DecodeError("calls do not nest: quote the argument", text, span)
    if char in _ENDS:
        reason = f"no closing parenthesis before {_ENDS[char]}; if {char} is part of an argument, quote the argument"
        return DecodeError(reason, text, span)
    if found := _keyword(text, pos):
        reason = f"no closing parenthesis before {found[0]}; if it is part of an argument, quote the argument"
        return DecodeError(reason, text, found.span())
    if _is_odd(char) or (text[pos - 1] not in " \t" and char != '"'):
        return odd_character(text, pos)
    return DecodeError("a comma is missing, or quotes around an argument of several words", text, span)


def _unclosed(text: str, start: int) -> DecodeError:
    at = text.index("(", start)
    return DecodeError("no closing parenthesis: this ( opens a call", text, (at, at + 1))


def _early_end(text: str, wanted: str) -> DecodeError:
    return DecodeError(f"the text ends where {wanted}", text, (max(0, len(text) - 1), len(text)))


def odd_character(text: str, pos: int) -> DecodeError:
    """A character that no bare word holds, where an argument may stand."""
    return _odd(text, pos, "stands in no bare word: quote the argument", ", or quote the argument")


def _is_odd(char: str) -> bool:
    """Whether a character needs its name to be told from others."""
    return char in _SMART or char in _FULL_WIDTH or not (char.isascii() and char.isprintable())


def _odd(text: str, pos: int, remedy: str = "does not belong here: leave it out", instead: str = "") -> DecodeError:
    char = text[pos]
    span = pos, pos + 1
    if char in _SMART:
        return DecodeError(f'{char} is a typographic quote; a string is quoted with "', text, span)
    if char in _FULL_WIDTH:
        return DecodeError(f"{char} is full-width: write {_FULL_WIDTH[char]}{instead}", text, span)
    if _is_odd(char):
        char = f"U+{ord(char):04X} {unicodedata.name(char, '')}".rstrip()
    return DecodeError(f"{char} {remedy}", text, span)


# --- conditions ------------------------------------------------------------------------------------------


def no_constraint(text: str, pos: int) -> DecodeError:
    """No condition where one must stand."""
    if pos >= len(text):
        return _early_end(text, "a condition must stand")
    if found := _if(text, pos):
        return DecodeError("if stands once; conditions are joined with and", text, found.span())
    if text[pos] == "(":
        return DecodeError("no parentheses around conditions: leave them out", text, (pos, pos + 1))
    if _is_odd(text[pos]):
        return _odd(text, pos)
    reason = "a condition must stand here, such as budget<=500, loc(me,Beijing) or !rain"
    return DecodeError(reason, text, (pos, pos + 1))


def bare_constraint(text: str, head: re.Match[str]) -> DecodeError:
    """A name alone as a condition."""
    name, end = head[2], head.end()
    if end < len(text) and _is_odd(text[end]):
        return _odd(text, end)
    reason = f"{name} alone is no condition: write {name}(true), {name}==value or !{name}"
    return DecodeError(reason, text, head.span(2))


def no_joint(text: str, pos: int) -> DecodeError:
    """Neither `and` nor `:` after a condition."""
    if pos >= len(text):
        return DecodeError("the condition has no end: a : and an action must follow", text, (pos - 1, pos))
    if _is_odd(text[pos]):
        return odd_character(text, pos)
    if found := _or(text, pos):
        return DecodeError("conditions are joined with and alone", text, found.span())
    return DecodeError("and, : or then must stand here; a value of several words is quoted", text, (pos, pos + 1))
