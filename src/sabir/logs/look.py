"""Looks into records that others wrote: a value of another type than expected is as good as none."""

from __future__ import annotations

import math
from typing import Any, Final

from sabir.errors import DecodeError
from sabir.jsontext import dumps, loads
from sabir.logs.entries import Usage

SESSION_NAMES: Final = ("session_id", "sessionId", "conversation_id", "conversationId", "thread_id", "threadId", "chat_id", "session", "conversation", "thread")
"""Members and columns that name a conversation, the surest first."""
_INPUT: Final = ("input_tokens", "prompt_tokens", "inputTokens", "promptTokens")
_OUTPUT: Final = ("output_tokens", "completion_tokens", "outputTokens", "completionTokens")


class Unusable(Exception):  # never leaves this package
    """A record that holds nothing for the shape it is read in; the text says why."""


def record(value: Any) -> dict[str, Any]:
    """The value of a record, which must be an object.

    Raises:
        Unusable: it is none.
    """
    if not isinstance(value, dict):
        raise Unusable(f"a JSON {kind(value)}, no object")
    return value


def kind(value: Any) -> str:
    """What a value is, in JSON's words."""
    return _NAMES.get(type(value), type(value).__name__)


_NAMES: Final = {str: "string", list: "array", int: "number", float: "number", bool: "boolean", type(None): "null"}


def fields(value: Any) -> dict[str, Any]:
    """The value if it is an object, or one as JSON text; else an empty object."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        value = parsed(value)
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """The value if it is an array, or one as JSON text; else an empty array."""
    if isinstance(value, str) and value.lstrip()[:1] == "[":
        value = parsed(value)
    return value if isinstance(value, list) else []


def parsed(text: str) -> Any:
    """Value of a JSON text; None where it is none."""
    try:
        return loads(text)
    except DecodeError:
        return None


def name(record: dict[str, Any], *names: str) -> str | None:
    """First of the members that is a name: text that is not empty, or a whole number."""
    for member in names:
        value = record.get(member)
        if (isinstance(value, str) and value) or (isinstance(value, int) and not isinstance(value, bool)):
            return str(value)
    return None


def session(*records: dict[str, Any]) -> str | None:
    """Name of the conversation, if one of the objects or its ``metadata`` says it."""
    for record in records:
        for place in (record, fields(record.get("metadata"))):
            found = name(place, *SESSION_NAMES)
            if found:
                return found
            for member in ("conversation", "session", "thread"):
                if inner := name(fields(place.get(member)), "id"):
                    return inner
    return None


def written(value: Any) -> str:
    """Text of a value that is text, or its compact JSON; empty for null."""
    if value is None:
        return ""
    return value if isinstance(value, str) else dumps(value)


def content(value: Any) -> str:
    """Text of a message's content: text, or parts of which the text ones are joined with nothing between."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        value = [value]
    return "".join(_part(part) for part in value) if isinstance(value, list) else ""


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict) or part.get("type", part.get("kind", "text")) not in _TEXT_PARTS:
        return ""
    text = part.get("text", part.get("content", part.get("refusal")))
    return text if isinstance(text, str) else ""


_TEXT_PARTS: Final = ("text", "input_text", "output_text", "refusal")


def usage(record: Any) -> Usage | None:
    """Tokens that an object states, under any of their usual names."""
    found = fields(record)
    given = [next((n for member in names if (n := count(found.get(member))) is not None), None) for names in (_INPUT, _OUTPUT)]
    return None if given == [None, None] else Usage(given[0] or 0, given[1] or 0)


def count(value: Any) -> int | None:
    """A number of tokens: a whole number, also written as text or as a float."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value < 0 or value != int(value):
        return None
    return int(value)


def copied(text: str, data: Any) -> bool:
    """Whether a text says what structured data say: the same as JSON, or a text, an object or an array inside them."""
    if not text:
        return False
    said = parsed(text) if text[0] in '{["-0123456789tf' or text[0].isspace() else None
    if said is not None and (said == data or (isinstance(data, dict) and [said] == list(data.values()))):
        return True
    stack = [data]
    while stack:
        value = stack.pop()
        if value == (text if isinstance(value, str) else said) and isinstance(value, (str, dict, list)):
            return True
        stack += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return False
