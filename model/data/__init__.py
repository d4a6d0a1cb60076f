"""model/data."""
