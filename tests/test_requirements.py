"""The requirements are enforced both ways: each has tests that exist, and each test of a protocol has a requirement."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from requirements import MOST, REQUIREMENTS, SOURCES, Requirement

TESTS: Final = Path(__file__).parent
PROTOCOL_MODULES: Final = (
    *("test_silp_*", "test_slip*", "test_ucr", "test_eap_*", "test_ait", "test_lingua*"),
    *("test_pairs", "test_injection", "test_interlingua", "test_errors", "test_jsontext", "test_required"),
)
"""Modules each of whose tests must be named by a requirement."""
FIRST_WORDS: Final = {"errors": ("errors", "limits")}
"""What the ids of a protocol begin with, where that is not its name."""
ALL: Final = [requirement for group in REQUIREMENTS.values() for requirement in group]


@cache
def functions(module: str) -> tuple[str, ...]:
    """Names of the test functions of a module, as its source has them."""
    tree = ast.parse((TESTS / f"{module}.py").read_text("utf-8"))
    found = (node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return tuple(name for name in found if name.startswith("test_"))


def without_requirement(modules: Mapping[str, tuple[str, ...]], requirements: list[Requirement]) -> list[str]:
    """Tests that no requirement names."""
    named = {test for requirement in requirements for test in requirement.tests}
    return [test for module, names in modules.items() for name in names if (test := f"{module}::{name}") not in named]


def without_test(modules: Mapping[str, tuple[str, ...]], requirements: list[Requirement]) -> list[str]:
    """Requirements and the tests that they name and that do not exist; those that name none at all, too."""
    real = {f"{module}::{name}" for module, names in modules.items() for name in names}
    return [f"{item.id}: {test}" for item in requirements for test in item.tests or ("no test",) if test not in real]


def _modules(*patterns: str) -> dict[str, tuple[str, ...]]:
    names = sorted(path.stem for path in TESTS.glob("test_*.py"))
    return {name: functions(name) for name in names if any(fnmatch(name, pattern) for pattern in patterns)}


# --- the table --------------------------------------------------------------------------------------------------------


def test_the_table_is_small_and_each_id_stands_once() -> None:
    """At most 150 requirements, every protocol has some, and an id begins with its protocol."""
    assert 0 < len(ALL) <= MOST == 150
    twice = [id for id, count in Counter(item.id for item in ALL).items() if count > 1]
    assert not twice, f"these ids stand more than once: {', '.join(twice)}"
    for protocol, group in REQUIREMENTS.items():
        assert group, f"{protocol} has no requirement"
        for item in group:
            assert item.id.startswith(FIRST_WORDS.get(protocol, (protocol,))), f"{item.id} stands under {protocol}"
            assert re.fullmatch(r"[a-z0-9]+(?:[-.][a-z0-9]+)+", item.id), item.id


def test_each_behaviour_is_one_sentence_of_its_own() -> None:
    """A behaviour is a short sentence, and no two requirements have the same."""
    for item in ALL:
        assert re.fullmatch(r"\S.{18,107}\S\.", item.behaviour), f"{item.id}: {item.behaviour}"
    assert len({item.behaviour for item in ALL}) == len(ALL)


def test_sources_are_a_closed_table_and_all_are_used() -> None:
    """Each requirement stems from a section that the table titles, and each section there has a requirement."""
    unknown = [f"{item.id}: {item.source}" for item in ALL if item.source not in SOURCES]
    assert not unknown, f"no such source: {'; '.join(unknown)}"
    idle = SOURCES.keys() - {item.source for item in ALL}
    assert not idle, f"no requirement stems from: {', '.join(sorted(idle))}"
    assert all(title.strip() for title in SOURCES.values())


def test_no_requirement_names_a_test_twice() -> None:
    """Within a requirement, each test stands once."""
    for item in ALL:
        assert len(set(item.tests)) == len(item.tests), item.id


# --- both ways --------------------------------------------------------------------------------------------------------


def test_each_requirement_has_tests_that_exist() -> None:
    """Every test that a requirement names is a function of that module."""
    lost = without_test(_modules("test_*"), ALL)
    assert not lost, f"these tests are named and do not exist: {'; '.join(lost)}"


@pytest.mark.parametrize("module", _modules(*PROTOCOL_MODULES))
def test_each_test_of_a_protocol_has_a_requirement(module: str) -> None:
    """A test that no requirement names is given one in requirements.py; here it is called by its name."""
    idle = without_requirement({module: functions(module)}, ALL)
    assert not idle, f"no requirement names: {', '.join(idle)}"


def test_each_pattern_of_modules_finds_some() -> None:
    """A protocol's tests are not passed over because a module was renamed."""
    for pattern in PROTOCOL_MODULES:
        assert _modules(pattern), f"no module is called {pattern}"


def test_no_test_hides_from_the_reader() -> None:
    """Tests of protocols are functions at the top of their modules, and no name hides another."""
    for module, names in _modules(*PROTOCOL_MODULES).items():
        tree = ast.parse((TESTS / f"{module}.py").read_text("utf-8"))
        inner = [
            node.name
            for node in ast.walk(tree)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            and node.name.lower().startswith("test")
            and node not in tree.body
        ]
        classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef) and node.name.startswith("Test")]
        assert not inner + classes, f"{module}: {', '.join(inner + classes)}"
        assert len(set(names)) == len(names), f"{module}: a test stands twice"


def test_the_named_tests_are_collected() -> None:
    """What pytest itself collects from the protocol modules holds every test that a requirement names."""
    modules = sorted({test.partition("::")[0] for item in ALL for test in item.tests})
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, *(f"{TESTS / name}.py" for name in modules)],
        capture_output=True,
        text=True,
        check=False,
        cwd=TESTS.parent,
        env={name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"},
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    collected = set(re.findall(r"(\w+)\.py::(\w+)", done.stdout))
    lost = [test for item in ALL for test in item.tests if tuple(test.split("::")) not in collected]
    assert not lost, f"named and not collected: {', '.join(lost)}"


# --- the enforcement itself -------------------------------------------------------------------------------------------

_HERE: Final = {"test_a": ("test_one", "test_two")}


def test_a_test_without_a_requirement_is_called_by_its_name() -> None:
    """Of two tests, the one that no requirement names is found."""
    item = Requirement("silp-x", "draft, section 3.1", "Something holds.", ("test_a::test_one",))
    assert without_requirement(_HERE, [item]) == ["test_a::test_two"]
    assert without_requirement(_HERE, []) == ["test_a::test_one", "test_a::test_two"]


def test_a_requirement_without_a_test_is_called_by_its_id() -> None:
    """A test that does not exist, one of another module, and no test at all are found."""
    names = ("test_a::test_two", "test_a::test_three", "test_b::test_one")
    lost = [Requirement("silp-x", "", "", names), Requirement("silp-y", "", "", ())]
    assert without_test(_HERE, lost) == ["silp-x: test_a::test_three", "silp-x: test_b::test_one", "silp-y: no test"]
