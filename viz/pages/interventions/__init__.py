"""viz/pages/interventions."""
