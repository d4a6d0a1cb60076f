"""viz/base."""
