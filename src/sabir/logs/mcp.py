"""MCP: tool calls and their results, prompts, resources, sampling, as JSON-RPC.

A result often holds its payload twice, as text for the model and as structured content; the second is a copy. What only describes
(tool lists, schemas, log notifications) is no message.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sabir.jsontext import dumps
from sabir.logs import look, rpc
from sabir.logs.conversation import COPY, Message, Told
from sabir.logs.entries import Item
from sabir.logs.giving import Where, given
from sabir.logs.memory import Memory

_PAYLOAD: Final = "silp_payload"
_ENCODING: Final = "silp_encoding"
"""SILP's two fields beside a tool's own parameters; the payload is a message of its own."""


class Mcp:
    """Reads records of MCP traffic."""

    def __init__(self) -> None:
        self._seen: Memory[int] = Memory()
        self._tools: Memory[str] = Memory()
        self._connections: Memory[tuple[int, bool]] = Memory()
        """By session: how many connections were opened, and whether the newest one has been used."""

    def take(self, record: Any, where: Where) -> Iterator[Item]:
        """Texts of a record.

        Raises:
            Unusable: there is no JSON-RPC in it.
        """
        found = look.record(record)
        session = where.session or rpc.session_of(found) or ""
        calls = list(rpc.calls(found))
        if not calls:
            raise look.Unusable("no JSON-RPC in this record")
        for call in calls:
            told = list(self._request(call, session) if "method" in call else self._result(call, session))
            yield from given(self._once(call, session, told), session, where)

    def end(self) -> Iterator[Item]:
        """Nothing waits for more."""
        return iter(())

    def _request(self, call: dict[str, Any], session: str) -> Iterator[Told]:
        params = look.fields(call.get("params"))
        method = call["method"]
        opened, used = self._connections.get(session) or (0, False)
        if method == "initialize":
            # Its copy in the other side's log comes before anything else; ids begin anew after it.
            self._connections.put(session, (opened + used, False))
            return
        self._connections.put(session, (opened, True))
        if method == "tools/call":
            tool = look.name(params, "name")
            if (id := rpc.id_of(call)) is not None and tool is not None:
                self._tools.put((session, opened, id), tool)
            yield from _arguments(params.get("arguments"), tool)
        elif method == "sampling/createMessage":
            if system := look.content(params.get("systemPrompt")):
                yield Told(Message(system, "system"), None)
            for item in look.items(params.get("messages")):
                yield from _blocks([look.fields(item).get("content")], look.name(look.fields(item), "role"))

    def _result(self, call: dict[str, Any], session: str) -> Iterator[Told]:
        result = look.fields(call.get("result"))
        opened = self._opened(session)
        tool = self._tools.get((session, opened, rpc.id_of(call)))
        if "content" in result:
            yield from _result(result, tool)
        for item in look.items(result.get("messages")):
            yield from _blocks([look.fields(item).get("content")], look.name(look.fields(item), "role"))
        for item in look.items(result.get("contents")):
            if text := look.fields(item).get("text"):
                yield Told(Message(look.written(text), "tool"), None)

    def _opened(self, session: str) -> int:
        return (self._connections.get(session) or (0, False))[0]

    def _once(self, call: dict[str, Any], session: str, told: list[Told]) -> Iterator[Told]:
        """All as copies if the log of the other side had this very call: same id, same texts."""
        id = rpc.id_of(call)
        mark = hash(tuple(item.message.text for item in told))
        again = False
        if id is not None and told:
            again = self._seen.first((session, self._opened(session), id, "method" in call, mark), 1) is not None
        for item in told:
            yield item._replace(repeat=COPY) if again else item


def _arguments(arguments: Any, tool: str | None) -> Iterator[Told]:
    """A tool's arguments as compact JSON; a payload beside them first."""
    found = look.fields(arguments)
    if isinstance(found.get(_PAYLOAD), str) and _ENCODING in found:
        yield Told(Message(found[_PAYLOAD], "assistant", receiver=tool), None)
        found = {name: value for name, value in found.items() if name not in {_PAYLOAD, _ENCODING}}
    if found:
        yield Told(Message(dumps(found), "assistant", receiver=tool), None)


def _result(result: dict[str, Any], tool: str | None) -> Iterator[Told]:
    """Texts of a result, then its structured content: a copy, if the texts say all of it or it holds all of them."""
    texts = [text for item in _listed(result["content"]) if (text := _text(item))]
    for text in texts:
        yield Told(Message(text, "tool", sender=tool), None)
    data = result.get("structuredContent")
    if data is not None:
        copy = bool(texts) and (look.copied("".join(texts), data) or all(look.copied(text, data) for text in texts))
        yield Told(Message(dumps(data), "tool", sender=tool), COPY if copy else None)


def _blocks(content: list[Any], role: str | None) -> Iterator[Told]:
    for block in content:
        for item in _listed(block):
            if text := _text(item):
                yield Told(Message(text, role), None)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _text(block: Any) -> str:
    """Text of a content block: its own, or that of a resource it embeds."""
    found = look.fields(block)
    if found.get("type") == "resource":
        found = look.fields(found.get("resource"))
    text = found.get("text")
    return text if isinstance(text, str) else ""
