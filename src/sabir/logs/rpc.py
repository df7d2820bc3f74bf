"""JSON-RPC records, bare or wrapped by whatever wrote the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sabir.logs import look

_WRAPPED: Final = ("payload", "message", "request", "response", "body", "data", "rpc", "frame", "msg")


def calls(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """JSON-RPC objects of a record: itself, or what its members of the usual names hold."""
    if "jsonrpc" in record:
        yield record
        return
    for member in _WRAPPED:
        value = record.get(member)
        for item in value if isinstance(value, list) else (value,):
            inner = look.fields(item)
            if "jsonrpc" in inner:
                yield inner


def id_of(call: dict[str, Any]) -> str | None:
    """The call's id; a number and the same digits as text are two ids."""
    id = call.get("id")
    return None if id is None or isinstance(id, bool) or not isinstance(id, (str, int)) else repr(id)


def session_of(record: dict[str, Any]) -> str | None:
    """The session that a wrapper names."""
    headers = {str(name).lower(): value for name, value in look.fields(record.get("headers")).items()}
    return look.session(record) or look.name(headers, "mcp-session-id")
