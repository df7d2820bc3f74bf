"""The engines that take the grammars, each as a function that says whether a text is accepted.

Of each engine the constrained decoder itself is asked, byte by byte, not a parser of our own.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from sabir.errors import DecodeError
from sabir.jsontext import loads

if TYPE_CHECKING:
    import random

Accepts = Callable[[str], bool]


def needed(name: str) -> Any:
    """A package, or a skipped test where it is not installed; under CI its absence is a failure."""
    try:
        return import_module(name)
    except ImportError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"{name} is not installed: {error}")


def llguidance(grammar: str) -> Any:
    """A matcher of llguidance, over bytes."""
    engine = needed("llguidance")
    matcher = engine.LLMatcher(engine.LLTokenizer("byte"), grammar)
    assert not matcher.get_error(), matcher.get_error()
    return matcher


def _accepting(matcher: Any) -> Accepts:
    def accepts(text: str) -> bool:
        run = matcher.deep_copy()
        data = list(text.encode())
        return bool(run.try_consume_tokens(data) == len(data) and run.is_accepting())

    return accepts


def gbnf_matcher(text: str) -> Any:
    """GBNF in llguidance."""
    converted = needed("llguidance.gbnf_to_lark").gbnf_to_lark(text)
    return llguidance(needed("llguidance").LLMatcher.grammar_from_lark(converted))


def lark_matcher(text: str) -> Any:
    """Lark's notation in llguidance."""
    return llguidance(needed("llguidance").LLMatcher.grammar_from_lark(text))


def regex_matcher(text: str) -> Any:
    """A regular expression in llguidance."""
    return llguidance(needed("llguidance").LLMatcher.grammar_from_regex(text))


def schema_matcher(text: str) -> Any:
    """A JSON Schema in llguidance, without white space between members."""
    found = needed("llguidance").LLMatcher.grammar_from_json_schema(text, overrides={"whitespace_flexible": False})
    return llguidance(found)


def lark_package(text: str) -> Accepts:
    """Lark's notation in the package lark."""
    package = needed("lark")
    parser = package.Lark(text, parser="earley")

    def accepts(text: str) -> bool:
        try:
            parser.parse(text)
        except package.exceptions.LarkError:
            return False
        return True

    return accepts


def python_re(text: str) -> Accepts:
    """A regular expression in Python."""
    pattern = re.compile(text)
    return lambda text: pattern.fullmatch(text) is not None


def schema(text: str) -> Accepts:
    """A JSON Schema in llguidance; a string is written as JSON for it."""
    accepts = _accepting(schema_matcher(text))
    return (lambda text: accepts(json.dumps(text, ensure_ascii=False))) if of_string(text) else accepts


def validator(text: str) -> Accepts:
    """A JSON Schema in jsonschema; a text that is no JSON, or has a key twice, is refused before."""
    found = needed("jsonschema").Draft202012Validator(json.loads(text))
    if of_string(text):
        return lambda text: bool(found.is_valid(text))

    def accepts(text: str) -> bool:
        try:
            return bool(found.is_valid(loads(text)))
        except DecodeError:
            return False

    return accepts


def of_string(text: str) -> bool:
    """Whether a JSON Schema is one of a string."""
    return bool(json.loads(text).get("type") == "string")


ENGINES: dict[str, dict[str, Callable[[str], Accepts]]] = {
    "gbnf": {"llguidance": lambda text: _accepting(gbnf_matcher(text))},
    "lark": {"llguidance": lambda text: _accepting(lark_matcher(text)), "lark": lark_package},
    "regex": {"llguidance": lambda text: _accepting(regex_matcher(text)), "re": python_re},
    "json-schema": {"llguidance": schema, "jsonschema": validator},
}
"""By notation and name."""
MATCHERS: dict[str, Callable[[str], Any]] = {"gbnf": gbnf_matcher, "lark": lark_matcher, "json-schema": schema_matcher}
"""Engines that write, by notation."""


def walk(matcher: Any, dice: random.Random, quote: float = 0.3, longest: int = 4000) -> str:
    """A text that an engine writes by itself: at each step one of the bytes that it allows.

    Args:
        matcher: where to start; it is not changed.
        dice: what chooses.
        quote: how often a quote is taken where it may be, so that strings end.
        longest: bytes after which the walk fails.
    """
    run = matcher.deep_copy()
    found = bytearray()
    while not run.is_stopped():
        if run.is_accepting() and dice.random() < 0.3:
            break
        mask = run.compute_bitmask()
        allowed = [byte for byte in range(256) if mask[byte >> 3] >> (byte & 7) & 1]
        if not allowed:
            break
        byte = 0x22 if 0x22 in allowed and dice.random() < quote else dice.choice(allowed)
        assert run.consume_token(byte)
        found.append(byte)
        assert len(found) <= longest, bytes(found)
    assert run.is_accepting(), bytes(found)
    return found.decode()
