"""SILP's intermediate representation, the interlingua of every translation (draft, section 3).

The root is closed, its parts are open: extra fields hold any JSON value and are kept. In Python an optional field
that is absent is None, and None is taken for absent, since models that fill in a structured output write null there;
the ``silp-ir`` decoder and `sabir.from_json` hold to the normative schema, which knows no null.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Final, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, StrictFloat, StrictInt, StrictStr

from sabir.errors import EncodeError
from sabir.jsontext import check_int, check_value

VERSION: Final = "v1"
"""The SILP version this library speaks."""
IR_VERSION: Final = "ir-v0.1"
NO_REQ_ID: Final = "00000000"
"""Stands where a request id is still to be derived from a text."""


def new_req_id() -> str:
    """A random request id of 8 hex digits, the production default (section 3.6). It is no security token."""
    return secrets.token_hex(4)


def _carriable(value: JsonValue) -> JsonValue:
    try:
        check_value(value)
    except EncodeError as error:
        raise ValueError(str(error)) from None
    return value


def _whole(value: Any) -> Any:
    """JSON Schema calls 2.0 an integer; a JSON boolean is none."""
    return int(value) if type(value) is float and value.is_integer() else value


def _short(value: int) -> int:
    try:
        check_int(value, "")
    except EncodeError as error:
        raise ValueError(error.reason) from None
    return value


Extra = Annotated[JsonValue, AfterValidator(_carriable)]
ActionCode = Annotated[StrictStr, Field(pattern=r"^![A-Z][A-Z_]*$")]
_Confidence = Annotated[StrictFloat, Field(ge=0, le=1)]
_Priority = Annotated[StrictInt, BeforeValidator(_whole), AfterValidator(_short)]


class _Open(BaseModel):
    """A part that keeps extra fields. The schema that SDKs read is closed: a model has no need to invent fields."""

    model_config = ConfigDict(
        extra="allow",
        validate_assignment=True,
        revalidate_instances="never",
        protected_namespaces=(),
        json_schema_extra={"additionalProperties": False},
    )
    __pydantic_extra__: dict[str, Extra]


class Entity(_Open):
    """An argument of the primary action or, where ``action`` differs from the intent, of a secondary one (3.2)."""

    id: StrictStr = Field(description="Name of the slot; 'act' is a positional argument, 'time' a time reference.")
    value: StrictStr = Field(description="The argument itself, always text.")
    action: ActionCode | None = Field(
        default=None, description="Action code that this is an argument of, such as !EMAIL; absent means the intent."
    )


class Constraint(_Open):
    """A condition on the task (3.3); extra fields ``subject`` and ``operator`` are usual."""

    type: StrictStr = Field(description="What is tested, such as 'budget'; a leading ! negates, as in '!rain'.")
    value: StrictStr = Field(description="What it is tested against; 'true' for a plain condition.")
    time: StrictStr | None = Field(default=None, description="When it is tested, such as 't+1am'.")


class Alternative(_Open):
    """An action to take when the constraints are not met (3.4)."""

    action: ActionCode = Field(description="Action code of the fallback, such as !ROUTE.")
    target: StrictStr | None = Field(default=None, description="What the fallback acts on.")
    location: StrictStr | None = Field(default=None, description="Where the fallback takes place.")


class Meta(_Open):
    """Metadata of the protocol (3.5)."""

    req_id: Annotated[StrictStr, Field(pattern=r"^[a-f0-9]{4,8}$")] = Field(
        description="4 to 8 lower-case hex digits that correlate a request with its answer."
    )
    session_id: StrictStr | None = Field(default=None, description="Session that the message belongs to.")
    priority: _Priority = Field(default=0, description="Priority, a whole number; 0 where none is stated.")
    confidence: _Confidence = Field(default=1.0, description="How sure the sender is, from 0 to 1.")
    seq: list[StrictStr] = Field(default=[], description="Action codes in the strict order in which to run them.")
    out: StrictStr = Field(default="natural", description="Form in which the answer is wanted.")
    next_agent: StrictStr | None = Field(default=None, description="Agent that the message is for.")


class SilpIR(BaseModel):
    """One agent message: an action with its arguments, conditions and fallbacks (SILP draft, section 3.1).

    Raises:
        pydantic.ValidationError: from the constructor and ``model_validate``, as LLM SDKs expect of a model.
    """

    model_config = ConfigDict(
        extra="forbid", validate_assignment=True, revalidate_instances="never", protected_namespaces=()
    )

    silp: Annotated[StrictStr, Field(pattern=r"^v[0-9]+$")] = Field(default=VERSION, description="SILP version.")
    version: StrictStr = Field(default=IR_VERSION, description="Version of this representation.")
    intent: ActionCode = Field(description="Primary action code: ! and an upper-case verb, such as !CANCEL.")
    entities: list[Entity] = Field(default=[], description="Arguments, in order.")
    constraints: list[Constraint] = Field(default=[], description="Conditions that must all hold.")
    alternatives: list[Alternative] = Field(default=[], description="What to do where they do not hold.")
    meta: Meta = Field(description="Correlation, routing and priority.")


# --- building without validation, for decoders that have checked their text --------------------------------

_META: Final[dict[str, Any]] = {
    "session_id": None,
    "priority": 0,
    "confidence": 1.0,
    "seq": [],
    "out": "natural",
    "next_agent": None,
}
_set = object.__setattr__
_Part = TypeVar("_Part", bound=_Open)


def entity(id: str, value: str, action: str | None = None, extra: dict[str, Any] | None = None) -> Entity:
    """An `Entity` of values that are known to be valid."""
    return _made(Entity, {"id": id, "value": value, "action": action}, extra)


def constraint(type: str, value: str, time: str | None = None, extra: dict[str, Any] | None = None) -> Constraint:
    """A `Constraint` of values that are known to be valid."""
    return _made(Constraint, {"type": type, "value": value, "time": time}, extra)


def alternative(action: str, target: str | None = None, location: str | None = None) -> Alternative:
    """An `Alternative` of values that are known to be valid."""
    return _made(Alternative, {"action": action, "target": target, "location": location}, None)


def root(
    intent: str,
    entities: list[Entity],
    constraints: list[Constraint],
    alternatives: list[Alternative],
    req_id: str = NO_REQ_ID,
    extra: dict[str, Any] | None = None,
    **meta: Any,
) -> SilpIR:
    """A `SilpIR` of values that are known to be valid; ``meta`` are fields of `Meta`, ``extra`` its extra fields."""
    made = SilpIR.__new__(SilpIR)
    values = {
        "silp": VERSION,
        "version": IR_VERSION,
        "intent": intent,
        "entities": entities,
        "constraints": constraints,
        "alternatives": alternatives,
        "meta": _made(Meta, {"req_id": req_id, **_META, "seq": [], **meta}, extra),
    }
    _set(made, "__dict__", values)
    _set(made, "__pydantic_fields_set__", set(values))
    _set(made, "__pydantic_extra__", None)
    _set(made, "__pydantic_private__", None)
    return made


def _made(kind: type[_Part], values: dict[str, Any], extra: dict[str, Any] | None) -> _Part:
    made = kind.__new__(kind)
    _set(made, "__dict__", values)
    _set(made, "__pydantic_fields_set__", set(values))
    _set(made, "__pydantic_extra__", extra or {})
    _set(made, "__pydantic_private__", None)
    return made
