"""viz/pages/length_generalization."""
