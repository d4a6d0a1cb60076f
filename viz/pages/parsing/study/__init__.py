"""viz/pages/parsing/study."""
