r"""The forms of secrets that name themselves: vendors' keys, labelled values, addresses, numbers with check digits.

A pattern starts only where a run of its characters starts, and gives no more back than a fixed number of characters, so
the time is linear in the text. Runs are of ASCII, for Japanese may stand beside them without a blank.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sabir.learn.likelihood import SHORTEST, evidence
from sabir.learn.vendors import MARKED


@dataclass(frozen=True, slots=True)
class Pattern:
    """One kind of secret.

    Attributes:
        kind: what stands in its place, in brackets.
        expression: the group ``secret`` is replaced, or the whole match where there is none.
        accept: what a secret must be besides.
    """

    kind: str
    expression: re.Pattern[str]
    accept: Callable[[str], bool] = bool


# --- what a secret must be besides -----------------------------------------------------------------------

_ABOUT: Final = frozenset(
    ["a", "accepted", "all", "allowed", "also", "always", "an", "and", "any", "are", "available", "be", "been", "being", "blank", "bool", "boolean", "bytes", "can", "cannot", "correct", "could", "deleted", "denied", "disabled", "either", "empty", "enabled", "encrypted", "exists", "expected", "expired", "exposed", "false", "for", "found", "from", "generated", "getting", "given", "going", "gone", "granted", "handled", "handling", "hashed", "have", "hidden", "if", "in", "incorrect", "invalid", "is", "it", "its", "leaked", "long", "lost", "managed", "management", "masked", "may", "missing", "must", "my", "needed", "never", "new", "nil", "no", "none", "not", "null", "of", "ok", "okay", "on", "only", "optional", "or", "our", "pending", "policy", "protected", "provided", "provisioned", "ready", "redacted", "refused", "rejected", "removed", "renewed", "required", "reset", "revoked", "rotated", "rotation", "same", "saved", "sent", "set", "shared", "short", "should", "shown", "still", "storage", "stored", "str", "string", "strong", "such", "that", "the", "their", "this", "to", "too", "true", "undefined", "unknown", "unset", "unused", "up", "updated", "used", "valid", "verified", "was", "weak", "were", "what", "when", "which", "who", "will", "with", "without", "would", "wrong", "yes", "you", "your"]
)
"""Words that speak about a secret where it might stand: ``password: required``, "the password is too short"."""
_REFERENCE: Final = re.compile(
    r"\$\{?[A-Z_]{3,}\}?|\{\{?[A-Za-z_. ]*\}?\}?|<[A-Za-z_ -]+>?|\*{2,}|[x•.…?]{3,}|-+"
    r"|(?:os\.(?:environ|getenv)|process\.env|getpass|System\.getenv|ENV\[).*"
)
"""What stands for a secret that is elsewhere."""


def is_value(text: str) -> bool:
    """Whether what a label is given is a value, not a word about it, its type or a name that stands for it."""
    bare = text.rstrip(".!?)]}")
    return bool(bare) and bare.lower() not in _ABOUT and not _REFERENCE.fullmatch(text)


def is_opaque(text: str) -> bool:
    """Whether what follows a word that has other meanings, too, is no word of prose and no number."""
    bare = text.strip("\"'").rstrip(".=")
    runs = re.findall("[A-Za-z0-9]+", bare)
    mixed = any(char.isdigit() for char in bare) and any(char.isalpha() for char in bare)
    return len(bare) >= 8 and (
        mixed or text.endswith("=") or any(len(run) >= SHORTEST and evidence(run) > 0 for run in runs)
    )


def _with_digit(text: str) -> bool:
    return is_value(text) and any(char.isdigit() for char in text)


def _no_number(text: str) -> bool:
    return is_value(text) and not text.strip("\"'").replace(".", "").replace("_", "").replace(",", "").isdecimal()


def _credential(text: str) -> bool:
    """Whether what stands after "Authorization:" is a scheme with its credential, or a credential alone."""
    words = text.strip("\"' ").split()
    return bool(words) and is_value(words[0]) and (len(words) < 4 or "=" in text)


def _dashed(text: str) -> bool:
    """Whether a key after "sk-" is no name of several words."""
    return any(char.isdigit() for char in text) or len(text) >= 40


def _no_repository(text: str) -> bool:
    return not text.startswith("git@")


def luhn(text: str) -> bool:
    """Whether the last digit of a card's number is the right one."""
    digits = [int(char) for char in text if char.isdigit()][::-1]
    return sum(digits[::2]) % 10 == -sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2]) % 10


def mod97(text: str) -> bool:
    """Whether the check digits of an IBAN are the right ones."""
    bare = text.replace(" ", "")
    return int("".join(str(int(char, 36)) for char in bare[4:] + bare[:4])) % 97 == 1


# --- parts -----------------------------------------------------------------------------------------------

_EAST: Final = r"\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef"
"""Characters that are written without blanks, and their punctuation."""
_ENDS: Final = r"(?=\s|\Z|[\"'\])}]|[ \t]*+[A-Za-z_][\w.-]{0,40}+[ \t]*+[=:])"
_VALUE: Final = (
    r"""(?P<secret>\\++"[^"\n]*+"|"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|「[^」\n]*+」"""
    rf"""|["'`]?(?:[^\s"',;&{_EAST}]|[,;&](?!{_ENDS}))++|[{_EAST}][^\s"',;&]*+)"""
)
_LABEL: Final = (
    r"pass(?:word|wd|phrase|code|wort)|pwd|kennwort|contraseña|mot[ _]de[ _]passe|senha|secret|credentials?|cookie|session[_-]?id"
    r"|connection[_-]?string|(?:access|account|api|auth|client|consumer|encryption|licen[cs]e|master|private|service|shared"
    r"|signing|webhook)[_ -]?(?:key|secret)"
)
_MORE: Final = r"(?:s|_?(?:prod|dev|test|stage|staging|old|new|value|base64|b64|[0-9]{1,3}))?"
_TYPED: Final = r":[ \t]*+[A-Za-z_&][\w.<>\[\]|?&' ]{0,40}?[ \t]*=(?!=)"
_IS: Final = rf"""{_MORE}(?:\\*+["'`])?\]?[ \t]*+(?:{_TYPED}|:=|=>|!?={{1,3}}|:)[ \t]*+"""
_JAPANESE: Final = "パスワード|パスフレーズ|暗証番号|秘密鍵|トークン|認証キー|APIキー|アクセスキー|シークレット"
_APART: Final = r"""\s@,;:<>()\[\]{}"'`「」『』、。=|/\x01-\x07"""
"""What no local part of an address holds in practice, and what stands around one."""
_LATIN: Final = rf"[^{_APART}{_EAST}]"
_DOMAIN: Final = r"(?:[\w-]++\.)+(?:[A-Za-z][A-Za-z0-9-]++|[^\W\d_A-Za-z][\w-]++)"
_BEGIN: Final = r"PRIVATE KEY(?: BLOCK)?-----"
_ALONE: Final = "(?<![A-Za-z0-9])"


def _pattern(kind: str, expression: str, accept: Callable[[str], bool] = bool, *, flags: int = 0) -> Pattern:
    return Pattern(kind, re.compile(expression, flags), accept)


_ANY: Final = re.IGNORECASE
_ASCII: Final = re.ASCII

_LABELLED: Final = (
    _pattern("KEY", rf"-----BEGIN [A-Z0-9 ]{{0,40}}{_BEGIN}(?s:.*?)(?:-----END [A-Z0-9 ]{{0,40}}{_BEGIN}|\Z)"),
    # a URL's user and password; a / in a password is told from a port and its path
    _pattern(
        "CREDENTIALS",
        r"(?<![A-Za-z0-9_+.-])[A-Za-z][A-Za-z0-9_+.-]*+://(?P<secret>[^\s/?#:@]{0,128}:(?![0-9]{1,5}[/?#])\S{1,128}|[^\s/?#]*)@",
    ),
    _pattern("TOKEN", r"""authorization["']?[ \t]*+[:=][ \t]*+(?P<secret>["']?[^"'\n]++)""", _credential, flags=_ANY),
    _pattern(
        "TOKEN",
        rf"{_ALONE}(?:bearer|basic|digest|negotiate)[ \t:]++(?P<secret>[A-Za-z0-9_.~+/=-]{{8,}}+)",
        is_opaque,
        flags=_ANY,
    ),
    _pattern("SECRET", r"""cookie["']?[ \t]*+:[ \t]*+(?P<secret>["']?[A-Za-z0-9_.-]++=[^"'\n]++)""", flags=_ANY),
    _pattern(
        "SECRET",
        r"(?:seed|recovery|mnemonic|secret)[ _-]?(?:phrase|words)?[\"']?[ \t]*+(?:is|[:=])[ \t\n]*+"
        r"(?P<secret>[\"']?(?:[a-z]{3,8}[ ,\n]{1,3}){11,23}[a-z]{3,8}[\"']?)",
        flags=_ANY,
    ),
    _pattern("SECRET", rf"(?:{_LABEL}){_IS}{_VALUE}", is_value, flags=_ANY),
    _pattern("SECRET", rf"token(?!s){_IS}{_VALUE}", _no_number, flags=_ANY),
    _pattern("SECRET", rf"(?:{_LABEL}|token){_IS}\n[ \t]*+{_VALUE}", _with_digit, flags=_ANY),
    _pattern(
        "SECRET",
        rf"{_ALONE}(?:[A-Za-z0-9]{{1,20}}_){{0,4}}(?:key|token|pass|auth|sig|pw|jwt){_IS}{_VALUE}",
        is_opaque,
        flags=_ANY,
    ),
    _pattern(
        "SECRET",
        rf"<(?:[A-Za-z0-9]{{1,20}}[:._-])?(?:{_LABEL}|token)(?:\s[^<>]{{0,80}})?>(?P<secret>[^<\n]++)",
        is_value,
        flags=_ANY,
    ),
    _pattern("SECRET", rf"(?:{_LABEL}|token)\([ \t]*+(?P<secret>\"[^\"\n]++\"|'[^'\n]++')", is_value, flags=_ANY),
    _pattern(
        "SECRET", r"(?:password|identified[ ]by)[ \t]++(?P<secret>'[^'\n]++'|\"[^\"\n]++\")", is_value, flags=_ANY
    ),
    _pattern("SECRET", rf"{_ALONE}login[ \t]++\S++[ \t]++password[ \t]++(?P<secret>\S++)", flags=_ANY),
    _pattern("SECRET", rf"(?<!\w)pass(?:word|wd|phrase|code)[ \t]++(?:is|was)[ \t:]++{_VALUE}", is_value, flags=_ANY),
    _pattern("SECRET", rf"(?:{_JAPANESE})[ \t]*+(?:は|が|:|=)?[ \t「]*+(?P<secret>[!-~]{{3,}}+)"),
    _pattern(
        "SECRET",
        rf"(?<!\S)--?(?:[a-z]{{1,20}}-){{0,3}}(?:pass(?:word|wd|phrase)?|token|secret|api-?key)[ \t]++(?!-){_VALUE}",
        is_value,
        flags=_ANY,
    ),
    _pattern("SECRET", r"(?<!\S)(?:-u|--user)[ \t]++(?P<secret>[^\s:]++:\S++)"),
    _pattern(
        "SECRET",
        r"[?&](?:[A-Za-z0-9_.-]{0,30}(?:sig|signature|token|secret|credential|password))=(?P<secret>[^\s&#\"'<>]++)"
        r"|[?&](?:code|key|auth|sid)=(?P<other>[^\s&#\"'<>]++)",
        flags=_ANY,
    ),
    _pattern(
        "SECRET",
        r"(?:hooks\.slack\.com/(?:services|workflows|triggers)|discord(?:app)?\.com/api/webhooks|webhook\.office\.com)/(?P<secret>[\w/@.-]{8,}+)",
        flags=_ASCII,
    ),
)
"""What has a name or a place beside it that tells what it is."""

_FORMED: Final = (
    _pattern("TOKEN", r"(?<![A-Za-z0-9_-])eyJ[\w-]++(?:\.(?:\n[ \t]{0,16})?[\w-]*+){1,4}", flags=_ASCII),
    _pattern(
        "KEY",
        rf"(?:{_ALONE}|(?<=bot))(?:{MARKED}|[MNO][\w-]{{23,27}}\.[\w-]{{6}}\.[\w-]{{27,}}+|[0-9a-f]{{32}}-us[0-9]{{1,2}})",
        flags=_ASCII,
    ),
    _pattern("KEY", rf"{_ALONE}sk-[\w-]{{12,}}+", _dashed, flags=_ASCII),
    _pattern("EMAIL", r"\"[^\"\n@]{1,64}\"@" + _DOMAIN),
    _pattern("EMAIL", rf"(?<!{_LATIN}){_LATIN}++@{_DOMAIN}", _no_repository),
    _pattern("EMAIL", rf"(?<![^{_APART}])[^{_APART}]++@{_DOMAIN}", _no_repository),
    _pattern(
        "EMAIL",
        r"(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]++(?:%40|&#0{0,4}64;|&#x0{0,4}40;|&commat;|\\u0040)(?:[A-Za-z0-9-]++\.)+[A-Za-z][A-Za-z0-9-]++",
        flags=_ANY,
    ),
    _pattern(
        "EMAIL",
        r"(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]++[ ]?[\[({<][ ]?(?:at|@)[ ]?[\])}>][ ]?[A-Za-z0-9-]++"
        r"(?:[ ]?(?:\.|[\[({<][ ]?(?:dot|\.)[ ]?[\])}>])[ ]?[A-Za-z0-9-]++)*+",
        flags=_ANY,
    ),
    _pattern("EMAIL", rf"(?<!{_LATIN}){_LATIN}++@(?:[A-Za-z0-9-]++[ ]?[\[(]\.[\])][ ]?)++[A-Za-z]{{2,}}+"),
    _pattern(
        "EMAIL",
        r"(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]++ at [A-Za-z0-9-]++(?: dot [A-Za-z0-9-]++)*+ dot [A-Za-z]{2,}+"
        r"|(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]++ at [A-Za-z0-9-]++(?: dot [A-Za-z0-9-]++)++",
        flags=_ANY,
    ),
    _pattern(
        "IBAN",
        rf"{_ALONE}(?:(?:NO)[0-9]{{2}}(?: ?[A-Z0-9]){{11}}|BE[0-9]{{2}}(?: ?[A-Z0-9]){{12}}|(?:DK|FI|NL)[0-9]{{2}}(?: ?[A-Z0-9]){{14}}"
        r"|(?:SI)[0-9]{2}(?: ?[A-Z0-9]){15}|(?:AT|EE|LT|LU)[0-9]{2}(?: ?[A-Z0-9]){16}|(?:CH|HR|LI|LV)[0-9]{2}(?: ?[A-Z0-9]){17}"
        r"|(?:BG|DE|GB|IE)[0-9]{2}(?: ?[A-Z0-9]){18}|(?:AE|GI|IL)[0-9]{2}(?: ?[A-Z0-9]){19}"
        r"|(?:CZ|ES|RO|SA|SE|SK|TN)[0-9]{2}(?: ?[A-Z0-9]){20}|PT[0-9]{2}(?: ?[A-Z0-9]){21}|(?:IS|TR)[0-9]{2}(?: ?[A-Z0-9]){22}"
        r"|(?:FR|GR|IT|MC|SM)[0-9]{2}(?: ?[A-Z0-9]){23}|(?:AL|CY|HU|PL)[0-9]{2}(?: ?[A-Z0-9]){24}|BR[0-9]{2}(?: ?[A-Z0-9]){25}"
        r"|MT[0-9]{2}(?: ?[A-Z0-9]){27})(?![A-Za-z0-9])",
        mod97,
    ),
    _pattern(
        "CARD",
        r"(?<![A-Za-z0-9.])(?:(?:4[0-9]|6[0-9])(?:[ -]?[0-9]){17}|(?:[4-6][0-9]|2[2-7]|35)(?:[ -]?[0-9]){14}|3[47](?:[ -]?[0-9]){13}"
        r"|3[0689](?:[ -]?[0-9]){12})(?![A-Za-z0-9]|\.[0-9])",
        luhn,
        flags=_ASCII,
    ),
    _pattern(
        "KEY",
        rf"{_ALONE}(?:(?:0x)?[0-9a-fA-F]{{32,}}+|[0-9a-fA-F]{{8}}(?:-[0-9a-fA-F]{{4}}){{3}}-[0-9a-fA-F]{{12}})(?![A-Za-z0-9])",
    ),
)
"""What is a secret by its own form."""

PATTERNS: Final = _LABELLED + _FORMED
"""In the order in which they are looked for: what a label names goes whole, whatever is in it."""
