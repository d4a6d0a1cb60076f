"""viz/pages/compare_encodings."""
