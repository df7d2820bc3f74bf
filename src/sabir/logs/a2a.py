"""A2A 1.0, 0.3 and 0.2: messages, tasks and updates, as JSON-RPC or as REST bodies.

A task gives its messages again in ``history`` and its artifacts with each look at it; artifacts may come in pieces. The text parts of one
message are one text, joined with nothing between.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from sabir.jsontext import dumps
from sabir.logs import look, rpc
from sabir.logs.chunks import Open, Pieces
from sabir.logs.conversation import COPY, SNAPSHOT, Message, Told
from sabir.logs.entries import Item
from sabir.logs.giving import Where, given
from sabir.logs.memory import Memory

_ECHO: Final = "history"
_MEMBERS: Final = ("message", "task", "statusUpdate", "artifactUpdate", "status-update", "artifact-update")
MAX_WAITING: Final = 1000
"""Requests that wait for their response to tell them their session; of more, the first goes without."""


class _Waiting(NamedTuple):
    message: dict[str, Any]
    where: Where


class A2a:
    """Reads records of A2A traffic."""

    def __init__(self) -> None:
        self._ids: Memory[int] = Memory()
        self._texts: Memory[str] = Memory()
        self._sessions: Memory[str] = Memory()
        self._pieces = Pieces()
        self._waiting: dict[str, _Waiting] = {}

    def take(self, record: Any, where: Where) -> Iterator[Item]:
        """Texts of a record.

        Raises:
            Unusable: there is neither JSON-RPC nor a message, a task or an update in it.
        """
        found = look.record(record)
        where = where.of(where.session or rpc.session_of(found))
        calls = list(rpc.calls(found))
        for call in calls:
            if "method" in call:
                yield from self._request(look.fields(call.get("params")), rpc.id_of(call), where)
            else:
                yield from self._response(look.fields(call.get("result")), rpc.id_of(call), where)
        if not calls:
            if not any(name in found for name in (*_MEMBERS, "parts", "artifacts", "history")) and "kind" not in found:
                raise look.Unusable("no JSON-RPC in this record, and no message, task or update")
            yield from self._response(found, None, where)

    def end(self) -> Iterator[Item]:
        """Requests that nobody answered, and artifacts that never came to an end."""
        for id in list(self._waiting):
            yield from self._go(id, None)
        for piece in self._pieces.rest():
            yield from self._artifact_done(piece)

    # --- requests

    def _request(self, params: dict[str, Any], id: str | None, where: Where) -> Iterator[Item]:
        message = look.fields(params.get("message"))
        if not message:
            return
        if id is None or where.session or self._session(message):
            yield from self._message(message, where)
            return
        yield from self._go(id, None)  # an older one of the same id
        self._waiting[id] = _Waiting(message, where)
        if len(self._waiting) > MAX_WAITING:
            yield from self._go(next(iter(self._waiting)), None)

    def _go(self, id: str | None, session: str | None) -> Iterator[Item]:
        """A request that waited, with the session its response named."""
        waiting = self._waiting.pop(id, None) if id is not None else None
        if waiting is not None:
            yield from self._message(waiting.message, waiting.where.of(session))

    # --- responses

    def _response(self, result: dict[str, Any], id: str | None, where: Where) -> Iterator[Item]:
        members = [(name, value) for name in _MEMBERS if (value := look.fields(result.get(name))) and (name != "message" or "parts" in value)]
        if not members:
            members = [(_kind(result), result)] if result else []
        for task in look.items(result.get("tasks")):
            members.append(("task", look.fields(task)))
        for _, value in members:
            yield from self._go(id, where.session or self._session(value))
        yield from self._go(id, None) if not members else ()
        for name, value in members:
            yield from self._member(name, value, where)

    def _member(self, name: str, value: dict[str, Any], where: Where) -> Iterator[Item]:
        if name == "message":
            yield from self._message(value, where)
        elif name == "task":
            yield from self._task(value, where)
        elif name.startswith("status"):
            yield from self._status(value, look.name(value, "taskId") or "", where)
        elif name.startswith("artifact"):
            yield from self._update(value, where)

    def _task(self, task: dict[str, Any], where: Where) -> Iterator[Item]:
        id = look.name(task, "id") or ""
        where = where.of(where.session or self._session(task))
        yield from self._finish(id)
        for item in look.items(task.get("history")):
            yield from self._message(look.fields(item), where, id, echo=_ECHO)
        yield from self._status(task, id, where)
        for item in look.items(task.get("artifacts")):
            artifact = look.fields(item)
            yield from self._artifact(_texts(artifact.get("parts")), look.name(artifact, "artifactId") or "", id, where)

    def _status(self, holder: dict[str, Any], task: str, where: Where) -> Iterator[Item]:
        where = where.of(where.session or self._session(holder))
        status = look.fields(holder.get("status"))
        message = look.fields(status.get("message"))
        if message:
            yield from self._message(message, where, task, echo=SNAPSHOT)
        state = (look.name(status, "state") or "").lower().removeprefix("task_state_")
        if holder.get("final") is True or state in {"completed", "failed", "canceled", "rejected"}:
            yield from self._finish(task)

    def _update(self, update: dict[str, Any], where: Where) -> Iterator[Item]:
        where = where.of(where.session or self._session(update))
        task, artifact = look.name(update, "taskId") or "", look.fields(update.get("artifact"))
        id = look.name(artifact, "artifactId") or ""
        texts = _texts(artifact.get("parts"))
        if update.get("append") is not True:
            for piece in self._pieces.take((task, id)):
                yield from self._artifact_done(piece)
        for piece in self._pieces.add((task, id), texts[0] if texts else "", (task, id, where)):
            yield from self._artifact_done(piece)
        if texts[1:]:
            yield from self._artifact(["", *texts[1:]], id, task, where)
        if update.get("lastChunk") is True:
            for piece in self._pieces.take((task, id)):
                yield from self._artifact_done(piece)

    def _finish(self, task: str) -> Iterator[Item]:
        """Artifacts of a task that are complete with it."""
        for piece in self._pieces.take_all(task):
            yield from self._artifact_done(piece)

    def _artifact_done(self, piece: Open) -> Iterator[Item]:
        task, id, where = piece.about
        yield from self._artifact([piece.text()], id, task, where)

    # --- texts

    def _artifact(self, texts: list[str], id: str, task: str, where: Where) -> Iterator[Item]:
        """Texts of an artifact; a copy, if a message of its task said the same."""
        session = where.session or ""
        for at, text in enumerate(texts):
            kind = None
            if self._ids.first(("artifact", task, id, at, text), 1):
                kind = SNAPSHOT
            elif self._texts.first((session, task, "assistant", text), "artifact") == "message":
                kind = COPY
            yield from given([Told(Message(text, "assistant"), kind)], session, where)

    def _message(self, message: dict[str, Any], where: Where, task: str = "", echo: str | None = None) -> Iterator[Item]:
        """Texts of a message. ``echo``: the kind of repeat that it is where its task gives it again."""
        session = where.session or self._session(message) or ""
        id, task = look.name(message, "messageId", "message_id"), look.name(message, "taskId", "task_id") or task
        for at, text in enumerate(_texts(message.get("parts"))):
            found = Message(text, look.name(message, "role"))
            kind = None
            if id is not None and self._ids.first(("message", id, at, text), 1):
                kind = echo or COPY
            elif echo and (found.role == "user" or id is None) and self._texts.get((session, "", found.role, text)):
                kind = echo
            elif found.role == "assistant" and self._texts.first((session, task, found.role, text), "message") == "artifact":
                kind = COPY
            self._texts.put((session, "", found.role, text), "message")
            if at and kind is None and look.copied(_texts(message.get("parts"))[0], look.parsed(text)):
                kind = COPY
            yield from given([Told(found, kind)], session, where)

    def _session(self, holder: dict[str, Any]) -> str | None:
        """Context of a message, task or update; that of its task, where it names the task alone."""
        context = look.name(holder, "contextId", "context_id", "sessionId")
        task = look.name(holder, "taskId", "task_id") or (look.name(holder, "id") if "status" in holder else None)
        if context is None:
            return (self._sessions.get(task) or task) if task is not None else None
        if task is not None:
            self._sessions.put(task, context)
        return context


def _kind(result: dict[str, Any]) -> str:
    """What a result is that no member names: by its ``kind`` in 0.3, else by what it has."""
    kind = look.name(result, "kind")
    if kind is not None:
        return kind
    if "parts" in result:
        return "message"
    if "artifact" in result:
        return "artifactUpdate"
    if "status" in result or "history" in result or "artifacts" in result:
        return "task" if "id" in result else "statusUpdate"
    return ""


def _texts(parts: Any) -> list[str]:
    """The text parts as one text, then each data part as compact JSON."""
    found = [look.fields(part) for part in look.items(parts)]
    text = "".join(part["text"] for part in found if isinstance(part.get("text"), str))
    data = [dumps(part["data"]) for part in found if isinstance(part.get("data"), (dict, list))]
    return [text, *data]
