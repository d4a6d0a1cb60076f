"""viz/shell."""
