"""From plain language to a Slipstream anchor and its payload (slipstream.md, "Quantizer")."""
