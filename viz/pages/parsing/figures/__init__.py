"""viz/pages/parsing/figures."""
