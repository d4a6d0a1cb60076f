"""viz/pages/compare_encodings/study."""
