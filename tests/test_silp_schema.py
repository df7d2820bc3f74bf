"""The normative schema (draft, section 3.9) and the schema of the class, as a structured-output type."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # has no types

from sabir.errors import DecodeError, EncodeError, UnsupportedVersion
from sabir.silp import SilpIR, equivalent, schema
from sabir.silp.ir_json import ir_from_json, read_ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CODE = {"type": "string", "pattern": "^![A-Z][A-Z_]*$"}
TEXT = {"type": "string"}


def part(required: list[str], **properties: Any) -> dict[str, Any]:
    """An array of open objects."""
    item = {"type": "object", "additionalProperties": True, "required": required, "properties": properties}
    return {"type": "array", "items": item}


NORMATIVE = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "https://github.com/Juwan-Hwang/polyglotir",
    "title": "SILP IR",
    "type": "object",
    "additionalProperties": False,
    "required": ["intent", "meta"],
    "properties": {
        "silp": {"type": "string", "pattern": "^v\\d+$", "default": "v1"},
        "version": {"type": "string", "default": "ir-v0.1"},
        "intent": CODE,
        "entities": part(["id", "value"], id=TEXT, value=TEXT, action=CODE),
        "constraints": part(["type", "value"], type=TEXT, value=TEXT, time=TEXT),
        "alternatives": part(["action"], action=CODE, target=TEXT, location=TEXT),
        "meta": {
            "type": "object",
            "additionalProperties": True,
            "required": ["req_id"],
            "properties": {
                "req_id": {"type": "string", "pattern": "^[a-f0-9]{4,8}$"},
                "session_id": TEXT,
                "priority": {"type": "integer", "default": 0},
                "confidence": {"type": "number", "minimum": 0, "maximum": 1, "default": 1.0},
                "seq": {"type": "array", "items": TEXT},
                "out": {"type": "string", "default": "natural"},
                "next_agent": TEXT,
            },
        },
    },
}
"""The schema as the draft prints it."""


# --- the published file ----------------------------------------------------------------------------------


def test_the_file_is_a_schema_and_differs_only_in_notes() -> None:
    """Without descriptions and the defaults of lists, it is the draft's own, keyword for keyword."""
    Draft202012Validator.check_schema(schema())

    def bare(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        kept = {name: bare(item) for name, item in value.items() if name != "description"}
        return {name: item for name, item in kept.items() if (name, item) != ("default", [])}

    assert bare(schema()) == NORMATIVE
    assert schema() is not schema()


def test_every_field_is_described() -> None:
    """A reader of the file needs no other page."""
    found = schema()
    lists = [found["properties"][name]["items"] for name in ("entities", "constraints", "alternatives")]
    for owner in (found, found["properties"]["meta"], *lists):
        assert owner["description"]
        assert all(field["description"].endswith(".") for field in owner["properties"].values())


def test_the_normative_schema_is_the_drafts() -> None:
    """The schema written by hand above is the one cut out of the draft's text."""
    drafts = Path(__file__).parents[2] / "shared" / "seeds"
    found = sorted(drafts.glob("000_*.txt"))
    if not found:
        pytest.skip("the draft's text is not at hand")
    text = found[0].read_text("utf-8")
    start = text.index("{", text.index('file "silp-ir-schema.json"'))
    assert json.loads(text[start : text.index("<CODE ENDS>", start)]) == NORMATIVE


# --- three judges ----------------------------------------------------------------------------------------

TEXTS = ("", "act", "hike", "é文", "true", "1", "null", "a b", "!A", "v1", "abcd", '"', "\\", "\n", "\u2028", "😀", "!")
JSON_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2.0, 0.5, 1.0, 1.5, -0.0, 10**20, "", "x", "!A", [], {}),
    *([None], ["!A"], [1], {"a": None}, [[]], [{}], {"id": "a", "value": "b"}, [{"action": "!A"}], {"req_id": "abcd"}),
)
CODES = ("!A", "!START", "!A_B", "!A__", "!FETCH_ALL")
NEAR_CODES = ("!a", "A", "!", "!_A", "!A1", "!A-B", " !A", "!A ", "!Ä", "!!A", "")
REQ_IDS = ("abcd", "a1b2c3d4", "00000", "0000000")
NEAR_REQ_IDS = ("abc", "abcdef012", "ABCD", "a1b2c3dg", "abcd ", "", "ａbcd", "٣٣٣٣")
VERSIONS = ("v1",)
NEAR_VERSIONS = ("1", "V1", "v", "v1.0", "v-1", " v1", "")


class Documents:
    """Seeded random documents: valid ones, and what becomes of them with something changed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311  # test data

    def pick(self, values: Any) -> Any:
        """One of the values, as a copy."""
        return copy.deepcopy(self.random.choice(values))

    def some(self, optional: dict[str, Any]) -> dict[str, Any]:
        """Some of the optional fields, and sometimes an extra one."""
        found = {name: self.pick(values) for name, values in optional.items() if self.random.random() < 0.4}
        if self.random.random() < 0.2:
            found[self.pick(("x", "subject", "operator", "é", ""))] = self.pick(JSON_VALUES)
        return found

    def parts(self, make: Callable[[], dict[str, Any]]) -> list[dict[str, Any]]:
        """Up to three parts."""
        return [make() for _ in range(self.random.randrange(4))]

    def valid(self) -> dict[str, Any]:
        """A document that the schema takes."""
        found: dict[str, Any] = {"intent": self.pick(CODES)}
        optional: dict[str, Callable[[], Any]] = {
            "silp": lambda: self.pick(VERSIONS),
            "version": lambda: self.pick(TEXTS),
            "entities": lambda: self.parts(
                lambda: {"id": self.pick(TEXTS), "value": self.pick(TEXTS), **self.some({"action": CODES})}
            ),
            "constraints": lambda: self.parts(
                lambda: {"type": self.pick(TEXTS), "value": self.pick(TEXTS), **self.some({"time": TEXTS})}
            ),
            "alternatives": lambda: self.parts(
                lambda: {"action": self.pick(CODES), **self.some({"target": TEXTS, "location": TEXTS})}
            ),
        }
        found.update({name: make() for name, make in optional.items() if self.random.random() < 0.6})
        fields = {
            "session_id": TEXTS,
            "priority": (0, 1, -1, 9, 2.0, -0.0, 10**30),
            "confidence": (0, 1, 0.0, 1.0, 0.5, 1e-300),
            "seq": ([], ["!A"], ["", "parallel"]),
            "out": TEXTS,
            "next_agent": TEXTS,
        }
        found["meta"] = {"req_id": self.pick(REQ_IDS), **self.some(fields)}
        return found

    def changed(self) -> dict[str, Any]:
        """A document with one to three things changed; it may still be valid."""
        found = self.valid()
        for _ in range(self.random.randint(1, 3)):
            owner, name = self.random.choice(list(places(found)) or [(found, "intent")])
            action = self.random.randrange(5)
            if action == 0:
                del owner[name]
            elif action == 1 and isinstance(owner, dict):
                owner[self.pick(("extra", "action", "time", "target", "req_id", "intent"))] = self.pick(JSON_VALUES)
            elif action == 2:
                owner[name] = self.pick((*NEAR_CODES, *NEAR_REQ_IDS, *NEAR_VERSIONS))
            elif action == 3:
                owner[name] = self.pick((-0.1, 1.1, 2, True, False, 10**400, -1e308, [True], 0.999))
            else:
                owner[name] = self.pick(JSON_VALUES)
        return found


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a document, as its owner and the key or index in it."""
    for name in value if isinstance(value, dict) else range(len(value)):
        yield value, name
        if isinstance(value[name], (dict, list)):
            yield from places(value[name])


def taken(document: Any) -> bool:
    """Whether the decoder takes the document's JSON text."""
    try:
        read_ir(json.dumps(document))
    except DecodeError as error:
        assert error.code == "decode_failed"
        return False
    return True


def test_three_judges_agree() -> None:
    """Decoder, published file and the draft's schema judge thousands of documents alike, valid and invalid."""
    documents = Documents(seed=20)
    ours, drafts = Draft202012Validator(schema()), Draft202012Validator(NORMATIVE)
    verdicts = {True: 0, False: 0}
    for at in range(4_000):
        document = documents.valid() if at % 3 == 0 else documents.changed()
        verdict = drafts.is_valid(document)
        assert ours.is_valid(document) is verdict, document
        assert taken(document) is verdict, document
        assert at % 3 or verdict
        verdicts[verdict] += 1
        try:
            ir_from_json(document)
        except EncodeError:
            assert not verdict
        else:
            unnamed = "meta" not in document or "req_id" not in document["meta"]
            assert verdict or unnamed, document
    assert min(verdicts.values()) > 1_000


def test_every_single_fault_is_seen_by_all_three() -> None:
    """Each place of a full document, filled with each kind of JSON value, or taken away."""
    full = {
        "silp": "v1",
        "version": "ir-v0.1",
        "intent": "!A",
        "entities": [{"id": "act", "value": "b", "action": "!B", "x": 1}],
        "constraints": [{"type": "!t", "value": "true", "time": "t+1", "operator": "<"}],
        "alternatives": [{"action": "!A", "target": "t", "location": "l"}],
        "meta": {
            "req_id": "abcd",
            "session_id": "a1",
            "priority": 1,
            "confidence": 0.5,
            "seq": ["!A"],
            "out": "code",
            "next_agent": "b",
            "sender": "c",
        },
    }
    ours, drafts = Draft202012Validator(schema()), Draft202012Validator(NORMATIVE)
    checked = 0
    for at in range(len(list(places(full)))):
        for value in (*JSON_VALUES, *NEAR_CODES, *NEAR_REQ_IDS, "!C", "abcdef", "v1", Documents):
            document = copy.deepcopy(full)
            owner, name = list(places(document))[at]
            if value is Documents:
                del owner[name]
            else:
                owner[name] = value
            verdict = drafts.is_valid(document)
            assert ours.is_valid(document) is verdict
            if not (verdict and document.get("silp", "v1") != "v1"):
                assert taken(document) is verdict, document
            checked += 1
    assert checked > 1_000


@pytest.mark.parametrize(
    ("document", "error"),
    [
        ('{"silp":"v2","intent":"!A","meta":{"req_id":"abcd"}}', UnsupportedVersion),
        ('{"intent":"!A\\n","meta":{"req_id":"abcd"}}', DecodeError),
        ('{"intent":"!A","meta":{"req_id":"abcd\\n"}}', DecodeError),
        ('{"silp":"v\\u0663","intent":"!A","meta":{"req_id":"abcd"}}', DecodeError),
        ('{"intent":"!A","version":"\\ud83d","meta":{"req_id":"abcd"}}', DecodeError),
        ('{"intent":"!A","meta":{"req_id":"abcd","priority":' + "1" * 4301 + "}}", DecodeError),
        ('{"intent":"!A","meta":{"req_id":"abcd","x":' + "[" * 129 + "]" * 129 + "}}", DecodeError),
    ],
    ids=["version", "LF in a code", "LF in an id", "Arabic digit", "lone surrogate", "long integer", "deep value"],
)
def test_what_the_decoder_refuses_beyond_the_schema(document: str, error: type[DecodeError]) -> None:
    """Versions not spoken, a line end that `$` lets pass, digits that are not ASCII, half characters, and sizes."""
    with pytest.raises(error) as caught:
        read_ir(document)
    assert type(caught.value) is error


# --- the class as a structured-output type ---------------------------------------------------------------

KEYWORDS = {
    *("type", "properties", "required", "additionalProperties", "items", "anyOf", "$ref", "$defs"),
    *("title", "description", "pattern", "minimum", "maximum", "enum", "const"),
}
"""Keywords that the strict modes of LLM interfaces take."""
TYPES = {"object", "array", "string", "number", "integer", "boolean", "null"}


def subschemas(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A schema and every schema inside it."""
    yield value
    inner = [*value.get("properties", {}).values(), *value.get("$defs", {}).values(), *value.get("anyOf", [])]
    for item in [*inner, *([value["items"]] if "items" in value else [])]:
        yield from subschemas(item)


@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_the_class_keeps_the_strict_conventions(mode: Any) -> None:
    """Closed objects, every field required and described, known keywords only, references that lead somewhere."""
    found = SilpIR.model_json_schema(mode=mode)
    Draft202012Validator.check_schema(found)
    for item in subschemas(found):
        assert item.keys() <= KEYWORDS
        if "$ref" in item:
            assert item["$ref"].removeprefix("#/$defs/") in found["$defs"]
        elif "anyOf" not in item:
            assert item["type"] in TYPES
        if item.get("type") == "object":
            assert item["additionalProperties"] is False
            assert item["required"] == list(item["properties"])
            assert item["description"]
            assert all(field["description"] for field in item["properties"].values())


def test_what_a_model_reads_is_about_the_message() -> None:
    """Descriptions speak of the message, not of Python."""
    found = SilpIR.model_json_schema()
    words = " ".join(item.get("description", "") for item in subschemas(found))
    assert found["description"].startswith("One message to an agent")
    for word in ("``", "`", "pydantic", "Raises", "None", "validation", "section"):
        assert word not in words


def nullable(field: dict[str, Any]) -> bool:
    """Whether a field may be null."""
    return {"type": "null"} in field.get("anyOf", [])


def test_optional_fields_are_nullable_and_no_others() -> None:
    """Null says that a field is absent."""
    found = SilpIR.model_json_schema()
    required = {name: [key for key, field in item["properties"].items() if not nullable(field)]
                for name, item in {"SilpIR": found, **found["$defs"]}.items()}  # fmt: skip
    assert required == {
        "SilpIR": ["intent", "meta"],
        "Entity": ["id", "value"],
        "Constraint": ["type", "value"],
        "Alternative": ["action"],
        "Meta": ["req_id"],
    }


def test_a_filled_in_document_is_the_message_without_its_nulls() -> None:
    """What a model fills in, null for everything absent, validates and is equivalent to the brief document."""
    found = SilpIR.model_json_schema()

    def filled(name: str, **given: Any) -> dict[str, Any]:
        fields = (found if name == "SilpIR" else found["$defs"][name])["properties"]
        assert given.keys() <= fields.keys()
        return {**{key: None for key, field in fields.items() if nullable(field)}, **given}

    document = filled(
        "SilpIR",
        intent="!BOOK",
        entities=[filled("Entity", id="act", value="hotel"), filled("Entity", id="act", value="bob", action="!EMAIL")],
        constraints=[filled("Constraint", type="budget", value="500", operator="<="), filled("Constraint", type="!rain", value="true")],
        alternatives=[filled("Alternative", action="!ROUTE", target="desk")],
        meta=filled("Meta", req_id="a1b2c3d4"),
    )
    assert Draft202012Validator(found).is_valid(document)
    message = SilpIR.model_validate(document)
    assert SilpIR.model_validate_json(json.dumps(document)) == message
    brief = {
        "intent": "!BOOK",
        "entities": [{"id": "act", "value": "hotel"}, {"id": "act", "value": "bob", "action": "!EMAIL"}],
        "constraints": [{"type": "budget", "value": "500", "operator": "<="}, {"type": "!rain", "value": "true"}],
        "alternatives": [{"action": "!ROUTE", "target": "desk"}],
        "meta": {"req_id": "a1b2c3d4"},
    }
    assert message == ir_from_json(brief)
    assert equivalent(message, SilpIR.model_validate(brief))
    nothing = filled("SilpIR", intent="!START", meta=filled("Meta", req_id="abcd"))
    assert Draft202012Validator(found).is_valid(nothing)
    assert SilpIR.model_validate(nothing) == ir_from_json({"intent": "!START", "meta": {"req_id": "abcd"}})
