"""viz/pages/interventions/components."""
