"""viz/pages/compare_encodings/figures."""
