"""model/decoding."""
