"""Messages without a marker: AIT tapes, SILP calls, short Lingua. They count where they stand alone, and how alone depends.

What a person or a program would write just so, too, needs more evidence (`Place.evidence`):

    1  it stands alone: a line, a code span, a fence that holds messages only
    2  the text announces a message: "Here is the packet:", "Answer: ..."
    3  the text names the format ("AIT: ...", a fence ``silp``), or the text is nothing else

``s4x9`` needs 1; ``sha1``, ``dev2`` and ``pax6``, which read as words, need 3; ``start(hike)`` needs 1, ``print(x)`` and
``f(x)``, which any program has, need 3.
"""

from __future__ import annotations

import re
from typing import Final

from sabir.silp.verbs import APPROVED

AROUND: Final = 120
"""Characters around a piece, and of a label, that are looked at."""
MAX_LABELS: Final = 8
"""Most colons of a line that are looked at."""
SPECIFIC: Final = re.compile(
    r"(?<![A-Za-z])(?:AIT|SILP|EAP|SLIP|[Tt]apes?|TAPE|[Pp]ackets?|PACKET|silp(?:_payload|_code)?|ait|eap|slip|lingua|Lingua|Slipstream|👽語?)(?![A-Za-z])"
    r"|テープ|パケット|数据包|封包|电码|電文"
)
_NAMED: Final = re.compile(rf"(?:{SPECIFIC.pattern})(?:\s+(?:is|was|reads|would be|:)|は|是|为)?\s*+[*_]*\Z")
CUE: Final = re.compile(
    SPECIFIC.pattern
    + r"|(?<![A-Za-z])(?i:messages?|msgs?|wire|payload|answer|reply|response|output|send|sending|sent|emit|transmit|"
    r"action|instruction|command|encoded|encoding|translation|final|result|mensaje|nachricht|réponse)(?![A-Za-z])"
    r"|メッセージ|出力|回答|送信|返信|応答|消息|报文|訊息|输出|答案|回复|回覆|发送|指令|命令|結果|结果"
)
_KEY: Final = re.compile(r"(?i:message|wire|payload|メッセージ|消息)")
_VETO: Final = re.compile(
    r"(?<![A-Za-z+#])(?:functions?|methods?|statements?|compilers?|compiles?|class(?:es)?|callbacks?|hooks?|API|endpoint|syntax|"
    r"calls?|called|calling|invokes?d?|returns?|parameters?|arguments?|variables?|keyword|library|loop|signature|implement(?:s|ed)?|"
    r"refactor(?:s|ed)?|docs?|documentation|C|Java|JavaScript|TypeScript|Python|Rust|Go|PHP|Ruby|CSS|SQL|hash(?:es|ing)?|algorithm|"
    r"part|model|serial|SKU|chip|gene|sensor|device|partition|version|revision|host|hostname|branch|tag|commit)(?![A-Za-z])"
    r"|C\+\+|C#|関数|メソッド|函数|方法|変数|变量|型番|型号"
)
_PROGRAMMING: Final = frozenset(
    ["abs", "all", "any", "append", "apply", "array", "assert", "await", "bind", "bool", "break", "call", "calc", "case", "catch", "ceil", "char", "close", "compare", "concat", "console", "constructor", "copy", "cos", "count", "def", "del", "delete", "describe", "dict", "dir", "do", "each", "echo", "emit", "enumerate", "eval", "except", "exec", "exit", "exp", "expect", "extends", "fail", "file", "filter", "float", "floor", "for", "foreach", "fork", "format", "forward", "free", "func", "function", "gcd", "get", "getattr", "grant", "grep", "head", "hex", "id", "if", "import", "in", "include", "index", "init", "input", "insert", "int", "is", "isinstance", "it", "iter", "join", "keys", "lambda", "len", "let", "length", "lerp", "list", "lock", "log", "lower", "ls", "main", "malloc", "map", "matrix", "max", "memcpy", "min", "mod", "new", "next", "not", "null", "open", "or", "ord", "parse", "pow", "print", "printf", "printk", "println", "push", "puts", "query", "raise", "rand", "random", "range", "read", "reduce", "repr", "require", "return", "reverse", "rgb", "rgba", "hsl", "rotate", "round", "scale", "scanf", "select", "self", "set", "setattr", "setup", "shuffle", "sin", "sizeof", "skew", "sleep", "sort", "split", "sprintf", "sqrt", "str", "strlen", "sub", "substr", "sum", "super", "switch", "tan", "test", "throw", "tuple", "type", "typeof", "union", "unlock", "upper", "url", "use", "values", "var", "void", "where", "while", "with", "write", "xor", "yield", "zip"]  # words are read best as words
)
"""Names that programs, formulas and style sheets call; ``switch`` is one of SILP's verbs and one of C's keywords."""
_PROSE: Final = re.compile(r"[a-z_]+\([1-9]\)(?![\w;])|[a-z_]+[ \t]+\(").match
"""A manual page and its section, ``open(2)``; a word and a remark, ``stable (so far)``."""
_APPROVED: Final = frozenset(code[1:].lower() for code in APPROVED)

_silp = re.compile(r"(?:if[ \t]++\S|([a-z][a-z_]*+)[ \t]*+[(（])").match
_tape = re.compile(r"[sdrpgno][0-9a-z][xmfabquv][1-9](?:[ \t　]++[sdrpgno][0-9a-z][xmfabquv][1-9])*+(?![\w])").match
_has_digit = re.compile(r"(?<!\S)[sdrpgno][0-9]").search
_lingua = re.compile(r"(?:[?!]?👽[ \t]+\S|\^[0-9A](?=\s|[.,]?\Z)|!E[0-9][A-Z]?(?=\s|[.,]?\Z))").match
_code_line = re.compile(
    r".*[{};\\][ \t]*\Z|[ \t]*(?://|/\*|\*/|@\w|#include|#define|<\?|</?[a-z]+)"
    r"|[ \t]*(?:def|class|import|from \S+ import|return|var|let|const|function|public|private|static|void|int|char|case .*:|while|for|elif|try:|except|package|use|fn)\b"
    r"|[ \t]*(?:else|try|finally|do|pass|break|continue)\b[ \t]*:?[ \t]*\Z|[ \t]*(?:if|elif|with|async|assert|raise|yield|del|await)\b.*:[ \t]*\Z"
    r"|[ \t]*[A-Za-z_][\w.\[\]]*[ \t]*(?:=|\+=|:=)[ \t]*\S|[ \t]*[\w.]*[a-z_]\.[a-z_]\w*\(|.*\):[ \t]*\Z|>>> |\$ ",
)
_only_call = re.compile(r"[ \t]*(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+)?([a-z][a-z_]*)\([^()]*\)(?:;[ \t]*[a-z][a-z_]*\([^()]*\))*[ \t]*\Z").match
_sign_of_code = re.compile(r"[()\[\]{}=;]|\.\w")


def candidate(text: str, formats: frozenset[str], *, literal: bool = False) -> tuple[str, int] | None:
    """The format without a marker whose shape begins a text, and the evidence that it needs.

    In prose 👽 is mostly an ornament; in a code span or a fence (``literal``) nobody writes it for its looks.
    """
    if "ait" in formats and (tape := _tape(text)):
        return "ait", 1 if _has_digit(tape[0]) else 3
    if "silp-code" in formats and (call := _silp(text)):
        return "silp-code", _call(text, call[1])
    if "lingua" in formats and (found := _lingua(text)):
        return "lingua", (1 if literal else 3) if "👽" in found[0] else 1 if found[0][0] == "!" else 2
    return None


def _call(text: str, verb: str | None) -> int:
    if verb is None:
        return 1
    plain = text.strip(" \t.")
    if verb in _PROGRAMMING and verb != "switch":
        return 3
    return 3 if len(verb) < 3 or _PROSE(plain) or plain.endswith((";", "{", ":")) else 1


def in_sentence(text: str, format: str, before: str, after: str) -> int:
    """Evidence that a code span in the middle of a sentence gives: 1 where nothing speaks against a message.

    Words that speak of programs and parts veto it; a verb that SILP has not approved needs a word that speaks of messages.
    """
    if _NAMED.search(before):
        return 3
    around = f"{before} {after}"
    if _VETO.search(around):
        return 0
    cue = 2 if SPECIFIC.search(around) else 1 if CUE.search(around) else 0
    verb = _silp(text)
    if format == "silp-code" and verb and verb[1] and (verb[1] not in _APPROVED or verb[1] == "switch" or is_named(text)):
        return cue
    return max(cue, 1)


def is_tape(text: str) -> bool:
    """Whether a text begins with a tape that reads as no word."""
    tape = _tape(text)
    return tape is not None and _has_digit(tape[0]) is not None


def is_named(text: str) -> bool:
    """Whether a text is a call without arguments, which is how prose names a function."""
    return text.strip(" \t.,").endswith("()")


def announced(label: str) -> int:
    """Evidence that a label gives: 3 where it names a format, 2 where it speaks of a message, else 0."""
    if SPECIFIC.search(label):
        return 3
    return 2 if CUE.search(label) else 0


def under_key(key: str) -> int:
    """Evidence that the key of a JSON object gives its value; programs have keys such as ``command`` and ``output``."""
    return 3 if SPECIFIC.search(key) else 2 if _KEY.fullmatch(key) else 0


def is_code(line: str) -> bool:
    """Whether a line reads as a program's, so that a call next to it is one, too."""
    if (call := _only_call(line)) and call[1] in _PROGRAMMING and call[1] != "switch":
        return True
    return _code_line.match(line) is not None or (is_indented(line) and _sign_of_code.search(line) is not None)


def is_call(line: str) -> bool:
    """Whether a line is a call and nothing else, as SILP and programs write it."""
    return _only_call(line) is not None and not is_code(line.strip())


def is_indented(line: str) -> bool:
    """Whether a line stands as far right as Markdown's code, without a bullet."""
    return line.startswith(("    ", "\t"))
