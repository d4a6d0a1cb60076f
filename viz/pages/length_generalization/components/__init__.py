"""viz/pages/length_generalization/components."""
