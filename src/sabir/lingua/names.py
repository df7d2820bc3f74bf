"""What hearing and saying a message of Agent Lingua share: the names in a payload and their types."""

from __future__ import annotations

from typing import Final

from sabir.correspondence import LINGUA_DOMAINS, LINGUA_URGENT
from sabir.lingua.tables import default

BODY: Final = "payload"
"""Argument that stands for a payload that is no JSON object."""
SPOKEN: Final = "!FALLBACK"
"""Intent of human language."""
OTHER_DOMAIN: Final = "F"
"""Domain of what is in no other; the payload names it."""
NAMES: Final[dict[str, type]] = {"@verb": str, "@domain": str, "@priority": int, "@from": str, "@to": str, "@act": list}
"""Names in a payload that say what the fields cannot hold, in their order, and the types of their values."""
MODIFIERS: Final = default().modifiers
DOMAIN_CODES: Final = {domain: code for code, domain in LINGUA_DOMAINS.items()}
"""Domain of Agent Lingua by that of EAP."""
URGENT: Final = {priority: code for code, priority in LINGUA_URGENT.items()}
"""Modifier that states a priority."""
