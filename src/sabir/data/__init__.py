"""Tables as data."""
