"""viz/pages/length_generalization/figures."""
