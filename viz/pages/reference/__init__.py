"""viz/pages/reference."""
