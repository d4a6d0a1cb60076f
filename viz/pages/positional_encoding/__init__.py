"""viz/pages/positional_encoding."""
