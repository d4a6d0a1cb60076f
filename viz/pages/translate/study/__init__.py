"""viz/pages/translate/study."""
