"""viz/pages/choose_encoding."""
