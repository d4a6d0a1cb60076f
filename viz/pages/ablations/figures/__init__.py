"""viz/pages/ablations/figures."""
