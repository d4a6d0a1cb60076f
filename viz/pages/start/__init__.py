"""viz/pages/start."""
