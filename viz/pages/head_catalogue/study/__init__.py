"""What the catalogue of heads computes."""
