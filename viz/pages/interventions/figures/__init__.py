"""viz/pages/interventions/figures."""
