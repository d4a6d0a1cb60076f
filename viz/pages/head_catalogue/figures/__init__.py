"""The figures of the catalogue of heads."""
