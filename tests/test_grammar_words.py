"""What grammars are narrowed to, how they are printed, and what is said of a word or a notation that there is not."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sabir
from grammar import engines
from sabir.grammar import FORMATS, NOTATIONS, grammar, signs
from sabir.grammar.base64 import base64_of, utf8
from sabir.grammar.notations import gbnf, lark, regex
from sabir.grammar.tree import ROOT, Grammar, alt, chars, many, opt, runs, seq, some_of, word, words
from sabir.silp.words import outside_word


def fits(format: str, text: str, **names: Any) -> bool:
    """Whether a format's narrowed grammar accepts a text, by its regular expression."""
    return re.fullmatch(grammar(format, "regex", **names), text) is not None


# --- narrowing -------------------------------------------------------------------------------------------

NARROWED = [
    ("slip", {"anchors": ["MetaAck"]}, "SLIP v1 a b MetaAck", "SLIP v1 a b MetaSync"),
    ("slip", {"agents": ["a", "b"]}, "SLIP v1 a b MetaAck", "SLIP v1 a c MetaAck"),
    ("slip", {"agents": ['"quoted']}, 'SLIP v1 "\\"quoted" "\\"quoted" MetaAck', 'SLIP v1 "quoted "quoted MetaAck'),
    (
        "slip",
        {"anchors": ["RequestReview"], "slip_version": "v3"},
        "SLIP v3 a b Request Review x",
        "SLIP v3 a b Request Plan x",
    ),
    (
        "slip",
        {"anchors": ["Fallback"], "slip_version": "v3"},
        "SLIP v3 a b Fallback Generic r1",
        "SLIP v3 a b Request Plan x",
    ),
    ("slip", {"agents": ["ops"], "slip_version": "v3"}, "SLIP v3 ops ops Meta Ack", "SLIP v3 ops dev Meta Ack"),
    ("ait", {"domains": ["SEC", "data"]}, "s4x9 d1m5", "r5f9"),
    ("ait", {"actions": ["XSS"]}, "s4x9", "s4m9"),
    ("eap", {"domains": ["SEC"], "keys": []}, ">SEC:XSS #ctx4 !9", ">DAT:SUM #ctx4 !9"),
    ("eap", {"domains": ["+BILL"], "keys": []}, ">BILL:PAY #ctx4", ">SEC:XSS #ctx4"),
    ("eap", {"actions": ["XSS"], "keys": []}, ">SEC:XSS #ctx4", ">SEC:SQL #ctx4"),
    (
        "eap",
        {"keys": ["line", "fixed"]},
        "<SEC:VUL #ctx4 | line=42 fixed=false",
        "<SEC:VUL #ctx4 | fixed=false line=42",
    ),
    ("eap", {"keys": ["line"], "agents": ["ops"]}, ">SEC:XSS #a | line=1 @to=ops", ">SEC:XSS #a | line=1 @to=dev"),
    ("eap", {"keys": [], "agents": ["ops", "42"]}, '>SEC:XSS #a | @from=ops @to="42"', ">SEC:XSS #a | line=1"),
    ("eap-unicode", {"domains": ["SEC"], "keys": []}, "◤SEC::XSS ➔ 📦[#a]", "◤DAT::XSS ➔ 📦[#a]"),
    (
        "silp-ir",
        {"actions": ["START"]},
        '{"intent":"!START","meta":{"req_id":"0c89bb58"}}',
        '{"intent":"!BOOK","meta":{"req_id":"0c89bb58"}}',
    ),
    (
        "silp-ir",
        {"agents": ["ops"]},
        '{"intent":"!START","meta":{"req_id":"0c89bb58","next_agent":"ops"}}',
        '{"intent":"!START","meta":{"req_id":"0c89bb58","next_agent":"dev"}}',
    ),
    (
        "silp-ir",
        {"domains": ["SEC"]},
        '{"intent":"!START","meta":{"req_id":"0c89bb58","domain":"SEC"}}',
        '{"intent":"!START","meta":{"req_id":"0c89bb58","domain":"DAT"}}',
    ),
    (
        "silp-ir",
        {"keys": ["src"]},
        '{"intent":"!START","entities":[{"id":"src","value":"a"}],"meta":{"req_id":"0c89bb58"}}',
        '{"intent":"!START","entities":[{"id":"tgt","value":"a"}],"meta":{"req_id":"0c89bb58"}}',
    ),
    (
        "silp-json",
        {"keys": ["src", "act"], "actions": ["!BOOK", "EMAIL"]},
        '{"intent":"!BOOK","act":"a","src":"b","action_email":["c"]}',
        '{"intent":"!BOOK","act":"a","tgt":"b"}',
    ),
    ("lingua", {"domains": ["MBK", "0"]}, "👽73|@1", "👽13|@1"),
    ("lingua", {"actions": ["PST"]}, "👽73|@1", "👽71|@1"),
    ("lingua", {"agents": ["agent-b"]}, "👽06|@agent-b", "👽06|@agent-c"),
]


@pytest.mark.parametrize(("format", "names", "inside", "outside"), NARROWED)
def test_a_list_narrows(format: str, names: dict[str, Any], inside: str, outside: str) -> None:
    """A grammar that is narrowed accepts what is of the list, and nothing else."""
    assert fits(format, inside, **names)
    assert not fits(format, outside, **names)
    sabir.decode(inside, format)


CODE = [
    ({"actions": ["BOOK"]}, "book(a)", "start(a)"),
    ({"keys": ["src", "t gt"]}, 'translate(a,src=x,"t gt"=y)', "translate(dst=x)"),
    ({"keys": []}, "translate(a,b)", "translate(src=x)"),
    ({"agents": ["ops"]}, 'start(a) # {"meta":{"sender":"ops"}}', 'start(a) # {"meta":{"sender":"dev"}}'),
    ({"domains": ["SEC"]}, 'start(a) # {"meta":{"domain":"SEC"}}', 'start(a) # {"meta":{"domain":"DAT"}}'),
]


@pytest.mark.parametrize(("names", "inside", "outside"), CODE)
@pytest.mark.parametrize("notation", ["gbnf", "lark"])
def test_a_list_narrows_the_code_frontend(notation: str, names: dict[str, Any], inside: str, outside: str) -> None:
    """The code frontend, which has no regular expression, is narrowed in the notations that it has."""
    accepts = engines.ENGINES[notation]["llguidance"](grammar("silp-code", notation, **names))
    assert accepts(inside)
    assert not accepts(outside)


def test_a_schema_is_narrowed() -> None:
    """Agents and verbs stand in a schema as the only values; slots are act, time and those given."""
    found = json.loads(grammar("silp-json", "json-schema", actions=["BOOK"], agents=["ops"], keys=["src", "time"]))
    assert found["properties"]["intent"] == {"enum": ["!BOOK"]}
    assert [*found["properties"]] == [
        "intent",
        "act",
        "time",
        "src",
        "action_book",
        "constraints",
        "alternatives",
        "ir",
    ]
    assert found["properties"]["ir"]["properties"]["meta"]["properties"]["sender"] == {"enum": ["ops"]}
    entity = json.loads(grammar("silp-ir", "json-schema", keys=["src"]))["properties"]["entities"]["items"]
    assert entity["properties"]["id"] == {"enum": ["act", "time", "src"]}


@pytest.mark.parametrize("format", [format for format in FORMATS if format != "silp-code"])
def test_a_schema_names_its_dialect(format: str) -> None:
    """A JSON Schema says by which dialect it is to be read, and what it is of."""
    names: dict[str, Any] = {"keys": []} if format.startswith("eap") else {}
    found = json.loads(grammar(format, "json-schema", **names))
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert found["type"] == ("object" if format in ("silp-ir", "silp-json") else "string")
    assert found["title"]


# --- words and notations that there are not --------------------------------------------------------------

REFUSED: list[tuple[str, str, dict[str, Any], str, str]] = [
    (
        "slip",
        "gbnf",
        {"anchors": ["RequestReveiw"]},
        "anchors",
        'no anchor "RequestReveiw"; did you mean RequestReview',
    ),
    ("slip", "gbnf", {"anchors": ["requestreview"]}, "anchors", "did you mean RequestReview"),
    ("slip", "gbnf", {"anchors": ["Defer"], "slip_version": "v3"}, "anchors", 'no anchor "Defer"'),
    ("slip", "gbnf", {"agents": ["a b"]}, "agents", "white space"),
    ("slip", "gbnf", {"agents": ["a_b"], "slip_version": "v3"}, "agents", "1 to 20 of A-Z a-z 0-9"),
    ("slip", "gbnf", {"domains": ["SEC"]}, "domains", "slip is not narrowed by domains, but by anchors and agents"),
    ("slip", "gbnf", {"slip_version": "v2"}, "slip_version", 'no "v2" (there are: v1, v3)'),
    ("eap", "gbnf", {"domains": ["SCE"]}, "domains", "a domain of your own is given as +NAME"),
    ("eap", "gbnf", {"domains": ["+sec"]}, "domains", "a domain is 2 to 8 of A-Z 0-9"),
    ("eap", "gbnf", {"actions": ["xss"]}, "actions", "an action is 2 to 16 of A-Z 0-9 _"),
    ("eap", "gbnf", {"keys": ["a b"]}, "keys", "a key has no white space"),
    ("eap", "gbnf", {"keys": ["@from"]}, "keys", "agents"),
    ("eap", "gbnf", {"agents": [""]}, "agents", "white space"),
    ("eap", "regex", {}, "notation", "take gbnf or lark, or name its keys, which may be none"),
    ("silp-code", "json-schema", {}, "notation", "longer than 64000 characters: take gbnf or lark"),
    ("silp-json", "regex", {}, "notation", "or name its actions and its keys"),
    ("silp-json", "gbnf", {"keys": ["intent"]}, "keys", "another use"),
    ("silp-ir", "gbnf", {"actions": ["start"]}, "actions", "an upper-case verb"),
    ("ait", "gbnf", {"domains": ["XYZW"]}, "domains", "there are SEC, security"),
    ("lingua", "gbnf", {"domains": ["G"]}, "domains", "no domain"),
    ("lingua", "gbnf", {"agents": ["a|b"]}, "agents", "may not be empty or hold |"),
    ("ait", "gbnf", {"domains": []}, "domains", "one word at the least"),
    ("ait", "gbnf", {"domains": "SEC"}, "domains", "a list of texts"),
    ("ait", "gbnf", {"domains": 1}, "domains", "a list of texts"),
    ("ait", "gbnf", {"domains": [["SEC"]]}, "domains", "must be text, not list"),
    ("silp-ir", "gbnf", {"agents": ["a\u200bb"]}, "agents", "cannot be seen"),
    ("silp-ir", "gbnf", {"agents": ["\ud800"]}, "agents", "lone surrogate"),
    ("ait", "ebnf", {}, "notation", 'no "ebnf"; did you mean gbnf?'),
    ("sip", "gbnf", {}, "format", 'no "sip"; did you mean slip?'),
    ("xyz", "gbnf", {}, "format", 'no "xyz" (there are:'),
]


@pytest.mark.parametrize(("format", "notation", "names", "path", "said"), REFUSED)
def test_what_there_is_not_is_named(format: str, notation: str, names: dict[str, Any], path: str, said: str) -> None:
    """A word, a format or a notation that there is not is an error that names the argument and what would be right."""
    with pytest.raises(sabir.EncodeError) as caught:
        grammar(format, notation, **names)
    assert caught.value.path == path
    assert said in caught.value.reason


ODD = st.text(st.sampled_from("ab @|/\\\"'[]{}^-&~%#=⁝é文.;*+?$()"), min_size=1, max_size=5)


@pytest.mark.parametrize("format", [format for format in FORMATS if format not in ("ait", "slip", "eap")])
@given(notation=st.sampled_from(["gbnf", "lark"]), agent=ODD, key=ODD)
def test_any_word_that_is_taken_is_escaped(format: str, notation: str, agent: str, key: str) -> None:
    """Whatever signs a name has, a grammar either refuses it or is one that the engines take."""
    try:
        text = grammar(format, notation, agents=[agent], keys=[key])
    except sabir.EncodeError as error:
        assert error.path in ("agents", "keys")
    else:
        engines.ENGINES[notation]["llguidance"](text)


@given(notation=st.sampled_from(["gbnf", "lark", "regex"]), agent=ODD, key=ODD)
def test_any_word_that_is_taken_is_meant(notation: str, agent: str, key: str) -> None:
    """A packet with a key and a sender that a grammar of EAP takes, whatever their signs, is one of its texts."""
    try:
        text = grammar("eap", notation, agents=[agent], keys=[key])
    except sabir.EncodeError as error:
        assert error.path in ("agents", "keys")
    else:
        packet = sabir.EapPacket("request", "SEC", "XSS", "#a", None, {key: 1, "@from": agent})
        assert engines.ENGINES[notation]["llguidance"](text)(sabir.encode(packet))


# --- command line ----------------------------------------------------------------------------------------


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """`sabir grammar` with some arguments."""
    return subprocess.run(
        [sys.executable, "-m", "sabir", "grammar", *arguments],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


def test_the_command_prints_a_grammar() -> None:
    """The command prints the grammar that the function gives, GBNF if nothing else is asked for."""
    done = run("slip", "--anchors", "RequestReview,MetaAck", "--agents", "planner, executor")
    assert done.returncode == 0
    assert done.stdout == grammar("slip", "gbnf", anchors=["RequestReview", "MetaAck"], agents=["planner", "executor"])
    assert 'agent ::= "executor" | "planner"' in done.stdout


def test_the_command_names_no_keys() -> None:
    """An empty list of keys leaves data out, so that the head is a regular expression."""
    done = run("eap", "--as", "regex", "--keys", "", "--domains", "SEC")
    assert done.returncode == 0
    assert re.fullmatch(done.stdout.rstrip("\n"), ">SEC:XSS #ctx4 !9")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["slip", "--anchors", "RequestReveiw"], "--anchors: no anchor"),
        (["ait", "--agents", "a"], "--agents: ait is not narrowed by agents"),
        (["silp-code", "--as", "regex"], "--as: silp-code has no regex"),
        (["morse"], "'morse' is not one of"),
    ],
)
def test_the_command_refuses_with_2(arguments: list[str], said: str) -> None:
    """What the command cannot do for its arguments is a usage error that names the option."""
    done = run(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


# --- trees and notations ---------------------------------------------------------------------------------

SMALL = Grammar("small")
SMALL.rule(
    ROOT,
    seq(
        SMALL.token("sign", chars("]^-\\")),
        SMALL.rule("rest", alt(many(seq("a/", "b"), 2, 2), seq(opt("\n"), runs("\x00\x1f")))),
    ),
)


def test_notations_escape_what_they_must() -> None:
    """Each notation escapes the signs that mean something in it, and what cannot be seen."""
    assert gbnf(SMALL) == (
        '# small\nroot ::= message\nmessage ::= sign rest\nrest ::= "a/b"{2} | "\\n"? [\\x00-\\x1F]\n'
        "sign ::= [\\x2D\\x5C-\\x5E]\n"
    )
    assert lark(SMALL) == (
        '// small\nstart: SIGN rest\nrest: "a/b"{2} | "\\n"? /[\\x00-\\x1F]/\nSIGN: /[\\-\\\\-\\^]/\n'
    )
    assert regex(SMALL) == r"[\-\\-\^](?:(?:a\/b){2}|\n?[\x00-\x1F])"


@given(
    st.lists(st.tuples(st.integers(0, 300), st.integers(0, 40))),
    st.lists(st.tuples(st.integers(0, 300), st.integers(0, 40))),
)
def test_sets_are_sets(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> None:
    """Sets of characters are added, taken away and complemented as sets are."""
    a, b = (runs(*(chr(low) + chr(low + more) for low, more in each)) for each in (one, other))
    for code in range(345):
        char = chr(code)
        inside = (
            any(low <= code <= low + more for low, more in one),
            any(low <= code <= low + more for low, more in other),
        )
        assert (char in a, char in b) == inside
        assert (char in (a | b)) == any(inside)
        assert (char in (a - b)) == (inside[0] and not inside[1])
        assert (char in a.complement()) != inside[0]


NEVER = ("true", "tr", "null", "a")
WORD = Grammar("word")
WORD.rule(ROOT, word(runs("az"), runs("az") | chars("_"), never=NEVER, never_begins="ac_"))


@given(
    st.one_of(st.text("truenlac_", max_size=7), st.sampled_from([*NEVER, "ac_", "ac_t", "ac", "trues", "tru", "nul"]))
)
def test_a_word_is_any_but_some(text: str) -> None:
    """A word is any but those that are never meant, and but those with a beginning that is never meant."""
    meant = bool(re.fullmatch("[a-z][a-z_]*", text)) and text not in NEVER and not text.startswith("ac_")
    assert bool(re.fullmatch(regex(WORD), text)) == meant


def test_words_of_a_word_may_be_all_of_a_beginning() -> None:
    """A beginning of one character leaves out all words that begin with it."""
    small = Grammar("small")
    small.rule(ROOT, word(chars("ab"), chars("ab"), never_begins="a"))
    assert regex(small) == "[b][ab]*"


@given(st.lists(st.sampled_from("abcd"), max_size=6))
def test_some_of_takes_each_once(taken: list[str]) -> None:
    """Some of a list are one or more, each at most once, in their order."""
    small = Grammar("some")
    small.rule(ROOT, some_of(small, "some", list(map(chars, "abcd")), "+"))
    meant = bool(taken) and taken == sorted(set(taken))
    assert bool(re.fullmatch(regex(small), "+".join(taken))) == meant


def test_longer_words_stand_first() -> None:
    """No word stands before a longer one that it begins, for engines that take the first that fits."""
    small = Grammar("words")
    small.rule(ROOT, words(["ab", "abc", "x", "ab"]))
    assert regex(small) == "abc|ab|x"


def test_letters_are_letters() -> None:
    """Each letter that a bare word may have here is one that SILP leaves bare."""
    for low, high in signs.LETTERS.ranges:
        assert outside_word("".join(map(chr, range(low, high + 1)))) == -1


# --- base64 ----------------------------------------------------------------------------------------------


@example(0xD800, 0x3000)
@example(0xD000, 0x900)
@example(0, 0x10FFFF)
@given(st.integers(0, 0x10FFFF), st.integers(0, 0x3000))
def test_runs_of_bytes_are_the_characters(low: int, more: int) -> None:
    """The bytes of a run of characters are those of its characters, surrogates apart, and no others."""
    high = min(low + more, 0x10FFFF)
    found = 0
    for each in utf8(low, high):
        size = 1
        for first, last in each:
            size *= last - first + 1
        found += size
        for end in (0, 1):
            assert low <= ord(bytes(pair[end] for pair in each).decode()) <= high
    assert found == sum(not 0xD800 <= code <= 0xDFFF for code in range(low, high + 1))


def test_base64_of_so_many() -> None:
    """What stands twice to four times in a text does so in its base64."""
    found = Grammar("so many")
    found.rule(ROOT, base64_of(found, "digits", Grammar("inner"), seq("<", many(chars("äb"), 2, 4), ">")))
    accepts = engines.ENGINES["lark"]["llguidance"](lark(found))
    texts = ["<>", "<b>", "<bb>", "<bä>", "<äbä>", "<bäbä>", "<äääb", "<bbbbb>", "<bc>", "bb"]
    taken = [text for text in texts if accepts(base64.b64encode(text.encode()).decode())]
    assert taken == ["<bb>", "<bä>", "<äbä>", "<bäbä>"]


@pytest.fixture(scope="module")
def lingua() -> engines.Accepts:
    """Agent Lingua with two keys of JSON, in llguidance."""
    return engines.ENGINES["lark"]["llguidance"](grammar("lingua", "lark", keys=["t", "c"]))


def in_base64(data: bytes) -> str:
    """A request with a payload of text."""
    return f"👽73|${base64.b64encode(data).decode()}"


@given(data=st.one_of(st.binary(max_size=12), st.text(max_size=8).map(str.encode)))
def test_base64_is_of_text(lingua: engines.Accepts, data: bytes) -> None:
    """Base64 is accepted if and only if it is that of UTF-8 without controls, tabs and line ends apart."""
    try:
        text = data.decode()
        meant = not any((char < " " and char not in "\t\n") or char == "\x7f" for char in text)
    except UnicodeDecodeError:
        meant = False
    assert lingua(in_base64(data)) == meant


@given(
    data=st.fixed_dictionaries(
        {},
        optional={"t": st.one_of(st.text(max_size=5), st.booleans(), st.integers(-999, 999)), "c": st.text(max_size=4)},
    )
)
def test_base64_is_of_json(lingua: engines.Accepts, data: dict[str, Any]) -> None:
    """The base64 of an object of the keys named is accepted, whatever the letters; of none or of others it is not."""
    inner = json.dumps({key: data[key] for key in ("t", "c") if key in data}, ensure_ascii=False, separators=(",", ":"))
    meant = bool(data) and not re.search(r"\\u|[\x7f-\x9f]", inner)
    assert lingua(f"👽73|$j:{base64.b64encode(inner.encode()).decode()}") == meant
    assert not lingua(f"👽73|$j:{base64.b64encode(inner.replace('{', '[').encode()).decode()}")


def test_all_formats_have_gbnf_and_lark() -> None:
    """Each format has a grammar in GBNF and in Lark's notation, whose first rule is what the engines ask for."""
    assert NOTATIONS[:2] == ("gbnf", "lark")
    for format in FORMATS:
        assert "\nroot ::= message\nmessage ::= " in grammar(format, "gbnf")
        assert "\nstart: " in grammar(format, "lark")
