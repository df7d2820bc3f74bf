"""Keys that say by a mark of their own whose they are, in the forms that the services document."""

from __future__ import annotations

from typing import Final

_KEYS: Final = (
    ("A(?:KIA|SIA|BIA|CCA|ROA|IDA)", "0-9A-Z", 12, 16),  # AWS
    ("LTAI|AKID", r"\w", 12, 20),  # Alibaba, Tencent
    ("AIza", r"\w-", 20, 35),  # Google
    ("GOCSPX-", r"\w-", 8, 28),
    (r"ya29\.|1//0", r"\w.-", 16, 60),
    ("gh[pousr]_", r"\w", 16, 36),  # GitHub
    ("github_pat_", r"\w", 16, 82),
    ("gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas)-", r"\w.-", 12, 20),  # GitLab
    ("ATBB|ATATT3", r"\w=-", 16, 32),  # Atlassian
    (r"xox[a-z](?:\.xox[a-z])?-|xwfp-", r"\w-", 8, 50),  # Slack
    ("xapp-", r"\w-", 8, 90),
    ("sk-", r"\w-", 40, 51),  # OpenAI, Anthropic
    ("[0-9]{8,10}:", r"\w-", 30, 35),  # Telegram
    ("[rsp]k_(?:live|test)_", r"\w", 8, 24),  # Stripe
    ("whsec_", r"\w+/=", 8, 32),
    ("sq0[a-z]{3}-", r"\w-", 16, 22),  # Square
    ("AC|SK", "0-9a-f", 32, 32),  # Twilio
    (r"SG\.", r"\w.-", 16, 66),  # SendGrid
    ("shp(?:at|ca|pa|ss)_", "0-9a-fA-F", 16, 32),  # Shopify
    ("npm_", "A-Za-z0-9", 16, 36),
    ("pypi-", r"\w-", 16, 80),
    ("rubygems_", "0-9a-f", 16, 48),
    ("dckr_[a-z]{3}_", r"\w-", 16, 27),
    ("do[opr]_v1_", r"\w", 16, 64),  # DigitalOcean
    ("dapi", "0-9a-f", 32, 32),  # Databricks
    (r"hv[sbr]\.", r"\w-", 16, 90),  # Vault
    (r"[A-Za-z0-9]{14}\.atlasv1\.", r"\w-", 16, 60),  # Terraform
    ("tskey-", r"\w-", 16, 40),  # Tailscale
    (
        "lin_api_|ntn_|sbp_|gsk_|r8_|xai-|pplx-",
        r"\w",
        16,
        36,
    ),  # Linear, Notion, Supabase, Groq, Replicate, xAI, Perplexity
    ("figd_", r"\w-", 16, 40),  # Figma
    (r"pat[A-Za-z0-9]{14}\.", "0-9a-f", 16, 64),  # Airtable
    ("PMAK-|NRAK-", r"\w-", 16, 27),  # Postman, New Relic
    ("gl(?:sa|c)_|sntry[su]_", r"\w+/=-", 16, 41),  # Grafana, Sentry
    ("pscale_[a-z]{2,5}_", r"\w.-", 16, 43),  # PlanetScale
    (r"dp\.[a-z]{2,6}\.|dt0[a-z][0-9]{2}\.", r"\w.-", 16, 40),  # Doppler, Dynatrace
    ("hf_", "A-Za-z0-9", 16, 34),  # Hugging Face
    ("AGE-SECRET-KEY-1", "0-9A-Z", 8, 58),
)
"""Keys that begin with a mark: the mark, the characters behind it, how many at least, and how many as documented.

Up to as many as documented may have a line end within; a row of fewer counts as a key where it is long enough on its line.
"""


def _key(mark: str, members: str, least: int, documented: int) -> str:
    wrapped = rf"(?:[{members}](?:\\?\n[ \t]{{0,16}}+)?){{{documented - 1}}}[{members}]"
    return rf"(?:{mark})(?:{wrapped}|[{members}]{{{least}}})[{members}]*+"


MARKED: Final = "|".join(_key(*row) for row in _KEYS)
"""An expression for them all, for `re.ASCII`."""
