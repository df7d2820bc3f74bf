"""OpenTelemetry GenAI spans: OTLP JSON exports, and spans as objects of their own.

Messages stand in ``gen_ai.input.messages`` and ``gen_ai.output.messages`` (with ``gen_ai.system_instructions``), in numbered attributes
(``gen_ai.prompt.0.content``, ``llm.input_messages.0.message.content``), or in the span's events. A span has its parent, and a parent often
holds its children's messages and usage again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from sabir.logs import look
from sabir.logs.conversation import SNAPSHOT, Call, Conversations, Message
from sabir.logs.entries import Item, Usage
from sabir.logs.giving import Where, given
from sabir.logs.memory import Memory, Meter
from sabir.logs.openai import message as openai_message
from sabir.logs.spans import Trees

_SENT: Final = ("gen_ai.input.messages", "gen_ai.prompt", "llm.input_messages")
_ANSWERS: Final = ("gen_ai.output.messages", "gen_ai.completion", "llm.output_messages")
_SYSTEM: Final = "gen_ai.system_instructions"
_SESSION: Final = ("gen_ai.conversation.id", "session.id", "conversation.id")
_INPUT: Final = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt", "llm.usage.prompt_tokens")
_OUTPUT: Final = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion", "llm.usage.completion_tokens")
_EVENTS: Final = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_TOOL_SPAN: Final = "execute_tool"
"""A tool's own span holds what the model's spans say of the call and its result."""
_numbered = re.compile(r"([0-9]{1,6})\.(?:message\.)?(.+)").fullmatch
_tool_call = re.compile(r"tool_calls\.([0-9]{1,6})\.(?:tool_call\.)?(?:function\.)?(name|arguments)").fullmatch


class _Found(NamedTuple):
    """A span as far as it matters."""

    trace: str
    id: str
    parent: str | None
    attributes: dict[str, Any]
    events: list[dict[str, Any]]


class Otel:
    """Reads records of span exports."""

    def __init__(self) -> None:
        self._conversations = Conversations()
        self._meter = Meter()
        self._trees = Trees()
        self._sessions: Memory[str] = Memory()

    def take(self, record: Any, where: Where) -> Iterator[Item]:
        """Texts of the spans in a record.

        Raises:
            Unusable: there are no spans in it.
        """
        found = look.record(record)
        spans = list(_spans(found))
        if not spans and not any(name in found for name in ("resourceSpans", "scopeSpans", "resourceLogs", "resourceMetrics")):
            raise look.Unusable("no spans: neither resourceSpans nor a span with attributes and a trace id")
        for span in spans:  # before any of them is read: a child may stand before its parent
            self._trees.link(span.trace, span.id, span.parent)
            session = look.name(span.attributes, *_SESSION)
            if session is not None:
                self._sessions.put(span.trace, session)
        for span in spans:
            yield from self._span(span, where)

    def end(self) -> Iterator[Item]:
        """Nothing waits for more."""
        return iter(())

    def _span(self, span: _Found, where: Where) -> Iterator[Item]:
        if span.attributes.get("gen_ai.operation.name") == _TOOL_SPAN:
            return
        sent, answers = _messages(span)
        agent = look.name(span.attributes, "gen_ai.agent.name")
        for item in sent:
            item.receiver = item.receiver or agent
        for item in answers:
            item.sender = item.sender or agent
        session = where.session or self._sessions.get(span.trace) or span.trace
        usage = self._usage(span)
        if not (sent or answers or usage):
            return
        call = Call(sent, answers, session, f"{span.trace} {span.id}", again=SNAPSHOT)
        session, told = self._conversations.tell(call, where.place, lambda item: self._trees.holds(span.trace, span.id, item.text))
        yield from given(told, session, where, usage)

    def _usage(self, span: _Found) -> Usage | None:
        found = [next((n for name in names if (n := look.count(span.attributes.get(name))) is not None), None) for names in (_INPUT, _OUTPUT)]
        if found == [None, None]:
            return None
        added = self._meter.of_call(f"{span.trace} {span.id}", Usage(found[0] or 0, found[1] or 0))
        return self._trees.usage(span.trace, span.id, added)


# --- spans -----------------------------------------------------------------------------------------------


def _spans(record: dict[str, Any]) -> Iterator[_Found]:
    """Spans of an export, of a part of one, or the record as a span."""
    for resource in look.items(record.get("resourceSpans")):
        yield from _spans(look.fields(resource))
    for scope in [*look.items(record.get("scopeSpans")), *look.items(record.get("instrumentationLibrarySpans"))]:
        for span in look.items(look.fields(scope).get("spans")):
            yield from _span(look.fields(span))
    for resource in look.items(record.get("resourceLogs")):
        for scope in look.items(look.fields(resource).get("scopeLogs")):
            for log in look.items(look.fields(scope).get("logRecords")):
                yield from _log(look.fields(log))
    if "attributes" in record:
        yield from _span(record)


def _span(span: dict[str, Any]) -> Iterator[_Found]:
    context = look.fields(span.get("context")) or look.fields(span.get("spanContext"))
    trace = look.name(span, "traceId", "trace_id") or look.name(context, "trace_id", "traceId")
    if trace is None:
        return
    id = look.name(span, "spanId", "span_id", "id") or look.name(context, "span_id", "spanId") or ""
    parent = look.name(span, "parentSpanId", "parent_span_id", "parent_id", "parentId")
    events = [{"name": event.get("name"), **_attributes(event.get("attributes"))} for item in look.items(span.get("events")) if (event := look.fields(item))]
    yield _Found(trace, id, parent, _attributes(span.get("attributes")), events)


def _log(log: dict[str, Any]) -> Iterator[_Found]:
    """A log record that tells of a span's messages, as if it were an event of it."""
    attributes = _attributes(log.get("attributes"))
    name = look.name(log, "eventName") or look.name(attributes, "event.name") or ""
    trace = look.name(log, "traceId")
    if trace is not None and name.startswith("gen_ai."):
        body = _plain(log.get("body"))
        event = {**attributes, **(body if isinstance(body, dict) else {"content": body}), "name": name}
        id = f"{look.name(log, 'spanId') or ''} {name} {look.name(log, 'timeUnixNano') or ''}"
        yield _Found(trace, id, look.name(log, "spanId"), attributes, [event])


def _attributes(value: Any) -> dict[str, Any]:
    """Attributes by name: OTLP's list of keys and values, or an object."""
    if isinstance(value, list):
        pairs = [look.fields(item) for item in value]
        return {pair["key"]: _plain(pair.get("value")) for pair in pairs if isinstance(pair.get("key"), str)}
    return look.fields(value)


def _plain(value: Any) -> Any:
    """JSON value of an OTLP AnyValue."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    ((kind, inner),) = value.items()
    if kind == "arrayValue":
        return [_plain(item) for item in look.items(look.fields(inner).get("values"))]
    if kind == "kvlistValue":
        return _attributes(look.fields(inner).get("values") or [])
    return inner if kind in {"stringValue", "intValue", "doubleValue", "boolValue", "bytesValue"} else value


# --- messages --------------------------------------------------------------------------------------------


def _messages(span: _Found) -> tuple[list[Message], list[Message]]:
    """What a span says went to the model and came back; from the first of the places that has any."""
    sent = [Message(text, "system") for text in [look.content(_listed(span.attributes.get(_SYSTEM)))] if text]
    sent += _under(span.attributes, _SENT)
    answers = list(_under(span.attributes, _ANSWERS))
    if sent or answers:
        return sent, answers
    for event in span.events:
        name = look.name(event, "name") or ""
        if name in _EVENTS:
            sent += openai_message({"role": _EVENTS[name], **event, "name": None})
        elif name == "gen_ai.choice":
            answers += openai_message({"role": "assistant", **(look.fields(event.get("message")) or event), "name": None})
        else:
            sent += [Message(text, "system") for text in [look.content(_listed(event.get(_SYSTEM)))] if text]
            sent += _under(event, _SENT)
            answers += _under(event, _ANSWERS)
    return sent, answers


def _listed(value: Any) -> Any:
    """A value that may be an array as JSON text."""
    return look.items(value) or value


def _under(attributes: dict[str, Any], names: tuple[str, ...]) -> Iterator[Message]:
    """Messages of the first of the attributes that is there, whole or numbered."""
    role = "user" if names is _SENT else "assistant"
    for name in names:
        value = attributes.get(name)
        if value is not None:
            yield from _whole(value, role)
            return
        numbered = {at[len(name) + 1 :]: item for at, item in attributes.items() if at.startswith(name + ".")}
        if numbered:
            yield from _from_numbers(numbered, role)
            return


def _whole(value: Any, role: str) -> Iterator[Message]:
    found = look.items(value)
    if not found and isinstance(value, str) and value:
        yield Message(value, role)
    for item in found:
        one = look.fields(item)
        if "parts" in one:
            yield from _parts(one, look.name(one, "role") or role)
        else:
            yield from openai_message({"role": role, **one})


def _parts(item: dict[str, Any], role: str) -> Iterator[Message]:
    """Texts of a message in parts: its text parts as one, then tool calls and what came back."""
    parts = [look.fields(part) for part in look.items(item.get("parts"))]
    if text := look.content(parts):
        yield Message(text, role, look.name(item, "name"))
    for part in parts:
        if part.get("type") == "tool_call":
            yield Message(look.written(part.get("arguments")), "assistant", receiver=look.name(part, "name"))
        elif part.get("type") == "tool_call_response":
            yield Message(look.written(part.get("response", part.get("result"))), "tool")


def _from_numbers(numbered: dict[str, Any], role: str) -> Iterator[Message]:
    """Messages whose members are attributes of their own: ``0.role``, ``0.content``, ``0.tool_calls.0.arguments``."""
    found: dict[int, dict[str, Any]] = {}
    for name, value in numbered.items():
        if match := _numbered(name):
            found.setdefault(int(match[1]), {})[match[2]] = value
    for _, item in sorted(found.items()):
        calls: dict[str, dict[str, Any]] = {}
        for name, value in item.items():
            if match := _tool_call(name):
                calls.setdefault(match[1], {})[match[2]] = value
        content = _listed(item.get("content"))
        yield from openai_message({"role": item.get("role") or role, "content": content, "tool_calls": list(calls.values())})
