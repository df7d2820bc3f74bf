"""What may follow what in a handshake: one table for both sides, and a side that keeps to it.

    initiator   idle -- offer --> offered -- accept --> open -- end --> closed
                                  offered -- learning --> learning -- accept --> open
                                  offered, learning -- reject --> rejected -- offer --> offered

What one side sends the other receives, so the responder's table is the initiator's with both words exchanged. A query
and its answer may come at any time before the end, and change nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from sabir.errors import DecodeError, EncodeError
from sabir.lingua.handshake.checks import LEVELS, check_one
from sabir.lingua.handshake.negotiation import confirm, demand
from sabir.lingua.handshake.reading import read
from sabir.lingua.handshake.steps import SIGNED, Accept, End, Offer, Step
from sabir.lingua.write import encode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sabir.lingua.message import LinguaMessage, Signature

Role = Literal["initiator", "responder"]
State = Literal["idle", "offered", "learning", "rejected", "open", "closed"]
Table = dict[State, dict[str, State]]

_INITIATOR: Final[Table] = {
    "idle":     {"send offer": "offered"},
    "offered":  {"receive accept": "open", "receive learning": "learning", "receive reject": "rejected"},
    "learning": {"receive accept": "open", "receive learning": "learning", "receive reject": "rejected", "send offer": "offered"},
    "rejected": {"send offer": "offered"},
    "open":     {"send end": "closed", "receive end": "closed"},
    "closed":   {},
}  # fmt: skip
_ANY_TIME: Final = ("send query", "receive query", "send capabilities", "receive capabilities")
_OTHER: Final = {"send": "receive", "receive": "send"}


def _exchanged(event: str) -> str:
    word, kind = event.split()
    return f"{_OTHER[word]} {kind}"


def _whole(table: Table) -> Table:
    return {
        state: moves if state == "closed" else moves | dict.fromkeys(_ANY_TIME, state) for state, moves in table.items()
    }


TRANSITIONS: Final[dict[Role, Table]] = {
    "initiator": _whole(_INITIATOR),
    "responder": _whole(
        {state: {_exchanged(event): then for event, then in moves.items()} for state, moves in _INITIATOR.items()}
    ),
}
"""The state after each event, by role and state; an event that is not there may not happen."""


class Side:
    """One side of a handshake. Keeps no keys and no clock.

    Attributes:
        role: who it is: the one that offers, or the one that answers.
        state: where it stands; a key of `TRANSITIONS`.
        offer: the offer that was sent or received last, or None.
        accepted: what was agreed on, once the state is open.
    """

    def __init__(self, role: Role, *, require: str | None = None, versions: Iterable[str] = ()) -> None:
        """Begin.

        Args:
            role: "initiator" or "responder".
            require: the lowest level of security that will do.
            versions: lower versions that this agent speaks, besides those of its offers.

        Raises:
            EncodeError: there is no such role or level.
        """
        check_one(role, "role", tuple(TRANSITIONS))
        if require is not None:
            check_one(require, "require", LEVELS)
        self.role: Role = role
        self.state: State = "idle"
        self.offer: Offer | None = None
        self.accepted: Accept | None = None
        self._require = require
        self._versions = tuple(versions)

    def send(self, step: Step, *, signature: Signature | None = SIGNED) -> LinguaMessage:
        """The message for a step of this side.

        Raises:
            EncodeError: the step may not come now, is incomplete, or ends another session.
            SecurityError: it accepts a lower level than the one required.
        """
        if not isinstance(step, Step):
            raise EncodeError(f"must be a step of the handshake, not {type(step).__name__}")
        then = TRANSITIONS[self.role][self.state].get(f"send {step.kind}")
        if then is None:
            raise EncodeError(self._wrong("send", step))
        if isinstance(step, Accept):
            demand(step.security, self._require, step.note or "this agent chose so")
        if isinstance(step, End) and self._is_other(step):
            raise EncodeError(self._other(step), "session")
        message = step.message(signature)
        self._take(step, then)
        return message

    def receive(self, message: LinguaMessage) -> Step | None:
        """The step that a message of the other side is; None for a message that is no part of the handshake.

        Raises:
            DecodeError: its content is malformed or was not offered, it may not come now, or it ends another session.
            SecurityError: it accepts a lower level than the one required, or with this agent's own key.
        """
        step = read(message)
        if step is None:
            return None
        then = TRANSITIONS[self.role][self.state].get(f"receive {step.kind}")
        if then is None:
            raise DecodeError(self._wrong("receive", step), encode(message), code="decode_failed")
        if isinstance(step, Accept) and self.offer is not None:
            confirm(self.offer, step, require=self._require, versions=self._versions)
        if isinstance(step, End) and self._is_other(step):
            raise DecodeError(self._other(step), encode(message), code="decode_failed")
        self._take(step, then)
        return step

    def _take(self, step: Step, then: State) -> None:
        if isinstance(step, Offer):
            self.offer = step
        if isinstance(step, Accept):
            self.accepted = step
        self.state = then

    def _wrong(self, word: str, step: Step) -> str:
        may = [event.split()[1] for event in TRANSITIONS[self.role][self.state] if event.startswith(word)]
        return f"the {self.role} may not {word} {step.kind} while {self.state}; it may {word}: {', '.join(may) or 'nothing'}"

    def _is_other(self, end: End) -> bool:
        return self.accepted is not None and self.accepted.session not in (None, end.session)

    def _other(self, end: End) -> str:
        return f"this session is {self.accepted.session if self.accepted else None}, not {end.session}"
