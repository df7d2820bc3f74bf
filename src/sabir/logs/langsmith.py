"""LangSmith run exports: runs with inputs, outputs, a trace and a parent; as lines, as an array, or under ``runs`` or ``data``.

The model's runs hold the texts. A chain holds what its model runs hold, again: only what a trace's first run says is looked at, for traces
without runs of a model. Prompts, parsers, retrievers and tools hold nothing that a model's run has not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from sabir.logs import look
from sabir.logs.conversation import SNAPSHOT, Call, Conversations, Message
from sabir.logs.entries import Item, Usage
from sabir.logs.giving import Where, given
from sabir.logs.memory import Memory, Meter
from sabir.logs.openai import answers as openai_answers
from sabir.logs.openai import message as openai_message
from sabir.logs.spans import Trees

_MODEL: Final = "llm"
_CHAIN: Final = "chain"
_ASKED: Final = ("input", "question", "query", "prompt")
_ANSWERED: Final = ("output", "answer", "text", "result")


class LangSmith:
    """Reads records of run exports."""

    def __init__(self) -> None:
        self._conversations = Conversations()
        self._meter = Meter()
        self._trees = Trees()
        self._sessions: Memory[str] = Memory()

    def take(self, record: Any, where: Where) -> Iterator[Item]:
        """Texts of a run, or of the runs of an answer to a query.

        Raises:
            Unusable: it is no run.
        """
        found = look.record(record)
        runs = [found] if "run_type" in found else [look.fields(run) for run in look.items(found.get("runs")) or look.items(found.get("data"))]
        if not any("run_type" in run for run in runs) and not ("runs" in found and not runs):
            raise look.Unusable("no run: a run has run_type, inputs and outputs")
        every = [each for run in runs for each in _with_children(run)]
        for run in every:
            self._link(run)
        for run in every:
            yield from self._run(run, where)

    def end(self) -> Iterator[Item]:
        """Nothing waits for more."""
        return iter(())

    def _link(self, run: dict[str, Any]) -> None:
        trace, id = _names(run)
        path = [*map(str, look.items(run.get("parent_run_ids")))]
        parent = look.name(run, "parent_run_id") or (path[-1] if path else None)
        self._trees.link(trace, id, parent)
        for above, below in pairwise(path):
            self._trees.link(trace, below, above)
        # A run's own session_id is the project; the conversation stands in its metadata.
        session = look.session(look.fields(look.fields(run.get("extra")).get("metadata")))
        if session is not None:
            self._sessions.put(trace, session)

    def _run(self, run: dict[str, Any], where: Where) -> Iterator[Item]:
        trace, id = _names(run)
        first = run.get("run_type") == _CHAIN and not run.get("parent_run_id") and not run.get("parent_run_ids")
        if run.get("run_type") != _MODEL and not first:
            return
        inputs, outputs = look.fields(run.get("inputs")), look.fields(run.get("outputs"))
        sent, answers = list(_sent(inputs)), list(_answers(outputs))
        usage = self._usage(run, outputs, f"{trace} {id}")
        usage = self._trees.usage(trace, id, usage)
        if not (sent or answers or usage):
            return
        session = where.session or self._sessions.get(trace) or trace
        call = Call(sent, answers, session, f"{trace} {id}", again=SNAPSHOT)
        session, told = self._conversations.tell(call, where.place, lambda item: self._trees.holds(trace, id, item.text))
        yield from given(told, session, where, usage)

    def _usage(self, run: dict[str, Any], outputs: dict[str, Any], id: str) -> Usage | None:
        stated = look.usage(run) or look.usage(outputs.get("usage_metadata")) or look.usage(outputs.get("usage"))
        stated = stated or look.usage(look.fields(outputs.get("llm_output")).get("token_usage"))
        for generation in _flat(outputs.get("generations")):
            stated = stated or look.usage(_message(look.fields(generation).get("message")).get("usage_metadata"))
        return None if stated is None else self._meter.of_call(id, stated)


def _names(run: dict[str, Any]) -> tuple[str, str]:
    """Trace and id of a run."""
    id = look.name(run, "id", "run_id") or ""
    return look.name(run, "trace_id") or id, id


def _with_children(run: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A run and the runs that it holds."""
    waiting = [run]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += [look.fields(child) for child in reversed(look.items(one.get("child_runs")))]


def _sent(inputs: dict[str, Any]) -> Iterator[Message]:
    found = list(_messages(inputs.get("messages"), "user"))
    found += [Message(prompt, "user") for prompt in look.items(inputs.get("prompts")) if isinstance(prompt, str)]
    yield from found or _first(inputs, _ASKED, "user")


def _answers(outputs: dict[str, Any]) -> Iterator[Message]:
    found = list(openai_answers({"choices": outputs.get("choices")}))
    for generation in _flat(outputs.get("generations")):
        one = look.fields(generation)
        said = list(_messages([one["message"]], "assistant")) if one.get("message") else []
        found += said or [Message(text, "assistant") for text in [look.content(one.get("text"))] if text]
    if not found and "role" in outputs:
        found = list(_messages([outputs], "assistant"))
    found = found or list(_messages(outputs.get("messages"), "assistant"))
    yield from found or _first(outputs, _ANSWERED, "assistant")


def _first(holder: dict[str, Any], names: tuple[str, ...], role: str) -> Iterator[Message]:
    """The first of the members that is text, or a message."""
    for name in names:
        value = holder.get(name)
        if isinstance(value, str) and value:
            yield Message(value, role)
            return
        if isinstance(value, dict) and ("content" in value or "kwargs" in value):
            yield from _messages([value], role)
            return


def _messages(value: Any, role: str) -> Iterator[Message]:
    """Messages as LangChain or OpenAI writes them; LangChain's are a batch, a list of lists."""
    for item in _flat(value):
        one = _message(item)
        if one:
            yield from openai_message({**one, "role": look.name(one, "role", "type") or role, "type": None})


def _message(item: Any) -> dict[str, Any]:
    """Members of a message, which LangChain's serialised form keeps under ``kwargs`` and names by its class, or under ``data``."""
    found = look.fields(item)
    inner = look.fields(found.get("kwargs")) or look.fields(found.get("data"))
    if not inner:
        return found
    path = look.items(found.get("id"))
    kind = str(path[-1]).removesuffix("Chunk").removesuffix("Message").lower() if path else found.get("type")
    return {"type": kind, **inner}


def _flat(value: Any) -> list[Any]:
    """A list of lists as one list."""
    return [inner for item in look.items(value) for inner in (item if isinstance(item, list) else [item])]
