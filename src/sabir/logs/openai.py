"""OpenAI chat logs: requests, responses, both together, single messages, streamed chunks, batch files.

The conversation stands in ``messages`` (Chat Completions) or ``input`` (Responses); the answer in ``choices`` or ``output``. A request
and its response are looked for in the record itself and in its members of these names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sabir.logs import look
from sabir.logs.chunks import Open, Pieces
from sabir.logs.conversation import COPY, Call, Conversations, Message
from sabir.logs.entries import Item
from sabir.logs.giving import Where, given
from sabir.logs.memory import Meter

REQUEST: Final = ("request", "body", "kwargs", "params", "input")
RESPONSE: Final = ("response", "completion", "result", "output")
_SKIPPED: Final = {"reasoning", "item_reference", "image_generation_call", "web_search_call", "file_search_call"}


def messages(value: Any) -> Iterator[Message]:
    """Texts of a list of messages; each message's content first, then its tool calls."""
    if isinstance(value, str) and value.lstrip()[:1] != "[":
        yield Message(value, "user")
        return
    for item in look.items(value):
        if isinstance(item, dict):
            yield from message(item)


def message(item: dict[str, Any]) -> Iterator[Message]:
    """Texts of one message. A tool call is a text that the model wrote to the tool."""
    kind = item.get("type")
    if kind in _SKIPPED:
        return
    if kind in {"function_call", "custom_tool_call", "mcp_call"}:
        text = look.written(item.get("arguments", item.get("input")))
        yield Message(text, "assistant", receiver=look.name(item, "name"))
        return
    if kind in {"function_call_output", "custom_tool_call_output"}:
        yield Message(look.content(item.get("output")), "tool")
        return
    role, sender = look.name(item, "role"), look.name(item, "name")
    text = look.content(item.get("content")) or look.content(item.get("refusal"))
    if text:
        yield Message(text, role, sender=sender)
    yield from _blocks(item.get("content"), role)
    yield from _tool_calls(item, sender)


def _blocks(content: Any, role: str | None) -> Iterator[Message]:
    """Tool calls and results that stand among the parts of a content."""
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and part.get("type") == "tool_use":
            yield Message(look.written(part.get("input")), role, receiver=look.name(part, "name"))
        elif isinstance(part, dict) and part.get("type") == "tool_result":
            yield Message(look.content(part.get("content")), "tool")


def _tool_calls(item: dict[str, Any], sender: str | None) -> Iterator[Message]:
    calls = [look.fields(call) for call in look.items(item.get("tool_calls"))]
    for call in [*calls, {"function": item.get("function_call")}]:
        function = look.fields(call.get("function", call.get("custom"))) or call
        text = look.written(function.get("arguments", function.get("args", function.get("input"))))
        if text:
            yield Message(text, "assistant", sender, look.name(function, "name"))


def answers(response: dict[str, Any]) -> Iterator[Message]:
    """Texts of a response: of every choice, or of its output."""
    for choice in look.items(response.get("choices")):
        found = look.fields(choice)
        if isinstance(found.get("text"), str):
            yield Message(found["text"], "assistant")
        yield from message({"role": "assistant", **look.fields(found.get("message"))})
    output = response.get("output")
    if isinstance(output, str) and output:
        yield Message(output, "assistant")
    for item in output if isinstance(output, list) else ():
        yield from message({"role": "assistant", **look.fields(item)})
    if "choices" not in response and response.get("role") == "assistant":  # a bare message as a response
        yield from message(response)


def call(record: dict[str, Any]) -> Call:
    """The call of a record.

    Raises:
        Unusable: there are no messages, no answer and no usage in it.
    """
    if "role" in record and "messages" not in record:  # a message by itself
        session = look.session(record) or ""
        return Call([], list(message(record)), session, look.name(record, "id", "message_id"), look.usage(record.get("usage")))
    request = _where(record, REQUEST, ("messages", "input", "prompt"))
    response = _where(record, RESPONSE, ("choices", "output")) or _where(record, RESPONSE, ("role",))
    found = Call(list(_sent(request)), list(answers(response)), look.session(record, request, response))
    found.usage = look.usage(response.get("usage")) or look.usage(record.get("usage"))
    if not (request or response or found.usage):
        raise look.Unusable("no messages, choices or usage, as OpenAI's requests and responses have")
    id = look.name(response, "id") or look.name(record, "id", "request_id", "custom_id")
    if id is not None:
        found.id = f"response {id}" if response else f"request {id}"
    return found


def _sent(request: dict[str, Any]) -> Iterator[Message]:
    for member in ("instructions", "system"):
        if text := look.content(request.get(member)):
            yield Message(text, "system")
    for member in ("messages", "input", "prompt"):
        if isinstance(request.get(member), (str, list)):
            yield from messages(request[member])
            return


def _where(record: dict[str, Any], places: tuple[str, ...], members: tuple[str, ...]) -> dict[str, Any]:
    """The object that has one of the members: the record, or one under the names, or the ``body`` of that."""
    outer = [look.fields(record.get(place)) for place in places]
    for place in [record, *outer, *(look.fields(item.get("body")) for item in outer)]:
        if any(isinstance(place.get(member), (list, str)) for member in members):
            return place
    return {}


class OpenAI:
    """Reads records of OpenAI chat logs."""

    def __init__(self) -> None:
        self._conversations = Conversations()
        self._meter = Meter()
        self._streams = Pieces()

    def take(self, record: Any, where: Where) -> Iterator[Item]:
        """Texts of a record.

        Raises:
            Unusable: it is no object, or none of OpenAI's.
        """
        found = look.record(record)
        kind = look.name(found, "object", "type") or ""
        if kind.endswith(".chunk"):
            yield from self._chunk(found, where)
        elif kind.startswith("response."):  # an event of a streamed response; the last one holds it whole
            if kind == "response.completed":
                yield from self._call(call({"response": found.get("response")}), where)
        else:
            yield from self._call(call(found), where)

    def end(self) -> Iterator[Item]:
        """Streamed answers that never came to an end."""
        for stream in self._streams.rest():
            yield from self._streamed(stream)

    def _call(self, found: Call, where: Where) -> Iterator[Item]:
        found.session = where.session or found.session
        session, told = self._conversations.tell(found, where.place)
        usage = found.usage
        if usage is not None:
            if found.id is not None:
                usage = self._meter.of_call(found.id, usage)
            elif not told:
                usage = self._meter.of_session(session, usage)
            elif {item.repeat for item in told if item.answer} == {COPY}:
                usage = None
        yield from given(told, session, where, usage)

    def _chunk(self, record: dict[str, Any], where: Where) -> Iterator[Item]:
        id = look.name(record, "id") or ""
        where = where.of(where.session or look.session(record))
        for at, item in enumerate(look.items(record.get("choices"))):
            choice = look.fields(item)
            index = choice.get("index", at)
            key = (where.session, id, index if isinstance(index, int) else at)
            text = look.content(look.fields(choice.get("delta")).get("content"))
            for stream in self._streams.add(key, text, where):
                yield from self._streamed(stream)
            if choice.get("finish_reason"):
                for stream in self._streams.take(key):
                    yield from self._streamed(stream)
        usage = look.usage(record.get("usage"))
        if usage is not None:
            usage = self._meter.of_call(id, usage) if id else self._meter.of_session(where.session or "", usage)
            yield from given([], where.session or "", where, usage)

    def _streamed(self, stream: Open) -> Iterator[Item]:
        if text := stream.text():
            yield from self._call(Call([], [Message(text, "assistant")]), stream.about)
