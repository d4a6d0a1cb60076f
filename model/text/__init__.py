"""model/text."""
