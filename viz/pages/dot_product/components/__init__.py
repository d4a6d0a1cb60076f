"""viz/pages/dot_product/components."""
