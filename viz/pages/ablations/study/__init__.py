"""viz/pages/ablations/study."""
