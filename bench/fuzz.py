"""Damaged and invented texts for every decoder, until the time is up.

    python bench/fuzz.py [--seconds 60] [--each] [--format slip] [--seed 1] [--first 0]

Texts are made of the conformance vectors and the example traffic: cut, doubled, spliced and peppered with what
decoders trip over; JSON ones also along their structure. Text number n of a seed is always the same, so
`--seed S --first N --count 1` shows a fault again.

Faults are: anything but `DecodeError` (`TranslationError` of a translation to AIT); an error whose span lies outside
of the text, whose text is another, or that cannot be printed; a message that `encode` and `decode`, its JSON form, or
a format it is translated to and back from, changes; a strict reading that says something else; a decoder and its
checks that take more than five seconds of processor time for one text. Exit code 1 says that there was one.
"""

from __future__ import annotations

import argparse
import base64
import copy
import json
import random
import re
import signal
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import sabir
from sabir.crossing import same
from sabir.jsontext import dumps, loads
from sabir.registry import READABLE
from timing import table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


ROOT: Final = Path(__file__).parent.parent
NAMES: Final = tuple(format.name for format in READABLE)
_PAYLOAD: Final = re.compile(r"\$(?:j:)?([A-Za-z0-9+/]{4,}={0,2})")
"""A payload of Agent Lingua in base64, of text or of JSON."""
MAX_SECONDS: Final = 5.0
"""Seconds of processor time, which a busy machine does not stretch, for one decoder, one text and all its checks;
what takes longer is stopped, and is a fault."""
MAX_RUN: Final = 5_000
"""Characters of the longest run of one piece."""
MAX_FRAMES: Final = 12
"""Innermost frames of a fault that are shown."""
MAX_KINDS: Final = 20
"""Kinds of fault after which the run stops; of each kind the first is shown."""

HOSTILE: Final[tuple[str, ...]] = (
    *'"\'()[]{}<>=!|#;:,@\\/.+-*%$&~_?^` \t\n\r\0\x7f\x85\xa0\u2028\u2029\u200b\u200d\ufeff\u202e\u061c\u0301',
    *"◤◢▰➔📦⚡⁝👽é語ـ\U0001f468\U00010000\ud800\udfff\uff11٣Ａｔ",
    *(" if ", " and ", " then ", " else ", " else: ", " -> ", " with ", "if ", ": ", "; ", ", ", " # ", " | ", " ⁝ "),
    *("null", "true", "false", "NaN", "Infinity", "-0", "0", "007", "1.0", "1e400", "1e-7", "9" * 20, "9" * 4301),
    *("t+1", "t-2h", "t+1am", "act", "time", "ir", "meta", "req_id", "action_email", "loc=", "!rain", "k="),
    *("<=", ">=", "==", "!=", '""', '"\\"', "\\u0041", "\\ud83d\\udc7d", "\\ud83d", "\\u0000", "\\n", "\\x"),
    *("SLIP v1 ", "SLIP v3 ", "SLIP v9 ", "MetaAck", "Fallback", "Request Task", ">SEC:XSS", " #ctx4", "!9", "s4x9"),
    *('#"a b"', "📦[#", "]", "\ufe0f", "start()", "//ping code", "{}", "[]", '{"a":1}', '{"a":1,"a":2}'),
    *('{"intent":"!START"}', '{"meta":{"priority":2}}', '{"silp":"v1"}', '{"a":' * 130 + "1" + "}" * 130),
    *("👽73", "👽", "👽 ", ";;", ";;👽71", "^0", "!E2W", "|@1", "|#a", "|~+1d15h", "|%K>100", "|$YQ==", "|$j:e30=", "|$r:", "|$z:"),
    *("%7C", "%3B", "%0A", "%25", "e:YQ==:YQ==", "\n--👽lingua/0.4@agent-lingua", "@verb", "@ir", "@act"),
    *("[" * 200, "{" * 200, "(" * 300, " " * 300, '"' * 300, "\\" * 301),
)
VALUES: Final[tuple[Any, ...]] = (
    None, True, False, 0, -1, 1, 1.0, 0.5, 1e300, 2**53, 2**64 + 1, "", "a", "true", "t+1", "!START", "!start",
    "!A_", "é語", "v1", "v9", "a1b2c3d4", "\u2028", '"', [], {}, ["a"], ["a", "b"], [1], [None], {"a": "b"},
    {"": ""}, {"ir": {}}, {"id": "act", "value": "x"}, {"id": "", "value": ""}, {"type": "x", "value": "y"},
    {"action": "!START"},
)  # fmt: skip
"""JSON values to put in the place of others."""
KEYS: Final = (
    *("intent", "act", "time", "ir", "meta", "entities", "constraints", "alternatives", "action_email", "action", "id"),
    *("value", "type", "operator", "subject", "target", "location", "req_id", "priority", "confidence", "seq", "out"),
    *("next_agent", "session_id", "silp", "version", "slip", "eap", "ait", "", "x y", "é", "sender", "direction"),
    *("lingua", "modifier", "signature", "prefix", "encoding", "@verb", "@from", "@to", "@act", "@priority", "@domain", "@ir", "payload"),
)


# --- texts -----------------------------------------------------------------------------------------------


def corpus() -> list[list[str]]:
    """Texts to begin with, by the format they are in, those in none last; always in the same order."""
    found = [format.example for format in READABLE]
    for path in sorted((ROOT / "tests" / "vectors").glob("*.json")):
        found += [case["text"] for case in json.loads(path.read_text("utf-8")) if "text" in case]
    lines = (ROOT / "examples" / "traffic.jsonl").read_text("utf-8").split("\n")
    found += [json.loads(line)["text"] for line in lines if line]
    groups: dict[str | None, list[str]] = {name: [] for name in (*NAMES, None)}
    for text in dict.fromkeys(found):
        groups[_format(text)].append(text)
    return list(groups.values())


def _format(text: str) -> str | None:
    """The first format that reads a text."""
    for name in NAMES:
        try:
            sabir.decode(text, name)
        except sabir.DecodeError:
            continue
        return name
    return None


def _insert(rng: random.Random, text: str) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(HOSTILE) + text[at:]


def _replace(rng: random.Random, text: str) -> str:
    start, end = _slice(rng, text, 4)
    return text[:start] + rng.choice(HOSTILE) + text[end:]


def _delete(rng: random.Random, text: str) -> str:
    start, end = _slice(rng, text, 8)
    return text[:start] + text[end:]


def _double(rng: random.Random, text: str) -> str:
    start, end = _slice(rng, text, 24)
    return text[:end] + text[start:end] * rng.choice((1, 1, 2, 40)) + text[end:]


def _cut(rng: random.Random, text: str) -> str:
    at = rng.randint(0, len(text))
    return text[:at] if rng.random() < 0.7 else text[at:]


def _swap(rng: random.Random, text: str) -> str:
    start, end = _slice(rng, text, 12)
    to = rng.randint(0, len(text))
    piece, rest = text[start:end], text[:start] + text[end:]
    return rest[:to] + piece + rest[to:]


def _recase(rng: random.Random, text: str) -> str:
    start, end = _slice(rng, text, 12)
    return text[:start] + text[start:end].swapcase() + text[end:]


def _quote(rng: random.Random, text: str) -> str:
    start, end = _slice(rng, text, 16)
    return text[:start] + json.dumps(text[start:end], ensure_ascii=rng.random() < 0.5) + text[end:]


def _random_character(rng: random.Random, text: str) -> str:
    at = rng.randint(0, len(text))
    top = rng.choice((0x7F, 0x7FF, 0xFFFF, 0x10FFFF))
    return text[:at] + chr(rng.randint(0, top)) + text[at:]


def _inside(rng: random.Random, text: str) -> str:
    """One base64 payload changed in what it holds; other texts as they are."""
    found = list(_PAYLOAD.finditer(text))
    if not found:
        return text
    match = rng.choice(found)
    try:
        content = base64.b64decode(match[1]).decode()
    except ValueError:
        return text
    change = _restructured if rng.random() < 0.7 else rng.choice(CHANGES)
    packed = base64.b64encode(change(rng, content).encode("utf-8", "surrogatepass")).decode()
    return text[: match.start(1)] + packed + text[match.end(1) :]


def _run(rng: random.Random, text: str) -> str:
    at = rng.randint(0, len(text))
    piece = rng.choice(HOSTILE)
    return text[:at] + (piece * rng.randint(100, MAX_RUN))[:MAX_RUN] + text[at:]


def _slice(rng: random.Random, text: str, longest: int) -> tuple[int, int]:
    start = rng.randint(0, len(text))
    return start, min(len(text), start + rng.randint(1, longest))


CHANGES: Final[tuple[Callable[[random.Random, str], str], ...]] = (
    *(_insert, _insert, _replace, _replace, _delete, _double, _cut, _swap, _recase, _quote, _random_character),
)


def _restructured(rng: random.Random, text: str) -> str:
    """A JSON text with one to three of its values or keys changed; other texts as they are."""
    try:
        root = json.loads(text)
    except ValueError:
        return text
    for _ in range(rng.randint(1, 3)):
        places = list(_places(root))
        if not places:
            break
        holder, key = rng.choice(places)
        what = rng.random()
        if what < 0.5:
            holder[key] = copy.deepcopy(rng.choice(VALUES))
        elif what < 0.6:
            del holder[key]
        elif isinstance(holder, dict):
            holder[rng.choice(KEYS)] = copy.deepcopy(rng.choice(VALUES))
        else:
            holder.insert(key, copy.deepcopy(rng.choice(VALUES)))
    return json.dumps(root, ensure_ascii=False, separators=(",", ":") if rng.random() < 0.8 else None)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every holder and key in a JSON value."""
    items: Any = ()
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    for key, inner in items:
        yield value, key
        yield from _places(inner)


def text_number(seed: int, number: int, texts: list[list[str]]) -> str:
    """The text of that number, the same every time."""
    rng = random.Random(f"{seed}:{number}")  # noqa: S311  # no secret depends on it
    if rng.random() < 0.03:
        return "".join(rng.choice(HOSTILE) for _ in range(rng.randint(0, 12)))
    text = str(rng.choice(rng.choice(texts)))
    if rng.random() < 0.5:
        text = _inside(rng, _restructured(rng, text))
    if rng.random() < 0.1:
        start, end = _slice(rng, text, len(text) + 1)
        other = rng.choice(rng.choice(texts))
        text = text[:start] + other[_slice(rng, other, len(other) + 1)[0] :] + text[end:]
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 5))):
        text = rng.choice(CHANGES)(rng, text)
    return _run(rng, text) if rng.random() < 0.05 else text


# --- what must hold --------------------------------------------------------------------------------------


class Fault(Exception):  # it is what this program looks for, not an error of its own
    """Something that must hold and does not."""


def _read(text: str, read: Callable[[], Any]) -> Any:
    """The message, or None where the text is refused as it should be."""
    try:
        return read()
    except sabir.DecodeError as error:
        start, end = error.span
        if not 0 <= start <= end <= len(text) + 1:  # one more: something is missing at the end
            raise Fault(f"span outside of the text: {error.span} of {len(text)}, {error.reason}") from error
        if error.text != text:
            raise Fault(f"the error is of another text: {error.text!r}") from error
        if not error.reason.strip():
            raise Fault("no reason given") from error
        str(error).encode()
        return None


def check(text: str, name: str, *, far: bool) -> bool:
    """Whether the format decodes the text; raises what a decoder must not, or a `Fault`.

    Args:
        text: any text.
        name: the format.
        far: also translate to every format and back.
    """
    message = _read(text, lambda: sabir.decode(text, name))
    strict = _read(text, lambda: sabir.decode(text, name, strict=True))
    unknown = _read(text, lambda: sabir.decode(text, name, allow_unknown=True))
    if strict is not None and (message is None or not same(strict, message)):
        raise Fault("a strict reading says something else")
    if message is not None and (unknown is None or not same(unknown, message)):
        raise Fault("a reading that allows unknown anchors says something else")
    if unknown is not None:
        wire = sabir.encode(unknown, name)
        again = sabir.decode(wire, name, allow_unknown=True)
        if not same(again, unknown):
            raise Fault(f"encode, decode gives another message: {wire!r}")
        if sabir.encode(again, name) != wire:
            raise Fault(f"the canonical text is not stable: {wire!r}")
        str(sabir.explain(unknown)).encode()
        if far:
            _check_far(unknown, name)
    if far:
        _read(text, lambda: sabir.decode_all(text, name))
        _read(text, lambda: sabir.decode(text, name, strict=True, allow_unknown=True))
    if message is not None:
        _check_known(message, name, far=far)
    return message is not None


def _check_far(message: Any, name: str) -> None:
    """As messages, through the IR into every format and back; unlike texts, these may hold an unknown anchor."""
    for target in NAMES:
        try:
            there = sabir.from_ir(sabir.to_ir(message), target)
        except sabir.TranslationError as error:
            if target != "ait":
                raise Fault(f"no message of {target}: {error}") from error
            continue
        if not same(sabir.from_ir(sabir.to_ir(there), name), message):
            raise Fault(f"another message through the IR and {target}: {there!r}")


def _check_known(message: Any, name: str, *, far: bool) -> None:
    form = sabir.to_json(message)
    if not same(sabir.from_json(name, loads(dumps(form))), message):
        raise Fault(f"another message by way of its JSON form: {form!r}")
    for target in NAMES if far else ():
        try:
            there = sabir.translate(message, target, name)
        except sabir.TranslationError as error:
            if target != "ait":
                raise Fault(f"refused by {target}: {error}") from error
            continue
        back = sabir.translate(there.text, name, target)
        if not same(sabir.decode(back.text, name), message):
            raise Fault(f"another message by way of {target}: {there.text!r}")


def detection(text: str) -> str | None:
    """The format found, if any; refusals are checked like those of the decoders."""
    found: list[str | None] = [None]

    def read() -> Any:
        found[0] = sabir.detect(text)
        return sabir.decode(text) if found[0] else sabir.decode_all(text)

    _read(text, read)
    return found[0]


def kind_of(error: Exception) -> str:
    """What faults with one cause have in common: the kind of error and where in the library it left."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    inside = [frame for frame in frames if "sabir" in Path(frame.f_code.co_filename).parts]
    last = inside[-1] if inside else frames[-1]
    where = f"{Path(last.f_code.co_filename).name}, {last.f_code.co_name}"
    return f"{type(error).__name__} in {where}" if not isinstance(error, Fault) else str(error).partition(":")[0]


class _Watch:
    """Stops what takes longer than `MAX_SECONDS` with a `Fault`, so that no text can hold up the run."""

    def __enter__(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)

    @staticmethod
    def ring(*_: object) -> None:
        """Handler of the alarm."""
        raise Fault(f"too slow: more than {MAX_SECONDS:g} s")


def run(
    names: tuple[str, ...], seed: int, first: int, count: int, seconds: float
) -> tuple[int, Counter[tuple[str, str]], Counter[str]]:
    """Check texts until there are enough: how many they were, outcomes by decoder, faults by kind."""
    texts = corpus()
    outcomes: Counter[tuple[str, str]] = Counter()
    kinds: Counter[str] = Counter()
    deadline = time.monotonic() + seconds
    number = first
    while number < first + count and time.monotonic() < deadline and len(kinds) < MAX_KINDS:
        text = text_number(seed, number, texts)
        for name in names:
            try:
                with _Watch():
                    found = detection(text) is not None if name == "detect" else check(text, name, far=number % 4 == 0)
                outcomes[name, "decoded" if found else "refused"] += 1
            except Exception as error:  # noqa: BLE001  # whatever it is, it is a fault to be shown
                kind = kind_of(error)
                outcomes[name, "faults"] += 1
                kinds[kind] += 1
                if kinds[kind] == 1:
                    print(f"--- {kind}: seed {seed}, text {number}, {name}\n{text!a}", file=sys.stderr)
                    trace = "".join(traceback.format_exception(error, limit=-MAX_FRAMES))
                    print(trace.encode("ascii", "backslashreplace").decode(), file=sys.stderr)
        number += 1
    return number - first, outcomes, kinds


def main() -> int:
    """Run until the time is up, and print the counts."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--seconds", type=float, default=60, help="how long to run, in all")
    parser.add_argument("--each", action="store_true", help="run that long for each decoder, one after the other")
    parser.add_argument(
        "--format", action="append", default=[], choices=(*NAMES, "detect"), help="only this decoder; may be repeated"
    )
    parser.add_argument("--seed", type=int, default=1, help="which sequence of texts")
    parser.add_argument("--first", type=int, default=0, help="number of the first text")
    parser.add_argument("--count", type=int, default=sys.maxsize, help="how many texts at most")
    options = parser.parse_args()
    signal.signal(signal.SIGPROF, _Watch.ring)
    names = tuple(dict.fromkeys(options.format)) or (*NAMES, "detect")
    groups = [(name,) for name in names] if options.each else [names]
    faults: Counter[str] = Counter()
    rows: list[list[str]] = []
    columns = ("decoded", "refused", "faults")
    for group in groups:
        done, outcomes, kinds = run(group, options.seed, options.first, options.count, options.seconds)
        faults += kinds
        rows += [[name, str(done), *(str(outcomes[name, column]) for column in columns)] for name in group]
    print(table((":decoder", "texts", *columns), rows))
    print(f"seed {options.seed}, from text {options.first}; {sum(faults.values())} faults of {len(faults)} kinds")
    for kind, times in faults.most_common():
        print(f"  {times} times: {kind}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
