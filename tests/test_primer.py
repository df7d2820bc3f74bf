from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import sabir
from sabir import meter
from sabir.cli import cli, exit_code
from sabir.errors import DecodeError, EncodeError, SabirError
from sabir.primer import FORMATS, LANGUAGES, SIZES, Primer, build, primer
from sabir.primer.assembly import pieces
from sabir.registry import READABLE
from sabir.silp.verbs import APPROVED
from sabir.slip import decode as decode_slip
from sabir.slip import unknown_anchor
from sabir.ucr import Anchor, Codebook, core

DATA: Final = resources.files("sabir.data")


def table(name: str) -> Any:
    """A table of the package's data."""
    return json.loads(DATA.joinpath(f"{name}.json").read_text("utf-8"))


ANCHORS: Final = {row["mnemonic"]: row["canonical"] for row in table("ucr-core")["anchors"]}
EAP: Final = table("eap-names")
AIT: Final = table("ait-dictionary")
LINGUA: Final = table("lingua")
CORRESPONDENCE: Final = {row["anchor"]: row for row in table("correspondence")["verbs"] if row["same"]}

FORGOTTEN: Final = {"eap": {"NEU", "AUD", "UPD", "VAL"}}
"""Codes that mean what another one means, so that nobody needs both."""

WORDS: Final[dict[str, tuple[list[str], list[str]]]] = {
    "slip": ([name for name in ANCHORS if name != "Fallback"], []),
    "silp": ([*(code[1:].lower() for code in APPROVED), *CORRESPONDENCE, "deploy=roll out a build"], []),
    "eap": (
        [*EAP["actions"], *CORRESPONDENCE, "REFUND=pay back", "99=a number"],
        [*EAP["domains"], "PAY=payments", "42=numbers"],
    ),
    "ait": ([row["eap"] for row in AIT["actions"]], [row["value"] for row in AIT["domains"]]),
    "lingua": (
        [*(row["name"] for row in LINGUA["actions"] if row["code"] != "F"), "F=pay back"],
        [row["code"] for row in LINGUA["domains"]],
    ),
}
"""Names of anchors and of domains that may be asked for, by protocol."""

MESSAGE: Final = {
    "silp-code": re.compile(r"(?:if |[a-z_]+\().+"),
    "silp-ir": re.compile(r"\{.*"),
    "silp-json": re.compile(r"\{.*"),
    "slip": re.compile(r"SLIP v1 .*"),
    "eap": re.compile(r"[><=][A-Z0-9]{2,8}:.*"),
    "eap-unicode": re.compile(r"[◤◢▰][A-Z0-9]{2,8}::.*"),
    "ait": re.compile(r"[a-z][0-9a-z][a-z][1-9](?: .*)?"),
    "lingua": re.compile(r"(?:👽|\^[0-9A]|!E[0-6]).*"),
}
"""What a line that is a message looks like."""

BRIEF_AT_MOST: Final = {
    ("silp-code", "en"): 95,
    ("silp-code", "ja"): 115,
    ("silp-json", "en"): 165,
    ("silp-json", "ja"): 180,
    ("silp-ir", "en"): 205,
    ("silp-ir", "ja"): 225,
    ("slip", "en"): 155,
    ("slip", "ja"): 165,
    ("eap", "en"): 145,
    ("eap", "ja"): 170,
    ("eap-unicode", "en"): 175,
    ("eap-unicode", "ja"): 205,
    ("ait", "en"): 125,
    ("ait", "ja"): 135,
    ("lingua", "en"): 325,
    ("lingua", "ja"): 420,
}
"""Tokens of gpt-4o that a brief primer of all words may take: set by hand, so that none grows unseen."""


def protocol(format: str) -> str:
    """Protocol of a format."""
    return "silp" if format.startswith("silp") else "eap" if format.startswith("eap") else format


def subsets(words: list[str]) -> st.SearchStrategy[list[str] | None]:
    """Some of the words, or None for all."""
    return st.none() | st.lists(st.sampled_from(words), min_size=1, max_size=6, unique=True) if words else st.none()


@st.composite
def wishes(draw: st.DrawFn) -> dict[str, Any]:
    """Any format, size and language, with any words and agents that the format has a place for."""
    format = draw(st.sampled_from(FORMATS))
    anchors, domains = WORDS[protocol(format)]
    agent = st.sampled_from(["planner", "executor", "--", "a:b", "審査", "x=1", '"quoted"', "éa", "#ctx4", "if"])
    return {
        "format": format,
        "size": draw(st.sampled_from(SIZES)),
        "lang": draw(st.sampled_from(LANGUAGES)),
        "anchors": draw(subsets(anchors)),
        "domains": draw(subsets(domains)),
        "agents": draw(st.none() | st.lists(agent, min_size=1, max_size=4, unique=True)) if format != "ait" else None,
    }


def made(wish: dict[str, Any]) -> Primer:
    """The primer that is wished for."""
    return build(wish["format"], **{name: value for name, value in wish.items() if name != "format"})


def named_in(text: str, format: str) -> list[str]:
    """Agents that a message names."""
    form = sabir.to_json(sabir.decode(text, format))
    if format == "slip":
        return [form["src"], form["dst"]]
    if format == "lingua":
        return [item["target"] for item in form.get("requests", [])]
    places, keys = (form["data"], ("@from", "@to")) if "data" in form else (form["meta"], ("sender", "next_agent"))
    return [places[key] for key in keys if key in places]


def lines(text: str, start: str) -> list[str]:
    """Rest of the lines of a text that begin so."""
    return [line[len(start) :] for line in text.splitlines() if line.startswith(start)]


# --- every primer, whatever is asked for -----------------------------------------------------------------


def test_every_readable_format_has_a_primer_in_both_languages_and_sizes() -> None:
    """None of the five protocols' formats is without its texts, and both languages say the same things."""
    assert {*FORMATS} == {format.name for format in READABLE if format.kind.name in WORDS}
    assert {*FORMATS} == MESSAGE.keys()
    for format in FORMATS:
        for size in SIZES:
            assert pieces(format, size, "en").keys() == pieces(format, size, "ja").keys()


@given(wishes())
def test_what_looks_like_a_message_is_one(wish: dict[str, Any]) -> None:
    """Each example, each line in the shape of a message and each right form decodes; each wrong form is refused."""
    found, format = made(wish), wish["format"]
    shown = [line for line in found.text.splitlines() if MESSAGE[format].fullmatch(line)]
    right, wrong = lines(found.text, "  ○ "), lines(found.text, "  × ")
    assert {*shown} <= {*found.examples}
    assert [(bad, good) for bad, good in zip(wrong, right, strict=True)] == [*found.slips]
    for text in (*found.examples, *shown, *right):
        sabir.decode(text, format)
        assert text in found.text
    for text in wrong:
        with pytest.raises(DecodeError):
            sabir.decode(text, format)
    assert bool(wrong) is (wish["size"] == "full")


@given(wishes())
def test_a_primer_is_whole(wish: dict[str, Any]) -> None:
    """It ends in one line end, has no blank line and no place left to fill."""
    text = made(wish).text
    assert text.endswith("\n")
    assert all(line.strip() for line in text[:-1].split("\n"))
    assert not re.search("[⟨⟩]", text)
    assert text == primer(wish["format"], **{name: value for name, value in wish.items() if name != "format"})


@given(wishes())
def test_agents_stand_in_the_primer_and_no_others_do(wish: dict[str, Any]) -> None:
    """All names given are listed, and the examples name nobody else."""
    found, format = made(wish), wish["format"]
    if not wish["agents"]:
        return
    assert all(agent in found.text for agent in wish["agents"])
    named = {name for text in found.examples for name in named_in(text, format)}
    nobody = {"-"} if format == "slip" and len(wish["agents"]) == 1 else set()
    assert nobody < named <= {*wish["agents"], *nobody}


@given(wishes())
def test_brief_is_shorter_than_full(wish: dict[str, Any]) -> None:
    """In tokens, for the same words."""
    costs = [meter.count(made({**wish, "size": size}).text) for size in SIZES]
    assert costs[0] < costs[1]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_brief_primer_stays_within_its_limit(format: str, lang: str) -> None:
    """The limit is set by hand, a few tokens above what the primer takes."""
    cost = meter.count(primer(format, lang=lang))
    assert BRIEF_AT_MOST[format, lang] - 12 <= cost <= BRIEF_AT_MOST[format, lang]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_fewer_words_make_a_shorter_primer(format: str, size: str, lang: str) -> None:
    """Narrowed to one anchor, and to one domain where there are domains."""
    anchors, domains = WORDS[protocol(format)]
    whole = meter.count(primer(format, size=size, lang=lang))
    assert meter.count(primer(format, size=size, lang=lang, anchors=anchors[:1])) < whole
    if domains:
        assert meter.count(primer(format, size=size, lang=lang, domains=domains[:1])) < whole


@pytest.mark.parametrize("format", ["silp-code", "silp-json", "silp-ir", "eap", "eap-unicode", "ait"])
@pytest.mark.parametrize("size", SIZES)
def test_examples_hold_to_the_narrow_profile(format: str, size: str) -> None:
    """A strict reader takes what a primer of the protocol's own words shows."""
    for text in build(format, size=size).examples:
        sabir.decode(text, format, strict=True)


# --- the vocabulary stated is what the tables hold -------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_slip_states_the_codebook(lang: str) -> None:
    """All 46 anchors, by name in brief and with what they mean in full; narrowed, those named and Fallback."""
    label = {"en": "Anchors: ", "ja": "Anchors："}[lang]
    assert lines(primer("slip", lang=lang), label) == [" ".join(ANCHORS)]
    glosses = ANCHORS if lang == "en" else table("ucr-ja")
    full = primer("slip", size="full", lang=lang)
    stated = dict(re.findall(r"^([A-Z][A-Za-z]+): (.+)$", full, re.MULTILINE))
    assert stated == glosses
    assert len(stated) == 46
    some = ["MetaAck", "AskStatus", "MetaAck"]
    assert lines(primer("slip", anchors=some, lang=lang), label) == ["MetaAck AskStatus"]
    full = primer("slip", size="full", anchors=some, lang=lang)
    stated = dict(re.findall(r"^([A-Z][A-Za-z]+): (.+)$", full, re.MULTILINE))
    assert stated == {name: glosses[name] for name in ("MetaAck", "AskStatus", "Fallback")}
    assert lines(primer("slip", anchors=["Fallback"], lang=lang), label) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_silp_states_the_approved_verbs(lang: str) -> None:
    """The 13 of the whitelist, as each format writes them; core anchors and own verbs where they are asked for."""
    label = {"en": "Verbs: ", "ja": "動詞："}[lang]
    codes = "!CANCEL !START !EMAIL !FETCH !PROCESS !TRANSLATE !BOOK !ROUTE !SEARCH !UPDATE !SUGGEST !SWITCH !NOTIFY"
    for format, verbs in (("silp-ir", codes), ("silp-json", codes), ("silp-code", codes.replace("!", "").lower())):
        assert lines(primer(format, lang=lang), label) == [verbs]
        (stated,) = lines(primer(format, size="full", lang=lang), label)
        assert [entry.split()[0] for entry in re.split(", |、", stated)] == verbs.split()
    own = primer("silp-code", anchors=["!BOOK", "EMAIL", "RequestReview", "deploy=roll out"], lang=lang)
    assert lines(own, label) == ["book email request_review deploy (roll out)"]
    full = primer("silp-json", anchors=["RequestReview", "deploy=roll out"], lang=lang, size="full")
    review = {"en": "!REQUEST_REVIEW Request review of work, ", "ja": "!REQUEST_REVIEW レビューの依頼、"}[lang]
    assert lines(full, label) == [f"{review}!DEPLOY roll out"]


@pytest.mark.parametrize(("format", "signs"), [("eap", "><="), ("eap-unicode", "◤◢▰")])
def test_eap_states_its_names(format: str, signs: str) -> None:
    """All codes of the table but those that repeat another; each action under the sign that it is meant with."""
    (domains,) = lines(primer(format), "Domains: ")
    assert {*domains.split()} == EAP["domains"].keys() - FORGOTTEN["eap"]
    stated = [line.split() for sign in signs for line in lines(primer(format), f"{sign} ") if line[0].isupper()]
    assert {code for codes in stated for code in codes} == EAP["actions"].keys() - FORGOTTEN["eap"]
    assert [("XSS" in codes, "VUL" in codes, "ACK" in codes) for codes in stated] == [
        (True, False, False),
        (False, True, False),
        (False, False, True),
    ]
    full = primer(format, size="full")
    for label in ("Domains: ", *(f"Actions with {sign}: " for sign in signs)):
        (line,) = lines(full, label)
        known = EAP["domains"] if label == "Domains: " else EAP["actions"]
        for entry in line.split(", "):
            code, _, meaning = entry.partition(" ")
            assert meaning == known[code]["en"]
    (line,) = lines(primer(format, size="full", lang="ja"), f"{signs[1]} で使う ACTION：")
    assert line.split("、")[:2] == ["OK 正常", "DONE 完了"]


def test_eap_takes_core_anchors_and_codes_of_a_project() -> None:
    """An anchor stands for the action that corresponds to it; an own code is shown with its meaning, even in brief."""
    anchors, domains = ["AcceptWithCondition", "REFUND=pay back"], ["SEC", "PAY=payments", "NEU"]
    brief = primer("eap", anchors=anchors, domains=domains)
    assert lines(brief, "Domains: ") == ["SEC PAY (payments) NEU"]
    assert lines(brief, "> ") == ["request, < response, = status; !1-9 (9 highest) and | data optional", "REFUND (pay back)"]
    assert lines(brief, "< ") == ["ACCEPT_COND"]
    assert lines(brief, "= ") == []
    full = primer("eap", size="full", anchors=anchors, domains=domains)
    assert lines(full, "Domains: ") == ["SEC security, PAY payments, NEU NeuroState"]
    assert lines(full, "Actions with <: ") == ["ACCEPT_COND Yes, under a condition"]


def test_ait_states_its_dictionary() -> None:
    """Characters and values of the default dictionary; narrowed by character, by name or by EAP's code."""
    brief = primer("ait")
    for label, rows in (("domain: ", AIT["domains"]), ("action: ", AIT["actions"])):
        assert lines(brief, label) == [" ".join(f"{row['code']}={row['value']}" for row in rows)]
    some = primer("ait", domains=["s", "refactor", "OBS"], anchors=["XSS", "fix", "u"])
    assert lines(some, "domain: ") == ["s=security r=refactor o=observability"]
    assert lines(some, "action: ") == ["x=xss f=fix u=update"]
    full = primer("ait", size="full", lang="ja", domains=["s", "d"], anchors=["m"])
    assert lines(full, "領域：") == ["s セキュリティ、d データ"]
    assert lines(full, "動作：") == ["m 要約"]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_lingua_states_its_tables(size: str, lang: str) -> None:
    """All domains and actions, and the modifiers but for those of payloads that no model can write."""
    text = primer("lingua", size=size, lang=lang).lower()
    labels = {"en": ("domains: ", "actions: ", "modifiers: "), "ja": ("領域：", "動作：", "修飾：")}[lang]
    for label, rows in zip(labels, (LINGUA["domains"], LINGUA["actions"], LINGUA["modifiers"]), strict=True):
        told = [f"{row['code']} {row[lang]}".lower() for row in rows if (rows, row["code"]) not in _SEALED]
        assert lines(text, label) == [("、" if lang == "ja" else ", ").join(told)]
    for rows in (LINGUA["statuses"], LINGUA["errors"]):
        assert all(f"{row['code']} {row[lang]}".lower() in text for row in rows)


_SEALED: Final = [(LINGUA["modifiers"], "7"), (LINGUA["modifiers"], "8")]


def test_lingua_is_narrowed_by_code_or_name_and_extended_where_the_protocol_lets_it() -> None:
    """F is kept for extensions and gets its meaning; other codes keep theirs."""
    text = primer("lingua", domains=["MSG", "F=payments"], anchors=["GET", "3"])
    assert lines(text, "domains: ") == ["1 message, F payments"]
    assert lines(text, "actions: ") == ["1 read, 3 send"]


def test_anchors_of_an_extended_codebook_are_taught() -> None:
    """Its own anchors are listed, shown in examples that its codebook reads, and explained."""
    own = Anchor(0x8000, "RequestDeploy", "Request that a build go live", (3, 4, 0, 5))
    found = build("slip", anchors=[own, "MetaAck"], size="full")
    assert "RequestDeploy: Request that a build go live" in found.text.splitlines()
    book = core().with_extension(own)
    anchors = {decode_slip(text, codebook=book).anchor.mnemonic for text in found.examples}
    assert anchors == {"RequestDeploy", "MetaAck", "Fallback"}
    for impostors in ([Anchor(0x8000, "MetaAck", "another", (7, 4, 4, 3))], [own, Anchor(0x8001, "RequestDeploy", "Go live", (3, 4, 0, 5))]):
        with pytest.raises(EncodeError, match="another anchor is called") as caught:
            primer("slip", anchors=impostors)
        assert caught.value.path == f"anchors[{len(impostors) - 1}]"
    with pytest.raises(EncodeError, match="an index is 0 to 0xFFFF") as caught:
        primer("slip", anchors=["MetaAck", unknown_anchor("RequestLater")])
    assert caught.value.path == "anchors[1].index"
    assert lines(primer("silp-code", anchors=[core().by_mnemonic("RequestReview")]), "Verbs: ") == ["request_review"]


def test_of_the_telling_examples_those_are_taken_whose_words_are_taught() -> None:
    """The first example of a brief primer, with all words and with few."""
    first: dict[tuple[str, ...], str] = {
        ("slip",): 'SLIP v1 planner executor RequestReview auth_module "check the login"',
        ("slip", "MetaAck", "Defer", "EvalNeedsWork"): 'SLIP v1 planner executor EvalNeedsWork auth_module "tests are missing"',
        ("slip", "Fallback"): 'SLIP v1 planner executor Fallback "the office is closed today"',
        ("slip", "ErrorResource"): 'SLIP v1 planner executor ErrorResource ticket_api "no answer for 30 s"',
        ("eap",): '>SEC:XSS #ctx4 !9 | line=42 note="login form"',
        ("eap", "VUL"): '<SEC:VUL #ctx4 !9 | line=42 note="login form"',
        ("ait",): "s4x9",
        ("ait", "f", "m"): "d4m9",
        ("lingua",): "👽131|@H|$r:server is down!",
        ("lingua", "DEL"): "👽041|@H|$r:server is down!",
    }
    for (format, *anchors), text in first.items():
        assert build(format, anchors=anchors or None).examples[0] == text


# --- what is refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("format", "arguments", "path", "reason"),
    [
        ("morse", {}, "format", 'no format "morse"'),
        ("silp-natural", {}, "format", "no format"),
        ("slip", {"size": "tiny"}, "size", "must be brief or full, not 'tiny'"),
        ("slip", {"lang": "fr"}, "lang", "must be en or ja, not 'fr'"),
        ("slip", {"anchors": ["RequestReveiw"]}, "anchors[0]", 'slip has no anchor "RequestReveiw"; did you mean RequestReview?'),
        ("slip", {"anchors": ["MetaAck", "zzz"]}, "anchors[1]", "(there are: ObserveState, "),
        ("slip", {"anchors": ["Deploy=roll out"]}, "anchors[0]", "slip has no anchor"),
        ("slip", {"anchors": [7]}, "anchors[0]", "must be text, not int"),
        ("slip", {"anchors": [["MetaAck"]]}, "anchors", "must be a list of names"),
        ("slip", {"anchors": 7}, "anchors", "must be a list of names"),
        ("slip", {"anchors": "MetaAck"}, "anchors", "must be a list of names, not one str"),
        ("slip", {"anchors": []}, "anchors", "name one at least, or leave them out"),
        ("slip", {"domains": ["SEC"]}, "domains", "slip has no domains"),
        ("slip", {"agents": ["a b"]}, "agents[0]", "may not be empty or hold white space"),
        ("slip", {"agents": ["a", ""]}, "agents[1]", "may not be empty"),
        ("slip", {"agents": ["a\u200bb"]}, "agents[0]", "what cannot be seen"),
        ("slip", {"agents": ["-"]}, "agents[0]", "- stands for nobody"),
        ("slip", {"agents": [None]}, "agents[0]", "must be text, not NoneType"),
        ("silp-code", {"domains": ["SEC"]}, "domains", "silp-code has no domains"),
        ("silp-json", {"anchors": ["boook"]}, "anchors[0]", "did you mean book? One of your own is written NAME=meaning"),
        ("silp-code", {"anchors": ["2go=go"]}, "anchors[0]", "a verb is made of letters A-Z and _"),
        ("silp-code", {"anchors": ["escalate=pass on"]}, "anchors[0]", "!ESCALATE is excluded"),
        ("silp-code", {"anchors": ["deploy="]}, "anchors[0]", "a meaning is a few words on one line"),
        ("silp-code", {"anchors": ["deploy=a\nb"]}, "anchors[0]", "a meaning is a few words on one line"),
        ("eap", {"domains": ["SECC"]}, "domains[0]", 'eap has no domain "SECC"; did you mean SEC?'),
        ("eap", {"domains": ["pay=payments"]}, "domains[0]", "a domain is 2 to 8 of A-Z 0-9, not 'pay'"),
        ("eap", {"anchors": ["xsss"]}, "anchors[0]", "did you mean XSS?"),
        ("eap-unicode", {"anchors": ["re-fund=pay back"]}, "anchors[0]", "an action is 2 to 16 of A-Z 0-9 _"),
        ("ait", {"agents": ["a"]}, "agents", "ait names no agents"),
        ("ait", {"domains": ["securty"]}, "domains[0]", 'ait has no domain "securty"; did you mean security?'),
        ("ait", {"anchors": ["RequestReview"]}, "anchors[0]", "ait has no action"),
        ("lingua", {"domains": ["MGS"]}, "domains[0]", 'lingua has no domain "MGS"; did you mean MSG?'),
        ("lingua", {"anchors": ["7=like"]}, "anchors[0]", "only F is kept for extensions, not '7'"),
        ("lingua", {"agents": ["a", "b|c"]}, "agents[1]", "may not be empty or hold |"),
    ],
)
def test_what_cannot_be_taught_is_refused_with_its_place(
    format: str, arguments: dict[str, Any], path: str, reason: str
) -> None:
    """An `EncodeError` names the argument, and the closest word where one is unknown."""
    with pytest.raises(EncodeError) as caught:
        primer(format, **arguments)
    assert caught.value.path == path
    assert reason in caught.value.reason


# --- the command -----------------------------------------------------------------------------------------


def prompt(*args: str) -> Result:
    """Run `sabir prompt` in this process."""
    return CliRunner().invoke(cli, ["prompt", *args])


def code_of(done: Result) -> int:
    """Exit code, with the one that `main` gives an error of the library or of a file."""
    return exit_code(done.exception) if isinstance(done.exception, SabirError) else done.exit_code


def test_the_prompt_goes_to_standard_output_and_its_cost_to_standard_error() -> None:
    """A line for each tokenizer, with vocabulary and hash; nothing else beside the prompt."""
    done = prompt("eap", "--lang", "ja", "--anchors", "XSS, VUL", "--domains", "SEC", "--agents", "a,b")
    text = primer("eap", lang="ja", anchors=["XSS", "VUL"], domains=["SEC"], agents=["a", "b"])
    assert (done.exit_code, done.stdout) == (0, text)
    costs = done.stderr.splitlines()
    assert costs[0] == f"gpt-4o: {meter.count(text)} tokens (o200k_base, sha256 446a9538cb6c)"
    assert [line.partition(":")[0] for line in costs] == [item.name for item in meter.available()]


def test_json_holds_text_and_costs() -> None:
    """One object, for a program."""
    done = prompt("ait", "--json", "--size", "full")
    found = json.loads(done.stdout)
    assert {name: found[name] for name in ("format", "size", "lang")} == {"format": "ait", "size": "full", "lang": "en"}
    assert found["text"] == primer("ait", size="full")
    assert found["tokens"]["gpt-4o"] == meter.count(found["text"])


def test_without_a_tokenizer_the_command_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The prompt is printed all the same, and nothing is guessed."""
    monkeypatch.setattr(meter, "available", tuple)
    done = prompt("ait")
    assert (done.exit_code, done.stdout) == (0, primer("ait"))
    assert done.stderr == "no tokenizer installed, so tokens are not counted: pip install 'sabir[meter]'\n"


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["slip", "--anchors", "RequestReveiw"], "did you mean RequestReview?"),
        (["eap", "--domains", "SECC"], "did you mean SEC?"),
        (["slip", "--domains", "SEC"], "slip has no domains"),
        (["slip", "--anchors", ","], "name one at least"),
        (["morse"], "is not one of"),
        (["slip", "--size", "tiny"], "is not one of"),
        (["ait", "--codebook", "x"], "--codebook is for slip"),
        ([], "Missing argument"),
    ],
)
def test_slips_of_usage_leave_with_2(args: list[str], reason: str) -> None:
    """The reason stands on standard error, the closest name with it, and no prompt on standard output."""
    done = prompt(*args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert reason in done.stderr


def test_a_codebook_of_an_installation_is_taught(tmp_path: Path) -> None:
    """All of its anchors, or those named; what is wrong with the file or a name is said with the right exit code."""
    own = Anchor(0x8000, "RequestDeploy", "Request that a build go live", (3, 4, 0, 5))
    path = tmp_path / "book.json"
    path.write_text(json.dumps(core().with_extension(own).to_json()), "utf-8")
    assert lines(prompt("slip", "--codebook", str(path)).stdout, "Anchors: ") == [
        " ".join([*(name for name in ANCHORS if name != "Fallback"), "RequestDeploy"])
    ]
    some = prompt("slip", "--codebook", str(path), "--anchors", "RequestDeploy,MetaAck")
    assert some.stdout == primer("slip", anchors=[own, "MetaAck"])
    slip = prompt("slip", "--codebook", str(path), "--anchors", "RequestDeplo")
    assert (slip.exit_code, "did you mean RequestDeploy" in slip.stderr) == (2, True)
    assert code_of(prompt("slip", "--codebook", str(tmp_path / "none.json"))) == 1  # a FileError, which main makes 3
    path.write_bytes(b"\xff")
    assert code_of(prompt("slip", "--codebook", str(path))) == 1
    path.write_text("{}", "utf-8")
    assert code_of(prompt("slip", "--codebook", str(path))) == 1
    assert Codebook.from_json(core().to_json()).anchors == core().anchors


def test_the_example_in_the_package_is_what_it_prints() -> None:
    """The docstring's example is run."""
    import doctest

    import sabir.primer

    done = doctest.testmod(sabir.primer)
    assert (done.attempted, done.failed) == (2, 0)
