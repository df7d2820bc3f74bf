from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir.errors import DecodeError, EncodeError
from sabir.jsontext import MAX_TEXT_DEPTH
from sabir.lingua.abbreviations import Abbreviations, abbreviate, default, expand
from strategies.eap import json_values

PUBLISHED = (
    "t title, c content, s summary, n name, d description, u url, i id, k kind, v value, m meta, p count, e errors,"
    " l limit, o offset, r results, ok success, st status, er error, cd code, ts timestamp, dt datetime, ex expires,"
    " du duration, ui userId, un username, dn displayName, av avatar, sm submolt, ka karma, up upvotes, dw downvotes,"
    " cm comments"
)
SHORT = [pair.split()[0] for pair in PUBLISHED.split(", ")]
LONG = [pair.split()[1] for pair in PUBLISHED.split(", ")]
OWN = Abbreviations({"t": "ticket", "x": "__", "é": "t_", "a b": "T"})
_any: Any = None

keys = st.one_of(
    st.sampled_from([*SHORT, *LONG, "_", "__", "", "_id", "T", "Title", "t_", "ticket", "x", "é", "a b"]),
    st.builds("{}{}".format, st.sampled_from(["_", "__", "___"]), st.sampled_from([*SHORT, *LONG, "x", "é"])),
    st.text("_tcx", max_size=4),
)
leaves = st.one_of(json_values(), st.sampled_from(SHORT), st.integers(), st.none())
values = st.recursive(
    leaves,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=6)),
    max_leaves=12,
)
tables = st.sampled_from([None, OWN, Abbreviations({})])


def typed(value: Any) -> str:
    """A value with its types and the order of its keys."""
    return repr(value)


def test_the_table_is_that_of_the_document() -> None:
    """All 32 pairs, each key once on each side."""
    assert dict(default().long) == dict(list(zip(SHORT, LONG, strict=True)))
    assert len(SHORT) == 32
    assert len({*SHORT, *LONG}) == 64


@pytest.mark.parametrize(("short", "long"), list(zip(SHORT, LONG, strict=True)))
def test_each_key_has_one_short_form(short: str, long: str) -> None:
    """Both ways, and a key that is itself the short form stays apart."""
    assert abbreviate({long: 1}) == {short: 1}
    assert expand({short: 1}) == {long: 1}
    assert abbreviate({short: 1}) == {f"_{short}": 1}
    assert expand({f"_{short}": 1}) == {short: 1}


@pytest.mark.parametrize(
    ("value", "short"),
    [
        ({"title": "test", "content": "hello world"}, {"t": "test", "c": "hello world"}),
        ({"results": [{"id": 1, "meta": {"count": 2}}]}, {"r": [{"i": 1, "m": {"p": 2}}]}),
        ({"title": 1, "t": 2, "_t": 3, "__t": 4}, {"t": 1, "_t": 2, "__t": 3, "___t": 4}),
        ({"_title": 1, "_id": 2, "_": 3, "": 4}, {"_title": 1, "_id": 2, "_": 3, "": 4}),
        ({"Title": 1, "T": 2}, {"Title": 1, "T": 2}),
        (["title", {"url": "title"}], ["title", {"u": "title"}]),
        ("title", "title"),
        (None, None),
        (1.0, 1.0),
    ],
)
def test_keys_are_shortened_at_every_depth_and_values_never(value: Any, short: Any) -> None:
    """Only keys are renamed; what looks like a short key or an escape is escaped."""
    before = deepcopy(value)
    assert typed(abbreviate(value)) == typed(short)
    assert typed(expand(short)) == typed(before)
    assert typed(value) == typed(before)


@given(values, tables)
def test_every_json_value_comes_back(value: Any, table: Abbreviations | None) -> None:
    """In types and in the order of keys, by any table, however often it is abbreviated."""
    once = abbreviate(value, table)
    assert typed(expand(once, table)) == typed(value)
    assert typed(expand(expand(abbreviate(once, table), table), table)) == typed(value)


@given(keys, keys, tables)
def test_no_two_keys_are_written_the_same(one: str, other: str, table: Abbreviations | None) -> None:
    """Writing is injective, and reading is its inverse."""
    known = table or default()
    assert (known.write(one) == known.write(other)) is (one == other)
    assert known.read(known.write(one)) == one


@given(values)
def test_what_peers_wrote_in_full_is_read_as_it_is(value: Any) -> None:
    """Expanding any value gives a value that survives, or names two keys that mean the same."""
    try:
        found = expand(value)
    except DecodeError as error:
        assert error.code == "decode_failed"
    else:
        assert typed(expand(abbreviate(found))) == typed(found)


def test_a_key_both_short_and_long_is_refused() -> None:
    """Nothing is dropped when a peer sends both."""
    assert expand({"title": 1, "c": 2}) == {"title": 1, "content": 2}
    with pytest.raises(DecodeError, match="keys 't' and 'title' of one object are both 'title'") as caught:
        expand([{"m": {"a": 0, "t": 1, "title": 2}}])
    assert caught.value.code == "decode_failed"


def test_an_installation_brings_its_own_table(tmp_path: Path) -> None:
    """As a mapping or as a file; the document's table is not touched."""
    assert abbreviate({"ticket": 1, "title": 2, "__": 3}, OWN) == {"t": 1, "title": 2, "x": 3}
    path = tmp_path / "table.json"
    path.write_text('{"t": "ticket", "x": "__", "é": "t_", "a b": "T"}', "utf-8")
    assert Abbreviations.from_file(path) == OWN
    given = {"t": "ticket"}
    table = Abbreviations(given)
    given["x"] = "ticket"
    assert table.long == {"t": "ticket"}


@pytest.mark.parametrize(
    ("table", "path", "reason"),
    [
        ({"t": "title", "x": "title"}, "x", "'title' is 't' already"),
        ({"t": "x", "x": "y"}, "t", "'x' is a short key, or reads as one that is escaped"),
        ({"t": "t"}, "t", "'t' is a short key"),
        ({"t": "__t"}, "t", "'__t' is a short key, or reads as one that is escaped"),
        ({"_t": "title"}, "_t", "a short key may not begin with _, which escapes"),
        ({"": "title"}, "", "a key may not be empty"),
        ({"t": ""}, "t", "a key may not be empty"),
        ({"t": 1}, "t", "must be text, not int"),
        ({1: "t"}, "abbreviations (a key)", "must be text, not int"),
        ({"t": "\ud800"}, "t", "lone surrogate"),
        (["t"], "abbreviations", "a table is an object of short keys"),
    ],
)
def test_an_ambiguous_table_is_refused_by_key(table: Any, path: str, reason: str) -> None:
    """No key may be read in two ways."""
    with pytest.raises(EncodeError) as caught:
        Abbreviations(table)
    assert caught.value.path == path
    assert caught.value.reason.startswith(reason)


@pytest.mark.parametrize("content", [b"", b"{", b'{"t":"a","t":"b"}', b"\xff"])
def test_a_file_that_is_no_json_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    """The error names the file."""
    path = tmp_path / "table.json"
    path.write_bytes(content)
    with pytest.raises(EncodeError, match=r"table\.json is no JSON"):
        Abbreviations.from_file(path)


@pytest.mark.parametrize("function", [abbreviate, expand])
@pytest.mark.parametrize(
    ("value", "path", "reason"),
    [
        ({"a": [1, {2}]}, "value.a[1]", "a value is a JSON value, not set"),
        ({"a": float("nan")}, "value.a", "nan is no JSON number"),
        ({1: 2}, "value (a key)", "must be text, not int"),
        ((1, 2), "value", "a value is a JSON value, not tuple"),
    ],
)
def test_what_is_no_json_value_is_refused_by_path(function: Any, value: Any, path: str, reason: str) -> None:
    """Before anything is renamed."""
    with pytest.raises(EncodeError) as caught:
        function(value)
    assert (caught.value.path, caught.value.reason) == (path, reason)


def test_values_as_deep_as_a_text_may_be_come_back() -> None:
    """To the limit of nesting; beyond it is a clear error."""
    deep: Any = 1
    for _ in range(MAX_TEXT_DEPTH):
        deep = {"title": deep}
    assert expand(abbreviate(deep)) == deep
    assert json.dumps(abbreviate(deep)).count('"t"') == MAX_TEXT_DEPTH
    with pytest.raises(EncodeError, match=f"nested deeper than {MAX_TEXT_DEPTH}"):
        abbreviate([deep])
