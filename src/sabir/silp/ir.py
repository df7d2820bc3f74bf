"""SILP's intermediate representation, the interlingua of every translation (draft, section 3).

The root is closed, its parts are open: extra fields hold any JSON value and are kept. In Python an optional
field that is absent is None, and None is taken for absent, since models that fill in structured output write
null there; the ``silp-ir`` decoder and `sabir.from_json` hold to the normative schema, which knows no null.

``SilpIR.model_json_schema()`` is for such models, so it is stricter than the classes: closed, every field
required and described, null where a field is optional, no defaults. The docstrings and descriptions of the
classes are written for them. Constructors raise `pydantic.ValidationError`, as LLM SDKs expect of a model.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Annotated, Any, Final, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    JsonValue,
    StrictFloat,
    StrictInt,
    StrictStr,
    model_validator,
)

from sabir.errors import EncodeError
from sabir.jsontext import check_int, check_text, check_value

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

VERSION: Final = "v1"
"""The SILP version this library speaks."""
IR_VERSION: Final = "ir-v0.1"
NO_REQ_ID: Final = "00000000"
"""Stands where a request id is still to be derived from a text."""


def new_req_id() -> str:
    """A random request id of 8 hex digits, the production default (section 3.6). It is no security token."""
    return secrets.token_hex(4)


def _text(value: str) -> str:
    try:
        check_text(value, "")
    except EncodeError as error:
        raise ValueError(error.reason) from None
    return value


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


def _null_is(default: Any) -> BeforeValidator:
    """A field in which null means its default."""
    return BeforeValidator(lambda value: _fresh(default) if value is None else value)


def _fresh(default: Any) -> Any:
    return list(default) if type(default) is list else default


Extra = Annotated[JsonValue, AfterValidator(_carriable)]
Text = Annotated[StrictStr, AfterValidator(_text)]
ActionCode = Annotated[StrictStr, Field(pattern=r"^![A-Z][A-Z_]*$")]
_Confidence = Annotated[StrictFloat, Field(ge=0, le=1), _null_is(1.0)]
_Priority = Annotated[StrictInt, BeforeValidator(_whole), AfterValidator(_short), _null_is(0)]


_new = object.__new__
# Setters of the four slots of a pydantic instance, a third faster than object.__setattr__.
_set_values, _set_names, _set_extra, _set_private = (
    BaseModel.__dict__[name].__set__
    for name in ("__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
)


class _Part(BaseModel):
    """What root and parts have in common: the schema that they show to a model."""

    if not TYPE_CHECKING:  # pragma: no branch  # a type checker should keep to the fields

        def __setattr__(self, name: str, value: Any) -> None:
            # What was built without validation shares its set of names with others until it is changed.
            _set_names(self, {*self.__pydantic_fields_set__})
            super().__setattr__(name, value)

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        shown = handler.resolve_ref_schema(handler(core))
        fields: dict[str, Any] = shown["properties"]
        fields.update({name: {"type": "string", "description": text} for name, text in cls._usual().items()})
        for name in fields.keys() - set(shown["required"]):
            fields[name] = _nullable(fields[name])
        shown["required"] = list(fields)
        shown["additionalProperties"] = False
        return shown

    @classmethod
    def _usual(cls) -> dict[str, str]:
        """Extra fields that a model is offered, with their descriptions."""
        return {}


def _nullable(field: dict[str, Any]) -> dict[str, Any]:
    """Schema of an optional field in a structured output: required, null where it is absent."""
    kept = {name: field[name] for name in ("title", "description") if name in field}
    plain = {name: value for name, value in field.items() if name not in kept and name != "default"}
    return kept | (plain if "anyOf" in plain else {"anyOf": [plain, {"type": "null"}]})


class _Open(_Part):
    """A part that keeps extra fields."""

    model_config = ConfigDict(
        extra="allow", validate_assignment=True, revalidate_instances="never", protected_namespaces=()
    )
    if TYPE_CHECKING:  # no argument of the constructor; a value at run time would hide the slot of that name
        __pydantic_extra__: dict[str, Extra] = Field(init=False)
    else:
        __pydantic_extra__: dict[str, Extra]


class Entity(_Open):
    """An argument of the primary action or, where its action differs from the intent, of a secondary one."""

    id: Text = Field(description="Name of the slot: 'act' for a positional argument, 'time' for a time.")
    value: Text = Field(description="The argument itself, always text.")
    action: ActionCode | None = Field(
        default=None, description="Code of the action it is an argument of, such as !EMAIL; absent: the intent."
    )


class Constraint(_Open):
    """A condition on the task."""

    type: Text = Field(description="What is tested, such as 'budget'; a leading ! negates: '!rain'.")
    value: Text = Field(description="What it is tested against; 'true' for a plain condition.")
    time: Text | None = Field(default=None, description="When it is tested, such as 't+1am'.")

    @classmethod
    def _usual(cls) -> dict[str, str]:
        return {
            "subject": "Who or what the condition is about, such as 'me'.",
            "operator": "How it is compared: one of == != < <= > >=; absent for a plain condition.",
        }

    @model_validator(mode="after")
    def _null_is_absent(self) -> Self:
        for name in self._usual():
            if self.__pydantic_extra__.get(name, self) is None:
                del self.__pydantic_extra__[name]
        return self


class Alternative(_Open):
    """An action to take when the constraints are not met."""

    action: ActionCode = Field(description="Action code of the fallback, such as !ROUTE.")
    target: Text | None = Field(default=None, description="What the fallback acts on.")
    location: Text | None = Field(default=None, description="Where the fallback takes place.")


class Meta(_Open):
    """What correlates, routes and ranks the message."""

    req_id: Annotated[StrictStr, Field(pattern=r"^[a-f0-9]{4,8}$")] = Field(
        description="8 lower-case hex digits (4 at the least) that correlate a request with its answer."
    )
    session_id: Text | None = Field(default=None, description="Session that the message belongs to.")
    priority: _Priority = Field(default=0, description="Priority, a whole number; 0 where none is stated.")
    confidence: _Confidence = Field(default=1.0, description="How sure the sender is, from 0 to 1.")
    seq: Annotated[list[Text], _null_is([])] = Field(
        default=[], description="Action codes in the strict order in which to run them."
    )
    out: Annotated[Text, _null_is("natural")] = Field(
        default="natural", description="Form in which the answer is wanted: natural, code or json."
    )
    next_agent: Text | None = Field(default=None, description="Agent that the message is for.")


class SilpIR(_Part):
    """One message to an agent: an action, its arguments, the conditions on it and what to do where they fail."""

    model_config = ConfigDict(
        extra="forbid", validate_assignment=True, revalidate_instances="never", protected_namespaces=()
    )

    silp: Annotated[StrictStr, Field(pattern=r"^v[0-9]+$"), _null_is(VERSION)] = Field(
        default=VERSION, description="SILP version: v1."
    )
    version: Annotated[Text, _null_is(IR_VERSION)] = Field(
        default=IR_VERSION, description="Version of this representation: ir-v0.1."
    )
    intent: ActionCode = Field(description="Primary action code: ! and an upper-case verb, such as !CANCEL.")
    entities: Annotated[list[Entity], _null_is([])] = Field(default=[], description="Arguments, in order.")
    constraints: Annotated[list[Constraint], _null_is([])] = Field(
        default=[], description="Conditions that must all hold."
    )
    alternatives: Annotated[list[Alternative], _null_is([])] = Field(
        default=[], description="What to do where they do not hold."
    )
    meta: Meta = Field(description="Correlation, routing and priority.")


# --- building without validation, for decoders that have checked their text --------------------------------

# Each function repeats the four setters, since a function that they shared would cost as much as two of them.
_ENTITY, _CONSTRAINT, _ALTERNATIVE, _META, _ROOT = (
    {*kind.model_fields} for kind in (Entity, Constraint, Alternative, Meta, SilpIR)
)
# Copying a dict and setting some of it is cheaper than writing it out.
_META_VALUES: Final[dict[str, Any]] = {name: field.default for name, field in Meta.model_fields.items()}
_ROOT_VALUES: Final[dict[str, Any]] = {name: field.default for name, field in SilpIR.model_fields.items()}


def entity(id: str, value: str, action: str | None = None, extra: dict[str, Any] | None = None) -> Entity:
    """An `Entity` of values that are known to be valid; it takes ``extra`` over."""
    made = _new(Entity)
    values = made.__dict__
    values["id"] = id
    values["value"] = value
    values["action"] = action
    _set_names(made, _ENTITY)
    _set_extra(made, {} if extra is None else extra)
    _set_private(made, None)
    return made


def constraint(
    type: str, value: str, time: str | None = None, extra: dict[str, Any] | None = None
) -> Constraint:
    """A `Constraint` of values that are known to be valid; it takes ``extra`` over."""
    made = _new(Constraint)
    values = made.__dict__
    values["type"] = type
    values["value"] = value
    values["time"] = time
    _set_names(made, _CONSTRAINT)
    _set_extra(made, {} if extra is None else extra)
    _set_private(made, None)
    return made


def alternative(
    action: str, target: str | None = None, location: str | None = None, extra: dict[str, Any] | None = None
) -> Alternative:
    """An `Alternative` of values that are known to be valid; it takes ``extra`` over."""
    made = _new(Alternative)
    values = made.__dict__
    values["action"] = action
    values["target"] = target
    values["location"] = location
    _set_names(made, _ALTERNATIVE)
    _set_extra(made, {} if extra is None else extra)
    _set_private(made, None)
    return made


def root(  # noqa: PLR0917  # as many fields as the protocol
    intent: str,
    entities: list[Entity],
    constraints: list[Constraint],
    alternatives: list[Alternative],
    req_id: str = NO_REQ_ID,
    extra: dict[str, Any] | None = None,
    **meta: Any,
) -> SilpIR:
    """A `SilpIR` of values that are known to be valid; ``meta`` are fields of `Meta`, ``extra`` its extras."""
    about = _new(Meta)
    values = _META_VALUES.copy()
    values["req_id"] = req_id
    values["seq"] = []
    if meta:
        values.update(meta)
    _set_values(about, values)
    _set_names(about, _META)
    _set_extra(about, {} if extra is None else extra)
    _set_private(about, None)
    made = _new(SilpIR)
    values = _ROOT_VALUES.copy()
    values["intent"] = intent
    values["entities"] = entities
    values["constraints"] = constraints
    values["alternatives"] = alternatives
    values["meta"] = about
    _set_values(made, values)
    _set_names(made, _ROOT)
    _set_extra(made, None)
    _set_private(made, None)
    return made
