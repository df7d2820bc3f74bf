"""The shapes in their variants: what each finds, and what only looks like a message."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir.errors import SabirError
from sabir.logs import SHAPES, Entry, Item, Repeat, Unread, Usage, chunks, pointer, read, shape_of
from sabir.logs.a2a import MAX_WAITING
from sabir.logs.entries import MAX_SHOWN
from sabir.logs.files import SAMPLE
from sabir.logs.jsonrecords import _whole_characters

Told = list[tuple[str, str]]


def log(folder: Path, *records: Any) -> Path:
    """A file with a JSON value a line."""
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def told(items: list[Item]) -> Told:
    """Role and text of each entry, kind and text of each repeat, reason of each record that is unread."""
    found = []
    for item in items:
        if isinstance(item, Entry):
            found.append((item.role or "-", item.text))
        else:
            found.append((f"({item.kind})", item.text) if isinstance(item, Repeat) else ("unread", item.reason))
    return found


# --- OpenAI ----------------------------------------------------------------------------------------------

HI = {"role": "user", "content": "hi"}
OPENAI: dict[str, tuple[list[Any], Told]] = {
    "text parts are one text, images none": (
        [{"messages": [{"role": "user", "content": [{"type": "text", "text": "SLI"}, {"type": "image_url", "image_url": {"url": "x"}}, {"type": "text", "text": "P v1"}, "!", 7]}]}],
        [("user", "SLIP v1!")],
    ),
    "responses": (
        [
            {
                "request": {"instructions": "Be brief.", "input": "hello"},
                "response": {
                    "output": [
                        {"type": "reasoning", "summary": []},
                        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "s4x9"}]},
                        {"type": "function_call", "name": "scan", "arguments": '{"a":1}', "call_id": "c"},
                    ]
                },
            },
            {"input": [{"role": "developer", "content": "x"}, {"type": "function_call_output", "call_id": "c", "output": "clean"}], "output": "fine"},
        ],
        [("system", "Be brief."), ("user", "hello"), ("assistant", "s4x9"), ("assistant", '{"a":1}'), ("system", "x"), ("tool", "clean"), ("assistant", "fine")],
    ),
    "tool calls, old and new": (
        [{"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": {"pin": "004213"}}}]}, {"role": "assistant", "function_call": {"name": "g", "arguments": "{}"}}]}],
        [("assistant", '{"pin":"004213"}'), ("assistant", "{}")],
    ),
    "blocks": (
        [
            {
                "system": [{"type": "text", "text": "sys"}],
                "messages": [
                    {"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": {"x": 1}}]},
                    {"role": "user", "content": [{"type": "tool_result", "content": [{"type": "text", "text": "y"}]}]},
                ],
            }
        ],
        [("system", "sys"), ("assistant", '{"x":1}'), ("tool", "y")],
    ),
    "refusal, choices that are texts, several choices": (
        [
            {"choices": [{"message": {"role": "assistant", "content": None, "refusal": "No."}}, {"message": {"content": "Yes."}}]},
            {"choices": [{"text": "more"}]},
            {"response": {"role": "assistant", "content": "bare"}},
        ],
        [("assistant", "No."), ("assistant", "Yes."), ("assistant", "more"), ("assistant", "bare")],
    ),
    "batch files": (
        [
            {"custom_id": "1", "method": "POST", "body": {"messages": [HI]}},
            {"custom_id": "1", "response": {"status_code": 200, "body": {"id": "c", "choices": [{"message": {"role": "assistant", "content": "ho"}}]}}},
        ],
        [("user", "hi"), ("assistant", "ho")],
    ),
    "bodies as JSON text": (
        [{"request": json.dumps({"messages": [HI]}), "response": json.dumps({"choices": [{"message": {"content": "ho"}}]})}],
        [("user", "hi"), ("assistant", "ho")],
    ),
    "single messages": (
        [HI, HI, {"role": "tool", "content": "z", "id": "m1"}, {"role": "tool", "content": "z", "id": "m1"}],
        [("user", "hi"), ("user", "hi"), ("tool", "z"), ("(second copy)", "z")],
    ),
    "what only looks like a message": (
        [
            HI,
            {"event": "start", "content": "no message", "metadata": {"messages": [HI]}},
            {"tools": [{"function": {"description": "no message"}}]},
            {"messages": [17, "x", {"role": "user", "content": {"type": "chart", "text": "no"}}, {"role": "user", "content": None}]},
            17,
        ],
        [
            ("user", "hi"),
            ("unread", "no messages, choices or usage, as OpenAI's requests and responses have"),
            ("unread", "no messages, choices or usage, as OpenAI's requests and responses have"),
            ("unread", "a JSON number, no object"),
        ],
    ),
    "streamed chunks": (
        [
            {"id": "a", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "SLI"}}]},
            {"id": "b", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "open"}}]},
            {"id": "a", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "P v1"}}]},
            {"id": "a", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
            {"id": "a", "object": "chat.completion.chunk", "choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}},
            {"id": "a", "object": "chat.completion.chunk", "choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}},
            {"object": "chat.completion.chunk", "choices": [], "usage": {"prompt_tokens": 1}},
            {"id": "e", "object": "chat.completion.chunk", "choices": [{"delta": {}, "finish_reason": "stop"}]},
        ],
        [("assistant", "SLIP v1"), ("-", ""), ("-", ""), ("assistant", "open")],
    ),
    "streamed responses": (
        [
            {"type": "response.output_text.delta", "delta": "s4"},
            {"type": "response.completed", "response": {"id": "r", "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "s4x9"}]}]}},
        ],
        [("assistant", "s4x9")],
    ),
    "prompts": ([{"prompt": "once", "response": {"choices": [{"text": " upon"}]}}], [("user", "once"), ("assistant", " upon")]),
}


@pytest.mark.parametrize("case", OPENAI.values(), ids=OPENAI)
def test_openai(case: tuple[list[Any], Told], tmp_path: Path) -> None:
    """Requests, responses and messages in every form give their texts."""
    assert told(list(read(log(tmp_path, *case[0]), shape="openai"))) == case[1]


def test_session_is_what_the_log_or_the_caller_names(tmp_path: Path) -> None:
    """Well-known members, also in the metadata, or the caller's pointer."""
    records = [
        {"messages": [HI], "metadata": {"thread_id": "t"}, "run": {"of": "x"}},
        {"messages": [HI], "conversation": {"id": "c"}, "run": {"of": 7}},
        {"role": "user", "content": "m"},
    ]
    path = log(tmp_path, *records)
    assert [item.session for item in read(path) if isinstance(item, Entry)] == ["t", "c", ""]
    assert [item.session for item in read(path, session="/run/of") if isinstance(item, Entry)] == ["x", "7", ""]


def test_names_and_tools_are_the_two_sides(tmp_path: Path) -> None:
    """A message's name is its sender, a tool call's function its receiver."""
    path = log(tmp_path, {"messages": [{"role": "user", "name": "ops", "content": "x"}, {"role": "assistant", "tool_calls": [{"function": {"name": "scan", "arguments": "{}"}}]}]})
    assert [(item.sender, item.receiver) for item in read(path) if isinstance(item, Entry)] == [("ops", None), (None, "scan")]


def test_open_streams_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many or too long ones are taken as they stand."""
    monkeypatch.setattr(chunks, "MAX_OPEN", 2)
    monkeypatch.setattr(chunks, "MAX_OPEN_TEXT", 5)
    records = [{"id": id, "object": "x.chunk", "choices": [{"delta": {"content": text}}]} for id, text in (("a", "1"), ("b", "2"), ("c", "3"), ("b", "long text"))]
    assert told(list(read(log(tmp_path, *records), shape="openai"))) == [("assistant", "1"), ("assistant", "2long text"), ("assistant", "3")]


# --- A2A -------------------------------------------------------------------------------------------------


def sent(text: str, id: Any = "1", **more: Any) -> dict[str, Any]:
    """A request with a message."""
    return {"jsonrpc": "2.0", "id": id, "method": "message/send", "params": {"message": {"role": "user", "parts": [{"kind": "text", "text": text}], **more}}}


def result(value: Any, id: Any = "1") -> dict[str, Any]:
    """A response."""
    return {"jsonrpc": "2.0", "id": id, "result": value}


AGENT = {"kind": "message", "messageId": "r1", "contextId": "c", "role": "agent", "parts": [{"kind": "text", "text": "P2"}]}
TASK = {"kind": "task", "id": "t", "contextId": "c", "status": {"state": "working"}}
A2A: dict[str, tuple[list[Any], Told]] = {
    "0.3 message": ([sent("s4x9", messageId="q1"), result(AGENT), result(AGENT)], [("user", "s4x9"), ("assistant", "P2"), ("(second copy)", "P2")]),
    "1.0 message": ([result({"message": {**AGENT, "role": "ROLE_AGENT"}})], [("assistant", "P2")]),
    "history without ids": (
        [sent("a", contextId="c"), result({**TASK, "history": [{"role": "user", "parts": [{"kind": "text", "text": "a"}]}]})],
        [("user", "a"), ("(history)", "a")],
    ),
    "history that nothing else holds": ([result({**TASK, "history": [AGENT]}), result({**TASK, "history": [AGENT]})], [("assistant", "P2"), ("(history)", "P2")]),
    "artifact that says what a message said": (
        [
            result({"kind": "status-update", "taskId": "t", "contextId": "c", "status": {"state": "working", "message": AGENT}}),
            result({"kind": "artifact-update", "taskId": "t", "contextId": "c", "artifact": {"artifactId": "x", "parts": [{"kind": "text", "text": "P2"}]}, "lastChunk": True}),
        ],
        [("assistant", "P2"), ("(second copy)", "P2")],
    ),
    "message that says what an artifact said": (
        [
            result({**TASK, "artifacts": [{"artifactId": "x", "parts": [{"text": "P2"}, {"data": {"n": 1}}]}]}),
            result({"statusUpdate": {"taskId": "t", "contextId": "c", "status": {"state": "TASK_STATE_WORKING", "message": AGENT}}}),
        ],
        [("assistant", "P2"), ("assistant", '{"n":1}'), ("(second copy)", "P2")],
    ),
    "the same status twice": (
        [
            result({"statusUpdate": {"taskId": "t", "contextId": "c", "status": {"state": "WORKING", "message": {**AGENT, "messageId": str(n), "parts": [{"text": "Wait."}]}}}})
            for n in (1, 2)
        ],
        [("assistant", "Wait."), ("assistant", "Wait.")],
    ),
    "the same request text twice": ([sent("a", 1, contextId="c"), sent("a", 2, contextId="c")], [("user", "a"), ("user", "a")]),
    "chunks that begin anew and never end": (
        [
            result({"artifactUpdate": {"taskId": "t", "artifact": {"artifactId": "x", "parts": [{"text": "one"}, {"data": [1]}]}}}),
            result({"artifactUpdate": {"taskId": "t", "artifact": {"artifactId": "x", "parts": [{"text": "two"}]}}}),
            result({"artifactUpdate": {"taskId": "t", "artifact": {"artifactId": "y"}}}),
        ],
        [("assistant", "[1]"), ("assistant", "one"), ("assistant", "two")],
    ),
    "chunks that end with their task": (
        [
            result({"artifactUpdate": {"taskId": "t", "artifact": {"artifactId": "x", "parts": [{"text": "one"}]}}}),
            result({"artifactUpdate": {"taskId": "u", "artifact": {"artifactId": "x", "parts": [{"text": "open"}]}}}),
            result({"statusUpdate": {"taskId": "t", "status": {"state": "TASK_STATE_FAILED"}}}),
            result({"task": {**TASK, "artifacts": [{"artifactId": "x", "parts": [{"text": "one"}]}]}}),
        ],
        [("assistant", "one"), ("(snapshot)", "one"), ("assistant", "open")],
    ),
    "lists and looks": (
        [{"jsonrpc": "2.0", "id": 1, "method": "tasks/list", "params": {}}, result({"tasks": [{**TASK, "history": [AGENT]}]}), result(AGENT, 5), {"jsonrpc": "2.0", "id": 6, "error": {"code": -1, "message": "no"}}],
        [("assistant", "P2"), ("(second copy)", "P2")],
    ),
    "results by what they have": (
        [
            result({"role": "agent", "parts": [{"text": "a"}]}),
            result({"taskId": "t", "artifact": {"artifactId": "x", "parts": [{"text": "b"}]}, "lastChunk": True}),
            result({"taskId": "t", "status": {"state": "x", "message": {"role": "agent", "parts": [{"text": "c"}]}}}),
            result({"url": "https://example.org", "skills": []}),
        ],
        [("assistant", "a"), ("assistant", "b"), ("assistant", "c")],
    ),
    "REST bodies and wrappers": (
        [
            {"message": {"role": "ROLE_USER", "contextId": "c", "parts": [{"text": "a"}]}},
            {"time": "12:00", "payload": sent("b", contextId="c")},
            {"request": sent("d"), "response": json.dumps(result(AGENT))},
            {"time": "12:00", "note": "no message"},
        ],
        [("user", "a"), ("user", "b"), ("user", "d"), ("assistant", "P2"), ("unread", "no JSON-RPC in this record, and no message, task or update")],
    ),
    "data alone": ([sent("", contextId="c", parts=[{"data": {"a": ""}}])], [("user", '{"a":""}')]),
    "an id that comes again": ([sent("a"), sent("b"), {"jsonrpc": "2.0", "method": "message/send", "params": {"message": {"parts": [{"text": "c"}]}}}], [("user", "a"), ("-", "c"), ("user", "b")]),
}


@pytest.mark.parametrize("case", A2A.values(), ids=A2A)
def test_a2a(case: tuple[list[Any], Told], tmp_path: Path) -> None:
    """Messages, tasks and updates of each version give their texts once."""
    assert told(list(read(log(tmp_path, *case[0]), shape="a2a"))) == case[1]


def test_a_request_has_the_session_its_response_names(tmp_path: Path) -> None:
    """A first message has no context; the server names it, or the task does, or nobody."""
    task = {"task": {"id": "t", "contextId": "c", "status": {"state": "working"}}}
    path = log(tmp_path, sent("a", 1), result(task, 1), sent("b", 2, taskId="t"), sent("d", 3), {"jsonrpc": "2.0", "id": 3, "error": {"code": 1}}, sent("e", 4, taskId="u"))
    assert [(item.text, item.session) for item in read(path) if isinstance(item, Entry)] == [("a", "c"), ("b", "c"), ("d", ""), ("e", "u")]


def test_waiting_requests_are_bounded(tmp_path: Path) -> None:
    """Of too many requests without a response, the first goes without a session."""
    path = log(tmp_path, *(sent(str(n), n) for n in range(MAX_WAITING + 1)), result(AGENT, 0))
    assert [item.text for item in read(path) if isinstance(item, Entry)][:3] == ["0", "P2", "1"]


def test_open_artifacts_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of too many artifacts in pieces, the first is taken as it stands."""
    monkeypatch.setattr(chunks, "MAX_OPEN", 1)
    path = log(tmp_path, *(result({"artifactUpdate": {"taskId": "t", "artifact": {"artifactId": id, "parts": [{"text": id}]}}}) for id in ("x", "y")))
    assert [(item.text, item.line) for item in read(path) if isinstance(item, Entry)] == [("x", 1), ("y", 2)]


# --- MCP -------------------------------------------------------------------------------------------------


def called(arguments: Any, id: Any = 1) -> dict[str, Any]:
    """A tool call."""
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "f", "arguments": arguments}}


def block(text: str) -> dict[str, str]:
    """A text block."""
    return {"type": "text", "text": text}


MCP: dict[str, tuple[list[Any], Told]] = {
    "lists are copied item by item": (
        [result({"content": [block("a"), block('{"n":1}')], "structuredContent": {"result": ["a", {"n": 1}]}}, 1)],
        [("tool", "a"), ("tool", '{"n":1}'), ("(second copy)", '{"result":["a",{"n":1}]}')],
    ),
    "content that says something else is no copy": (
        [result({"content": [block("two found")], "structuredContent": {"n": 2}}, 1), result({"content": [], "structuredContent": {"n": 2}}, 2)],
        [("tool", "two found"), ("tool", '{"n":2}'), ("tool", '{"n":2}')],
    ),
    "a wire beside its encoding": (
        [result({"content": [block("done(x)")], "structuredContent": {"silp_encoding": "code", "silp_payload": "done(x)"}}, 1)],
        [("tool", "done(x)"), ("(second copy)", '{"silp_encoding":"code","silp_payload":"done(x)"}')],
    ),
    "blocks that are no text": (
        [result({"content": [{"type": "image", "data": "xx"}, {"type": "resource", "resource": {"uri": "u", "text": "r"}}, {"type": "resource_link", "uri": "u"}]}, 1)],
        [("tool", "r")],
    ),
    "prompts, resources and sampling": (
        [
            result({"messages": [{"role": "user", "content": block("p")}]}, 1),
            result({"contents": [{"uri": "u", "text": "file"}, {"uri": "v", "blob": "xx"}]}, 2),
            {"jsonrpc": "2.0", "id": 3, "method": "sampling/createMessage", "params": {"systemPrompt": "s", "messages": [{"role": "user", "content": block("q")}]}},
            {"jsonrpc": "2.0", "id": 4, "method": "sampling/createMessage", "params": {"messages": [{"role": "user", "content": [block("q2")]}]}},
            result({"role": "assistant", "content": block("w"), "model": "m"}, 3),
        ],
        [("user", "p"), ("tool", "file"), ("system", "s"), ("user", "q"), ("user", "q2"), ("tool", "w")],
    ),
    "both sides' logs": (
        [called({"a": 1}), called({"a": 1}), result({"content": [block("x")]}, 1), result({"content": [block("x")]}, 1), called({"a": 2})],
        [("assistant", '{"a":1}'), ("(second copy)", '{"a":1}'), ("tool", "x"), ("(second copy)", "x"), ("assistant", '{"a":2}')],
    ),
    "ids begin anew with a connection": (
        [
            {"jsonrpc": "2.0", "id": 0, "method": "initialize"},
            {"jsonrpc": "2.0", "id": 0, "method": "initialize"},
            called({"a": 1}),
            called({"a": 1}),
            {"jsonrpc": "2.0", "id": 0, "method": "initialize"},
            called({"a": 1}),
        ],
        [("assistant", '{"a":1}'), ("(second copy)", '{"a":1}'), ("assistant", '{"a":1}')],
    ),
    "what only describes": (
        [
            {"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "no message"}},
            result({"tools": [{"description": "no message"}]}, 1),
            {"jsonrpc": "2.0", "id": 2, "error": {"code": -32602, "message": "no message"}},
            called({}),
            {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "f"}},
            result({"messages": [{"role": "user", "content": {"type": "image"}}]}, 3),
            {"text": "no message"},
            {"headers": {"Mcp-Session-Id": "s"}, "body": [called({"x": "y"}, "9")]},
        ],
        [("unread", "no JSON-RPC in this record"), ("assistant", '{"x":"y"}')],
    ),
}


@pytest.mark.parametrize("case", MCP.values(), ids=MCP)
def test_mcp(case: tuple[list[Any], Told], tmp_path: Path) -> None:
    """Calls and results give their texts once."""
    assert told(list(read(log(tmp_path, *case[0]), shape="mcp"))) == case[1]


def test_mcp_sessions_and_tools(tmp_path: Path) -> None:
    """The transport's header names the session, and a result's tool is that of its call."""
    path = log(tmp_path, {"headers": {"Mcp-Session-Id": "s"}, "message": called({"x": 1})}, {"headers": {"Mcp-Session-Id": "s"}, "message": result({"content": [block("y")]}, 1)})
    assert [(item.session, item.sender, item.receiver) for item in read(path, shape="mcp") if isinstance(item, Entry)] == [("s", None, "f"), ("s", "f", None)]


# --- OpenTelemetry and LangSmith -------------------------------------------------------------------------


def span(attributes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A span as an object of its own."""
    return {"trace_id": "t", "span_id": str(sorted(attributes)) + str(sorted(more)), "attributes": attributes, **more}


def any_value(value: Any) -> dict[str, Any]:
    """OTLP's form of a JSON value."""
    if isinstance(value, list):
        return {"arrayValue": {"values": [any_value(item) for item in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": key, "value": any_value(item)} for key, item in value.items()]}}
    return {"boolValue": value} if isinstance(value, bool) else {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}


ASKED = [{"role": "user", "parts": [{"type": "text", "content": "SLI"}, {"type": "text", "content": "P"}, {"type": "blob", "content": "xx"}]}]
CALLED = [
    {"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "scan", "arguments": {"pin": "004213"}}]},
    {"role": "tool", "parts": [{"type": "tool_call_response", "id": "1", "response": "clean"}]},
]
OTEL: dict[str, tuple[list[Any], Told]] = {
    "structured in OTLP": (
        [
            {
                "resourceSpans": [
                    {
                        "scopeSpans": [
                            {
                                "spans": [
                                    {
                                        "traceId": "t",
                                        "spanId": "s",
                                        "attributes": [
                                            {"key": "gen_ai.system_instructions", "value": any_value([{"type": "text", "content": "sys"}])},
                                            {"key": "gen_ai.input.messages", "value": any_value(ASKED + CALLED)},
                                        ],
                                    }
                                ]
                            }
                        ]
                    }
                ]
            }
        ],
        [("system", "sys"), ("user", "SLIP"), ("assistant", '{"pin":"004213"}'), ("tool", "clean")],
    ),
    "numbered attributes": (
        [
            span(
                {
                    "gen_ai.prompt.0.role": "system",
                    "gen_ai.prompt.0.content": "sys",
                    "gen_ai.prompt.10.content": "last",
                    "gen_ai.prompt.2.content": '[{"type":"text","text":"SLI"},{"type":"text","text":"P"}]',
                    "gen_ai.prompt.x": "no message",
                    "gen_ai.completion.0.role": "assistant",
                    "gen_ai.completion.0.tool_calls.0.name": "scan",
                    "gen_ai.completion.0.tool_calls.0.arguments": '{"a":1}',
                }
            ),
            span(
                {
                    "llm.input_messages.0.message.role": "user",
                    "llm.input_messages.0.message.content": "in",
                    "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"b":2}',
                }
            ),
        ],
        [("system", "sys"), ("user", "SLIP"), ("user", "last"), ("assistant", '{"a":1}'), ("user", "in"), ("assistant", '{"b":2}')],
    ),
    "whole prompts as text": ([span({"gen_ai.prompt": "once", "gen_ai.completion": '[{"role":"assistant","content":"upon"}]'})], [("user", "once"), ("assistant", "upon")]),
    "events of a span": (
        [
            span(
                {},
                events=[
                    {"name": "gen_ai.system.message", "attributes": {"content": "sys"}},
                    {"name": "gen_ai.user.message", "attributes": {"content": "q"}},
                    {"name": "gen_ai.choice", "attributes": {"index": 0, "message": '{"content":"a"}'}},
                    {"name": "exception", "attributes": {"exception.message": "no message"}},
                ],
            ),
            span({}, events=[{"name": "gen_ai.content.prompt", "attributes": {"gen_ai.prompt": "p"}}, {"name": "gen_ai.choice", "attributes": {"content": "c"}}], span_id="x"),
            span(
                {},
                events=[{"name": "gen_ai.client.inference.operation.details", "attributes": [{"key": "gen_ai.system_instructions", "value": any_value([{"type": "text", "content": "i"}])}]}],
                span_id="y",
            ),
        ],
        [("system", "sys"), ("user", "q"), ("assistant", "a"), ("user", "p"), ("assistant", "c"), ("system", "i")],
    ),
    "log records": (
        [
            {
                "resourceLogs": [
                    {
                        "scopeLogs": [
                            {
                                "logRecords": [
                                    {"eventName": "gen_ai.user.message", "traceId": "t", "spanId": "s", "body": any_value({"content": "q"})},
                                    {"attributes": [{"key": "event.name", "value": {"stringValue": "gen_ai.assistant.message"}}], "traceId": "t", "spanId": "s", "body": any_value("a")},
                                    {"eventName": "other", "traceId": "t", "body": any_value("no message")},
                                    {"eventName": "gen_ai.user.message", "body": any_value("no trace")},
                                ]
                            }
                        ]
                    }
                ]
            }
        ],
        [("user", "q"), ("assistant", "a")],
    ),
    "what only looks like a message": (
        [
            span({"gen_ai.operation.name": "execute_tool", "gen_ai.prompt": "no message", "gen_ai.usage.input_tokens": 5}),
            span({"http.request.body": '{"messages":[]}', "gen_ai.usage.input_tokens": True}, name="POST"),
            span({"traceloop.entity.input": '{"text":"no message"}', "flag": any_value(True)}),
            {"resourceMetrics": []},
            {"name": "no span", "attributes": {}},
            {"scopeSpans": [{"spans": [{"traceId": "t", "spanId": "z", "attributes": [17, {"key": 3}, {"key": "k"}], "events": [None]}]}, None]},
        ],
        [("unread", "no spans: neither resourceSpans nor a span with attributes and a trace id")],
    ),
}


@pytest.mark.parametrize("case", OTEL.values(), ids=OTEL)
def test_otel(case: tuple[list[Any], Told], tmp_path: Path) -> None:
    """Attributes and events of each convention give their texts."""
    assert told(list(read(log(tmp_path, *case[0]), shape="otel"))) == case[1]


def test_otel_agents_and_usage(tmp_path: Path) -> None:
    """The agent is the other side of its messages; usage without texts still counts."""
    attributes = {"gen_ai.agent.name": "checker", "gen_ai.prompt": "q", "gen_ai.completion": "a", "gen_ai.usage.prompt_tokens": "7"}
    path = log(tmp_path, span(attributes), span({"llm.token_count.completion": 3.0}))
    found = list(read(path))
    assert found == [
        Entry("q", "t", str(path), 1, None, "checker", "user"),
        Entry("a", "t", str(path), 1, "checker", None, "assistant", Usage(7, 0)),
        Entry("", "t", str(path), 2, usage=Usage(0, 3)),
    ]


def run(kind: str, inputs: Any, outputs: Any, **more: Any) -> dict[str, Any]:
    """A run."""
    return {"id": str(inputs) + str(outputs), "trace_id": "t", "run_type": kind, "inputs": inputs, "outputs": outputs, **more}


def serialised(name: str, content: Any, **more: Any) -> dict[str, Any]:
    """A message as LangChain keeps it."""
    return {"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", name], "kwargs": {"content": content, **more}}


LANGSMITH: dict[str, tuple[list[Any], Told]] = {
    "LangChain's messages": (
        [
            run(
                "llm",
                {"messages": [[serialised("SystemMessage", "s"), serialised("HumanMessage", [{"type": "text", "text": "q"}])]]},
                {"generations": [[{"message": serialised("AIMessageChunk", "", tool_calls=[{"name": "f", "args": {"a": 1}, "id": "1"}])}]]},
            ),
            run("llm", {"messages": [{"type": "human", "data": {"content": "q2"}}]}, {"generations": [[{"text": "a2"}]]}),
        ],
        [("system", "s"), ("user", "q"), ("assistant", '{"a":1}'), ("user", "q2"), ("assistant", "a2")],
    ),
    "OpenAI's messages": (
        [run("llm", {"messages": [{"role": "user", "content": "q"}]}, {"choices": [{"message": {"role": "assistant", "content": "a"}}]}), run("llm", {"prompts": ["p", 7]}, {"role": "assistant", "content": "b"})],
        [("user", "q"), ("assistant", "a"), ("user", "p"), ("assistant", "b")],
    ),
    "outputs of a graph": (
        [run("chain", {"question": ""}, {"messages": [{"type": "ai", "content": "a"}]}), run("chain", {"input": serialised("HumanMessage", "q")}, {"output": {"n": 1}})],
        [("assistant", "a"), ("user", "q")],
    ),
    "envelopes and nested runs": (
        [
            {"runs": [run("chain", {"input": "q"}, {"output": "a"}, child_runs=[run("llm", {"prompts": ["q"]}, {"text": "a"}, parent_run_ids=["x", str({"input": "q"}) + str({"output": "a"})])])]},
            {"data": [run("tool", {"input": "x"}, {"output": "y"})]},
            {"runs": []},
        ],
        [("user", "q"), ("assistant", "a"), ("(resent history)", "q"), ("(parent span)", "a")],
    ),
    "chains inside and other runs": (
        [run("chain", {"input": "q"}, {"output": "a"}, parent_run_id="p"), run("prompt", {"input": "no"}, {"output": "no"}, parent_run_id="p"), run("llm", {"messages": [17]}, {}), {"dataset": "x"}, {"data": [1]}],
        [("unread", "no run: a run has run_type, inputs and outputs"), ("unread", "no run: a run has run_type, inputs and outputs")],
    ),
}


@pytest.mark.parametrize("case", LANGSMITH.values(), ids=LANGSMITH)
def test_langsmith(case: tuple[list[Any], Told], tmp_path: Path) -> None:
    """Runs of models give their texts, in each of the forms that a framework writes."""
    assert told(list(read(log(tmp_path, *case[0]), shape="langsmith"))) == case[1]


@pytest.mark.parametrize(
    "outputs",
    [
        {"text": "a", "usage_metadata": {"input_tokens": 3, "output_tokens": 4}},
        {"text": "a", "usage": {"prompt_tokens": 3, "completion_tokens": 4}},
        {"text": "a", "llm_output": {"token_usage": {"prompt_tokens": 3, "completion_tokens": 4}}},
        {"generations": [[{"message": serialised("AIMessage", "a", usage_metadata={"input_tokens": 3, "output_tokens": 4})}]]},
    ],
)
def test_langsmith_usage_stands_at_many_places(outputs: Any, tmp_path: Path) -> None:
    """Each of them is found."""
    assert [item.usage for item in read(log(tmp_path, run("llm", {}, outputs))) if isinstance(item, Entry)] == [Usage(3, 4)]


# --- telling shapes --------------------------------------------------------------------------------------

TELLING: list[tuple[Any, str]] = [
    ({"scopeSpans": []}, "otel"),
    (span({}), "otel"),
    ({"spanContext": {"traceId": "t"}, "attributes": {}}, "otel"),
    ({"runs": [{"run_type": "llm"}]}, "langsmith"),
    (called({}), "mcp"),
    (result({"content": []}), "mcp"),
    ({"payload": result({"tools": []})}, "mcp"),
    (sent("x"), "a2a"),
    ({"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {}}, "a2a"),
    (result({"message": {"parts": []}}), "a2a"),
    (result(TASK), "a2a"),
    ({"task": {"status": {}}}, "a2a"),
    ({"artifactUpdate": {"artifact": {}}}, "a2a"),
    ({"request": {"body": {"messages": [HI]}}}, "openai"),
    ({"choices": [{"delta": {}}]}, "openai"),
    (HI, "openai"),
    ({"jsonrpc": "2.0", "id": 1, "method": "custom"}, "jsonl"),
    ({"message": "text alone", "attributes": {}}, "jsonl"),
    ({"role": "user"}, "jsonl"),
    ("a string", "jsonl"),
]


@pytest.mark.parametrize(("record", "shape"), TELLING)
def test_shape_of_a_record(record: Any, shape: str, tmp_path: Path) -> None:
    """The first records tell the shape."""
    assert shape_of(log(tmp_path, record)) == shape


def test_records_beyond_the_first_do_not_tell(tmp_path: Path) -> None:
    """Telling the shape of a large file looks at its beginning alone, and passes over what is broken."""
    path = log(tmp_path, *[HI] * 60, span({}))
    path.write_text("{broken\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    assert shape_of(path) == "openai"


def test_plain_lines_that_begin_with_a_bracket(tmp_path: Path) -> None:
    """A text log whose lines begin with a time in brackets is text by its name."""
    path = tmp_path / "agent.log"
    path.write_text("[12:00] hello\n[12:01] there\n", encoding="utf-8")
    assert shape_of(path) == "text"
    path.rename(tmp_path / "agent.jsonl")
    with pytest.raises(SabirError, match="none of its first records can be read as JSON"):
        shape_of(tmp_path / "agent.jsonl")


# --- whole files of JSON ---------------------------------------------------------------------------------

VALUES = st.lists(st.dictionaries(st.sampled_from(["text", "n"]), st.text(max_size=40) | st.integers(), min_size=1), min_size=1, max_size=30)


@given(records=VALUES, indent=st.sampled_from([None, 0, 2]), array=st.booleans(), size=st.sampled_from([1, 7, 64, SAMPLE]))
def test_an_array_gives_what_its_lines_give(tmp_path_factory: pytest.TempPathFactory, *, records: list[dict[str, Any]], indent: int | None, array: bool, size: int) -> None:
    """One array, values one after the other and a value a line are the same log, in windows of any size."""
    folder = tmp_path_factory.mktemp("log")
    lines, whole = log(folder, *records), folder / "whole.json"
    text = json.dumps(records, indent=indent, ensure_ascii=False) if array else " ".join(json.dumps(record, indent=indent or 1, ensure_ascii=False) for record in records)
    whole.write_bytes(text.encode("utf-8", "replace"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sabir.logs.jsonrecords.SAMPLE", size)
        found = [item.text for item in read(whole, shape="jsonl", column="text") if isinstance(item, Entry)] if any("text" in record for record in records) else []
    wanted = [record["text"] for record in records if isinstance(record.get("text"), str) and record["text"].strip()]
    assert found == wanted
    assert [item.text for item in read(lines, column="text") if isinstance(item, Entry)] == wanted if wanted else True


ARRAYS: list[tuple[bytes, list[str], str | None]] = [
    (b'[\n{"text": "a"},\n{"text": "b"}', ["a", "b"], "the file is cut off: its array is not closed"),
    (b'[\n{"text": "a"},\n{"text": "b', ["a"], "JSON: unterminated string starting at (character 10 of the record); the rest cannot be read, since no line end parts records here"),
    (b'[\n{"text": "a"},\n{"text": "\xff"},\n{"text": "b"}]', ["a", "b"], "not UTF-8"),
    (b'[\n{"text": "a"},\n]\n', ["a"], None),
    (b'\xef\xbb\xbf[\n{"text": "a"}, [{"text": "b"}]]', ["a", "b"], None),
    (b'{\n"text": "a"\n}\n{\n"text": "b"\n}\n', ["a", "b"], None),
    (b'[{"text": "a"}, {"text": "b"}]\n[{"text": "c"}]\n', ["a", "b", "c"], None),
    (b'[{"text": "a"}, {"text": "b"}]', ["a", "b"], None),
    (b'{"text": "a"\n', [], None),
]


@pytest.mark.parametrize(("data", "texts", "reason"), ARRAYS)
def test_whole_files_of_json(data: bytes, texts: list[str], reason: str | None, tmp_path: Path) -> None:
    """Arrays that are cut off or broken give what stands before; what follows is named."""
    path = tmp_path / "log.json"
    path.write_bytes(data)
    if not texts:
        with pytest.raises(SabirError, match="none of its first records can be read as JSON with texts; line 1: "):
            read(path)
        return
    found = list(read(path))
    assert [item.text for item in found if isinstance(item, Entry)] == texts
    assert [item.reason for item in found if isinstance(item, Unread)] == ([reason] if reason else [])


def test_a_value_beyond_the_limit_says_how_to_convert(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One huge object is not read; the message has the command that makes lines of it."""
    monkeypatch.setattr("sabir.logs.jsonrecords.MAX_RECORD", 200_000)
    path = tmp_path / "export.json"
    path.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [], "x": "y" * 900_000}]}, indent=1), encoding="utf-8")
    found = list(read(path, shape="otel"))
    assert [item.reason for item in found if isinstance(item, Unread)] == [
        "one JSON value of more than 200000 characters, or a broken one; write a record a line, such as: jq -c '.resourceSpans[]' export.json > export.jsonl"
    ]


def test_damaged_gzip_of_an_array(tmp_path: Path) -> None:
    """The records before the damage are read."""
    import gzip

    packed = gzip.compress(json.dumps([{"text": str(n**7)} for n in range(9000)], indent=0).encode())
    path = tmp_path / "log.json.gz"
    for part in (40, 60, 80):
        path.write_bytes(packed[: len(packed) * part // 100])
        found = list(read(path))
        last = found[-1]
        assert isinstance(last, Unread)
        assert last.reason.startswith("the gzip data are cut off or damaged (")
        assert [item.text for item in found if isinstance(item, Entry)] == [str(n**7) for n in range(len(found) - 1)]


@pytest.mark.parametrize(
    ("data", "end"),
    [(b"", 0), (b"a", 1), ("é".encode(), 0), ("é".encode()[:1], 0), ("日".encode()[:2], 0), (b"a" + "👽".encode()[:3], 1), (b"\x80", 1), (b"\x80" * 4, 4), (b"a\x80", 2)],
)
def test_characters_are_cut_nowhere(data: bytes, end: int) -> None:
    """What may go on in the next piece of a file waits for it; bytes that begin no character do not."""
    assert _whole_characters(data) == end


# --- pointers --------------------------------------------------------------------------------------------

DOCUMENT = {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "m~n": 8, " ": 7, "*": 9, "o": {"x": {"y": 1}, "z": {"y": 2}}}
POINTERS: list[tuple[str, list[Any]]] = [
    ("", [DOCUMENT]),
    ("/foo", [["bar", "baz"]]),
    ("/foo/0", ["bar"]),
    ("/foo/01", []),
    ("/foo/-", []),
    ("/foo/2", []),
    ("/", [0]),
    ("/a~1b", [1]),
    ("/c%d", [2]),
    ("/m~0n", [8]),
    ("/ ", [7]),
    ("/~2", [9]),
    ("/foo/*", ["bar", "baz"]),
    ("/o/*/y", [1, 2]),
    ("/foo/0/x", []),
    ("/ /*", []),
]


@pytest.mark.parametrize(("text", "values"), POINTERS)
def test_pointers(text: str, values: list[Any]) -> None:
    """RFC 6901's examples (section 5), and the star."""
    assert list(pointer.values(DOCUMENT, pointer.steps(text))) == values


@given(st.text(max_size=12))
def test_every_name_can_be_pointed_at(name: str) -> None:
    """An escaped name leads to its member."""
    step = name.replace("~", "~0").replace("/", "~1").replace("*", "~2")
    assert list(pointer.values({name: 1, "other" + name: 2}, pointer.steps(f"/{step}"))) == [1]


@given(st.lists(st.text(max_size=200)))
def test_what_is_shown_prints(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    """Whatever a record holds, its first characters are short and printable."""
    path = log(tmp_path_factory.mktemp("log"), {"role": "user", "content": "x"}, *[[text] for text in texts])
    for item in read(path, shape="openai"):
        if isinstance(item, Unread):
            assert item.shown.isprintable() or not item.shown.isascii()
            assert len(item.shown) <= 6 * MAX_SHOWN + 1


# --- whatever comes --------------------------------------------------------------------------------------

MEMBERS = ["jsonrpc", "id", "method", "params", "result", "error", "message", "messages", "content", "parts", "text", "type", "role", "task", "status", "artifacts", "artifact", "artifactId", "history", "contextId", "taskId", "state", "append", "lastChunk", "statusUpdate", "artifactUpdate", "tasks", "kind", "data", "structuredContent", "arguments", "name", "resource", "contents", "request", "response", "body", "choices", "delta", "finish_reason", "index", "object", "usage", "prompt_tokens", "output_tokens", "input", "output", "instructions", "system", "prompt", "tool_calls", "function", "function_call", "tool_use", "input_text", "refusal", "resourceSpans", "scopeSpans", "spans", "attributes", "events", "traceId", "spanId", "parentSpanId", "context", "trace_id", "key", "value", "stringValue", "arrayValue", "kvlistValue", "values", "gen_ai.input.messages", "gen_ai.prompt", "gen_ai.prompt.0.content", "gen_ai.operation.name", "resourceLogs", "scopeLogs", "logRecords", "eventName", "runs", "run_type", "inputs", "outputs", "parent_run_id", "parent_run_ids", "child_runs", "generations", "kwargs", "llm_output", "extra", "metadata", "session_id", "payload", "headers"]
WORDS = ["tools/call", "initialize", "message/send", "sampling/createMessage", "x.chunk", "llm", "chain", "response.completed", "text", "resource", "user", "gen_ai.choice", "1", "[1", '{"a":', "é👽\u2028"]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(WORDS) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(MEMBERS), inner, max_size=6),
    max_leaves=25,
)


@given(records=st.lists(ANYTHING, min_size=1, max_size=6), shape=st.sampled_from(["openai", "a2a", "mcp", "otel", "langsmith"]))
def test_nothing_in_a_record_stops_the_reading(tmp_path_factory: pytest.TempPathFactory, *, records: list[Any], shape: str) -> None:
    """Members of whatever type at whatever place: each record gives texts, repeats or its own fault, and the next one is read."""
    good = {"openai": HI, "a2a": sent("hi", "last"), "mcp": called({"x": "hi"}, "last"), "otel": span({"gen_ai.prompt": "hi"}, span_id="last"), "langsmith": run("llm", {"prompts": ["hi"]}, {}, id="last")}
    found = list(read(log(tmp_path_factory.mktemp("log"), *records, good[shape]), shape=shape))
    assert all(isinstance(item, (Entry, Unread, Repeat)) for item in found)
    assert any(isinstance(item, (Entry, Repeat)) and "hi" in item.text for item in found)


@given(records=st.lists(ANYTHING, min_size=1, max_size=6))
def test_telling_a_shape_ends_with_a_name_or_an_error(tmp_path_factory: pytest.TempPathFactory, *, records: list[Any]) -> None:
    """Whatever the first records hold."""
    path = log(tmp_path_factory.mktemp("log"), *records)
    try:
        assert shape_of(path) in SHAPES
    except SabirError as error:
        assert str(path) in str(error)


@given(data=st.binary(min_size=1, max_size=300), shape=st.sampled_from([None, *SHAPES]), name=st.sampled_from(["x.jsonl", "x.csv", "x.log", "x.parquet", "x.gz"]))
def test_any_bytes_give_items_or_an_error_of_the_library(tmp_path_factory: pytest.TempPathFactory, *, data: bytes, shape: str | None, name: str) -> None:
    """No file makes anything else leave the library."""
    path = tmp_path_factory.mktemp("log") / name
    for content in (data, b"\x1f\x8b\x08" + data, b"PAR1" + data, b"[" + data, b'{"text": "x"}\n' + data, b"text\nx\n" + data):
        path.write_bytes(content)
        try:
            assert all(isinstance(item, (Entry, Unread, Repeat)) for item in read(path, shape=shape))
        except SabirError as error:
            assert str(path) in str(error)
