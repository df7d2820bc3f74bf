"""What counts once: conversations sent again and again, spans in spans, running totals."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir.logs import Entry, Item, Repeat, Usage, read
from sabir.logs.memory import Memory
from sabir.logs.spans import MAX_DEPTH, MAX_HOLDERS, Trees

Said = list[tuple[str, str]]


def items_of(records: list[Any], folder: Path, **options: Any) -> list[Item]:
    """What a log of these records gives."""
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return list(read(path, **options))


def said(items: list[Item]) -> Said:
    """Role and text of the entries."""
    return [(item.role or "", item.text) for item in items if isinstance(item, Entry) and item.text]


def usage_of(items: list[Item]) -> Usage:
    """All tokens stated."""
    found = [item.usage for item in items if isinstance(item, Entry) and item.usage]
    return Usage(sum(item.input for item in found), sum(item.output for item in found))


def messages(conversation: Said) -> list[dict[str, str]]:
    """A conversation as OpenAI writes it."""
    return [{"role": role, "content": text} for role, text in conversation]


@st.composite
def conversations(draw: st.DrawFn) -> list[Said]:
    """Conversations of few words, so that the same words stand at many places; each has a system message of its own."""
    word = st.sampled_from(["ok", "go on", "next"])
    found = []
    for number in range(draw(st.integers(1, 4))):
        turns = [("system", f"You are {number}.")]
        for _ in range(draw(st.integers(1, 6))):
            turns += [("user", draw(word)), ("assistant", draw(word))]
        found.append(turns)
    return found


@given(talks=conversations(), answered=st.booleans(), named=st.booleans(), random=st.randoms(use_true_random=False))
def test_each_message_of_a_conversation_counts_once(
    tmp_path_factory: pytest.TempPathFactory, *, talks: list[Said], answered: bool, named: bool, random: Any
) -> None:
    """However often the same words stand in it: with and without session names, with and without the answers logged, interleaved."""
    waiting: dict[int, list[dict[str, Any]]] = {}
    for number, talk in enumerate(talks):
        waiting[number] = []
        for end in range(2, len(talk), 2):
            record: dict[str, Any] = {"session_id": f"s-{number}"} if named else {}
            record["request"] = {"messages": messages(talk[:end])}
            if answered:
                record["response"] = {"choices": [{"message": messages(talk[end : end + 1])[0]}]}
            waiting[number].append(record)
        if not answered:
            waiting[number].append({**waiting[number][-1], "request": {"messages": messages(talk)}})
    records = []
    while any(waiting.values()):
        number = random.choice([number for number, left in waiting.items() if left])
        records.append(waiting[number].pop(0))
    items = items_of(records, tmp_path_factory.mktemp("log"))
    by_session: dict[str, Said] = {}
    for item in items:
        if isinstance(item, Entry):
            by_session.setdefault(item.session, []).append((item.role or "", item.text))
    assert sorted(by_session.values()) == sorted(talks)
    assert {item.kind for item in items if isinstance(item, Repeat)} <= {"resent history"}


@given(turns=st.integers(3, 12), window=st.integers(2, 5), named=st.booleans())
def test_a_sliding_window_counts_each_message_once(tmp_path_factory: pytest.TempPathFactory, *, turns: int, window: int, named: bool) -> None:
    """A request that leaves out the middle of the conversation repeats what it still holds."""
    talk: Said = [("system", "You check.")]
    for turn in range(turns):
        talk += [("user", f"question {turn}"), ("assistant", f"answer {turn}")]
    records = []
    for end in range(2, len(talk), 2):
        sent = [talk[0], *talk[1:end][-(2 * window - 1) :]]
        record: dict[str, Any] = {"request": {"messages": messages(sent)}, "response": {"choices": [{"message": messages(talk[end : end + 1])[0]}]}}
        records.append({**record, "conversation_id": "c"} if named else record)
    assert said(items_of(records, tmp_path_factory.mktemp("log"))) == talk


def test_a_sliding_window_without_answers_counts_each_message_once(tmp_path: Path) -> None:
    """Answers that only the next request holds are new in it, and what was asked before them is not."""
    talk: Said = [("system", "You check.")]
    for turn in range(6):
        talk += [("user", f"question {turn}"), ("assistant", f"answer {turn}")]
    for extra in ({}, {"thread_id": 7}):
        records = [{**extra, "messages": messages([talk[0], *talk[1:end][-5:]])} for end in range(2, len(talk), 2)]
        found = items_of(records, tmp_path)
        assert said(found) == talk[:-1]
        assert len({item.session for item in found if isinstance(item, Entry)}) == 1


def test_conversation_that_goes_another_way_keeps_its_session(tmp_path: Path) -> None:
    """After a known answer, another continuation is of the same session; after a system message alone, of a new one."""
    begin: Said = [("system", "s"), ("user", "a"), ("assistant", "b")]
    records = [{"messages": messages([*begin, ("user", word)])} for word in ("left", "right")] + [{"messages": messages([("system", "s"), ("user", "z")])}]
    found = items_of(records, tmp_path)
    sessions = {item.text: item.session.rsplit(":", 1)[1] for item in found if isinstance(item, Entry)}
    assert sessions == {"a": "1", "b": "1", "left": "1", "right": "1", "s": "3", "z": "3"}


def test_request_sent_again_is_a_repeat_and_its_new_answer_is_not(tmp_path: Path) -> None:
    """A retry's answer is a text of its own; without ids, the same answer is the same record."""
    asked = {"messages": messages([("user", "a")])}

    def record(id: str | None, text: str) -> dict[str, Any]:
        return {"request": asked, "response": {"choices": [{"message": {"role": "assistant", "content": text}}]} | ({"id": id} if id else {})}

    assert said(items_of([record("1", "b"), record("2", "b"), record("2", "b")], tmp_path)) == [("user", "a"), ("assistant", "b"), ("assistant", "b")]
    found = items_of([record(None, "b"), record(None, "b"), record(None, "c")], tmp_path)
    assert said(found) == [("user", "a"), ("assistant", "b"), ("assistant", "c")]
    assert [item.kind for item in found if isinstance(item, Repeat)] == ["resent history", "second copy", "resent history"]


def test_answer_that_another_agent_receives_counts_once(tmp_path: Path) -> None:
    """In one session an agent's answer is the next agent's input; said once more by the user, it is new."""
    records = [
        {"session_id": "x", "request": {"messages": messages([("system", "one"), ("user", "start")])}, "response": {"choices": [{"message": {"role": "assistant", "content": "s4x9"}}]}},
        {"session_id": "x", "request": {"messages": messages([("system", "two"), ("user", "s4x9")])}, "response": {"choices": [{"message": {"role": "assistant", "content": "P2"}}]}},
        {"session_id": "x", "request": {"messages": messages([("system", "three"), ("user", "s4x9")])}},
        {"session_id": "y", "request": {"messages": messages([("system", "two"), ("user", "s4x9")])}},
    ]
    found = items_of(records, tmp_path)
    assert [item.kind for item in found if isinstance(item, Repeat)] == ["received"]
    assert Counter(text for _, text in said(found))["s4x9"] == 3


def test_answer_given_again_as_it_grows(tmp_path: Path) -> None:
    """Snapshots of an answer give its text once, in parts, and its running usage once."""

    def record(text: str, tokens: int) -> dict[str, Any]:
        usage = {"prompt_tokens": 10, "completion_tokens": tokens}
        return {"id": "r", "choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage}

    found = items_of([record("SLIP v1", 3), record("SLIP v1 a b", 5), record("SLIP v1 a b", 5), record("other", 6)], tmp_path)
    assert said(found) == [("assistant", "SLIP v1"), ("assistant", " a b"), ("assistant", "other")]
    assert [(item.kind, item.text) for item in found if isinstance(item, Repeat)] == [("snapshot", "SLIP v1"), ("second copy", "SLIP v1 a b")]
    assert usage_of(found) == Usage(10, 6)


def test_running_totals_are_not_added_up(tmp_path: Path) -> None:
    """1000/100 three times, then 2000/200, is 2000/200; a total that falls has begun anew."""
    events = [(1000, 100)] * 3 + [(2000, 200)]
    records = [{"session_id": "s", "usage": {"input_tokens": given, "output_tokens": made}} for given, made in events]
    assert usage_of(items_of(records, tmp_path, shape="openai")) == Usage(2000, 200)
    records.append({"session_id": "s", "usage": {"input_tokens": 50, "output_tokens": 5}})
    records.append({"session_id": "t", "usage": {"input_tokens": 7}})
    assert usage_of(items_of(records, tmp_path, shape="openai")) == Usage(2057, 205)


def test_record_without_an_id_that_stands_twice_counts_its_usage_once(tmp_path: Path) -> None:
    """The usage of a second copy is a copy too; that of a request alone counts."""
    asked = {"messages": messages([("user", "a")]), "usage": {"prompt_tokens": 5}}
    record = {**asked, "choices": [{"message": {"role": "assistant", "content": "b"}}], "usage": {"prompt_tokens": 5, "completion_tokens": 6}}
    assert usage_of(items_of([record, record, asked], tmp_path)) == Usage(10, 6)


def test_calls_of_their_own_are_added_up(tmp_path: Path) -> None:
    """Usage that grows from call to call, each with an answer, is each call's own."""
    records = [
        {"id": f"c-{n}", "choices": [{"message": {"role": "assistant", "content": f"a{n}"}}], "usage": {"prompt_tokens": n * 1000, "completion_tokens": n * 100}}
        for n in (1, 1.0, 2)
    ]
    records[1]["id"] = "c-x"
    assert usage_of(items_of(records, tmp_path)) == Usage(4000, 400)


# --- spans -----------------------------------------------------------------------------------------------


def span(number: int, parent: int | None, sent: list[str], answer: str, tokens: int) -> dict[str, Any]:
    """A span as an object of its own."""
    parts = [{"role": "user", "parts": [{"type": "text", "content": text}]} for text in sent]
    return {
        "context": {"trace_id": "0xaa", "span_id": f"0x{number}"},
        "parent_id": None if parent is None else f"0x{parent}",
        "attributes": {
            "gen_ai.input.messages": json.dumps(parts),
            "gen_ai.output.messages": [{"role": "assistant", "parts": [{"type": "text", "content": answer}]}],
            "gen_ai.usage.input_tokens": tokens,
            "gen_ai.usage.output_tokens": 1,
        },
    }


@given(leaves=st.integers(1, 5), depth=st.integers(1, 3), random=st.randoms(use_true_random=False), whole=st.booleans())
def test_texts_of_a_span_tree_count_once(tmp_path_factory: pytest.TempPathFactory, *, leaves: int, depth: int, random: Any, whole: bool) -> None:
    """Parents above parents that hold all of their children: once, in any order within an export, or each child before its parent."""
    spans = [span(number, 100, [f"q{number}"], f"a{number}", 10) for number in range(leaves)]
    for level in range(depth):
        above = 101 + level if level + 1 < depth else None
        spans.append(span(100 + level, above, [f"q{number}" for number in range(leaves)], f"a{leaves - 1}", 10 * leaves))
    if whole:
        random.shuffle(spans)
    folder = tmp_path_factory.mktemp("log")
    if whole:
        (folder / "log.json").write_text(json.dumps([{"scopeSpans": [{"spans": spans}]}]), encoding="utf-8")
        found = list(read(folder / "log.json"))
    else:
        found = items_of(spans, folder)
    every = sorted(text for _, text in said(found))
    assert every == sorted([f"q{n}" for n in range(leaves)] + [f"a{n}" for n in range(leaves)])
    assert usage_of(found).input == 10 * leaves


def test_spans_beside_each_other_repeat_nothing(tmp_path: Path) -> None:
    """The same words in two children of one span are two texts, and in another trace as well."""
    records = [span(1, 9, ["ok"], "x", 1), span(2, 9, ["ok"], "y", 1), span(9, None, ["ok", "ok"], "y", 2)]
    other = span(3, None, ["ok"], "z", 1)
    other["context"] = {"trace_id": "0xbb", "span_id": "0x3"}
    found = items_of([*records, other], tmp_path)
    assert Counter(text for _, text in said(found)) == {"ok": 2, "x": 1, "y": 1, "z": 1}
    assert usage_of(found) == Usage(3, 3)


def test_span_exported_twice_is_a_snapshot(tmp_path: Path) -> None:
    """A span as it stood and as it ended gives its texts once and the usage that was added."""
    found = items_of([span(1, None, ["q"], "a", 5), span(1, None, ["q"], "a", 8)], tmp_path)
    assert said(found) == [("user", "q"), ("assistant", "a")]
    assert [item.kind for item in found if isinstance(item, Repeat)] == ["snapshot", "snapshot"]
    assert usage_of(found) == Usage(8, 1)


def test_ancestors_are_followed_so_far_and_no_further() -> None:
    """A span too far below another is none of its children's children."""
    trees = Trees()
    for number in range(1, MAX_DEPTH + 2):
        trees.link("t", str(number), str(number - 1))
    assert trees.holds("t", "0", "x") is None
    assert trees.holds("t", str(MAX_DEPTH + 1), "x") is None
    assert trees.holds("t", str(MAX_DEPTH), "x") == "parent span"


def test_circle_of_spans_ends() -> None:
    """Of spans that name each other as parents, the one that closes the circle has none."""
    trees = Trees()
    trees.link("t", "a", "b")
    trees.link("t", "b", "a")
    assert trees.holds("t", "a", "x") is None
    assert trees.holds("t", "b", "x") == "parent span"
    assert trees.usage("t", "a", Usage(1, 1)) == Usage(1, 1)
    assert trees.usage("t", "b", Usage(1, 1)) is None
    assert trees.usage("t", "unknown", Usage(1, 1)) is None


def test_parent_that_comes_late_is_told_of_its_childrens_usage() -> None:
    """A link that is known only later passes the usage of those below on to those above."""
    trees = Trees()
    trees.link("t", "c", "b")
    assert trees.usage("t", "c", Usage(2, 2)) == Usage(2, 2)
    trees.link("t", "b", "a")
    trees.link("t", "a", None)
    assert trees.usage("t", "a", Usage(2, 2)) is None
    assert trees.usage("t", "b", Usage(2, 2)) is None


def test_holders_of_a_text_are_bounded() -> None:
    """Of many spans that hold the same text, the last ones are remembered, and each beside the others counts."""
    trees = Trees()
    trees.link("t", "top", None)
    for number in range(2 * MAX_HOLDERS):
        trees.link("t", str(number), "top")
        assert trees.holds("t", str(number), "x") is None
    assert [trees.holds("t", "top", "x") for _ in range(3)] == ["parent span"] * 3


# --- memory ----------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 30), max_size=200), st.integers(1, 16))
def test_memory_is_bounded_and_keeps_the_youngest(keys: list[int], limit: int) -> None:
    """No more than the limit is kept, and of the last 7/8 of it nothing is forgotten."""
    memory: Memory[int] = Memory(limit)
    order: dict[int, None] = {}
    for key in keys:
        memory.put(key, key + 1)
        order.pop(key, None)
        order[key] = None
        assert len(memory._kept) <= limit
        for young in list(order)[-(limit - max(1, limit // 8)) :] if limit > 1 else ():
            assert memory._kept[hash(young)] == young + 1


def test_what_is_forgotten_counts_as_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit a repeat from long ago is a new text, as documented."""
    monkeypatch.setattr(Memory.__init__, "__defaults__", (8,))
    records = [{"session_id": f"s-{n % 20}", "messages": messages([("user", "a")])} for n in range(40)]
    assert len(said(items_of(records, tmp_path))) == 40
