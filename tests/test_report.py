"""What a log costs: distributions, forms of a message, prices, break-even, the whole report."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sabir
from sabir import meter
from sabir.errors import EncodeError
from sabir.logs.entries import Entry, Repeat, Unread, Usage
from sabir.registry import BY_NAME, READABLE
from sabir.report import FORMS, SCALES, Price, Report, Scale, Spread, summary
from sabir.report import collect as collecting
from sabir.report.collect import Cost
from sabir.report.forms import texts
from sabir.report.gather import BATCH, gather
from sabir.report.money import break_even, primer_tokens, year
from sabir.report.prices import defaults, from_file, with_own
from strategies import MESSAGES

TRAFFIC = Path(__file__).parent.parent / "examples" / "traffic.jsonl"


def entry(text: str, session: str = "", **fields: Any) -> Entry:
    """A text that was sent once."""
    return Entry(text, session, "log", 1, **fields)


def cost_of(*pairs: tuple[int, int]) -> Cost:
    """Cost of messages, each of tokens in the format and tokens now."""
    cost = Cost()
    for tokens, now in pairs:
        cost.add(tokens, now)
    return cost


# --- distributions ---------------------------------------------------------------------------------------


@given(st.lists(st.integers(-4096, 4096), min_size=1), st.floats(0, 1))
def test_quantiles_of_small_numbers_are_exact(numbers: list[int], part: float) -> None:
    """The quantile is the smallest number that so large a part does not exceed; count, sum and mean are exact."""
    spread = Spread()
    for number in numbers:
        spread.add(number)
    found = spread.quantile(part)
    assert found is not None
    assert sum(number <= found for number in numbers) >= part * len(numbers)
    assert found == min(numbers) or sum(number < found for number in numbers) < max(1, part * len(numbers))
    assert (spread.count, spread.total) == (len(numbers), sum(numbers))
    assert spread.mean == sum(numbers) / len(numbers)


@given(st.integers(4097, 10**12), st.sampled_from([1, -1]))
def test_large_numbers_are_kept_to_a_thousandth(size: int, sign: int) -> None:
    """Memory stays bounded, and the sum exact."""
    spread = Spread()
    spread.add(sign * size)
    assert spread.total == sign * size
    assert abs(spread.quantile(0.5) - sign * size) <= size / 1000  # type: ignore[operator]  # there is one
    assert [count for _, count in spread.classes()] == [1]


def test_merging_is_adding() -> None:
    """Two parts give the same as the whole; of nothing there is neither mean nor quantile."""
    whole, a, b = Spread(), Spread(), Spread()
    for number in range(100):
        whole.add(number)
        (a if number % 3 else b).add(number)
    a.merge(b)
    assert a.classes() == whole.classes()
    assert (a.count, a.total, a.quantile(0.95)) == (100, 4950, 94)
    assert Spread().mean is None
    assert Spread().quantile(0.5) is None


# --- forms of a message ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [format.name for format in READABLE])
@given(data=st.data())
def test_the_forms_are_those_of_translation(name: str, data: st.DataObject) -> None:
    """Text for text what `sabir.translate` gives, and nothing where it refuses."""
    kind = BY_NAME[name].kind.name
    message = data.draw(MESSAGES[kind].filter(lambda found: not isinstance(found, sabir.SlipMessage) or found.anchor.index >= 0))
    _, forms = texts(message, BY_NAME[name])
    assert list(forms) == [format.name for format in READABLE]
    for target, text in forms.items():
        try:
            wanted = sabir.translate(message, target, name).text
        except sabir.TranslationError:
            assert text is None
        else:
            # A request id is of the text that was read, and an IR's own is kept.
            assert text == wanted


def test_a_format_that_refuses_leaves_the_others_of_its_kind() -> None:
    """silp-ir writes no other version of SILP; silp-code and silp-json hold it."""
    message = sabir.decode('start() # {"silp":"v2"}', "silp-code")
    _, forms = texts(message, BY_NAME["silp-code"])
    assert forms["silp-ir"] is None
    assert forms["silp-code"] == 'start() # {"silp":"v2"}'
    assert forms["silp-json"] == sabir.translate(message, "silp-json").text


# --- money -----------------------------------------------------------------------------------------------


def test_break_even_is_the_primer_over_the_saving() -> None:
    """100 tokens of primer at 3 saved a message are earned after 34; what saves nothing never earns it."""
    assert break_even(cost_of((7, 10), (7, 10)), 100) == 34
    assert break_even(cost_of((7, 10)), 99) == 33
    assert break_even(cost_of((10, 10)), 100) is None
    assert break_even(cost_of((12, 10)), 100) is None
    assert break_even(Cost(), 100) is None


def test_a_year_by_hand() -> None:
    """Ten agents, 500 messages a day, 20 tokens now and 10 then, at 2 and 8 dollars a million, primer of 100."""
    price = Price("gpt-4o", "m", 2.0, 8.0, "2026-06")
    found = year(cost_of((10, 20)), 100, SCALES["startup"], price)
    assert found is not None
    messages = 500 * 365
    assert (found.now_tokens, found.tokens, found.primer_tokens) == (20 * messages, 10 * messages, 100 * 10 * 365)
    assert found.now == pytest.approx(20 * messages * 10 / 1e6)
    assert found.cost == pytest.approx(10 * messages * 10 / 1e6 + 365_000 * 2 / 1e6)
    assert found.saved == pytest.approx(18.25 - 0.73)
    unpriced = year(cost_of((10, 20)), 0, Scale(1, 1), None)
    assert unpriced is not None
    assert unpriced.saved is None
    assert year(Cost(), 0, Scale(1, 1), None) is None


def test_a_message_is_written_once_and_read_by_some() -> None:
    """Output price once, input price for each reader."""
    price = Price("x", "x", 2.0, 8.0, "yours")
    assert price.of_message(1_000_000) == 10
    assert price.of_message(1_000_000, readers=3) == 14
    assert price.of_message(1_000_000, readers=0) == 8


def test_a_primer_is_counted_where_there_is_one() -> None:
    """The tokens of what `sabir prompt` prints; JSON needs none."""
    from sabir.primer import primer

    assert primer_tokens("slip", "gpt-4o") == meter.count(primer("slip"))
    assert primer_tokens("slip", "gpt-4o", "full") == meter.count(primer("slip", size="full"))
    assert primer_tokens("minified JSON", "gpt-4o") is None


def test_prices_have_their_dates_and_ones_own_come_first(tmp_path: Path) -> None:
    """By option, by file; one amount stands for both sides."""
    assert defaults()["gpt-4o"] == Price("gpt-4o", "gpt-4o", 2.5, 10, "2026-06")
    assert all(len(price.as_of) == 7 for price in defaults().values())
    own = with_own(["gpt-4o=1/2", "mine=0.5"])
    assert own["gpt-4o"] == Price("gpt-4o", "gpt-4o", 1, 2, "yours")
    assert (own["mine"].input, own["mine"].output) == (0.5, 0.5)
    assert own["claude"] == defaults()["claude"]
    file = tmp_path / "prices.json"
    file.write_text('{"gpt-4": {"input": 1, "output": 3, "model": "gpt-4-turbo", "as_of": "2026-11"}}', "utf-8")
    assert from_file(file)["gpt-4"] == Price("gpt-4", "gpt-4-turbo", 1, 3, "2026-11")


@pytest.mark.parametrize("text", ["", "gpt-4o", "=1/2", "gpt-4o=", "gpt-4o=a/b", "gpt-4o=1/2/3", "gpt-4o=-1", "gpt-4o=nan", "gpt-4o=inf/1"])
def test_a_price_of_another_form_is_refused(text: str) -> None:
    """With an example of the right one, or the amount at fault."""
    with pytest.raises(EncodeError) as caught:
        with_own([text])
    assert caught.value.path == "price"


@pytest.mark.parametrize(
    "content", [b"{", b"\xff", b"[]", b'{"a": 1}', b'{"a": {"input": 1}}', b'{"a": {"input": true, "output": 1}}', b'{"a": {"input": "1", "output": 1}}']
)
def test_a_file_of_another_form_is_refused(tmp_path: Path, content: bytes) -> None:
    """No JSON, no object, no amounts."""
    file = tmp_path / "prices.json"
    file.write_bytes(content)
    with pytest.raises(EncodeError):
        from_file(file)


# --- the report ------------------------------------------------------------------------------------------


def test_a_report_by_hand() -> None:
    """Two messages and a sentence: counts of texts, messages, formats, and tokens as counted one by one."""
    report = Report(["gpt-4o"])
    report.add(entry("Here it is: `s4x9`", "s1"))
    report.add(entry("SLIP v1 planner dev RequestReview auth_module", "s2"))
    report.add(entry("No message here; sha1 is no tape.", "s2"))
    assert (report.entries, report.messages, len(report.sessions)) == (3, 2, 2)
    assert report.formats == {"ait": 1, "slip": 1}
    now = [meter.count("s4x9"), meter.count("SLIP v1 planner dev RequestReview auth_module")]
    assert report.now["gpt-4o"].total == sum(now)
    eap = report.costs["gpt-4o", "eap"]
    wanted = [sabir.translate(text, "eap").text for text in ("s4x9", "SLIP v1 planner dev RequestReview auth_module")]
    assert eap.tokens.total == sum(meter.count(text) for text in wanted)
    assert eap.now == sum(now)
    assert report.costs["gpt-4o", "ait"].tokens.count == 1
    assert report.refused["ait"] == 1
    assert report.pairs[("planner", "dev")].messages == 1
    assert report.pairs[("-", "-")].now == now[0]
    assert report.text_tokens["gpt-4o"] == sum(
        meter.count(text) for text in ("Here it is: `s4x9`", "SLIP v1 planner dev RequestReview auth_module", "No message here; sha1 is no tape.")
    )


def test_the_cheapest_form_of_a_pair_may_be_what_it_is() -> None:
    """A pair's best is the sum of each message's cheapest form, its own included."""
    report = Report(["gpt-4o"])
    report.add(entry("s4x9", sender="a", receiver="b"))
    pair = report.pairs[("a", "b")]
    assert pair.best == pair.now == meter.count("s4x9")


def test_what_is_no_entry_is_named() -> None:
    """Repeats by kind with their sizes, unread records with their first places, templates and damaged pieces among them."""
    report = Report([])
    report.add(Repeat("history", "abc", "log", 3))
    report.add(Repeat("history", "de", "log", 4))
    for line in range(10):
        report.add(Unread("no JSON", "log", line, "{oops"))
    report.add(entry("SLIP v1 <src> <dst> <anchor>\n\nSLIP v1 a b Fallbcak x\n"))
    assert report.repeats == {"history": [2, 5]}
    assert report.unread["no JSON"] == 10
    assert report.shown["no JSON"] == [("log", line, "{oops") for line in range(5)]
    assert report.unread["a template of slip"] == 1
    assert any(reason.startswith("slip: unknown anchor") for reason in report.unread)
    assert report.messages == 0


def test_usage_that_the_log_states_is_added_up() -> None:
    """Read and written tokens apart."""
    report = Report([])
    report.add(entry("", usage=Usage(1000, 100)))
    report.add(entry("x", usage=Usage(5, 7)))
    assert report.usage == [1005, 107]
    assert report.entries == 1


def test_a_text_can_be_added_without_a_reader() -> None:
    """As programs do that hold their traffic themselves."""
    report = meter.Report(["gpt-4o"])
    report.add_text("s4x9", session="s1", sender="a", receiver="b")
    assert isinstance(report, Report)
    assert report.pairs[("a", "b")].messages == 1


def test_agents_beyond_the_limit_are_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded: further pairs are counted together, when adding and when merging; further sessions are not told apart."""
    monkeypatch.setattr(collecting, "MAX_PAIRS", 2)
    monkeypatch.setattr(collecting, "MAX_SESSIONS", 2)
    report, other = Report(["gpt-4o"]), Report(["gpt-4o"])
    for number in range(4):
        report.add(entry("s4x9", f"s{number}", sender=f"a{number}"))
    other.add(entry("s4x9", sender="z"))
    report.merge(other)
    assert list(report.pairs) == [("a0", "-"), ("a1", "-"), ("(others)", "(others)")]
    assert report.pairs[("(others)", "(others)")].messages == 3
    assert len(report.sessions) == 2


def _items(count: int) -> list[Any]:
    rng = random.Random(7)  # noqa: S311  # no secret depends on it
    records = [json.loads(line) for line in TRAFFIC.read_text("utf-8").split("\n") if line]
    items: list[Any] = []
    for number in range(count):
        record = rng.choice(records)
        items.append(Entry(record["text"], record["conversation"], "log", number))
        if number % 50 == 0:
            items.append(Unread("no JSON", "log", number, "{"))
            items.append(Repeat("history", "x" * number, "log", number))
    return items


def test_parts_merged_are_the_whole() -> None:
    """A report gathered in parts, in other processes too, says what one gathered at once says."""
    items = _items(BATCH + 200)
    whole = gather(items, ["gpt-4o", "gpt-4"])
    prices = defaults()
    wanted = summary(whole, prices=prices, scale=SCALES["scale-up"])
    a, b = Report(["gpt-4o", "gpt-4"]), Report(["gpt-4o", "gpt-4"])
    for number, item in enumerate(items):
        (a if number % 2 else b).add(item)
    a.merge(b)
    assert summary(a, prices=prices, scale=SCALES["scale-up"]) == wanted
    seen: list[int] = []
    shared = gather(iter(items), ["gpt-4o", "gpt-4"], jobs=2, done=seen.append)
    assert summary(shared, prices=prices, scale=SCALES["scale-up"]) == wanted
    assert sum(seen) == len(items)


def test_batches_wait_for_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """More batches than may wait are taken in as they are done, and none is lost."""
    monkeypatch.setattr("sabir.report.gather.BATCH", 5)
    monkeypatch.setattr("sabir.report.gather.AHEAD", 1)
    items = [Entry("s4x9", "", "log", number) for number in range(40)]
    seen: list[int] = []
    report = gather(items, ["gpt-4o"], jobs=2, done=seen.append)
    assert report.messages == 40
    assert seen == [5] * 8


def test_the_summary_says_all_forms_with_their_losses() -> None:
    """Each form with messages held and refused, its share saved (negative where it costs more), money and the year."""
    report = Report(["gpt-4o"])
    report.add(entry("s4x9"))
    said = summary(report, prices=defaults(), scale=Scale(2, 10), readers=2)
    assert json.loads(json.dumps(said)) == json.loads(json.dumps(said))
    [item] = said["tokenizers"]
    assert item["price"]["as_of"] == "2026-06"
    forms = {form["form"]: form for form in item["forms"]}
    assert list(forms) == list(FORMS)
    eap = meter.count(">SEC:XSS #ctx4 !9")
    assert forms["eap"]["tokens"]["total"] == eap == 9
    assert forms["eap"]["saved"] == (4 - 9) / 4
    assert forms["eap"]["break_even"] is None
    assert forms["eap"]["year"]["saved"] < 0
    assert forms["eap"]["cost"] == pytest.approx(9 * (10 + 2 * 2.5) / 1e6)
    assert forms["minified JSON"]["primer"] is None
    assert not forms["minified JSON"]["lossless"]
    assert said["scale"] == {"agents": 2, "per_day": 10}
    assert said["usage"] is None


def test_without_a_message_or_a_price_there_are_no_figures() -> None:
    """No share, no money, no year; and nothing fails."""
    report = Report(["qwen3"])
    report.add(entry("only prose"))
    report.add(entry("more", usage=Usage(1, 2)))
    said = summary(report, prices={}, scale=SCALES["startup"])
    [item] = said["tokenizers"]
    assert item["price"] is None
    assert item["cost_now"] is None
    assert all(form["saved"] is None and form["year"] is None and form["break_even"] is None for form in item["forms"])
    assert said["usage"] == {"input": 1, "output": 2}
    assert summary(report, prices={})["scale"] is None
