"""Reading the messages of Agent Lingua's handshake. What a later version may add is passed over, the rest is held to the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

from sabir.errors import DecodeError, EncodeError
from sabir.jsontext import dumps, span_of
from sabir.lingua.handshake.checks import DOMAINS, LEVELS, PROTOCOL, SPEC, SUITES
from sabir.lingua.handshake.steps import JSON_NAMES, Accept, Capabilities, End, Learning, Offer, Query, Reject, Step
from sabir.lingua.write import encode

if TYPE_CHECKING:
    from collections.abc import Callable

    from sabir.lingua.message import LinguaMessage

_S = TypeVar("_S", bound=Step)
_KNOWN: Final = {"capabilities": DOMAINS, "security": LEVELS, "crypto": SUITES}


def read(message: LinguaMessage) -> Step | None:
    """What a message says in the handshake; None for a message that is no part of it.

    Raises:
        DecodeError: it is, and its content is malformed; the error's text is the payload's JSON, with the span at fault.
    """
    if message.kind == "request":
        return _request(message)
    if message.kind == "response":
        return _ANSWERS[message.status or ""](message) if message.status in _ANSWERS else None
    return None


def _request(message: LinguaMessage) -> Step | None:
    first = message.requests[0]
    head = first.domain + first.action
    if len(message.requests) > 1:
        if any([request.domain + request.action == "09" for request in message.requests]):
            raise DecodeError("an offer stands alone, not in a compound message", encode(message), code="decode_failed")
        return None
    bare = first.time is None and not first.conditions and first.payload is None
    if head == "09":
        return _offer(message)
    if head == "06" and bare and first.id is None and first.target is not None:
        return Query(first.target)
    if head == "08" and bare and first.target is None and first.id is not None:
        return End(first.id)
    return None


def _offer(message: LinguaMessage) -> Offer:
    payload = message.requests[0].payload
    if payload is None or payload.encoding != "json" or type(payload.value) is not dict:
        raise DecodeError("an offer has an object as its JSON payload", encode(message), code="decode_failed")
    content = _Content(payload.value)
    content.must_be("protocol", PROTOCOL)
    return content.made(
        lambda: Offer(
            content.codes("capabilities"),
            content.codes("security"),
            content.codes("crypto", needed=False),
            content.get("pubkey"),
            content.get("pskHint"),
            content.need("version"),
            content.get("spec", SPEC),
        )
    )


def _done(message: LinguaMessage) -> Accept | Capabilities | None:
    """``^0``: an accept has "accepted", the answer to a query both lists; anything else is no handshake."""
    value = _object(message)
    if value is None:
        return None
    content = _Content(value)
    if "accepted" in value:
        content.must_be("accepted", True)
        return content.made(lambda: _accept(content))
    if type(value.get("capabilities")) is list and type(value.get("security")) is list:
        return content.made(
            lambda: Capabilities(
                content.codes("capabilities"),
                content.codes("security"),
                content.get("version"),
                content.codes("crypto", needed=False),
            )
        )
    return None


def _accept(content: _Content) -> Accept:
    version, level, suite = content.need("version"), content.need("security"), None
    names = ("pubkey", "session", "fingerprint", "note") if level == "E" else ("session", "note")
    if level == "E":
        suite = content.need("crypto")
    rest = {name: content.get(name) for name in names}
    return Accept(version, content.codes("capabilities", needed=False), level, suite, **rest)


def _learning(message: LinguaMessage) -> Learning | None:
    value = _object(message)
    if value is None or "learning" not in value:
        return None
    content = _Content(value)
    content.must_be("accepted", False)
    content.must_be("learning", True)
    return Learning()


def _reject(message: LinguaMessage) -> Reject:
    """``^A``: a rejection, whatever it says."""
    value = _object(message)
    if value is not None:
        content = _Content(value)
        return content.made(lambda: Reject(content.get("reason", "")))
    payload = message.payload
    return Reject(payload.value if payload is not None and payload.encoding in ("text", "raw") else "")


_ANSWERS: Final[dict[str, Callable[[LinguaMessage], Step | None]]] = {"0": _done, "2": _learning, "A": _reject}


def _object(message: LinguaMessage) -> dict[str, Any] | None:
    payload = message.payload
    if payload is None or payload.encoding != "json" or type(payload.value) is not dict:
        return None
    return payload.value


# --- content ---------------------------------------------------------------------------------------------


class _Content:
    """The JSON object of a payload, with errors that point into it. Null is as good as nothing."""

    def __init__(self, value: dict[str, Any]) -> None:
        self.value = value

    def get(self, name: str, default: Any = None) -> Any:
        found = self.value.get(name)
        return default if found is None else found

    def need(self, name: str) -> Any:
        found = self.get(name)
        if found is None:
            self.fail("missing", name)
        return found

    def must_be(self, name: str, wanted: Any) -> None:
        found = self.need(name)
        if found is not wanted and (type(wanted) is not str or found != wanted):
            self.fail(f"must be {dumps(wanted)}", name)

    def codes(self, name: str, *, needed: bool = True) -> tuple[str, ...]:
        """The codes of a list that this version knows, each once; one text is a list of one."""
        found = self.need(name) if needed else self.get(name, [])
        if type(found) is str and name == "crypto":
            found = [found]
        if type(found) is not list:
            self.fail("must be a list of texts", name)
        for at, code in enumerate(found):
            if type(code) is not str or not code:
                self.fail("must be a text, and not empty", name, at)
        return tuple(dict.fromkeys([code for code in found if code in _KNOWN[name]]))

    def made(self, make: Callable[[], _S]) -> _S:
        """What ``make`` gives; what its constructor refuses is malformed content."""
        try:
            return make()
        except EncodeError as error:
            self.fail(error.reason, JSON_NAMES.get(error.path, error.path))

    def fail(self, reason: str, *path: str | int) -> NoReturn:
        text = dumps(self.value)
        where = "".join([f"[{step}]" if isinstance(step, int) else step for step in path])
        raise DecodeError(f"{where}: {reason}", text, span_of(text, path), code="decode_failed")
