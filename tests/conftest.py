"""Shared settings: one hypothesis profile for a quick run, one for the long run before a release."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

settings.register_profile("quick", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", max_examples=10_000, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile(os.environ.get("SABIR_PROFILE", "quick"))

# Vocabularies in a user's cache change no test.
os.environ["SABIR_CACHE"] = str(Path(__file__).parent / "no-such-cache")
# A model in the user's cache, or on the hub, changes none either.
os.environ["SABIR_LLMLINGUA_MODEL"] = str(Path(__file__).parent / "no-such-model")
