"""viz/pages/translate."""
