from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sabir
from sabir import api, meter
from sabir.crossing import same
from sabir.errors import DecodeError, EncodeError, MissingDependency, SabirError, TranslationError
from sabir.meter import forms
from sabir.meter.endpoint import Endpoint
from strategies import MESSAGES

XSS = ">SEC:XSS #ctx4 !9"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No vocabularies but the packaged ones."""
    monkeypatch.setenv("SABIR_CACHE", str(tmp_path))


def test_compare_shows_every_format_with_its_tokens() -> None:
    """The published spellings of one message have their published counts, and the baselines do not come back."""
    found = {form.format: form for form in meter.compare(XSS, ["gpt-4o", "gpt-4"])}
    assert [*found] == [format.name for format in sabir.formats() if format.name != "silp-llmlingua2"]
    assert found["eap"].tokens == {"gpt-4o": 9, "gpt-4": 9}
    assert found["eap-unicode"].tokens["gpt-4o"] == 17
    assert found["ait"].text == "s4x9"
    assert found["ait"].tokens["gpt-4o"] == 4
    assert {name for name, form in found.items() if form.lossless} == {item.name for item in sabir.formats() if item.lossless}


def test_compare_takes_all_that_are_available_and_a_message() -> None:
    """Without names, every tokenizer that is here counts; a message is as good as its text."""
    message = sabir.decode(XSS)
    assert meter.compare(message) == meter.compare(XSS)
    assert [*meter.compare(XSS, among=["eap"])[0].tokens] == [item.name for item in meter.available()]


def test_what_a_format_cannot_hold_is_refused_with_its_reason() -> None:
    """AIT has no place for other content: no text, no tokens, and why."""
    form = meter.compare("SLIP v1 a b RequestReview auth_module", ["gpt-4o"], among=["ait"])[0]
    assert (form.text, form.tokens, form.lossless) == ("", {}, False)
    assert "cannot hold this message" in form.refused


def test_the_cheapest_form_is_the_one_of_fewest_tokens() -> None:
    """Four tokens of AIT beat all others; among those that are allowed, nine of EAP do."""
    assert meter.cheapest(XSS) == forms.Form("ait", "s4x9", lossless=True, tokens={"gpt-4o": 4})
    assert meter.cheapest(XSS, "gpt-4", among=["silp-code", "eap"]).format == "eap"
    assert meter.cheapest(sabir.decode(XSS), Endpoint(len), among=["eap", "slip"]).tokens == {"counter": 17}


def test_of_equally_cheap_forms_the_shorter_wins() -> None:
    """Where tokens are equal, characters decide, then the order of the table."""
    nothing = Endpoint(lambda _: 0)
    assert meter.cheapest(XSS, nothing).format == "ait"
    assert meter.cheapest(XSS, nothing, among=["eap", "silp-code"]).format == "eap"


def test_a_form_that_only_compiles_is_never_the_cheapest() -> None:
    """A plain sentence is cheap, and no message comes back from it."""
    with pytest.raises(TranslationError, match="silp-natural: does not come back"):
        meter.cheapest(XSS, among=["silp-natural"])
    with pytest.raises(TranslationError, match=r"ait: .*cannot hold"):
        meter.cheapest("SLIP v1 a b RequestReview auth_module", among=["ait"])
    with pytest.raises(TranslationError, match="no format among those"):
        meter.cheapest(XSS, among=[])


def test_a_form_that_decodes_differently_is_never_the_cheapest(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof is made on the text itself: a translation that lost something, or cannot be read, is not lossless."""
    honest = api.translate

    def forged(message: Any, to: str, format: str | None = None, **options: Any) -> Any:
        done = honest(message, to, format, **options)
        texts = {"slip": "SLIP v1 a b Accept", "silp-code": "("}
        return done if to not in texts else api.Translation(texts[to], done.source, to, lossless=True, native=True)

    monkeypatch.setattr(api, "translate", forged)
    found = {form.format: form for form in meter.compare(XSS, ["gpt-4o"], among=["slip", "silp-code", "eap"])}
    assert {name: form.lossless for name, form in found.items()} == {"slip": False, "silp-code": False, "eap": True}
    assert meter.cheapest(XSS, among=["slip", "silp-code", "eap"]).format == "eap"


@given(st.data())
def test_the_cheapest_form_always_comes_back(data: st.DataObject) -> None:
    """Whatever the message, its cheapest form decodes to it, and none of the lossless forms is cheaper."""
    message = data.draw(st.one_of([*MESSAGES.values()]))
    form = meter.cheapest(message)
    own = next(format for format in sabir.formats() if format.message_type is type(message))
    there = sabir.decode(form.text, form.format, allow_unknown=True)
    back = sabir.translate(there, own.name, form.format, allow_unknown=True).text
    assert same(sabir.decode(back, own.name, allow_unknown=True), message)
    assert form.tokens["gpt-4o"] == min(other.tokens["gpt-4o"] for other in meter.compare(message, ["gpt-4o"]) if other.lossless)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("no message at all",), DecodeError),
        ((17,), EncodeError),
        ((XSS, ["gpt-9"]), EncodeError),
        ((XSS, ["claude"]), MissingDependency),
    ],
)
def test_what_cannot_be_compared_is_named(arguments: tuple[Any, ...], error: type[SabirError]) -> None:
    """No message, no tokenizer, no vocabulary: each its own error."""
    with pytest.raises(error):
        meter.compare(*arguments)


def test_an_unknown_format_is_named() -> None:
    """A format that is none is an error with the path of the argument."""
    with pytest.raises(EncodeError, match='among: no format "epa"; did you mean eap'):
        meter.cheapest(XSS, among=["epa"])
