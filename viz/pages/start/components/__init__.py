"""viz/pages/start/components."""
