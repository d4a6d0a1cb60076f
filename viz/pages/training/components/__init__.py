"""Browser-side views of the topic."""
