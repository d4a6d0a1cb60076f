"""viz/pages/interventions/study."""
