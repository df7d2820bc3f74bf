"""Which shape a file has, told from its first records and, where these say nothing, from its name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from sabir.errors import SabirError
from sabir.logs import files, look, rpc
from sabir.logs.entries import Unread
from sabir.logs.jsonrecords import records

SHAPES: Final = ("text", "jsonl", "csv", "parquet", "openai", "a2a", "mcp", "otel", "langsmith")
"""Names of the shapes."""
LOOKED_AT: Final = 50
"""Records that are looked at."""

_TEXT: Final = {".txt", ".log", ".text"}
_A2A_METHODS: Final = ("message/", "agent/", "tasks/pushNotificationConfig/", "tasks/resubscribe", "tasks/send")
_A2A_NAMES: Final = {"SendMessage", "SendStreamingMessage", "GetTask", "ListTasks", "CancelTask", "SubscribeToTask", "GetExtendedAgentCard"}
_MCP_METHODS: Final = ("tools/", "resources/", "prompts/", "sampling/", "notifications/", "completion/", "logging/", "roots/", "elicitation/", "initialize", "ping")
_A2A_RESULT: Final = {"task", "statusUpdate", "artifactUpdate", "artifacts", "artifact", "contextId", "parts", "status", "history"}
_MCP_RESULT: Final = {"content", "structuredContent", "tools", "contents", "protocolVersion", "resources", "prompts", "capabilities"}


def shape_of(path: str | Path) -> str:
    """Name of a file's shape.

    Raises:
        SabirError: the file cannot be read or is empty or binary; its records have two shapes; or nothing tells its shape.
            The message names the choices.
    """
    path = Path(path)
    start = files.sample(path)
    if start[:4] == b"PAR1":
        return "parquet"
    suffixes = {suffix.lower() for suffix in path.suffixes}
    if suffixes & {".csv", ".tsv"}:
        return "csv"
    if start.removeprefix(files.BOM).lstrip()[:1] in {b"{", b"["} or suffixes & {".json", ".jsonl", ".ndjson"}:
        return _of_json(path, start)
    if suffixes & _TEXT:
        return "text"
    raise SabirError(f"{path}: nothing tells what this file is; say which shape it has: {', '.join(SHAPES)}")


def _of_json(path: Path, start: bytes) -> str:
    found: dict[str, int] = {}
    read, fault = 0, ""
    for at, item in enumerate(records(path, str(path), start)):
        if at >= LOOKED_AT:
            break
        if isinstance(item, Unread):
            fault = fault or f"; line {item.line}: {item.reason}"
            continue
        read += isinstance(item.value, (dict, str))
        name = _of_record(item.value)
        if name is not None:
            found.setdefault(name, item.number)
    if not found and fault and _TEXT & {suffix.lower() for suffix in path.suffixes}:
        return "text"  # lines that begin with a bracket, such as times of day
    if not read:
        raise SabirError(f"{path}: none of its first records can be read as JSON with texts{fault}")
    if len(found) > 1:
        where = ", ".join(f"{name} at {number}" for name, number in found.items())
        raise SabirError(f"{path}: its records have several shapes ({where}); say which one to read: {', '.join(SHAPES)}")
    return next(iter(found), "jsonl")


def _of_record(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    return next((name for name, is_one in _TELLS.items() if is_one(value)), None)


def _is_otel(record: dict[str, Any]) -> bool:
    if any(name in record for name in ("resourceSpans", "scopeSpans", "resourceLogs")):
        return True
    context = look.fields(record.get("context")) or look.fields(record.get("spanContext")) or record
    return "attributes" in record and any(name in context for name in ("trace_id", "traceId"))


def _is_langsmith(record: dict[str, Any]) -> bool:
    if "run_type" in record:
        return "inputs" in record or "outputs" in record
    runs = look.items(record.get("runs")) or look.items(record.get("data"))
    return bool(runs) and "run_type" in look.fields(runs[0])


def _is_a2a(record: dict[str, Any]) -> bool:
    calls = list(rpc.calls(record))
    for call in calls:
        method = call.get("method")
        result = look.fields(call.get("result"))
        if isinstance(method, str) and (method.startswith(_A2A_METHODS) or method in _A2A_NAMES):
            return True
        message = look.fields(result.get("message"))
        if method is None and (_A2A_RESULT & result.keys() or "parts" in message) and not _MCP_RESULT & result.keys():
            return True
    inner = [look.fields(record.get(name)) for name in ("message", "task", "statusUpdate", "artifactUpdate")]
    return not calls and ("parts" in inner[0] or "status" in inner[1] or "status" in inner[2] or "artifact" in inner[3])


def _is_mcp(record: dict[str, Any]) -> bool:
    for call in rpc.calls(record):
        method = call.get("method")
        if isinstance(method, str) and method.startswith(_MCP_METHODS):
            return True
        if method is None and _MCP_RESULT & look.fields(call.get("result")).keys():
            return True
    return False


def _is_openai(record: dict[str, Any]) -> bool:
    for place in [record, *(look.fields(record.get(name)) for name in ("request", "response", "body"))]:
        for holder in (place, look.fields(place.get("body"))):
            for member in ("messages", "choices", "input"):
                first = look.fields(next(iter(look.items(holder.get(member))), None))
                if "role" in first or "message" in first or "delta" in first:
                    return True
    return isinstance(record.get("role"), str) and ("content" in record or "tool_calls" in record)


_TELLS: Final[dict[str, Callable[[dict[str, Any]], bool]]] = {
    "otel": _is_otel,
    "langsmith": _is_langsmith,
    "mcp": _is_mcp,
    "a2a": _is_a2a,
    "openai": _is_openai,
}
