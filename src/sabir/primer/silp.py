"""SILP's primers: the code frontend, the JSON frontend and the IR itself."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from sabir.correspondence import ROWS
from sabir.errors import EncodeError
from sabir.primer.parts import Parts, table
from sabir.primer.wish import Wish, Word, choose, glossed, listed, names, turns
from sabir.registry import BY_NAME
from sabir.silp import Alternative, Entity, Meta, SilpIR
from sabir.silp.ir import constraint
from sabir.silp.verbs import APPROVED, EXCLUDED
from sabir.ucr.codebook import core

if TYPE_CHECKING:
    from collections.abc import Callable

    from sabir.silp import Constraint

_UNFIT: Final = "!PROCESS"
"""Action code of a message for what no verb says."""
_WELL: Final = ("!BOOK", "!EMAIL", "!SEARCH")
"""Verbs that make a good first example, where they are among those to teach."""
_SHOWN: Final = 7
"""Verbs that the examples use, from the first again where there are fewer."""
_REQ_ID: Final = "a1b2c3d4"
_is_verb = re.compile(r"[A-Z][A-Z_]*").fullmatch


def parts(wish: Wish, texts: dict[str, Any]) -> Parts:
    """Verbs, examples and frequent errors."""
    wish.refuse("domains", "has no domains: its verbs say what a message is about")
    verbs = _verbs(wish, texts)
    shown = [replace(word, name=_spelled(wish, word.value)) for word in verbs]
    say = _Speaker(wish, texts)
    codes = turns(sorted((word.value for word in verbs), key=_rank), _SHOWN)
    write = BY_NAME[wish.format].write
    unfit = write(say.made(_UNFIT, [Entity(id="act", value=texts["words"]["unfit"])]))
    examples = [say.all_in_one(codes)] if wish.brief else say.each_alone(codes)
    slips = [] if wish.brief else _SLIPS[wish.format](say, codes, write)
    return Parts(
        {
            "verbs": listed(shown),
            "meanings": glossed(shown, wish.lang),
            "routing": _routing(say, codes[0], write),
            "urgent": write(say.made(codes[0], [say.thing(codes[0])], priority=9)),
            "unfit": unfit,
            "unfit_verb": _spelled(wish, _UNFIT),
        },
        examples,
        (unfit,),
        slips,
    )


def _rank(code: str) -> int:
    """Place of a verb in the examples; those of one rank keep their order."""
    return _WELL.index(code) if code in _WELL else len(_WELL)


def _spelled(wish: Wish, code: str) -> str:
    """An action code as it stands in a format: ``cancel`` in a call, ``!CANCEL`` in JSON."""
    return code[1:].lower() if wish.format == "silp-code" else code


def _verbs(wish: Wish, texts: dict[str, Any]) -> list[Word]:
    """Verbs to teach; core anchors name verbs, too."""
    meanings: dict[str, str] = texts["verbs"]
    approved = [Word(code, meanings[code[1:].lower()], code) for code in APPROVED]
    if wish.anchors is None:
        return approved
    known = {name: word for word in approved for name in (word.name[1:].lower(), word.name[1:], word.name)}
    glosses: dict[str, str] = table("ucr-ja") if wish.lang == "ja" else {a.mnemonic: a.canonical for a in core()}
    for row in ROWS:
        if row.same:
            word = Word(f"!{row.verb}", glosses[row.anchor], f"!{row.verb}")
            known.update(dict.fromkeys((row.anchor, row.verb.lower(), row.verb, f"!{row.verb}"), word))
    return choose(names(wish.anchors), "anchors", f"{wish.format} has no verb", known, _own)


def _own(name: str, meaning: str, path: str) -> Word:
    verb = name.removeprefix("!").upper()
    if not _is_verb(verb):
        raise EncodeError(f"a verb is made of letters A-Z and _, and begins with a letter, not {name!r}", path)
    code = f"!{verb}"
    if code in EXCLUDED:
        raise EncodeError(f"{code} is excluded: {EXCLUDED[code].why}", path)
    return Word(code, meaning, code, is_own=True)


class _Speaker:
    """Makes the IRs of the examples in the words of a wish and its language."""

    def __init__(self, wish: Wish, texts: dict[str, Any]) -> None:
        self.wish = wish
        self.texts = texts
        self.things: dict[str, str] = texts["things"]

    def thing(self, code: str, action: str | None = None) -> Entity:
        """Something that a verb can be about."""
        return Entity(id="act", value=self.things.get(code[1:].lower(), self.things["other"]), action=action)

    def note(self) -> Entity:
        """A named argument whose value needs quotes."""
        return Entity(id="note", value=self.texts["words"]["note"])

    def made(self, code: str, entities: list[Entity], **meta: Any) -> SilpIR:
        """An IR without conditions."""
        return SilpIR(intent=code, entities=entities, meta=Meta(req_id=_REQ_ID, **meta))

    def routed(self, turn: int, code: str, entities: list[Entity]) -> SilpIR:
        """An IR from and to the agents whose turn it is, if there are any."""
        return self.made(code, entities, **self.wish.routed(turn, "sender", "next_agent"))

    def all_in_one(self, codes: list[str]) -> SilpIR:
        """The one example of a brief primer: all that the format can say."""
        ir = self.routed(0, codes[0], [self.thing(codes[0]), self.note(), self.secondary(codes)])
        ir.constraints = [self.limit(), constraint("!rain", "true")]
        ir.alternatives = [self.fallback(codes[2])]
        return ir

    def each_alone(self, codes: list[str]) -> list[SilpIR]:
        """The examples of a full primer: one thing after the other, each with verbs of its own."""
        time = Entity(id="time", value="t+5h")
        conditional = self.routed(4, codes[4], [self.thing(codes[4])])
        conditional.constraints = [self.limit()]
        conditional.alternatives = [self.fallback(codes[5])]
        whose = self.routed(5, codes[6], [self.thing(codes[6])])
        whose.constraints = [constraint("loc", "Osaka", "t+1d", {"subject": "me"})]
        return [
            self.routed(0, codes[0], [self.thing(codes[0])]),
            self.routed(1, codes[1], [self.thing(codes[1]), self.note()]),
            self.routed(2, codes[2], [self.thing(codes[2]), time]),
            self.routed(3, codes[3], [self.thing(codes[3]), self.secondary(codes[3:])]),
            conditional,
            whose,
        ]

    def secondary(self, codes: list[str]) -> Entity:
        """An argument of another verb than the first of ``codes``."""
        code = next((other for other in codes if other != codes[0]), _UNFIT if codes[0] != _UNFIT else "!NOTIFY")
        return self.thing(code, code)

    def limit(self) -> Constraint:
        """A condition with an operator."""
        return constraint("budget", "500", None, {"operator": "<="})

    def fallback(self, code: str) -> Alternative:
        """What to do where conditions do not hold."""
        return Alternative(action=code, target=self.thing(code).value, location="north")


def _routing(say: _Speaker, code: str, write: Callable[[Any], str]) -> str:
    """What the calls of a routed message have after them; empty where no agents are named."""
    plain, routed = (write(ir) for ir in (say.made(code, []), say.routed(0, code, [])))
    return routed.removeprefix(plain).strip()


def _code_slips(say: _Speaker, codes: list[str], write: Callable[[Any], str]) -> list[tuple[str, str, str]]:
    code = codes[0]
    verb, thing = code[1:].lower(), say.thing(code).value
    plain, noted = write(say.made(code, [say.thing(code)])), write(say.made(code, [say.thing(code), say.note()]))
    second = write(say.made(code, [say.thing(code), say.secondary(codes)]))
    limited = say.made(code, [say.thing(code)])
    limited.constraints = [say.limit()]
    ruled = write(limited)
    return [
        ("case", plain.replace(verb, verb.upper(), 1), plain),
        ("quote", noted.replace('"', ""), noted),
        ("single", noted.replace('"', "'"), noted),
        ("comma", second.replace("; ", ", "), second),
        ("empty", second[: second.rindex("(")] + "()", second),
        ("order", f"{plain} if budget<=500", ruled),
        ("nested", f"{verb}({verb}({thing}))", plain),
    ]


def _json_slips(say: _Speaker, codes: list[str], write: Callable[[Any], str]) -> list[tuple[str, str, str]]:
    code = codes[0]
    plain = write(say.made(code, [say.thing(code)]))
    thing = say.thing(code).value
    counted = write(say.made(code, [say.thing(code), Entity(id="count", value="2")]))
    second = write(say.made(code, [say.thing(code), say.secondary(codes)]))
    other = say.secondary(codes)
    return [
        ("case", plain.replace(code, code[1:].lower()), plain),
        ("number", counted.replace('"2"', "2"), counted),
        ("list", second.replace(f'["{other.value}"]', f'"{other.value}"'), second),
        ("single", plain.replace('"', "'"), plain),
        ("comma", plain.replace(f'"{thing}"}}', f'"{thing}",}}'), plain),
    ]


def _ir_slips(say: _Speaker, codes: list[str], write: Callable[[Any], str]) -> list[tuple[str, str, str]]:
    code = codes[0]
    plain = write(say.made(code, [say.thing(code)]))
    counted = write(say.made(code, [say.thing(code), Entity(id="count", value="2")]))
    return [
        ("case", plain.replace(code, code[1:].lower()), plain),
        ("number", counted.replace('"2"', "2"), counted),
        ("req_id", plain.replace(_REQ_ID, "REQ-1"), plain),
        ("meta", plain.replace(f',"meta":{{"req_id":"{_REQ_ID}"}}', ""), plain),
        ("field", plain.replace('"entities"', '"arguments"'), plain),
        ("single", plain.replace('"', "'"), plain),
    ]


_SLIPS: Final = {"silp-code": _code_slips, "silp-json": _json_slips, "silp-ir": _ir_slips}
