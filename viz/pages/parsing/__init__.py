"""viz/pages/parsing."""
