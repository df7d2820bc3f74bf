r"""What may not be stored: keys, tokens, passwords and e-mail addresses, each replaced by its kind in brackets.

Better one word too many than one secret. Text is normalised first (NFKC, nothing invisible), so that full-width or
zero-width characters hide nothing. A pattern starts only where a run of its characters starts, and gives no
character back, so the time is linear in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sabir.errors import EncodeError
from sabir.jsontext import MAX_TEXT, check_text


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text that may be stored.

    Attributes:
        text: normalised, with secrets replaced.
        found: how many of each kind were replaced.
    """

    text: str
    found: dict[str, int]


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


# --- does it look drawn by lot? --------------------------------------------------------------------------

_ENGLISH: Final = (
    "thheineranreonatenndtiesorteofedisitalarsttontngsehaasouiolevecomedehiriroicneearacelichllbemasiomurcaeltalansdifohopeec"
    "prnoctusacotiltrlyncetutsssorsunlowageieeewiemadolrtpowenaulnitsmoowpaimmiaishirsuidosiviaamficivipligtuevrympblabtyopay"
    "exkeodsp"
)
_PAIRS: Final = frozenset(_ENGLISH[at : at + 2] for at in range(0, len(_ENGLISH), 2))
"""Pairs of letters that make up most of English, and of names in programs."""
_LETTERS: Final = re.compile(r"[a-z]{2,}+")
_WRITTEN: Final = 0.37
"""Share of such pairs from which on letters look written: letters drawn by lot have 0.18, words about 0.7."""
_DISTINCT: Final = 8
"""Distinct characters that a key has at least; a line of the same ones is none."""
_FEW: Final = 6
"""Pairs of letters below which nothing can be said of them."""


def _drawn(run: str) -> bool:
    """Whether a run of letters and digits looks drawn by lot rather than written."""
    letters = run.lower()
    if len({*letters}) < _DISTINCT:
        return False
    pairs = [word[at : at + 2] for word in _LETTERS.findall(letters) for at in range(len(word) - 1)]
    if len(pairs) < _FEW:
        return len(re.findall("[0-9]++", run)) > 1 and letters != letters.upper()
    return sum(pair in _PAIRS for pair in pairs) < _WRITTEN * len(pairs)


def _opaque(value: str) -> bool:
    """Whether a word after "bearer" or "basic" is no word of prose."""
    return len(value) >= 24 or any(char.isdigit() for char in value) or value[-1] == "="


def _no_number(value: str) -> bool:
    """Whether what a "token" is equal to is no count of tokens."""
    return not value.strip("\"'").replace(".", "").replace("_", "").isdecimal()


# --- patterns --------------------------------------------------------------------------------------------

_VALUE: Final = r"""(?P<secret>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|["']?[^\s"',;&]++)"""
_LABEL: Final = (
    r"pass(?:word|wd|phrase|code)|pwd|secret|credentials?|cookie|session[_-]?id|connection[_-]?string"
    r"|(?:access|account|api|auth|client|consumer|encryption|license|master|private|service|shared|signing|webhook)[_ -]?(?:key|secret)"
)
_IS: Final = r"""s?["']?[ \t]*+(?::=|=>|[:=])[ \t]*+"""
_APART: Final = r"""\s@,;:<>()\[\]{}"'`「」『』、。=|/"""
"""What no local part of an address holds in practice, and what stands around one."""
_DOMAIN: Final = r"(?:[\w-]++\.)+[^\W\d_][\w-]++"
_BEGIN: Final = r"PRIVATE KEY(?: BLOCK)?-----"


def _pattern(kind: str, expression: str, accept: Callable[[str], bool] = bool, *, any_case: bool = False) -> Pattern:
    return Pattern(kind, re.compile(expression, re.IGNORECASE if any_case else 0), accept)


PATTERNS: Final = (
    _pattern("KEY", rf"-----BEGIN [A-Z0-9 ]{{0,40}}{_BEGIN}(?s:.*?)(?:-----END [A-Z0-9 ]{{0,40}}{_BEGIN}|\Z)"),
    # a URL's user and password; a / in a password is told from a port and its path
    _pattern("CREDENTIALS", r"(?<![\w+.-])[A-Za-z][\w+.-]*+://(?P<secret>[^\s/?#:@]{0,128}:(?![0-9]{1,5}[/?#])\S{1,128}|[^\s/?#]*)@"),
    _pattern("TOKEN", r"(?<![\w-])eyJ[\w-]++(?:\.[\w-]*+){1,4}"),
    _pattern(
        "KEY",
        r"(?<![A-Za-z0-9])(?:A(?:KIA|SIA|BIA|CCA|ROA|IDA)[0-9A-Z]{12,}+|AIza[\w-]{20,}+|GOCSPX-[\w-]{8,}+|ya29\.[\w.-]{8,}+"
        r"|gh[pousr]_\w{16,}+|github_pat_\w{16,}+|glpat-[\w.-]{12,}+|xox[a-z]-[\w-]{8,}+|xapp-[\w-]{8,}+|[rsp]k_(?:live|test)_\w{8,}+"
        r"|whsec_\w{8,}+|sk-[\w-]{12,}+|hf_[A-Za-z0-9]{16,}+|npm_[A-Za-z0-9]{16,}+|pypi-[\w-]{16,}+|dop_v1_\w{16,}+|SG\.[\w.-]{16,}+"
        r"|AGE-SECRET-KEY-1[0-9A-Z]++|[0-9]{8,10}:[\w-]{30,}+)",
    ),
    _pattern("TOKEN", r"(?<![\w])(?:bearer|basic|digest|negotiate)[ \t:]++(?P<secret>[\w.~+/=-]{8,}+)", _opaque, any_case=True),
    _pattern("TOKEN", r"""authorization["']?[ \t]*+[:=][ \t]*+(?P<secret>["']?[^"'\n]++)""", any_case=True),
    _pattern("SECRET", rf"(?:{_LABEL}){_IS}{_VALUE}", any_case=True),
    _pattern("SECRET", rf"token{_IS}{_VALUE}", _no_number, any_case=True),
    _pattern("SECRET", rf"(?<!\w)pass(?:word|wd|phrase|code)[ \t]++(?:is|was)[ \t:]++{_VALUE}", any_case=True),
    _pattern("SECRET", r"(?:パスワード|パスフレーズ|暗証番号|秘密鍵|トークン|認証キー|APIキー)[ \t]*+(?:は|が|:|=)?[ \t「]*+(?P<secret>[!-~]{3,}+)"),
    _pattern("SECRET", rf"(?<!\S)--?(?:pass(?:word|wd|phrase)?|token|secret|api-?key)[ \t]++(?!-){_VALUE}", any_case=True),
    _pattern("SECRET", r"(?<!\S)(?:-u|--user)[ \t]++(?P<secret>[^\s:]++:\S++)"),
    _pattern("SECRET", r"[?&](?:sig|signature|code|key|auth|sid)=(?P<secret>[^\s&#]++)", any_case=True),
    _pattern("EMAIL", rf"(?<![^{_APART}])[^{_APART}]++@{_DOMAIN}"),
    _pattern("EMAIL", rf"(?<![^{_APART}%])[^{_APART}%]++%40{_DOMAIN}"),
    _pattern(
        "EMAIL",
        r"(?<![\w.+-])[\w.+-]++[ ]?[\[({][ ]?(?:at|@)[ ]?[\])}][ ]?[\w-]++(?:[ ]?(?:\.|[\[({][ ]?(?:dot|\.)[ ]?[\])}])[ ]?[\w-]++)*+",
        any_case=True,
    ),
    _pattern("KEY", r"(?<![0-9A-Za-z])(?:(?:0x)?[0-9a-fA-F]{32,}+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(?![0-9A-Za-z])"),
    _pattern("KEY", r"(?<![\w+/=-])[A-Za-z0-9+/_-]{36,}+={0,2}", _drawn),
    _pattern("KEY", r"(?<![A-Za-z0-9])[A-Za-z0-9]{20,}+", _drawn),
)
"""In the order in which they are looked for: what names itself goes before what only looks random."""

_HIDDEN: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
"""Controls but for tab and line feed, and whatever else takes no room on a page."""


def normalised(text: str, path: str = "text") -> str:
    """A text in normal form (NFKC), with LF at line ends and without invisible characters.

    Raises:
        EncodeError: it is no text, holds a lone surrogate or is longer than `MAX_TEXT`.
    """
    check_text(text, path)
    if len(text) > MAX_TEXT:
        raise EncodeError(f"longer than {MAX_TEXT} characters", path)
    visible = _HIDDEN.sub("", text.replace("\r\n", "\n").replace("\u2028", "\n").replace("\u2029", "\n"))
    return _HIDDEN.sub("", unicodedata.normalize("NFKC", visible)).strip()


def redact(text: str, path: str = "text") -> Redacted:
    """A text with its secrets replaced, as it may be stored.

    Raises:
        EncodeError: as `normalised`.
    """
    clean = normalised(text, path)
    found: Counter[str] = Counter()
    for pattern in PATTERNS:
        clean = pattern.expression.sub(lambda match, pattern=pattern: _replaced(match, pattern, found), clean)  # type: ignore[misc]  # mypy infers no type for the default
    return Redacted(clean, dict(found))


def _replaced(match: re.Match[str], pattern: Pattern, found: Counter[str]) -> str:
    group: int | str = "secret" if "secret" in pattern.expression.groupindex else 0
    secret, mark = match[group], f"[{pattern.kind}]"
    if not secret or secret == mark or not pattern.accept(secret):
        return match[0]
    found[pattern.kind] += 1
    start = match.start()
    return f"{match[0][: match.start(group) - start]}{mark}{match[0][match.end(group) - start :]}"
