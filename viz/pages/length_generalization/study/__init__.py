"""viz/pages/length_generalization/study."""
