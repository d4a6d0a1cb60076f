"""model/training/translation."""
