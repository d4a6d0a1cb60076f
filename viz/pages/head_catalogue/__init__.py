"""viz/pages/head_catalogue."""
