"""Browser-side views and their Python faces."""
