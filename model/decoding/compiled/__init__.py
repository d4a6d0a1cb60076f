"""model/decoding/compiled."""
