"""viz/pages/translate/components."""
