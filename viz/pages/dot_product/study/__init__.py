"""viz/pages/dot_product/study."""
