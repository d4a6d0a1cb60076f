"""viz/pages/dot_product."""
