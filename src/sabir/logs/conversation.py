"""Which messages of a model's call are new, and which the log has had.

A call sends the whole conversation so far and gets an answer. Conversations are followed as a tree of their messages: what a known
path of it says again is history. Where a request leaves out the beginning (a sliding window, a summary), what stands up to the last
answer that is known is history as far as it is known. What comes after a known path is new, even if the same words stood there before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from sabir.logs.entries import Usage
from sabir.logs.memory import Memory

HISTORY: Final = "resent history"
COPY: Final = "second copy"
SNAPSHOT: Final = "snapshot"
RECEIVED: Final = "received"

_ROLES: Final = {
    "ai": "assistant",
    "model": "assistant",
    "agent": "assistant",
    "human": "user",
    "developer": "system",
    "function": "tool",
    "role_user": "user",
    "role_agent": "assistant",
}


@dataclass(slots=True)
class Message:
    """One text of a call, as a shape finds it."""

    text: str
    role: str | None = None
    sender: str | None = None
    receiver: str | None = None

    def __post_init__(self) -> None:
        if self.role is not None:
            self.role = _ROLES.get(self.role.lower(), self.role)


@dataclass(slots=True)
class Call:
    """What went to a model and what came back."""

    sent: list[Message] = field(default_factory=list)
    answers: list[Message] = field(default_factory=list)
    session: str | None = None
    id: str | None = None
    usage: Usage | None = None
    again: str = COPY
    """The kind of repeat that a second record with the same id holds."""


class Told(NamedTuple):
    """A message and the kind of repeat that it is; None for a new one."""

    message: Message
    repeat: str | None
    answer: bool = False


class _Thread:
    """A conversation: its session and where its newest message stands in the tree."""

    __slots__ = ("head", "session")

    def __init__(self, session: str) -> None:
        self.session = session
        self.head = 0


class _Placed(NamedTuple):
    """A request's thread, how many of its messages are a known path, and from which on all are new."""

    thread: _Thread
    known: int
    fresh: int


def nowhere(_: Message) -> str | None:
    """No repeat outside the conversation."""
    return None


class Conversations:
    """All conversations of a log, told apart by their session or, without one, by how they begin."""

    def __init__(self) -> None:
        self._nodes: Memory[_Thread] = Memory()
        self._texts: Memory[bool] = Memory()
        self._ids: Memory[bool] = Memory()
        self._pairs: Memory[tuple[_Thread, int]] = Memory()
        self._open: Memory[bool] = Memory()
        self._given: Memory[tuple[int, _Thread]] = Memory()
        self._answers: Memory[tuple[int, int]] = Memory()

    def tell(self, call: Call, place: str, elsewhere: Callable[[Message], str | None] = nowhere) -> tuple[str, list[Told]]:
        """Session of a call, and what each of its messages is.

        Args:
            call: the call.
            place: what to call a conversation that begins here, where the log does not name it.
            elsewhere: the kind of repeat that a message is for a reason of the shape's own; asked for new messages alone.
        """
        if call.session is None and not call.sent:
            call.session = ""  # nothing to follow a conversation by
        placed = self._place(call, place)
        thread, session = placed.thread, placed.thread.session
        if call.id is not None and self._ids.first((call.session, call.id), True):  # a mark
            return session, [*self._again(call, session)]
        told = [Told(message, self._sent(message, at, placed, elsewhere)) for at, message in enumerate(call.sent)]
        node = self._follow(call, thread)
        again = bool(call.sent) and not any(item.repeat is None for item in told) and call.id is None
        for message in call.answers:
            told.append(self._answer(call, message, node, thread, elsewhere, again=again))  # noqa: PERF401
        self._remember_end(call, thread, node)
        return session, told

    # --- placing a call in the tree

    def _place(self, call: Call, place: str) -> _Placed:
        root = hash(("root", call.session))
        node, known, thread = root, 0, None
        for message in call.sent:
            node = hash((node, message.role, message.text))
            found = self._nodes.get(node)
            if found is None:
                break
            thread, known, last = found, known + 1, node
        if thread is not None and (known == len(call.sent) or thread.head == last):
            return _Placed(thread, known, known)
        end, other = self._last_known(call, known)
        if call.session is not None:
            return _Placed(_Thread(call.session), known, end)
        if other is not None:
            return _Placed(other, known, end)
        if thread is not None and any(message.role == "assistant" for message in call.sent[:known]):
            return _Placed(_Thread(thread.session), known, known)
        return _Placed(_Thread(place), 0, 0)

    def _last_known(self, call: Call, known: int) -> tuple[int, _Thread | None]:
        """From where on all is new in a request that left the known path, and the conversation it is part of."""
        for at in range(len(call.sent) - 1, known, -1):
            message, before = call.sent[at], call.sent[at - 1]
            if message.role != "assistant":
                continue
            if call.session is None:
                thread, head = self._pairs.get((before.text, message.text)) or (None, 0)
                if thread is not None and thread.head == head:
                    return self._past_asked(call, at + 1, thread.session), thread
            elif self._texts.get((call.session, message.role, message.text)):
                return self._past_asked(call, at + 1, call.session), None
        return known, None

    def _past_asked(self, call: Call, at: int, session: str) -> int:
        """Past what the last request asked, where the log holds no answer to it that would part it from what is new."""
        if self._open.get(session):
            while at < len(call.sent) and self._texts.get((session, call.sent[at].role, call.sent[at].text)):
                at += 1
        return at

    def _sent(self, message: Message, at: int, placed: _Placed, elsewhere: Callable[[Message], str | None]) -> str | None:
        if at < placed.known or (at < placed.fresh and self._texts.get((placed.thread.session, message.role, message.text))):
            return HISTORY
        kind = elsewhere(message)
        if kind is None and message.role in {"user", "tool"}:
            kind = self._received(message, placed.thread)
        return kind

    def _received(self, message: Message, thread: _Thread) -> str | None:
        """Whether the text is another conversation's answer that nobody has received yet."""
        given = self._given.get((thread.session, message.text))
        if given is None or given[0] == 0 or given[1] is thread:
            return None
        self._given.put((thread.session, message.text), (given[0] - 1, given[1]))
        return RECEIVED

    def _follow(self, call: Call, thread: _Thread) -> int:
        """Enter the request into the tree; its end."""
        node = hash(("root", call.session))
        for message in call.sent:
            node = hash((node, message.role, message.text))
            self._nodes.put(node, self._nodes.get(node) or thread)
            self._texts.put((thread.session, message.role, message.text), True)
        return node

    # --- answers

    def _answer(self, call: Call, message: Message, node: int, thread: _Thread, elsewhere: Callable[[Message], str | None], *, again: bool) -> Told:
        end = hash((node, message.role, message.text))
        kind = COPY if again and self._nodes.get(end) is not None else elsewhere(message)
        self._nodes.put(end, thread)
        self._texts.put((thread.session, message.role, message.text), True)
        if kind is None:
            given = self._given.get((thread.session, message.text))
            self._given.put((thread.session, message.text), ((given[0] if given else 0) + 1, thread))
        if call.id is not None and message is call.answers[0]:
            self._answers.put(call.id, (len(message.text), hash(message.text)))
        return Told(message, kind, answer=True)

    def _remember_end(self, call: Call, thread: _Thread, node: int) -> None:
        thread.head = node
        pair = next((at for at in range(len(call.sent) - 1, 0, -1) if call.sent[at].role == "assistant"), 0)
        messages = call.sent[max(pair - 1, 0) : pair + 1]
        if call.answers:
            first = call.answers[0]
            thread.head = hash((node, first.role, first.text))
            messages = [*call.sent[-1:], first]
        if len(messages) == 2:
            self._pairs.put((messages[0].text, messages[1].text), (thread, thread.head))
        if call.answers:
            self._open.forget(thread.session)
        else:
            self._open.put(thread.session, True)

    def _again(self, call: Call, session: str) -> list[Told]:
        """What a call says whose id was there: copies, and an answer that has grown since."""
        told = []
        for message in [*call.sent, *call.answers]:
            key = (session, message.role, message.text)
            seen = self._texts.first(key, True)
            answer = any(message is item for item in call.answers)
            grown = None if seen or not answer else self._grown(call, message)
            if grown:
                told += [Told(grown, SNAPSHOT, answer=True)]
            told.append(Told(message, call.again if seen else None, answer=answer))
        return told

    def _grown(self, call: Call, message: Message) -> Message | None:
        """The part of an answer that an earlier record of the call held; the message keeps the rest."""
        size, mark = self._answers.get(call.id) or (0, 0)
        if not size or hash(message.text[:size]) != mark:
            return None
        old = Message(message.text[:size], message.role, message.sender, message.receiver)
        self._answers.put(call.id, (len(message.text), hash(message.text)))
        message.text = message.text[size:]
        return old
