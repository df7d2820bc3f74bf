"""What decoding and encoding cost, for every format and three sizes of message.

    python bench/codec.py [--repeats 15] [--only slip]

Figures are microseconds and units; one unit is an `orjson.loads` of a 120-byte document in the same run.
Beside them stand the protocol's own reference, in units of the machine where it was measured, and the bar: decode
in at most half of the reference's time; encode in at most the reference's on medium and large messages, and in at
most one microsecond of that machine (2.44 units) on small ones. The last two columns say how many times longer
ours takes than orjson, and than msgspec with a type, for the same message as JSON.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import orjson

import sabir
from timing import DOCUMENT, Cell, conditions, measure, table

if TYPE_CHECKING:
    from collections.abc import Iterator

THERE: Final = 0.41
"""Microseconds that the unit took where the references were measured."""
SMALL_BAR: Final = 1 / THERE
"""Units that encoding a small message may take: one microsecond there."""
SIZES: Final = ("small", "medium", "large")

Texts = tuple[str, str, str]
Times = tuple[float, float, float]

_LARGE_SILP: Final = (
    "if budget<=500 and rating>=4.0 and !rain(t+1): book(hotel,downtown,t+5); email(zhangsan)"
    " else: search(hostel@suburb); notify(boss@office1)"
)
"""Three constraints, three arguments, one secondary action, two alternatives: 138 characters."""
_WORDS: Final = (
    "check the pod logs of the cluster for OOMKilled events since nine and restart what failed so far"
)
"""18 tokens."""
SILP: Final[Texts] = (
    "cancel(flight)",
    "if loc(me,Beijing,t+1am): cancel(flight); email(zhangsan)",
    _LARGE_SILP,
)
SLIP: Final[Texts] = (
    "SLIP v1 planner executor MetaAck",
    "SLIP v1 planner executor RequestReview auth_module security urgent",
    f"SLIP v1 devops sre Fallback {_WORDS}",
)
SLIP_V3: Final[Texts] = (
    "SLIP v3 planner executor Meta Ack",
    "SLIP v3 planner executor Request Review auth security urgent",
    f"SLIP v3 devops sre Request Task {_WORDS}",
)
EAP: Final[Texts] = (
    ">SEC:XSS #ctx4 !9",
    '>SEC:XSS #ctx4 !9 | payload="<script>" line=42 fixed=false',
    '<SEC:VUL #ctx4 !7 | file=src/app.py line=42 fixed=false score=0.75 note="a second look" by=scanner',
)
AIT: Final[Texts] = ("s4x9", "s5x9 s5q9 r5f9", "s5x9 s5q9 r5f9 d6v7 r6f8 s6a8")
"""One, three and six packets. The reference's times hardly grow from small to large, so its tape is likely to be
one packet throughout, and the bar here the harder one."""

LINGUA: Final[Texts] = (
    "👽16|@qa|#ctx4",
    "👽42|@H|~+1d15h|$bWVldGluZw==\n--👽lingua/0.4@agent-lingua",
    ("👽731|@builders|#post-123|~+30m|%K>100|%T~release|$j:eyJ0IjoicmVsZWFzZSAyLjQgaXMgb3V0IiwiYyI6ImFsbCBj"
    "aGVja3MgcGFzc2VkOyBzZWUgdGhlIG5vdGVzIiwic20iOiJidWlsZGVycyIsImwiOjIwLCJvayI6dHJ1ZX0=\n--👽lingua/0.4@agent-lingua"),
)


class Row(NamedTuple):
    """A format's messages, and the microseconds of the protocol's reference where it has one."""

    label: str
    format: str
    source: str
    texts: Texts
    encode: Times | None = None
    decode: Times | None = None


ROWS: Final = (
    Row("silp-code", "silp-code", "silp-code", SILP, (0.6, 3.7, 10.2), (8.0, 17.2, 36.5)),
    Row("silp-json", "silp-json", "silp-code", SILP, (2.1, 4.3, 9.8), (5.6, 8.6, 16.1)),
    Row("silp-ir", "silp-ir", "silp-code", SILP),
    Row("slip v1", "slip", "slip", SLIP, (0.12, 0.18, 0.26), (0.83, 1.24, 2.25)),
    Row("slip v3", "slip", "slip", SLIP_V3, (0.58, 1.20, 3.30), (1.91, 2.45, 4.80)),
    Row("eap", "eap", "eap", EAP, (0.15, 1.24, 2.96), (2.80, 5.94, 11.7)),
    Row("eap-unicode", "eap-unicode", "eap", EAP),
    Row("ait", "ait", "ait", AIT, (1.2, 1.3, 1.4), (2.2, 2.1, 2.1)),
    Row("lingua", "lingua", "lingua", LINGUA),
)


# --- the same messages as plain JSON, for msgspec ----------------------------------------------------------


class _Slip(msgspec.Struct):
    version: str
    src: str
    dst: str
    anchor: str
    payload: list[str]


class _Eap(msgspec.Struct):
    direction: str
    domain: str
    action: str
    target: str
    priority: int | None
    data: dict[str, str | int | float | bool | None]


class _AitPacket(msgspec.Struct):
    domain: str
    target: int
    action: str
    priority: int


class _Ait(msgspec.Struct):
    packets: list[_AitPacket]


class _Payload(msgspec.Struct):
    encoding: str
    value: str | dict[str, str | int | bool]


class _Signature(msgspec.Struct):
    version: str
    source: str


class _Request(msgspec.Struct):
    domain: str
    action: str
    modifier: str | None
    target: str | None
    id: str | None
    time: str | None
    conditions: list[str]
    payload: _Payload | None


class _Lingua(msgspec.Struct):
    kind: str
    prefix: str | None
    requests: list[_Request]
    signature: _Signature | None


class _Entity(msgspec.Struct, omit_defaults=True):
    id: str
    value: str
    action: str | None = None


class _Constraint(msgspec.Struct, omit_defaults=True):
    type: str
    value: str
    time: str | None = None
    subject: str | None = None
    operator: str | None = None


class _Alternative(msgspec.Struct, omit_defaults=True):
    action: str
    target: str | None = None
    location: str | None = None


class _Ir(msgspec.Struct, omit_defaults=True):
    intent: str
    meta: dict[str, str]
    entities: list[_Entity] = []
    constraints: list[_Constraint] = []
    alternatives: list[_Alternative] = []


PLAIN: Final[dict[type[Any], type[msgspec.Struct]]] = {
    sabir.SilpIR: _Ir,
    sabir.SlipMessage: _Slip,
    sabir.EapPacket: _Eap,
    sabir.AitTape: _Ait,
    sabir.LinguaMessage: _Lingua,
}


def plain(message: Any) -> tuple[Any, bytes, type[msgspec.Struct]]:
    """A message's JSON form, the same as bytes, and the type by which msgspec reads it."""
    form = sabir.to_json(message)
    if isinstance(message, sabir.SilpIR):
        form = {"intent": form["intent"], "meta": {"req_id": form["meta"]["req_id"]}} | {
            name: form[name] for name in ("entities", "constraints", "alternatives") if form.get(name)
        }
    return form, orjson.dumps(form), PLAIN[type(message)]


# --- the table ---------------------------------------------------------------------------------------------


def bar(kind: str, at: int, reference: Times | None) -> float | None:
    """Units that are few enough, or None where there is no reference."""
    if reference is None:
        return None
    if kind == "decode":
        return reference[at] / THERE / 2
    return SMALL_BAR if at == 0 else reference[at] / THERE


def lines(row: Row, repeats: int) -> Iterator[tuple[list[str], bool | None]]:
    """The table's lines of a format, and whether each meets its bar."""
    for at, size in enumerate(SIZES):
        message = sabir.decode(row.texts[at], row.source)
        text = sabir.encode(message, row.format)
        form, data, kind = plain(message)
        struct = msgspec.json.decode(data, type=kind)
        encoding = (
            measure(sabir.encode, message, row.format, repeats=repeats),
            measure(orjson.dumps, form, repeats=repeats),
            measure(msgspec.json.Encoder().encode, struct, repeats=repeats),
        )
        decoding = (
            measure(sabir.decode, text, row.format, repeats=repeats),
            measure(orjson.loads, data, repeats=repeats),
            measure(msgspec.json.Decoder(kind).decode, data, repeats=repeats),
        )
        for name, reference, cells in (("encode", row.encode, encoding), ("decode", row.decode, decoding)):
            yield line([row.label, name, size], reference and reference[at], bar(name, at, reference), cells)


def line(
    names: list[str], reference: float | None, limit: float | None, cells: tuple[Cell, Cell, Cell]
) -> tuple[list[str], bool | None]:
    """One line of the table: ours, the reference, the bar, and ours in times of orjson's and of msgspec's."""
    ours, by_orjson, by_msgspec = cells
    met = None if limit is None else ours.units <= limit
    return [
        *names,
        f"{ours.microseconds:.2f}",
        f"{ours.units:.2f}",
        "" if reference is None else f"{reference / THERE:.2f}",
        "" if limit is None else f"{limit:.2f}",
        "" if met is None else "yes" if met else "NO",
        f"{ours.units / by_orjson.units:.1f}",
        f"{ours.units / by_msgspec.units:.1f}",
    ], met


def main() -> None:
    """Print the table."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--repeats", type=int, default=15, help="samples of each cell")
    parser.add_argument("--only", default="", help="only rows whose name begins so")
    options = parser.parse_args()
    found = [
        found
        for row in ROWS
        if row.label.startswith(options.only)
        for found in lines(row, options.repeats)
    ]
    print(conditions())
    head = (":format", ":", ":size", "us", "units", "reference", "bar", ":met", "x orjson", "x msgspec")
    print(table(head, [shown for shown, _ in found]))
    unit = measure(orjson.loads, DOCUMENT, repeats=options.repeats)
    untyped = measure(msgspec.json.Decoder().decode, DOCUMENT, repeats=options.repeats)
    print(f"one unit: {unit.microseconds:.2f} us; msgspec without a type on its document: {untyped.units:.2f} units")
    judged = [met for _, met in found if met is not None]
    print(f"{sum(judged)} of {len(judged)} bars met")


if __name__ == "__main__":
    main()
