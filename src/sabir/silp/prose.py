"""What an IR says, in English or Japanese prose (draft, sections 4.3 and 4.4). Compiled only: prose is not read back.

`natural` is the control baseline and says what the call syntax can say: actions, conditions and fallbacks. `explain`
adds, for a person, who speaks to whom, how urgently and in what order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sabir.jsontext import dumps, quote
from sabir.silp.ir_json import BROKEN, ir_to_json, unwritable

if TYPE_CHECKING:
    from sabir.silp.ir import Alternative, Constraint, Entity, SilpIR

# How a comparison is said, and how it is denied.
_COMPARED: Final = {
    "<=": ("is at most", "is not at most"),
    ">=": ("is at least", "is not at least"),
    "==": ("is", "is not"),
    "=": ("is", "is not"),
    "!=": ("is not", "is"),
    "<": ("is below", "is not below"),
    ">": ("is above", "is not above"),
}
_COMPARED_JA: Final = {
    "<=": ("{0}が{1}以下", "{0}が{1}以下でない"),
    ">=": ("{0}が{1}以上", "{0}が{1}以上でない"),
    "==": ("{0}が{1}", "{0}が{1}でない"),
    "=": ("{0}が{1}", "{0}が{1}でない"),
    "!=": ("{0}が{1}でない", "{0}が{1}"),
    "<": ("{0}が{1}未満", "{0}が{1}未満でない"),
    ">": ("{0}が{1}を超える", "{0}が{1}を超えない"),
}
_OWN: Final = {"me": "my", "you": "your", "us": "our"}
# What an approved verb does, and the particle between its object and it.
_VERBS_JA: Final = {
    "!CANCEL": ("を", "キャンセル"),
    "!START": ("を", "開始"),
    "!EMAIL": ("に", "メール送信"),
    "!FETCH": ("を", "取得"),
    "!PROCESS": ("を", "処理"),
    "!TRANSLATE": ("を", "翻訳"),
    "!BOOK": ("を", "予約"),
    "!ROUTE": ("を", "振り分け"),
    "!SEARCH": ("を", "検索"),
    "!UPDATE": ("を", "更新"),
    "!SUGGEST": ("を", "提案"),
    "!SWITCH": ("に", "切り替え"),
    "!NOTIFY": ("に", "通知"),
}


# --- English ---------------------------------------------------------------------------------------------


def natural(ir: SilpIR) -> str:
    """The IR as one English sentence.

    Raises:
        EncodeError: the IR was built past the checks of its class.
    """
    try:
        ir_to_json(ir)  # what stays unsaid must be sound, too
        return _english(ir)
    except BROKEN as error:
        raise unwritable(ir, error) from None


def _english(ir: SilpIR) -> str:
    sentence = _phrases([_action(action, items) for action, items in _calls(ir)])
    if ir.constraints:
        sentence = f"if {_joined([_condition(item) for item in ir.constraints])}, {sentence}"
    if ir.alternatives:
        sentence += f" otherwise {_joined([_fallback(item) for item in ir.alternatives])}"
    return f"{sentence[0].upper()}{sentence[1:]}."


def nl_json(ir: SilpIR) -> str:
    """The same sentence in a JSON object, the draft's baseline for the container alone (4.4)."""
    return dumps({"task_description": natural(ir)})


def _calls(ir: SilpIR) -> list[tuple[str, list[Entity]]]:
    """Actions in order, each with its arguments; the intent first."""
    found: list[tuple[str, list[Entity]]] = [(ir.intent, [])]
    for item in ir.entities:
        action = item.action or ir.intent
        if action != found[-1][0]:
            found.append((action, []))
        found[-1][1].append(item)
    if len(found) > 1 and not found[0][1] and any(action == ir.intent for action, _ in found[1:]):
        del found[0]  # the intent is said where its arguments are
    return found


def _action(action: str, items: list[Entity]) -> str:
    """Verb, what it acts on, named arguments, and when."""
    acts = [_word(item.value) for item in items if item.id == "act"]
    times = [f"at {_word(item.value)}" for item in items if item.id == "time"]
    named = [f"{_word(item.id)} {_word(item.value)}" for item in items if item.id not in ("act", "time")]
    pieces = [_verb(action), *([_joined(acts)] if acts else []), *times]
    if named:
        pieces.append(f"with {_joined(named)}")
    return " ".join(pieces)


def _verb(action: str) -> str:
    return action[1:].lower().replace("_", " ").strip() or action[1:].lower()


def _condition(item: Constraint) -> str:
    name, subject, operator, negated = _tested(item)
    value = _word(item.value)
    if subject is not None:
        name = f"{_OWN[subject]} {name}" if subject in _OWN else f"the {name} of {_word(subject)}"
    if operator in _COMPARED:
        words = f"{name} {_COMPARED[operator][negated]} {value}"
    elif operator is not None:
        words = f"{'not ' if negated else ''}{name} {_word(operator)} {value}"
    elif item.value == "true":
        words = f"{'not ' if negated else ''}{name}"
    else:
        words = f"{name} is {'not ' if negated else ''}{value}"
    return f"{words} at {_word(item.time)}" if item.time is not None else words


def _tested(item: Constraint) -> tuple[str, str | None, str | None, bool]:
    """Name of what is tested, subject, operator, and whether the test is negated."""
    negated = item.type.startswith("!")
    extra = [item.__pydantic_extra__.get(name) for name in ("subject", "operator")]
    subject, operator = (value if isinstance(value, str) else None for value in extra)
    return _word(item.type[1:] if negated else item.type), subject, operator, negated


def _fallback(item: Alternative) -> str:
    words = _verb(item.action)
    if item.target is not None:
        words += f" {_word(item.target)}"
    return f"{words} at {_word(item.location)}" if item.location is not None else words


def _phrases(items: list[str]) -> str:
    """Phrases as English says them: with a comma before the and, where one of them has an and of its own."""
    if len(items) > 1 and any(" and " in item for item in items):
        return f"{', '.join(items[:-1])}, and {items[-1]}"
    return _joined(items)


def _joined(items: list[str]) -> str:
    """A list as English says it: a, b and c."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _word(text: str) -> str:
    """A value as it is where it reads as words, else quoted, so that the sentence stays one line."""
    plain = text.strip() == text and text.isprintable() and text and not any(sign in text for sign in '"“”,;:')
    return text if plain else quote(text)


# --- for a person ----------------------------------------------------------------------------------------


def explain(ir: SilpIR, lang: str) -> str:
    """One line for a person in English ("en") or Japanese ("ja"): the sentence, and what the metadata say.

    Raises:
        EncodeError: the IR was built past the checks of its class.
    """
    try:
        if lang == "ja":
            return _japanese(ir) + _notes(ir, "（{}）", "、", _LABELS_JA)
        return _english(ir) + _notes(ir, " ({})", ", ", _LABELS)
    except BROKEN as error:
        raise unwritable(ir, error) from None


_LABELS: Final = ("from {}", "to {}", "domain {}", "priority {}", "confidence {}", "session {}", "in the order {}")
_LABELS_JA: Final = ("{} から", "{} へ", "領域 {}", "優先度 {}", "確信度 {}", "セッション {}", "順序 {}")


def _notes(ir: SilpIR, frame: str, between: str, labels: tuple[str, ...]) -> str:
    meta, extra = ir.meta, ir.meta.__pydantic_extra__
    values: list[Any] = [
        extra.get("sender"),
        meta.next_agent,
        extra.get("domain"),
        meta.priority or None,
        meta.confidence if meta.confidence != 1 else None,
        meta.session_id,
        " → ".join(meta.seq) or None,
    ]
    said = [
        label.format(_word(value) if isinstance(value, str) else dumps(value))
        for label, value in zip(labels, values, strict=True)
        if value is not None
    ]
    return frame.format(between.join(said)) if said else ""


def _japanese(ir: SilpIR) -> str:
    sentence = "、".join(_action_ja(action, items) for action, items in _calls(ir))
    if ir.constraints:
        sentence = f"{'、かつ'.join(_condition_ja(item) for item in ir.constraints)}なら、{sentence}"
    if ir.alternatives:
        sentence += f"。そうでなければ、{'、'.join(_fallback_ja(item) for item in ir.alternatives)}"
    return f"{sentence}。"


def _action_ja(action: str, items: list[Entity]) -> str:
    times = "".join(f"{_word(item.value)}に" for item in items if item.id == "time")
    acts = "と".join(_word(item.value) for item in items if item.id == "act")
    named = "、".join(f"{_word(item.id)}は{_word(item.value)}" for item in items if item.id not in ("act", "time"))
    words = times + _done_ja(action, acts)
    return f"{words}（{named}）" if named else words


def _done_ja(action: str, object: str) -> str:
    if action in _VERBS_JA:
        particle, verb = _VERBS_JA[action]
        return f"{object}{particle}{verb}" if object else verb
    target = f"{object}に対して" if object else ""
    return f"{target}{_verb(action)}を実行"


def _condition_ja(item: Constraint) -> str:
    name, subject, operator, negated = _tested(item)
    value = _word(item.value)
    if subject is not None:
        name = f"{_word(subject)}の{name}"
    if operator in _COMPARED_JA:
        words = _COMPARED_JA[operator][negated].format(name, value)
    else:
        middle = f" {_word(operator)} " if operator is not None else "が"
        words = name if operator is None and item.value == "true" else f"{name}{middle}{value}"
        words += "でない" if negated else ""
    return f"{_word(item.time)}に{words}" if item.time is not None else words


def _fallback_ja(item: Alternative) -> str:
    place = f"{_word(item.location)}で" if item.location is not None else ""
    return place + _done_ja(item.action, _word(item.target) if item.target is not None else "")
