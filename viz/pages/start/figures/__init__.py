"""viz/pages/start/figures."""
