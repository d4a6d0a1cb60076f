"""viz/pages/ablations."""
