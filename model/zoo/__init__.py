"""model/zoo."""
