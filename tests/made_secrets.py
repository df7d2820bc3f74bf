"""Made-up secrets in the forms that services document, and places where they stand. All are drawn; none is or was real."""

from __future__ import annotations

import base64
import json
import string
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
LETTERS: Final = LOWER + UPPER
BASE62: Final = LETTERS + DIGITS
HEX: Final = "0123456789abcdef"
WORD: Final = f"{BASE62}_"
URL_SAFE: Final = f"{BASE62}-_"

ALPHABETS: Final = {
    "hex": HEX,
    "HEX": HEX.upper(),
    "base32": f"{UPPER}234567",
    "base32, lower case": f"{LOWER}234567",
    "base36": LOWER + DIGITS,
    "BASE36": UPPER + DIGITS,
    "base58": "".join(sorted({*BASE62} - {*"0OIl"})),
    "base62": BASE62,
    "base64": f"{BASE62}+/",
    "base64url": URL_SAFE,
    "letters": LETTERS,
    "lower-case letters": LOWER,
}
"""What keys without a label are drawn from."""


def drawn(lot: Random, alphabet: str, size: int) -> str:
    """So many characters of an alphabet."""
    return "".join(lot.choices(alphabet, k=size))


def _form(*parts: str | tuple[str, int]) -> Callable[[Random], str]:
    """What is put together from texts, and from draws given as alphabet and number."""
    return lambda lot: "".join(part if isinstance(part, str) else drawn(lot, *part) for part in parts)


def _jwt(lot: Random) -> str:
    head = json.dumps({"alg": "HS256", "typ": "JWT"}).encode()
    body = json.dumps({"sub": drawn(lot, DIGITS, 8), "name": drawn(lot, LOWER, 7)}).encode()
    parts = [base64.urlsafe_b64encode(part).decode().rstrip("=") for part in (head, body)]
    return f"{parts[0]}.{parts[1]}.{drawn(lot, URL_SAFE, 43)}"


def _pem(kind: str) -> Callable[[Random], str]:
    def made(lot: Random) -> str:
        lines = "\n".join(drawn(lot, ALPHABETS["base64"], 64) for _ in range(4))
        return (
            f"-----BEGIN {kind}PRIVATE KEY-----\n{lines}\n{drawn(lot, BASE62, 18)}==\n-----END {kind}PRIVATE KEY-----"
        )

    return made


def card(lot: Random) -> str:
    """A card's number with the right last digit."""
    head, size = lot.choice([("4", 16), ("51", 16), ("2221", 16), ("34", 15), ("6011", 16), ("3528", 16), ("36", 14)])
    body = head + drawn(lot, DIGITS, size - 1 - len(head))
    total = sum(sum(divmod(int(digit) * (2 - at % 2), 10)) for at, digit in enumerate(reversed(body)))
    number = f"{body}{-total % 10}"
    return lot.choice(
        [
            number,
            " ".join(number[at : at + 4] for at in range(0, size, 4)),
            "-".join(number[at : at + 4] for at in range(0, size, 4)),
        ]
    )


def iban(lot: Random) -> str:
    """An account's number with the right check digits."""
    country, body = lot.choice(
        [
            ("DE", drawn(lot, DIGITS, 18)),
            ("GB", drawn(lot, UPPER, 4) + drawn(lot, DIGITS, 14)),
            ("FR", drawn(lot, DIGITS, 10) + drawn(lot, UPPER + DIGITS, 11) + drawn(lot, DIGITS, 2)),
            ("NO", drawn(lot, DIGITS, 11)),
            ("NL", drawn(lot, UPPER, 4) + drawn(lot, DIGITS, 10)),
        ]
    )
    check = 98 - int("".join(str(int(char, 36)) for char in f"{body}{country}00")) % 97
    whole = f"{country}{check:02}{body}"
    return lot.choice([whole, " ".join(whole[at : at + 4] for at in range(0, len(whole), 4))])


def _email(lot: Random) -> str:
    name = f"{drawn(lot, LOWER, 5)}.{drawn(lot, LOWER, 6)}"
    at, dot = lot.choice(
        [
            ("@", "."),
            (" at ", " dot "),
            (" [at] ", " [dot] "),
            ("(at)", "."),
            ("%40", "."),
            ("&#64;", "."),
            ("@", "[.]"),
            ("＠", "．"),
        ]
    )
    return f"{name}{at}{drawn(lot, LOWER, 8)}{dot}{lot.choice(['com', 'co', 'jp', 'org'])}"


def _address_of_a_country(lot: Random) -> str:
    return f"{drawn(lot, LOWER, 6)}@{lot.choice(['例え.テスト', 'müller.de', 'пример.рф', 'xn--r8jz45g.jp'])}"


FORMED: Final[dict[str, Callable[[Random], str]]] = {
    "AWS access key": _form("AKIA", (f"{UPPER}234567", 16)),
    "AWS session key": _form("ASIA", (f"{UPPER}234567", 16)),
    "Google API key": _form("AIza", (URL_SAFE, 35)),
    "Google client secret": _form("GOCSPX-", (URL_SAFE, 28)),
    "Google token": _form("ya29.", (URL_SAFE, 100)),
    "GitHub token": _form("ghp_", (BASE62, 36)),
    "GitHub server token": _form("ghs_", (BASE62, 36)),
    "GitHub fine-grained": _form("github_pat_", (BASE62, 22), "_", (BASE62, 59)),
    "GitLab token": _form("glpat-", (URL_SAFE, 20)),
    "Bitbucket password": _form("ATBB", (BASE62, 32)),
    "Slack bot token": _form("xoxb-", (DIGITS, 12), "-", (DIGITS, 12), "-", (BASE62, 24)),
    "Slack app token": _form("xapp-1-A", (UPPER + DIGITS, 10), "-", (DIGITS, 13), "-", (HEX, 64)),
    "Discord bot token": _form("M", (BASE62, 25), ".", (BASE62, 6), ".", (URL_SAFE, 38)),
    "Telegram bot token": _form((DIGITS, 10), ":AA", (URL_SAFE, 33)),
    "Stripe key": _form("sk_live_", (BASE62, 24)),
    "Stripe webhook": _form("whsec_", (BASE62, 32)),
    "Square token": _form("sq0atp-", (URL_SAFE, 22)),
    "Twilio key": _form("SK", (HEX, 32)),
    "SendGrid key": _form("SG.", (URL_SAFE, 22), ".", (URL_SAFE, 43)),
    "Mailchimp key": _form((HEX, 32), "-us12"),
    "Shopify token": _form("shpat_", (HEX, 32)),
    "npm token": _form("npm_", (BASE62, 36)),
    "PyPI token": _form("pypi-AgEIcHlwaS5vcmc", (URL_SAFE, 80)),
    "RubyGems key": _form("rubygems_", (HEX, 48)),
    "Docker token": _form("dckr_pat_", (URL_SAFE, 27)),
    "DigitalOcean token": _form("dop_v1_", (HEX, 64)),
    "Databricks token": _form("dapi", (HEX, 32)),
    "Vault token": _form("hvs.", (URL_SAFE, 90)),
    "Terraform token": _form((BASE62, 14), ".atlasv1.", (URL_SAFE, 67)),
    "Tailscale key": _form("tskey-auth-", (BASE62, 16), "-", (BASE62, 32)),
    "Linear key": _form("lin_api_", (BASE62, 40)),
    "Notion token": _form("ntn_", (BASE62, 46)),
    "Figma token": _form("figd_", (URL_SAFE, 40)),
    "Airtable token": _form("pat", (BASE62, 14), ".", (HEX, 64)),
    "Postman key": _form("PMAK-", (HEX, 24), "-", (HEX, 34)),
    "Grafana token": _form("glsa_", (BASE62, 32), "_", (HEX, 8)),
    "Hugging Face token": _form("hf_", (LETTERS, 34)),
    "OpenAI key": _form("sk-", (BASE62, 48)),
    "OpenAI project key": _form("sk-proj-", (URL_SAFE, 64)),
    "Anthropic key": _form("sk-ant-api03-", (URL_SAFE, 93), "AA"),
    "Groq key": _form("gsk_", (BASE62, 52)),
    "Replicate token": _form("r8_", (BASE62, 37)),
    "Alibaba key": _form("LTAI", (BASE62, 20)),
    "age key": _form("AGE-SECRET-KEY-1", (f"{UPPER}{DIGITS}", 58)),
    "JWT": _jwt,
    "RSA key": _pem("RSA "),
    "OpenSSH key": _pem("OPENSSH "),
    "PKCS 8 key": _pem(""),
    "UUID": _form((HEX, 8), "-", (HEX, 4), "-4", (HEX, 3), "-a", (HEX, 3), "-", (HEX, 12)),
    "SHA-1 hash": _form((HEX, 40)),
    "card": card,
    "IBAN": iban,
    "e-mail address": _email,
    "address, IDN": _address_of_a_country,
}
"""Secrets that are known by their form."""

_PASSWORD: Final = f"{BASE62}!#%*+.^_~"


def _password(lot: Random) -> str:
    return f"{drawn(lot, LETTERS, 1)}{drawn(lot, _PASSWORD, lot.randint(4, 14))}{drawn(lot, DIGITS, 1)}"


LABELLED: Final = (
    'password = "{}"',
    "password = '{}'",
    "PASSWORD={}",
    "export DB_PASSWORD='{}'",
    "DB_PASSWORD_PROD={}",
    'const password = "{}";',
    'let password: String = "{}"',
    'let password: &str = "{}";',
    'password := "{}"',
    'String dbPassword = "{}";',
    "$password = '{}';",
    "'password' => '{}',",
    "password: '{}'",
    "password: {}",
    "password:\n  {}",
    '{{"user": "bob", "password": "{}", "x": 1}}',
    '{{\\"password\\": \\"{}\\"}}',
    "config['password'] = '{}'",
    'if password == "{}":',
    "<password>{}</password>",
    'setPassword("{}")',
    "IDENTIFIED BY '{}'",
    "machine h login bob password {}",
    "Server=db;User=sa;Password={};Encrypt=yes",
    "run --password {} now",
    "run --db-password={} now",
    "?user=bob&password={}&x=1",
    "my password is {}",
    "passphrase: {}",
    "passwd={}",
    "pwd: {}",
    "passwort: {}",
    "contraseña: {}",
    "secret: {}",
    "client_secret={}",
    "api_key: {}",
    "apiKey: '{}'",
    "API-Key={}",
    "access_token={}",
    'token = "{}"',
    "AccountKey={}",
    "aws_secret_access_key = {}",
    "パスワードは{}です",
    "パスワード：{}",
    "暗証番号「{}」",
    "APIキーは{}を使ってください",
    "トークン={}",
    "postgres://bob:{}@db.example:5432/x",
    "https://bob:{}@host.example/path",
    "redis://:{}@cache:6379/0",
    "接続先はmysql://root:{}@db/x",
    "curl -u bob:{} https://host.example",
    "Authorization: Bearer {}",
    "Authorization: Basic {}",
    '"Authorization": "Bearer {}"',
    "Cookie: theme=dark; session={}; lang=en",
    "Set-Cookie: sid={}; HttpOnly",
    "session_id={}",
    "https://files.example/x?sig={}&se=2026",
    "https://bucket.example/x?X-Amz-Signature={}",
    "https://hooks.slack.com/services/T0000000/B0000000/{}",
    "https://discord.com/api/webhooks/123456789012345678/{}",
)
"""Places that tell what stands in them; most hold any password, the last ones what services make."""

PLACES: Final = (
    "use {} here",
    "{}",
    'the value "{}" is old',
    '{{"id": "{}", "n": 1}}',
    "['{}']",
    "https://host.example/reset/{}",
    "https://host.example/x?ref={}&n=1",
    "キーは{}です",
    "新しい鍵「{}」を使う",
    "`{}`",
    "({}).",
    "SLIP v1 ops dev InformStatus {}",
    "first line\n{}\nlast line",
)
"""Where a secret stands without a word that tells what it is."""


def labelled(lot: Random) -> Iterator[tuple[str, str, str]]:
    """Each labelled place with a password: the place, the text, the password."""
    for place in LABELLED:
        made = (
            drawn(lot, BASE62, 24) if ("//" in place and "@" not in place) or "Authorization" in place else _password(lot)
        )
        yield place, place.format(made), made


def left(secret: str, text: str, least: int = 8) -> bool:
    """Whether so many characters of a secret in a row, or all where it is shorter, are still in a text."""
    size = min(least, len(secret))
    return any(secret[at : at + size] in text for at in range(len(secret) - size + 1))


def split(lot: Random, secret: str) -> str:
    """A secret with a line end somewhere in it."""
    at = lot.randrange(1, len(secret))
    return f"{secret[:at]}\n{secret[at:]}"


ORDINARY: Final = """
src/components/Button2/RequestReviewOfAuthModule2.tsx RequestReviewOfAuthModule2WithPartials HTTPServerRequestHandlerFactory
authentication_service_configuration_file AbstractSingletonProxyFactoryBean getElementsByTagNameNS XMLHttpRequestEventTarget
parseHTTPResponseJSONToDTO iPhone15ProMaxScreenProtector /usr/lib/x86_64-linux-gnu/libstdc++.so.6 C:/Users/Public/Documents/Report2024Q3.xlsx
Donaudampfschifffahrtsgesellschaftskapitaen Rechtsschutzversicherungsgesellschaften Kraftfahrzeughaftpflichtversicherung
arbeiterunfallversicherungsgesetz Geschwindigkeitsbegrenzung lentokonesuihkuturbiinimoottori hottentottententententoonstelling
konstantynopolitanczykowianeczka pneumonoultramicroscopicsilicovolcanoconiosis antidisestablishmentarianism
v1.2.3-rc.4+build.20241130 2026-11-30T10:30:00.123456+00:00 20241130T103000Z 1.0.0-beta+exp.sha.5114f85 3.11.7-slim-bookworm
a1b2c3d 4b825dc 4b825dc642cb deadbeef 0x7fff5fbff8c0 192.168.100.200 2001:db8:85a3::8a2e:370:7334 00:1b:44:11:3a:b7
feature/JIRA-1234-Add-OAuth2-Login-For-Admin-Users how-to-configure-kubernetes-ingress-with-lets-encrypt my-very-long-kebab-case-slug-of-a-blog-post
auth-service-7d4b9c6f5-x2k9p kubernetes.io/ingress.class text/html;charset=utf-8 application/vnd.openxmlformats-officedocument.wordprocessingml.document
THE_MAXIMUM_NUMBER_OF_CONCURRENT_CONNECTIONS MAX_BUFFER_SIZE_IN_BYTES_64K utf8mb4_unicode_520_ci sha256 base64url md5sum
20241130103000123456 1234567890123456 4111111111111112 +81-3-1234-5678 ISBN-978-3-16-148410-0 RFC-9110 ISO-8601 x86_64-unknown-linux-gnu
tanoshiiresutorandeyuushokuwotabemashita zhonghuarenmingongheguo wakarimashitarenrakushimasu quanguorenmindaibiaodahui
react@18.2.0 @angular/core git@github.com:org/repo.git abcdefghijklmnopqrstuvwxyz0123456789 ABCDEFGHIJKLMNOPQRSTUVWXYZ qwertyuiop
internationalization-localization-globalization microservices-event-driven-architecture-2024 llama-3.1-8b-instruct-q4_k_m gpt-4o-mini-2024-07-18
""".split()  # noqa: SIM905  # read best as lines of text
SENTENCES: Final = (
    "The password is too short.",
    "password: required",
    "def login(user: str, password: str, token: str | None = None)",
    "access_keys: provisioned",
    "token = os.environ is wrong, tokens: 1200, max_tokens=4096",
    'many tokens: REQ/TSK into 3, |s=7| into 5, {"tokens": N}',
    "basic functionality works, bearer of internationalization",
    "Authorization: required for every call",
    "the secret is never stored; credentials: rotated",
    "PASSWORD=${DB_PASSWORD} token: <your token>",
    "本番DBのパスワードを変えてください",
    "次のリリースは来週の月曜日です。リリース番号はv2.3.1です",
    "https://host:8080/@user and https://host.example/docs/getting-started/installation-of-plugins#second-step",
    "SLIP v1 planner executor RequestReview auth_module cache key: user_profile",
)
"""Ordinary names and sentences that look a little like secrets."""


def ordinary() -> list[str]:
    """Ordinary names and sentences that must stay to the letter."""
    return [*ORDINARY, *SENTENCES]
