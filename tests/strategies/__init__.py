"""Strategies for the messages of every kind; a new protocol adds its line here."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from strategies.eap import ait_tapes, eap_packets
from strategies.lingua import lingua_messages
from strategies.silp import silp_irs
from strategies.slip import slip_messages

MESSAGES: dict[str, st.SearchStrategy[Any]] = {
    "silp": silp_irs(),
    "slip": slip_messages(),
    "eap": eap_packets(),
    "ait": ait_tapes(),
    "lingua": lingua_messages(),
}
"""By the name of the kind."""
