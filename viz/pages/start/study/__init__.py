"""viz/pages/start/study."""
